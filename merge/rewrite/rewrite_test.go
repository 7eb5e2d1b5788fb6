package rewrite_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gameid/gameid/fixtures"
	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/planfile"
	"github.com/gameid/gameid/merge/prove"
	"github.com/gameid/gameid/merge/rewrite"
)

// game is two worlds of the fixture and a settled plan for them.
type game struct {
	dir     string
	engine  *sqlite.Engine
	shards  []merge.Shard
	settled *merge.Settled
	plan    []byte
}

func newGame(t *testing.T, rows int) *game {
	t.Helper()
	g := &game{dir: t.TempDir(), engine: sqlite.New()}
	text, err := os.ReadFile("../../fixtures/demo-plan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planfile.Parse("plan", text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range plan.References {
		if plan.References[i].From[0] == (merge.Col{Table: "mail", Name: "sender_name"}) {
			plan.References[i].None = []any{"System"}
		}
	}
	plan.References = append(plan.References, merge.Reference{From: []merge.Col{{Table: "counters", Name: "next_id"}}, As: merge.Keep})
	for i := range plan.Shards {
		path := filepath.Join(g.dir, fmt.Sprintf("%d.db", i+1))
		if err := fixtures.Write(t.Context(), path, fixtures.World{Seed: 1, Server: i + 1, Rows: rows}); err != nil {
			t.Fatal(err)
		}
		plan.Shards[i].Source = path
		s, err := g.engine.Open(t.Context(), plan.Shards[i], merge.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		g.shards = append(g.shards, s)
	}
	res, err := audit.Run(t.Context(), g.engine, g.shards, plan, audit.Options{Present: merge.IDCursorNow(time.Now())})
	if err != nil {
		t.Fatal(err)
	}
	if res.Settled == nil {
		for _, u := range res.Undecided {
			t.Log(u.Subject(), u.Question)
		}
		t.Fatalf("the demo plan leaves %d decisions: %+v", len(res.Undecided), res.Findings)
	}
	g.settled, g.plan = res.Settled, planfile.Format(res.Plan, planfile.Notes{})
	return g
}

func (g *game) run(t *testing.T, name string) (*rewrite.Summary, merge.Output) {
	t.Helper()
	summary, out, err := rewrite.Run(t.Context(), g.engine, g.shards, g.settled, filepath.Join(g.dir, name), rewrite.Options{Plan: g.plan})
	if err != nil {
		t.Fatalf("Run = %v", err)
	}
	t.Cleanup(func() { _ = out.Abort() })
	return summary, out
}

// TestReferencesFollow checks every reference of the game in SQL: rows meet their images by what identifies them besides keys.
func TestReferencesFollow(t *testing.T) {
	g := newGame(t, 20_000)
	summary, out := g.run(t, "out.db")
	db, err := sql.Open("sqlite3", out.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	number := func(query string) (n int) {
		t.Helper()
		if err := db.QueryRow(query).Scan(&n); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return n
	}
	for i := range g.shards {
		if _, err := db.Exec("ATTACH ? AS "+fmt.Sprintf("s%d", i+1), filepath.Join(g.dir, fmt.Sprintf("%d.db", i+1))); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range summary.Tables {
		if got := number("SELECT count(*) FROM main." + s.Table); int64(got) != s.Out {
			t.Errorf("%s has %d rows, the summary says %d", s.Table, got, s.Out)
		}
		if s.Policy == merge.MergeRows && s.Out != s.In[0]+s.In[1] {
			t.Errorf("%s: %d rows of %v", s.Table, s.Out, s.In)
		}
	}
	for _, r := range fixtures.References() {
		when := r.When
		if when == "" {
			when = "true"
		}
		if r.Table == "rankings" || r.CopyBy != "" || r.Static {
			continue
		}
		join := func(schema string) string {
			return fmt.Sprintf("SELECT count(*) FROM %[1]s.%[2]s f JOIN %[1]s.%[3]s k ON k.%[4]s = f.%[5]s WHERE (%[6]s)", schema, r.Table, r.Target, r.TargetColumn, r.Column, when)
		}
		in := 0
		for i := range g.shards {
			in += number(join(fmt.Sprintf("s%d", i+1)))
		}
		if got := number(join("main")); got != in || in == 0 {
			t.Errorf("%s -> %s: %d rows point at somebody, want %d", r.From(), r.To(), got, in)
		}
	}
	// Who owns what, told by what no merge changes: creation times and template, not by keys.
	owned := "SELECT c.last_login_at, c.gold, c.x, c.y, i.template_id, i.amount, i.durability FROM %[1]s.items i JOIN %[1]s.characters c ON c.id = i.owner_id"
	both := fmt.Sprintf(owned, "s1") + " UNION ALL " + fmt.Sprintf(owned, "s2")
	if n := number("SELECT count(*) FROM (SELECT * FROM (" + fmt.Sprintf(owned, "main") + ") EXCEPT SELECT * FROM (" + both + "))"); n != 0 {
		t.Errorf("%d items belong to another character", n)
	}
	if n := number("SELECT count(*) FROM mail m JOIN characters c ON c.id = m.sender_id WHERE c.name <> m.sender_name"); n != 0 {
		t.Errorf("%d letters carry a name that is not their sender's", n)
	}
}

func TestProofHolds(t *testing.T) {
	g := newGame(t, 10_000)
	_, out := g.run(t, "out.db")
	merged, err := g.engine.Open(t.Context(), merge.Source{Name: "merged", Source: out.Path()}, merge.OpenOptions{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = merged.Close() }()
	report, err := prove.Run(t.Context(), g.engine, g.shards, merged, prove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Checks {
		if !c.OK {
			t.Errorf("check %+v", c)
		}
	}
	for _, b := range report.Bad {
		t.Errorf("bad row %+v", b)
	}
}

func TestRunTwiceEqualBytes(t *testing.T) {
	g := newGame(t, 5_000)
	var sums [][32]byte
	for i := range 2 {
		_, out := g.run(t, fmt.Sprintf("out%d.db", i))
		if err := out.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(g.dir, fmt.Sprintf("out%d.db", i)))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), g.dir) && !strings.Contains(string(g.plan), g.dir) {
			t.Error("the output holds a path")
		}
		sums = append(sums, sha256.Sum256(data))
	}
	if sums[0] != sums[1] {
		t.Error("two runs made different bytes")
	}
}

func TestFailureLeavesNothing(t *testing.T) {
	g := newGame(t, 1_000)
	before := entries(t, g.dir)
	clash := *g.settled
	clash.Renames = nil // equal names meet
	if _, _, err := rewrite.Run(t.Context(), g.engine, g.shards, &clash, filepath.Join(g.dir, "out.db"), rewrite.Options{}); err == nil {
		t.Error("Run with clashing names = nil")
	} else if load := (*sqlite.LoadError)(nil); !errors.As(err, &load) {
		t.Errorf("Run with clashing names = %v, want a LoadError", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := rewrite.Run(ctx, g.engine, g.shards, g.settled, filepath.Join(g.dir, "out.db"), rewrite.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Run after the end of its context = %v", err)
	}
	if after := entries(t, g.dir); !slices.Equal(before, after) {
		t.Errorf("the folder holds %q, before %q", after, before)
	}
}

func TestRefusals(t *testing.T) {
	g := newGame(t, 1_000)
	for name, spoil := range map[string]func(*merge.Settled){
		"purge":   func(s *merge.Settled) { s.Tables[0].Plan.Purge = map[string]string{"default": "true"} },
		"unknown": func(s *merge.Settled) { s.Tables[0].Plan.Rows = "as-it-comes" },
		"json":    func(s *merge.Settled) { s.References[0].As = merge.JSON },
		"from":    func(s *merge.Settled) { s.Tables[0].Plan.Rows, s.Tables[0].Plan.From = merge.FromRows, "nobody" },
	} {
		spoilt := *g.settled
		spoilt.Tables, spoilt.References = slices.Clone(g.settled.Tables), slices.Clone(g.settled.References)
		spoil(&spoilt)
		_, _, err := rewrite.Run(t.Context(), g.engine, g.shards, &spoilt, filepath.Join(g.dir, "out.db"), rewrite.Options{})
		var refusal *rewrite.Refusal
		if !errors.As(err, &refusal) || refusal.Line == "" {
			t.Errorf("%s: %v, want a Refusal", name, err)
		}
		if _, err := rewrite.Preview(t.Context(), g.engine, g.shards, &spoilt, 1); !errors.As(err, &refusal) {
			t.Errorf("%s: Preview = %v, want a Refusal", name, err)
		}
	}
}

func TestPreview(t *testing.T) {
	g := newGame(t, 2_000)
	before := entries(t, g.dir)
	f, err := rewrite.Preview(t.Context(), g.engine, g.shards, g.settled, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range f.Tables {
		if table.Table != "items" {
			continue
		}
		second := table.Samples[1]
		if len(second.Before) != 3 || len(second.After) != 3 || second.Before[0][0] == second.After[0][0] || second.Before[0][2] != second.After[0][2] {
			t.Errorf("samples of items: %+v", second)
		}
	}
	if f.Disk <= g.shards[0].Bytes() || f.Memory < 256<<20 {
		t.Errorf("disk %d, memory %d", f.Disk, f.Memory)
	}
	if after := entries(t, g.dir); !slices.Equal(before, after) {
		t.Errorf("the folder holds %q, before %q", after, before)
	}
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}
