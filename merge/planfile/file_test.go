package planfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gameid/gameid/merge/planfile"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// names lists a folder, so that a test sees what was left behind.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestWriteNewRefusesWhatExists(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "plan.yaml")
	if err := planfile.WriteNew(path, []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := planfile.WriteNew(path, []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("second write: got %v, want fs.ErrExist", err)
	}
	dangling := filepath.Join(dir, "zlink")
	if err := os.Symlink(filepath.Join(dir, "nowhere"), dangling); err != nil {
		t.Fatal(err)
	}
	if err := planfile.WriteNew(dangling, []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("write through a dangling link: got %v, want fs.ErrExist", err)
	}
	if got := read(t, path); got != "one" {
		t.Errorf("the file holds %q, want the first text", got)
	}
	if diff := cmp.Diff([]string{"plan.yaml", "zlink"}, names(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode())
	}
	if err := planfile.WriteNew(filepath.Join(dir, "no", "plan.yaml"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such folder: got %v, want fs.ErrNotExist", err)
	}
}

func TestWriteNewHasOneWinner(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "plan.yaml")
	var won atomic.Int32
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			switch err := planfile.WriteNew(path, []byte{byte('a' + i)}); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	group.Wait()
	if won.Load() != 1 || len(read(t, path)) != 1 || len(names(t, dir)) != 1 {
		t.Errorf("%d winners, text %q, folder %v; want one of each", won.Load(), read(t, path), names(t, dir))
	}
}

func TestReplaceKeepsTheFormerText(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "plan.yaml")
	if _, err := planfile.Replace(path, []byte("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing to replace: got %v, want fs.ErrNotExist", err)
	}
	if err := os.WriteFile(path, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "zlink")
	if err := os.Symlink("plan.yaml", link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".bak", []byte("somebody's"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ path, text, former, kept string }{
		{path, "two", "one", path + ".bak.1"},
		{path, "one", "two", path + ".bak.2"},
		{path, "three", "one", path + ".bak.1"}, // it keeps that text already
		{link, "four", "three", path + ".bak.3"},
	} {
		kept, err := planfile.Replace(step.path, []byte(step.text))
		if err != nil || kept != step.kept {
			t.Fatalf("the former text is kept in %s (%v), want %s", kept, err, step.kept)
		}
		if got, former := read(t, path), read(t, kept); got != step.text || former != step.former {
			t.Errorf("got %q and before it %q, want %q and %q", got, former, step.text, step.former)
		}
	}
	if got := read(t, path+".bak"); got != "somebody's" {
		t.Errorf("what stood there holds %q now", got)
	}
	for _, p := range []string{path, path + ".bak.1"} {
		info, err := os.Lstat(p)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != 0o640 {
			t.Errorf("%s has mode %v, want 0640", p, info.Mode())
		}
	}
	if diff := cmp.Diff([]string{"plan.yaml", "plan.yaml.bak", "plan.yaml.bak.1", "plan.yaml.bak.2", "plan.yaml.bak.3", "zlink"}, names(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
}
