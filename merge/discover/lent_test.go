package discover_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// realm makes two servers of one game, of whose keys a share is deleted; rows tells what else stands in it.
func realm(t *testing.T, ddl string, rows func(r *rand.Rand, exec func(string, ...any))) []merge.Shard {
	t.Helper()
	return realms(t, 2, ddl, func(_ int, r *rand.Rand, exec func(string, ...any)) { rows(r, exec) })
}

// realms makes so many.
func realms(t *testing.T, n int, ddl string, rows func(server int, r *rand.Rand, exec func(string, ...any))) []merge.Shard {
	t.Helper()
	var shards []merge.Shard
	for i := range n {
		file := filepath.Join(t.TempDir(), "s.db")
		db, err := sql.Open("sqlite3", file)
		if err != nil {
			t.Fatal(err)
		}
		exec := func(q string, args ...any) {
			if _, err := db.Exec(q, args...); err != nil {
				t.Fatalf("%s: %v", q, err)
			}
		}
		exec("PRAGMA synchronous = OFF")
		exec(ddl)
		exec("BEGIN")
		rows(i, rand.New(rand.NewPCG(uint64(i), 11)), exec)
		exec("COMMIT")
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		shards = append(shards, openShard(t, fmt.Sprintf("s%d", i+1), file))
	}
	return shards
}

// living divides the numbers up to n into keys and deleted ones.
func living(r *rand.Rand, n int64, holes float64) (alive, dead []int64) {
	for k := int64(1); k <= n; k++ {
		if r.Float64() < holes {
			dead = append(dead, k)
		} else {
			alive = append(alive, k)
		}
	}
	return alive, dead
}

// some takes so many different numbers, a share of them dead ones.
func some(r *rand.Rand, alive, dead []int64, n int, orphans float64) (list []int64) {
	gone := min(len(dead), int(float64(n)*orphans))
	for i, from := range [][]int64{alive, dead} {
		for _, at := range r.Perm(len(from))[:[]int{n - gone, gone}[i]] {
			list = append(list, from[at])
		}
	}
	return list
}

// A key, primary or unique, that another table's rows may have numbered is asked about, also when its table's name ends in its word and some of its rows are dead.
func TestPrimaryKeysThatAreReferences(t *testing.T) {
	const ddl = `CREATE TABLE characters (guid INT PRIMARY KEY NOT NULL, name TEXT, level INT);
		CREATE TABLE item_instance (guid INT PRIMARY KEY NOT NULL, itemEntry INT, owner_guid INT);
		CREATE TABLE mail_items (mail_id INT, item_guid INT PRIMARY KEY NOT NULL, receiver INT);
		CREATE TABLE group_member (grp INT, memberGuid INT PRIMARY KEY NOT NULL);
		CREATE TABLE corpse (guid INT PRIMARY KEY NOT NULL, posx REAL)`
	unique := strings.NewReplacer("item_guid INT PRIMARY KEY", "item_guid INT UNIQUE", "memberGuid INT PRIMARY KEY", "memberGuid INT UNIQUE", "corpse (guid INT PRIMARY KEY", "corpse (guid INT UNIQUE").Replace(ddl)
	for _, n := range []int64{200, 2000} {
		for i, orphans := range []float64{0, 0.02, 0.05, 0, 0.02, 0.05} {
			declared := []string{ddl, unique}[i/3]
			r := run(t, realm(t, declared, func(r *rand.Rand, exec func(string, ...any)) {
				characters, gone := living(r, n, 0.1)
				items, lost := living(r, 4*n, 0.1)
				anyone := func() int64 { return characters[r.IntN(len(characters))] }
				for _, k := range characters {
					exec("INSERT INTO characters VALUES (?, ?, ?)", k, fmt.Sprintf("w%x", r.Int64N(1<<30)), r.IntN(80)+1)
				}
				for _, k := range items {
					exec("INSERT INTO item_instance VALUES (?, ?, ?)", k, r.IntN(50000)+1, anyone())
				}
				for _, k := range some(r, items, lost, int(n/2), orphans) {
					exec("INSERT INTO mail_items VALUES (?, ?, ?)", r.Int64N(n)+1, k, anyone())
				}
				for _, k := range some(r, characters, gone, int(n/3), orphans) {
					exec("INSERT INTO group_member VALUES (?, ?)", r.IntN(20)+1, k)
				}
				for _, k := range some(r, characters, gone, int(n/4), orphans) {
					exec("INSERT INTO corpse VALUES (?, ?)", k, r.Float64())
				}
			}), discover.Options{})
			for column, key := range map[string]string{"mail_items.item_guid": "item_instance.guid", "group_member.memberGuid": "characters.guid", "corpse.guid": "characters.guid"} {
				if p := find(r, column); p == nil || p.To[0].String() != key {
					t.Errorf("%d characters, %.0f %% dead: %s: got %+v, want a question whether it holds %s", n, 100*orphans, column, p, key)
				}
			}
		}
	}
}

// A column whose name says nothing and of whose rows a tenth are dead still prefers the keys that live; one question is enough, not one for each
// value of whatever stands beside it. An amount as wide as the keys does not.
func TestDeadRowsUnderNamesThatSayNothing(t *testing.T) {
	const ddl = `CREATE TABLE teams (id INTEGER PRIMARY KEY, tag TEXT);
		CREATE TABLE matches (id INTEGER PRIMARY KEY, home INT, away INT, crowd INT, score INT)`
	for _, orphans := range []float64{0, 0.03, 0.05, 0.08, 0.1} {
		r := run(t, realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
			alive, dead := living(r, 200, 0.15)
			for _, k := range alive {
				exec("INSERT INTO teams VALUES (?, ?)", k, fmt.Sprintf("w%x", r.Int64N(1<<30)))
			}
			team := func() int64 {
				if r.Float64() < orphans {
					return dead[r.IntN(len(dead))]
				}
				return alive[r.IntN(len(alive))]
			}
			for range 600 {
				exec("INSERT INTO matches VALUES (NULL, ?, ?, ?, ?)", team(), team(), r.IntN(200)+1, r.IntN(10))
			}
		}), discover.Options{})
		asked := map[string]int{}
		for _, p := range r.Proposals {
			if p.To[0].String() == "teams.id" && p.When == "" {
				asked[p.From[0].Name]++
			}
		}
		if len(r.Proposals) != 2 || asked["home"] != 1 || asked["away"] != 1 {
			t.Errorf("%.0f %% dead: got %v, want one question each for matches.home and matches.away", 100*orphans, r.Proposals)
		}
	}
}

// The key of a table that continues another one's rows is found by its values, whatever its name. One that is called like its own table stays a question; one that
// the engine counts up by itself is nobody else's, and neither is one that starts anew.
func TestKeysOfTablesThatContinueRows(t *testing.T) {
	const ddl = `CREATE TABLE actor_position (id INTEGER PRIMARY KEY, class TEXT, x REAL);
		CREATE TABLE buildings (object_id INTEGER PRIMARY KEY, hp INT);
		CREATE TABLE vehicles (vehicle_id INTEGER PRIMARY KEY, fuel INT);
		CREATE TABLE quests (quest_number INTEGER PRIMARY KEY, step INT);
		CREATE TABLE tickets (token INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)`
	for _, n := range []int64{100, 1000} {
		r := run(t, realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
			actors, _ := living(r, n, 0.2)
			for _, k := range actors {
				exec("INSERT INTO actor_position VALUES (?, ?, ?)", k, fmt.Sprintf("w%x", r.Int64N(1<<30)), r.Float64())
			}
			for _, k := range some(r, actors, nil, int(n/3), 0) {
				exec("INSERT INTO buildings VALUES (?, ?)", k, r.IntN(100))
			}
			for _, k := range some(r, actors, nil, int(n/4), 0) {
				exec("INSERT INTO vehicles VALUES (?, ?)", k, r.IntN(100))
			}
			quests, _ := living(r, n/2, 0.2)
			for _, k := range quests {
				exec("INSERT INTO quests VALUES (?, ?)", k, r.IntN(10))
			}
			for _, k := range some(r, actors, nil, int(n/4), 0) {
				exec("INSERT INTO tickets VALUES (?, 'x')", k)
			}
		}), discover.Options{})
		for column, found := range map[string]bool{"buildings.object_id": true, "vehicles.vehicle_id": true, "quests.quest_number": false, "tickets.token": false} {
			switch p := find(r, column); {
			case !found && p != nil:
				t.Errorf("%d actors: %s: got %+v, want no reference", n, column, p)
			case found && (p == nil || p.To[0].String() != "actor_position.id" || p.Grade == merge.Certain && column == "vehicles.vehicle_id"):
				t.Errorf("%d actors: %s: got %+v, want actor_position.id, certain for buildings at most", n, column, p)
			}
		}
	}
}
