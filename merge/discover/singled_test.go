package discover_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// A column whose name says nothing is asked about from a few rows on where its numbers can hardly be anything but keys: they begin high, or leave gaps that all of its
// values avoid, or end where the keys do. Numbers of the same size that are no keys, and low ones that every dense key holds, are left in peace.
func TestFewValuesThatOnlyKeysHave(t *testing.T) {
	for _, tt := range []struct {
		name  string
		first int64
		gaps  float64 // share of the numbers that are no keys
		rows  int
		asked bool
	}{
		{"begin high", 100001, 0, 3, true},
		{"begin high, with gaps", 268435456, 0.5, 2, true},
		{"every second", 1, 0.5, 14, true},
		{"every third", 1, 0.67, 12, true},
		{"every second, too few rows", 1, 0.5, 3, false},
		{"dense from one, to the last", 1, 0, 18, true},
	} {
		shards := realm(t, `CREATE TABLE denizens (nr INTEGER PRIMARY KEY, nick TEXT);
			CREATE TABLE plots (id INTEGER PRIMARY KEY, zhu INT, paint INT, gold INT)`, func(r *rand.Rand, exec func(string, ...any)) {
			var keys []int64
			for k := tt.first; len(keys) < 90; k++ {
				if r.Float64() >= tt.gaps {
					keys = append(keys, k)
					exec("INSERT INTO denizens VALUES (?, hex(randomblob(6)))", k)
				}
			}
			for i := range tt.rows {
				k := keys[r.IntN(len(keys))]
				exec("INSERT INTO plots VALUES (?, ?, ?, ?)", i+1, k, r.IntN(12)+1, tt.first+r.Int64N(max(tt.first, 100)))
			}
		})
		result := run(t, shards, discover.Options{})
		p := find(result, "plots.zhu")
		if tt.asked && (p == nil || p.Grade != merge.Doubtful || p.To[0].String() != "denizens.nr") || !tt.asked && p != nil {
			t.Errorf("%s, %d rows: got %+v about plots.zhu, want a question: %v", tt.name, tt.rows, p, tt.asked)
		}
		for _, other := range []string{"plots.paint", "plots.gold"} {
			if p := find(result, other); p != nil {
				t.Errorf("%s, %d rows: asked about %s: %+v", tt.name, tt.rows, other, p)
			}
		}
	}
}

func columnNames(list []merge.Col) string {
	var names []string
	for _, c := range list {
		names = append(names, c.String())
	}
	return strings.Join(names, ", ")
}

// A column may hold its own table's keys.
func TestFewValuesThatAreTheirOwnTablesKeys(t *testing.T) {
	result := run(t, realm(t, "CREATE TABLE chars (char_id INTEGER PRIMARY KEY, label TEXT, father INT, exp INT)", func(r *rand.Rand, exec func(string, ...any)) {
		for k := range 80 {
			father := 0
			if k%20 == 0 {
				father = 150000 + r.IntN(80)
			}
			exec("INSERT INTO chars VALUES (?, hex(randomblob(6)), ?, ?)", 150000+k, father, r.IntN(300000))
		}
	}), discover.Options{})
	if p := find(result, "chars.father"); p == nil || p.To[0].String() != "chars.char_id" {
		t.Errorf("got %+v about chars.father, want a question whether it holds chars.char_id", p)
	}
}

// Columns whose numbers end where the keys do are asked about, and others listed with the keys that some of their numbers are; against those that are named like a number something speaks.
func TestColumnsOfWhichNothingSaysWhatTheyHold(t *testing.T) {
	result := run(t, realm(t, `CREATE TABLE heroes (id INTEGER PRIMARY KEY, label TEXT, aide INT); CREATE TABLE gear (id INTEGER PRIMARY KEY, hero_id INT REFERENCES heroes(id));
		CREATE TABLE squads (id INTEGER PRIMARY KEY, pos1 INT, pos2 INT, power INT, stance INT, born INT)`, func(r *rand.Rand, exec func(string, ...any)) {
		for k := range 70 {
			exec("INSERT INTO heroes VALUES (?, hex(randomblob(6)), ?)", k+1, map[bool]any{true: r.IntN(70) + 1}[k%8 == 0])
			exec("INSERT INTO gear VALUES (?, ?)", k+1, r.IntN(70)+1)
		}
		for k := range 18 {
			exec("INSERT INTO squads VALUES (?, ?, ?, ?, ?, ?)", k+1, r.IntN(70)+1, r.IntN(70)+1, r.IntN(35)+1, r.IntN(90)+60, 1700000000+r.IntN(1e6))
		}
	}), discover.Options{})
	var asked, told []merge.Col
	for _, l := range result.Leftovers {
		if l.Told {
			told = append(told, l.Col)
		} else {
			asked = append(asked, l.Col)
		}
	}
	for _, column := range []string{"heroes.aide", "squads.pos1", "squads.pos2"} {
		if p := find(result, column); p == nil || p.To[0].String() != "heroes.id" && p.To[0].String() != "gear.id" {
			t.Errorf("%s: got %+v, want a question whether it holds heroes.id or gear.id", column, p)
		}
	}
	if got, want := columnNames(asked), "squads.stance"; got != want {
		t.Errorf("asked about: got %q, want %q", got, want)
	}
	if got, want := columnNames(told), "squads.power"; got != want {
		t.Errorf("told: got %q, want %q", got, want)
	}
}

// A column whose name says nothing is asked about though a fifth of its values are dead, where many more would be by chance; numbers that do not care which are keys
// are left in peace.
func TestManyDeadValuesHideNoKey(t *testing.T) {
	for _, rows := range []int{300, 1000} {
		result := run(t, realm(t, `CREATE TABLE denizens (nr INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE plots (id INTEGER PRIMARY KEY, zhu INT, paint INT, fuel INT)`,
			func(r *rand.Rand, exec func(string, ...any)) {
				born, _ := living(r, 400, 0.25)
				for _, k := range born {
					if r.Float64() >= 0.2 {
						exec("INSERT INTO denizens VALUES (?, hex(randomblob(6)))", k)
					}
				}
				for i := range rows {
					exec("INSERT INTO plots VALUES (?, ?, ?, ?)", i+1, born[r.IntN(len(born))], r.IntN(400)+1, r.IntN(4000)+1)
				}
			}), discover.Options{})
		if p := find(result, "plots.zhu"); p == nil || p.Grade != merge.Doubtful || p.To[0].String() != "denizens.nr" {
			t.Errorf("%d rows: got %+v about plots.zhu, want a question", rows, p)
		}
		for _, other := range []string{"plots.paint", "plots.fuel"} {
			if p := find(result, other); p != nil {
				t.Errorf("%d rows: asked about %s: %+v", rows, other, p)
			}
		}
	}
}

// What is named like a key and holds mostly keys, and many others, is asked about with the key that most of them are.
func TestUnplacedSaysWhatMostHold(t *testing.T) {
	result := run(t, realm(t, `CREATE TABLE heroes (id INTEGER PRIMARY KEY, label TEXT); CREATE TABLE gear (nr INTEGER PRIMARY KEY, maker_guid INT)`, func(r *rand.Rand, exec func(string, ...any)) {
		for k := range 400 {
			exec("INSERT INTO heroes VALUES (?, hex(randomblob(6)))", k+1)
		}
		for k := range 300 {
			exec("INSERT INTO gear VALUES (?, ?)", k+1, map[bool]int{true: r.IntN(400) + 1, false: 5000 + r.IntN(9000)}[k%5 < 3])
		}
	}), discover.Options{})
	at := slices.IndexFunc(result.Unplaced, func(u discover.Unplaced) bool { return u.Col.String() == "gear.maker_guid" })
	if at < 0 || !strings.HasSuffix(result.Unplaced[at].Evidence, "; 60 % of the rows hold heroes.id") {
		t.Errorf("got %+v, want gear.maker_guid with 60 %% of heroes.id", result.Unplaced)
	}
}

// A kind without dead values does not tell that the other kinds, which hold the same keys and some dead ones, hold something else.
func TestKindsThatOnlyTheirDeadTellApart(t *testing.T) {
	result := run(t, realm(t, "CREATE TABLE players (id INTEGER PRIMARY KEY, label TEXT); CREATE TABLE event_log (id INTEGER PRIMARY KEY, kind INT, actor INT)", func(r *rand.Rand, exec func(string, ...any)) {
		var alive, dead []int
		for _, k := range r.Perm(600) {
			if len(alive) < 300 {
				exec("INSERT INTO players VALUES (?, hex(randomblob(6)))", k+1)
				alive = append(alive, k+1)
			} else {
				dead = append(dead, k+1)
			}
		}
		for i := range 1200 {
			kind, actor := r.IntN(3)+1, alive[r.IntN(len(alive))]
			if kind != 2 && r.IntN(5) == 0 {
				actor = dead[r.IntN(len(dead))]
			}
			exec("INSERT INTO event_log VALUES (?, ?, ?)", i+1, kind, actor)
		}
	}), discover.Options{})
	if p := find(result, "event_log.actor"); p == nil || p.When != "" || p.To[0].String() != "players.id" {
		t.Errorf("got %+v about event_log.actor, want players.id without a condition", p)
	}
}
