package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkLeft counts the rows of other shards that stand in no row of the one whose rows alone come: of them nothing is left.
func (a *auditor) checkLeft(ctx context.Context, t *table) error {
	stays := slices.IndexFunc(a.shards, func(s merge.Shard) bool { return s.Source().Name == t.plan.From })
	for i := range a.shards {
		if stays < 0 || i == stays || t.rows[i] == 0 {
			continue
		}
		rows := t.rows[i]
		if t.rows[stays] > 0 {
			pairs, err := a.foldPairs(ctx, t, stays, i)
			if err != nil {
				return err
			}
			shared, equal, err := a.engine.SameRows(ctx, a.raw[stays], a.raw[i], t.Name, pairs, 0)
			if err != nil {
				return err
			}
			if len(t.PrimaryKey) == 0 {
				shared = equal
			}
			rows -= shared
		}
		if rows == 0 {
			continue
		}
		what := "the key of no row"
		if len(t.PrimaryKey) == 0 {
			what = "the values of no row"
		}
		a.find(merge.Finding{
			Rule: "fold", Severity: merge.Info, Table: t.Name, Shard: a.name(i), Rows: rows,
			Text: fmt.Sprintf("%s %s of %s; the plan says rows: %s, so nothing of them is left", counted(rows, "row of "+a.name(i)+" has", "rows of "+a.name(i)+" have"), what, a.name(stays), t.policy()),
			Next: "check that nobody misses them",
		})
	}
	return nil
}
