package discover_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// A column that names the players holds a few guilds under one kind, whose numbers are all players', too: it is not certain for every row. Where the column beside it is named
// as a kind, or after the guilds, each kind is asked about with its key; else the question names it.
func TestSmallerKeysUnderAKindOfANamedColumn(t *testing.T) {
	for _, tt := range []struct {
		beside string
		kinds  [2]any // of a guild's rows, and of a player's
		share  float64
		split  bool
	}{
		{"bag_type INT", [2]any{5, 1}, 0.1, true},
		{"kind TEXT", [2]any{"guild", "char"}, 0.3, true},
		{"is_guild INT", [2]any{1, 0}, 0.05, true},
		{"bag INT", [2]any{5, 1}, 0.1, false},
		{"loc TEXT", [2]any{"CLANWH", "INVENTORY"}, 0.1, false},
		{"bag_type INT", [2]any{5, 1}, 0, false},
		{"bag INT", [2]any{5, 1}, 0, false},
	} {
		name, _, _ := strings.Cut(tt.beside, " ")
		shards := realm(t, `CREATE TABLE players (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE guilds (id INTEGER PRIMARY KEY, title TEXT);
			CREATE TABLE stock (id INTEGER PRIMARY KEY, player_id INT, `+tt.beside+`, amount INT)`, func(r *rand.Rand, exec func(string, ...any)) {
			for k := range 400 {
				exec("INSERT INTO players VALUES (?, hex(randomblob(6)))", k+1)
			}
			for k := range 40 {
				exec("INSERT INTO guilds VALUES (?, hex(randomblob(6)))", k+1)
			}
			for range 900 {
				if r.Float64() < tt.share {
					exec("INSERT INTO stock VALUES (NULL, ?, ?, ?)", r.IntN(40)+1, tt.kinds[0], r.IntN(1000))
				} else {
					exec("INSERT INTO stock VALUES (NULL, ?, ?, ?)", r.IntN(400)+1, tt.kinds[1], r.IntN(1000))
				}
			}
		})
		var got []string
		for _, p := range run(t, shards, discover.Options{}).Proposals {
			if p.From[0].String() != "stock.player_id" {
				continue
			}
			when := ""
			if p.When != "" {
				when = " when " + p.When
			}
			got = append(got, p.To[0].String()+when)
			if (p.Grade == merge.Certain) != (tt.share == 0) || tt.share > 0 && !strings.Contains(p.Evidence, "when "+name) {
				t.Errorf("%s, %.0f %% guilds: %s is %s: %s", tt.beside, 100*tt.share, p.String(), p.Grade, p.Evidence)
			}
		}
		want := "[players.id]"
		if tt.split {
			literal := func(v any) string {
				if text, ok := v.(string); ok {
					return "'" + text + "'"
				}
				return fmt.Sprint(v)
			}
			want = fmt.Sprintf("[players.id when %[1]s = %[2]s guilds.id when %[1]s = %[3]s]", name, literal(tt.kinds[1]), literal(tt.kinds[0]))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s, %.0f %% guilds: got %v, want %s", tt.beside, 100*tt.share, got, want)
		}
	}
}

// Rows of the game's first days hold the lowest players alone: that such a kind ends low, and not where the guilds do, makes no guilds of them.
func TestOldKindsHoldTheLowestKeys(t *testing.T) {
	shards := realm(t, `CREATE TABLE players (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE guilds (id INTEGER PRIMARY KEY, title TEXT);
		CREATE TABLE log (id INTEGER PRIMARY KEY, player_id INT, event INT, is_done INT, season INT)`, func(r *rand.Rand, exec func(string, ...any)) {
		for k := range 400 {
			exec("INSERT INTO players VALUES (?, hex(randomblob(6)))", k+1)
		}
		for k := range 100 {
			exec("INSERT INTO guilds VALUES (?, hex(randomblob(6)))", k+1)
		}
		for range 900 {
			p, event, done := r.IntN(400)+1, 3, 0
			if p <= 80 {
				event = 2
			}
			if p <= 100 {
				done = 1
			}
			exec("INSERT INTO log VALUES (NULL, ?, ?, ?, ?)", p, event, done, event+r.IntN(2)*2)
		}
	})
	p := find(run(t, shards, discover.Options{}), "log.player_id")
	if p == nil || p.When != "" || p.Grade != merge.Certain || p.To[0].String() != "players.id" {
		t.Errorf("got %+v, want log.player_id to be players.id for every row, certain", p)
	}
}
