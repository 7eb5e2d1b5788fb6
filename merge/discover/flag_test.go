package discover_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// A column that is named after a table and its key is no plain reference to it where a flag beside it says that other rows hold another table's keys.
func TestFlagBesideAColumnThatNamesItsTable(t *testing.T) {
	for _, share := range []float64{0, 0.05, 0.1, 0.2, 0.3} {
		for _, flag := range []string{"is_bot", "owner_type"} {
			shards := realm(t, `CREATE TABLE character_data (id INTEGER PRIMARY KEY, name TEXT);
				CREATE TABLE mercs (merc_id INTEGER PRIMARY KEY, plus INT);
				CREATE TABLE group_id (groupid INT, character_id INT, `+flag+` INT)`, func(r *rand.Rand, exec func(string, ...any)) {
				characters, _ := living(r, 400, 0.15)
				mercs, _ := living(r, 300, 0.15)
				for _, k := range characters {
					exec("INSERT INTO character_data VALUES (?, hex(randomblob(6)))", k)
				}
				for _, k := range mercs {
					exec("INSERT INTO mercs VALUES (?, ?)", k, r.IntN(9))
				}
				for i := range 600 {
					if r.Float64() < share {
						exec("INSERT INTO group_id VALUES (?, ?, 1)", i/6, mercs[r.IntN(len(mercs))])
					} else {
						exec("INSERT INTO group_id VALUES (?, ?, 0)", i/6, characters[r.IntN(len(characters))])
					}
				}
			})
			p := find(run(t, shards, discover.Options{}), "group_id.character_id")
			if p == nil || p.To[0].String() != "character_data.id" || (p.When == "") != (share == 0) {
				t.Errorf("%s, %.0f %% mercs: got %+v, want character_data.id, under a condition where there are any", flag, 100*share, p)
			}
		}
	}
}
