package discover_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// A column without a telling name is asked about when far more of its values are keys than chance would put there, however many of those whom it names were deleted since.
// A number that knows nothing of the keys is not.
func TestColumnOutlivesItsKeys(t *testing.T) {
	for _, tt := range []struct {
		players int
		dead    float64 // of the rows
	}{
		{150, 0.15}, {150, 0.2}, {150, 0.3}, {150, 0.5}, {150, 0.8}, {600, 0.25}, {600, 0.5}, {1500, 0.2}, {1500, 0.35},
	} {
		shards := realm(t, `CREATE TABLE player (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE log (n INTEGER PRIMARY KEY, p1 INT, p2 INT, p3 INT, p4 INT, gold INT, memo TEXT)`,
			func(r *rand.Rand, exec func(string, ...any)) {
				var living, dead []int
				for i, k := range r.Perm(3000) {
					if i < tt.players {
						living = append(living, k+1)
						exec("INSERT INTO player VALUES (?, hex(randomblob(6)))", k+1)
					} else {
						dead = append(dead, k+1)
					}
				}
				for range 800 {
					one := living[r.IntN(len(living))]
					if r.Float64() < tt.dead {
						one = dead[r.IntN(len(dead))]
					}
					low := r.IntN(3000)
					exec("INSERT INTO log VALUES (NULL, ?, ?, ?, ?, ?, hex(randomblob(6)))", one, r.IntN(3000)+1, low*low/3000+1, 100*(r.IntN(30)+1), r.IntN(20)*r.IntN(150)+1)
				}
			})
		r := run(t, shards, discover.Options{})
		if p := find(r, "log.p1"); p == nil || p.To[0].String() != "player.id" {
			t.Errorf("%d players, %.2f of the rows dead: got %+v, want a question whether log.p1 holds player.id", tt.players, tt.dead, p)
		}
		for _, column := range []string{"log.p2", "log.p3", "log.p4", "log.gold"} {
			if p := find(r, column); p != nil {
				t.Errorf("%d players, %.2f of the rows dead: %s is a number, got %+v", tt.players, tt.dead, column, p)
			}
		}
	}
}

// A parcel stays when its receiver is gone, as a fifth of them may be on some server. His name says somebody, and a table without gaps has all his numbers as low ones by chance: that is named second.
func TestReceiversOfWhomManyAreGone(t *testing.T) {
	for gone := 14; gone <= 24; gone++ {
		shards := realms(t, 2, "CREATE TABLE characters (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE gear (id INTEGER PRIMARY KEY AUTOINCREMENT, power INT); CREATE TABLE buddies (character_id INT, buddy_id INT); CREATE TABLE parcels (id INTEGER PRIMARY KEY AUTOINCREMENT, receiver_id INT, type INT)",
			func(server int, r *rand.Rand, exec func(string, ...any)) {
				living, _ := living(r, int64(140-50*server), 0.15)
				anyone := func() int64 { return living[r.IntN(len(living))] }
				for _, k := range living {
					exec("INSERT INTO characters VALUES (?, hex(randomblob(6)))", k)
				}
				for range 420 - 130*server {
					exec("INSERT INTO gear VALUES (NULL, ?)", r.IntN(90))
				}
				for range 67 - 28*server {
					exec("INSERT INTO parcels VALUES (NULL, ?, ?)", anyone(), r.IntN(2))
				}
				for range 120 {
					exec("INSERT INTO buddies VALUES (?, ?)", anyone(), anyone())
				}
				for _, at := range r.Perm(len(living) - 1)[:gone] {
					exec("DELETE FROM characters WHERE id = ?", living[at])
					exec("DELETE FROM buddies WHERE ? IN (character_id, buddy_id)", living[at])
				}
			})
		r := run(t, shards, discover.Options{})
		if p := find(r, "parcels.receiver_id"); p == nil || p.To[0].String() != "characters.id" || len(p.Others) != 1 || p.Others[0].String() != "gear.id" {
			t.Errorf("%d gone: got %+v, want a question whether parcels.receiver_id holds characters.id, or gear.id", gone, p)
		}
	}
}
