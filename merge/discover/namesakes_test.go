package discover_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// A name that the keys of many tables bear says as little as id does, whatever the word: the keys number their own rows, and what refers to them is found. Where a
// table's rows belong to another's of that name, it is still asked about.
func TestKeysOfOneNameInEveryTable(t *testing.T) {
	const ddl = `CREATE TABLE players (NAME INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE items (NAME INTEGER PRIMARY KEY, owner INT);
		CREATE TABLE mail (NAME INTEGER PRIMARY KEY, sender INT, receiver INT); CREATE TABLE guilds (NAME INTEGER PRIMARY KEY, leader INT);
		CREATE TABLE wallets (NAME INTEGER PRIMARY KEY, gold INT)`
	for _, name := range []string{"nr", "code", "k", "entry", "record_id", "num", "编号", "rid"} {
		for _, holes := range []float64{0, 0.15} {
			for _, part := range []int{100, 60} {
				r := run(t, realm(t, strings.ReplaceAll(ddl, "NAME", name), func(r *rand.Rand, exec func(string, ...any)) {
					keys := func(n int64) []int64 { alive, _ := living(r, n, holes); return alive }
					players := keys(150)
					anyone := func() int64 { return players[r.IntN(len(players))] }
					for _, k := range players {
						exec("INSERT INTO players VALUES (?, hex(randomblob(6)))", k)
					}
					for _, k := range keys(500) {
						exec("INSERT INTO items VALUES (?, ?)", k, anyone())
					}
					for _, k := range keys(250) {
						exec("INSERT INTO mail VALUES (?, ?, ?)", k, anyone(), anyone())
					}
					for _, k := range keys(60) {
						exec("INSERT INTO guilds VALUES (?, ?)", k, anyone())
					}
					for _, k := range some(r, players, nil, len(players)*part/100, 0) {
						exec("INSERT INTO wallets VALUES (?, ?)", k, r.IntN(9000))
					}
				}), discover.Options{})
				for _, c := range []string{"items.owner", "mail.sender", "mail.receiver", "guilds.leader"} {
					if p := find(r, c); p == nil || p.To[0].String() != "players."+name {
						t.Errorf("%s, %.0f %% deleted, %d %% have a wallet: %s: got %+v, want players.%s proposed", name, 100*holes, part, c, p, name)
					}
				}
				for _, table := range []string{"players", "items", "mail", "guilds"} {
					if p := find(r, table+"."+name); p != nil {
						t.Errorf("%s, %.0f %% deleted, %d %% have a wallet: %s numbers its own rows, got %v: %s", name, 100*holes, part, table, p.String(), p.Evidence)
					}
				}
				if p := find(r, "wallets."+name); p == nil && (name != "num" || holes > 0) { // a number of numbers without a gap says nothing
					t.Errorf("%s, %.0f %% deleted, %d %% have a wallet: nobody asks whose wallets they are", name, 100*holes, part)
				}
			}
		}
	}
}

// A small table whose keys bear everyone's name numbers its own rows though a list of the game has all their numbers, and its guilds are found by name.
func TestKeysOfOneNameBesideAShortList(t *testing.T) {
	for _, guilds := range []int{8, 12} {
		r := run(t, realm(t, `CREATE TABLE players (sid INTEGER PRIMARY KEY, nick TEXT, guild_id INT, old_guild_id INT); CREATE TABLE items (sid INTEGER PRIMARY KEY, owner INT);
			CREATE TABLE pets (sid INTEGER PRIMARY KEY, owner INT); CREATE TABLE guilds (sid INTEGER PRIMARY KEY, leader INT); CREATE TABLE raids (guild_id INT, record INT);
			CREATE TABLE words (sid INTEGER PRIMARY KEY, word TEXT); CREATE TABLE settings (sid INTEGER PRIMARY KEY, value INT)`, func(r *rand.Rand, exec func(string, ...any)) {
			keys := func(n int64) []int64 { alive, _ := living(r, n, 0.12); return alive }
			teams := some(r, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}[:guilds+2], nil, guilds, 0)
			team := func() int64 { return teams[r.IntN(len(teams))] }
			players := keys(220)
			for _, k := range players {
				exec("INSERT INTO players VALUES (?, hex(randomblob(6)), ?, ?)", k, team(), team())
			}
			for _, k := range keys(700) {
				exec("INSERT INTO items VALUES (?, ?)", k, players[r.IntN(len(players))])
			}
			for _, k := range keys(90) {
				exec("INSERT INTO pets VALUES (?, ?)", k, players[r.IntN(len(players))])
			}
			for _, k := range teams {
				exec("INSERT INTO guilds VALUES (?, ?)", k, players[r.IntN(len(players))])
			}
			for range 40 {
				exec("INSERT INTO raids VALUES (?, ?)", team(), r.IntN(99999))
			}
			for k := range 20 {
				exec("INSERT INTO words VALUES (?, 'word' || ?)", k+1, k)
			}
			for k := range 6 {
				exec("INSERT INTO settings VALUES (?, ?)", k+1, r.IntN(99999))
			}
		}), discover.Options{})
		for _, c := range []string{"players.guild_id", "players.old_guild_id", "raids.guild_id"} {
			if p := find(r, c); p == nil || p.To[0].String() != "guilds.sid" {
				t.Errorf("%d guilds: %s: got %+v, want guilds.sid proposed", guilds, c, p)
			}
		}
		for _, table := range []string{"players", "items", "pets", "guilds", "words", "settings"} {
			if p := find(r, table+".sid"); p != nil {
				t.Errorf("%d guilds: %s numbers its own rows, got %v: %s", guilds, table, p.String(), p.Evidence)
			}
		}
	}
}

// Keys that the engine counts are nobody else's, whatever name they share, where another table's went much further: small numbers are among all larger ones.
func TestKeysThatTheEngineCounts(t *testing.T) {
	for _, names := range [][3]string{{"编号", "编号", "编号"}, {"num", "num", "num"}, {"pid", "gid", "id"}} {
		r := run(t, realm(t, fmt.Sprintf(`CREATE TABLE players (%s INTEGER PRIMARY KEY AUTOINCREMENT, nick TEXT, guild INT); CREATE TABLE guilds (%s INTEGER PRIMARY KEY AUTOINCREMENT, nick TEXT, leader INT);
			CREATE TABLE posts (%s INTEGER PRIMARY KEY AUTOINCREMENT, receiver INT)`, names[0], names[1], names[2]), func(r *rand.Rand, exec func(string, ...any)) {
			players, _ := living(r, 150, 0.16)
			guilds, _ := living(r, 30, 0.2)
			for _, k := range players {
				exec("INSERT INTO players VALUES (?, hex(randomblob(6)), ?)", k, guilds[r.IntN(len(guilds))])
			}
			for _, k := range guilds {
				exec("INSERT INTO guilds VALUES (?, hex(randomblob(6)), ?)", k, players[r.IntN(len(players))])
			}
			for range 400 {
				exec("INSERT INTO posts VALUES (NULL, ?)", players[r.IntN(len(players))])
			}
		}), discover.Options{})
		for _, c := range []string{"players." + names[0], "guilds." + names[1]} {
			if p := find(r, c); p != nil {
				t.Errorf("%s: numbers its own rows, got %v: %s", c, p.String(), p.Evidence)
			}
		}
		for _, c := range []string{"guilds.leader", "posts.receiver"} {
			if p := find(r, c); p == nil || p.To[0].String() != "players."+names[0] {
				t.Errorf("%v: %s: got %+v, want players.%s proposed", names, c, p, names[0])
			}
		}
	}
}
