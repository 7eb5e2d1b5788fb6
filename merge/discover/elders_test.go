package discover_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// The parents of rows are older than these and die before them, so that many are gone: what is named like a parent and holds older rows alone is asked about as such.
func TestParentsWhoseRowsAreGone(t *testing.T) {
	shards := realm(t, `CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE pets (id INTEGER PRIMARY KEY, owner_id INT, mother INT, father INT)`, func(r *rand.Rand, exec func(string, ...any)) {
		for k := range 200 {
			exec("INSERT INTO players VALUES (?, hex(randomblob(6)))", k+1)
			var parents [2]any
			for i := range parents {
				if k > 0 && r.IntN(3) == 0 {
					parents[i] = r.IntN(k) + 1
				}
			}
			exec("INSERT INTO pets VALUES (?, ?, ?, ?)", k+1, r.IntN(200)+1, parents[0], parents[1])
		}
		exec("DELETE FROM pets WHERE id % 4 = 1")
	})
	asked := map[string]bool{}
	for _, f := range run(t, shards, discover.Options{}).Proposals {
		if slices.Equal(f.To, []merge.Col{{Table: "pets", Name: "id"}}) {
			asked[f.From[0].Name] = true
		}
	}
	if !asked["mother"] || !asked["father"] || asked["owner_id"] {
		t.Errorf("asked whether pets.id is in %v, want mother and father", asked)
	}
}
