package report

import (
	"cmp"
	"slices"

	"github.com/gameid/gameid/merge"
)

// SortFindings is a sorted copy: what blocks first, then what has to be decided, then the rest; the most rows first, then by table, column, shard and rule.
func SortFindings(list []merge.Finding) []merge.Finding {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b merge.Finding) int {
		return cmp.Or(
			cmp.Compare(weight(a.Severity), weight(b.Severity)),
			cmp.Compare(b.Rows, a.Rows),
			cmp.Compare(a.Table, b.Table),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Shard, b.Shard),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Text, b.Text),
		)
	})
	return list
}

// SortUndecided is a sorted copy: the most rows at risk first, then by subject and question.
func SortUndecided(list []merge.Undecided) []merge.Undecided {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b merge.Undecided) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Subject(), b.Subject()), cmp.Compare(a.Question, b.Question))
	})
	return list
}

// SortTables is a copy sorted by name.
func SortTables(list []TableLine) []TableLine {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b TableLine) int { return cmp.Compare(a.Table, b.Table) })
	return list
}

// weight orders severities; one that is not known stands last, so that it cannot hide a block.
func weight(s merge.Severity) int {
	if i := slices.Index([]merge.Severity{merge.Block, merge.Decide, merge.Info}, s); i >= 0 {
		return i
	}
	return 3
}
