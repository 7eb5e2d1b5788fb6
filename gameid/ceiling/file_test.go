package ceiling_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
)

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

func TestG10OneGeneratorPerCeiling(t *testing.T) {
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

// A process that is killed and started a hundred times on end does not climb: its
// ceiling stays within four seconds of the clock, and nothing is repeated.
func TestCrashLoopDoesNotClimb(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newIssued(t, "crash loop")
		d, c, l := newMemDisk(t), newClock(), newLayout(t, 10*time.Millisecond, 40, 4)
		for turn := range 100 {
			f, err := ceiling.Open(context.Background(), statePath, l, 7, ceiling.WithDisk(d), ceiling.WithClock(c))
			if err != nil {
				t.Fatalf("start %d: %v", turn, err)
			}
			s.run(f, c, l, 50*time.Millisecond)
			d.deadAt = 1 // killed: its last words do not reach the disk
			_ = f.Close()
			d.restart()
			state, err := ceiling.Read(statePath, ceiling.WithDisk(d))
			if err != nil {
				t.Fatal(err)
			}
			if ahead := l.TimeOf(state.Next >> l.SequenceBits()).Sub(c.Wall()); ahead > 4*time.Second {
				t.Fatalf("after %d crashes the ceiling is %v ahead of the clock, want at most 4 s", turn+1, ahead)
			}
		}
		if took := c.Running(); took > 100*3*time.Second {
			t.Errorf("100 starts took %v, want at most 3 s each", took)
		}
	})
}

// Reservations that are killed before they are used do not climb either.
func TestKilledReservationsDoNotClimb(t *testing.T) {
	d, c, l := newMemDisk(t), newClock(), game(t)
	for range 100 {
		first, got := reserve(t, statePath, l, 1<<18, ceiling.WithDisk(d), ceiling.WithClock(c))
		if ahead := l.TimeOf((first + got) >> l.SequenceBits()).Sub(c.Wall()); ahead > 1100*time.Millisecond {
			t.Fatalf("the ceiling is %v ahead of the clock, want a second", ahead)
		}
	}
}

// Time alone writes nothing; IDs do, about once a second.
func TestIdleGeneratorWritesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, c, l := newMemDisk(t), newClock(), game(t)
		f, g := openGenerator(t, statePath, l, c, ceiling.WithDisk(d))
		d.restart()
		for range 1000 {
			c.turn(time.Second, time.Second)
			g.Stats()
			synctest.Wait()
		}
		if len(d.ops) != 0 {
			t.Errorf("an idle generator did %v", d.ops)
		}
		_, _ = g.TryNext()
		synctest.Wait()
		d.restart()
		for range 1000 {
			c.turn(10*time.Millisecond, 10*time.Millisecond)
			if _, err := g.TryNext(); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if writes := d.count("write"); writes < 5 || writes > 11 {
			t.Errorf("a generator that issues for ten seconds wrote %d times, want about 10", writes)
		}
		if err := errors.Join(g.Close(), f.Close()); err != nil {
			t.Error(err)
		}
	})
}

// While the reserve lasts no call waits for a disk that hangs. After it, Next
// waits as long as it may and says what it waits for; with a disk that answers
// again it goes on.
func TestNextNeverWaitsForTheDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, c, l := newMemDisk(t), newClock(), game(t)
		f, g := openGenerator(t, statePath, l, c, ceiling.WithDisk(d))
		gate := make(chan struct{})
		d.mu.Lock()
		d.gate = gate
		d.mu.Unlock()
		began, limit := time.Now(), f.Limit() // the time of the bubble passes only when all wait
		issued := 0
		for ; ; issued++ {
			c.turn(10*time.Millisecond, 10*time.Millisecond)
			id, err := g.Next(context.Background())
			if err != nil {
				if !errors.Is(err, gameid.ErrCeiling) {
					t.Errorf("Next after the reserve: %v, want ErrCeiling", err)
				}
				break
			}
			if cursor, _, _ := l.Cursor(id); cursor >= limit {
				t.Fatalf("cursor %d was issued above the durable %d", cursor, limit)
			}
			if waited := time.Since(began); waited != 0 {
				t.Fatalf("ID %d waited %v", issued, waited)
			}
		}
		if waited := time.Since(began); issued < 290 || waited != 100*time.Millisecond {
			t.Errorf("%d IDs in 10 ms steps, then a wait of %v, want three seconds of them and 100 ms", issued, waited)
		}
		d.mu.Lock()
		d.gate = nil
		d.mu.Unlock()
		close(gate)
		if _, err := g.Next(context.Background()); err != nil {
			t.Errorf("Next once the disk answers: %v", err)
		}
		if err := errors.Join(g.Close(), f.Close()); err != nil {
			t.Error(err)
		}
	})
}

// The machine sleeps for an hour while the disk is gone: after it an ID's own time
// decides, and none is issued at or above the durable bound.
func TestG8SuspendedAboveTheBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, c, l := newMemDisk(t), newClock(), game(t)
		f, g := openGenerator(t, statePath, l, c, ceiling.WithDisk(d))
		if _, err := g.TryNext(); err != nil {
			t.Fatal(err)
		}
		gate := make(chan struct{})
		d.mu.Lock()
		d.gate = gate
		d.mu.Unlock()
		c.suspend(time.Hour)
		for range 100 {
			c.turn(time.Millisecond, time.Millisecond)
			id, err := g.TryNext()
			if err != nil {
				continue
			}
			if cursor, _, _ := l.Cursor(id); cursor >= f.Limit() {
				t.Fatalf("cursor %d was issued at or above the bound %d", cursor, f.Limit())
			}
		}
		if id, err := g.TryNext(); !errors.Is(err, gameid.ErrCeiling) {
			t.Errorf("TryNext an hour above the bound = %v, %v, want ErrCeiling", id, err)
		}
		d.mu.Lock()
		d.gate = nil
		d.mu.Unlock()
		close(gate)
		synctest.Wait()
		id, err := g.TryNext()
		if p, _ := l.Decompose(id); err != nil || l.TimeOf(p.Tick).Before(start().Add(time.Hour)) {
			t.Errorf("TryNext once the bound was raised = %v, %v, want an ID of the hour after", id, err)
		}
		if err := errors.Join(g.Close(), f.Close()); err != nil {
			t.Error(err)
		}
	})
}
