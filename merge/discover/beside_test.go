package discover_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// A number that the schema holds unique beside a primary key that is a name, a UUID or another number is a key as good as a primary one: whoever owns, writes or
// wins is found by it, and a purse's primary key is such a number and not the other way round.
func TestUniqueNumbersBesideThePrimaryKey(t *testing.T) {
	const rest = `; CREATE TABLE objects (obj_uid INTEGER PRIMARY KEY, carried_by INT, worth REAL);
		CREATE TABLE houses (address TEXT PRIMARY KEY, owner INT);
		CREATE TABLE purses (idnum INTEGER PRIMARY KEY, gold INT);
		CREATE TABLE mayors (town TEXT PRIMARY KEY, owner INTEGER NOT NULL UNIQUE);
		CREATE TABLE logins (idnum INT, at REAL)`
	for _, declared := range []string{
		"name TEXT NOT NULL UNIQUE, idnum INTEGER PRIMARY KEY",
		"name TEXT PRIMARY KEY, idnum INTEGER NOT NULL UNIQUE",
		"name TEXT PRIMARY KEY, idnum INTEGER UNIQUE",
		"name TEXT NOT NULL, idnum INTEGER NOT NULL UNIQUE",
		"name TEXT NOT NULL, idnum INTEGER NOT NULL UNIQUE, realm INT DEFAULT 1, PRIMARY KEY (name, realm)",
		"name TEXT NOT NULL, idnum INTEGER NOT NULL UNIQUE, row INTEGER PRIMARY KEY",
	} {
		for _, holes := range []float64{0.12, 0} {
			shards := realm(t, "CREATE TABLE players ("+declared+")"+rest, func(r *rand.Rand, exec func(string, ...any)) {
				alive, _ := living(r, 400, holes)
				alive = alive[10:]
				one := func() int64 { return alive[r.IntN(len(alive))] }
				for _, k := range alive {
					exec("INSERT INTO players (name, idnum) VALUES (?, ?)", fmt.Sprintf("w%x", r.Int64N(1<<40)), k)
					if r.Float64() < 0.9 {
						exec("INSERT INTO purses VALUES (?, ?)", k, r.IntN(900))
					}
				}
				for i := range 1000 {
					exec("INSERT INTO objects VALUES (?, ?, ?)", i+1, one(), r.Float64())
					exec("INSERT INTO logins VALUES (?, ?)", one(), r.Float64())
				}
				for i := range 60 {
					exec("INSERT INTO houses VALUES (?, ?)", fmt.Sprintf("%d %x", i, r.Int64N(1<<40)), one())
				}
				for i, at := range r.Perm(len(alive))[:30] {
					exec("INSERT INTO mayors VALUES (?, ?)", fmt.Sprintf("%d %x", i, r.Int64N(1<<40)), alive[at])
				}
			})
			r := run(t, shards, discover.Options{})
			for _, column := range []string{"objects.carried_by", "houses.owner", "logins.idnum", "purses.idnum", "mayors.owner"} {
				p := find(r, column)
				switch {
				case p == nil || p.To[0].String() != "players.idnum":
					t.Errorf("%s, holes %.2f: %s: got %+v, want players.idnum", declared, holes, column, p)
				case holes > 0 && p.Grade != merge.Certain && column == "logins.idnum":
					t.Errorf("%s: %s is %s, want certain: %s", declared, column, p.Grade, p.Evidence)
				}
			}
			if len(r.Unplaced) > 0 || find(r, "players.idnum") != nil {
				t.Errorf("%s, holes %.2f: got the columns %+v without a key and %+v, want none", declared, holes, r.Unplaced, find(r, "players.idnum"))
			}
		}
	}
}
