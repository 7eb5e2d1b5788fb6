package ceiling_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gameid/gameid/gameid/ceiling"
)

// TestG10OneCeilingUnderManyNames reaches one file through links: whatever name it is given, it has one lock and one content.
func TestG10OneCeilingUnderManyNames(t *testing.T) {
	dir, l := t.TempDir(), game(t)
	folderOf := filepath.Join(dir, "real")
	if err := os.Mkdir(folderOf, 0o700); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(folderOf, "state")
	link, folder, dangling := filepath.Join(dir, "link"), filepath.Join(dir, "folder"), filepath.Join(dir, "dangling")
	for name, to := range map[string]string{link: state, folder: folderOf, dangling: filepath.Join(dir, "nowhere")} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	reserve := func(path string) (uint64, error) {
		first, _, err := ceiling.Reserve(t.Context(), path, l, 7, 1)
		return first, err
	}
	if _, err := reserve(dangling); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a link to nothing: got %v, want %v", err, os.ErrNotExist)
	}
	var last uint64
	for _, path := range []string{filepath.Join(folder, "state"), state, link, filepath.Join(folderOf, "..", "folder", "state"), state} {
		first, err := reserve(path)
		if err != nil || first <= last {
			t.Fatalf("%s: got cursor %d after %d, %v", path, first, last, err)
		}
		last = first
	}
	file, err := ceiling.Open(t.Context(), link, l, 7)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ceiling.Open(t.Context(), state, l, 7); !errors.Is(err, ceiling.ErrTaken) {
		t.Errorf("a second generator by another name: got %v, want %v", err, ceiling.ErrTaken)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	hard := filepath.Join(dir, "hard")
	if err := os.Link(state, hard); err != nil {
		t.Skipf("no hard links here: %v", err)
	}
	for _, path := range []string{hard, state, link} {
		var names *ceiling.NamesError
		if _, err := reserve(path); !errors.As(err, &names) || names.Names != 2 {
			t.Errorf("%s: got %v, want a *NamesError of 2", path, err)
		}
	}
	if err := os.Remove(hard); err != nil {
		t.Fatal(err)
	}
	if first, err := reserve(link); err != nil || first <= last {
		t.Errorf("after the hard link: got cursor %d after %d, %v", first, last, err)
	}
}

// TestRightsAreKept has the file written again with the mode that its owner gave it.
func TestRightsAreKept(t *testing.T) {
	path, l := filepath.Join(t.TempDir(), "state"), game(t)
	reserve := func() os.FileInfo {
		t.Helper()
		if _, _, err := ceiling.Reserve(t.Context(), path, l, 7, 1); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	if got := reserve().Mode().Perm(); got != 0o600 {
		t.Errorf("a new file: got mode %o, want 600", got)
	}
	if err := os.Chmod(path, 0o660); err != nil {
		t.Fatal(err)
	}
	if got := reserve().Mode().Perm(); got != 0o660 {
		t.Errorf("after chmod 660: got mode %o", got)
	}
	const stranger = 54321
	if os.Chown(path, stranger, stranger) != nil {
		return // only root gives files away
	}
	if got := ownerOf(reserve()); got != stranger {
		t.Errorf("written as root: got owner %d, want %d", got, stranger)
	}
}
