package discover_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// A column that is empty in most rows, under a name that sounds like a number, is asked about when what it does hold are keys that other columns of
// its table refer to, and it leaves out the numbers between them. A number as wide as the keys does not.
func TestSparseColumnsBesideReferencesToTheSameKey(t *testing.T) {
	const ddl = `CREATE TABLE heroes (hero_id INTEGER PRIMARY KEY, nick TEXT);
		CREATE TABLE gear (gear_id INTEGER PRIMARY KEY, hero_id INT, plus INT);
		CREATE TABLE loadout (hero_id INTEGER PRIMARY KEY, weapon INT, head INT, chest INT, legs INT, charms INT, power INT);
		CREATE TABLE arena (day INT, hero_id INT, foe INT, bet_on INT, prize_points INT, losses INT, PRIMARY KEY (day, hero_id))`
	for _, n := range []int64{90, 300} {
		shards := realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
			heroes, _ := living(r, n, 0.13)
			gear, _ := living(r, 5*n, 0.13)
			one := func(list []int64) any { return list[r.IntN(len(list))] }
			maybe := func(empty float64, none, v any) any {
				if r.Float64() < empty {
					return none
				}
				return v
			}
			for _, k := range heroes {
				exec("INSERT INTO heroes VALUES (?, hex(randomblob(6)))", k)
				exec("INSERT INTO loadout VALUES (?, ?, ?, ?, ?, ?, ?)", k, maybe(0.1, 0, one(gear)), maybe(0.3, 0, one(gear)), maybe(0.3, 0, one(gear)),
					maybe(0.5, nil, one(gear)), maybe(0.5, nil, r.Int64N(5*n)+1), r.Int64N(5*n)+1)
				for day := range 3 {
					exec("INSERT INTO arena VALUES (?, ?, ?, ?, ?, ?)", day, k, one(heroes), maybe(0.8, 0, one(heroes)), maybe(0.8, 0, r.Int64N(n)+1), r.Int64N(n)+1)
				}
			}
			for _, k := range gear {
				exec("INSERT INTO gear VALUES (?, ?, ?)", k, one(heroes), r.IntN(15))
			}
		})
		r := run(t, shards, discover.Options{})
		for column, key := range map[string]string{"loadout.legs": "gear.gear_id", "arena.bet_on": "heroes.hero_id"} {
			if p := find(r, column); p == nil || p.To[0].String() != key {
				t.Errorf("%d heroes: %s: got %+v, want a question whether it holds %s", n, column, p, key)
			}
		}
		for _, column := range []string{"loadout.charms", "loadout.power", "arena.prize_points", "arena.losses"} {
			if p := find(r, column); p != nil {
				t.Errorf("%d heroes: %s is a number, got %+v", n, column, p)
			}
		}
	}
}
