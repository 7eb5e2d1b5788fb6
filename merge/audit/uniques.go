package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// clashLimit is how many clashing values are read; more than that are counted, not listed.
const clashLimit = 1_000_000

// checkUniques looks for values of unique keys that two shards hold, by the engine's own comparison, and renames where the plan says so.
func (a *auditor) checkUniques(ctx context.Context) error {
	a.checkMarkedReferences()
	for _, u := range a.uniques() {
		t := a.tables[u.Table]
		if t.dropped || !t.mixes() || a.asked(u) || a.apart(u) && a.everywhere(u) {
			continue
		}
		if a.remade(u) {
			a.unjudged = append(a.unjudged, u.Table)
			continue
		}
		plan := a.uniquePlan(u)
		collate, winner := "", ""
		if plan != nil {
			collate, winner = plan.Collate, plan.Winner
		}
		search := *u
		search.Among = a.among(u)
		list, total, err := a.engine.Clashes(ctx, a.raw, search, collate, winner, clashLimit)
		if err != nil && winner != "" {
			if _, _, plain := a.engine.Clashes(ctx, a.raw, search, collate, "", clashLimit); plain == nil {
				a.problem("uniques: %s: winner %q: %v", merge.JoinCols(u.Cols()), winner, err)
				continue
			}
		}
		if err != nil {
			return fmt.Errorf("unique key %s: %w", merge.JoinCols(u.Cols()), err)
		}
		found := list
		list = a.ownTwins(u, a.realClashes(u, t, list))
		if total > clashLimit && a.partOfComposite(u) { // those that were not listed cannot be told apart
			list = found
		}
		if len(list) == 0 || total == 0 {
			continue
		}
		if err := a.judgeClashes(ctx, u, t, plan, list); err != nil {
			return err
		}
	}
	return nil
}

// uniques are the unique keys of the schema and those that only the plan declares.
func (a *auditor) uniques() []*merge.Unique {
	var list []*merge.Unique
	for _, t := range a.schema.Tables {
		list = append(list, t.Uniques...)
	}
	for _, p := range a.given.Uniques {
		u := &merge.Unique{Table: p.Unique[0].Table}
		for _, c := range p.Unique {
			column, ok := a.schema.Resolve(c)
			if !ok {
				continue
			}
			u.Table = column.Table
			u.Columns = append(u.Columns, column.Name)
			u.Collations = append(u.Collations, a.schema.Column(column).Collation)
		}
		if !slices.ContainsFunc(list, func(v *merge.Unique) bool { // also a partial one: the rows that it leaves out may share a name
			return v.Table == u.Table && slices.Equal(v.Columns, u.Columns)
		}) {
			list = append(list, u)
		}
	}
	return list
}

func (a *auditor) uniquePlan(u *merge.Unique) *merge.UniquePlan {
	for i := range a.given.Uniques {
		p := &a.given.Uniques[i]
		if len(p.Unique) != len(u.Columns) {
			continue
		}
		same := true
		for j, c := range p.Unique {
			same = same && a.schema.Equal(c.Table, u.Table) && a.schema.Equal(c.Name, u.Columns[j])
		}
		if same {
			return p
		}
	}
	return nil
}

// asked tells whether an open question about the table, or about a column of the key, has to be answered before its conflicts mean anything.
func (a *auditor) asked(u *merge.Unique) bool {
	return slices.ContainsFunc(a.res.Undecided, func(q merge.Undecided) bool {
		if q.Table != nil && q.Table.Table == u.Table {
			return true
		}
		return q.Reference != nil && q.Reference.As == merge.Plain && slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return slices.Contains(q.Reference.From, c) })
	})
}
