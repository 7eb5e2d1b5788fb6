package ceiling_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
)

// TestG3RemovedWhileInUse removes the file of a generator that dies and of one that issues in blocks: what follows is above all that they reserved.
func TestG3RemovedWhileInUse(t *testing.T) {
	dir, l := t.TempDir(), game(t)
	lost := 0
	for _, next := range []string{"reserve", "open"} {
		path, c := filepath.Join(dir, next), newClock()
		notice := ceiling.WithLost(func(string) { lost++ })
		if _, _, err := ceiling.Reserve(t.Context(), path, l, 7, 1, ceiling.WithClock(c), ceiling.WithRequired()); !errors.Is(err, ceiling.ErrMissing) {
			t.Fatalf("no file: got %v, want %v", err, ceiling.ErrMissing)
		}
		before := c.Running()
		first, got, err := ceiling.Reserve(t.Context(), path, l, 7, 1<<40, ceiling.WithClock(c), notice)
		if err != nil || c.Running() != before || lost != 0 {
			t.Fatalf("a first file, after a start that was refused: got %v, waited %v, lost %d times; want no wait", err, c.Running()-before, lost)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		var after uint64
		if next == "reserve" {
			after, _, err = ceiling.Reserve(t.Context(), path, l, 7, 1, ceiling.WithClock(c), notice)
		} else {
			var f *ceiling.File
			if f, err = ceiling.Open(t.Context(), path, l, 7, ceiling.WithClock(c), notice); err == nil {
				after, err = f.Attach(l, 7)
				err = errors.Join(err, f.Close())
			}
		}
		if err != nil || after < first+got || lost != 1 {
			t.Errorf("%s: got cursor %d after a block up to %d, lost %d times, %v; want one above it, lost once", next, after, first+got, lost, err)
		}
		lost = 0
	}
}

// TestG3RemovedUnderAGenerator kills a generator whose file was removed, so that what it reserved is known to nobody.
func TestG3RemovedUnderAGenerator(t *testing.T) {
	disk, l, c := newMemDisk(t), game(t), newClock()
	killed, g := openGenerator(t, "c", l, c, ceiling.WithDisk(disk))
	defer func() { _ = killed.Close() }()
	last, err := g.Next(context.Background())
	for err == nil { // all that the clock and the run-ahead allow
		ids := make([]gameid.ID, 1<<20)
		var n int
		if n, err = g.Fill(ids); n > 0 {
			last = ids[n-1]
		}
	}
	disk.restart()
	if err := disk.Remove("c"); err != nil {
		t.Fatal(err)
	}
	f, g := openGenerator(t, "c", l, c, ceiling.WithDisk(disk))
	defer func() { _ = f.Close() }()
	if id, err := g.Next(context.Background()); err != nil || id.Compare(last) <= 0 {
		t.Errorf("after the loss: got %s, %v; want one above %s", id, err, last)
	}
}

// TestG5FalseRelease has a caller say that less was issued than can be: the ceiling stays where it is.
func TestG5FalseRelease(t *testing.T) {
	path, l, c := filepath.Join(t.TempDir(), "c"), game(t), newClock()
	f, g := openGenerator(t, path, l, c)
	id, err := g.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Release(0); !errors.Is(err, gameid.ErrRange) {
		t.Errorf("Release(0): got %v, want %v", err, gameid.ErrRange)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	cursor, _, err := l.Cursor(id)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := ceiling.Read(path); err != nil || s.Next <= cursor {
		t.Errorf("got ceiling %d, %v; want one above %d", s.Next, err, cursor)
	}
}

// TestCloseOfTheGenerator gives the ceiling back, so that the next start in the same process finds it.
func TestCloseOfTheGenerator(t *testing.T) {
	path, l, c := filepath.Join(t.TempDir(), "c"), game(t), newClock()
	before := c.Running()
	for range 3 {
		_, g := openGenerator(t, path, l, c)
		if _, err := g.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if waited := c.Running() - before; waited != 0 {
		t.Errorf("three starts one after another waited %v, want none", waited)
	}
}
