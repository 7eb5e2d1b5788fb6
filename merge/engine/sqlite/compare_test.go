package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// compareCase is a table's shards and merged state, as SQL.
type compareCase struct {
	schema string
	shards []string
	merged string
	// job is completed for every shard: Table and Shard are filled in, and a column that is not named is a copy.
	job      func(shard int) merge.TableJob
	counters []merge.Counter
}

func writeDB(t *testing.T, name string, scripts ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".db")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, s)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func openDB(t *testing.T, e *sqlite.Engine, name, path string) merge.Shard {
	t.Helper()
	s, err := e.Open(context.Background(), merge.Source{Name: name, Source: path}, merge.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func (c compareCase) run(t *testing.T) *merge.Comparison {
	t.Helper()
	e := sqlite.New()
	merged := openDB(t, e, "merged", writeDB(t, "merged", c.schema, c.merged))
	var shards []merge.Shard
	job := merge.CompareJob{Limit: 20, Counters: c.counters}
	for i, rows := range c.shards {
		shards = append(shards, openDB(t, e, string(rune('a'+i)), writeDB(t, string(rune('a'+i)), c.schema, rows)))
		j := merge.TableJob{}
		if c.job != nil {
			j = c.job(i)
		}
		j.Shard, j.Table = i, merged.Schema().Tables[0]
		if j.Rows == "" {
			j.Rows = merge.MergeRows
		}
		for _, col := range j.Table.Columns {
			known := col.Generated
			for _, given := range j.Columns {
				known = known || given.Name == col.Name
			}
			if !known {
				j.Columns = append(j.Columns, merge.ColumnJob{Name: col.Name, Source: col.Name})
			}
		}
		job.Jobs = append(job.Jobs, j)
	}
	got, err := e.Compare(context.Background(), merged, shards, job)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func keyMap(t *testing.T, runs ...merge.Run) *merge.KeyMap {
	t.Helper()
	m, err := merge.NewKeyMap(runs)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func shift(first, count, to int64) merge.Run {
	return merge.Run{Old: first, Count: count, New: to, Rule: merge.Shift}
}

// mapped makes the columns of the second shard follow a map.
func mapped(m *merge.KeyMap, columns ...string) func(int) merge.TableJob {
	return func(shard int) (j merge.TableJob) {
		for _, c := range columns {
			col := merge.ColumnJob{Name: c, Source: c}
			if shard == 1 {
				col.Cases = []merge.Case{{Map: m, None: []any{int64(0)}, AsText: true}}
			}
			j.Columns = append(j.Columns, col)
		}
		return j
	}
}

func TestCompareTellsRightFromWrong(t *testing.T) {
	two := keyMap(t, shift(1, 2, 101), shift(5, 1, 105))
	gaps := []merge.Run{}
	for i := range int64(40) {
		gaps = append(gaps, shift(10*i+1, 3, 1000+10*i+1))
	}
	gaps = append(gaps, merge.Run{Old: 777, Count: 1, New: 5000, Rule: merge.Tombstone})
	holes := merge.Run{Old: 1, Count: 393, New: 1001, Rule: merge.Shift, Among: merge.OldKeys(gaps[:40])}
	id := func(i int64) string { return sqlInt(merge.IDAt(i, 7)) }
	players := `CREATE TABLE players(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, boss INT);`
	a := `INSERT INTO players VALUES(1,'Ann',NULL),(2,'Bob',1),(5,'Cy',0)`
	b := `INSERT INTO players VALUES(1,'Dan',5),(2,'Eve',0),(5,'Fay',9),(9,'Gus',2)`
	right := `INSERT INTO players VALUES(1,'Ann',NULL),(2,'Bob',1),(5,'Cy',0),(101,'Dan',105),(102,'Eve',0),(105,'Fay',9),(9,'Gus',102)`
	keys := mapped(two, "id", "boss")
	base := compareCase{schema: players, shards: []string{a, b}, merged: right, job: keys}
	change := func(then string) compareCase { c := base; c.merged += ";" + then; return c }
	with := func(schema, a, b, merged string, job func(int) merge.TableJob) compareCase {
		return compareCase{schema: schema, shards: []string{a, b}, merged: merged, job: job}
	}
	loose := `CREATE TABLE t(id INTEGER PRIMARY KEY, v);`
	pairs := `CREATE TABLE friends(a INT NOT NULL, b INT NOT NULL, since TEXT, PRIMARY KEY(a, b)) WITHOUT ROWID;`
	logs := `CREATE TABLE log(who INT, "what ""x""; DROP" TEXT);`
	kinds := `CREATE TABLE targets(id INTEGER PRIMARY KEY, kind INT, target INT);`
	byKind := func(s int) (j merge.TableJob) {
		if s == 0 {
			return j
		}
		return merge.TableJob{Columns: []merge.ColumnJob{
			{Name: "id", Source: "id", Cases: []merge.Case{{Map: keyMap(t, shift(1, 3, 11))}}},
			{Name: "target", Source: "target", Cases: []merge.Case{{When: "kind = 1 -- a player", Map: two}, {When: "kind = 2", Map: keyMap(t, shift(1, 9, 201))}}},
		}}
	}
	nulls := `CREATE TABLE n(k TEXT COLLATE NOCASE PRIMARY KEY, v INT);`
	items := `CREATE TABLE items(code TEXT PRIMARY KEY, n INT, at INT);`
	first := func(int) merge.TableJob { return merge.TableJob{Rows: merge.FirstRows, Key: []string{"code"}} }
	limit := int64(10)
	union := func(int) merge.TableJob {
		return merge.TableJob{Rows: merge.UnionRows, Key: []string{"code"}, Columns: []merge.ColumnJob{
			{Name: "n", Source: "n", Combine: merge.Combine{How: "sum", Cap: &limit}}, {Name: "at", Source: "at", Combine: merge.Combine{How: "max"}},
		}}
	}
	drop := func(s int) merge.TableJob {
		j := mapped(two, "id", "boss")(s)
		if s == 1 {
			j.Drop = []merge.Drop{{Column: "boss", Values: merge.NewValueSet(int64(9)), None: []any{int64(0)}}}
		}
		return j
	}
	clearing := func(s int) merge.TableJob {
		j := mapped(two, "id", "boss")(s)
		if s == 1 {
			j.Columns[1].Cases[0].Clear, j.Columns[1].Cases[0].Cleared = merge.NewValueSet(int64(9)), int64(0)
		}
		return j
	}
	renames := &merge.Rename{
		Unique: merge.Unique{Table: "players", Columns: []string{"name"}}, Column: "name", Mark: map[string]string{"boss": "-1"},
		Shards: [][]merge.Renamed{nil, {{Values: []any{"Dan"}, Old: "Dan", New: "S2.Dan", Row: []any{int64(1)}}}},
	}
	renaming := func(s int) merge.TableJob {
		j := mapped(two, "id", "boss")(s)
		j.Renames = []merge.RenameJob{{Rename: renames}}
		return j
	}
	mails := `CREATE TABLE mail(id INTEGER PRIMARY KEY, sender INT, name TEXT); CREATE TABLE players(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO players VALUES(1, 'Dan');`
	copying := func(s int) merge.TableJob {
		j := mapped(keyMap(t, shift(1, 2, 101)), "id")(s)
		j.Columns = append(j.Columns, merge.ColumnJob{Name: "name", Source: "name", Copies: []merge.CopyJob{{Rename: renames, By: "sender", To: merge.Col{Table: "players", Name: "id"}, Via: "upper"}}})
		return j
	}
	tests := []struct {
		name   string
		c      compareCase
		bad    int64
		column string
		key    string
	}{
		{"right", base, 0, "", ""},
		{"unshifted reference", change(`UPDATE players SET boss = 5 WHERE id = 101`), 1, "boss", "1"},
		{"null for a value", change(`UPDATE players SET boss = NULL WHERE id = 2`), 1, "boss", "2"},
		{"value for a null", change(`UPDATE players SET boss = 0 WHERE id = 1`), 1, "boss", "1"},
		{"lost row", change(`DELETE FROM players WHERE id = 9`), 1, "", "9"},
		{"extra row", change(`INSERT INTO players VALUES(44, 'Zed', 0)`), 1, "", "44"},
		{"swapped pair", change(`UPDATE players SET name = CASE id WHEN 101 THEN 'Eve' ELSE 'Dan' END WHERE id IN (101, 102)`), 2, "name", "1"},
		{"text case under NOCASE", change(`UPDATE players SET name = 'DAN' WHERE id = 101`), 1, "name", "1"},
		{"blob for text", change(`UPDATE players SET name = x'44616E' WHERE id = 101`), 1, "name", "1"},
		{"key changed without need", change(`UPDATE players SET id = 109 WHERE id = 9`), 2, "", "9"},
		{"key not changed", change(`UPDATE players SET id = 6 WHERE id = 105`), 2, "", "5"},
		{"float in an untyped column", with(loose, `INSERT INTO t VALUES(1, 5)`, `INSERT INTO t VALUES(2, 6)`, `INSERT INTO t VALUES(1, 5.0), (2, 6)`, nil), 1, "v", "1"},
		{"text for an integer", with(loose, `INSERT INTO t VALUES(1, 5)`, `INSERT INTO t VALUES(2, '6')`, `INSERT INTO t VALUES(1, 5), (2, 6)`, nil), 1, "v", "2"},
		{"text id mapped", with(loose, `INSERT INTO t VALUES(3, '05')`, `INSERT INTO t VALUES(4, '1'), (6, '01'), (7, 2), (8, 1.0)`, `INSERT INTO t VALUES(3, '05'), (4, '101'), (6, '01'), (7, 102), (8, 1.0)`, mapped(two, "v")), 0, "", ""},
		{"text id left", with(loose, ``, `INSERT INTO t VALUES(4, '1')`, `INSERT INTO t VALUES(4, '1')`, mapped(two, "v")), 1, "v", "4"},
		{"zero is nobody", with(loose, ``, `INSERT INTO t VALUES(4, 0)`, `INSERT INTO t VALUES(4, 7)`, mapped(keyMap(t, shift(0, 1, 7)), "v")), 1, "v", "4"},
		{"composite key", with(pairs, `INSERT INTO friends VALUES(1,2,'x'),(2,1,'y')`, `INSERT INTO friends VALUES(1,2,'z'),(5,9,'w')`,
			`INSERT INTO friends VALUES(1,2,'x'),(2,1,'y'),(101,102,'z'),(105,9,'w')`, mapped(two, "a", "b")), 0, "", ""},
		{"composite key, half mapped", with(pairs, `INSERT INTO friends VALUES(1,2,'x'),(2,1,'y')`, `INSERT INTO friends VALUES(1,2,'z'),(5,9,'w')`,
			`INSERT INTO friends VALUES(1,2,'x'),(2,1,'y'),(101,2,'z'),(105,9,'w')`, mapped(two, "a", "b")), 2, "", "1, 2"},
		{"keyless duplicates", with(logs, `INSERT INTO log VALUES(1,'a'),(1,'a'),(NULL,'b')`, `INSERT INTO log VALUES(1,'a'),(1,'a')`,
			`INSERT INTO log VALUES(101,'a'),(1,'a'),(101,'a'),(NULL,'b'),(1,'a')`, mapped(two, "who")), 0, "", ""},
		{"keyless in order", with(logs, `INSERT INTO log VALUES(1,'a'),(1,'a'),(NULL,'b')`, `INSERT INTO log VALUES(1,'a'),(1,'a'); DELETE FROM log WHERE rowid = 1`,
			`INSERT INTO log VALUES(1,'a'),(1,'a'),(NULL,'b'),(101,'a')`, mapped(two, "who")), 0, "", ""},
		{"keyless, one too few", with(logs, `INSERT INTO log VALUES(1,'a'),(1,'a')`, `INSERT INTO log VALUES(1,'a')`,
			`INSERT INTO log VALUES(1,'a'),(101,'a'),(101,'a')`, mapped(two, "who")), 1, "who", "(1, 'a')"},
		{"keyless, hostile column", with(logs, `INSERT INTO log VALUES(1,'a')`, `INSERT INTO log VALUES(1,'a')`,
			`INSERT INTO log VALUES(1,'a'),(101,'A')`, mapped(two, "who")), 1, `what "x"; DROP`, "(101, 'a')"},
		{"by kind", with(kinds, `INSERT INTO targets VALUES(1,1,1)`, `INSERT INTO targets VALUES(1,1,1),(2,2,1),(3,3,1)`,
			`INSERT INTO targets VALUES(1,1,1),(11,1,101),(12,2,201),(13,3,1)`, byKind), 0, "", ""},
		{"wrong kind", with(kinds, `INSERT INTO targets VALUES(1,1,1)`, `INSERT INTO targets VALUES(1,1,1),(2,2,1),(3,3,1)`,
			`INSERT INTO targets VALUES(1,1,1),(11,1,101),(12,2,101),(13,3,1)`, byKind), 1, "target", "2"},
		{"nulls in a key", with(nulls, `INSERT INTO n VALUES(NULL,1),('a',1)`, `INSERT INTO n VALUES(NULL,1),(NULL,2)`, `INSERT INTO n VALUES(NULL,1),(NULL,1),(NULL,2),('a',1)`, nil), 0, "", ""},
		{"nulls in a key, one wrong", with(nulls, `INSERT INTO n VALUES(NULL,1),('a',1)`, `INSERT INTO n VALUES(NULL,1),(NULL,2)`, `INSERT INTO n VALUES(NULL,1),(NULL,2),(NULL,2),('a',1)`, nil), 1, "v", "NULL"},
		{"case of a key", with(nulls, `INSERT INTO n VALUES('a',1)`, `INSERT INTO n VALUES('b',2)`, `INSERT INTO n VALUES('B',2),('a',1)`, nil), 1, "k", "'b'"},
		{"first", with(items, `INSERT INTO items VALUES('x',1,1)`, `INSERT INTO items VALUES('x',2,2),('y',3,3)`, `INSERT INTO items VALUES('x',1,1),('y',3,3)`, first), 0, "", ""},
		{"first, the wrong one", with(items, `INSERT INTO items VALUES('x',1,1)`, `INSERT INTO items VALUES('x',2,2),('y',3,3)`, `INSERT INTO items VALUES('x',1,2),('y',3,3)`, first), 1, "at", "'x'"},
		{"union", with(items, `INSERT INTO items VALUES('x',6,1)`, `INSERT INTO items VALUES('x',7,2),('y',3,3)`, `INSERT INTO items VALUES('x',10,2),('y',3,3)`, union), 0, "", ""},
		{"union without its cap", with(items, `INSERT INTO items VALUES('x',6,1)`, `INSERT INTO items VALUES('x',7,2),('y',3,3)`, `INSERT INTO items VALUES('x',13,2),('y',3,3)`, union), 1, "n", "'x'"},
		{"drop", with(players, a, b, right+`;DELETE FROM players WHERE id = 105`, drop), 0, "", ""},
		{"drop not carried out", with(players, a, b, right, drop), 1, "", "105"},
		{"clear", with(players, a, b, right+`;UPDATE players SET boss = 0 WHERE id = 105`, clearing), 0, "", ""},
		{"clear not carried out", with(players, a, b, right, clearing), 1, "boss", "5"},
		{"rename", with(players, a, b, right+`;UPDATE players SET name = 'S2.Dan', boss = -1 WHERE id = 101`, renaming), 0, "", ""},
		{"rename without mark", with(players, a, b, right+`;UPDATE players SET name = 'S2.Dan' WHERE id = 101`, renaming), 1, "boss", "1"},
		{"rename of a name that changed since", with(players, a, b+`;UPDATE players SET name = 'Zed' WHERE id = 1`, right+`;UPDATE players SET name = 'S2.Dan', boss = -1 WHERE id = 101`, renaming), 1, "name", "1"},
		{"rename of a name in another case since", with(players, a, b+`;UPDATE players SET name = 'DAN' WHERE id = 1`, right+`;UPDATE players SET name = 'S2.Dan', boss = -1 WHERE id = 101`, renaming), 1, "name", "1"},
		{"rename of a name that is null since", with(players, a, b+`;UPDATE players SET name = NULL WHERE id = 1`, right+`;UPDATE players SET name = 'S2.Dan', boss = -1 WHERE id = 101`, renaming), 1, "name", "1"},
		{"rename of a name that is a blob since", with(players, a, b+`;UPDATE players SET name = CAST(name AS BLOB) WHERE id = 1`, right+`;UPDATE players SET name = 'S2.Dan', boss = -1 WHERE id = 101`, renaming), 1, "name", "1"},
		{"copy", with(mails, ``, `INSERT INTO mail VALUES(1,1,'DAN'),(2,2,'DAN')`, `INSERT INTO mail VALUES(101,1,'S2.DAN'),(102,2,'DAN')`, copying), 0, "", ""},
		{"copy left", with(mails, ``, `INSERT INTO mail VALUES(1,1,'DAN'),(2,2,'DAN')`, `INSERT INTO mail VALUES(101,1,'DAN'),(102,2,'DAN')`, copying), 1, "name", "1"},
		{"a map with many runs", with(loose, ``, `WITH r(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM r WHERE i < 800) INSERT INTO t SELECT i, i FROM r`,
			`WITH r(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM r WHERE i < 800) INSERT INTO t SELECT i, CASE WHEN i = 777 THEN 5000 WHEN i < 400 AND i % 10 IN (1,2,3) THEN i + 1000 ELSE i END FROM r`,
			mapped(keyMap(t, gaps...), "v")), 0, "", ""},
		{"a map with holes", with(loose, ``, `WITH r(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM r WHERE i < 800) INSERT INTO t SELECT i, i FROM r`,
			`WITH r(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM r WHERE i < 800) INSERT INTO t SELECT i, CASE WHEN i = 777 THEN 5000 WHEN i < 400 AND i % 10 IN (1,2,3) THEN i + 1000 ELSE i END FROM r`,
			mapped(keyMap(t, holes, gaps[40]), "v")), 0, "", ""},
		{"a key in a hole that changed", with(loose, ``, `WITH r(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM r WHERE i < 800) INSERT INTO t SELECT i, i FROM r`,
			`WITH r(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM r WHERE i < 800) INSERT INTO t SELECT i, CASE WHEN i = 777 THEN 5000 WHEN i < 400 AND (i % 10 IN (1,2,3) OR i = 14) THEN i + 1000 ELSE i END FROM r`,
			mapped(keyMap(t, holes, gaps[40]), "v")), 1, "v", "14"},
		{"IDs", with(loose, ``, `INSERT INTO t VALUES(1, 10), (2, 11), (3, 400)`, `INSERT INTO t VALUES(1, `+id(250)+`), (2, `+id(251)+`), (3, `+id(640)+`)`,
			mapped(keyMap(t, merge.Run{Old: 10, Count: 400, New: merge.IDAt(250, 7), Rule: merge.GameID}), "v")), 0, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.c.run(t)
			if got.Bad != tt.bad {
				t.Errorf("got %d bad rows, want %d: %+v", got.Bad, tt.bad, got.Rows)
			}
			if tt.bad == 0 {
				return
			}
			for _, r := range got.Rows {
				if r.Column == tt.column && r.Key == tt.key {
					return
				}
			}
			t.Errorf("got %+v, want column %q of row %s", got.Rows, tt.column, tt.key)
		})
	}
}

// Two rows that share an image hide a row from nowhere from every count.
func TestCompareSeesSharedImages(t *testing.T) {
	c := compareCase{
		schema: `CREATE TABLE t(id INTEGER PRIMARY KEY, v);`,
		shards: []string{`INSERT INTO t VALUES(1, 1)`, `INSERT INTO t VALUES(1, 1)`},
		merged: `INSERT INTO t VALUES(1, 1), (2, 1)`,
	}
	got := c.run(t)
	if got.Bad != 2 {
		t.Errorf("got %d bad rows, want a stranger and a shared image: %+v", got.Bad, got.Rows)
	}
}

func TestCompareCounters(t *testing.T) {
	for _, tt := range []struct {
		name, schema, rows, merged string
		rule                       merge.Rows
		bad                        int64
	}{
		{"high enough", `CREATE TABLE seq(name TEXT PRIMARY KEY, next INT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 3),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 9),('u', 1)`, merge.MergeRows, 0},
		{"stale", `CREATE TABLE seq(name TEXT PRIMARY KEY, next INT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 3),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 3),('u', 1)`, merge.MergeRows, 1},
		{"another row", `CREATE TABLE seq(name TEXT PRIMARY KEY, next INT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 3),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 9),('u', 9)`, merge.MergeRows, 1},
		{"at the last number", `CREATE TABLE seq(name TEXT PRIMARY KEY, next INT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 3),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 9223372036854775807),('u', 1)`, merge.MergeRows, 1},
		{"a fraction", `CREATE TABLE seq(name TEXT PRIMARY KEY, next INT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 3),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 9.5),('u', 1)`, merge.MergeRows, 1},
		{"far above", `CREATE TABLE seq(name TEXT PRIMARY KEY, next INT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 3),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 10),('u', 1)`, merge.MergeRows, 1},
		{"folded, at the last number", `CREATE TABLE seq(name TEXT PRIMARY KEY, next INT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 3),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 9223372036854775807),('u', 1)`, merge.FirstRows, 1},
		{"folded, a fraction", `CREATE TABLE seq(name TEXT PRIMARY KEY, next INT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 3),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 9.5),('u', 1)`, merge.FirstRows, 1},
		{"folded, far above", `CREATE TABLE seq(name TEXT PRIMARY KEY, next INT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 3),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 10),('u', 1)`, merge.FirstRows, 1},
		{"as it was, as text", `CREATE TABLE seq(name TEXT PRIMARY KEY, next TEXT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 30),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 30),('u', 1)`, merge.MergeRows, 0},
		{"raised, as text", `CREATE TABLE seq(name TEXT PRIMARY KEY, next TEXT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 3),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 9),('u', 1)`, merge.UnionRows, 0},
		{"folded, high enough", `CREATE TABLE seq(name TEXT PRIMARY KEY, next INT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 3),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 9),('u', 1)`, merge.FirstRows, 0},
		{"folded, stale", `CREATE TABLE seq(name TEXT PRIMARY KEY, next INT); CREATE TABLE t(id INTEGER PRIMARY KEY);`, `INSERT INTO seq VALUES('t', 3),('u', 1)`, `INSERT INTO t VALUES(8); INSERT INTO seq VALUES('t', 8),('u', 1)`, merge.FirstRows, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := compareCase{
				schema: tt.schema, shards: []string{tt.rows}, merged: tt.merged,
				job:      func(int) merge.TableJob { return merge.TableJob{Rows: tt.rule, Key: []string{"name"}} },
				counters: []merge.Counter{{Column: merge.Col{Table: "seq", Name: "next"}, Where: "name = 't'", Key: merge.Col{Table: "t", Name: "id"}, Margin: 1}},
			}
			if got := c.run(t); got.Bad != tt.bad {
				t.Errorf("got %d bad rows, want %d: %+v", got.Bad, tt.bad, got.Rows)
			}
		})
	}
}

// TestCompareManyCounters proves a table of which every row counts another key. The statement grows with the counters, and must not double with each.
func TestCompareManyCounters(t *testing.T) {
	for _, low := range []int{-1, 0, 17, 39} {
		c := compareCase{schema: "CREATE TABLE seq(name TEXT PRIMARY KEY, next INT);", job: func(int) merge.TableJob { return merge.TableJob{Rows: merge.FirstRows, Key: []string{"name"}} }}
		var rows string
		for n := range 40 {
			c.schema += fmt.Sprintf(" CREATE TABLE t%d(id INTEGER PRIMARY KEY);", n)
			rows += fmt.Sprintf("INSERT INTO seq VALUES('t%d', 3);", n)
			next := 11 + n
			if n == low {
				next--
			}
			c.merged += fmt.Sprintf("INSERT INTO t%[1]d VALUES(%[2]d); INSERT INTO seq VALUES('t%[1]d', %[3]d);", n, 10+n, next)
			c.counters = append(c.counters, merge.Counter{
				Column: merge.Col{Table: "seq", Name: "next"}, Where: fmt.Sprintf("name = 't%d'", n), Key: merge.Col{Table: fmt.Sprintf("t%d", n), Name: "id"}, Margin: 1,
			})
		}
		c.shards = []string{rows}
		want := int64(1)
		if low < 0 {
			want = 0
		}
		if got := c.run(t); got.Bad != want {
			t.Errorf("counter %d is low: %d bad rows, want %d: %+v", low, got.Bad, want, got.Rows)
		}
	}
}
