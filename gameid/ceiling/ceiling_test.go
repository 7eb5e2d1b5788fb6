package ceiling_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
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
	mu      sync.Mutex
	wall    time.Time
	running time.Duration
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
func (c *clock) Boot() time.Duration { return c.Running() }

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

func TestReserveNeverRepeats(t *testing.T) {
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

func TestReserveRules(t *testing.T) {
	l := game(t)
	path := filepath.Join(t.TempDir(), "c")
	c := newClock()
	_, _, err := ceiling.Reserve(context.Background(), path, l, 7, 1, ceiling.WithClock(c), ceiling.WithRequired())
	if !errors.Is(err, ceiling.ErrMissing) {
		t.Errorf("a missing file that is required: %v, want ErrMissing", err)
	}
	created := ""
	first, _ := reserve(t, path, l, 1, ceiling.WithClock(c), ceiling.WithCreated(func(p string) { created = p }))
	if created != path {
		t.Errorf("created %q was reported, want %q", created, path)
	}

	c.turn(-3*time.Second, 0)
	second, _ := reserve(t, path, l, 1, ceiling.WithClock(c), ceiling.WithRequired())
	if waited := c.Running(); second <= first || waited < 1900*time.Millisecond || waited > 2100*time.Millisecond {
		t.Errorf("3 s behind: cursor %d after %d, waited %v, want 2 s", second, first, waited)
	}

	c.turn(-time.Hour, 0)
	var behind *ceiling.BehindError
	_, _, err = ceiling.Reserve(context.Background(), path, l, 7, 1, ceiling.WithClock(c))
	if !errors.As(err, &behind) || behind.Behind < time.Hour || behind.Behind > time.Hour+2*time.Second {
		t.Errorf("an hour behind: %v, want a *BehindError of an hour", err)
	}
	third, _ := reserve(t, path, l, 1, ceiling.WithClock(c), ceiling.WithMaxBehind(2*time.Hour))
	if third != second+1 {
		t.Errorf("allowed to be behind: cursor %d, want to go on at %d", third, second+1)
	}

	var mismatch *ceiling.MismatchError
	if _, _, err = ceiling.Reserve(context.Background(), path, l, 8, 1); !errors.As(err, &mismatch) || mismatch.Field != "server" {
		t.Errorf("the file of another server: %v, want a *MismatchError", err)
	}
	if _, _, err = ceiling.Reserve(context.Background(), path, newLayout(t, time.Millisecond, 37, 16), 7, 1); !errors.As(err, &mismatch) || mismatch.Field != "layout" {
		t.Errorf("the file of another layout: %v, want a *MismatchError", err)
	}
	if _, _, err = ceiling.Reserve(context.Background(), path, l, 1<<20, 1); !errors.Is(err, gameid.ErrRange) {
		t.Errorf("server 2^20: %v, want ErrRange", err)
	}
}

// Every byte of the file counts: whichever is changed or cut off, the file is
// refused and stays as it is.
func TestDamagedFileIsRefused(t *testing.T) {
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
		if _, _, err := ceiling.Reserve(context.Background(), path, l, 7, 1); !errors.As(err, &damaged) {
			t.Errorf("%s: %v, want a *DamagedError", what, err)
		}
		if after, _ := os.ReadFile(path); string(after) != string(text) {
			t.Errorf("%s: the file was changed", what)
		}
	}
	for i := range good {
		bad := []byte(string(good))
		bad[i] ^= 1
		refuse("byte "+string(good[i]), bad)
		refuse("cut", good[:i])
	}
	refuse("longer", append([]byte(string(good)), '\n'))
	for _, name := range []string{"zeros", "other"} {
		refuse(name, []byte(strings.Repeat(map[string]string{"zeros": "\x00", "other": "0\n"}[name], len(good))))
	}
}

func TestGeneratorWithFile(t *testing.T) {
	path, l, c := filepath.Join(t.TempDir(), "c"), game(t), newClock()
	ctx := context.Background()
	var last uint64
	for turn := range 4 {
		f, err := ceiling.Open(ctx, path, l, 7, ceiling.WithClock(c))
		if err != nil {
			t.Fatalf("turn %d: Open: %v", turn, err)
		}
		g, err := gameid.NewGenerator(l, 7, gameid.WithCeiling(f), gameid.WithClock(c))
		if err != nil {
			t.Fatalf("turn %d: NewGenerator: %v", turn, err)
		}
		for range 100 {
			id, err := g.Next(ctx)
			if err != nil {
				t.Fatalf("Next: %v", err)
			}
			cursor, _, _ := l.Cursor(id)
			if cursor <= last {
				t.Fatalf("turn %d: cursor %d after %d", turn, cursor, last)
			}
			if last = cursor; cursor >= f.Limit() {
				t.Fatalf("turn %d: cursor %d is not below the ceiling %d", turn, cursor, f.Limit())
			}
		}
		clean := turn%2 == 0
		if clean {
			if err := g.Close(); err != nil {
				t.Fatalf("Close of the generator: %v", err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
		c.turn(-5*time.Millisecond, 0)
		// After a clean end the next start need not wait; after a crash, when nobody
		// has said what was used, up to two seconds.
		before := c.Running()
		first, _ := reserve(t, path, l, 1, ceiling.WithClock(c))
		waited := c.Running() - before
		if first <= last || clean != (waited == 0) || waited > 2100*time.Millisecond {
			t.Errorf("turn %d: cursor %d after %d, waited %v", turn, first, last, waited)
		}
		last = first
	}
}

func TestOneGeneratorPerCeiling(t *testing.T) {
	path, l := filepath.Join(t.TempDir(), "c"), game(t)
	ctx := context.Background()
	f, err := ceiling.Open(ctx, path, l, 7)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ceiling.Open(ctx, path, l, 7); !errors.Is(err, ceiling.ErrTaken) {
		t.Errorf("a second Open: %v, want ErrTaken", err)
	}
	if _, _, err := ceiling.Reserve(ctx, path, l, 7, 1, ceiling.WithLockWait(20*time.Millisecond)); !errors.Is(err, ceiling.ErrTaken) {
		t.Errorf("Reserve while it is held: %v, want ErrTaken", err)
	}
	var mismatch *ceiling.MismatchError
	if _, err := gameid.NewGenerator(l, 8, gameid.WithCeiling(f)); !errors.As(err, &mismatch) {
		t.Errorf("a generator of another server: %v, want a *MismatchError", err)
	}
	g, err := gameid.NewGenerator(l, 7, gameid.WithCeiling(f))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gameid.NewGenerator(l, 7, gameid.WithCeiling(f)); !errors.Is(err, ceiling.ErrTaken) {
		t.Errorf("a second generator: %v, want ErrTaken", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	// A generator that outlives its ceiling ends at the reserve.
	dst := make([]gameid.ID, 1<<20)
	for {
		_, err = g.Fill(dst)
		if !errors.Is(err, gameid.ErrAhead) && err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if !errors.Is(err, gameid.ErrCeiling) || !errors.Is(err, ceiling.ErrClosed) {
		t.Errorf("after Close of the ceiling: %v, want ErrCeiling and ErrClosed", err)
	}
}

// IDs go on over many raises of the ceiling, at the real clock.
func TestCeilingRises(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two seconds")
	}
	path, l := filepath.Join(t.TempDir(), "c"), game(t)
	ctx := context.Background()
	f, err := ceiling.Open(ctx, path, l, 7)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g, err := gameid.NewGenerator(l, 7, gameid.WithCeiling(f))
	if err != nil {
		t.Fatal(err)
	}
	before := f.Limit()
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if _, err := g.Next(ctx); err != nil {
			t.Fatalf("Next: %v", err)
		}
	}
	if f.Limit() <= before {
		t.Errorf("the ceiling stayed at %d", before)
	}
	if got := g.Stats(); got.CeilingErrors != 0 || got.Waited != 0 {
		t.Errorf("Stats = %+v, want no error and no wait", got)
	}
}

func TestConcurrentReserve(t *testing.T) {
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
