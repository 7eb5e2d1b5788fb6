package cmd_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
)

// follow checks the merged database with plain SQL of its own: each of the references of each input row, through the row's image. Images of keys are
// found by what only the row itself holds where that is enough, and by the recorded runs otherwise.
func (r *rsc) follow(t *testing.T, out string, references []csvRow) []string {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+out+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	var bad []string
	for i, shard := range r.shards {
		name := fmt.Sprintf("s%d", i+1)
		mustExec(t, db, "ATTACH '"+shard+"' AS src")
		images := map[merge.Col]map[int64]int64{}
		for _, p := range references {
			if images[p.to()] == nil {
				images[p.to()] = keyImages(t, db, p.to(), name)
			}
		}
		if players := images[merge.Col{Table: "players", Name: "id"}]; players != nil {
			bad = append(bad, samePlayers(t, db, players)...)
		}
		for _, p := range references {
			bad = append(bad, followColumn(t, db, p, images, name)...)
		}
		mustExec(t, db, "DETACH src")
	}
	return bad
}

func mustExec(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.Exec(query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// keyImages is what became of every key of a table in one shard, by the runs that the merge recorded.
func keyImages(t *testing.T, db *sql.DB, key merge.Col, shard string) map[int64]int64 {
	t.Helper()
	images := map[int64]int64{}
	each(t, db, fmt.Sprintf(`SELECT "%s" FROM src."%s"`, key.Name, key.Table), func(v []any) { images[v[0].(int64)] = v[0].(int64) })
	each(t, db, fmt.Sprintf(`SELECT first_old, count, first_new FROM gameid_keys WHERE table_name = '%s' AND column_name = '%s' AND shard = '%s'`, key.Table, key.Name, shard),
		func(v []any) {
			for i := range v[1].(int64) {
				images[v[0].(int64)+i] = v[2].(int64) + i
			}
		})
	return images
}

// each reads all rows first: row may ask the same connection.
func each(t *testing.T, db *sql.DB, query string, row func([]any)) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var all [][]any
	for rows.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		all = append(all, values)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	_ = rows.Close()
	for _, values := range all {
		row(values)
	}
}

// samePlayers checks that a player's image is that very player: password hash, salt, mail, dates and skills.
func samePlayers(t *testing.T, db *sql.DB, images map[int64]int64) []string {
	t.Helper()
	const same = `email, pass, salt, combat, skill_total, x, y, creation_date, login_date, creation_ip, quest_points`
	merged := map[int64]string{}
	each(t, db, "SELECT id, "+same+" FROM main.players", func(v []any) { merged[v[0].(int64)] = fmt.Sprint(v[1:]...) })
	var bad []string
	each(t, db, "SELECT id, "+same+" FROM src.players", func(v []any) {
		id := v[0].(int64)
		if got, want := merged[images[id]], fmt.Sprint(v[1:]...); got != want {
			bad = append(bad, fmt.Sprintf("players %d became %d: got %s, want %s", id, images[id], got, want))
		}
	})
	return bad
}

// followColumn compares one reference column as a multiset of (what is left of the row, target's image): dead values must be dead afterwards.
func followColumn(t *testing.T, db *sql.DB, p csvRow, images map[merge.Col]map[int64]int64, shard string) []string {
	t.Helper()
	live := map[int64]bool{}
	each(t, db, fmt.Sprintf(`SELECT "%s" FROM main."%s"`, p["ref_column"], p["ref_table"]), func(v []any) { live[v[0].(int64)] = true })
	// Of the other columns only those that no merge changes tell the rows apart.
	rest := untouched(t, db, p["table"])
	got := map[string]int{}
	each(t, db, fmt.Sprintf(`SELECT "%s", %s FROM main."%s"`, p["column"], rest, p["table"]), func(v []any) { got[fmt.Sprint(v...)]++ })
	var bad []string
	each(t, db, fmt.Sprintf(`SELECT "%s", %s FROM src."%s"`, p["column"], rest, p["table"]), func(v []any) {
		if v[0] == nil || fmt.Sprint(v[0]) == p["null"] {
			return
		}
		old := v[0].(int64)
		image, alive := images[p.to()][old]
		if !alive {
			if live[old] && got[fmt.Sprint(v...)] > 0 && !staysDead(t, db, p, old, shard) {
				bad = append(bad, fmt.Sprintf("%s: dead %d of %s points at somebody now", p.from(), old, shard))
			}
			return
		}
		v[0] = image
		if got[fmt.Sprint(v...)] == 0 {
			bad = append(bad, fmt.Sprintf("%s: no row refers to %d, the image of %d of %s", p.from(), image, old, shard))
		}
	})
	return bad[:min(len(bad), 3)]
}

// staysDead tells whether a captured dead value was given a tombstone; a row of the other shard may hold the same number rightly.
func staysDead(t *testing.T, db *sql.DB, p csvRow, old int64, shard string) bool {
	t.Helper()
	found := false
	each(t, db, fmt.Sprintf(`SELECT first_new FROM gameid_tombstones WHERE table_name = '%s' AND shard = '%s' AND first_old <= %d AND %d < first_old + count`, p["ref_table"], shard, old, old),
		func([]any) { found = true })
	return found
}

// untouched lists the columns of a table that hold neither keys, references nor names, as SQL; ” when there are none.
func untouched(t *testing.T, db *sql.DB, table string) string {
	t.Helper()
	keep := []string{"''"}
	each(t, db, fmt.Sprintf(`SELECT name, pk FROM pragma_table_info('%s', 'src')`, table), func(v []any) {
		name := v[0].(string)
		low := strings.ToLower(name)
		if v[1].(int64) == 0 && !strings.Contains(low, "id") && !strings.Contains(low, "name") && !slices.Contains([]string{"seller", "leader", "player1", "player2", "whochanged"}, low) {
			keep = append(keep, fmt.Sprintf(`"%s"`, name))
		}
	})
	return strings.Join(keep, ", ")
}
