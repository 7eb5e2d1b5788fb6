package gameid_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
)

// soak is how many times longer than usual a test shall run: scripts/soak-ids
// sets it.
func soak(t *testing.T) int {
	t.Helper()
	text := os.Getenv("GAMEID_SOAK")
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("GAMEID_SOAK=%q, want a number from 1 up", text)
	}
	return n
}

// issuer is a generator as the hunt sees it: it fills dst with numbers in the
// order of their issue and says how many it could.
type issuer func(dst []uint64) int

// restlessClock turns while it is read: it runs, steps in both directions and
// sleeps. Now and then it gives the processor away after a reading, where a
// generator that is not careful has half done its work.
type restlessClock struct {
	*turningClock
	reads atomic.Uint64
}

func newRestlessClock() *restlessClock { return &restlessClock{turningClock: newClock(start())} }

// Wall is the time of day of a moment ago.
func (c *restlessClock) Wall() time.Time {
	defer c.turnOn()
	return c.turningClock.Wall()
}

// Running is the running time of a moment ago.
func (c *restlessClock) Running() time.Duration {
	defer c.turnOn()
	return c.turningClock.Running()
}

func (c *restlessClock) turnOn() {
	n := c.reads.Add(1)
	if n%16 == 1 { // the first reading of a new time
		runtime.Gosched()
	}
	if n%16 != 0 {
		return
	}
	c.pass(time.Millisecond)
	switch n / 16 % 64 {
	case 10, 37:
		c.step(-2 * time.Second)
	case 20, 52:
		c.step(3 * time.Second)
	case 44:
		c.suspend(time.Minute)
	case 60:
		c.step(-time.Minute)
	}
}

// hunt lets eight goroutines take n numbers and returns what it finds wrong, or "".
// It works in rounds, after each of which the numbers are forgotten: a number that comes again
// later is below the highest of the rounds before.
func hunt(n int, next issuer) string {
	const goroutines, perRound = 8, 1 << 20
	var highest uint64
	for done := 0; done < n; {
		var taking sync.WaitGroup
		taken := make([][]uint64, goroutines)
		round := min(n-done, perRound)
		for i := range goroutines {
			taking.Go(func() {
				list := make([]uint64, 0, round/goroutines+512)
				for len(list) <= round/goroutines {
					block := 1
					if i%2 == 1 {
						block = 1 + len(list)%300
					}
					dst := list[len(list) : len(list)+block]
					list = list[:len(list)+next(dst)]
				}
				taken[i] = list
			})
		}
		taking.Wait()
		var all []uint64
		for _, list := range taken {
			for i := range list {
				if i > 0 && list[i] == list[i-1] {
					return fmt.Sprintf("a goroutine got %d twice on end", list[i])
				}
				if i > 0 && list[i] < list[i-1] {
					return fmt.Sprintf("a goroutine got %d after %d", list[i], list[i-1])
				}
			}
			all = append(all, list...)
		}
		slices.Sort(all)
		for i := range all {
			if i > 0 && all[i] == all[i-1] {
				return fmt.Sprintf("%d was issued twice", all[i])
			}
		}
		if done > 0 && all[0] <= highest {
			return fmt.Sprintf("%d was issued after %d", all[0], highest)
		}
		highest = all[len(all)-1]
		done += len(all)
	}
	return ""
}

// Nothing is found in ours, in the three layouts that are used most.
func TestDuplicateHunt(t *testing.T) {
	for name, l := range map[string]*gameid.Layout{
		"game": gameLayout(t), "game63": newLayout(t, 16*time.Millisecond, 37, 18, 8), "snowflake": newLayout(t, time.Millisecond, 41, 10, 12),
	} {
		n := 1_000_000 * soak(t)
		if name == "game63" {
			n /= 10 // 256 in a tick: the clock has to turn for each
		}
		clock := newRestlessClock()
		g := newGenerator(t, l, 1, gameid.WithClock(clock), gameid.WithRunAhead(time.Second))
		found := hunt(n, func(dst []uint64) int {
			ids := make([]gameid.ID, len(dst))
			got, _ := g.Fill(ids)
			for i, id := range ids[:got] {
				dst[i], _, _ = l.Cursor(id)
			}
			return got
		})
		if found != "" {
			t.Errorf("%s: %s", name, found)
		}
	}
}

// The same hunt finds the mistakes of well-known generators, planted in a simple
// one in which it finds nothing.
func TestDuplicateHuntFindsPlantedMistakes(t *testing.T) {
	const seqBits = 24 // more than are taken here, so that no overflow helps
	now := func(clock *restlessClock) uint64 { return uint64(clock.Wall().Sub(start())/time.Millisecond) + 1<<20 }
	locked := func(clock *restlessClock, anew func(now, last uint64) bool, compose func(last, seq uint64) uint64) func() uint64 {
		var mu sync.Mutex
		var last, seq uint64
		return func() uint64 {
			mu.Lock()
			defer mu.Unlock()
			if t := now(clock); anew(t, last) {
				last, seq = t, 0
			}
			seq++
			return compose(last, seq)
		}
	}
	later := func(now, last uint64) bool { return now > last }
	shifted := func(last, seq uint64) uint64 { return last<<seqBits + seq }
	for _, test := range []struct {
		mistake string
		plant   func(*restlessClock) func() uint64
	}{
		{"", func(clock *restlessClock) func() uint64 { return locked(clock, later, shifted) }},
		{"time and sequence in two words", func(clock *restlessClock) func() uint64 {
			var last, seq atomic.Uint64
			return func() uint64 {
				before := last.Load()
				if t := now(clock); t > before {
					last.Store(t)
					seq.Store(0)
				}
				return shifted(last.Load(), seq.Add(1))
			}
		}},
		{"the sequence starts anew when the clock steps back", func(clock *restlessClock) func() uint64 {
			return locked(clock, func(now, last uint64) bool { return now != last }, shifted)
		}},
		{"a shift before widening", func(clock *restlessClock) func() uint64 {
			return locked(clock, later, func(last, seq uint64) uint64 { return uint64(uint32(last)<<seqBits) + seq })
		}},
	} {
		clock := newRestlessClock()
		next := test.plant(clock)
		found := hunt(200_000, func(dst []uint64) int {
			for i := range dst {
				dst[i] = next()
			}
			return len(dst)
		})
		if (found == "") != (test.mistake == "") {
			t.Errorf("mistake %q: the hunt found %q", test.mistake, found)
		}
	}
}
