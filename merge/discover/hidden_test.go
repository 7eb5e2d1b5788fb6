package discover_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// A letter's sender is a player for one kind of letter, and an auction house or a creature for others, of which some numbers are players' by chance: the condition is part
// of what is asked. Dead senders under every kind alike are dead players.
func TestSomethingElseUnderSomeKinds(t *testing.T) {
	const ddl = `CREATE TABLE characters (guid INT PRIMARY KEY, name TEXT);
		CREATE TABLE mail (id INT PRIMARY KEY, messageType INT, sender INT, receiver INT);
		CREATE TABLE chat (id INT PRIMARY KEY, type INT, sender INT, receiver INT)`
	asked := 0
	for seed := range uint64(8) {
		r := run(t, realms(t, 2, ddl, func(server int, _ *rand.Rand, exec func(string, ...any)) {
			r := rand.New(rand.NewPCG(seed, uint64(server)))
			characters, gone := living(r, 170, 0.15)
			one := func(list []int64) int64 { return list[r.IntN(len(list))] }
			person := func() int64 {
				if r.IntN(20) == 0 {
					return one(gone)
				}
				return one(characters)
			}
			for _, k := range characters {
				exec("INSERT INTO characters VALUES (?, hex(randomblob(6)))", k)
			}
			letters, _ := living(r, 350, 0.15)
			for _, k := range letters {
				kind := r.IntN(3)
				exec("INSERT INTO chat VALUES (?, ?, ?, ?)", k, kind, person(), one(characters))
				kind = []int{0, 0, 0, 2, 3}[r.IntN(5)]
				sender := map[int]int64{0: person(), 2: one([]int64{2, 6, 7}), 3: one([]int64{1, 17, 98, 120, 14000})}[kind]
				exec("INSERT INTO mail VALUES (?, ?, ?, ?)", k, kind, sender, one(characters))
			}
		}), discover.Options{})
		for _, p := range r.Proposals {
			switch from := p.From[0].String(); {
			case from == "mail.sender" && (p.Grade == merge.Certain || p.To[0].String() != "characters.guid"):
				t.Errorf("seed %d: mail.sender: got %s, %s, want a question whether it holds characters.guid", seed, p.String(), p.Grade)
			case from == "mail.sender" && p.When == "messageType = 0":
				asked++
			case from == "chat.sender" && p.When != "":
				t.Errorf("seed %d: chat.sender is a character under every kind, got %s: %s", seed, p.String(), p.Evidence)
			}
		}
	}
	if asked < 5 {
		t.Errorf("mail.sender when messageType = 0: got it in %d of 8 worlds, want 5 at least", asked)
	}
}

// Many of those who wrote letters are gone. Whatever a letter is about, whether it was read and what it is called, it comes from a player: that a few of the dead wrote under one of seven words is chance.
func TestDeadUnderSomeWordsByChance(t *testing.T) {
	const ddl = `CREATE TABLE players (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE guilds (id INTEGER PRIMARY KEY, title TEXT); CREATE TABLE items (id INTEGER PRIMARY KEY, owner INT);
		CREATE TABLE mail (id INTEGER PRIMARY KEY, sender INT, receiver INT, subject TEXT, type TEXT, is_read INT)`
	words := []string{"Sold", "Hello", "Raid tonight", "Won", "Thanks", "Gift", "Expired"}
	for seed := range uint64(30) {
		r := run(t, realms(t, 2, ddl, func(server int, _ *rand.Rand, exec func(string, ...any)) {
			r := rand.New(rand.NewPCG(seed, uint64(server)))
			players, gone := living(r, 60+r.Int64N(100), 0.15)
			one := func(list []int64) int64 { return list[r.IntN(len(list))] }
			for _, k := range players {
				exec("INSERT INTO players VALUES (?, hex(randomblob(6)))", k)
			}
			for k := range 10 + r.IntN(30) {
				exec("INSERT INTO guilds VALUES (?, hex(randomblob(6)))", k+1)
			}
			items, _ := living(r, 200, 0.2)
			for _, k := range items {
				exec("INSERT INTO items VALUES (?, ?)", k, one(players))
			}
			for k := range 60 + r.IntN(140) {
				from := one(players)
				if r.IntN(4) == 0 {
					from = one(gone)
				}
				exec("INSERT INTO mail VALUES (?, ?, ?, ?, ?, ?)", k+1, from, one(players), words[r.IntN(len(words))], words[r.IntN(len(words))], r.IntN(2))
			}
		}), discover.Options{})
		for _, p := range r.Proposals {
			if p.From[0].String() == "mail.sender" && p.When != "" {
				t.Errorf("seed %d: mail.sender is a player whatever the letter says, got %s: %s", seed, p.String(), p.Evidence)
			}
		}
	}
}

// Keys under one kind are found in a column of any name, also where they are few among other numbers. An amount that is as wide is none.
func TestKeysHiddenUnderAKind(t *testing.T) {
	const ddl = `CREATE TABLE players (id INTEGER PRIMARY KEY, nick TEXT);
		CREATE TABLE things (thing_id INTEGER PRIMARY KEY, kind INT, param1 INT, param2 INT)`
	for _, share := range []float64{0.15, 0.3, 0.6} {
		r := run(t, realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
			players, _ := living(r, 300, 0.15)
			for _, k := range players {
				exec("INSERT INTO players VALUES (?, hex(randomblob(6)))", k)
			}
			for k := range 600 {
				kind, one := r.IntN(5)+2, r.Int64N(100000)
				if r.Float64() < share {
					kind, one = 1, players[r.IntN(len(players))]
				}
				exec("INSERT INTO things VALUES (?, ?, ?, ?)", k+1, kind, one, r.Int64N(300)+1)
			}
		}), discover.Options{})
		p := find(r, "things.param1")
		if p == nil || p.To[0].String() != "players.id" || p.When != "kind = 1" || p.Grade == merge.Certain {
			t.Errorf("%.0f %% of the rows: things.param1: got %+v, want a question whether it holds players.id when kind = 1", 100*share, p)
		}
		if p := find(r, "things.param2"); p != nil && p.When != "" {
			t.Errorf("%.0f %% of the rows: things.param2 is a number under every kind, got %+v", 100*share, p)
		}
	}
}

// A column that no word calls a kind tells kinds apart as well, where under one of its values all numbers are some table's keys, plainly so, and under the others hardly
// any: whether those hold another table's keys or mere slots. Kinds that divide nothing are no condition.
func TestKeysUnderAKindOfAnyName(t *testing.T) {
	const ddl = `CREATE TABLE juese (juese_id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE cheng (id INTEGER PRIMARY KEY, born INT);
		CREATE TABLE xing (id INTEGER PRIMARY KEY, lx INT, mubiao INT, jia INT); CREATE TABLE wupin (id INTEGER PRIMARY KEY, loc TEXT, loc_data INT)`
	r := run(t, realms(t, 2, ddl, func(_ int, r *rand.Rand, exec func(string, ...any)) {
		people, _ := living(r, 80, 0.3)
		castles, _ := living(r, 90, 0.2)
		person := func() int64 { return 10_000 + people[r.IntN(len(people))] }
		for _, k := range people {
			exec("INSERT INTO juese VALUES (?, hex(randomblob(6)))", 10_000+k)
		}
		for _, k := range castles {
			exec("INSERT INTO cheng VALUES (?, ?)", k, r.IntN(1<<30))
		}
		for i := range 160 {
			lx := r.IntN(3)
			exec("INSERT INTO xing VALUES (?, ?, ?, ?)", i+1, lx, []int64{castles[r.IntN(len(castles))], person(), r.Int64N(250_000)}[lx], r.IntN(20_000))
			at := r.IntN(3)
			exec("INSERT INTO wupin VALUES (?, ?, ?)", i+1, []string{"bag", "worn", "post"}[at], []int64{r.Int64N(90), r.Int64N(20), person()}[at])
		}
	}), discover.Options{})
	got := map[string]string{}
	for _, p := range r.Proposals {
		if p.When != "" {
			got[p.From[0].String()+" when "+p.When] = p.To[0].String()
		}
		if p.When != "" && p.Grade == merge.Certain || p.From[0].String() == "xing.jia" {
			t.Errorf("got %s, %s: %s", p.String(), p.Grade, p.Evidence)
		}
	}
	for column, want := range map[string]string{`xing.mubiao when "lx" = 1`: "juese.juese_id", `wupin.loc_data when "loc" = 'post'`: "juese.juese_id"} {
		if got[column] != want && got[strings.ReplaceAll(column, `"`, "")] != want {
			t.Errorf("%s: got %q, want %q among %v", column, got[column], want, got)
		}
	}
	for column, to := range got {
		if strings.HasPrefix(column, "wupin") && to != "juese.juese_id" {
			t.Errorf("%s: got %s, want no question", column, to)
		}
	}
}

// A key at the very end of what 64 bits hold is a key like others.
func TestKeysUpToTheLastNumber(t *testing.T) {
	const ddl = `CREATE TABLE players (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE log (kind INT, what INT, extra INT)`
	run(t, realms(t, 2, ddl, func(server int, _ *rand.Rand, exec func(string, ...any)) {
		exec("INSERT INTO players VALUES (9223372036854775806, 'a'), (9223372036854775807, 'b'), (?, 'c')", 9223372036854775000-int64(server)*7)
		exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90) INSERT INTO log SELECT i % 3, CASE WHEN i < 88 THEN i ELSE 9223372036854775806 END, i * 7 FROM n")
	}), discover.Options{})
}
