package sqlite_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// story writes clashes as "value: shard/key shard/key", the winner first.
func story(list []merge.Clash) []string {
	var lines []string
	for _, c := range list {
		line := fmt.Sprint(c.Rows[0].Values) + ":"
		for _, r := range c.Rows {
			line += fmt.Sprintf(" %d/%v", r.Shard, r.Key)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestClashes(t *testing.T) {
	const plain = `CREATE TABLE p(id INTEGER PRIMARY KEY, "the name" TEXT, level INT, made TEXT COLLATE NOCASE); `
	tests := []struct {
		name, schema    string
		rows            []string
		unique          *merge.Unique // nil takes the table's last one
		collate, winner string
		limit           int
		want            []string
		total           int64
	}{
		{
			name: "an index with a collation", schema: plain + `CREATE UNIQUE INDEX u ON p("the name" COLLATE NOCASE)`,
			rows: []string{`(1, 'Ann', 1, ''), (2, 'Bob', 1, ''), (3, NULL, 1, ''), (4, 'É', 1, '')`, `(1, 'BOB', 1, ''), (5, 'ann', 1, ''), (3, NULL, 1, ''), (4, 'é', 1, '')`, `(7, 'aNN', 1, '')`},
			want: []string{"[Ann]: 0/[1] 1/[5] 2/[7]", "[Bob]: 0/[2] 1/[1]"}, limit: 9, total: 2,
		},
		{
			name: "one winner by level, then by age", schema: plain + `CREATE UNIQUE INDEX u ON p("the name")`,
			rows: []string{`(1, 'a', 1, 'x'), (2, 'b', 5, 'B')`, `(3, 'a', 9, 'x'), (4, 'b', 5, 'a')`, `(5, 'a', 9, 'x'), (6, 'b', 5, 'C')`},
			want: []string{"[a]: 1/[3] 2/[5] 0/[1]", "[b]: 1/[4] 0/[2] 2/[6]"}, winner: "(SELECT max(q.level, 0) FROM p AS q WHERE q.id = p.id) DESC, made /* , */", limit: 9, total: 2,
		},
		{
			name: "a partial index", schema: plain + `CREATE UNIQUE INDEX u ON p("the name", level DESC) WHERE made <> 'gone, WHERE ('`,
			rows: []string{`(1, 'a', 1, 'x'), (2, 'b', 1, 'gone, WHERE (')`, `(3, 'a', 1, 'x'), (4, 'b', 1, 'x'), (5, 'a', 2, '')`},
			want: []string{"[a 1]: 0/[1] 1/[3]"}, limit: 9, total: 1,
		},
		{
			name: "an index over expressions", schema: plain + `CREATE UNIQUE INDEX u ON p(lower(replace("the name", ',', '(')) COLLATE BINARY DESC, level % 2)`,
			rows: []string{`(1, 'A,', 1, '')`, `(2, 'a(', 3, ''), (3, 'A,', 2, '')`},
			want: []string{"[a( 1]: 0/[1] 1/[2]"}, limit: 9, total: 1,
		},
		{
			name: "one that the plan declares, by another collation", schema: plain, unique: &merge.Unique{Table: "p", Columns: []string{"the name"}},
			rows: []string{`(1, 'a ', 1, ''), (2, 'a', 1, ''), (3, 'q', 1, ''), (4, 'q ', 1, '')`, `(9, 'a', 1, '')`}, collate: "RTRIM",
			want: []string{"[a ]: 0/[1] 0/[2] 1/[9]"}, limit: 9, total: 1,
		},
		{
			name: "more than the limit", schema: plain,
			rows: []string{`(-3, '', 1, ''), (9223372036854775807, '', 1, ''), (5, '', 1, '')`, `(-3, '', 1, ''), (9223372036854775807, '', 1, ''), (5, '', 1, '')`},
			want: []string{"[-3]: 0/[-3] 1/[-3]", "[5]: 0/[5] 1/[5]"}, limit: 2, total: 3,
		},
		{
			name: "a key that mixes classes", schema: `CREATE TABLE p(id INT PRIMARY KEY) WITHOUT ROWID`,
			rows: []string{`('abc'), (1), ('x1')`, `('abc'), ('1'), ('ABC')`},
			want: []string{"[1]: 0/[1] 1/[1]", "[abc]: 0/[abc] 1/[abc]"}, limit: 9, total: 2,
		},
		{
			name: "no key", schema: `CREATE TABLE p(a UNIQUE)`, rows: []string{`('x')`, `('x')`}, want: []string{"[x]: 0/[] 1/[]"}, limit: 9, total: 1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := sqlite.New()
			var texts []string
			for _, rows := range tt.rows {
				texts = append(texts, tt.schema+"; INSERT INTO p VALUES "+rows)
			}
			shards := several(t, e, texts...)
			u := tt.unique
			if u == nil {
				all := shards[0].Schema().Table("p").Uniques
				u = all[len(all)-1]
			}
			got, total, err := e.Clashes(context.Background(), shards, *u, tt.collate, tt.winner, tt.limit)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, story(got)); d != "" || total != tt.total {
				t.Errorf("Clashes: total %d, want %d (-want +got):\n%s", total, tt.total, d)
			}
		})
	}
}

// Numbers that lead to one row clash where they differ, and where they lead to two, equal ones do not; what means nobody stays. Rows without a key are known by what the search says.
func TestClashesOfImages(t *testing.T) {
	const homes = "CREATE TABLE home(n INT, owner INT, name TEXT COLLATE NOCASE, UNIQUE(owner, name)); INSERT INTO home VALUES "
	e := sqlite.New()
	shards := several(t, e, homes+"(1, 1, 'a'), (2, 2, 'a'), (3, 0, 'a')", homes+"(7, 5, 'A'), (8, 2, 'a'), (9, 0, 'a'), (NULL, 5, 'b')")
	leads, err := merge.NewKeyMap([]merge.Run{{Old: 5, Count: 1, New: 1, Rule: merge.Fold}, {Old: 2, Count: 1, New: 4, Rule: merge.Shift}, {Old: 0, Count: 1, New: 6, Rule: merge.Shift}})
	if err != nil {
		t.Fatal(err)
	}
	u := *shards[0].Schema().Table("home").Uniques[0]
	u.Key, u.Images = []string{"n"}, [][]merge.Case{nil, {{Map: leads, None: []any{int64(0)}}, {}}}
	got, total, err := e.Clashes(context.Background(), shards, u, "", "", 9)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"[0 a]: 0/[3] 1/[9]", "[1 a]: 0/[1] 1/[7]"}, story(got)); d != "" || total != 2 {
		t.Errorf("Clashes: total %d, want 2 (-want +got):\n%s", total, d)
	}
	if v := got[1].Rows[1].Values; v[0] != any(int64(5)) {
		t.Errorf("the later row holds %v, want what stands there: 5", v)
	}
}

func TestClashesOfManyShards(t *testing.T) {
	e := sqlite.New()
	var texts []string
	for i := range 23 {
		texts = append(texts, fmt.Sprintf("CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT UNIQUE); INSERT INTO p VALUES (%d, 'same'), (%d, 'own %d')", i+100, i+200, i))
	}
	texts[4] = "CREATE TABLE other(id)"
	got, total, err := e.Clashes(context.Background(), several(t, e, texts...), merge.Unique{Table: "P", Columns: []string{"Name"}}, "", "id DESC NULLS LAST", 10)
	if err != nil {
		t.Fatal(err)
	}
	if total != 1 || len(got) != 1 || len(got[0].Rows) != 22 || got[0].Rows[0].Shard != 22 || got[0].Rows[21].Shard != 0 {
		t.Errorf("Clashes = %v (%d); want one of 22 rows, from shard 22 down to shard 0", story(got), total)
	}
}

func TestSameRows(t *testing.T) {
	tests := []struct {
		name, schema, a, b string
		limit              int64
		shared, equal      int64
	}{
		{"a key", "CREATE TABLE t(id INTEGER PRIMARY KEY, v)", "(1, 'a'), (2, 'b'), (3, NULL), (4, 1), (5, 'x')", "(1, 'a'), (2, 'B'), (3, NULL), (4, 1.0), (9, 'x')", 0, 4, 2},
		{"a limit", "CREATE TABLE t(id INTEGER PRIMARY KEY, v)", "(1, 'a'), (2, 'b'), (3, NULL)", "(1, 'a'), (2, 'B'), (3, NULL)", 2, 2, 1},
		{"a collation", "CREATE TABLE t(id TEXT PRIMARY KEY, v TEXT COLLATE NOCASE) WITHOUT ROWID", "('a', 'x'), ('b', 'y')", "('a', 'X'), ('b', 'y')", 0, 2, 1},
		{"a narrow unique beside it", "CREATE TABLE t(id INTEGER PRIMARY KEY, v UNIQUE)", "(1, 'a'), (2, 'b')", "(1, 'b'), (2, 'a')", 0, 2, 0},
		{"no key", "CREATE TABLE t(id, v)", "(1, 'a'), (1, 'a'), (2, NULL), (3, 1)", "(1, 'a'), (2, NULL), (2, NULL), (3, 1.0)", 0, 2, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := sqlite.New()
			s := several(t, e, tt.schema+"; INSERT INTO t VALUES "+tt.a, tt.schema+"; INSERT INTO t VALUES "+tt.b)
			shared, equal, err := e.SameRows(context.Background(), s[0], s[1], "t", nil, tt.limit)
			if err != nil || shared != tt.shared || equal != tt.equal {
				t.Errorf("SameRows = %d, %d, %v; want %d, %d", shared, equal, err, tt.shared, tt.equal)
			}
		})
	}
	e := sqlite.New()
	s := several(t, e, "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT, gone); INSERT INTO t VALUES (1, '5', 1)", "CREATE TABLE T(v INT, ID INTEGER PRIMARY KEY); INSERT INTO t VALUES ('5', 1)")
	if shared, equal, err := e.SameRows(context.Background(), s[0], s[1], "t", nil, 0); err != nil || shared != 1 || equal != 0 {
		t.Errorf("SameRows of text and integer = %d, %d, %v; want 1, 0", shared, equal, err)
	}
}
