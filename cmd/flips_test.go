package cmd_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// flipStep is the distance of the bytes that are flipped, coprime to the page size, so that every place of a page gets its turn.
const flipStep = 89

// TestM6FlippedBits flips bits all over a small server's file and merges it each time. The merge is refused, or it holds exactly what SQLite reads from the
// two inputs; no flip makes it panic, leave a file behind, or change its input.
func TestM6FlippedBits(t *testing.T) {
	const game = `PRAGMA page_size = 1024; CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, gold INTEGER NOT NULL);
		CREATE TABLE item(id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES player(id), kind TEXT); CREATE INDEX item_owner ON item(owner);
		WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 30) INSERT INTO player SELECT x, '#-' || x, x * 100 FROM c;
		WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 90) INSERT INTO item SELECT x, x % 30 + 1, 'kind ' || x % 5 FROM c;`
	dir := t.TempDir()
	first, second := filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db")
	runSQL(t, first, strings.ReplaceAll(game, "#", "anna"))
	runSQL(t, second, strings.ReplaceAll(game, "#", "bert"))
	good, err := os.ReadFile(second)
	check(t, err)
	plan := filepath.Join(dir, "plan.yaml")
	check(t, os.WriteFile(plan, []byte("version: 1\naccept: [certain]\nreferences: [{from: item.owner, to: player.id, orphans: tombstone}]\ntables: [{table: player, rows: merge}, {table: item, rows: merge}]\nuniques: [{unique: player.name, on_conflict: fail}]\n"), 0o600))
	out := filepath.Join(t.TempDir(), "out.db")
	merged, refused := 0, 0
	for at := 0; at < len(good); at += flipStep {
		flipped := slices.Clone(good)
		flipped[at] ^= 1 << (at / flipStep % 8)
		check(t, os.WriteFile(second, flipped, 0o600))
		code, _, said := quick(t, "merge-rewrite", first, second, "-o", out, "--plan", plan, "-q")
		if after, err := os.ReadFile(second); err != nil || !slices.Equal(after, flipped) {
			t.Errorf("byte %d: the merge changed its input", at)
		}
		switch {
		case code == 0:
			merged++
			want := slices.Concat(players(t, first), players(t, second))
			slices.Sort(want)
			if got := players(t, out); !slices.Equal(got, want) {
				t.Errorf("byte %d: got %q, want %q", at, got, want)
			}
			check(t, os.Remove(out))
		case code > 3 || !strings.Contains(said, "gameid: ") || !strings.Contains(said, "next: "):
			t.Errorf("byte %d: exit code %d; it said %q, want a message and a next step", at, code, said)
		default:
			refused++
		}
		if left := folder(t, filepath.Dir(out)); len(left) > 0 {
			t.Fatalf("byte %d: %v is left", at, left)
		}
	}
	if merged == 0 || refused == 0 {
		t.Errorf("%d merged, %d refused: want some of each", merged, refused)
	}
	t.Logf("%d flips merged, %d refused", merged, refused)
}

// players are what a file's rows say without their keys: each player with its gold and what it owns.
func players(t *testing.T, path string) (list []string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	check(t, err)
	defer func() { check(t, db.Close()) }()
	rows, err := db.Query(`SELECT quote(p.name) || ' ' || quote(p.gold) || ' ' || quote((SELECT group_concat(quote(kind), ',') FROM (SELECT kind FROM item NOT INDEXED WHERE owner = p.id ORDER BY kind)))
		FROM player AS p NOT INDEXED UNION ALL SELECT 'nobody has ' || quote(kind) FROM item NOT INDEXED WHERE owner NOT IN (SELECT id FROM player)`)
	check(t, err)
	defer func() { check(t, rows.Close()) }()
	for rows.Next() {
		var s string
		check(t, rows.Scan(&s))
		list = append(list, s)
	}
	check(t, rows.Err())
	slices.Sort(list)
	return list
}
