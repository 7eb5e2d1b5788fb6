package ceiling_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
)

// Which changes of a machine are a restart, and which may be a second machine.
func TestG9OriginOfTheFile(t *testing.T) {
	l, c := game(t), newClock()
	for _, test := range []struct {
		what          string
		machine, boot string // at the next start; the first was on m1, b1
		copied        bool   // as another file
		refused       bool
	}{
		{"nothing changed", "m1", "b1", false, false},
		{"restarted machine", "m1", "b2", false, false},
		{"another container of this machine", "m2", "b1", false, false},
		{"a system that tells nothing", "-", "-", false, false},
		{"a container without a machine on another host", "-", "b2", false, false},
		{"another machine", "m2", "b2", false, true},
		{"a copy on this machine", "m1", "b1", true, true},
		{"a copy on another machine", "m2", "b2", true, true},
		{"a copy where nothing is told", "-", "-", true, true},
	} {
		d := newMemDisk(t)
		options := []ceiling.Option{ceiling.WithDisk(d), ceiling.WithClock(c)}
		first, _ := reserve(t, statePath, l, 1, append(options, ceiling.WithMachine("m1", "b1"))...)
		if test.copied {
			n := *d.seen[statePath]
			n.inode = "4711"
			d.seen[statePath] = &n
		}
		options = append(options, ceiling.WithMachine(test.machine, test.boot))
		before := string(d.text(statePath))
		var copied *ceiling.CopiedError
		_, _, err := ceiling.Reserve(context.Background(), statePath, l, 7, 1, options...)
		if got := errors.As(err, &copied); got != test.refused || (err == nil) == test.refused {
			t.Errorf("%s: Reserve: %v, want refused: %v", test.what, err, test.refused)
		}
		if !test.refused {
			continue
		}
		if _, err := ceiling.Open(context.Background(), statePath, l, 7, options...); !errors.As(err, &copied) {
			t.Errorf("%s: Open: %v, want a *CopiedError", test.what, err)
		}
		if string(d.text(statePath)) != before {
			t.Errorf("%s: the refused file was changed", test.what)
		}
		if s, err := ceiling.Read(statePath, options...); err != nil || s.Copied == nil || s.Next != first+1 {
			t.Errorf("%s: Read = %+v, %v, want the ceiling and why it is a copy", test.what, s, err)
		}
		// Taken over once, it belongs here.
		second, _ := reserve(t, statePath, l, 1, append(options, ceiling.WithAdopt())...)
		third, _ := reserve(t, statePath, l, 1, options...)
		if second <= first || third <= second {
			t.Errorf("%s: taken over, the cursors are %d, %d, %d, want them to rise", test.what, first, second, third)
		}
	}
}

// A ceiling that was restored from a backup is noticed. Taken over, what follows
// is above the clock as well, so above all that was issued while the clock was right.
func TestG6RestoredFromABackup(t *testing.T) {
	dir, l, c := t.TempDir(), game(t), newClock()
	path, backup := filepath.Join(dir, "c"), filepath.Join(dir, "backup")
	reserve(t, path, l, 1, ceiling.WithClock(c))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(backup, text, 0o600); err != nil {
		t.Fatal(err)
	}
	c.turn(time.Hour, time.Hour)
	last, _ := reserve(t, path, l, 1, ceiling.WithClock(c))
	if err := os.Rename(backup, path); err != nil {
		t.Fatal(err)
	}
	var copied *ceiling.CopiedError
	if _, _, err := ceiling.Reserve(context.Background(), path, l, 7, 1, ceiling.WithClock(c)); !errors.As(err, &copied) {
		t.Errorf("Reserve from a restored file: %v, want a *CopiedError", err)
	}
	c.turn(time.Second, time.Second)
	if next, _ := reserve(t, path, l, 1, ceiling.WithClock(c), ceiling.WithAdopt()); next <= last {
		t.Errorf("a restored file that was taken over gives %d after %d", next, last)
	}
}

// A generator ends at its reserve when its file, its lock or its process is no
// longer its own.
func TestG9GeneratorNotices(t *testing.T) {
	for what, want := range map[string]error{
		"forked": gameid.ErrForked, "moved": errors.New("a *CopiedError"), "overwritten": ceiling.ErrTaken, "removed": ceiling.ErrLost,
	} {
		synctest.Test(t, func(t *testing.T) {
			d, c, l := newMemDisk(t), newClock(), game(t)
			pid, boot := 1, "b1"
			f, g := openGenerator(t, statePath, l, c, ceiling.WithDisk(d), ceiling.WithPID(func() int { return pid }),
				ceiling.WithMovingMachine(func() (string, string) { return "m1", boot }))
			limit := f.Limit()
			switch what {
			case "forked":
				pid = 2
			case "moved":
				boot = "b2"
			case "overwritten": // by somebody for whom the lock did not hold
				other := newMemDisk(t)
				reserve(t, statePath, l, 1, ceiling.WithDisk(other), ceiling.WithClock(c))
				d.seen[statePath] = other.seen[statePath]
			case "removed":
				delete(d.seen, statePath)
			}
			var err error
			for range 1000 {
				c.turn(10*time.Millisecond, 10*time.Millisecond)
				var id gameid.ID
				if id, err = g.TryNext(); err != nil {
					break
				}
				synctest.Wait()
				if cursor, _, _ := l.Cursor(id); cursor >= limit {
					t.Fatalf("%s: cursor %d was issued, the reserve ends at %d", what, cursor, limit)
				}
			}
			var copied *ceiling.CopiedError
			switch {
			case what == "moved":
				if !errors.As(err, &copied) {
					t.Errorf("%s: TryNext after the reserve: %v, want a *CopiedError", what, err)
				}
			case !errors.Is(err, want):
				t.Errorf("%s: TryNext after the reserve: %v, want %v", what, err, want)
			}
			before := string(d.text(statePath))
			_ = g.Close()
			if _ = f.Close(); string(d.text(statePath)) != before {
				t.Errorf("%s: Close wrote to a file that is no longer its own", what)
			}
		})
	}
}

// The lock of a ceiling that was removed under its generator protects nothing, so
// the generator does not go on, even when the other process wrote nothing yet.
func TestG10LockRemoved(t *testing.T) {
	path, l, c := filepath.Join(t.TempDir(), "c"), game(t), newClock()
	f, g := openGenerator(t, path, l, c)
	defer f.Close()
	if err := os.Remove(path + ".lock"); err != nil {
		t.Fatal(err)
	}
	var err error
	for turn := 0; err == nil && turn < 1000; turn++ {
		c.turn(10*time.Millisecond, 10*time.Millisecond)
		_, err = g.Next(context.Background())
	}
	if !errors.Is(err, gameid.ErrCeiling) || !errors.Is(err, ceiling.ErrTaken) {
		t.Errorf("Next after the lock was removed: %v, want ErrCeiling and ErrTaken", err)
	}
}

// A program that the process starts does not inherit the lock.
func TestG11LockIsNotInherited(t *testing.T) {
	path, l := filepath.Join(t.TempDir(), "c"), game(t)
	f, err := ceiling.Open(context.Background(), path, l, 7)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = child.Process.Kill()
		_ = child.Wait()
	}()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = ceiling.Open(context.Background(), path, l, 7); err != nil {
		t.Fatalf("Open while a child of the last owner lives: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
