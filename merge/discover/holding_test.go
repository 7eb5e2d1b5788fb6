package discover_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// A small list that each server has filled for itself is asked about: by the column that bears its name, also where that is a number's, else by the list itself, with
// the columns that hold none but its numbers. A level that goes beyond the list, or is nearly always low, is not one of them.
func TestWhatRefersToASmallList(t *testing.T) {
	const ddl = `CREATE TABLE %s (id INTEGER PRIMARY KEY, label TEXT);
		CREATE TABLE things (thing_id INTEGER PRIMARY KEY, %s INT, beyond INT, low INT)`
	for _, n := range []int{3, 5, 12, 40, 150} {
		for _, w := range []struct {
			table, column string
			named         bool
		}{
			{"ranks", "rank", true},
			{"types", "type", true},
			{"levels", "level", true},
			{"ranks", "level", false},
			{"material_map", "type", false},
			{"regions", "zone", false},
			{"factions", "side", false},
		} {
			r := run(t, realm(t, fmt.Sprintf(ddl, w.table, w.column), func(r *rand.Rand, exec func(string, ...any)) {
				for k := range n {
					exec("INSERT INTO "+w.table+" VALUES (?, ?)", k+1, fmt.Sprintf("w%x", r.Int64N(1<<30)))
				}
				for k := range 400 {
					exec("INSERT INTO things VALUES (?, ?, ?, ?)", k+1, r.IntN(n)+1, r.IntN(2*n)+1, r.IntN(n/2+1)+1)
				}
			}), discover.Options{})
			column := merge.Col{Table: "things", Name: w.column}
			p := find(r, column.String())
			if w.named && (p == nil || p.To[0].String() != w.table+".id" || p.Grade == merge.Certain) {
				t.Errorf("%d rows of %s: %s: got %+v, want a question whether it holds them", n, w.table, column, p)
			}
			for _, k := range r.Keys {
				if k.Col.Table != w.table {
					continue
				}
				if p == nil && !slices.Equal(k.Holding, []merge.Col{column}) {
					t.Errorf("%d rows of %s: got %v as the columns that hold none but its numbers, want %s", n, w.table, k.Holding, column)
				}
				if p != nil && len(k.Holding) > 0 {
					t.Errorf("%d rows of %s: %s is asked about, and %v once more", n, w.table, column, k.Holding)
				}
			}
		}
	}
}

// A table that holds more about some of the players may number its rows by itself and still hold the players' numbers. One that merely has fewer rows does not.
func TestUnsaidSides(t *testing.T) {
	const ddl = `CREATE TABLE users (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE extra (id INTEGER PRIMARY KEY, gold INT); CREATE TABLE guilds (id INTEGER PRIMARY KEY, gold INT)`
	r := run(t, realms(t, 2, ddl, func(server int, r *rand.Rand, exec func(string, ...any)) {
		for i := range 150 + 50*server {
			exec("INSERT INTO users VALUES (?, hex(randomblob(6)))", i+1)
			if r.IntN(3) > 0 {
				exec("INSERT INTO extra VALUES (?, ?)", i+1, r.IntN(100000))
			}
			if i < 40 && r.IntN(5) > 0 {
				exec("INSERT INTO guilds VALUES (?, ?)", i+1, r.IntN(100000))
			}
		}
	}), discover.Options{})
	for _, k := range r.Keys {
		want := k.Col.String() == "users.id"
		if got := isSide(k, "extra"); got != want {
			t.Errorf("%s: extra.id among the columns that nothing speaks of: got %v, want %v", k.Col, got, want)
		}
		if isSide(k, "guilds") {
			t.Errorf("%s: guilds.id has numbers of its own", k.Col)
		}
	}
}

// A few keys of a table that refers to the players besides could be its own rows', unless they begin as far up as the players' do.
func TestSidesFarOff(t *testing.T) {
	const ddl = `CREATE TABLE users (guid INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE note (idx INT PRIMARY KEY, users_id INT, gold INT)`
	for _, base := range []int{0, 0x10000000} {
		r := run(t, realms(t, 2, ddl, func(server int, r *rand.Rand, exec func(string, ...any)) {
			for i := range 150 + 50*server {
				exec("INSERT INTO users VALUES (?, hex(randomblob(6)))", base+i+1)
				if i%2 == 0 && r.IntN(3) > 0 {
					exec("INSERT INTO note VALUES (?, ?, ?)", base+i+1, base+1+r.IntN(150), r.IntN(100000))
				}
			}
		}), discover.Options{})
		for _, k := range r.Keys {
			if got, want := isSide(k, "note"), base > 0 && k.Col.Table == "users"; got != want {
				t.Errorf("users from %d: note.idx among what %s speaks of: got %v, want %v", base, k.Col, got, want)
			}
		}
	}
}

func isSide(k discover.Key, table string) bool {
	return slices.ContainsFunc(k.Sides, func(s discover.Side) bool { return s.Col.Table == table })
}
