package discover_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// A key that bears the name of a static table's key, or of the table and its key, is asked about whatever part of the keys it uses: houses stand in one zone's rooms.
func TestKeysThatFollowStaticOnes(t *testing.T) {
	for _, c := range []struct{ key, column string }{
		{"vnum", "room_vnum INTEGER PRIMARY KEY"},
		{"vnum", "room_vnum INT NOT NULL UNIQUE"},
		{"vnum", "room INTEGER PRIMARY KEY"},
		{"vnum", "vnum INTEGER PRIMARY KEY"},
		{"vnum", "room_nr INTEGER PRIMARY KEY"},
		{"vnum", "atrium_room_vnum INTEGER PRIMARY KEY"},
		{"no", "room_no INTEGER PRIMARY KEY"},
		{"id", "room_id INTEGER PRIMARY KEY"},
	} {
		for _, n := range []int{4, 12, 50} {
			for _, first := range []int64{1, 3000} {
				ddl := fmt.Sprintf(`CREATE TABLE rooms (%s INTEGER PRIMARY KEY, title TEXT, zone INT);
					CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT);
					CREATE TABLE houses (%s, owner_id INT, rent REAL)`, c.key, c.column)
				shards := realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
					same := rand.New(rand.NewPCG(5, 5))
					for i := range int64(400) {
						exec("INSERT INTO rooms VALUES (?, ?, ?)", first+i, fmt.Sprintf("room %x", same.Int64N(1<<30)), i/50)
					}
					alive, _ := living(r, 300, 0.1)
					for _, k := range alive {
						exec("INSERT INTO players VALUES (?, ?)", k, fmt.Sprintf("w%x", r.Int64N(1<<30)))
					}
					for i := range n {
						if r.Float64() < 0.95 {
							exec("INSERT INTO houses VALUES (?, ?, ?)", first+int64(i), alive[r.IntN(len(alive))], r.Float64())
						}
					}
				})
				r := run(t, shards, discover.Options{})
				from, to := "houses."+strings.Fields(c.column)[0], "rooms."+c.key
				if p := find(r, from); p == nil || p.To[0].String() != to {
					t.Errorf("%s, %d houses from %d: got %+v, want a question whether it holds %s", from, n, first, p, to)
				}
			}
		}
	}
}
