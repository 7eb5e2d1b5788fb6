package audit

import (
	"context"
	"fmt"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// checkTargets refuses references to texts that no key holds unique and that the plan neither renames nor leads elsewhere, where two shards share some: such a text would
// stand in two rows, and what refers to it would lead to both.
func (a *auditor) checkTargets(ctx context.Context) error {
	told := map[merge.Col]bool{}
	for _, r := range a.refs {
		if r.As != merge.Plain || len(r.From) != 1 || r.spaces[0] != nil || told[r.To[0]] {
			continue
		}
		to := r.To[0]
		t := a.tables[to.Table]
		if t == nil || t.plan.Rows != merge.MergeRows || a.spaces[to] != nil || a.schema.Holds(to) == merge.Integer || a.hasUnique(t.Table, to.Name) || a.follows(to) || a.keyAsked(to) ||
			a.uniquePlanOf(to) != nil {
			continue
		}
		told[to] = true
		_, shared, err := a.engine.Clashes(ctx, a.raw, merge.Unique{Table: to.Table, Columns: []string{to.Name}, Collations: []string{a.schema.Column(to).Collation}}, "", "", 1)
		if err != nil {
			return err
		}
		if shared == 0 {
			continue
		}
		a.find(merge.Finding{
			Rule: "unique-conflict", Severity: merge.Block, Table: to.Table, Column: to.Name, Rows: shared,
			Text: fmt.Sprintf("%s refers to it, and %s in two shards, though no key holds it unique: it would lead to a row of each", r.From[0], counted(shared, "value stands", "values stand")),
			Next: "say what becomes of the later shards' rows, such as " + planfile.UniqueLine(&merge.UniquePlan{Unique: []merge.Col{to}, OnConflict: "rename", Template: a.template(to)}) + " under uniques; where they are the same on every server, say rows: first",
		})
	}
	return nil
}
