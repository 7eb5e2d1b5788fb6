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

// offers are the keys that a column is asked about with.
func offers(r *discover.Result, column string) (list []merge.Col, asked bool) {
	for _, p := range r.Proposals {
		if p.From[0].String() == column {
			list, asked = append(append(list, p.To[0]), p.Others...), true
		}
	}
	for _, u := range r.Unplaced {
		if u.Col.String() == column {
			list, asked = append(list, u.Fits...), true
		}
	}
	return list, asked
}

// A dead row or two of a small table hide no key that the others hold, and make nothing surer.
func TestStrayRowsHideNoCandidate(t *testing.T) {
	for _, tt := range []struct {
		column       string
		rows, strays int
		offered      bool
	}{
		{"steward_id", 29, 1, true},
		{"steward_id", 29, 2, true},
		{"steward_id", 12, 1, true},
		{"steward_id", 12, 4, false},
		{"steward_id", 200, 2, true},
		{"steward_id", 200, 60, false},
		{"tended", 29, 1, true},
	} {
		shards := realm(t, "CREATE TABLE denizens (nr INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE plots (id INTEGER PRIMARY KEY, "+tt.column+" INT)", func(r *rand.Rand, exec func(string, ...any)) {
			alive, dead := living(r, 300, 0.2)
			for _, k := range alive {
				exec("INSERT INTO denizens VALUES (?, hex(randomblob(6)))", k)
			}
			for i := range tt.rows {
				v := alive[r.IntN(len(alive))]
				if i < tt.strays {
					v = dead[r.IntN(len(dead))]
				}
				exec("INSERT INTO plots VALUES (?, ?)", i+1, v)
			}
		})
		result := run(t, shards, discover.Options{})
		list, _ := offers(result, "plots."+tt.column)
		name := fmt.Sprintf("plots.%s, %d rows of which %d are dead", tt.column, tt.rows, tt.strays)
		if got := slices.Contains(list, merge.Col{Table: "denizens", Name: "nr"}); got != tt.offered {
			t.Errorf("%s: asked about with %v, want denizens.nr among them: %v", name, list, tt.offered)
		}
		if p := find(result, "plots."+tt.column); p != nil && p.Grade != merge.Doubtful && float64(tt.strays) > 0.03*float64(tt.rows) {
			t.Errorf("%s: got %+v, want no more than a question", name, p)
		}
	}
}

// Columns that are called by an office or a part in something hold somebody, also where a table has a row or three: nobody would see that they kept their numbers.
func TestOfficesOfSmallTablesAreAskedAbout(t *testing.T) {
	offices := []string{"mayor", "gm", "p1", "p2", "leader", "captain", "guild_leader", "team_captain", "viceMaster", "elected_king", "player_a", "second_in_command_id", "banker", "admin", "healer", "referee", "quest_giver"}
	others := []string{"color", "tax", "power", "number", "tier", "border", "silver", "armor", "members", "members_max", "created_at", "respawn_x"}
	for _, rows := range []int{1, 3, 6} {
		for _, hub := range []string{"players", "denizens"} {
			columns := slices.Concat(offices, others)
			shards := realm(t, fmt.Sprintf("CREATE TABLE %s (nr INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE towns (id INTEGER PRIMARY KEY, %s INT)", hub, strings.Join(columns, " INT, ")), func(r *rand.Rand, exec func(string, ...any)) {
				alive, _ := living(r, 300, 0.1)
				for _, k := range alive {
					exec("INSERT INTO "+hub+" VALUES (?, hex(randomblob(6)))", k)
				}
				for i := range rows {
					row := []any{i + 1}
					for range columns {
						row = append(row, alive[r.IntN(len(alive))])
					}
					exec("INSERT INTO towns VALUES (?"+strings.Repeat(", ?", len(columns))+")", row...)
				}
			})
			result := run(t, shards, discover.Options{})
			for _, c := range offices {
				if list, asked := offers(result, "towns."+c); !asked {
					t.Errorf("%d rows, %s: nobody asks about towns.%s, which holds %s.nr: %v", rows, hub, c, hub, list)
				}
			}
			for _, c := range others {
				if list, asked := offers(result, "towns."+c); asked {
					t.Errorf("%d rows, %s: towns.%s is asked about with %v, want no question about an amount", rows, hub, c, list)
				}
			}
		}
	}
}

// A column that is called somebody may hold its own table's keys, as a guild's rival does.
func TestOwnTablesKeysAreOffered(t *testing.T) {
	shards := realm(t, "CREATE TABLE guilds (label TEXT PRIMARY KEY, nr INTEGER UNIQUE, rival_id INT); CREATE TABLE denizens (id INTEGER PRIMARY KEY, nick TEXT)", func(r *rand.Rand, exec func(string, ...any)) {
		for k := range 300 {
			exec("INSERT INTO denizens VALUES (?, hex(randomblob(6)))", k+1)
		}
		for k := range 24 {
			exec("INSERT INTO guilds VALUES (hex(randomblob(6)), ?, ?)", k+1, r.IntN(24)+1)
		}
	})
	if list, _ := offers(run(t, shards, discover.Options{}), "guilds.rival_id"); !slices.Contains(list, merge.Col{Table: "guilds", Name: "nr"}) {
		t.Errorf("guilds.rival_id is asked about with %v, want guilds.nr among them", list)
	}
}

// A column that is named like a key and mostly holds another table's numbers, which begin far up, is asked about as such a reference though many of its rows are dead.
func TestMostlyHeldFarUp(t *testing.T) {
	const ddl = `CREATE TABLE chars (char_id INTEGER PRIMARY KEY, class INT); CREATE TABLE mail (id INTEGER PRIMARY KEY, send_id INT)`
	r := run(t, realms(t, 2, ddl, func(server int, r *rand.Rand, exec func(string, ...any)) {
		alive, dead := living(r, int64(100+60*server), 0.4)
		for _, k := range alive {
			exec("INSERT INTO chars VALUES (?, ?)", 150000+k, r.IntN(4))
		}
		for i := range 30 + 20*server {
			k := alive[r.IntN(len(alive))]
			if i%6 == 0 {
				k = dead[r.IntN(len(dead))]
			}
			exec("INSERT INTO mail VALUES (?, ?)", i+1, 150000+k)
		}
	}), discover.Options{})
	if p := find(r, "mail.send_id"); p == nil || p.To[0].String() != "chars.char_id" || p.Grade != merge.Doubtful {
		t.Errorf("mail.send_id: got %+v and the unplaced %+v, want a question whether it holds chars.char_id", p, r.Unplaced)
	}
}

// An owner may be a player or a clan of games that number both in one sequence, and no column tells which: where the two have all values together, both are named.
func TestTwoKeysTogether(t *testing.T) {
	const ddl = `CREATE TABLE chars (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE clans (no INTEGER PRIMARY KEY, tag TEXT); CREATE TABLE walls (nr INTEGER PRIMARY KEY, owner_id INT)`
	r := run(t, realms(t, 2, ddl, func(server int, r *rand.Rand, exec func(string, ...any)) {
		var all []int
		at := 0
		for i := range 40 + 10*server {
			at += 1 + r.IntN(3)
			all = append(all, at)
			if i%3 == 0 {
				exec("INSERT INTO clans VALUES (?, hex(randomblob(4)))", at)
			} else {
				exec("INSERT INTO chars VALUES (?, hex(randomblob(4)))", at)
			}
		}
		for range 60 {
			at += 1 + r.IntN(3)
			exec("INSERT INTO walls VALUES (?, ?)", at, all[r.IntN(len(all))])
		}
	}), discover.Options{})
	if list, _ := offers(r, "walls.owner_id"); len(list) != 2 || list[0].String() != "chars.id" || list[1].String() != "clans.no" {
		t.Errorf("walls.owner_id: got %v and the unplaced %+v, want a question whether it holds chars.id or clans.no", list, r.Unplaced)
	}
}

// A partner of whom many are deleted is asked about as a row of the same table, and a guild's leader as a player though few guilds are there.
func TestMostlyHeldOfOwnTableAndByFew(t *testing.T) {
	const ddl = `CREATE TABLE chars (char_id INTEGER PRIMARY KEY, partner_id INT, class INT); CREATE TABLE guilds (nr INTEGER PRIMARY KEY, leader_id INT)`
	r := run(t, realms(t, 2, ddl, func(server int, r *rand.Rand, exec func(string, ...any)) {
		alive, dead := living(r, int64(200+70*server), 0.15)
		for i, k := range alive {
			partner := int64(0)
			if i%5 == 0 {
				if partner = alive[r.IntN(len(alive))]; i%60 == 0 {
					partner = dead[r.IntN(len(dead))]
				}
			}
			exec("INSERT INTO chars VALUES (?, ?, ?)", k, partner, r.IntN(4))
		}
		for i := range 16 {
			leader := alive[len(alive)-1-r.IntN(len(alive)/(i+1))]
			if i%4 == 3 {
				leader = dead[r.IntN(len(dead))]
			}
			exec("INSERT INTO guilds VALUES (?, ?)", i+1, leader)
		}
	}), discover.Options{})
	for _, from := range []string{"chars.partner_id", "guilds.leader_id"} {
		if p := find(r, from); p == nil || p.To[0].String() != "chars.char_id" || p.Grade != merge.Doubtful {
			t.Errorf("%s: got %+v and the unplaced %+v, want a question whether it holds chars.char_id", from, p, r.Unplaced)
		}
	}
}
