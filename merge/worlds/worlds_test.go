package worlds

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/planfile"
	"github.com/gameid/gameid/merge/prove"
	"github.com/gameid/gameid/merge/rewrite"
)

const ordinary = 50 // seeds of a run without GAMEID_SEEDS

// seeds are those of GAMEID_SEEDS, which is how many or FROM-TO, or the first few.
func seeds(t *testing.T, few int) (list []int) {
	from, to := 1, few
	if s := os.Getenv("GAMEID_SEEDS"); s != "" {
		var err error
		if a, b, ok := strings.Cut(s, "-"); ok {
			from, _ = strconv.Atoi(a)
			s = b
		}
		if to, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	for seed := from; seed <= to; seed++ {
		list = append(list, seed)
	}
	return list
}

// TestWorlds merges one world for every seed.
func TestWorlds(t *testing.T) {
	nasty := &census{counts: map[string]int{}}
	t.Cleanup(func() { nasty.check(t) })
	for _, seed := range seeds(t, ordinary) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := generate(uint64(seed))
			dir := t.TempDir()
			w.build(t, dir)
			if out, report := w.merge(t, dir); out != "" {
				nasty.add(w, w.check(t, out, report))
			}
		})
	}
}

// check holds a merged database against its proof and against the answer.
func (w *world) check(t *testing.T, out string, report *prove.Report) *answer {
	t.Helper()
	for _, c := range report.Checks {
		if !c.OK {
			t.Errorf("proof: %s %s.%s %s: %s", c.Name, c.Table, c.Column, c.Shard, c.Detail)
		}
	}
	a := judge(t, w, out)
	for _, line := range a.wrong {
		t.Error("answer: " + line)
	}
	if t.Failed() {
		t.Log("\n" + w.story())
	}
	return a
}

func (w *world) open(t *testing.T, e *sqlite.Engine) (list []merge.Shard) {
	for _, src := range w.plan.Shards {
		s, err := e.Open(t.Context(), src, merge.OpenOptions{Check: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		list = append(list, s)
	}
	return list
}

// merge audits, rewrites and proves; it returns "" after a refusal, which has failed the test.
func (w *world) merge(t *testing.T, dir string) (string, *prove.Report) {
	t.Helper()
	e := sqlite.New()
	shards := w.open(t, e)
	text := planfile.Format(&w.plan, planfile.Notes{})
	plan, err := planfile.Parse("plan", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	res, err := audit.Run(t.Context(), e, shards, plan, audit.Options{Present: merge.IDCursorNow(time.Now())})
	if err != nil {
		t.Fatalf("audit: %v\n%s", err, w.story())
	}
	if w.takeNumbers(res.Undecided) {
		return w.merge(t, dir)
	}
	if res.Settled == nil {
		for _, u := range res.Undecided {
			t.Errorf("undecided: %s: %s", u.Subject(), u.Question)
		}
		for _, f := range res.Findings {
			if f.Severity == merge.Block {
				t.Errorf("blocked: %+v", f)
			}
		}
		t.Log("\n" + w.story())
		return "", nil
	}
	path := filepath.Join(dir, "out.db")
	_, out, err := rewrite.Run(t.Context(), e, shards, res.Settled, path, rewrite.Options{Plan: planfile.Format(res.Plan, planfile.Notes{})})
	if err != nil {
		t.Fatalf("rewrite: %v\n%s", err, w.story())
	}
	if err := out.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return path, w.prove(t, e, shards, path)
}

// takeNumbers answers, where nothing else is asked, that keys are numbers of the game, that other columns hold no names, and that a part of a reference says nothing where
// another part is null. What the plan keeps as no reference may be such a key.
func (w *world) takeNumbers(open []merge.Undecided) bool {
	for _, u := range open {
		if (u.Reference == nil || !w.partOnly(u.Reference)) && (u.Key == nil || u.Key.New == "") && (u.Unique == nil || slices.ContainsFunc(u.Unique.Unique, w.holdsNames)) {
			return false
		}
	}
	for _, u := range open {
		if u.Reference != nil {
			w.plan.References = append(w.plan.References, merge.Reference{From: u.Reference.From, As: merge.Keep})
			continue
		}
		if u.Key == nil {
			w.plan.Uniques = append(w.plan.Uniques, merge.UniquePlan{Unique: u.Unique.Unique, OnConflict: "keep"})
			continue
		}
		if u.Key.New == merge.Static { // long and scattered numbers look like another place's
			u.Key.New = merge.Shift
		}
		if u.Key.New == merge.Shift && w.reachesEnd(u.Key.Key) { // above it there is no room
			u.Key.New = merge.Dense
		}
		w.plan.Keys = slices.DeleteFunc(w.plan.Keys, func(k merge.KeyPlan) bool { return strings.EqualFold(k.Key.String(), u.Key.Key.String()) })
		w.plan.Keys = append(w.plan.Keys, *u.Key)
	}
	return len(open) > 0
}

// partOnly tells whether the one column of a reference is a part of one of several columns.
func (w *world) partOnly(r *merge.Reference) bool {
	return len(r.From) == 1 && slices.ContainsFunc(w.refs, func(x *reference) bool {
		return len(x.from) > 1 && slices.ContainsFunc(x.from, func(at int) bool {
			return strings.EqualFold(r.From[0].String(), merge.Col{Table: x.table.name, Name: x.table.columns[at].name}.String())
		})
	})
}

// holdsNames tells whether a column holds names that alone must not be equal; beside another column they may.
func (w *world) holdsNames(c merge.Col) bool {
	return slices.ContainsFunc(w.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(x *column) bool { return x.role == name && x.beside < 0 && t.name == c.Table && x.name == c.Name })
	})
}

// reachesEnd tells whether a key has values at both ends of the integers.
func (w *world) reachesEnd(key merge.Col) bool {
	return slices.ContainsFunc(w.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c *column) bool { return c.edge && t.name == key.Table && c.name == key.Name })
	})
}

func (w *world) prove(t *testing.T, e *sqlite.Engine, shards []merge.Shard, path string) *prove.Report {
	t.Helper()
	merged, err := e.Open(t.Context(), merge.Source{Name: "merged", Source: path}, merge.OpenOptions{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = merged.Close() }()
	report, err := prove.Run(t.Context(), e, shards, merged, prove.Options{})
	if err != nil {
		t.Fatalf("proof: %v\n%s", err, w.story())
	}
	return report
}

// story is a world in words.
func (w *world) story() string {
	var b strings.Builder
	b.Write(planfile.Format(&w.plan, planfile.Notes{}))
	for _, x := range w.tables {
		fmt.Fprintf(&b, "%s\n", w.ddl(x, -1))
		for s, rows := range x.source {
			for _, row := range rows {
				fmt.Fprintf(&b, "  s%d", s+1)
				for _, v := range row {
					fmt.Fprintf(&b, " | %#v", v)
				}
				fmt.Fprintln(&b)
			}
		}
	}
	return b.String()
}
