package sqlite_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// naming ends a journal as SQLite does that of a transaction over several databases: with the lock's page, the name of the super-journal, its length, a sum, here too high by
// wrong, and the magic.
func naming(super string, wrong uint32) func(b []byte) []byte {
	return func(b []byte) []byte {
		sum := wrong
		for _, c := range []byte(super) {
			sum += uint32(int32(int8(c)))
		}
		end := append([]byte{0, 0x40, 0, 0}, super...)
		end = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(end, uint32(len(super))), sum)
		return append(append(b, end...), b[:8]...)
	}
}

// TestM5Journals: a journal is played back wholly or its database is refused.
func TestM5Journals(t *testing.T) {
	const sector, record = 512, 4096 + 8
	super, empty := filepath.Join(t.TempDir(), "live.db-mj0A1B2C3D9"), filepath.Join(t.TempDir(), "live.db-mj1")
	if err := errors.Join(os.WriteFile(super, []byte("/gone/live.db-journal\x00/gone/log.db-journal\x00"), 0o600), os.WriteFile(empty, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name        string
		synchronous string
		change      func(b []byte) []byte
		want        error
	}{
		{"whole", "FULL", func(b []byte) []byte { return b }, nil},
		{"whole, not synced", "OFF", func(b []byte) []byte { return b }, nil},
		{"cut", "FULL", func(b []byte) []byte { return b[:len(b)/2] }, sqlite.ErrJournal},
		{"one more record begun, not synced", "OFF", func(b []byte) []byte { return append(b, b[sector:sector+100]...) }, nil},
		{"records of an older one behind it", "FULL", func(b []byte) []byte { return append(b, b[sector:]...) }, nil},
		{"a broken magic", "FULL", func(b []byte) []byte { b[2] ^= 1; return b }, sqlite.ErrJournal},
		{"a broken page size", "FULL", func(b []byte) []byte { b[26] ^= 1; return b }, sqlite.ErrJournal},
		{"zeros in the middle", "FULL", func(b []byte) []byte { clear(b[sector+record : sector+2*record]); return b }, sqlite.ErrJournal},
		{"zeros in the middle, not synced", "OFF", func(b []byte) []byte { clear(b[sector+record : sector+2*record]); return b }, sqlite.ErrJournal},
		{"a changed checksum", "FULL", func(b []byte) []byte { b[sector+record-1] ^= 1; return b }, sqlite.ErrJournal},
		{"a super-journal", "FULL", naming(super, 0), nil},
		{"a super-journal, not synced", "OFF", naming(super, 0), nil},
		{"a super-journal that is not there", "FULL", naming(super+"2", 0), sqlite.ErrSuper},
		{"a super-journal that is not there, not synced", "OFF", naming(super+"2", 0), sqlite.ErrSuper},
		{"a super-journal of another language that is not there", "FULL", naming(super+"-Gäste", 0), sqlite.ErrSuper},
		{"an empty super-journal", "FULL", naming(empty, 0), sqlite.ErrSuper},
		{"a broken name of a super-journal", "FULL", naming(super+"2", 1), nil},
		{"a broken record, and a super-journal", "FULL", func(b []byte) []byte { b[sector+record-1] ^= 1; return naming(super, 0)(b) }, sqlite.ErrJournal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(unfinished(t, "DELETE", tt.synchronous), "live.db")
			journal, err := os.ReadFile(path + "-journal")
			if err == nil {
				err = os.WriteFile(path+"-journal", tt.change(bytes.Clone(journal)), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			s, err := sqlite.New().Open(context.Background(), merge.Source{Name: "s1", Source: path}, merge.OpenOptions{WorkDir: t.TempDir(), Check: true})
			if tt.want != nil {
				var source *sqlite.SourceError
				if !errors.Is(err, tt.want) || !errors.As(err, &source) || source.Next == "" {
					t.Fatalf("Open = %v, want a *SourceError with %v and a next step", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			n, err := s.Count(context.Background(), "t", "b = 'before'")
			if err != nil || n != 2000 {
				t.Errorf("%d rows are as before the transaction (%v), want 2000", n, err)
			}
			if _, err := os.Stat(super); err != nil {
				t.Errorf("the super-journal is gone: %v", err)
			}
		})
	}
}

// TestM5BesideALink: what stands beside a link, or is no file, is never passed over.
func TestM5BesideALink(t *testing.T) {
	for name, tt := range map[string]struct {
		make func(t *testing.T, path string) string
		want error
	}{
		"a log beside a symbolic link": {func(t *testing.T, path string) string {
			link := filepath.Join(t.TempDir(), "link.db")
			for _, err := range []error{os.Symlink(path, link), os.WriteFile(link+"-wal", []byte("a log"), 0o600)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			return link
		}, sqlite.ErrNames},
		"two names and no journal": {func(t *testing.T, path string) string {
			if err := os.Link(path, filepath.Join(t.TempDir(), "other.db")); err != nil {
				t.Skip("no hard links here")
			}
			return path
		}, sqlite.ErrNames},
		"a link to nothing beside a symbolic link": {func(t *testing.T, path string) string {
			link := filepath.Join(t.TempDir(), "link.db")
			for _, err := range []error{os.Symlink(path, link), os.Symlink("nowhere", link+"-wal")} {
				if err != nil {
					t.Fatal(err)
				}
			}
			return link
		}, sqlite.ErrUnreached},
		"a link to nothing as a log": {func(t *testing.T, path string) string {
			if err := os.Symlink("nowhere", path+"-wal"); err != nil {
				t.Fatal(err)
			}
			return path
		}, sqlite.ErrUnreached},
		"a pipe as a log": {func(t *testing.T, path string) string {
			if err := unix.Mkfifo(path+"-wal", 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}, sqlite.ErrNotFile},
		"a pipe as a journal": {func(t *testing.T, path string) string {
			if err := unix.Mkfifo(path+"-journal", 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}, sqlite.ErrNotFile},
	} {
		t.Run(name, func(t *testing.T) {
			path := database(t, "game.db", "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
			path = tt.make(t, path)
			_, err := sqlite.New().Open(context.Background(), merge.Source{Name: "s1", Source: path}, merge.OpenOptions{WorkDir: t.TempDir()})
			var source *sqlite.SourceError
			if !errors.Is(err, tt.want) || !errors.As(err, &source) || source.Next == "" {
				t.Fatalf("Open = %v, want a *SourceError with %v and a next step", err, tt.want)
			}
		})
	}
}
