package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

func value(n int64, parts ...any) merge.ValueCount { return merge.ValueCount{Value: parts, Rows: n} }

func col(table, name string) merge.Col { return merge.Col{Table: table, Name: name} }

func TestMeasureIntegers(t *testing.T) {
	scattered := merge.NewKeySet()
	for i := range int64(400) {
		scattered.Add(1_000_000_007 * i)
	}
	tests := []struct {
		name, schema, rows, when string
		none                     []any
		alive, moving            *merge.KeySet
		want                     merge.RefCount
	}{
		{
			name: "storage classes", schema: "x", rows: "(1), (2), (2), (3), (NULL), (0), ('2'), ('02'), ('9'), (9), (5.0), (1.5), ('1e0'), (x'31'), ('')",
			none: []any{int64(0)}, alive: merge.NewKeySet(1, 2, 5), moving: merge.NewKeySet(2),
			want: merge.RefCount{
				Rows: 13, Alive: 4, Moving: 3, AsText: 2,
				Dead:  []merge.ValueCount{value(1, int64(3)), value(2, int64(9))},
				Other: []merge.ValueCount{value(1, 1.5), value(1, 5.0), value(1, ""), value(1, "02"), value(1, "1e0"), value(1, []byte("1"))},
			},
		},
		{
			name: "negative positions of substr", schema: "x INTEGER", rows: "(-1), (-2), (0), (10), (11), (12), (13)",
			alive: merge.NewKeySet(10, 12), moving: merge.NewKeySet(12),
			want: merge.RefCount{Rows: 7, Alive: 2, Moving: 1, Dead: []merge.ValueCount{value(1, int64(-2)), value(1, int64(-1)), value(1, int64(0)), value(1, int64(11)), value(1, int64(13))}},
		},
		{
			name: "the ends of the range", schema: "x INTEGER", rows: "(9223372036854775807), (-9223372036854775808), (0)",
			alive: merge.NewKeySet(1<<63-1, -1<<63), moving: merge.NewKeySet(1<<63 - 1),
			want: merge.RefCount{Rows: 3, Alive: 2, Moving: 1, Dead: []merge.ValueCount{value(1, int64(0))}},
		},
		{
			name: "a scattered set", schema: "x INTEGER", rows: "(0), (1000000007), (1000000007), (5)", alive: scattered, moving: merge.NewKeySet(1_000_000_007),
			want: merge.RefCount{Rows: 4, Alive: 3, Moving: 2, Dead: []merge.ValueCount{value(1, int64(5))}},
		},
		{
			name: "nobody in text", schema: "x TEXT", rows: "('0'), (''), ('7'), ('8')", none: []any{int64(0), ""}, alive: merge.NewKeySet(7),
			want: merge.RefCount{Rows: 2, Alive: 1, AsText: 2, Dead: []merge.ValueCount{value(1, int64(8))}},
		},
		{
			name: "a condition with a comment", schema: "x INTEGER, kind DEFAULT 1", rows: "(1), (2)", when: "kind = 1 AND x > 1 -- only these", alive: merge.NewKeySet(1),
			want: merge.RefCount{Rows: 1, Dead: []merge.ValueCount{value(1, int64(2))}},
		},
		{
			name: "no keys at all", schema: "x INTEGER", rows: "(1)", alive: merge.NewKeySet(),
			want: merge.RefCount{Rows: 1, Dead: []merge.ValueCount{value(1, int64(1))}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fromSQL(t, `CREATE TABLE "the ""table"" of"(`+tt.schema+`); INSERT INTO "the ""table"" of"(x) VALUES `+tt.rows)
			r := &merge.Reference{From: []merge.Col{col(`the "table" of`, "x")}, To: []merge.Col{col("p", "id")}, None: tt.none, When: tt.when}
			got, err := s.Measure(context.Background(), merge.RefQuery{Reference: r, Alive: tt.alive, Moving: tt.moving})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(&tt.want, got); d != "" {
				t.Errorf("Measure (-want +got):\n%s", d)
			}
		})
	}
}

func TestMeasureByTheTarget(t *testing.T) {
	tests := []struct {
		name, schema string
		from, to     []merge.Col
		want         merge.RefCount
	}{
		{
			name:   "a text key by its collation",
			schema: `CREATE TABLE p(name TEXT COLLATE NOCASE UNIQUE); INSERT INTO p VALUES ('Ann'), ('12'); CREATE TABLE c(" = " , n); INSERT INTO c VALUES ('ANN', 1), ('Bob', 1), ('bob', 1), (12, 1), (NULL, 1);`,
			from:   []merge.Col{col("c", " = ")}, to: []merge.Col{col("p", "name")},
			want: merge.RefCount{Rows: 4, Alive: 2, Dead: []merge.ValueCount{value(1, "Bob"), value(1, "bob")}},
		},
		{
			name:   "a composite key, match simple",
			schema: `CREATE TABLE p(a INT, b INT, PRIMARY KEY(a, b)); INSERT INTO p VALUES (1, 1), (1, 2); CREATE TABLE c(x INT, y INT); INSERT INTO c VALUES (1, 1), (1, NULL), (NULL, 9), (1, 3), (1, 3), (2, 1);`,
			from:   []merge.Col{col("c", "x"), col("c", "y")}, to: []merge.Col{col("p", "a"), col("p", "b")},
			want: merge.RefCount{Rows: 4, Alive: 1, Dead: []merge.ValueCount{value(2, int64(1), int64(3)), value(1, int64(2), int64(1))}},
		},
		{
			name:   "a target that is no key and repeats",
			schema: `CREATE TABLE p(name TEXT); INSERT INTO p VALUES ('a'), ('a'); CREATE TABLE c(n TEXT); INSERT INTO c VALUES ('a'), ('b');`,
			from:   []merge.Col{col("c", "n")}, to: []merge.Col{col("p", "name")},
			want: merge.RefCount{Rows: 2, Alive: 1, Dead: []merge.ValueCount{value(1, "b")}},
		},
		{
			name:   "to itself",
			schema: `CREATE TABLE c(id TEXT PRIMARY KEY, boss TEXT); INSERT INTO c VALUES ('a', 'b'), ('b', NULL), ('c', 'z');`,
			from:   []merge.Col{col("c", "boss")}, to: []merge.Col{col("c", "id")},
			want: merge.RefCount{Rows: 2, Alive: 1, Dead: []merge.ValueCount{value(1, "z")}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := fromSQL(t, tt.schema).Measure(context.Background(), merge.RefQuery{Reference: &merge.Reference{From: tt.from, To: tt.to}})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(&tt.want, got); d != "" {
				t.Errorf("Measure (-want +got):\n%s", d)
			}
		})
	}
}

func TestConditionsAreOneExpression(t *testing.T) {
	s := fromSQL(t, `CREATE TABLE t(a, "b)" DEFAULT 1); INSERT INTO t(a) VALUES (1), (2), (3)`)
	for condition, want := range map[string]int64{
		"a > 1":                             2,
		"a > 1 -- a comment":                2,
		"a = 1 OR a = 2":                    2,
		"a IN (SELECT max(a) FROM t)":       1,
		`"b)" = 1`:                          3,
		"":                                  3,
		"a = ')' OR a = 1 /* ) */":          1,
		"CASE WHEN a < 3 THEN 1 ELSE 0 END": 2,
	} {
		if got, err := s.Count(context.Background(), "t", condition); err != nil || got != want {
			t.Errorf("Count(%q) = %d, %v; want %d", condition, got, err, want)
		}
	}
	for _, condition := range []string{
		"1) OR (1", "1); SELECT (1", "1)); SELECT ((1", "1; SELECT 1", "1 AS NUMERIC) OR CAST(1", "a = ?1", "a = :x", "nothing", "a >", "-- nothing", "/* open", "count(*) > 1", "1, 2",
	} {
		got, err := s.Count(context.Background(), "t", condition)
		var bad *sqlite.ConditionError
		if !errors.As(err, &bad) {
			t.Errorf("Count(%q) = %d, %v; want a *ConditionError", condition, got, err)
		}
	}
}

func TestValues(t *testing.T) {
	s := fromSQL(t, `CREATE TABLE t(d TIMESTAMP, b BOOLEAN, x COLLATE NOCASE); INSERT INTO t VALUES ('2024-01-02 03:04:05', 5, 'a'), (1700000000, 5, 'A'), (NULL, 1, 'a'), (NULL, 1, 1), (NULL, 1, 1.0)`)
	tests := []struct {
		column, when string
		limit        int
		want         []merge.ValueCount
	}{
		{"d", "", 0, []merge.ValueCount{value(3, nil), value(1, int64(1700000000)), value(1, "2024-01-02 03:04:05")}},
		{"b", "", 9, []merge.ValueCount{value(3, int64(1)), value(2, int64(5))}},
		{"x", "", 1, []merge.ValueCount{value(2, "a")}},
		{"x", "b = 5", 9, []merge.ValueCount{value(1, "A"), value(1, "a")}},
	}
	for _, tt := range tests {
		got, err := s.Values(context.Background(), col("t", tt.column), tt.when, tt.limit)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("Values(%s, %q) (-want +got):\n%s", tt.column, tt.when, d)
		}
	}
	if got, _ := s.Values(context.Background(), col("t", "x"), "", 0); len(got) != 4 || fmt.Sprint(got[0]) != "{[a] 2}" {
		t.Errorf("Values(x) = %v; want a twice, A, 1 and 1.0", got)
	}
	pairs, err := s.Tuples(context.Background(), []merge.Col{col("t", "b"), col("t", "x")}, "b IS NOT NULL", 3)
	want := []merge.ValueCount{value(1, int64(1), int64(1)), value(1, int64(1), 1.0), value(1, int64(1), "a")}
	if d := cmp.Diff(want, pairs); err != nil || d != "" {
		t.Errorf("Tuples(b, x): %v (-want +got):\n%s", err, d)
	}
}
