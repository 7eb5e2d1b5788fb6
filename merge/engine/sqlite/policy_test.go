package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

func TestFirst(t *testing.T) {
	const schema = "CREATE TABLE k(id INTEGER, code TEXT COLLATE NOCASE, v, PRIMARY KEY(code)); CREATE TABLE bare(a INTEGER, b TEXT, c); CREATE TABLE loose(id INTEGER, name TEXT COLLATE NOCASE, v);"
	b := newBench(t, t.TempDir(),
		schema+"INSERT INTO k VALUES(1, 'a', 'one'), (2, NULL, 'one'); INSERT INTO bare VALUES(1, 'x', 1), (1, 'x', 1), (2, NULL, NULL), (3, 'x', 1); INSERT INTO loose VALUES(1, 'Bob', 1)",
		schema+"INSERT INTO k VALUES(9, 'A', 'two'), (3, NULL, 'two'), (4, 'c', 'two'); INSERT INTO bare VALUES(1, 'x', 1), (2, NULL, NULL), (3, 'x', 1.0), (3, 'X', 1), (4, 'y', x'01'), (4, 'y', x'01'); INSERT INTO loose VALUES(2, 'BOB', 2), (3, NULL, 2), (4, 'ann', 2), (5, 'ann', 2)")
	defer b.close()
	for table, key := range map[string][]string{"k": {"code"}, "bare": {"a", "b", "c"}, "loose": {"name"}} {
		for i := range b.shards {
			job := b.job(i, table)
			job.Rows, job.Key = merge.FirstRows, key
			got := b.load(job)
			if want := map[string][]int64{"k": {2, 2}, "bare": {4, 4}, "loose": {1, 3}}[table][i]; got != want {
				t.Errorf("%s of shard %d: %d rows, want %d", table, i, got, want)
			}
		}
	}
	for q, want := range map[string][]string{
		"SELECT * FROM k ORDER BY id":                             {"1|a|one", "2|NULL|one", "3|NULL|two", "4|c|two"},
		"SELECT quote(a), quote(b), quote(c) FROM bare":           {"1|'x'|1", "1|'x'|1", "2|NULL|NULL", "3|'x'|1", "3|'x'|1.0", "3|'X'|1", "4|'y'|X'01'", "4|'y'|X'01'"},
		"SELECT id, name FROM loose ORDER BY id":                  {"1|Bob", "3|NULL", "4|ann", "5|ann"},
		"SELECT count(*) FROM sqlite_schema WHERE type = 'table'": {"3"},
	} {
		if diff := cmp.Diff(want, rows(t, b.out.Path(), q)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", q, diff)
		}
	}
}

func TestUnion(t *testing.T) {
	const schema = "CREATE TABLE u(id INTEGER PRIMARY KEY, f, s INTEGER, c INTEGER, hi INTEGER, lo INTEGER, who TEXT, at INTEGER);"
	b := newBench(t, t.TempDir(),
		schema+"INSERT INTO u VALUES(1, 'a', 1, 90, 1, 1, 'old', 10), (2, NULL, NULL, 5, NULL, NULL, 'tie', 7), (3, 'only', 1, 500, 1, 1, 'x', NULL)",
		schema+"INSERT INTO u VALUES(1, 'b', 2, 90, 5, -5, 'new', 11), (2, 'b', 3, NULL, 4, 4, 'late', 7), (4, 'only', 1, 700, 1, 1, 'x', 1)",
		schema+"INSERT INTO u VALUES(1, 'c', 4, 90, 3, 3, 'mid', 10), (3, 'c', -1, 1, 1, 1, 'y', 0)")
	defer b.close()
	limit, grew := int64(100), []int64{}
	for i := range b.shards {
		job := b.job(i, "u")
		job.Rows, job.Key = merge.UnionRows, []string{"id"}
		for name, c := range map[string]merge.Combine{"f": {How: "first"}, "s": {How: "sum"}, "c": {How: "sum", Cap: &limit}, "hi": {How: "max"}, "lo": {How: "min"}, "who": {How: "latest", By: "at"}, "at": {How: "max"}} {
			column(&job, name).Combine = c
		}
		grew = append(grew, b.load(job))
	}
	if !slices.Equal(grew, []int64{3, 1, 0}) {
		t.Errorf("the table grew by %d rows, want 3, 1, 0", grew)
	}
	if err := b.out.Finish(t.Context(), merge.FinishJob{}); err != nil { // the caps wait for the last shard
		t.Fatal(err)
	}
	want := []string{"1|a|7|100|5|-5|new|11", "2|NULL|3|5|4|4|tie|7", "3|only|0|100|1|1|y|0", "4|only|1|700|1|1|x|1"}
	if diff := cmp.Diff(want, rows(t, b.out.Path(), "SELECT * FROM u")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnionOverflow(t *testing.T) {
	for _, c := range []struct {
		declared, a, b string
		limit          *int64
		overflow       bool
	}{
		{"INTEGER", "9223372036854775807", "1", nil, true},
		{"INTEGER", "-9223372036854775807", "-2", nil, true},
		{"INTEGER", "9223372036854775806", "1", nil, false},
		{"INTEGER", "9223372036854775807", "1", new(int64(5)), false},
		{"int(10)", "2147483647", "1", nil, true},
		{"int(10)", "2147483646", "1", nil, false},
		{"INT UNSIGNED", "2147483647", "1", nil, false},
		{"TINYINT", "100", "100", nil, true},
		{"INTEGER", "1", "'abc'", nil, true},
		{"REAL", "1e300", "1e300", nil, false},
		{"REAL", "1e308", "1e308", nil, true},
		{"REAL", "9e999", "1", nil, false},
		{"REAL", "9e999", "-9e999", nil, true},
	} {
		schema := "CREATE TABLE u(id INTEGER PRIMARY KEY, n " + c.declared + ");"
		b := newBench(t, t.TempDir(), schema+"INSERT INTO u VALUES(4, "+c.a+")", schema+"INSERT INTO u VALUES(3, 1), (4, "+c.b+")")
		var err error
		for i := range b.shards {
			job := b.job(i, "u")
			job.Rows, job.Key = merge.UnionRows, []string{"id"}
			column(&job, "n").Combine = merge.Combine{How: "sum", Cap: c.limit}
			_, err = b.out.Load(context.Background(), b.shards[i], job, nil)
		}
		var overflow *sqlite.OverflowError
		if got := errors.As(err, &overflow); got != c.overflow || !got && err != nil {
			t.Errorf("%s: %s + %s: %v, want an overflow: %t", c.declared, c.a, c.b, err, c.overflow)
		} else if got && (overflow.Column != "n" || !cmp.Equal(overflow.Key, []any{int64(4)})) {
			t.Errorf("overflow names %+v", overflow)
		}
		b.close()
	}
}

func TestUniqueViolationStops(t *testing.T) {
	const script = "CREATE TABLE a(id INTEGER PRIMARY KEY); INSERT INTO a VALUES(1)"
	b := newBench(t, t.TempDir(), script, script)
	defer b.close()
	b.load(b.job(0, "a"))
	_, err := b.out.Load(context.Background(), b.shards[1], b.job(1, "a"), nil)
	var load *sqlite.LoadError
	if !errors.As(err, &load) || load.Table != "a" || load.Shard != "s2" {
		t.Errorf("Load = %v, want a LoadError of a and s2", err)
	}
}

func TestCasesDropsAndSentinels(t *testing.T) {
	const script = `CREATE TABLE log(n INTEGER PRIMARY KEY, kind INTEGER, target, txt TEXT, a INTEGER, b INTEGER);
		CREATE TABLE other(id INTEGER PRIMARY KEY); INSERT INTO other VALUES(3);
		INSERT INTO log VALUES(1, 1, 5, '5', 5, 5), (2, 2, 5, '05', 5, NULL), (3, 3, 5, '5', NULL, 5), (4, 1, 0, '0', 0, 0),
			(5, NULL, 5, 'x', 5, 5), (6, 1, 99, '99', 1, 1), (7, 1, '99', '99', 1, 1), (8, 1, 77, '8', 1, 1), (9, 2, 77, '8', 1, 1)`
	b := newBench(t, t.TempDir(), script)
	defer b.close()
	b.load(b.job(0, "other")) // an unqualified table in a condition means the shard's
	players := mapOf(t, merge.Run{Old: 0, Count: 10, New: 1000, Rule: merge.Shift})
	guilds := mapOf(t, merge.Run{Old: 5, Count: 1, New: 555, Rule: merge.Dense})
	dead := merge.NewValueSet(int64(99))
	job := b.job(0, "log")
	column(&job, "target").Cases = []merge.Case{
		{When: "kind = 1 -- players", None: []any{int64(0)}, Map: players, Clear: dead, Cleared: int64(-1), AsText: true},
		{When: "kind = (SELECT max(id) FROM other)"},
		{Map: guilds},
	}
	column(&job, "txt").Cases = []merge.Case{{Map: players, None: []any{int64(0)}, AsText: true, Clear: dead}}
	column(&job, "a").Cases = []merge.Case{{NotNull: []string{"b"}, Map: players}}
	column(&job, "b").Cases = []merge.Case{{NotNull: []string{"a"}, Map: guilds}}
	job.Drop = []merge.Drop{{Column: "target", When: "kind = 1", Values: merge.NewValueSet(int64(77))}}
	b.load(job)
	want := []string{
		"1|1|1005|'1005'|1005|555", "2|2|555|'05'|5|NULL", "3|3|5|'1005'|NULL|5", "4|1|0|'0'|1000|0", "5|NULL|555|'x'|1005|555",
		"6|1|-1|NULL|1001|1", "7|1|-1|NULL|1001|1", "9|2|77|'1008'|1001|1",
	}
	got := rows(t, b.out.Path(), "SELECT n, quote(kind), quote(target), quote(txt), quote(a), quote(b) FROM log")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRenamesAndCopies(t *testing.T) {
	const script = `CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE, flag INTEGER DEFAULT 0);
		CREATE TABLE mail(id INTEGER PRIMARY KEY, sender INTEGER, sname TEXT, lname TEXT, hash INTEGER);
		INSERT INTO p VALUES(1, 'Bob', 0), (2, 'Ann', 0);
		INSERT INTO mail VALUES(1, 1, 'Bob', 'bob', 3295), (2, 2, 'Bob', 'ann', NULL), (3, 1, 'Bobby', 'x', 7), (4, NULL, 'BOB', NULL, 3295)`
	b := newBench(t, t.TempDir(), script)
	defer b.close()
	r := &merge.Rename{
		Unique: merge.Unique{Table: "p", Columns: []string{"name"}, Collations: []string{"NOCASE"}}, Column: "name", Mark: map[string]string{"flag": "flag + 1"},
		Shards: [][]merge.Renamed{{{Values: []any{"Bob"}, Old: "Bob", New: "S1Bob", Row: []any{int64(1)}}}},
	}
	job := b.job(0, "p")
	job.Renames = []merge.RenameJob{{Rename: r}}
	column(&job, "id").Cases = []merge.Case{{Map: mapOf(t, merge.Run{Old: 1, Count: 2, New: 11, Rule: merge.Shift})}}
	b.load(job)
	job = b.job(0, "mail")
	to := merge.Col{Table: "p", Name: "id"}
	column(&job, "sname").Copies = []merge.CopyJob{{Rename: r, By: "sender", To: to}}
	column(&job, "lname").Copies = []merge.CopyJob{{Rename: r, Via: "lower({})"}}
	column(&job, "hash").Copies = []merge.CopyJob{{Rename: r, Via: "base37"}}
	b.load(job)
	const renamed = ((((19*37+28)*37+2)*37 + 15) * 37) + 2 // s1bob in base 37
	for q, want := range map[string][]string{
		"SELECT * FROM p":                         {"11|S1Bob|1", "12|Ann|0"},
		"SELECT id, sname, lname, hash FROM mail": {fmt.Sprintf("1|S1Bob|s1bob|%d", renamed), "2|Bob|ann|NULL", "3|Bobby|x|7", fmt.Sprintf("4|BOB|NULL|%d", renamed)},
	} {
		if diff := cmp.Diff(want, rows(t, b.out.Path(), q)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", q, diff)
		}
	}
}
