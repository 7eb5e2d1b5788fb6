package discover_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// A column whose integers are plainly keys is asked about whatever share of its rows holds other values, each different, and never taken for certain. Codes of which a few
// are digits alone, amounts and remarks are no reference.
func TestKeysAmongTexts(t *testing.T) {
	npc := func(r *rand.Rand) any { return fmt.Sprintf("npc_%d", r.IntN(1_000_000)) }
	code := func(r *rand.Rand) any { return fmt.Sprintf("%08x", r.Uint32()) }
	for _, tt := range []struct {
		name, declared string
		share          float64
		stored, word   func(r *rand.Rand) any // stored is a player when nil
		asked          bool
	}{
		{"player_id", "INT", 0.13, nil, npc, true},
		{"player_id", "TEXT", 0.13, nil, npc, true},
		{"player_id", "", 0.13, nil, npc, true},
		{"player_id", "INT", 0.6, nil, npc, true},
		{"player_id", "TEXT", 0.6, nil, npc, true},
		{"player_id", "", 0.6, nil, npc, true},
		{"owner", "INT", 0.4, nil, npc, true},
		{"x1", "INT", 0.4, nil, npc, true},
		{"x1", "TEXT", 0.4, nil, npc, true},
		{"device_id", "TEXT", 0.9, code, code, false},
		{"price", "INT", 0.4, func(r *rand.Rand) any { return r.IntN(500) }, npc, false},
		{"remark", "TEXT", 0.9, func(r *rand.Rand) any { return r.IntN(300) }, npc, false},
	} {
		shards := realm(t, "CREATE TABLE players (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE shops (nr INTEGER PRIMARY KEY, "+tt.name+" "+tt.declared+")", func(r *rand.Rand, exec func(string, ...any)) {
			players, _ := living(r, 300, 0.2)
			for _, k := range players {
				exec("INSERT INTO players VALUES (?, hex(randomblob(6)))", k)
			}
			for range 600 {
				v := any(players[r.IntN(len(players))])
				switch {
				case r.Float64() < tt.share:
					v = tt.word(r)
				case tt.stored != nil:
					v = tt.stored(r)
				}
				exec("INSERT INTO shops VALUES (NULL, ?)", v)
			}
		})
		result, name := run(t, shards, discover.Options{}), fmt.Sprintf("%s %s, %.0f %% texts", tt.name, tt.declared, 100*tt.share)
		p := find(result, "shops."+tt.name)
		_, asked := offers(result, "shops."+tt.name)
		switch {
		case !tt.asked && asked:
			t.Errorf("%s: got %+v, want no question", name, p)
		case tt.asked && (p == nil || p.To[0].String() != "players.id" || p.Grade == merge.Certain || !strings.Contains(p.Evidence, "% of the rows hold something else than a whole number, such as \"npc_")):
			t.Errorf("%s: got %+v, want a question whether it holds players.id that tells of the texts", name, p)
		}
	}
}

// Many rows of texts are seen beside the most frequent values, which are keys alone.
func TestManyKeysAmongMoreTexts(t *testing.T) {
	const ddl = `CREATE TABLE players (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE shops (nr INTEGER PRIMARY KEY, player_id TEXT)`
	shards := realms(t, 2, ddl, func(server int, _ *rand.Rand, exec func(string, ...any)) {
		exec(fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO players SELECT i, hex(randomblob(6)) FROM n WHERE i %% 7 <> %d", server))
		exec("INSERT INTO shops SELECT id + 100000, id FROM players UNION ALL SELECT id + 105000, id FROM players UNION ALL SELECT id + 110000, 'npc_' || id FROM players UNION ALL SELECT id + 115000, 'mob_' || id FROM players")
	})
	p := find(run(t, shards, discover.Options{}), "shops.player_id")
	if p == nil || p.To[0].String() != "players.id" || p.Grade == merge.Certain || !strings.Contains(p.Evidence, "50 % of the rows hold something else than a whole number") {
		t.Errorf("got %+v, want a question whether it holds players.id that tells of the texts", p)
	}
}

// What a row is about says which key its value is, also where the values of the other kinds are texts, each different.
func TestKindsAmongTexts(t *testing.T) {
	const ddl = `CREATE TABLE players (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE guilds (id INTEGER PRIMARY KEY, name TEXT);
		CREATE TABLE meta (player_id INT, k TEXT, %s TEXT, PRIMARY KEY (player_id, k)); CREATE TABLE log (nr INTEGER PRIMARY KEY, kind TEXT, a %s)`
	for _, names := range [][2]string{{"v", "TEXT"}, {"value", "INT"}, {"v", ""}} {
		r := run(t, realm(t, fmt.Sprintf(ddl, names[0], names[1]), func(r *rand.Rand, exec func(string, ...any)) {
			players, _ := living(r, 240, 0.3)
			guilds, _ := living(r, 60, 0.4)
			one := func(list []int64) int64 { return list[r.IntN(len(list))] }
			address := func() string { return fmt.Sprintf("10.%d.%d.%d", r.IntN(255), r.IntN(255), r.IntN(255)) }
			for _, k := range guilds {
				exec("INSERT INTO guilds VALUES (?, hex(randomblob(6)))", k)
			}
			for _, k := range players {
				exec("INSERT INTO players VALUES (?, hex(randomblob(6)))", k)
				exec("INSERT INTO meta VALUES (?, 'color', ?)", k, fmt.Sprintf("#%06x", r.IntN(1<<24)))
				exec("INSERT INTO meta VALUES (?, 'seen', ?)", k, address())
				exec("INSERT INTO meta VALUES (?, 'played', ?)", k, r.IntN(100_000))
				exec("INSERT INTO meta VALUES (?, 'guild', ?)", k, one(guilds))
				if r.IntN(2) == 0 {
					exec("INSERT INTO meta VALUES (?, 'spouse', ?)", k, one(players))
				}
			}
			for range 400 {
				exec("INSERT INTO log VALUES (NULL, 'login', ?)", address())
				exec("INSERT INTO log VALUES (NULL, 'trade', ?)", one(players))
			}
		}), discover.Options{})
		got := map[string]string{}
		for _, p := range r.Proposals {
			got[p.From[0].String()+" when "+p.When] = p.To[0].String()
			if p.When != "" && p.Grade == merge.Certain {
				t.Errorf("%v: got %s, %s: %s; want a question", names, p.String(), p.Grade, p.Evidence)
			}
		}
		want := map[string]string{"meta.player_id when ": "players.id", "log.a when kind = 'trade'": "players.id"}
		for kind, to := range map[string]string{"spouse": "players.id", "guild": "guilds.id"} {
			want[fmt.Sprintf("meta.%s when k = '%s'", names[0], kind)] = to
		}
		for column, to := range want {
			if strings.ReplaceAll(got[column], `"`, "") != to {
				t.Errorf("%v: %s: got %q, want %q among %v", names, column, got[column], to, got)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%v: got %v, want %v alone", names, got, want)
		}
	}
}
