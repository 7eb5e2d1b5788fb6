package ceiling_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func epoch() time.Time { return time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC) }
func start() time.Time { return epoch().AddDate(1, 0, 0) }

func newLayout(t testing.TB, tick time.Duration, timeBits, seqBits int) *gameid.Layout {
	t.Helper()
	l, err := gameid.NewLayout(gameid.Spec{
		Fields: []gameid.Field{
			{Kind: gameid.Time, Bits: timeBits}, {Kind: gameid.Server, Bits: 20}, {Kind: gameid.Sequence, Bits: seqBits},
		},
		Tick: tick, Epoch: epoch(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func game(t testing.TB) *gameid.Layout { return newLayout(t, 16*time.Millisecond, 37, 16) }

// clock stands still until it is turned, or somebody waits for it.
type clock struct {
	mu              sync.Mutex
	wall            time.Time
	running, asleep time.Duration
}

func newClock() *clock { return &clock{wall: start()} }

func (c *clock) turn(wall, running time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wall, c.running = c.wall.Add(wall), c.running+running
}

func (c *clock) Wall() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wall
}

func (c *clock) Running() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running
}

func (c *clock) Boot() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running + c.asleep
}

// suspend is time that running clocks and timers do not see.
func (c *clock) suspend(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wall, c.asleep = c.wall.Add(d), c.asleep+d
}

func (c *clock) Wait(ctx context.Context, d time.Duration) error {
	c.turn(d, d)
	return context.Cause(ctx)
}

func reserve(t testing.TB, path string, l *gameid.Layout, n uint64, options ...ceiling.Option) (uint64, uint64) {
	t.Helper()
	first, got, err := ceiling.Reserve(context.Background(), path, l, 7, n, options...)
	if err != nil {
		t.Fatalf("Reserve(%d): %v", n, err)
	}
	return first, got
}

// openGenerator opens a ceiling and attaches a generator of server 7 to it.
func openGenerator(t testing.TB, path string, l *gameid.Layout, c gameid.Clock, options ...ceiling.Option) (*ceiling.File, *gameid.Generator) {
	t.Helper()
	f, err := ceiling.Open(context.Background(), path, l, 7, append(options, ceiling.WithClock(c))...)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	g, err := gameid.NewGenerator(l, 7, gameid.WithCeiling(f), gameid.WithClock(c))
	if err != nil {
		t.Fatalf("NewGenerator: %v", err)
	}
	return f, g
}

func TestG1ReserveWithAClockThatRunsBackwards(t *testing.T) {
	path, l, c := filepath.Join(t.TempDir(), "c"), game(t), newClock()
	var top uint64
	for i := range 50 {
		first, got := reserve(t, path, l, 3, ceiling.WithClock(c))
		if got != 3 || first < top {
			t.Fatalf("turn %d: %d cursors from %d, want 3 from %d up", i, got, first, top)
		}
		top = first + got
		c.turn(-50*time.Millisecond, time.Millisecond) // a clock that runs backwards
	}
	// The ceiling has not climbed: all of it fits one tick.
	if now, err := l.TickAt(start()); err != nil || top>>16 != now {
		t.Errorf("150 cursors reach tick %d, want %d (%v)", top>>16, now, err)
	}
}

// The rate of the layout is kept over many calls: a second of run-ahead, then as
// fast as the clock.
func TestReservePaces(t *testing.T) {
	path, l, c := filepath.Join(t.TempDir(), "c"), newLayout(t, 10*time.Millisecond, 40, 4), newClock()
	total := uint64(0)
	for total < 5000 {
		_, got := reserve(t, path, l, 5000-total, ceiling.WithClock(c))
		total += got
	}
	// 1,600 a second; the first 1,616 come at once.
	if took := c.Running(); took < 2100*time.Millisecond || took > 2200*time.Millisecond {
		t.Errorf("5000 cursors took %v, want (5000-1616)/1600 s", took)
	}
}

// A start waits while the clock is a few seconds below the ceiling; further below
// it refuses and names the difference, unless it may go on from the ceiling.
func TestG2StepsBackWhileDown(t *testing.T) {
	l, path, c := game(t), filepath.Join(t.TempDir(), "c"), newClock()
	first, _ := reserve(t, path, l, 1, ceiling.WithClock(c))
	c.turn(-3*time.Second, 0)
	second, _ := reserve(t, path, l, 1, ceiling.WithClock(c))
	if waited := c.Running(); second <= first || waited < 1900*time.Millisecond || waited > 2100*time.Millisecond {
		t.Errorf("3 s behind: cursor %d after %d, waited %v, want 2 s", second, first, waited)
	}
	c.turn(-time.Hour, 0)
	var behind *ceiling.BehindError
	_, _, err := ceiling.Reserve(context.Background(), path, l, 7, 1, ceiling.WithClock(c))
	if !errors.As(err, &behind) || behind.Behind < time.Hour || behind.Behind > time.Hour+2*time.Second {
		t.Errorf("Reserve an hour behind: %v, want a *BehindError of an hour", err)
	}
	if _, err := ceiling.Open(context.Background(), path, l, 7, ceiling.WithClock(c)); !errors.As(err, &behind) || !strings.Contains(err.Error(), "is 1h0m0.984s behind") {
		t.Errorf("Open an hour behind: %v, want a *BehindError that names the hour", err)
	}
	if _, err := ceiling.Open(context.Background(), path, l, 7, ceiling.WithClock(c), ceiling.WithMaxBehind(30*time.Minute)); !errors.As(err, &behind) {
		t.Errorf("Open an hour behind, half an hour allowed: %v, want a *BehindError", err)
	}
	third, _ := reserve(t, path, l, 1, ceiling.WithClock(c), ceiling.WithMaxBehind(2*time.Hour))
	if third != second+1 {
		t.Errorf("allowed to be behind: cursor %d, want to go on at %d", third, second+1)
	}
	f, g := openGenerator(t, path, l, c, ceiling.WithMaxBehind(2*time.Hour))
	defer f.Close()
	last := third
	for range 1000 {
		id, err := g.Next(context.Background())
		if err != nil {
			t.Fatalf("Next of a generator that may be behind: %v", err)
		}
		cursor, _, _ := l.Cursor(id)
		if cursor <= last {
			t.Fatalf("a generator that may be behind issued %d after %d", cursor, last)
		}
		last = cursor
	}
}

func TestG3LostFile(t *testing.T) {
	l, path, c := game(t), filepath.Join(t.TempDir(), "c"), newClock()
	_, _, err := ceiling.Reserve(context.Background(), path, l, 7, 1, ceiling.WithClock(c), ceiling.WithRequired())
	if !errors.Is(err, ceiling.ErrMissing) {
		t.Errorf("Reserve without the file that is required: %v, want ErrMissing", err)
	}
	if _, err := ceiling.Open(context.Background(), path, l, 7, ceiling.WithClock(c), ceiling.WithRequired()); !errors.Is(err, ceiling.ErrMissing) {
		t.Errorf("Open without the file that is required: %v, want ErrMissing", err)
	}
	created := ""
	said := ceiling.WithCreated(func(p string) { created = p })
	reserve(t, path, l, 1, ceiling.WithClock(c), said)
	if created != path {
		t.Errorf("created %q was said, want %q", created, path)
	}
	created = ""
	reserve(t, path, l, 1, ceiling.WithClock(c), said, ceiling.WithRequired())
	if created != "" {
		t.Errorf("created %q was said of a file that was there", created)
	}
}

func TestG21OtherLayoutOrServer(t *testing.T) {
	l, path := game(t), filepath.Join(t.TempDir(), "c")
	reserve(t, path, l, 1)
	later, err := gameid.NewLayout(gameid.Spec{Fields: l.Fields(), Tick: l.Tick(), Epoch: epoch().Add(time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		l      *gameid.Layout
		server uint64
		field  string
	}{
		{l, 8, "server"},
		{newLayout(t, time.Millisecond, 37, 16), 7, "layout"}, // its tick
		{newLayout(t, 16*time.Millisecond, 38, 15), 7, "layout"},
		{later, 7, "layout"}, // its epoch
	} {
		var mismatch *ceiling.MismatchError
		if _, _, err := ceiling.Reserve(context.Background(), path, test.l, test.server, 1); !errors.As(err, &mismatch) || mismatch.Field != test.field {
			t.Errorf("Reserve for server %d of %s: %v, want a *MismatchError of the %s", test.server, test.l, err, test.field)
		}
		if _, err := ceiling.Open(context.Background(), path, test.l, test.server); !errors.As(err, &mismatch) {
			t.Errorf("Open for server %d of %s: %v, want a *MismatchError", test.server, test.l, err)
		}
	}
}

func TestG22ServerOutOfRange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	if _, _, err := ceiling.Reserve(context.Background(), path, game(t), 1<<20, 1); !errors.Is(err, gameid.ErrRange) {
		t.Errorf("Reserve for server 2^20: %v, want ErrRange", err)
	}
	if _, err := ceiling.Open(context.Background(), path, game(t), 1<<20); !errors.Is(err, gameid.ErrRange) {
		t.Errorf("Open for server 2^20: %v, want ErrRange", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused server left a file: %v", err)
	}
}

func TestG20ClockBeforeTheEpoch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	synctest.Test(t, func(t *testing.T) { // its clock starts at 2000-01-01
		if _, _, err := ceiling.Reserve(t.Context(), path, game(t), 7, 1); !errors.Is(err, gameid.ErrBeforeEpoch) {
			t.Errorf("Reserve in the year 2000: %v, want ErrBeforeEpoch", err)
		}
		if _, err := ceiling.Open(t.Context(), path, game(t), 7); !errors.Is(err, gameid.ErrBeforeEpoch) {
			t.Errorf("Open in the year 2000: %v, want ErrBeforeEpoch", err)
		}
	})
	c := newClock()
	c.wall = time.Unix(0, 0) // a dead clock
	if _, _, err := ceiling.Reserve(t.Context(), path, game(t), 7, 1, ceiling.WithClock(c)); !errors.Is(err, gameid.ErrBeforeEpoch) {
		t.Errorf("Reserve in the year 1970: %v, want ErrBeforeEpoch", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused clock left a file: %v", err)
	}
}

// Every bit of the file counts: whichever is turned, and wherever the file ends
// early, it is refused with its name and stays as it is.
func TestG4DamagedFileIsRefused(t *testing.T) {
	path, l := filepath.Join(t.TempDir(), "c"), game(t)
	reserve(t, path, l, 1)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(what string, text []byte) {
		t.Helper()
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		var damaged *ceiling.DamagedError
		if _, _, err := ceiling.Reserve(context.Background(), path, l, 7, 1); !errors.As(err, &damaged) || damaged.Path != path {
			t.Errorf("%s: Reserve: %v, want a *DamagedError", what, err)
		}
		if _, err := ceiling.Open(context.Background(), path, l, 7, ceiling.WithAdopt(), ceiling.WithMaxBehind(time.Hour)); !errors.As(err, &damaged) {
			t.Errorf("%s: Open: %v, want a *DamagedError", what, err)
		}
		if after, _ := os.ReadFile(path); string(after) != string(text) {
			t.Errorf("%s: the file was changed", what)
		}
	}
	for i := range good {
		for bit := range 8 {
			bad := bytes.Clone(good)
			bad[i] ^= 1 << bit
			refuse(fmt.Sprintf("bit %d of byte %d, %q", bit, i, good[i]), bad)
		}
		refuse(fmt.Sprintf("cut to %d bytes", i), good[:i])
	}
	refuse("longer", append(bytes.Clone(good), '\n'))
	refuse("twice", append(bytes.Clone(good), good...))
	refuse("zeros", make([]byte, len(good)))
	refuse("a number", []byte("0\n"))
}

func TestG10ReserveWaitsForItsTurn(t *testing.T) {
	path, l := filepath.Join(t.TempDir(), "c"), game(t)
	const callers, turns = 8, 20
	firsts := make([][]uint64, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			for range turns {
				first, got, err := ceiling.Reserve(context.Background(), path, l, 7, 5)
				if err != nil || got != 5 {
					t.Errorf("Reserve = %d, %v", got, err)
					return
				}
				firsts[i] = append(firsts[i], first)
			}
		})
	}
	wg.Wait()
	seen := map[uint64]bool{}
	for _, list := range firsts {
		for _, first := range list {
			for cursor := first; cursor < first+5; cursor++ {
				if seen[cursor] {
					t.Fatalf("cursor %d was given twice", cursor)
				}
				seen[cursor] = true
			}
		}
	}
}
