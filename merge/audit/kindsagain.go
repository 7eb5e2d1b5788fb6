package audit

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// askKindsAgain asks what earlier merges said of the kinds of a column's rows, some of which repeat names that change, in place of what its texts say of all rows: a line without a condition beside such
// lines would contradict them. It tells whether they did.
func (a *auditor) askKindsAgain(ctx context.Context, col merge.Col, renamed []merge.Col) (bool, error) {
	from := []merge.Col{col}
	lines, _ := a.earlierLines(from)
	copies := func(r merge.Reference) bool { return r.As == merge.Copy && slices.Contains(renamed, r.To[0]) }
	void := func(r merge.Reference) bool { return r.When == "" || a.tryCondition(ctx, col.Table, r.When) != nil }
	if !slices.ContainsFunc(lines, copies) || slices.ContainsFunc(lines, void) || a.saidOf(from) {
		return false, nil
	}
	a.res.Undecided = slices.DeleteFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Reference != nil && u.Reference.When == "" && slices.Equal(u.Reference.From, from)
	})
	for _, line := range a.forgotten(from) {
		if line.As == merge.Copy && !copies(line) {
			continue // what it repeats stays, so that nothing comes of it
		}
		if err := a.askEarlierReference(ctx, line); err != nil {
			return false, err
		}
		if line.As == merge.Copy {
			a.withdraw(col, "follows renames")
		}
	}
	return true, nil
}
