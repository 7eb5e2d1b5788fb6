package cmd_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
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
	nobody := map[merge.Col][]any{} // words of the game that a question names
	for _, u := range file.Undecided {
		switch {
		case u.Reference != nil:
			if u.Reference.As == merge.Copy {
				nobody[u.Reference.From[0]] = u.Reference.None
			}
			p.References = append(p.References, r.decide(*u.Reference, p.References)...)
		case u.Table != nil:
			p.Tables = slices.DeleteFunc(p.Tables, func(x merge.TablePlan) bool { return x.Table == u.Table.Table })
			p.Tables = append(p.Tables, *u.Table)
		case u.Unique != nil: // a name: see below
			if !slices.Contains([]string{"players.username", "clan.name"}, merge.JoinCols(u.Unique.Unique)) {
				t.Errorf("what players write is no name: %s", u.Question)
			}
			if u.Unique.Unique[0] != (merge.Col{Table: "players", Name: "username"}) {
				p.References = append(p.References, merge.Reference{From: u.Unique.Unique, As: merge.Keep})
				p.Uniques = append(p.Uniques, merge.UniquePlan{Unique: u.Unique.Unique, OnConflict: "keep"})
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
			p.References = append(p.References, merge.Reference{From: []merge.Col{c.from()}, To: []merge.Col{name}, As: merge.Copy, None: nobody[c.from()]})
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

// merge starts merge-rewrite, as people get it, and returns its exit code and what it said.
func (r *rsc) merge(t *testing.T, plan, out string) (int, string) {
	t.Helper()
	c := exec.Command(program(t), "merge-rewrite", r.shards[0], r.shards[1], "--plan", plan, "-o", out, "--quiet")
	said, err := c.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(said)
}

func TestM31OpenRSCMerge(t *testing.T) {
	r := newRSC(t)
	plan := r.answer(t)
	out := r.path("merged.db")
	file := r.save(t, "answered.yaml", plan)
	if code, stdout, stderr := run(t, "merge-rewrite", r.shards[0], r.shards[1], "--plan", file, "-o", out, "--quiet"); code != 0 {
		t.Fatalf("merge-rewrite: exit %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := run(t, "merge-verify", r.shards[0], r.shards[1], "--merged", out, "--quiet"); code != 0 {
		t.Fatalf("merge-verify: exit %d\n%s%s", code, stdout, stderr)
	}
	if bad := r.follow(t, out, r.truth.plain); len(bad) > 0 {
		t.Fatalf("references that do not lead to the image of what they led to:\n%s", strings.Join(bad, "\n"))
	}

	// Every reference left out of the plan must be noticed: the rewrite refuses and names it, or following it fails. Several are left out at once, and alone those
	// that no refusal named.
	for some := range slices.Chunk(r.truth.plain, 8) {
		code, said := r.mergeWithout(t, plan, some)
		for _, left := range some {
			t.Run(left.from().String(), func(t *testing.T) {
				if code == 3 && strings.Contains(said, left.from().String()) {
					return
				}
				code, said := r.mergeWithout(t, plan, []csvRow{left})
				if code == 3 && strings.Contains(said, left.from().String()) {
					return
				}
				if code != 0 {
					t.Fatalf("merge-rewrite: exit %d without the column's name\n%s", code, said)
				}
				if bad := r.follow(t, r.path("less.db"), []csvRow{left}); len(bad) == 0 {
					t.Fatal("merged without it, and nobody noticed")
				}
			})
		}
	}
}

// mergeWithout merges into less.db without the lines of some references.
func (r *rsc) mergeWithout(t *testing.T, plan *merge.Plan, left []csvRow) (int, string) {
	t.Helper()
	less := *plan
	less.References = slices.DeleteFunc(slices.Clone(plan.References), func(ref merge.Reference) bool {
		return slices.ContainsFunc(left, func(row csvRow) bool { return slices.Contains(ref.From, row.from()) })
	})
	for _, row := range left {
		if !decided(plan.References, row.from()) {
			t.Fatalf("the plan never held %s", row.from())
		}
	}
	if err := os.RemoveAll(r.path("less.db")); err != nil {
		t.Fatal(err)
	}
	return r.merge(t, r.save(t, "less.yaml", &less), r.path("less.db"))
}

// TestM31OpenRSCKeptByMistake shows that following the references can fail: one in four is kept as it is, against the truth.
func TestM31OpenRSCKeptByMistake(t *testing.T) {
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
