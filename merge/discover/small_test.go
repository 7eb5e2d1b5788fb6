package discover_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// offers are the keys that a column is asked about with.
func offers(r *discover.Result, column string) (list []merge.Col, asked bool) {
	for _, p := range r.Proposals {
		if p.From[0].String() == column {
			list, asked = append(append(list, p.To[0]), p.Others...), true
		}
	}
	for _, u := range r.Unplaced {
		if u.Col.String() == column {
			list, asked = append(list, u.Fits...), true
		}
	}
	return list, asked
}

// A dead row or two of a small table hide no key that the others hold, and make nothing surer.
func TestStrayRowsHideNoCandidate(t *testing.T) {
	for _, tt := range []struct {
		column       string
		rows, strays int
		offered      bool
	}{
		{"steward_id", 29, 1, true},
		{"steward_id", 29, 2, true},
		{"steward_id", 12, 1, true},
		{"steward_id", 12, 4, false},
		{"steward_id", 200, 2, true},
		{"steward_id", 200, 60, false},
		{"tended", 29, 1, true},
	} {
		shards := realm(t, "CREATE TABLE denizens (nr INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE plots (id INTEGER PRIMARY KEY, "+tt.column+" INT)", func(r *rand.Rand, exec func(string, ...any)) {
			alive, dead := living(r, 300, 0.2)
			for _, k := range alive {
				exec("INSERT INTO denizens VALUES (?, hex(randomblob(6)))", k)
			}
			for i := range tt.rows {
				v := alive[r.IntN(len(alive))]
				if i < tt.strays {
					v = dead[r.IntN(len(dead))]
				}
				exec("INSERT INTO plots VALUES (?, ?)", i+1, v)
			}
		})
		result := run(t, shards, discover.Options{})
		list, _ := offers(result, "plots."+tt.column)
		name := fmt.Sprintf("plots.%s, %d rows of which %d are dead", tt.column, tt.rows, tt.strays)
		if got := slices.Contains(list, merge.Col{Table: "denizens", Name: "nr"}); got != tt.offered {
			t.Errorf("%s: asked about with %v, want denizens.nr among them: %v", name, list, tt.offered)
		}
		if p := find(result, "plots."+tt.column); p != nil && p.Grade != merge.Doubtful && float64(tt.strays) > 0.03*float64(tt.rows) {
			t.Errorf("%s: got %+v, want no more than a question", name, p)
		}
	}
}
