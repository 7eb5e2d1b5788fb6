package discover_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// Keys behind a word, and at one place of a list, are found by the values; the pattern takes the key out of the text.
func TestKeysInsideTexts(t *testing.T) {
	w := world{holes: 0.1, tables: []tbl{
		{"pilots", 900, false, []col{auto("id"), word("callsign")}},
		{"settings", 600, false, []col{auto("id"), prefixed("scope", "pilots.id")}},
		{"cockpits", 500, false, []col{auto("id"), listed("gauges", "pilots.id"), word("note")}},
	}}
	r := run(t, pair(t, w, 1), discover.Options{})
	for column, text := range map[string]string{"settings.scope": "unit:4711", "cockpits.gauges": "7 0 4711 3"} {
		i := slices.IndexFunc(r.Embedded, func(e discover.Embedded) bool { return e.Col.String() == column })
		if i < 0 {
			t.Errorf("%s: nobody sees the keys in its texts", column)
			continue
		}
		e := r.Embedded[i]
		if got, want := e.To.String(), "pilots.id"; got != want || e.Match == "" {
			t.Errorf("%s: got keys of %q by the pattern %q, want %s", column, got, e.Match, want)
			continue
		}
		if m := regexp.MustCompile(e.Match).FindStringSubmatch(text); len(m) != 2 || m[1] != "4711" {
			t.Errorf("%s: the pattern %q takes %q out of %q, want 4711", column, e.Match, m, text)
		}
		if !strings.Contains(e.Evidence, "are pilots.id") {
			t.Errorf("%s: evidence: got %q, want what share of the numbers are keys", column, e.Evidence)
		}
	}
	for _, e := range r.Embedded {
		if e.Match != "" && e.Col.Name != "scope" && e.Col.Name != "gauges" {
			t.Errorf("%s holds no key, got %+v", e.Col, e)
		}
	}
}

// Numbers of a catalogue are the same on both servers and left to nobody; numbers that each server gives out itself are asked about.
func TestCatalogueNumbersAreNotAskedAbout(t *testing.T) {
	w := world{holes: 0.1, tables: []tbl{
		{"pilots", 900, false, []col{auto("id"), cat("skin_id", 100, 400), num("wing_id", 1, 60), num("slot_id", 1, 9), num("is_pilot", 1, 1), num("max_member", 500, 500)}},
		{"medals", 900, false, []col{auto("id"), ref("pilot_id", "pilots.id"), cat("ribbon_id", 3000, 3900)}},
	}}
	r := run(t, pair(t, w, 1), discover.Options{})
	got := map[string]bool{}
	for _, u := range r.Unplaced {
		got[u.Col.String()] = true
	}
	for _, p := range r.Proposals {
		got[p.From[0].String()] = true
	}
	for column, want := range map[string]bool{
		"pilots.skin_id": false, "medals.ribbon_id": false, "pilots.slot_id": false, "pilots.is_pilot": false, "pilots.max_member": false,
		"pilots.wing_id": true, "medals.pilot_id": true,
	} {
		if got[column] != want {
			t.Errorf("%s: asked about is %v, want %v", column, got[column], want)
		}
	}
}

// Values that a few dead ones stand among in single rows still avoid the holes of the key.
func TestFewDeadRowsAmongMany(t *testing.T) {
	w := world{holes: 0.18, tables: []tbl{
		{"squadrons", 70, false, []col{auto("id"), word("motto")}},
		{"roster", 900, false, []col{auto("id"), ref("squadron_id", "squadrons.id"), num("rank", 1, 9)}},
	}}
	for seed := uint64(1); seed <= 4; seed++ {
		if p := find(run(t, pair(t, w, seed), discover.Options{}), "roster.squadron_id"); p == nil || p.Grade != merge.Certain {
			t.Errorf("seed %d: roster.squadron_id: got %+v, want certain", seed, p)
		}
	}
}

// The numbers of these forms are at places without a name, behind a name and an equals sign, or behind a word of a program.
func TestKeysInsideFormsOfTexts(t *testing.T) {
	for _, form := range []struct{ sql, text string }{
		{"? || '-' || (abs(random()) % 90)", "4711-12"},
		{"(abs(random()) % 90) || '@' || ?", "12@4711"},
		{"? || '/' || (abs(random()) % 90)", "4711/12"},
		{"? || '.' || (abs(random()) % 9)", "4711.3"},
		{"'lvl=' || (abs(random()) % 90) || '&pid=' || ? || '&x=7'", "lvl=4&pid=4711&x=9"},
		{"'level=' || (abs(random()) % 90) || ';owner=' || ?", "level=4;owner=4711"},
		{"'return {[1]=' || ? || '}'", "return {[1]=4711}"},
		{"printf('%x', ?)", "1267"},
	} {
		shards := realm(t, `CREATE TABLE pilots (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE teams (n INTEGER PRIMARY KEY, made TEXT, members TEXT)`,
			func(r *rand.Rand, exec func(string, ...any)) {
				pilots, _ := living(r, 300, 0.4)
				for _, k := range pilots {
					exec("INSERT INTO pilots VALUES (?, hex(randomblob(6)))", k)
				}
				for range 200 {
					exec("INSERT INTO teams VALUES (NULL, date('2026-01-01', (abs(random()) % 300) || ' days'), "+form.sql+")", pilots[r.IntN(len(pilots))])
				}
			})
		var got []string
		for _, e := range run(t, shards, discover.Options{}).Embedded {
			if e.Match == "" {
				continue
			}
			if got = append(got, e.Col.String()); e.Col.Name == "members" {
				if m := regexp.MustCompile(e.Match).FindStringSubmatch(form.text); len(m) != 2 || m[1] != "4711" && m[1] != "1267" {
					t.Errorf("%s: the pattern %q takes %q out of %q, want 4711", form.text, e.Match, m, form.text)
				}
			}
		}
		if !slices.Equal(got, []string{"teams.members"}) {
			t.Errorf("%s: got keys in %v, want teams.members", form.text, got)
		}
	}
}

// Letters and digits that a program drew by chance hold no keys: a few of them begin like a word and a small number. Numbers behind a word in many of the texts may be keys.
func TestLettersAndDigitsByChance(t *testing.T) {
	shards := realms(t, 2, `CREATE TABLE shops (id INTEGER PRIMARY KEY, owner TEXT); CREATE TABLE inv (player TEXT, slot INT, stall TEXT, PRIMARY KEY (player, slot))`, func(server int, r *rand.Rand, exec func(string, ...any)) {
		uuid := func(begins string) string {
			return begins + fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64())[len(begins):]
		}
		for range 90 {
			exec("INSERT INTO shops VALUES (NULL, ?)", uuid(""))
		}
		for i := range 80 {
			player := uuid(string(rune('d' + i%3)))
			if i < 2 {
				player = uuid(fmt.Sprintf("c%da", 60+20*i+server))
			}
			for slot := range 4 {
				exec("INSERT INTO inv VALUES (?, ?, 's' || ?)", player, slot, r.IntN(90)+1)
			}
		}
	})
	got := map[string]string{}
	for _, e := range run(t, shards, discover.Options{}).Embedded {
		if e.Match != "" {
			got[e.Col.String()] = e.To.String()
		}
	}
	if want := map[string]string{"inv.stall": "shops.id"}; !maps.Equal(got, want) {
		t.Errorf("got questions about %v, want %v", got, want)
	}
}
