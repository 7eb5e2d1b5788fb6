package gameid_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
	"pgregory.net/rapid"
)

// start is when the clocks of these tests begin.
func start() time.Time { return epoch().AddDate(1, 2, 3) }

func cursorOf(t interface{ Fatalf(string, ...any) }, l *gameid.Layout, id gameid.ID) uint64 {
	cursor, _, err := l.Cursor(id)
	if err != nil {
		t.Fatalf("Cursor(%v): %v", id, err)
	}
	return cursor
}

// Whatever the clocks do, IDs rise, carry the server, are never ahead of the
// generator's clock by more than the run-ahead, and never older than the time of
// day by more than a tick of running time.
func TestG1TurningClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tick := time.Duration(rapid.SampledFrom([]int64{1e3, 1e6, 16e6, 1e9}).Draw(t, "tick"))
		seqBits := rapid.IntRange(0, 12).Draw(t, "seq bits")
		l, err := gameid.NewLayout(gameid.Spec{
			Fields: []gameid.Field{
				{Kind: gameid.Time, Bits: 48}, {Kind: gameid.Server, Bits: 10}, {Kind: gameid.Sequence, Bits: max(1, seqBits)},
			}[:min(3, 2+seqBits)],
			Tick: tick, Epoch: epoch(),
		})
		if err != nil {
			t.Fatal(err)
		}
		clock := newClock(start())
		runAhead := tick * time.Duration(rapid.IntRange(0, 3).Draw(t, "run-ahead"))
		g, err := gameid.NewGenerator(l, 1023, gameid.WithClock(clock), gameid.WithRunAhead(runAhead), gameid.WithMaxWait(2*tick), gameid.WithMaxJump(1000*time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		var last gameid.ID
		own := clock.Wall() // what the generator's clock must be at least
		issued := uint64(0)
		check := func(id gameid.ID) {
			issued++
			if issued > 1 && id.Compare(last) <= 0 {
				t.Fatalf("%v after %v", id, last)
			}
			last = id
			p, err := l.Decompose(id)
			if err != nil || p.Server != 1023 {
				t.Fatalf("Decompose(%v) = %+v, %v", id, p, err)
			}
			if at := l.TimeOf(p.Tick); at.After(own.Add(runAhead)) {
				t.Fatalf("an ID of %v, the clock is at %v and the run-ahead %v", at, own, runAhead)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"pass": func(t *rapid.T) {
				d := time.Duration(rapid.Int64Range(0, int64(3*tick)).Draw(t, "d"))
				clock.pass(d)
				own = own.Add(d)
			},
			"step": func(t *rapid.T) {
				clock.step(time.Duration(rapid.Int64Range(-int64(time.Hour), int64(time.Hour)).Draw(t, "d")))
			},
			"suspend": func(*rapid.T) { clock.suspend(time.Hour) },
			"settle": func(t *rapid.T) {
				clock.pass(tick) // then the generator has looked at the time of day again
				own = own.Add(tick)
				id, err := g.TryNext()
				if wall := clock.Wall(); wall.After(own) {
					own = wall
				}
				if err != nil {
					return
				}
				check(id)
				p, _ := l.Decompose(id)
				if at := l.TimeOf(p.Tick); at.Before(clock.Wall().Add(-tick)) {
					t.Fatalf("an ID of %v, the time of day is %v", at, clock.Wall())
				}
			},
			"fill": func(t *rapid.T) {
				dst := make([]gameid.ID, rapid.IntRange(1, 5000).Draw(t, "n"))
				n, err := g.Fill(dst)
				if wall := clock.Wall(); wall.After(own) {
					own = wall
				}
				if (err == nil) != (n == len(dst)) {
					t.Fatalf("Fill = %d of %d, %v", n, len(dst), err)
				}
				for _, id := range dst[:n] {
					check(id)
				}
			},
			"next": func(t *rapid.T) {
				before := clock.Running()
				id, err := g.Next(context.Background())
				own = own.Add(clock.Running() - before)
				if wall := clock.Wall(); wall.After(own) {
					own = wall
				}
				if err == nil {
					check(id)
				} else if !errors.Is(err, gameid.ErrAhead) {
					t.Fatalf("Next: %v", err)
				}
			},
			"": func(t *rapid.T) {
				if got := g.Stats().Issued; got != issued {
					t.Fatalf("Stats().Issued = %d, want %d", got, issued)
				}
			},
		})
	})
}

func TestG24ConcurrentIDsAreUnique(t *testing.T) {
	l := newLayout(t, time.Millisecond, 41, 10, 12)
	g := newGenerator(t, l, 5, gameid.WithRunAhead(time.Minute))
	const goroutines, each = 64, 3000
	ids := make([][]gameid.ID, goroutines)
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() {
			for len(ids[i]) < each {
				if i%2 == 0 {
					id, err := g.Next(context.Background())
					if err != nil {
						t.Errorf("Next: %v", err)
						return
					}
					ids[i] = append(ids[i], id)
					continue
				}
				dst := make([]gameid.ID, 37)
				n, err := g.Fill(dst)
				if err != nil {
					t.Errorf("Fill: %v", err)
					return
				}
				ids[i] = append(ids[i], dst[:n]...)
			}
		})
	}
	wg.Wait()
	seen, total := bitmap{}, uint64(0)
	for _, list := range ids {
		for i, id := range list {
			if !seen.add(cursorOf(t, l, id)) {
				t.Fatalf("%v was issued twice", id)
			}
			if i > 0 && id.Compare(list[i-1]) <= 0 {
				t.Fatalf("one goroutine got %v after %v", id, list[i-1])
			}
			total++
		}
	}
	if got := g.Stats().Issued; got != total {
		t.Errorf("Stats().Issued = %d, want %d", got, total)
	}
}

// A full tick carries into the next one, without repeating or wrapping, and
// TryNext changes nothing when it fails.
func TestG18OverflowCarries(t *testing.T) {
	l := newLayout(t, time.Second, 30, 10, 4)
	clock := newClock(start())
	g := newGenerator(t, l, 1, gameid.WithClock(clock))
	dst := make([]gameid.ID, 20)
	n, err := g.Fill(dst)
	if n != 16 || !errors.Is(err, gameid.ErrAhead) {
		t.Fatalf("Fill = %d, %v, want 16 and ErrAhead", n, err)
	}
	before := g.Stats()
	for range 3 {
		if id, err := g.TryNext(); !errors.Is(err, gameid.ErrAhead) {
			t.Fatalf("TryNext in a full tick = %v, %v, want ErrAhead", id, err)
		}
	}
	if after := g.Stats(); after != before {
		t.Errorf("failed calls changed the state: %+v, want %+v", after, before)
	}
	var busy *gameid.BusyError
	if _, err := g.TryNext(); !errors.As(err, &busy) || busy.After <= 0 || busy.After > time.Second {
		t.Errorf("TryNext = %v, want a *BusyError with the rest of the second", err)
	}
	clock.pass(time.Second)
	id, err := g.TryNext()
	if err != nil || cursorOf(t, l, id) != cursorOf(t, l, dst[15])+1 {
		t.Errorf("the ID after a full tick = %v, %v, want the one after %v", id, err, dst[15])
	}
}

func TestNextWaits(t *testing.T) {
	l := newLayout(t, 10*time.Millisecond, 40, 10, 2)
	clock := newClock(start())
	g := newGenerator(t, l, 1, gameid.WithClock(clock))
	for i := range 9 { // 4 per tick
		if _, err := g.Next(context.Background()); err != nil {
			t.Fatalf("Next %d: %v", i, err)
		}
	}
	if waited := clock.Running(); waited < 10*time.Millisecond || waited > 21*time.Millisecond {
		t.Errorf("nine IDs took %v of the clock, want two ticks of 10ms", waited)
	}
	if got := g.Stats(); got.Waited != 2 || got.Issued != 9 {
		t.Errorf("Stats = %+v, want 2 waited and 9 issued", got)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("stop")
	cancel(cause)
	var err error
	for range 5 {
		if _, err = g.Next(ctx); err != nil {
			break
		}
	}
	if !errors.Is(err, cause) {
		t.Errorf("Next with a ctx that is done = %v, want its cause", err)
	}
	slow := newLayout(t, time.Second, 40, 10, 1)
	g = newGenerator(t, slow, 1, gameid.WithClock(clock))
	began := clock.Running()
	for err = nil; err == nil; {
		_, err = g.Next(context.Background())
	}
	if waited := clock.Running() - began; !errors.Is(err, gameid.ErrAhead) || waited != 100*time.Millisecond {
		t.Errorf("Next at a tick of 1s = %v after %v, want ErrAhead after 100ms", err, waited)
	}
}

// A burst borrows at most the stated run-ahead, then Next waits for the clock or
// says that it would.
func TestG17RunAheadIsBounded(t *testing.T) {
	l := newLayout(t, 10*time.Millisecond, 40, 10, 2)
	clock := newClock(start())
	g := newGenerator(t, l, 1, gameid.WithClock(clock), gameid.WithRunAhead(30*time.Millisecond))
	dst := make([]gameid.ID, 100)
	n, err := g.Fill(dst)
	if n != 16 || !errors.Is(err, gameid.ErrAhead) {
		t.Errorf("Fill with three ticks of run-ahead = %d, %v, want 16 and ErrAhead", n, err)
	}
	if got := g.Stats().Borrowed; got != 12 {
		t.Errorf("Borrowed = %d, want 12", got)
	}
	for i := range 100 {
		id, err := g.Next(context.Background())
		if err != nil {
			t.Fatalf("Next %d: %v", i, err)
		}
		p, _ := l.Decompose(id)
		if ahead := l.TimeOf(p.Tick).Sub(clock.Wall()); ahead > 30*time.Millisecond {
			t.Fatalf("Next %d is %v ahead of the clock, want at most 30 ms", i, ahead)
		}
	}
	if waited := clock.Running(); waited != 250*time.Millisecond {
		t.Errorf("100 IDs at 4 in 10 ms took %v of the clock, want 250 ms", waited)
	}
}

func TestG16ForwardJumpIsRefused(t *testing.T) {
	l := gameLayout(t)
	clock := newClock(start())
	g := newGenerator(t, l, 1, gameid.WithClock(clock), gameid.WithMaxJump(time.Hour))
	timeOfNext := func() time.Time {
		t.Helper()
		clock.pass(16 * time.Millisecond)
		id, err := g.TryNext()
		if err != nil {
			t.Fatal(err)
		}
		p, _ := l.Decompose(id)
		return l.TimeOf(p.Tick)
	}
	clock.step(2 * time.Hour)
	for range 3 {
		if at := timeOfNext(); at.Sub(start()) > time.Minute {
			t.Fatalf("an unexplained jump of two hours was followed to %v", at)
		}
	}
	if got := g.Stats(); got.RefusedSteps != 1 || got.Steps != 0 || got.Ahead != -2*time.Hour {
		t.Errorf("Stats = %+v, want one refused step and two hours behind", got)
	}
	clock.step(-2 * time.Hour)
	clock.step(50 * time.Minute)
	if at := timeOfNext(); at.Sub(start()) < 49*time.Minute {
		t.Errorf("a jump below the bound was not followed: %v", at)
	}
	clock.suspend(100 * time.Hour)
	if at := timeOfNext(); at.Sub(start()) < 100*time.Hour {
		t.Errorf("time in suspend was not followed: %v", at)
	}
	// The boot clock explains a jump once.
	clock.step(100 * time.Hour)
	if at := timeOfNext(); at.Sub(start()) > 150*time.Hour {
		t.Errorf("an old suspend explained a new jump to %v", at)
	}
}

func TestG1BackwardStepIsReported(t *testing.T) {
	clock := newClock(start())
	g := newGenerator(t, gameLayout(t), 1, gameid.WithClock(clock))
	clock.step(-time.Hour)
	clock.pass(time.Second)
	if _, err := g.TryNext(); err != nil {
		t.Fatal(err)
	}
	if got := g.Stats(); got.Steps != 1 || got.Ahead != time.Hour {
		t.Errorf("Stats = %+v, want one step and an hour ahead", got)
	}
}

// The last tick is used to its end, and nothing wraps after it.
func TestG19ErrorAfterTheLastTick(t *testing.T) {
	l := newLayout(t, time.Second, 20, 10, 3)
	clock := newClock(l.End().Add(-time.Second))
	g := newGenerator(t, l, 1, gameid.WithClock(clock), gameid.WithRunAhead(time.Hour))
	dst := make([]gameid.ID, 10)
	if n, err := g.Fill(dst); n != 8 || !errors.Is(err, gameid.ErrExhausted) {
		t.Errorf("Fill in the last tick = %d, %v, want 8 and ErrExhausted", n, err)
	}
	clock.pass(time.Hour)
	if id, err := g.Next(context.Background()); !errors.Is(err, gameid.ErrExhausted) {
		t.Errorf("Next after the end = %v, %v, want ErrExhausted", id, err)
	}
}

func TestG23NextInt64(t *testing.T) {
	narrow := newGenerator(t, newLayout(t, 16*time.Millisecond, 37, 18, 8), 3)
	v, err := narrow.NextInt64(context.Background())
	if err != nil || v <= 0 || v>>8&(1<<18-1) != 3 {
		t.Errorf("NextInt64 = %d, %v, want an ID of server 3", v, err)
	}
	wide := newGenerator(t, gameLayout(t), 3)
	if v, err := wide.NextInt64(context.Background()); !errors.Is(err, gameid.ErrTooWide) {
		t.Errorf("NextInt64 of 73 bits = %d, %v, want ErrTooWide", v, err)
	}
	if got := wide.Stats().Issued; got != 0 {
		t.Errorf("a refused NextInt64 used up %d IDs", got)
	}
}

func TestClose(t *testing.T) {
	g := newGenerator(t, gameLayout(t), 1)
	if _, err := g.TryNext(); err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	if id, err := g.Next(context.Background()); !errors.Is(err, gameid.ErrClosed) {
		t.Errorf("Next after Close = %v, %v, want ErrClosed", id, err)
	}
	if got := g.Stats().Issued; got != 1 {
		t.Errorf("Issued after Close = %d, want 1", got)
	}
}

func TestNoAllocations(t *testing.T) {
	g := newGenerator(t, gameLayout(t), 1, gameid.WithRunAhead(time.Hour))
	dst := make([]gameid.ID, 64)
	buf := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(1000, func() {
		id, _ := g.Next(context.Background())
		_, _ = g.Fill(dst)
		buf = id.AppendBase32(id.AppendDecimal(buf[:0]))
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
