package discover_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// guest is a small table beside a large one, and whether its first column holds the large one's keys.
type guest struct {
	ddl, column, host, key string
	own                    bool // it numbers its own rows from one up
}

// lodge makes two servers with a host of 560 keys, of which an eighth is deleted, and a guest of so many rows.
func lodge(t *testing.T, g guest, n int, holes float64) []merge.Shard {
	t.Helper()
	ddl := fmt.Sprintf("CREATE TABLE %s (%s INTEGER PRIMARY KEY, name TEXT, level INT); CREATE TABLE items (item_no INTEGER PRIMARY KEY, owner INT, count INT); %s", g.host, g.key, g.ddl)
	return realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
		alive, _ := living(r, 560, holes)
		for _, k := range alive {
			exec("INSERT INTO "+g.host+" VALUES (?, ?, ?)", k, fmt.Sprintf("w%x", r.Int64N(1<<30)), r.IntN(80)+1)
		}
		for i := range 300 {
			exec("INSERT INTO items VALUES (?, ?, 1)", i+1, alive[r.IntN(len(alive))])
		}
		table, _, _ := strings.Cut(g.column, ".")
		for i, at := range r.Perm(len(alive))[:n] {
			v := alive[at]
			if g.own {
				v = int64(i + 1)
			}
			exec("INSERT INTO "+table+" VALUES (?, ?)", v, 1_700_000_000+r.IntN(9_999_999))
		}
	})
}

// A small table's column that bears the very name of another table's key is asked about, whether a key of its own, part of one, or none: few
// different values are no sign that it numbers its rows.
func TestSmallTablesNamedLikeTheKey(t *testing.T) {
	for _, g := range []guest{
		{ddl: "CREATE TABLE bans (guid INT, at INT)", column: "bans.guid", host: "characters", key: "guid"},
		{ddl: "CREATE TABLE bans (uid INT, at INT)", column: "bans.uid", host: "users", key: "uid"},
		{ddl: "CREATE TABLE wars (gid INT, at INT)", column: "wars.gid", host: "clans", key: "gid"},
		{ddl: "CREATE TABLE wars (gid INT, at INT, PRIMARY KEY (gid, at))", column: "wars.gid", host: "clans", key: "gid"},
		{ddl: "CREATE TABLE character_banned (guid INT, at INT, PRIMARY KEY (guid, at))", column: "character_banned.guid", host: "characters", key: "guid"},
		{ddl: "CREATE TABLE character_banned (guid INT, at INT UNIQUE, PRIMARY KEY (guid, at))", column: "character_banned.guid", host: "characters", key: "guid"},
		{ddl: "CREATE TABLE character_banned (guid INTEGER PRIMARY KEY, at INT)", column: "character_banned.guid", host: "characters", key: "guid"},
		{ddl: "CREATE TABLE player_bans (id INT, at INT)", column: "player_bans.id", host: "players", key: "id"},
		{ddl: "CREATE TABLE player_bans (id INT, at INT, PRIMARY KEY (id, at))", column: "player_bans.id", host: "players", key: "id"},
		{ddl: "CREATE TABLE player_bans (id INTEGER PRIMARY KEY, at INT)", column: "player_bans.id", host: "players", key: "id"},
		{ddl: "CREATE TABLE player_bans (no INT, at INT, PRIMARY KEY (no, at))", column: "player_bans.no", host: "players", key: "no"},
	} {
		for _, n := range []int{3, 8, 19, 40} {
			for _, holes := range []float64{0, 0.12} {
				r := run(t, lodge(t, g, n, holes), discover.Options{})
				want := g.host + "." + g.key
				p := find(r, g.column)
				if p == nil || p.To[0].String() != want {
					t.Errorf("%s, %d rows, holes %.2f: got %+v, want a question whether %s holds %s", g.ddl, n, holes, p, g.column, want)
				} else if p.Grade == merge.Certain && n < 20 {
					t.Errorf("%s, %d rows, holes %.2f: %s is certain by so little: %s", g.ddl, n, holes, g.column, p.Evidence)
				}
			}
		}
	}
}

// A table that numbers its own rows from one up is left alone, however its key is called.
func TestSmallTablesThatNumberTheirRows(t *testing.T) {
	for _, g := range []guest{
		{ddl: "CREATE TABLE player_pets (id INTEGER PRIMARY KEY, at INT)", column: "player_pets.id", host: "players", key: "id"},
		{ddl: "CREATE TABLE parties (guid INTEGER PRIMARY KEY, at INT)", column: "parties.guid", host: "characters", key: "guid"},
		{ddl: "CREATE TABLE player_pets (id INT, at INT)", column: "player_pets.id", host: "players", key: "id"},
		{ddl: "CREATE TABLE parties (guid INT, at INT)", column: "parties.guid", host: "characters", key: "guid"},
		{ddl: "CREATE TABLE parties (id INT, at INT, PRIMARY KEY (id, at))", column: "parties.id", host: "characters", key: "id"},
	} {
		g.own = true
		for _, n := range []int{3, 8, 19, 40} {
			r := run(t, lodge(t, g, n, 0), discover.Options{})
			if p := find(r, g.column); p != nil {
				t.Errorf("%s, %d rows: got %s %s, want no question: %s", g.ddl, n, p.Grade, p.String(), p.Evidence)
			}
		}
	}
}

// Where no schema says that a column numbers its rows, the question whether it does names the key that it is called like.
func TestUndeclaredKeysNameTheKeyTheyAreCalledLike(t *testing.T) {
	g := guest{ddl: "CREATE TABLE player_pets (id INT, at INT)", column: "player_pets.id", host: "players", key: "id", own: true}
	r := run(t, lodge(t, g, 8, 0), discover.Options{})
	i := slices.IndexFunc(r.Keys, func(k discover.Key) bool { return k.Col.String() == g.column })
	if i < 0 || !r.Keys[i].Undeclared || !slices.Contains(r.Keys[i].Like, merge.Col{Table: "players", Name: "id"}) {
		t.Errorf("keys: got %+v, want %s undeclared and like players.id", r.Keys, g.column)
	}
}
