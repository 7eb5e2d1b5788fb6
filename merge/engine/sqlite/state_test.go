package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// TestM4ReplacedWhileItIsRead: whoever renames or copies another file over a source that is read in place is noticed, at the latest at the end. A private copy
// cannot be reached.
func TestM4ReplacedWhileItIsRead(t *testing.T) {
	const rows = "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)"
	give := func(name, to string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			other := filepath.Join(t.TempDir(), name)
			write(t, other, rows+"; UPDATE t SET a = 3 WHERE a = 2")
			text, err := os.ReadFile(other)
			if err == nil && to == "" {
				err = os.Rename(other, path)
			} else if err == nil {
				err = os.WriteFile(path, text, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, tt := range map[string]struct {
		before string
		work   func(t *testing.T, path string)
		want   error
	}{
		"renamed over":          {rows, give("other.db", ""), sqlite.ErrChanged},
		"copied over":           {rows, give("other.db", "in place"), sqlite.ErrChanged},
		"removed":               {rows, func(_ *testing.T, path string) { _ = os.Remove(path) }, sqlite.ErrChanged},
		"left alone":            {rows, func(*testing.T, string) {}, nil},
		"read from a copy":      {"PRAGMA journal_mode = WAL; " + rows, give("other.db", ""), nil},
		"a writer that waits":   {rows, func(t *testing.T, path string) { _ = outside(t, path) }, nil},
		"its folder is renamed": {rows, func(_ *testing.T, path string) { _ = os.Rename(filepath.Dir(path), filepath.Dir(path)+"2") }, sqlite.ErrChanged},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "game", "a.db")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, path, tt.before)
			engine := sqlite.New()
			s, err := engine.Open(context.Background(), merge.Source{Name: "s1", Source: path}, merge.OpenOptions{WorkDir: t.TempDir(), Check: true})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			if err := s.Unchanged(); err != nil {
				t.Fatalf("before: %v", err)
			}
			tt.work(t, path)
			if err := s.Unchanged(); !errors.Is(err, tt.want) {
				t.Errorf("Unchanged = %v, want %v", err, tt.want)
			}
			if _, _, err := engine.Sound(context.Background(), s); !errors.Is(err, tt.want) { // on a connection of its own
				t.Errorf("Sound = %v, want %v", err, tt.want)
			}
			if err := s.Close(); err != nil || s.Unchanged() != nil {
				t.Errorf("Close = %v, and then Unchanged = %v, want none", err, s.Unchanged())
			}
		})
	}
}
