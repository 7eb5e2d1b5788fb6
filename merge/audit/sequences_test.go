package audit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
)

// objects is a world whose players, items and clans get their numbers from one sequence, beside a log that counts for itself.
func objects(seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	var sql strings.Builder
	sql.WriteString(`CREATE TABLE characters(obj_Id INT PRIMARY KEY, char_name TEXT, clanid INT REFERENCES clan_data(clan_id));
		CREATE TABLE items(object_id INT PRIMARY KEY, owner_id INT REFERENCES characters(obj_Id), item_id INT);
		CREATE TABLE clan_data(clan_id INT PRIMARY KEY, clan_name TEXT);
		CREATE TABLE itemsonground(object_id INT PRIMARY KEY, kind INT);
		CREATE TABLE pets(pet_id INT PRIMARY KEY, kind INT);
		CREATE TABLE log(id INTEGER PRIMARY KEY, char_id INT REFERENCES characters(obj_Id));`)
	players := []int{}
	next := 268435456
	for n := range 400 {
		next += 1 + rng.IntN(2)
		switch k := rng.IntN(40); {
		case n >= 380: // what was dropped last
			fmt.Fprintf(&sql, "INSERT INTO itemsonground VALUES (%d, 57);\n", next)
		case n == 100: // one in all, which begins where nobody counts from
			fmt.Fprintf(&sql, "INSERT INTO pets VALUES (%d, 12077);\n", next)
		case k == 0:
			fmt.Fprintf(&sql, "INSERT INTO clan_data VALUES (%d, 'clan%d_%d');\n", next, seed, next)
		case k < 8 || len(players) == 0:
			fmt.Fprintf(&sql, "INSERT INTO characters VALUES (%d, 'p%d_%d', NULL);\n", next, seed, next)
			players = append(players, next)
		default:
			fmt.Fprintf(&sql, "INSERT INTO items VALUES (%d, %d, %d);\n", next, players[rng.IntN(len(players))], 57)
		}
	}
	for i, p := range players {
		fmt.Fprintf(&sql, "INSERT INTO log VALUES (%d, %d);\n", i+1, p)
	}
	return sql.String()
}

// Keys of several tables that one sequence numbers meet in no table of the output either; a table with a counter of its own stays out of it.
func TestM35OneSequenceForSeveralTables(t *testing.T) {
	res := check(t, "accept: [certain]\ntables: [{table: itemsonground, rows: merge}]\nkeys: [{key: itemsonground.object_id, new: shift}, {key: items.object_id, new: shift}]\nreferences: [{from: itemsonground.object_id, as: keep}, {from: items.object_id, as: keep}]", objects(1), objects(2))
	text := said(res)
	if !strings.Contains(text, "one sequence numbers characters.obj_Id, items.object_id, clan_data.clan_id, itemsonground.object_id, pets.pet_id: ") {
		t.Fatalf("the sequence was not found:\n%s", text)
	}
	if res.Settled == nil {
		t.Fatalf("not settled:\n%s", text)
	}
	owner := map[int64]merge.Col{}
	changed := 0
	for _, s := range res.Settled.Spaces {
		if s.Key.Table == "log" {
			continue
		}
		for i, keys := range s.Alive {
			for k := range keys.All() {
				v, moved := s.Maps[i].Lookup(k)
				if moved {
					changed++
				} else {
					v = k
				}
				if other, ok := owner[v]; ok {
					t.Fatalf("%s of shard %d and %s both become %d", s.Key, i+1, other, v)
				}
				owner[v] = s.Key
			}
		}
	}
	if changed == 0 || changed >= 400 {
		t.Errorf("%d keys of the second shard changed, want those that the first one's objects have", changed)
	}
	for _, k := range res.Settled.Plan.Keys {
		if want := map[bool]string{true: "", false: "characters.obj_Id"}[k.Key.Table == "log"]; k.Sequence != want {
			t.Errorf("%s is recorded as of the sequence %q, want %q", k.Key, k.Sequence, want)
		}
	}
}

// Whoever says that a key has a sequence of its own is believed, and whoever names one for keys that meet is not.
func TestSequencesOfThePlan(t *testing.T) {
	res := check(t, "accept: [certain]\nkeys: [{key: items.object_id, sequence: items}, {key: clan_data.clan_id, sequence: clans}]", objects(1), objects(2))
	if text := said(res); strings.Contains(text, "one sequence") {
		t.Errorf("sequences that the plan tells apart are one:\n%s", text)
	}
	engine, shards := open(t, objects(1)+"CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (2);", objects(2))
	_, err := audit.Run(context.Background(), engine, shards, plan(t, "keys: [{key: log.id, sequence: x}, {key: t.id, sequence: x}]"), audit.Options{Present: 1 << 40})
	if err == nil || !strings.Contains(err.Error(), "both have 2 in s1") {
		t.Errorf("keys that meet were taken for one sequence: %v", err)
	}
}

// A table that takes over the old rows of another one shares its sequence also where a few rows alone show it; one that counts for itself does not.
func TestM35SequenceOfAnArchive(t *testing.T) {
	world := func(name string, gone ...int) string {
		var sql strings.Builder
		sql.WriteString(`CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, level INT, gold INT);
			CREATE TABLE player_deleted(id INTEGER PRIMARY KEY, name TEXT, level INT, gold INT);
			CREATE TABLE player_quest(id INTEGER PRIMARY KEY, player_id INT REFERENCES player, gold INT);`)
		for id := 1; id <= 30; id++ {
			table := "player"
			if slices.Contains(gone, id) {
				table = "player_deleted"
			}
			fmt.Fprintf(&sql, "INSERT INTO %s VALUES (%d, '%s%d', 1, %d);\n", table, id, name, id, id*7)
		}
		for _, id := range gone {
			fmt.Fprintf(&sql, "INSERT INTO player_quest VALUES (%d, 1, 5);\n", id)
		}
		return sql.String()
	}
	rules := "accept: [certain]\ntables: [{table: '*', rows: merge}]\nreferences: [{from: player_quest.player_id, to: player.id}, {from: '*.*', as: keep}]\nuniques: [{unique: player.name, on_conflict: keep}]"
	text := said(check(t, rules, world("a", 3, 6, 8, 26), world("b", 3, 4, 11, 13)))
	if want := "one sequence numbers player.id, player_deleted.id: "; !strings.Contains(text, want) {
		t.Errorf("got:\n%s\nwant %q in it", text, want)
	}
}
