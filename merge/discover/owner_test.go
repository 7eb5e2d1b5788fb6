package discover_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// A key that is called owner is somebody's number, however few rows tell whose: it is never taken for one that the game issues without a question.
func TestKeysNamedAsRoles(t *testing.T) {
	for _, kind := range []string{"INT", "INTEGER"} {
		for _, n := range []int64{10, 15} {
			r := run(t, realm(t, `CREATE TABLE clans (id INTEGER PRIMARY KEY, title TEXT, leader_id INT);
				CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT, clan_id INT);
				CREATE TABLE territory (owner `+kind+` PRIMARY KEY, cx INT, cz INT)`, func(r *rand.Rand, exec func(string, ...any)) {
				clans, _ := living(r, 2*n, 0.12)
				players, _ := living(r, 300, 0.12)
				for _, k := range clans {
					exec("INSERT INTO clans VALUES (?, hex(randomblob(6)), ?)", k, players[r.IntN(len(players))])
				}
				for _, k := range players {
					exec("INSERT INTO players VALUES (?, hex(randomblob(6)), ?)", k, clans[r.IntN(len(clans))])
				}
				for _, k := range some(r, clans, nil, int(n), 0) {
					exec("INSERT INTO territory VALUES (?, ?, ?)", k, r.IntN(500), r.IntN(500))
				}
			}), discover.Options{})
			if p := find(r, "territory.owner"); p == nil {
				t.Errorf("%s, %d rows: territory.owner: nobody asks whose number it is", kind, n)
			}
		}
	}
}
