package sqlite_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// oddSchema has whatever SQLite lets a table be.
const oddSchema = `
PRAGMA page_size = 8192; PRAGMA auto_vacuum = 2; PRAGMA user_version = 42; PRAGMA application_id = 77;
CREATE TABLE "odd ""name""; DROP TABLE x"("a b" INTEGER PRIMARY KEY, [select] TEXT COLLATE NOCASE, ` + "`group`" + ` BLOB, UNIQUE("select"));
CREATE TABLE strict_one(id INTEGER PRIMARY KEY, n INT NOT NULL, x ANY, t TEXT) STRICT;
CREATE TABLE pairs(a INTEGER, b INTEGER, c, PRIMARY KEY(b, a)) WITHOUT ROWID;
CREATE TABLE gen(id INTEGER PRIMARY KEY, n INTEGER, twice INTEGER AS (n * 2) STORED, thrice AS (n * 3));
CREATE TABLE auto(id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT DEFAULT "legacy");
CREATE TABLE log(what TEXT);
CREATE TRIGGER auto_log AFTER INSERT ON auto BEGIN INSERT INTO log VALUES('trigger ran'); END;
CREATE INDEX gen_n ON gen(n) WHERE n > 1;
CREATE VIEW seen AS SELECT v FROM auto;
CREATE UNIQUE INDEX auto_v ON auto(lower(v));
`

const oddRows = `
INSERT INTO "odd ""name""; DROP TABLE x" VALUES(1, 'A', x'00ff'), (2, NULL, 'text');
INSERT INTO strict_one VALUES(1, 5, 5.0, 'x'), (9223372036854775806, -9223372036854775808, x'', char(0));
INSERT INTO pairs VALUES(1, 2, 9e999), (2, 1, -0.0), (1, 1, 9007199254740993);
INSERT INTO gen(id, n) VALUES(1, 10), (2, 1);
INSERT INTO auto VALUES(7, 'x'), (9, 'y'); DELETE FROM auto WHERE id = 9; DELETE FROM log;
`

func TestOddTablesComeThrough(t *testing.T) {
	b := newBench(t, t.TempDir(), oddSchema+oddRows, oddSchema+"INSERT INTO auto VALUES(20, 'z'), (500, 'w'); DELETE FROM auto WHERE id = 500; DELETE FROM log")
	defer b.close()
	for _, table := range b.shards[0].Schema().Tables {
		for i := range b.shards {
			b.load(b.job(i, table.Name))
		}
	}
	b.finish(merge.FinishJob{Floors: map[string]int64{"auto": 300}, Memory: &merge.Memory{}})
	in, out := filepath.Join(b.dir, "s1.db"), b.out.Path()
	for _, q := range []string{
		"SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'gameid%' AND name NOT LIKE 'sqlite%' ORDER BY name",
		`SELECT quote("a b"), quote("select"), quote("group") FROM "odd ""name""; DROP TABLE x"`,
		"SELECT quote(id), quote(n), quote(x), typeof(x), hex(t) FROM strict_one",
		"SELECT quote(a), quote(b), quote(c) FROM pairs",
		"SELECT * FROM gen",
		"PRAGMA page_size", "PRAGMA auto_vacuum", "PRAGMA user_version", "PRAGMA application_id", "PRAGMA encoding", "PRAGMA integrity_check",
	} {
		if diff := cmp.Diff(rows(t, in, q), rows(t, out, q)); diff != "" {
			t.Errorf("%s (-shard +output):\n%s", q, diff)
		}
	}
	if got := rows(t, out, "SELECT * FROM log"); len(got) != 0 {
		t.Errorf("log holds %q: a trigger ran while rows were loaded", got)
	}
	if got, want := rows(t, out, "SELECT name, seq FROM sqlite_sequence"), []string{"auto|500"}; !slices.Equal(got, want) {
		t.Errorf("sqlite_sequence = %q, want the highest counter of all shards %q", got, want)
	}
	run(t, out, "INSERT INTO auto(v) VALUES('new')")
	if got, want := rows(t, out, "SELECT max(id) FROM auto UNION ALL SELECT what FROM log"), []string{"501", "trigger ran"}; !slices.Equal(got, want) {
		t.Errorf("after an insert: %q, want %q", got, want)
	}
}

func TestCounterNeverFills(t *testing.T) {
	const schema = "CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT);"
	b := newBench(t, t.TempDir(), schema+"INSERT INTO a VALUES(1)")
	defer b.close()
	b.load(b.job(0, "a"))
	err := b.out.Finish(context.Background(), merge.FinishJob{Floors: map[string]int64{"a": math.MaxInt64}})
	if !errors.Is(err, sqlite.ErrFullNumber) {
		t.Errorf("Finish with a floor of 2^63-1 = %v, want ErrFullNumber", err)
	}
}

func TestCounters(t *testing.T) {
	const script = `CREATE TABLE item(id INTEGER PRIMARY KEY); INSERT INTO item VALUES(5), (900);
		CREATE TABLE seq(name TEXT, next INTEGER, txt TEXT); INSERT INTO seq VALUES('item', 6, '6'), ('high', 5000, '5000'), ('none', NULL, NULL), ('other', 1, '1')`
	b := newBench(t, t.TempDir(), script)
	defer b.close()
	b.load(b.job(0, "item"))
	b.load(b.job(0, "seq"))
	var counters []merge.Counter
	for _, c := range []string{"next", "txt"} {
		counters = append(counters, merge.Counter{Column: merge.Col{Table: "seq", Name: c}, Where: "name <> 'other' -- not that one", Key: merge.Col{Table: "item", Name: "id"}, Margin: 1})
	}
	b.finish(merge.FinishJob{Counters: counters})
	want := []string{"item|901|901", "high|5000|5000", "none|901|901", "other|1|1"}
	if got := rows(t, b.out.Path(), "SELECT * FROM seq"); !slices.Equal(got, want) {
		t.Errorf("seq = %q, want %q", got, want)
	}
}

// build makes a whole output and returns its hash.
func build(t *testing.T) [32]byte {
	t.Helper()
	const script = `CREATE TABLE p(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, q); CREATE INDEX pq ON p(q);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO p SELECT i * 2, 'n' || i, i % 7 FROM n`
	b := newBench(t, t.TempDir(), script)
	defer b.close()
	var runs []merge.Run
	for i := range int64(5000) {
		runs = append(runs, merge.Run{Old: i * 4, Count: 1, New: 1_000_000 + i, Rule: merge.Dense})
	}
	job := b.job(0, "p")
	column(&job, "id").Cases = []merge.Case{{Map: mapOf(t, runs...)}}
	b.load(job)
	server := int64(3)
	b.finish(merge.FinishJob{Memory: &merge.Memory{
		Shards: []merge.Source{{Name: "s1", Server: &server, Source: filepath.Join(b.dir, "s1.db")}}, Plan: []byte("version: 1\n"),
		Spaces:     []merge.MemorySpace{{Key: merge.Col{Table: "p", Name: "id"}, Shard: "s1", Runs: runs, Tombstones: runs[:1]}, {Via: "s1/", Key: merge.Col{Table: "p", Name: "id"}, Shard: "x"}},
		Renames:    []merge.MemoryRename{{Unique: []merge.Col{{Table: "p", Name: "name"}}, Column: merge.Col{Table: "p", Name: "name"}, Shard: "s1", Row: []any{int64(7), "x", nil, 1.5, []byte{1}}, Old: "a", New: "b"}},
		References: []merge.MemoryReference{{Reference: merge.Reference{From: []merge.Col{{Table: "p", Name: "q"}}, To: []merge.Col{{Table: "p", Name: "id"}}}, Spaces: []merge.Col{{}}}},
	}})
	out := filepath.Join(b.dir, "out.db")
	if err := b.out.Publish(context.Background()); err != nil {
		t.Fatalf("Publish = %v", err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), b.dir) {
		t.Errorf("the output holds the path %s", b.dir)
	}
	if got := rows(t, out, "SELECT count(*), min(first_new) FROM gameid_keys"); !slices.Equal(got, []string{"5001|0"}) {
		t.Errorf("gameid_keys: count and lowest = %q", got)
	}
	if left := list(t, b.dir); !slices.Equal(left, []string{"out.db", "s1.db"}) {
		t.Errorf("the folder holds %q", left)
	}
	return sha256.Sum256(data)
}

func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestEqualInputsMakeEqualBytes(t *testing.T) {
	if a, b := build(t), build(t); a != b {
		t.Errorf("two runs made %x and %x", a, b)
	}
}

func TestCreateRefuses(t *testing.T) {
	ctx := context.Background()
	b := newBench(t, t.TempDir(), "CREATE TABLE a(x); INSERT INTO a VALUES(1)")
	defer b.close()
	create := func(path string) error {
		out, err := sqlite.New().Create(ctx, path, merge.CreateOptions{Shards: b.shards, Schema: b.shards[0].Schema()})
		if err == nil {
			_ = out.Abort()
		}
		return err
	}
	write := func(name string) string {
		path := filepath.Join(b.dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("journaled.db-journal")
	if err := os.Link(filepath.Join(b.dir, "s1.db"), filepath.Join(b.dir, "link.db")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(b.dir, "dangling.db")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path   string
		reason error
	}{
		{filepath.Join(b.dir, "out.db"), sqlite.ErrLocked},
		{write("taken.db"), sqlite.ErrExists},
		{filepath.Join(b.dir, "dangling.db"), sqlite.ErrExists},
		{filepath.Join(b.dir, "s1.db"), sqlite.ErrIsInput},
		{filepath.Join(b.dir, "link.db"), sqlite.ErrIsInput},
		{filepath.Join(b.dir, "journaled.db"), sqlite.ErrLeftover},
		{filepath.Join(b.dir, "no", "folder.db"), sqlite.ErrWrite},
	} {
		before := list(t, b.dir)
		if err := create(c.path); !errors.Is(err, c.reason) {
			t.Errorf("Create(%s) = %v, want %v", filepath.Base(c.path), err, c.reason)
		}
		if diff := cmp.Diff(before, list(t, b.dir)); diff != "" {
			t.Errorf("Create(%s) left (-before +after):\n%s", filepath.Base(c.path), diff)
		}
	}
}

func TestPublishNeverReplaces(t *testing.T) {
	b := newBench(t, t.TempDir(), "CREATE TABLE a(x)")
	defer b.close()
	b.finish(merge.FinishJob{})
	out := filepath.Join(b.dir, "out.db")
	if err := os.WriteFile(out, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.out.Publish(context.Background()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Publish onto a file = %v, want fs.ErrExist", err)
	}
	if data, _ := os.ReadFile(out); string(data) != "mine" {
		t.Errorf("the file holds %q now", data)
	}
	name, err := b.out.Fail()
	if err != nil || name != out+".failed" {
		t.Errorf("Fail = %q, %v", name, err)
	}
	if got := list(t, b.dir); !slices.Equal(got, []string{"out.db", "out.db.failed", "s1.db"}) {
		t.Errorf("the folder holds %q", got)
	}
}

func TestModeFollowsFirstInput(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	dir := t.TempDir()
	run(t, filepath.Join(dir, "s1.db"), "CREATE TABLE a(x)")
	if err := os.Chmod(filepath.Join(dir, "s1.db"), 0o466); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, dir, "")
	defer b.close()
	info, err := os.Stat(b.out.Path())
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode = %v, %v; want 0640", info.Mode(), err)
	}
}

// TestCancelLeavesNothing interrupts a running statement, which would go on for days.
func TestCancelLeavesNothing(t *testing.T) {
	b := newBench(t, t.TempDir(), "CREATE TABLE a(x); INSERT INTO a VALUES (1)")
	defer b.close()
	job := b.job(0, "a")
	slow := "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000000 + x % 2) SELECT count(*) FROM n) > 0"
	column(&job, "x").Cases = []merge.Case{{When: slow + " AND x > 0", Map: mapOf(t, merge.Run{Old: 1, Count: 1, New: 9, Rule: merge.Shift})}}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := b.out.Load(ctx, b.shards[0], job, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Load = %v, want an interruption", err)
	}
	if err := b.out.Abort(); err != nil {
		t.Fatal(err)
	}
	if got := list(t, b.dir); !slices.Equal(got, []string{"s1.db"}) {
		t.Errorf("the folder holds %q", got)
	}
}

func TestM47StatementsEndWithTheirConnectionsContext(t *testing.T) {
	done := make(chan error, 1)
	go func() { done <- sqlite.RunsOnWithoutTheDriver() }()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "interrupted") {
			t.Errorf("the statement ended with %v, want an interruption", err)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("the statement still runs after two minutes")
	}
}

func TestEncodingAndVirtualTables(t *testing.T) {
	const script = `PRAGMA encoding = 'UTF-16be'; CREATE TABLE a(id INTEGER PRIMARY KEY, t TEXT); INSERT INTO a VALUES(1, '5'), (2, 'ä' || char(128009)), (3, '5' || char(0));
		CREATE VIRTUAL TABLE f USING fts4(body); INSERT INTO f VALUES('hello')`
	b := newBench(t, t.TempDir(), script)
	defer b.close()
	job := b.job(0, "a")
	column(&job, "t").Cases = []merge.Case{{Map: mapOf(t, merge.Run{Old: 5, Count: 1, New: 50, Rule: merge.Shift}), AsText: true}}
	b.load(job)
	b.finish(merge.FinishJob{})
	for q, want := range map[string][]string{
		"PRAGMA encoding":        {"UTF-16be"},
		"SELECT hex(t) FROM a":   {"00350030", "00E4D83DDC09", "00350000"},
		"SELECT count(*) FROM f": {"0"},
		"PRAGMA integrity_check": {"ok"},
	} {
		if diff := cmp.Diff(want, rows(t, b.out.Path(), q)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", q, diff)
		}
	}
	job = b.job(0, "f")
	if _, err := b.out.Load(context.Background(), b.shards[0], merge.TableJob{Table: b.shards[0].Schema().Table("f")}, nil); err == nil {
		t.Errorf("Load of a virtual table = nil (%d columns)", len(job.Columns))
	}
}

func TestSpace(t *testing.T) {
	if err := sqlite.CheckSpace(t.TempDir(), 1); err != nil {
		t.Errorf("one byte: %v", err)
	}
	if err := sqlite.CheckSpace(t.TempDir(), math.MaxInt64); !errors.Is(err, sqlite.ErrNoSpace) {
		t.Errorf("8 EB: %v, want ErrNoSpace", err)
	}
}
