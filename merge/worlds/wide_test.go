package worlds

import (
	"fmt"
	"strings"
	"testing"
)

// TestWideTables merges and proves tables of 1,010 columns (SQLite takes 2,000) with a key, without one and combined, and a key of 64 columns.
func TestWideTables(t *testing.T) {
	columns := func(prefix string, n int, kind string) string {
		words := make([]string, n)
		for i := range words {
			words[i] = fmt.Sprintf("%s%d%s", prefix, i, kind)
		}
		return strings.Join(words, ", ")
	}
	wide := columns("c", 1010, " INT")
	fill := func(shard int) string {
		key := strings.Repeat("7, ", 63)
		return fmt.Sprintf(`CREATE TABLE p(id INTEGER PRIMARY KEY, n TEXT); CREATE TABLE g(id INTEGER PRIMARY KEY, owner INT REFERENCES p(id), %[1]s); CREATE TABLE bag(owner INT REFERENCES p(id), %[1]s);
CREATE TABLE u(id INTEGER PRIMARY KEY, %[1]s); CREATE TABLE w(%[2]s, v INT, PRIMARY KEY(%[3]s));
INSERT INTO p VALUES (1, 'a%[4]d'), (2, 'b%[4]d'); INSERT INTO g(id, owner, c1, c1009) VALUES (1, 2, %[4]d, 8); INSERT INTO bag(owner, c1009) VALUES (2, %[4]d);
INSERT INTO u(id, c1, c1009) VALUES (1, %[4]d, 8), (2, 1, 1); INSERT INTO w VALUES (%[5]s%[4]d, 5);`,
			wide, columns("k", 64, " INT"), columns("k", 64, ""), shard, key)
	}
	c := edge{first: fill(1), second: fill(2), plan: `tables: [{table: p, rows: merge}, {table: g, rows: merge}, {table: bag, rows: merge}, {table: u, rows: union, columns: {c1: sum, c1009: max}}, {table: w, rows: merge}]
keys: [{key: p.id, new: shift}, {key: g.id, new: shift}]
references: [{from: 'g.c*', as: keep}, {from: 'bag.c*', as: keep}, {from: 'u.c*', as: keep}, {from: 'w.*', as: keep}]`}
	res, path := c.merge(t, "")
	if path == "" {
		t.Fatalf("not merged: %+v %+v", res.Findings, res.Undecided)
	}
	var got string
	db := open(t, path)
	if err := db.QueryRow(`SELECT (SELECT group_concat(id || ' ' || owner || ' ' || c1) FROM g) || '; ' || (SELECT group_concat(owner || ' ' || c1009) FROM bag) || '; ' || (SELECT group_concat(c1) FROM u) || '; ' || (SELECT count(*) FROM w)`).Scan(&got); err != nil {
		t.Fatal(err)
	}
	if want := "1 2 1,2 4 2; 2 1,4 2; 3,2; 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
