package discover_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// A column that holds players in some rows and guilds in others is no reference to players: where the column beside it is named as a kind, each kind is asked about with
// its key, and where it is not, the question names it.
func TestKindBesideMixedColumn(t *testing.T) {
	for _, tt := range []struct {
		column, kind string
		guilds       int64
		rows         int
		share        float64 // of the rows that hold a guild; of a single kind's rows 0
		split        bool
	}{
		{"target", "kind", 12, 600, 0.5, true},
		{"target", "scope", 40, 600, 0.1, true},
		{"owner_id", "owner_type", 400, 60, 0.5, true},
		{"receiver", "type", 12, 600, 0.1, true},
		{"target", "channel", 40, 600, 0.1, false},
		{"owner_id", "is_guild", 12, 600, 0.5, false},
		{"target", "target_type", 40, 60, 0.1, false},
		{"owner_id", "owner_kind", 400, 60, 0.1, false},
		{"target", "kind", 12, 600, 0, false},
		{"owner_id", "channel", 40, 600, 0, false},
	} {
		shards := realm(t, `CREATE TABLE players (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE guilds (id INTEGER PRIMARY KEY, name TEXT, leader_id INT);
			CREATE TABLE members (player_id INT, guild_id INT); CREATE TABLE chat (id INTEGER PRIMARY KEY, sender_id INT, `+tt.kind+` INT, `+tt.column+` INT, lang INT, text TEXT)`,
			func(r *rand.Rand, exec func(string, ...any)) {
				players, _ := living(r, 600, 0.1)
				guilds, _ := living(r, tt.guilds, 0.1)
				one := func(list []int64) int64 { return list[r.IntN(len(list))] }
				for _, k := range players {
					exec("INSERT INTO players VALUES (?, hex(randomblob(6)))", k)
				}
				for _, k := range guilds {
					exec("INSERT INTO guilds VALUES (?, hex(randomblob(6)), ?)", k, one(players))
				}
				for range 400 {
					exec("INSERT INTO members VALUES (?, ?)", one(players), one(guilds))
				}
				for range tt.rows {
					target, kind := one(players), r.IntN(2)*2
					if r.Float64() < tt.share {
						target, kind = one(guilds), 1
					}
					exec("INSERT INTO chat VALUES (NULL, ?, ?, ?, ?, 'x')", one(players), kind, target, r.IntN(4))
				}
			})
		r := run(t, shards, discover.Options{})
		plain := find(r, "chat."+tt.column)
		name := tt.column + " beside " + tt.kind
		switch {
		case plain == nil:
			t.Errorf("%s: got no proposal", name)
		case tt.share == 0:
			if plain.When != "" || plain.Grade != merge.Certain || plain.To[0].String() != "players.id" {
				t.Errorf("%s, players alone: got %s, %s: %s; want players.id, certain", name, plain, plain.Grade, plain.Evidence)
			}
		case tt.split:
			for _, p := range r.Proposals {
				if p.From[0] != plain.From[0] {
					continue
				}
				want := "players.id"
				if p.When == tt.kind+" = 1" {
					want = "guilds.id"
				}
				if p.When == "" || p.To[0].String() != want || p.Grade == merge.Certain {
					t.Errorf("%s: got %s, %s, want %s under a condition, to be asked about", name, &p, p.Grade, want)
				}
			}
		case plain.Grade == merge.Certain || !strings.Contains(plain.Evidence, tt.kind):
			t.Errorf("%s: got %s, %s: %s; want a question that names %s", name, plain, plain.Grade, plain.Evidence, tt.kind)
		}
	}
}
