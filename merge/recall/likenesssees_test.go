package recall

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
)

// small is a game of a few tables that have some of everything that makes a world hard to compare.
const small = `
table account 40 20 key id auto unique login
  id INTEGER number
  login TEXT name
table hero 60 30 key id auto
  id INTEGER number
  account INT -> account.id
  name TEXT name
  level INT amount 1 80
  exp INT amount 0 900000
  guild INT -> guild.id some 0.5
table guild 9 6 key id auto
  id INTEGER number
  leader INT -> hero.id each
  founded INT time
table thing per hero 1-4 key id auto
  id INTEGER number
  kind TEXT kind hero guild
  owner INT by kind hero = id | guild -> guild.id
  amount INT amount 1 90
table template static 12 key id
  id INT number
  words TEXT words
table zone 7 7 key id fold
  id INT number gone 0
  holder INT -> guild.id some 0.5
`

// TestUnlikeSees spoils a merged world in one place after the other: each is seen, and named.
func TestUnlikeSees(t *testing.T) {
	for _, c := range []struct{ spoil, names string }{
		{"", ""},
		{"UPDATE hero SET level = level + 1 WHERE id = (SELECT min(id) FROM hero)", "hero"},
		{"UPDATE hero SET account = (SELECT max(id) FROM account) WHERE id = (SELECT min(id) FROM hero)", "hero"},
		{"UPDATE hero SET guild = 0 WHERE id = (SELECT min(id) FROM hero WHERE guild > 0)", "hero.guild"},
		{"UPDATE hero SET guild = 4242 WHERE id = (SELECT min(id) FROM hero WHERE guild > 0)", "hero.guild"},
		{"UPDATE thing SET owner = (SELECT max(id) FROM hero) WHERE id = (SELECT min(id) FROM thing WHERE kind = 'hero')", "thing.owner"},
		{"UPDATE thing SET owner = (SELECT max(id) FROM guild) WHERE id = (SELECT min(id) FROM thing WHERE kind = 'guild')", "thing.owner"},
		{"UPDATE guild SET leader = (SELECT max(id) FROM hero) WHERE id = (SELECT min(id) FROM guild)", "guild.leader"},
		{"DELETE FROM thing WHERE id = (SELECT min(id) FROM thing)", "thing"},
		{"INSERT INTO template VALUES (99, 'x')", "template"},
		{"UPDATE template SET id = 99 WHERE id = 1", "template"},
		{"DELETE FROM zone WHERE id = 1", "zone"},
	} {
		g := smallGame(t)
		dir := t.TempDir()
		o, out := &operator{g: g}, filepath.Join(dir, "out.db")
		if why := o.play(t, g.build(t, dir), out); why != "" {
			t.Fatal(why)
		}
		db, err := sqlx.Open("sqlite3", out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(c.spoil); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		wrong := g.unlike(g.mergedBeings(t, out))
		if c.names == "" && len(wrong) > 0 || c.names != "" && !slices.ContainsFunc(wrong, func(w string) bool { return strings.HasPrefix(w, c.names) }) {
			t.Errorf("%s: got %q, want a line about %q", c.spoil, wrong, c.names)
		}
	}
}

// smallGame is the small description's game with its worlds.
func smallGame(t *testing.T) *guessing {
	t.Helper()
	d, err := parseGame("small", small)
	if err != nil {
		t.Fatal(err)
	}
	g, err := d.populate()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestDescribedAgain makes a game's worlds twice: they are the same.
func TestDescribedAgain(t *testing.T) {
	var text [2]string
	for i := range text {
		g := smallGame(t)
		for _, x := range g.tables {
			for s := range servers {
				text[i] += x.sql(s)
			}
		}
	}
	if text[0] != text[1] || len(text[0]) < 1000 {
		t.Error("a description does not make the same worlds again")
	}
}

// TestDescriptionsAreRead refuses lines that say nothing.
func TestDescriptionsAreRead(t *testing.T) {
	for _, text := range []string{"tabel a 1 2", "table a 1 2 key", "table a 1 2 sorted x", "bound silent no", "  id INT number", "table a 1 2\n  id INT"} {
		if _, err := parseGame("wrong", text); err == nil {
			t.Errorf("%q: read", text)
		}
	}
	for _, text := range []string{"table a 1 2\n  id INT nothing", "table a 1 2\n  id INT -> b.id", "table a per b 1\n  id INT number", "table a 1 2\n  x INT -> a.y\n  y INT -> a.x"} {
		d, err := parseGame("wrong", text)
		if err == nil {
			_, err = d.populate()
		}
		if err == nil {
			t.Errorf("%q: made", text)
		}
	}
}
