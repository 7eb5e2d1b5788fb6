package discover_test

import (
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
