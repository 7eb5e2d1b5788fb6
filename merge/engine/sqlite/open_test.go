package sqlite_test

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/room"
)

// TestWriteFromOutside is run by TestSnapshotKeepsWritersOut in a process of its own.
func TestWriteFromOutside(t *testing.T) {
	path := os.Getenv("GAMEID_TEST_WRITE")
	if path == "" {
		t.Skip("only as a child process")
	}
	write(t, path, "INSERT INTO t VALUES (99)")
}

// outside tries to write from another process.
func outside(t *testing.T, path string) error {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestWriteFromOutside$")
	cmd.Env = append(os.Environ(), "GAMEID_TEST_WRITE="+path+"?_busy_timeout=100")
	return cmd.Run()
}

func TestSnapshotKeepsWritersOut(t *testing.T) {
	plain := database(t, "plain.db", "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
	e, ctx := sqlite.New(), context.Background()
	one := opened(t, e, "s1", plain)
	two, err := e.Open(ctx, merge.Source{Name: "s2", Source: "sqlite:" + plain}, merge.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if same, err := e.SameContent(one, two); err != nil || !same {
		t.Errorf("SameContent of one file = %v, %v; want true", same, err)
	}
	if err := two.Close(); err != nil { // closing a descriptor of the file would drop the locks of the first shard
		t.Fatal(err)
	}
	if err := outside(t, plain); err == nil {
		t.Error("another process wrote to a database that is being read in place")
	}
	if n, err := one.Rows(ctx, "t"); err != nil || n != 1 {
		t.Errorf("%d rows, %v; want 1", n, err)
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	if err := outside(t, plain); err != nil {
		t.Errorf("a write after Close: %v", err)
	}
}

func TestOddPaths(t *testing.T) {
	from := database(t, "x.db", "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a b?mode=rwc#%41'é.db")
	if err := os.WriteFile(path, b, 0o400); err != nil {
		t.Fatal(err)
	}
	if n, err := fromFile(t, path).Rows(context.Background(), "t"); err != nil || n != 1 {
		t.Errorf("%d rows, %v; want 1", n, err)
	}
}

// listing is what stands in a folder.
func listing(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(b)
	}
	return all
}

// unfinished leaves a folder with a database and its log, or its hot journal, as a killed server does that syncs as SQLite's synchronous says.
func unfinished(t *testing.T, mode, synchronous string) string {
	t.Helper()
	path := database(t, "live.db", "PRAGMA journal_mode = "+mode+"; CREATE TABLE t(a, b); WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 2000) INSERT INTO t SELECT x, 'before' FROM c")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	script := "PRAGMA wal_autocheckpoint = 0; UPDATE t SET b = 'logged'"
	if mode == "DELETE" {
		script = "PRAGMA cache_size = 5; PRAGMA synchronous = " + synchronous + "; BEGIN; UPDATE t SET b = 'half done and much longer than before'"
	}
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, content := range listing(t, filepath.Dir(path)) {
		if filepath.Ext(name) != ".db-shm" {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return folder
}

func TestM5PrivateCopies(t *testing.T) {
	for _, c := range []struct {
		mode, want string
		linked     bool // the path is a symbolic link: the log stands beside the file that it leads to
	}{{"WAL", "b = 'logged'", false}, {"DELETE", "b = 'before'", false}, {"WAL", "b = 'logged'", true}, {"DELETE", "b = 'before'", true}} {
		mode, want := c.mode, c.want
		t.Run(fmt.Sprint(mode, " linked ", c.linked), func(t *testing.T) {
			folder, work := unfinished(t, mode, "OFF"), t.TempDir()
			path := filepath.Join(folder, "live.db")
			if c.linked {
				link := filepath.Join(t.TempDir(), "link.db")
				if err := os.Symlink(path, link); err != nil {
					t.Fatal(err)
				}
				path = link
			}
			if len(listing(t, folder)) != 2 {
				t.Fatalf("the test needs a database and a log or journal, got %d files", len(listing(t, folder)))
			}
			before := listing(t, folder)
			e, ctx := sqlite.New(), context.Background()
			s, err := e.Open(ctx, merge.Source{Name: "s1", Source: path}, merge.OpenOptions{WorkDir: work, Check: true})
			if err != nil {
				t.Fatal(err)
			}
			if n, err := s.Count(ctx, "t", want); err != nil || n != 2000 {
				t.Errorf("%d rows where %s, %v; want 2000", n, want, err)
			}
			folders, err := os.ReadDir(work)
			if err != nil || len(folders) != 1 {
				t.Fatalf("%d entries in the work folder, %v; want the private one", len(folders), err)
			}
			if info, err := folders[0].Info(); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("the private folder's mode is %v, %v; want 0700", info.Mode(), err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if after := listing(t, folder); len(after) != len(before) || after["live.db"] != before["live.db"] || after["live.db-wal"] != before["live.db-wal"] || after["live.db-journal"] != before["live.db-journal"] {
				t.Error("the source changed")
			}
			if left, _ := os.ReadDir(work); len(left) != 0 {
				t.Errorf("%d entries stay in the work folder", len(left))
			}
		})
	}
}

// TestAbandonedCopies: what a killed process left is removed by the next one, and what is in use stays.
func TestAbandonedCopies(t *testing.T) {
	work, ctx := t.TempDir(), context.Background()
	open := func() merge.Shard {
		t.Helper()
		s, err := sqlite.New().Open(ctx, merge.Source{Name: "s1", Source: filepath.Join(unfinished(t, "WAL", "OFF"), "live.db")}, merge.OpenOptions{WorkDir: work})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	count := func(want int, when string) {
		t.Helper()
		if got, err := os.ReadDir(work); err != nil || len(got) != want {
			t.Errorf("%s: %v in the work folder, %v; want %d entries", when, got, err, want)
		}
	}
	killed, err := room.New(work)
	if err != nil {
		t.Fatal(err)
	}
	mark, err := os.ReadFile(filepath.Join(killed.Path(), "lock"))
	if err = errors.Join(err, killed.Remove()); err != nil {
		t.Fatal(err)
	}
	for folder, files := range map[string][]string{".gameid-0": nil, ".gameid-1": {"lock", "db"}, ".gameid-2": {"db"}, "mine": {"lock"}} {
		if err := os.Mkdir(filepath.Join(work, folder), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if err := os.WriteFile(filepath.Join(work, folder, file), mark, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	first := open()
	count(3, "a copy beside an abandoned one")
	second := open()
	count(4, "two copies")
	if _, err := first.Rows(ctx, "t"); err != nil {
		t.Errorf("the first copy after the second: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	count(2, "both closed")
}

func TestM6Refusals(t *testing.T) {
	good, err := os.ReadFile(database(t, "good.db", "CREATE TABLE t(a PRIMARY KEY, b); WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 2000) INSERT INTO t SELECT x, 'some text' FROM c"))
	if err != nil {
		t.Fatal(err)
	}
	changed := func(f func(b []byte) []byte) []byte { return f(append([]byte(nil), good...)) }
	tests := []struct {
		name    string
		content []byte // nil makes no file
		want    error
		before  func(path string) error
	}{
		{"missing", nil, sqlite.ErrMissing, nil},
		{"lone log", nil, sqlite.ErrLoneWAL, func(p string) error { return os.WriteFile(p+"-wal", []byte("log"), 0o600) }},
		{"folder", nil, sqlite.ErrNotFile, func(p string) error { return os.Mkdir(p, 0o700) }},
		{"empty", []byte{}, sqlite.ErrEmpty, nil},
		{"text", []byte("hello"), sqlite.ErrNotDatabase, nil},
		{"noise", changed(func(b []byte) []byte { copy(b, "0123456789abcdef"); return b }), sqlite.ErrNotDatabase, nil},
		{"cut", good[:len(good)/2], sqlite.ErrTruncated, nil},
		{"cut inside the header", good[:60], sqlite.ErrNotDatabase, nil},
		{"newer", changed(func(b []byte) []byte { b[19] = 9; return b }), sqlite.ErrNewer, nil},
		{"newer schema", changed(func(b []byte) []byte { binary.BigEndian.PutUint32(b[44:], 7); return b }), sqlite.ErrNewer, nil},
		{"damaged", changed(func(b []byte) []byte { clear(b[4096*3 : 4096*4]); return b }), sqlite.ErrDamaged, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.db")
			if tt.content != nil {
				if err := os.WriteFile(path, tt.content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if tt.before != nil {
				if err := tt.before(path); err != nil {
					t.Fatal(err)
				}
			}
			_, err := sqlite.New().Open(context.Background(), merge.Source{Name: "s1", Source: path}, merge.OpenOptions{Check: true})
			var source *sqlite.SourceError
			if !errors.As(err, &source) || !errors.Is(err, tt.want) {
				t.Fatalf("Open = %v; want a *SourceError with %v", err, tt.want)
			}
			if source.Path != path || source.Next == "" {
				t.Errorf("path %q, next step %q; want %q and a next step", source.Path, source.Next, path)
			}
		})
	}
}

func TestM38SchemasThatNeedMore(t *testing.T) {
	path := database(t, "s.db", "CREATE TABLE t(a TEXT, CHECK (length(a) > 0))")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a TEXT COLLATE ELVISH)'"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.New().Open(context.Background(), merge.Source{Name: "s1", Source: path}, merge.OpenOptions{}); !errors.Is(err, sqlite.ErrSchema) {
		t.Errorf("Open = %v; want %v", err, sqlite.ErrSchema)
	}
}

func TestM7Twins(t *testing.T) {
	path := database(t, "a.db", "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
	folder := filepath.Dir(path)
	link, hard, twin, other := filepath.Join(folder, "link"), filepath.Join(folder, "hard"), filepath.Join(folder, "twin"), filepath.Join(folder, "other")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink(path, link), os.Link(path, hard), os.WriteFile(twin, b, 0o600), os.WriteFile(other, b, 0o600)); err != nil {
		t.Fatal(err)
	}
	write(t, other, "UPDATE t SET a = 2")
	for name, want := range map[string]bool{link: true, hard: true, "sqlite:" + path: true, folder + "/./a.db": true, twin: false, folder + "/none": false} {
		if got, err := sqlite.SameFile(path, name); err != nil || got != want {
			t.Errorf("SameFile(%s) = %v, %v; want %v", name, got, err, want)
		}
	}
	if err := os.Remove(hard); err != nil {
		t.Fatal(err)
	}
	e := sqlite.New()
	a := opened(t, e, "a", path)
	for name, want := range map[string]bool{link: true, twin: true, other: false} {
		if got, err := e.SameContent(a, opened(t, e, "b", name)); err != nil || got != want {
			t.Errorf("SameContent(%s) = %v, %v; want %v", name, got, err, want)
		}
	}
}

func TestM41EncodingsDiffer(t *testing.T) {
	e := sqlite.New()
	s := several(t, e, "CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES ('é')", "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES ('é')", "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES ('é')")
	u := merge.Unique{Table: "t", Columns: []string{"a"}}
	if _, _, err := e.Clashes(context.Background(), s, u, "", "", 9); !errors.Is(err, sqlite.ErrEncoding) {
		t.Errorf("Clashes = %v; want %v", err, sqlite.ErrEncoding)
	}
	if _, total, err := e.Clashes(context.Background(), s[1:], u, "", "", 9); err != nil || total != 1 {
		t.Errorf("Clashes in UTF-16 = %d, %v; want 1", total, err)
	}
}

// TestCancel interrupts a statement that would go on for days.
func TestCancel(t *testing.T) {
	s := fromSQL(t, "CREATE TABLE t(a); WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000) INSERT INTO t SELECT x FROM c")
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := s.Count(ctx, "t", "(SELECT count(*) FROM t AS x, t AS y, t AS z WHERE x.a + y.a + z.a + t.a < 0) = 0")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Count = %v; want %v", err, context.DeadlineExceeded)
	}
}
