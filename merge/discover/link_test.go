package discover_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// Both halves of a link between two rows of a small table are asked about, though neither has values enough to show alone what it holds. Cells of a map, a place in a
// list and a kind are not.
func TestLinksBetweenRowsOfASmallTable(t *testing.T) {
	const ddl = `CREATE TABLE unions (union_id INTEGER PRIMARY KEY, uname TEXT);
		CREATE TABLE heroes (hero_id INTEGER PRIMARY KEY, union_id INT);
		CREATE TABLE diplomacy (u1 INT, u2 INT, rel INT, PRIMARY KEY (u1, u2));
		CREATE TABLE wars (war INTEGER PRIMARY KEY, a INT, b INT, deaths INT, UNIQUE (a, b));
		CREATE TABLE tiles (x INT, y INT, soil INT, PRIMARY KEY (x, y));
		CREATE TABLE belt (hero_id INT, slot INT, what INT, PRIMARY KEY (hero_id, slot))`
	for _, n := range []int64{6, 12, 24} {
		r := run(t, realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
			unions, _ := living(r, n, 0.15)
			heroes, _ := living(r, 200, 0.1)
			one := func(list []int64) int64 { return list[r.IntN(len(list))] }
			for _, k := range unions {
				exec("INSERT INTO unions VALUES (?, hex(randomblob(6)))", k)
			}
			for _, k := range heroes {
				exec("INSERT INTO heroes VALUES (?, ?)", k, one(unions))
				for slot := range 5 {
					exec("INSERT INTO belt VALUES (?, ?, ?)", k, slot+1, r.IntN(3000)+1)
				}
			}
			for k := range 3 * n {
				exec("INSERT OR IGNORE INTO diplomacy VALUES (?, ?, ?)", one(unions), one(unions), r.IntN(3)+1)
				exec("INSERT OR IGNORE INTO wars VALUES (?, ?, ?, ?)", k, one(unions), one(unions), r.IntN(9000))
			}
			for k := range n * n {
				exec("INSERT INTO tiles VALUES (?, ?, ?)", k%n+1, k/n+1, r.IntN(9)+1)
			}
		}), discover.Options{})
		for _, c := range []string{"diplomacy.u1", "diplomacy.u2", "wars.a", "wars.b"} {
			if p := find(r, c); p == nil || p.To[0].String() != "unions.union_id" {
				t.Errorf("up to %d unions: %s: got %+v, want a question whether it holds them", n, c, p)
			}
		}
		for _, c := range []string{"tiles.x", "tiles.y", "belt.slot", "diplomacy.rel", "tiles.soil"} {
			if p := find(r, c); p != nil {
				t.Errorf("up to %d unions: %s is a number, got %+v", n, c, p)
			}
		}
	}
}
