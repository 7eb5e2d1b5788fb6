// Package suite holds what every engine has to do alike. An engine's own tests call Run with the means to make its databases; the suite merges small worlds in
// portable SQL and looks at the result through the engine's own shards.
package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/planfile"
	"github.com/gameid/gameid/merge/prove"
	"github.com/gameid/gameid/merge/rewrite"
)

// Harness is one engine under test.
type Harness struct {
	New func() merge.Engine
	// Make runs an SQL script in a new database and returns its source: a path or a URL.
	Make func(t *testing.T, script string) string
	// Out names an output that does not exist yet.
	Out func(t *testing.T) string
	// Change runs an SQL script in a database that the suite has closed.
	Change func(t *testing.T, source, script string)
}

// world is one merge in portable SQL.
type world struct {
	name, schema string
	shards       []string
	plan         string
	// want are conditions and how many rows of a table of the output satisfy them.
	want []count
	// damage are changes to the output of which the proof must notice every one.
	damage []string
}

type count struct {
	table, condition string
	rows             int64
}

// Run holds an engine to the suite.
func Run(t *testing.T, h Harness) {
	for _, w := range worlds {
		t.Run(w.name, func(t *testing.T) { h.merge(t, w) })
	}
	t.Run("refuses an output that exists", h.refuses)
}

// open makes a world's shards, with server numbers 1, 2 ...
func (h Harness) open(t *testing.T, engine merge.Engine, w world) []merge.Shard {
	t.Helper()
	var shards []merge.Shard
	for i, rows := range w.shards {
		server := int64(i + 1)
		src := merge.Source{Name: fmt.Sprintf("s%d", i+1), Server: &server, Source: h.Make(t, w.schema+rows)}
		s, err := engine.Open(t.Context(), src, merge.OpenOptions{Check: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		shards = append(shards, s)
	}
	return shards
}

// rewrite audits and rewrites a world, which its plan must settle.
func (h Harness) rewrite(t *testing.T, engine merge.Engine, shards []merge.Shard, w world, out string) (merge.Output, error) {
	t.Helper()
	plan, err := planfile.Parse("plan", []byte("version: 1\n"+w.plan))
	if err != nil {
		t.Fatal(err)
	}
	res, err := audit.Run(t.Context(), engine, shards, plan, audit.Options{Present: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	if res.Settled == nil {
		t.Fatalf("the plan leaves something open: %+v %+v", res.Undecided, res.Findings)
	}
	_, o, err := rewrite.Run(t.Context(), engine, shards, res.Settled, out, rewrite.Options{Plan: planfile.Format(&res.Settled.Plan, planfile.Notes{})})
	return o, err
}

func (h Harness) merge(t *testing.T, w world) {
	engine := h.New()
	shards := h.open(t, engine, w)
	out := h.Out(t)
	o, err := h.rewrite(t, engine, shards, w, out)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if bad := proof(t, engine, shards, out); len(bad) > 0 {
		t.Fatalf("the proof fails: %v", bad)
	}
	merged, err := engine.Open(t.Context(), merge.Source{Name: "merged", Source: out}, merge.OpenOptions{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range w.want {
		got, err := merged.Count(t.Context(), c.table, c.condition)
		if err != nil || got != c.rows {
			t.Errorf("%s where %s: got %d rows (%v), want %d", c.table, c.condition, got, err, c.rows)
		}
	}
	if err := merged.Close(); err != nil {
		t.Fatal(err)
	}
	for _, script := range w.damage {
		t.Run("notices "+script, func(t *testing.T) {
			engine := h.New()
			shards := h.open(t, engine, w)
			out := h.Out(t)
			o, err := h.rewrite(t, engine, shards, w, out)
			if err != nil {
				t.Fatal(err)
			}
			if err := o.Publish(t.Context()); err != nil {
				t.Fatal(err)
			}
			h.Change(t, out, script)
			if bad := proof(t, engine, shards, out); len(bad) == 0 {
				t.Error("the proof holds")
			}
		})
	}
}

// proof opens a merged database and returns the checks that fail.
func proof(t *testing.T, engine merge.Engine, shards []merge.Shard, out string) []prove.Check {
	t.Helper()
	merged, err := engine.Open(t.Context(), merge.Source{Name: "merged", Source: out}, merge.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = merged.Close() }()
	report, err := prove.Run(t.Context(), engine, shards, merged, prove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(report.Checks, func(c prove.Check) bool { return c.OK })
}

func (h Harness) refuses(t *testing.T) {
	engine := h.New()
	w := worlds[0]
	shards := h.open(t, engine, w)
	out := h.Out(t)
	o, err := h.rewrite(t, engine, shards, w, out)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Publish(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	second, err := h.rewrite(t, engine, shards, w, out)
	if err == nil {
		t.Fatal(errors.Join(errors.New("a second output was begun over the first"), second.Abort()))
	}
}
