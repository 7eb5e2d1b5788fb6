package audit

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// A key over some rows alone, or over a form of a text such as its small letters, does not tell whether a column holds its own names: an account has one main character, whose
// row names the account as those of the others do.

// uniqueInPart tells whether the schema holds a column's texts unique in some rows alone, or in a form, and not as they are in all.
func (a *auditor) uniqueInPart(c merge.Col) bool { return len(a.partialKeys(c)) > 0 }

// partialKeys are the keys that hold a column's texts unique in some rows alone, or in a form; none where another one holds them unique as they are in all.
func (a *auditor) partialKeys(c merge.Col) (list []*merge.Unique) {
	if a.uniqueAlone(c) {
		return nil
	}
	for _, u := range a.schema.Table(c.Table).Uniques {
		if cols, _ := a.schema.Behind(u); len(u.Columns) == 1 && slices.Equal(cols, []merge.Col{c}) {
			list = append(list, u)
		}
	}
	return list
}

// renamedInPart are the columns that are unique in part and of which some values change: those that hold what their rows are called, and the others.
func (a *auditor) renamedInPart(ctx context.Context) (own, others []merge.Col, err error) {
	for _, c := range a.renamedColumns() {
		if !a.uniqueInPart(c) {
			continue
		}
		u, err := a.sampled(ctx, a.tables[c.Table], c)
		if err != nil {
			return nil, nil, err
		}
		if names, err := a.ownNames(ctx, u); err != nil {
			return nil, nil, err
		} else if names {
			own = append(own, c)
		} else {
			others = append(others, c)
		}
	}
	return own, others, nil
}

// ratherHeld tells whether a column may repeat a target where it is a target itself: that one tells its rows apart and the column does not, or has more of the column's texts
// than that has of its.
func (a *auditor) ratherHeld(ctx context.Context, u *unexplained, target merge.Col, targets []merge.Col) (bool, error) {
	if !slices.Contains(targets, u.col) {
		return true, nil
	}
	o, err := a.sampled(ctx, a.tables[target.Table], target)
	if err != nil {
		return false, err
	}
	_, apart, err := a.tellsApart(ctx, u.table, u.col)
	if err != nil {
		return false, err
	}
	if _, there, err := a.tellsApart(ctx, o.table, target); err != nil || apart != there {
		return there, err
	}
	here, err := a.lieAmong(ctx, u.samples, target, a.laxer(u.col, target))
	if err != nil {
		return false, err
	}
	there, err := a.lieAmong(ctx, o.samples, u.col, a.laxer(target, u.col))
	if err != nil || here.share() != there.share() {
		return here.share() > there.share(), err
	}
	return before(a.schema, o.table.Table, u.table.Table), nil
}
