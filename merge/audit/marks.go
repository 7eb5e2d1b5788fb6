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

// checkMarkedReferences refuses marks on columns that refer to keys, as the reference says what becomes of them, and on those that others repeat, as these would name nobody.
func (a *auditor) checkMarkedReferences() {
	for _, u := range a.given.Uniques {
		for column := range u.Mark {
			c, _ := a.schema.Resolve(merge.Col{Table: u.Unique[0].Table, Name: column})
			if slices.ContainsFunc(a.plain(), func(r *reference) bool { return slices.Contains(r.From, c) }) || a.spaces[c] != nil {
				a.problem("uniques: %s: mark: %s holds keys, which follow keys and references; mark another column", merge.JoinCols(u.Unique), c)
			}
			for _, r := range a.refs {
				if r.As == merge.Copy && slices.Contains(r.To, c) {
					a.problem("uniques: %s: mark: %s is what %s repeats, and would name nobody then; mark another column", merge.JoinCols(u.Unique), c, merge.JoinCols(r.From))
				}
			}
		}
	}
}

// checkRenamedReferences refuses to rename what a column says of another table's rows: it follows those, and a name of its own would lead elsewhere. In a column that
// repeats renamed names in every row, the rename is left with what names nobody.
func (a *auditor) checkRenamedReferences() {
	for _, u := range a.uniques() {
		plan := a.uniquePlan(u)
		if plan == nil || plan.OnConflict != "rename" {
			continue
		}
		c, _ := a.schema.Resolve(merge.Col{Table: u.Table, Name: a.textColumn(u, plan)})
		if r := a.ledBy(c); r != nil {
			a.problem("uniques: %s: %s follows what it refers to (%s), so no rename may give it names of its own; take this line out of uniques, or say that the column refers to nothing (as: keep)",
				merge.JoinCols(u.Cols()), c, r.String())
		}
	}
}

// ledBy is the reference by which a column holds what other rows are called, so that no rename may give it names of its own; nil when there is none, or those are renamed
// themselves and what names nobody of them is left.
func (a *auditor) ledBy(c merge.Col) *reference {
	for _, r := range a.refs {
		if i := slices.Index(r.From, c); i >= 0 && i < len(r.To) && (r.As == merge.Plain || r.As == merge.Copy) &&
			(r.When != "" || !slices.ContainsFunc(append(a.sources(c), r.To[i]), a.mayRename)) {
			return r
		}
	}
	return nil
}
