package cmd_test

import (
	"database/sql"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// casesFolder is where the real game's worlds lie; the test is skipped without them, or fails when every case is required.
func casesFolder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("GAMEID_CASES")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "cases")
	}
	dir = filepath.Join(dir, "openrsc")
	if _, err := os.Stat(filepath.Join(dir, "s1.db")); err != nil {
		if os.Getenv("GAMEID_REQUIRE_ALL") == "1" {
			t.Fatalf("the openrsc case is required: %v", err)
		}
		t.Skipf("no openrsc case: %v", err)
	}
	return dir
}

// truth is the case's own list of references.
type truth struct {
	plain, copies []csvRow
	never         []csvRow
}

type csvRow map[string]string

func (r csvRow) from() merge.Col { return merge.Col{Table: r["table"], Name: r["column"]} }
func (r csvRow) to() merge.Col   { return merge.Col{Table: r["ref_table"], Name: r["ref_column"]} }

func readCSV(t *testing.T, path string) []csvRow {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []csvRow
	for _, rec := range records[1:] {
		row := csvRow{}
		for i, name := range records[0] {
			row[name] = rec[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func readTruth(t *testing.T, dir string) truth {
	var tr truth
	for _, r := range readCSV(t, filepath.Join(dir, "references.csv")) {
		switch r["kind"] {
		case "plain":
			tr.plain = append(tr.plain, r)
		case "namecopy":
			tr.copies = append(tr.copies, r)
		}
	}
	tr.never = readCSV(t, filepath.Join(dir, "references_not.csv"))
	return tr
}

// rsc is one merge of the two worlds, in a folder of its own.
type rsc struct {
	dir    string
	shards []string
	truth  truth
}

func newRSC(t *testing.T) *rsc {
	from := casesFolder(t)
	r := &rsc{dir: t.TempDir(), truth: readTruth(t, from)}
	for _, name := range []string{"s1.db", "s2.db"} {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(r.dir, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r.shards = append(r.shards, file)
	}
	return r
}

func (r *rsc) path(name string) string { return filepath.Join(r.dir, name) }

// answer writes a plan, answers its open entries from the truth, and adds the renames that the game needs.
func (r *rsc) answer(t *testing.T) *merge.Plan {
	t.Helper()
	plan := r.path("plan.yaml")
	if code, out, stderr := run(t, "merge-check", r.shards[0], r.shards[1], "--write-plan", plan); code != 1 {
		t.Fatalf("merge-check --write-plan: exit %d\n%s\n%s", code, out, stderr)
	}
	text, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	file, err := planfile.Read(plan, text)
	if err != nil {
		t.Fatalf("the plan that merge-check wrote does not parse: %v", err)
	}
	p := file.Plan
	for _, n := range r.truth.never {
		for _, ref := range p.References {
			if ref.As == merge.Plain && slices.Contains(ref.From, n.from()) {
				t.Errorf("%s would be rewritten: %s", n.from(), n["why_not"])
			}
		}
	}
	for _, u := range file.Undecided {
		switch {
		case u.Reference != nil:
			p.References = append(p.References, r.decide(*u.Reference, p.References)...)
		case u.Table != nil:
			p.Tables = slices.DeleteFunc(p.Tables, func(x merge.TablePlan) bool { return x.Table == u.Table.Table })
			p.Tables = append(p.Tables, *u.Table)
		case u.Unique != nil: // a name: see below
			if u.Unique.Unique[0] != (merge.Col{Table: "players", Name: "username"}) {
				p.References = append(p.References, merge.Reference{From: u.Unique.Unique, As: merge.Keep})
			}
		case u.Key != nil:
			p.Keys = append(p.Keys, *u.Key)
		case u.Counter != nil:
			p.References = append(p.References, merge.Reference{From: []merge.Col{u.Counter.Column}, As: merge.Keep})
		}
	}
	for _, n := range r.truth.never {
		if !decided(p.References, n.from()) {
			p.References = append(p.References, merge.Reference{From: []merge.Col{n.from()}, As: merge.Keep})
		}
	}
	name := merge.Col{Table: "players", Name: "username"}
	p.Uniques = append(p.Uniques, merge.UniquePlan{Unique: []merge.Col{name}, OnConflict: "rename", Template: "{value}_{shard}", Collate: "NOCASE"})
	for _, c := range r.truth.copies {
		if c.to() == name {
			p.References = append(p.References, merge.Reference{From: []merge.Col{c.from()}, To: []merge.Col{name}, As: merge.Copy})
		}
	}
	// What nobody asked about is left out here, so that a silent miss fails below.
	return &p
}

// decide answers one question from the truth.
func (r *rsc) decide(asked merge.Reference, have []merge.Reference) []merge.Reference {
	for _, p := range r.truth.plain {
		if p.from() == asked.From[0] {
			ref := merge.Reference{From: asked.From, To: []merge.Col{p.to()}, None: asked.None, Orphans: asked.Orphans}
			if p["null"] == "0" {
				ref.None = []any{int64(0)}
			}
			return []merge.Reference{ref}
		}
	}
	if decided(have, asked.From[0]) {
		return nil
	}
	return []merge.Reference{{From: asked.From, As: merge.Keep}}
}

func decided(refs []merge.Reference, c merge.Col) bool {
	return slices.ContainsFunc(refs, func(r merge.Reference) bool { return slices.Contains(r.From, c) })
}

func (r *rsc) save(t *testing.T, name string, p *merge.Plan) string {
	t.Helper()
	// A later decision about a column replaces an earlier one.
	last := map[string]int{}
	for i, ref := range p.References {
		last[merge.JoinCols(ref.From)+ref.When] = i
	}
	var refs []merge.Reference
	for i, ref := range p.References {
		if last[merge.JoinCols(ref.From)+ref.When] == i {
			refs = append(refs, ref)
		}
	}
	copied := *p
	copied.References = refs
	file := r.path(name)
	if err := os.WriteFile(file, planfile.Format(&copied, planfile.Notes{}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// merge runs merge-rewrite and returns its exit code and what it said.
func (r *rsc) merge(t *testing.T, plan, out string) (int, string) {
	t.Helper()
	code, stdout, stderr := run(t, "merge-rewrite", r.shards[0], r.shards[1], "--plan", plan, "-o", out, "--quiet")
	return code, stdout + stderr
}

func TestOpenRSCMerge(t *testing.T) {
	r := newRSC(t)
	plan := r.answer(t)
	out := r.path("merged.db")
	file := r.save(t, "answered.yaml", plan)
	if code, said := r.merge(t, file, out); code != 0 {
		t.Fatalf("merge-rewrite: exit %d\n%s", code, said)
	}
	if code, stdout, stderr := run(t, "merge-verify", r.shards[0], r.shards[1], "--merged", out, "--quiet"); code != 0 {
		t.Fatalf("merge-verify: exit %d\n%s%s", code, stdout, stderr)
	}
	if bad := r.follow(t, out, r.truth.plain); len(bad) > 0 {
		t.Fatalf("references that do not lead to the image of what they led to:\n%s", strings.Join(bad, "\n"))
	}

	// Every reference left out of the plan must be noticed: the rewrite refuses and names it, or following it fails.
	for i, left := range r.truth.plain {
		t.Run(left.from().String(), func(t *testing.T) {
			less := *plan
			less.References = slices.DeleteFunc(slices.Clone(plan.References), func(ref merge.Reference) bool { return slices.Contains(ref.From, left.from()) })
			if len(less.References) == len(plan.References) {
				t.Fatal("the plan never held it")
			}
			out := r.path(fmt.Sprintf("less-%d.db", i))
			code, said := r.merge(t, r.save(t, fmt.Sprintf("less-%d.yaml", i), &less), out)
			if code == 3 && strings.Contains(said, left.from().String()) {
				return
			}
			if code != 0 {
				t.Fatalf("merge-rewrite: exit %d without the column's name\n%s", code, said)
			}
			if bad := r.follow(t, out, []csvRow{left}); len(bad) == 0 {
				t.Fatal("merged without it, and nobody noticed")
			}
		})
	}
}

// TestOpenRSCKeptByMistake shows that following the references can fail: one in four is kept as it is, against the truth.
func TestOpenRSCKeptByMistake(t *testing.T) {
	r := newRSC(t)
	plan := r.answer(t)
	for i, p := range r.truth.plain {
		if i%4 != 0 {
			continue
		}
		t.Run(p.from().String(), func(t *testing.T) {
			wrong := *plan
			wrong.References = slices.DeleteFunc(slices.Clone(plan.References), func(ref merge.Reference) bool { return slices.Contains(ref.From, p.from()) })
			wrong.References = append(wrong.References, merge.Reference{From: []merge.Col{p.from()}, As: merge.Keep})
			out := r.path(fmt.Sprintf("kept-%d.db", i))
			code, said := r.merge(t, r.save(t, fmt.Sprintf("kept-%d.yaml", i), &wrong), out)
			switch code {
			case 0:
				if bad := r.follow(t, out, []csvRow{p}); len(bad) == 0 {
					t.Fatal("kept against the truth, and following the references did not notice")
				}
			case 3: // a key that is a reference: the rows of two shards clash
			default:
				t.Fatalf("merge-rewrite: exit %d\n%s", code, said)
			}
		})
	}
}

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
