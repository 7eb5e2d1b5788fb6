package audit

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkMark refuses marks of renamed rows that no row can carry.
func (a *auditor) checkMark(ctx context.Context, u *merge.UniquePlan) error {
	t := a.schema.Table(u.Unique[0].Table)
	if t == nil {
		return nil
	}
	name := merge.JoinCols(u.Unique)
	for column, value := range u.Mark {
		c, ok := a.schema.Resolve(merge.Col{Table: t.Name, Name: column})
		switch {
		case !ok:
			a.problem("uniques: %s: mark: no shard has a column %s", name, c)
		case slices.Contains(t.PrimaryKey, c.Name):
			a.problem("uniques: %s: mark: %s is a key, which gets its values under keys; mark another column", name, c)
		case slices.Contains(u.Unique, c):
			a.problem("uniques: %s: mark: %s is what the rename itself changes; mark another column", name, c)
		case t.Column(c.Name, a.schema.Fold).Generated:
			a.problem("uniques: %s: mark: %s is generated; mark another column", name, c)
		default:
			if err := a.tryCondition(ctx, t.Name, value); err != nil {
				a.problem("uniques: %s: mark %s: %q: %v", name, column, value, err)
			}
		}
	}
	return ctx.Err()
}

// checkMarkedReferences refuses marks on columns that refer to keys: the reference says what becomes of them.
func (a *auditor) checkMarkedReferences() {
	for _, u := range a.given.Uniques {
		for column := range u.Mark {
			c, _ := a.schema.Resolve(merge.Col{Table: u.Unique[0].Table, Name: column})
			if slices.ContainsFunc(a.plain(), func(r *reference) bool { return slices.Contains(r.From, c) }) || a.spaces[c] != nil {
				a.problem("uniques: %s: mark: %s holds keys, which follow keys and references; mark another column", merge.JoinCols(u.Unique), c)
			}
		}
	}
}
