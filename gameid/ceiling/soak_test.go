package ceiling_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
)

// rounds is how many crashes a soak has; scripts/soak-ids makes them more.
func rounds(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("GAMEID_SOAK")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("GAMEID_SOAK=%q, want a number from 1 up", text)
	}
	return n * usual
}

// bounds is what the test knows of the clocks: no ID may be later than latest and
// the run-ahead, nor earlier than settled and a tick.
type bounds struct {
	mu      sync.Mutex
	latest  time.Time // the generator's clock cannot be further
	settled time.Time // a time of day that it has had a tick of running time to follow
	backs   int       // steps back, after which it need not have seen settled
}

func (b *bounds) look() (latest, settled time.Time, backs int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.latest, b.settled, b.backs
}

// pass lets time go on, and with it what the generator's clock can be.
func (b *bounds) pass(c *clock, d time.Duration, right bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c.turn(d, d)
	if b.latest = b.latest.Add(d); right && c.Wall().After(b.latest) {
		b.latest = c.Wall()
	}
}

// settle is called when c is right and a tick of running time has passed.
func (b *bounds) settle(c *clock) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settled = c.Wall()
}

// turnOn turns c once, in a way that is to be believed or not.
func (b *bounds) turnOn(c *clock, random *rand.Rand, tick time.Duration) {
	b.mu.Lock() // what is to be believed is known before an ID can show it
	switch random.IntN(8) {
	case 0:
		b.backs++
		c.turn(-time.Duration(random.Int64N(int64(10*time.Minute))), 0)
	case 1:
		c.turn(time.Duration(random.Int64N(int64(5*time.Minute))), 0)
	case 2:
		c.suspend(time.Duration(random.Int64N(int64(time.Hour))))
	case 3: // IDs of the far future must not be issued
		b.mu.Unlock()
		c.turn(1000*time.Hour, 0)
		b.pass(c, tick, false)
		time.Sleep(200 * time.Microsecond) // so that somebody looks
		c.turn(-1000*time.Hour, 0)
		b.mu.Lock()
	}
	if now := c.Wall(); now.After(b.latest) {
		b.latest = now
	}
	b.mu.Unlock()
	b.pass(c, tick+time.Duration(random.Int64N(int64(10*tick))), true)
}

// Eight goroutines issue IDs below a ceiling in a real file while the clocks step,
// jump and sleep, and everything crashes and starts again with a clock a few
// seconds back: no cursor comes twice, each goroutine's rise, and every ID is
// within the stated bounds of the clock.
func TestSoakTurningClock(t *testing.T) {
	const goroutines, turns = 8, 400
	path, l := filepath.Join(t.TempDir(), "c"), game(t)
	c, random := newClock(), rand.New(rand.NewPCG(1, 2))
	var top uint64
	total := 0
	for round := range rounds(t, 8) {
		f, g := openGenerator(t, path, l, c, ceiling.WithMaxBehind(24*time.Hour))
		known := &bounds{latest: c.Wall()}
		if s, err := ceiling.Read(path); err != nil {
			t.Fatal(err)
		} else if at := l.TimeOf(s.Next >> l.SequenceBits()); at.After(known.latest) {
			known.latest = at // it may go on from there
		}
		var stop atomic.Bool
		var taking sync.WaitGroup
		lists := make([][]uint64, goroutines+1) // the last is that of who turns the clock
		for i := range goroutines {
			taking.Go(func() {
				dst := make([]gameid.ID, 1+i*i)
				for turn := 0; !stop.Load(); turn++ {
					_, settled, before := known.look()
					n, err := g.Fill(dst)
					latest, _, backs := known.look()
					if busy := (*gameid.BusyError)(nil); err != nil && !errors.As(err, &busy) {
						t.Errorf("round %d: Fill: %v", round, err)
						return
					}
					for _, id := range dst[:n] {
						cursor, server, _ := l.Cursor(id)
						at := l.TimeOf(cursor >> l.SequenceBits())
						if len(lists[i]) > 0 && cursor <= lists[i][len(lists[i])-1] || server != 7 {
							t.Errorf("round %d: cursor %d of server %d after %d", round, cursor, server, lists[i][len(lists[i])-1])
						}
						if at.After(latest.Add(time.Second)) || backs == before && at.Before(settled.Add(-l.Tick())) {
							t.Errorf("round %d: an ID of %v, the clock is between %v and %v", round, at, settled, latest)
						}
						lists[i] = append(lists[i], cursor)
					}
					if turn%8 == 0 {
						time.Sleep(50 * time.Microsecond)
					}
				}
			})
		}
		for range turns {
			known.turnOn(c, random, l.Tick())
			// Jumps that nobody saw one by one could add up to one that is not believed.
			if id, err := g.TryNext(); err == nil {
				cursor, _, _ := l.Cursor(id)
				lists[goroutines] = append(lists[goroutines], cursor)
			}
			known.settle(c)
			time.Sleep(100 * time.Microsecond)
		}
		// The machine comes to rest, the disk catches up, and IDs flow again.
		_, err := g.Next(context.Background())
		for tries := 0; errors.Is(err, gameid.ErrCeiling) && f.Err() == nil && tries < 100; tries++ { // a disk may be slow
			_, err = g.Next(context.Background())
		}
		if err != nil {
			t.Errorf("round %d: Next at the end: %v", round, err)
		}
		stop.Store(true)
		taking.Wait()
		if round%2 == 0 {
			_ = g.Close() // else it crashes: nobody says what was used
		}
		if err := f.Close(); err != nil {
			t.Errorf("round %d: Close: %v", round, err)
		}
		all := slices.Concat(lists...)
		slices.Sort(all)
		if len(all) == 0 || all[0] <= top {
			t.Fatalf("round %d: %d cursors, the first is not above %d", round, len(all), top)
		}
		for i := range all {
			if i > 0 && all[i] == all[i-1] {
				t.Fatalf("round %d: cursor %d was issued twice", round, all[i])
			}
		}
		top = all[len(all)-1]
		total += len(all)
		c.turn(-time.Duration(random.Int64N(int64(5*time.Second))), 0)
	}
	t.Logf("%d cursors", total)
}
