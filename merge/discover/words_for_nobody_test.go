package discover_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// A column whose rows mostly hold a word for nobody is found by its numbers, and so is one that stores its numbers as something else; one of many words is not.
func TestWordsForNobody(t *testing.T) {
	const rows = 600
	text := func(k int64) any { return fmt.Sprint(k) }
	same := func(k int64) any { return k }
	for _, tt := range []struct {
		name, declared string
		stored         func(k int64) any
		word           any
		share          float64
		found          bool
	}{
		{"owner_id", "INT", same, "", 0.5, true},
		{"owner_id", "INT", same, "none", 0.8, true},
		{"player_id", "TEXT", text, "", 0.3, true},
		{"player_id", "TEXT", text, "NULL", 0.8, true},
		{"who", "INT", same, "-", 0.5, true},
		{"player_id", "", same, "", 0.5, true},
		{"player_id", "", text, nil, 0, true},
		{"player_id", "", text, "", 0.5, true},
		{"player_id", "", func(k int64) any { return float64(k) }, nil, 0, true},
		{"player_id", "BLOB", text, nil, 0, true},
		{"player_id", "VARCHAR(20)", func(k int64) any { return fmt.Sprintf("%d.0", k) }, nil, 0, true},
		{"remark", "TEXT", func(k int64) any { return fmt.Sprintf("no. %d", k) }, "", 0.3, false},
		{"owner_id", "INT", func(k int64) any { return fmt.Sprintf("x%d", k) }, "", 0.3, false},
	} {
		shards := realm(t, "CREATE TABLE players (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE items (id INTEGER PRIMARY KEY, "+tt.name+" "+tt.declared+")", func(r *rand.Rand, exec func(string, ...any)) {
			players, _ := living(r, rows/2, 0.2)
			for _, k := range players {
				exec("INSERT INTO players VALUES (?, hex(randomblob(6)))", k)
			}
			for range rows {
				v := tt.stored(players[r.IntN(len(players))])
				if r.Float64() < tt.share {
					v = tt.word
				}
				exec("INSERT INTO items VALUES (NULL, ?)", v)
			}
		})
		p := find(run(t, shards, discover.Options{}), "items."+tt.name)
		if found := p != nil && p.To[0].String() == "players.id"; found != tt.found {
			t.Errorf("%s %s, %.0f %% %#v: found %v, want %v", tt.name, tt.declared, 100*tt.share, tt.word, p, tt.found)
		}
	}
}
