package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// askPairs asks about pairs of columns that tell the rows of a table apart in every shard beside its key, though no schema says so, as a house and a flat's number do, when two
// shards hold the same and another table finds the rows by both: after the merge it would find those of two owners.
func (a *auditor) askPairs(ctx context.Context) error {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || len(t.PrimaryKey) == 0 || line.plan.Rows != merge.MergeRows || !a.inTwoShards(line) || a.tableAsked(t.Name) || slices.ContainsFunc(t.KeyCols(), a.keyAsked) {
			continue
		}
		if line.secondMost() < sharedLeast {
			continue
		}
		var columns []merge.Col
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if !c.Generated && a.schema.Holds(col) != merge.Real && !slices.Equal(t.KeyCols(), []merge.Col{col}) && a.spaces[col] == nil && !a.mayBeAnothers(col) && !a.uniqueAlone(col) && a.uniquePlanOf(col) == nil {
				columns = append(columns, col)
			}
		}
		for i, second := range columns {
			for _, first := range columns[:i] {
				if err := a.askPair(ctx, line, first, second); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// askPair asks about one pair of columns.
func (a *auditor) askPair(ctx context.Context, t *table, first, second merge.Col) error {
	u := &merge.Unique{Table: t.Name, Columns: []string{first.Name, second.Name}}
	for _, c := range u.Cols() {
		u.Collations = append(u.Collations, a.schema.Column(c).Collation)
	}
	repeated := slices.ContainsFunc(a.schema.Tables, func(o *merge.Table) bool {
		return o.Name != t.Name && o.Column(first.Name, a.schema.Fold) != nil && o.Column(second.Name, a.schema.Fold) != nil
	})
	if !repeated || a.uniquePlan(u) != nil || slices.ContainsFunc(t.Uniques, func(o *merge.Unique) bool {
		return o.Plain() && !slices.ContainsFunc(o.Cols(), func(c merge.Col) bool { return c != first && c != second })
	}) {
		return nil
	}
	shared, err := a.tellApart(ctx, t, u)
	if err != nil || shared < sharedLeast {
		return err
	}
	held, err := a.heldTogether(ctx, u)
	if err != nil || held == "" {
		return err
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("no two rows of a shard share %s, but %s in two shards: refuse them (or on_conflict: keep, and both stay)? %s", merge.JoinCols(u.Cols()), counted(shared, "such pair stands", "such pairs stand"), held),
		Evidence: "no key says so, and rows of both are more than chance keeps apart", Rows: shared,
		Unique: &merge.UniquePlan{Unique: u.Cols(), OnConflict: "fail"},
	})
	return nil
}
