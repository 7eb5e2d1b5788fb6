package ceiling_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
)

const statePath = "/state/c"

// issued collects the cursors that were handed out and finds what comes twice.
type issued struct {
	t    testing.TB
	what string
	seen map[uint64]bool
	top  uint64
}

func newIssued(t testing.TB, what string) *issued {
	return &issued{t: t, what: what, seen: map[uint64]bool{}}
}

func (s *issued) add(first, got uint64) {
	s.t.Helper()
	for cursor := first; cursor < first+got; cursor++ {
		if s.seen[cursor] {
			s.t.Fatalf("%s: cursor %d was handed out twice", s.what, cursor)
		}
		s.seen[cursor] = true
		s.top = max(s.top, cursor)
	}
}

// reserveTurns reserves a few times with a clock that goes back a little, as a
// machine may do after a crash. It returns the first error.
func (s *issued) reserveTurns(d *memDisk, c *clock, l *gameid.Layout, turns int) error {
	for range turns {
		first, got, err := ceiling.Reserve(context.Background(), statePath, l, 7, 3, ceiling.WithDisk(d), ceiling.WithClock(c))
		s.add(first, got)
		if err != nil {
			return err
		}
		c.turn(-20*time.Millisecond, time.Millisecond)
	}
	return nil
}

// operations is how many a run of some turns takes, and which.
func operations(t *testing.T, turns int) []string {
	d := newMemDisk(t)
	if err := newIssued(t, "no fault").reserveTurns(d, newClock(), game(t), turns); err != nil {
		t.Fatal(err)
	}
	return d.ops
}

// Whichever operation of the disk fails, and however: the caller gets the reason
// and no IDs, and once the disk is well nothing is repeated.
func TestG5ReserveOnAFailingDisk(t *testing.T) {
	for n, op := range operations(t, 3) {
		for _, fault := range []error{syscall.ENOSPC, syscall.EIO, syscall.EROFS, nil} {
			s := newIssued(t, fmt.Sprintf("operation %d, %s, fails with %v", n+1, op, fault))
			d, c := newMemDisk(t), newClock()
			if d.failAt = map[int]error{n + 1: fault}; fault == nil {
				if op != "write" {
					continue
				}
				d.failAt[n+1], d.short, fault = errors.New("too short"), true, io.ErrShortWrite
			}
			if err := s.reserveTurns(d, c, game(t), 3); !errors.Is(err, fault) {
				t.Errorf("%s: %v, want the reason", s.what, err)
			}
			d.restart()
			if err := s.reserveTurns(d, c, game(t), 3); err != nil {
				t.Errorf("%s: afterwards: %v", s.what, err)
			}
			if len(d.seen) != 1 {
				t.Errorf("%s: a temporary file is left beside the ceiling", s.what)
			}
		}
	}
}

// A generator goes on to the end of what was made durable when an operation of
// its ceiling fails, and not one ID further. It says why, asks the disk no more,
// and the next start is above all that it issued.
func TestG5GeneratorStopsAtItsReserve(t *testing.T) {
	for _, op := range []string{"read", "create", "write", "sync", "close", "rename", "syncdir"} {
		for _, fault := range []error{syscall.ENOSPC, syscall.EIO} {
			synctest.Test(t, func(t *testing.T) {
				s := newIssued(t, fmt.Sprintf("%s fails with %v", op, fault))
				d, c, l := newMemDisk(t), newClock(), newLayout(t, 10*time.Millisecond, 40, 4)
				f, g := openGenerator(t, statePath, l, c, ceiling.WithDisk(d))
				durable := f.Limit()
				d.failOn = func(o string) error {
					if o == op {
						return fault
					}
					return nil
				}
				var err error
				for turn := 0; err == nil && turn < 1000; turn++ {
					c.turn(5*time.Millisecond, 5*time.Millisecond)
					dst := make([]gameid.ID, 16)
					var n int
					n, err = g.Fill(dst)
					for _, id := range dst[:n] {
						cursor, _, _ := l.Cursor(id)
						s.add(cursor, 1)
					}
					synctest.Wait() // for the ceiling's goroutine
					if errors.Is(err, gameid.ErrAhead) {
						err = nil
					}
				}
				if !errors.Is(err, gameid.ErrCeiling) || !errors.Is(err, fault) {
					t.Errorf("%s: Fill at the end = %v, want ErrCeiling and the reason", s.what, err)
				}
				if s.top != durable-1 {
					t.Errorf("%s: the last cursor is %d, want %d, the last durable one", s.what, s.top, durable-1)
				}
				d.restart()
				c.turn(time.Hour, time.Hour)
				if id, err := g.TryNext(); !errors.Is(err, gameid.ErrCeiling) || !errors.Is(err, fault) {
					t.Errorf("%s: TryNext once the disk is well = %v, %v, want the same error", s.what, id, err)
				}
				if _, err := g.Next(context.Background()); !errors.Is(err, fault) {
					t.Errorf("%s: Next once the disk is well: %v, want the same error", s.what, err)
				}
				if err := errors.Join(g.Close(), f.Close()); err != nil {
					t.Errorf("%s: Close: %v", s.what, err)
				}
				if writes := d.count("write"); writes != 0 {
					t.Errorf("%s: %d writes after the failure, want none", s.what, writes)
				}
				c.turn(-time.Hour, 0)
				if err := s.reserveTurns(d, c, l, 1); err != nil {
					t.Errorf("%s: the next start: %v", s.what, err)
				}
			})
		}
	}
}

// A write, a sync, a rename, a sync of the folder: in this order, and all of them
// before the first cursor is returned.
func TestG26OrderOfTheWrite(t *testing.T) {
	want := []string{"lock", "read", "list", "create", "write", "sync", "close", "rename", "syncdir", "unlock"}
	if got := operations(t, 1); !slices.Equal(got, want) {
		t.Errorf("a reservation did %v, want %v", got, want)
	}
}

// A process that is killed before any operation of the disk, at which a write may
// have been done by half, has handed out nothing that the next one repeats.
func TestG25KilledAtEveryOperation(t *testing.T) {
	for n, op := range operations(t, 3) {
		s := newIssued(t, fmt.Sprintf("killed at operation %d, %s", n+1, op))
		d, c := newMemDisk(t), newClock()
		d.deadAt = n + 1
		if err := s.reserveTurns(d, c, game(t), 3); !errors.Is(err, errDead) {
			t.Errorf("%s: %v, want to be dead", s.what, err)
		}
		d.restart()
		if err := s.reserveTurns(d, c, game(t), 3); err != nil {
			t.Errorf("%s: the next process: %v", s.what, err)
		}
	}
}

// The same when the power fails: whatever was not synced may be there, or not, or
// by half.
func TestG26PowerLostAtEveryOperation(t *testing.T) {
	cuts := map[string]func(durable, text []byte) []byte{
		"all of it":  func(_, text []byte) []byte { return text },
		"none of it": func(durable, _ []byte) []byte { return durable },
		"half of it": func(durable, text []byte) []byte {
			return slices.Concat(durable, text[len(durable):(len(durable)+len(text))/2])
		},
	}
	for n, op := range operations(t, 3) {
		for what, cut := range cuts {
			for _, keepNames := range []bool{false, true} {
				s := newIssued(t, fmt.Sprintf("power lost at operation %d, %s, unsynced names kept: %v, unsynced content: %s", n+1, op, keepNames, what))
				d, c := newMemDisk(t), newClock()
				d.deadAt = n + 1
				_ = s.reserveTurns(d, c, game(t), 3)
				d.powerLoss(keepNames, cut)
				if err := s.reserveTurns(d, c, game(t), 3); err != nil {
					t.Errorf("%s: the next process: %v", s.what, err)
				}
			}
		}
	}
}

// A generator is killed, or loses its power, at every operation of a ceiling that
// rises four times, with a clock that is set back a second meanwhile.
func TestG25GeneratorKilledAtEveryOperation(t *testing.T) {
	for n := 1; ; n++ {
		reached := true
		for _, power := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				s := newIssued(t, fmt.Sprintf("operation %d, power lost: %v", n, power))
				d, c, l := newMemDisk(t), newClock(), newLayout(t, 10*time.Millisecond, 40, 4)
				d.deadAt = n
				options := []ceiling.Option{ceiling.WithDisk(d), ceiling.WithClock(c)}
				if f, err := ceiling.Open(context.Background(), statePath, l, 7, options...); err == nil {
					s.run(f, c, l, 5*time.Second)
					reached = len(d.ops) >= n
					_ = f.Close() // ends the goroutine; the disk hears nothing of it
				}
				if power {
					d.powerLoss(false, func(durable, _ []byte) []byte { return durable })
				} else {
					d.restart()
				}
				c.turn(-time.Second, 0)
				f, err := ceiling.Open(context.Background(), statePath, l, 7, options...)
				if err != nil {
					t.Fatalf("%s: the next start: %v", s.what, err)
				}
				s.run(f, c, l, time.Second)
				_ = f.Close()
			})
		}
		if !reached {
			if n < 30 {
				t.Errorf("only %d operations were done, want some 40", n)
			}
			return
		}
	}
}

// run issues IDs below f for some time of the clock and leaves the generator as a
// crash does.
func (s *issued) run(f *ceiling.File, c *clock, l *gameid.Layout, d time.Duration) {
	s.t.Helper()
	g, err := gameid.NewGenerator(l, 7, gameid.WithCeiling(f), gameid.WithClock(c))
	if err != nil {
		s.t.Fatalf("%s: NewGenerator: %v", s.what, err)
	}
	for end := c.Running() + d; c.Running() < end; c.turn(5*time.Millisecond, 5*time.Millisecond) {
		id, err := g.TryNext()
		if err == nil {
			cursor, _, _ := l.Cursor(id)
			s.add(cursor, 1)
		}
		synctest.Wait()
		if errors.Is(err, gameid.ErrCeiling) && f.Err() != nil {
			return
		}
	}
}

func FuzzDecode(f *testing.F) {
	d := newMemDisk(f)
	if _, _, err := ceiling.Reserve(context.Background(), statePath, game(f), 7, 1, ceiling.WithDisk(d)); err != nil {
		f.Fatal(err)
	}
	f.Add(d.text(statePath))
	f.Add([]byte("gameid-ceiling 3\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		next, again, err := ceiling.Decoded(text)
		if err == nil && string(again) != string(text) {
			t.Errorf("%q was read as ceiling %d of %q", text, next, again)
		}
	})
}
