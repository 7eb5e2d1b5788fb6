package planfile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// TestMergeKeepsDecisions pairs what a person decided with what an audit would write now.
func TestMergeKeepsDecisions(t *testing.T) {
	ref := func(from, to, when string) merge.Reference {
		return merge.Reference{From: cols(from), To: cols(to), When: when}
	}
	json := func(path string) merge.Reference {
		return merge.Reference{From: cols("p.data"), To: cols("i.id"), As: merge.JSON, Path: path}
	}
	keepLogs := merge.Reference{From: []merge.Col{{Table: "log_*", Name: "*"}}, Pattern: merge.Pattern{Table: true, Name: true}, As: merge.Keep}
	for _, c := range []struct {
		name             string
		old, fresh, want merge.Plan
	}{
		{
			"keys",
			merge.Plan{Keys: []merge.KeyPlan{{Key: col("a.id"), New: merge.Dense}}},
			merge.Plan{Keys: []merge.KeyPlan{{Key: col("A.ID"), New: merge.GameID}, {Key: col("b.id"), New: merge.GameID}}},
			merge.Plan{Keys: []merge.KeyPlan{{Key: col("a.id"), New: merge.Dense}, {Key: col("b.id"), New: merge.GameID}}},
		},
		{
			"a pattern covers a table",
			merge.Plan{Tables: []merge.TablePlan{{Table: "log_*", Pattern: true, Rows: merge.EmptyRows}}},
			merge.Plan{Tables: []merge.TablePlan{{Table: "LOG_kills", Rows: merge.MergeRows}, {Table: "logs", Rows: merge.MergeRows}}},
			merge.Plan{Tables: []merge.TablePlan{{Table: "log_*", Pattern: true, Rows: merge.EmptyRows}, {Table: "logs", Rows: merge.MergeRows}}},
		},
		{
			"a pattern covers references",
			merge.Plan{References: []merge.Reference{keepLogs}},
			merge.Plan{References: []merge.Reference{ref("log_kills.x", "a.id", ""), ref("logs.x", "a.id", "")}},
			merge.Plan{References: []merge.Reference{keepLogs, ref("logs.x", "a.id", "")}},
		},
		{
			"a star in quotes covers what is called so",
			merge.Plan{References: []merge.Reference{{From: cols("log_*.*"), As: merge.Keep}}, Tables: []merge.TablePlan{{Table: "log_*", Rows: merge.EmptyRows}}},
			merge.Plan{References: []merge.Reference{ref("log_kills.x", "a.id", ""), ref("LOG_*.*", "a.id", "")}, Tables: []merge.TablePlan{{Table: "LOG_*"}, {Table: "log_kills"}}},
			merge.Plan{
				References: []merge.Reference{{From: cols("log_*.*"), As: merge.Keep}, ref("log_kills.x", "a.id", "")},
				Tables:     []merge.TablePlan{{Table: "log_*", Rows: merge.EmptyRows}, {Table: "log_kills"}},
			},
		},
		{
			"conditions decide the column",
			merge.Plan{References: []merge.Reference{ref("a.x", "b.id", "kind = 1")}},
			merge.Plan{References: []merge.Reference{ref("a.x", "c.id", ""), ref("a.y", "c.id", "")}},
			merge.Plan{References: []merge.Reference{ref("a.x", "b.id", "kind = 1"), ref("a.y", "c.id", "")}},
		},
		{
			"another place in the same value is new",
			merge.Plan{References: []merge.Reference{json("$.a")}},
			merge.Plan{References: []merge.Reference{json("$.a"), json("$.b"), ref("p.data", "q.id", "")}},
			merge.Plan{References: []merge.Reference{json("$.a"), json("$.b")}},
		},
		{
			"composite references in another order",
			merge.Plan{References: []merge.Reference{{From: cols("a.x", "a.y"), To: cols("b.x", "b.y"), Orphans: merge.ByDrop}}},
			merge.Plan{References: []merge.Reference{{From: cols("a.y", "a.x"), To: cols("b.y", "b.x")}}},
			merge.Plan{References: []merge.Reference{{From: cols("a.x", "a.y"), To: cols("b.x", "b.y"), Orphans: merge.ByDrop}}},
		},
		{
			"uniques and counters",
			merge.Plan{Uniques: []merge.UniquePlan{{Unique: cols("a.n"), OnConflict: "fail"}}, Counters: []merge.Counter{{Column: col("s.n"), Where: "x", Key: col("a.id")}}},
			merge.Plan{
				Uniques:  []merge.UniquePlan{{Unique: cols("a.n"), OnConflict: "rename", Template: "{value}"}, {Unique: cols("b.n"), OnConflict: "fail"}},
				Counters: []merge.Counter{{Column: col("s.n"), Key: col("b.id")}, {Column: col("s.m"), Key: col("b.id")}},
			},
			merge.Plan{
				Uniques:  []merge.UniquePlan{{Unique: cols("a.n"), OnConflict: "fail"}, {Unique: cols("b.n"), OnConflict: "fail"}},
				Counters: []merge.Counter{{Column: col("s.n"), Where: "x", Key: col("a.id")}, {Column: col("s.m"), Key: col("b.id")}},
			},
		},
		{
			"shards and schema are today's, acceptance is the operator's",
			merge.Plan{Shards: []merge.Source{{Name: "old"}}, Schema: "sha256:1", Accept: []merge.Grade{merge.Likely}},
			merge.Plan{Shards: []merge.Source{{Name: "new"}}, Schema: "sha256:2", Accept: []merge.Grade{merge.Certain}},
			merge.Plan{Shards: []merge.Source{{Name: "new"}}, Schema: "sha256:2", Accept: []merge.Grade{merge.Likely}},
		},
	} {
		if diff := cmp.Diff(&c.want, planfile.Merge(&c.old, &c.fresh)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestMergedPlansParse: whatever is refreshed with whatever, the file that is written is a plan, every old line is in it, and again changes nothing.
func TestMergedPlansParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, fresh := plan(t), plan(t)
		for i := range fresh.Keys { // roles are the operator's
			fresh.Keys[i].Role, fresh.Keys[i].New = "", merge.Shift
		}
		before := string(planfile.Format(old, planfile.Notes{}))
		merged := planfile.Merge(old, fresh)
		got, err := planfile.Parse("p.yaml", planfile.Format(merged, planfile.Notes{}))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(merged, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(merged, planfile.Merge(merged, fresh)); diff != "" {
			t.Fatalf("refreshed twice (-once +twice):\n%s", diff)
		}
		if diff := cmp.Diff(old.References, merged.References[:len(old.References):len(old.References)]); len(old.References) > 0 && diff != "" {
			t.Fatalf("old references (-want +got):\n%s", diff)
		}
		if after := string(planfile.Format(old, planfile.Notes{})); after != before {
			t.Fatalf("the old plan changed:\n%s", cmp.Diff(before, after))
		}
	})
}
