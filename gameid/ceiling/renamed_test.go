package ceiling_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
)

// TestG10RenamedFile renames the file of a generator that runs: whoever starts on the new name is refused, with the lock renamed too meets that lock, and
// without it has to say that nobody runs.
func TestG10RenamedFile(t *testing.T) {
	dir, l, c := t.TempDir(), game(t), newClock()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	f, g := openGenerator(t, a, l, c)
	defer func() { _ = f.Close() }()
	if _, err := g.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	move(t, a, b)
	refused := func(what string, want func(error) bool) {
		t.Helper()
		if _, err := ceiling.Open(t.Context(), b, l, 7, ceiling.WithClock(c)); !want(err) {
			t.Errorf("%s: Open: got %v", what, err)
		}
		if _, _, err := ceiling.Reserve(t.Context(), b, l, 7, 1, ceiling.WithClock(c), ceiling.WithLockWait(0)); !want(err) {
			t.Errorf("%s: Reserve: got %v", what, err)
		}
	}
	copied := func(err error) bool { return errors.As(err, new(*ceiling.CopiedError)) }
	refused("renamed alone", copied)
	if s, err := ceiling.Read(b); err != nil || s.Copied == nil {
		t.Errorf("Read of a file that was renamed alone: got %+v, %v; want why it is refused", s, err)
	}
	if got := names(t, dir); len(got) != 2 {
		t.Errorf("after starts that were refused there are %v, want the file and the lock", got)
	}
	move(t, a+".lock", b+".lock")
	refused("renamed with its lock", func(err error) bool { return errors.Is(err, ceiling.ErrTaken) })
	if _, _, err := ceiling.Reserve(t.Context(), a, l, 7, 1, ceiling.WithClock(c), ceiling.WithRequired()); !errors.Is(err, ceiling.ErrMissing) {
		t.Errorf("the old name: got %v, want %v", err, ceiling.ErrMissing)
	}
	if err := g.Close(); !errors.Is(err, ceiling.ErrLost) {
		t.Errorf("Close of a generator whose file was renamed: got %v, want %v", err, ceiling.ErrLost)
	}
	if first, _, err := ceiling.Reserve(t.Context(), b, l, 7, 1, ceiling.WithClock(c)); err != nil || first == 0 {
		t.Errorf("once the generator has ended: got %d, %v", first, err)
	}
}

// TestG10RenamedAndAdopted has somebody take the renamed file over although its generator runs: that one ends at what it reserved before.
func TestG10RenamedAndAdopted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, c, l := newMemDisk(t), newClock(), newLayout(t, 10*time.Millisecond, 40, 4)
		s := newIssued(t, "renamed")
		running, g := openGenerator(t, "a", l, c, ceiling.WithDisk(d))
		defer func() { _ = running.Close() }()
		if err := d.Rename("a", "b"); err != nil {
			t.Fatal(err)
		}
		if _, err := ceiling.Open(t.Context(), "b", l, 7, ceiling.WithClock(c), ceiling.WithDisk(d)); !errors.As(err, new(*ceiling.CopiedError)) {
			t.Fatalf("without WithAdopt: got %v, want a *CopiedError", err)
		}
		var lost error
		issue := func() {
			for range 400 {
				c.turn(5*time.Millisecond, 5*time.Millisecond)
				ids := make([]gameid.ID, 16)
				n, err := g.Fill(ids)
				for _, id := range ids[:n] {
					cursor, _, _ := l.Cursor(id)
					s.add(cursor, 1)
				}
				if errors.Is(err, gameid.ErrCeiling) && running.Err() != nil {
					lost = err
				}
				synctest.Wait()
			}
		}
		issue()
		other, err := ceiling.Open(t.Context(), "b", l, 7, ceiling.WithClock(c), ceiling.WithDisk(d), ceiling.WithAdopt())
		if err != nil {
			t.Fatal(err)
		}
		s.run(other, c, l, 3*time.Second)
		issue()
		if !errors.Is(lost, ceiling.ErrLost) || d.text("a") != nil {
			t.Errorf("the first generator ended with %v and wrote %q, want %v and nothing", lost, d.text("a"), ceiling.ErrLost)
		}
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestG3GoneBetweenTwoTurns takes the state from under a process that reserves again and again: it never goes back, and never begins anew.
func TestG3GoneBetweenTwoTurns(t *testing.T) {
	for what, spoil := range map[string]func(path string){
		"removed":               func(path string) { remove(t, path) },
		"removed with its lock": func(path string) { remove(t, path); remove(t, path+".lock") },
		"renamed":               func(path string) { move(t, path, path+"2") },
	} {
		path, l, c := filepath.Join(t.TempDir(), "c"), game(t), newClock()
		reserve(t, path, l, 1, ceiling.WithClock(c))
		created := 0
		r, err := ceiling.NewReserver(path, l, 7, ceiling.WithClock(c), ceiling.WithAdopt(), ceiling.WithCreated(func(string) { created++ }))
		if err != nil {
			t.Fatal(err)
		}
		first, got, err := r.Reserve(t.Context(), 1<<40) // a second ahead of the clock
		if err != nil {
			t.Fatal(err)
		}
		spoil(path)
		for range 2 {
			if again, _, err := r.Reserve(t.Context(), 1); !errors.Is(err, ceiling.ErrLost) || created != 0 {
				t.Errorf("%s: got cursor %d, %v, created %d; want %v", what, again, err, created, ceiling.ErrLost)
			}
		}
		if next, _, err := ceiling.Reserve(t.Context(), path, l, 7, 1, ceiling.WithClock(c)); err != nil || next < first+got {
			t.Errorf("%s: the next process got cursor %d, %v; want one from %d up", what, next, err, first+got)
		}
	}
}

// TestG6OlderFileBetweenTwoTurns brings the file of an earlier turn back, number and all, and the lock and the clock say nothing.
func TestG6OlderFileBetweenTwoTurns(t *testing.T) {
	d, l, c := newMemDisk(t), game(t), newClock()
	r, err := ceiling.NewReserver(statePath, l, 7, ceiling.WithClock(c), ceiling.WithDisk(d), ceiling.WithAdopt())
	if err != nil {
		t.Fatal(err)
	}
	for turn := range 2 {
		older := d.seen[statePath]
		if _, _, err := r.Reserve(t.Context(), 1000); err != nil {
			t.Fatal(err)
		}
		if turn == 1 {
			d.seen[statePath] = older
		}
	}
	if again, _, err := r.Reserve(t.Context(), 1); !errors.Is(err, ceiling.ErrLost) {
		t.Errorf("got cursor %d, %v; want %v", again, err, ceiling.ErrLost)
	}
}

// TestG3GoneWithItsLockUnderAGenerator has the next start wait until what the generator had reserved is past.
func TestG3GoneWithItsLockUnderAGenerator(t *testing.T) {
	path, l, c := filepath.Join(t.TempDir(), "c"), game(t), newClock()
	f, g := openGenerator(t, path, l, c)
	remove(t, path)
	remove(t, path+".lock")
	var last gameid.ID
	for {
		id, err := g.Next(context.Background())
		if err != nil {
			if !errors.Is(err, ceiling.ErrLost) {
				t.Errorf("got %v, want %v", err, ceiling.ErrLost)
			}
			break
		}
		last = id
		c.turn(10*time.Millisecond, 10*time.Millisecond)
	}
	_ = f.Close()
	cursor, _, _ := l.Cursor(last)
	if next, _ := reserve(t, path, l, 1, ceiling.WithClock(c)); next <= cursor {
		t.Errorf("the next process got cursor %d after %d", next, cursor)
	}
}

func move(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}
