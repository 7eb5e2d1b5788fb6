package discover_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// A column of few rows whose name says that it holds somebody, or a table's rows, and whose values are all keys of these, is asked about with them as the answer, also
// where that table's key repeats another's. What is called like a table whose keys it does not hold stays a question without one.
func TestAnswersThatNamesGive(t *testing.T) {
	shards := realm(t, `CREATE TABLE zones (vnum INTEGER PRIMARY KEY, title TEXT); CREATE TABLE pfile (idnum INTEGER PRIMARY KEY, nick TEXT, house INT);
		CREATE TABLE kills (killer INT, victim INT); CREATE TABLE notes (id INTEGER PRIMARY KEY, author INT, body TEXT);
		CREATE TABLE house (vnum INTEGER PRIMARY KEY, owner INT, built INT); CREATE TABLE house_guest (house INT, guest INT); CREATE TABLE clans (id INTEGER PRIMARY KEY, leader INT, born INT)`,
		func(r *rand.Rand, exec func(string, ...any)) {
			alive, _ := living(r, 90, 0.2)
			one := func() int64 { return alive[r.IntN(len(alive))] }
			for i := range 150 {
				exec("INSERT INTO zones VALUES (?, 'zone ' || ?)", 3001+i, i)
			}
			for i, k := range alive {
				exec("INSERT INTO pfile VALUES (?, hex(randomblob(6)), ?)", k, i%4)
			}
			for range 150 {
				exec("INSERT INTO kills VALUES (?, ?)", one(), one())
				exec("INSERT INTO notes (author, body) VALUES (?, hex(randomblob(6)))", one())
			}
			for _, v := range r.Perm(150)[:7] {
				exec("INSERT INTO house VALUES (?, ?, ?)", 3001+v, one(), r.IntN(1<<30))
				for range 3 {
					exec("INSERT INTO house_guest VALUES (?, ?)", 3001+v, one())
				}
			}
			for i := range 6 {
				exec("INSERT INTO clans VALUES (?, ?, ?)", i+1, one(), r.IntN(1<<30))
			}
		})
	r := run(t, shards, discover.Options{})
	for column, want := range map[string]string{
		"house.owner": "pfile.idnum", "house_guest.guest": "pfile.idnum", "house_guest.house": "house.vnum", "clans.leader": "pfile.idnum", "pfile.house": "",
	} {
		got := ""
		for _, p := range r.Proposals {
			if p.From[0].String() == column {
				got = p.To[0].String()
			}
		}
		if got != want {
			t.Errorf("%s: got the answer %q, want %q", column, got, want)
		}
	}
}
