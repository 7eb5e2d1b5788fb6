package discover_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// What tells kinds apart may be declared as anything but bytes or a fraction.
func TestKindsOfAnyType(t *testing.T) {
	for _, declared := range []string{"INT", "NUMERIC", "DECIMAL(1,0)", "BOOLEAN", "BIT", "", "TEXT"} {
		shards := realm(t, `CREATE TABLE items (object_id INTEGER PRIMARY KEY, plus INT);
			CREATE TABLE shortcuts (owner INT, slot INT, type `+declared+`, target_id INT)`, func(r *rand.Rand, exec func(string, ...any)) {
			items, _ := living(r, 900, 0.2)
			for _, k := range items {
				exec("INSERT INTO items VALUES (?, ?)", k, r.IntN(10))
			}
			for i := range 600 {
				if i%2 == 0 {
					exec("INSERT INTO shortcuts VALUES (?, ?, 1, ?)", i, i%12, items[r.IntN(len(items))])
				} else {
					exec("INSERT INTO shortcuts VALUES (?, ?, 2, ?)", i, i%12, 5000+r.Int64N(900))
				}
			}
		})
		if p := find(run(t, shards, discover.Options{}), "shortcuts.target_id"); p == nil || p.To[0].String() != "items.object_id" || p.When == "" {
			t.Errorf("type %s: got %+v, want items.object_id when the type says so", declared, p)
		}
	}
}
