package discover_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// The bare id of a table that has a row for some rows of another one is asked about, though a few of these are dead, and whatever the two tables are called. One that
// was counted up is not, dense or with most of its rows deleted.
func TestBareIdsOfTablesBesideAnother(t *testing.T) {
	const ddl = `CREATE TABLE accounts (id INTEGER PRIMARY KEY, login TEXT);
		CREATE TABLE slots (id INTEGER PRIMARY KEY, pid1 INT, empire INT);
		CREATE TABLE mount_name (id INTEGER NOT NULL PRIMARY KEY, name TEXT);
		CREATE TABLE offers (id INTEGER PRIMARY KEY, price INT);
		CREATE TABLE letters (id INTEGER PRIMARY KEY, body TEXT)`
	for _, dead := range []float64{0, 0.02, 0.03} {
		r := run(t, realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
			accounts, gone := living(r, 240, 0.14)
			for _, k := range accounts {
				exec("INSERT INTO accounts VALUES (?, hex(randomblob(6)))", k)
			}
			for _, k := range some(r, accounts, gone, 130, dead) {
				exec("INSERT INTO slots VALUES (?, ?, ?)", k, r.IntN(9000), r.IntN(3)+1)
			}
			for _, k := range some(r, accounts, nil, 36, 0) {
				exec("INSERT INTO mount_name VALUES (?, 'x')", k)
			}
			offers, _ := living(r, 220, 0.1)
			for _, k := range offers {
				exec("INSERT INTO offers VALUES (?, ?)", k, r.IntN(90))
			}
			letters, _ := living(r, 230, 0.85)
			for _, k := range letters {
				exec("INSERT INTO letters VALUES (?, 'x')", k)
			}
		}), discover.Options{})
		for column, asked := range map[string]bool{"slots.id": true, "mount_name.id": true, "offers.id": false, "letters.id": false} {
			p := find(r, column)
			if got := p != nil && p.To[0].String() == "accounts.id"; got != asked {
				t.Errorf("%.0f %% dead: %s: got %+v, want a question whether it holds accounts.id: %v", 100*dead, column, p, asked)
			}
		}
	}
}

// Of two tables with a row for each other's, one key leads, and that one may be a third table's: the cells of a map, which have no holes, also where the servers'
// maps differ only in who has taken what.
func TestTwoKeysOfOneSetHaveOneRoot(t *testing.T) {
	const ddl = `CREATE TABLE wdata (id INTEGER PRIMARY KEY, x INT, y INT, taken INT);
		CREATE TABLE vdata (wref INTEGER PRIMARY KEY, name TEXT, pop INT, wood INT);
		CREATE TABLE units (vref INTEGER PRIMARY KEY, u1 INT);
		CREATE TABLE attacks (id INTEGER PRIMARY KEY AUTOINCREMENT, vref INT, at INT)`
	r := run(t, realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
		cells, _ := living(r, 625, 0)
		villages := some(r, cells, nil, 90, 0)
		taken := map[int64]int{}
		for _, k := range villages {
			taken[k] = 1
			exec("INSERT INTO vdata VALUES (?, hex(randomblob(6)), ?, ?)", k, r.IntN(900), r.IntN(900))
			exec("INSERT INTO units VALUES (?, ?)", k, r.IntN(900))
			exec("INSERT INTO attacks VALUES (NULL, ?, ?)", villages[r.IntN(len(villages))], r.IntN(9_999_999))
		}
		for _, k := range cells {
			exec("INSERT INTO wdata VALUES (?, ?, ?, ?)", k, k%25, k/25, taken[k])
		}
	}), discover.Options{})
	for column, key := range map[string]string{"vdata.wref": "wdata.id", "units.vref": "vdata.wref", "attacks.vref": "vdata.wref"} {
		if p := find(r, column); p == nil || p.To[0].String() != key {
			t.Errorf("%s: got %+v, want %s", column, p, key)
		}
	}
}

// A key that bears its table's name is another one's all the same where its few values are spread far and avoid that one's holes.
func TestStrewnKeysOfFewRows(t *testing.T) {
	const ddl = `CREATE TABLE item_instance (guid INTEGER PRIMARY KEY, entry INT);
		CREATE TABLE petition (ownerguid INT, petitionguid INT, type INT, PRIMARY KEY (ownerguid, type));
		CREATE TABLE tickets (ticket_id INT PRIMARY KEY, body TEXT)`
	for _, n := range []int{9, 12, 16} {
		r := run(t, realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
			items, _ := living(r, 4000, 0.35)
			for _, k := range items {
				exec("INSERT INTO item_instance VALUES (?, ?)", k, r.IntN(50000))
			}
			for i, k := range some(r, items, nil, n, 0) {
				exec("INSERT INTO petition VALUES (?, ?, 9)", i+9000, k)
			}
			for i := range n {
				exec("INSERT INTO tickets VALUES (?, 'x')", 300*i+r.IntN(300))
			}
		}), discover.Options{})
		if p := find(r, "petition.petitionguid"); p == nil || p.To[0].String() != "item_instance.guid" || p.Grade == merge.Certain {
			t.Errorf("%d petitions: got %+v, want a question whether they are items", n, p)
		}
		if p := find(r, "tickets.ticket_id"); p != nil {
			t.Errorf("%d tickets: got %+v, want no question: they stand anywhere", n, p)
		}
	}
}

// A part of a key whose few values happen not to repeat numbers no rows, and is asked about as any other column of so few.
func TestPartsOfKeysThatHappenNotToRepeat(t *testing.T) {
	const ddl = `CREATE TABLE denizens (nr INTEGER PRIMARY KEY, nick TEXT);
		CREATE TABLE bids (day INT, zhu INT, price INT, PRIMARY KEY (day, zhu))`
	r := run(t, realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
		alive, _ := living(r, 16, 0.3)
		for _, k := range alive {
			exec("INSERT INTO denizens VALUES (?, hex(randomblob(6)))", 100000+k)
		}
		for i, k := range some(r, alive, nil, 6, 0) {
			exec("INSERT INTO bids VALUES (?, ?, ?)", i+1, 100000+k, r.IntN(900))
		}
	}), discover.Options{})
	if p := find(r, "bids.zhu"); p == nil || p.To[0].String() != "denizens.nr" {
		t.Errorf("bids.zhu: got %+v, want a question whether it holds denizens.nr", p)
	}
	if p := find(r, "bids.day"); p != nil {
		t.Errorf("bids.day: got %+v, want none", p)
	}
}
