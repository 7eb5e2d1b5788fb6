package room_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/gameid/gameid/merge/room"
)

// tree lists everything below a folder.
func tree(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if path != dir {
			rel, _ := filepath.Rel(dir, path)
			list = append(list, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// abandon makes what a killed process leaves: a room whose lock nobody holds.
func abandon(t *testing.T, r *room.Room, path string) {
	t.Helper()
	mark, err := os.ReadFile(filepath.Join(r.Path(), "lock"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(path, "lock"), mark)
	write(t, filepath.Join(path, "merged.db"), []byte("half"))
	write(t, filepath.Join(path, "deep", "file"), []byte("half"))
}

// TestM3OnlyRoomsAreRemoved: what gameid did not make stays, whatever it is called.
func TestM3OnlyRoomsAreRemoved(t *testing.T) {
	dir := t.TempDir()
	r, err := room.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		".gameid-1/lock", ".gameid-2/notes", ".gameid-3/lock/inside", ".gameid-4", ".gameid-5/lock", ".gameid-5/save.db", ".gameid-x/lock", "m.db.lock", "m.db.partial",
	} {
		write(t, filepath.Join(dir, name), []byte("precious"))
	}
	write(t, filepath.Join(dir, ".gameid-6", "lock"), nil) // without a mark nothing may stand beside it
	write(t, filepath.Join(dir, ".gameid-6", "save.db"), []byte("precious"))
	outside := filepath.Join(t.TempDir(), "outside")
	write(t, filepath.Join(outside, "lock"), []byte("precious"))
	for link, to := range map[string]string{".gameid-7": outside, ".gameid-8": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	want := tree(t, dir)
	abandon(t, r, filepath.Join(dir, ".gameid-a"))
	abandon(t, r, filepath.Join(dir, ".gameid-0123456789abcdef"))
	write(t, filepath.Join(dir, ".gameid-b", "lock"), nil) // killed before the mark was written
	if err := os.Mkdir(filepath.Join(dir, ".gameid-c"), 0o700); err != nil {
		t.Fatal(err)
	}
	room.RemoveAbandoned(dir)
	if got := tree(t, dir); !slices.Equal(got, want) {
		t.Errorf("there is %q, want %q", got, want)
	}
	if err := r.Remove(); err != nil {
		t.Error(err)
	}
}

// TestM46OneRoomForAFile: of two who make one file, one is told so; another file of the folder has a room of its own.
func TestM46OneRoomForAFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "m.db")
	first, err := room.Claim(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := room.Claim(filepath.Join(dir, ".", "m.db")); !errors.Is(err, room.ErrTaken) {
		t.Errorf("the same file: %v, want ErrTaken", err)
	}
	other, err := room.Claim(filepath.Join(dir, "n.db"))
	if err != nil {
		t.Fatalf("another file: %v", err)
	}
	abandoned := first.Path()
	if err := first.Remove(); err != nil {
		t.Fatal(err)
	}
	abandon(t, other, abandoned)
	second, err := room.Claim(file)
	if err != nil || second.Path() != abandoned {
		t.Fatalf("after a kill: %v, %v; want the same room again", second, err)
	}
	if _, err := os.Lstat(filepath.Join(abandoned, "merged.db")); err == nil {
		t.Error("the room is not empty")
	}
	if err := errors.Join(second.Remove(), second.Remove(), other.Remove()); err != nil {
		t.Error(err)
	}
	if left := tree(t, dir); len(left) > 0 {
		t.Errorf("%q is left", left)
	}
	write(t, abandoned, []byte("precious"))
	if _, err := room.Claim(file); !errors.Is(err, room.ErrInTheWay) {
		t.Errorf("a file of the room's name: %v, want ErrInTheWay", err)
	}
}

// TestRemovedWhileOthersTidyUp removes rooms while others look for abandoned ones in the same folder, who may step into one whose lock is gone already.
func TestRemovedWhileOthersTidyUp(t *testing.T) {
	dir := t.TempDir()
	done := make(chan struct{})
	var tidy sync.WaitGroup
	for range 4 {
		tidy.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					room.RemoveAbandoned(dir)
				}
			}
		})
	}
	var rooms sync.WaitGroup
	for range 8 {
		rooms.Go(func() {
			for range 20 {
				r, err := room.New(dir)
				if err != nil {
					t.Error(err)
					return
				}
				if err := r.Remove(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	rooms.Wait()
	close(done)
	tidy.Wait()
	room.RemoveAbandoned(dir)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
