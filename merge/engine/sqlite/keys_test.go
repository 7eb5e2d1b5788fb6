package sqlite_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/gameid/gameid/merge"
)

func TestKeys(t *testing.T) {
	const count = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1000) "
	tests := []struct {
		name, schema                string
		rows, nulls, other, highest int64
		want                        func(yield func(int64))
	}{
		{"a run", "CREATE TABLE t(k INTEGER PRIMARY KEY, v); " + count + "INSERT INTO t SELECT x - 500, 0 FROM c", 1000, 0, 0, 0, func(y func(int64)) {
			for i := range int64(1000) {
				y(i - 499)
			}
		}},
		{"holes, full blocks and negative keys", "CREATE TABLE t(k INTEGER PRIMARY KEY); " + count + "INSERT INTO t SELECT x - 500 FROM c WHERE x < 400 OR x % 3 = 0", 599, 0, 0, 0, func(y func(int64)) {
			for x := int64(1); x <= 1000; x++ {
				if x < 400 || x%3 == 0 {
					y(x - 500)
				}
			}
		}},
		{"columns that hide the names of a query", "CREATE TABLE t(k INTEGER PRIMARY KEY, x DEFAULT 1, b DEFAULT 1, i DEFAULT 1); INSERT INTO t(k) VALUES (1), (70), (140), (210), (211), (212), (213), (214), (215), (216), (217), (218), (219), (220), (221), (222), (223), (224), (225), (226), (227), (228), (229), (230), (231)", 25, 0, 0, 0, func(y func(int64)) {
			y(1)
			y(70)
			y(140)
			for i := range int64(22) {
				y(210 + i)
			}
		}},
		{"the highest key, with the sign bit of a block", "CREATE TABLE t(k INTEGER PRIMARY KEY); INSERT INTO t VALUES (9223372036854775744), (9223372036854775806), (9223372036854775807)", 3, 0, 0, 0, func(y func(int64)) {
			y(1<<63 - 64)
			y(1<<63 - 2)
			y(1<<63 - 1)
		}},
		{"a scattered key", "CREATE TABLE t(k INTEGER PRIMARY KEY); INSERT INTO t VALUES (-9223372036854775808), (0), (9223372036854775807)", 3, 0, 0, 0, func(y func(int64)) {
			y(-1 << 63)
			y(0)
			y(1<<63 - 1)
		}},
		{"a key that keeps text", "CREATE TABLE t(k INT PRIMARY KEY); INSERT INTO t VALUES ('abc'), ('12'), (NULL), (NULL), (1.5), (3)", 6, 2, 2, 0, func(y func(int64)) { y(3); y(12) }},
		{"nulls in a unique column", "CREATE TABLE t(k INT UNIQUE, v); INSERT INTO t VALUES (NULL, 1), (NULL, 2), (7, 3), (9, 4)", 4, 2, 0, 0, func(y func(int64)) { y(7); y(9) }},
		{"no rowid", "CREATE TABLE t(k INTEGER PRIMARY KEY DESC, v) WITHOUT ROWID; INSERT INTO t VALUES (5, 1), (6, 1), (8, 1)", 3, 0, 0, 0, func(y func(int64)) { y(5); y(6); y(8) }},
		{"not unique", "CREATE TABLE t(k); INSERT INTO t VALUES (5), (5), (NULL), (x'00'), (4)", 5, 1, 1, 0, func(y func(int64)) { y(4); y(5) }},
		{"empty", "CREATE TABLE t(k INTEGER PRIMARY KEY)", 0, 0, 0, 0, func(func(int64)) {}},
		{"a counter", "CREATE TABLE t(k INTEGER PRIMARY KEY AUTOINCREMENT, v); INSERT INTO t VALUES (3, 1), (90, 1); DELETE FROM t WHERE k = 90", 1, 0, 0, 90, func(y func(int64)) { y(3) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := fromSQL(t, tt.schema).Keys(context.Background(), col("T", "K"))
			if err != nil {
				t.Fatal(err)
			}
			var want []int64
			tt.want(func(k int64) { want = append(want, k) })
			if keys := slices.Collect(got.Set.All()); !slices.Equal(keys, want) {
				t.Errorf("keys %v, want %v", keys, want)
			}
			if got.Rows != tt.rows || got.Nulls != tt.nulls || got.Other != tt.other || got.Highest != tt.highest {
				t.Errorf("rows %d, nulls %d, other %d, highest %d; want %d, %d, %d, %d", got.Rows, got.Nulls, got.Other, got.Highest, tt.rows, tt.nulls, tt.other, tt.highest)
			}
		})
	}
}

func TestSample(t *testing.T) {
	const fill = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 50000) INSERT INTO t"
	for name, schema := range map[string]string{
		"rowid":     "CREATE TABLE t(id INTEGER PRIMARY KEY, v); " + fill + " SELECT x, x FROM c",
		"holes":     "CREATE TABLE t(v, i DEFAULT 1, p DEFAULT 1); " + fill + "(v) SELECT x FROM c; DELETE FROM t WHERE v % 2",
		"scattered": "CREATE TABLE t(id INTEGER PRIMARY KEY, v); " + fill + " SELECT x * 1000003, x FROM c",
		"no rowid":  "CREATE TABLE t(v INTEGER PRIMARY KEY) WITHOUT ROWID; " + fill + " SELECT x FROM c",
		"key parts": "CREATE TABLE t(a TEXT COLLATE NOCASE, v INT, PRIMARY KEY (a, v)) WITHOUT ROWID; " + fill + " SELECT CASE WHEN x < 20000 THEN 'a' ELSE 'B' END, x FROM c",
		"hidden":    "CREATE TABLE t(rowid, _rowid_, oid, v); " + fill + " SELECT x, x, x, x FROM c",
	} {
		t.Run(name, func(t *testing.T) {
			s := fromSQL(t, schema)
			got, err := s.Sample(context.Background(), col("t", "v"), 100)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(got.Values); got.Complete || n < 90 || n > 100 || len(got.Weights) != n || !slices.IsSorted(got.Values) {
				t.Fatalf("complete %v, %d values, %d weights: want about 100 in order", got.Complete, n, len(got.Weights))
			}
			for i := 1; i < len(got.Values); i++ {
				if d := got.Values[i] - got.Values[i-1]; d < 100 || d > 2000 {
					t.Fatalf("values %d and %d are not spread over the table", got.Values[i-1], got.Values[i])
				}
			}
			again, err := s.Sample(context.Background(), col("t", "v"), 100)
			if err != nil || !slices.Equal(again.Values, got.Values) {
				t.Errorf("a second sample differs (%v)", err)
			}
		})
	}
	got, err := fromSQL(t, "CREATE TABLE t(v); INSERT INTO t VALUES (1), (1), (3), (NULL), ('x'), (1.5), (2)").Sample(context.Background(), col("t", "v"), 3)
	if err != nil || !got.Complete || !slices.Equal(got.Values, []int64{1, 2, 3}) || !slices.Equal(got.Weights, []int64{2, 1, 1}) || got.Other != 2 || got.Rows != 7 {
		t.Errorf("Sample = %+v, %v; want 1 (twice), 2 and 3, complete, 2 others of 7 rows", got, err)
	}
}

// TestRealGame holds the figures against what plain SQL says.
func TestRealGame(t *testing.T) {
	s := fromFile(t, realGame(t, "s1.db"))
	ctx := context.Background()
	players, err := s.Keys(ctx, col("players", "id"))
	if err != nil {
		t.Fatal(err)
	}
	if players.Rows != 2000 || players.Set.Len() != 2000 {
		t.Errorf("players: %d rows, %d keys; want 2000", players.Rows, players.Set.Len())
	}
	r := &merge.Reference{From: []merge.Col{col("bank", "playerID")}, To: []merge.Col{col("players", "id")}}
	c, err := s.Measure(ctx, merge.RefQuery{Reference: r, Alive: players.Set})
	if err != nil {
		t.Fatal(err)
	}
	alive, err := s.Count(ctx, "bank", "playerID IN (SELECT id FROM players)")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Rows(ctx, "bank")
	if err != nil || c.Rows != rows || c.Alive != alive || alive == 0 {
		t.Errorf("bank: %d of %d alive; want %d of %d (%v)", c.Alive, c.Rows, alive, rows, err)
	}
}

// TestKinds tells columns of texts from others: by what they store, whatever they are declared, and by different values, not by rows.
func TestKinds(t *testing.T) {
	const rows = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < %d) INSERT INTO t "
	for name, n := range map[string]int{"whole": 40, "sampled": 50_000} {
		t.Run(name, func(t *testing.T) {
			s := fromSQL(t, "CREATE TABLE t(id INTEGER PRIMARY KEY, name STRING, few INT, both, empty, data BLOB, g TEXT AS (name));"+
				fmt.Sprintf(rows, n)+"SELECT x, 'a' || x, iif(x % 7 < 4, 'none', x), iif(x % 7 < 4, 'a' || x, x), iif(x % 3, '', NULL), randomblob(9) FROM c")
			got, err := s.Kinds(context.Background(), "T")
			if err != nil {
				t.Fatal(err)
			}
			if k := got["name"]; k.Texts == 0 || k.Others > 0 {
				t.Errorf("name: got %+v, want texts alone", k)
			}
			if k := got["few"]; k.Texts != 1 || k.Others < 15 {
				t.Errorf("few: got %+v, want one text beside many numbers", k)
			}
			if k := got["both"]; k.Texts < 15 || k.Others < 15 {
				t.Errorf("both: got %+v, want texts and numbers", k)
			}
			if k := got["data"]; k.Texts > 0 || k.Others == 0 {
				t.Errorf("data: got %+v, want bytes alone", k)
			}
			if k := got["empty"]; k != (merge.Kinds{}) {
				t.Errorf("empty: got %+v, want nothing", k)
			}
			if _, ok := got["g"]; ok {
				t.Error("a computed column was looked at")
			}
		})
	}
}
