package audit

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// turning lists what an SQL condition on a table names whose values the merge changes, so that it may hold of other rows in the output than in the shards: columns,
// row numbers that the engine gives anew, and "another table" for a subquery.
func (a *auditor) turning(t *merge.Table, condition string) (list []string) {
	names, words := merge.SQLNames(condition)
	for _, c := range t.Columns {
		if slices.Contains(names, merge.FoldASCII(c.Name)) && a.changes(merge.Col{Table: t.Name, Name: c.Name}) {
			list = append(list, c.Name)
		}
	}
	for _, number := range []string{"rowid", "_rowid_", "oid"} {
		if slices.Contains(names, number) && t.Column(number, true) == nil && (t.AutoColumn == "" || a.changes(merge.Col{Table: t.Name, Name: t.AutoColumn})) {
			list = append(list, number)
		}
	}
	if slices.Contains(words, "select") {
		list = append(list, "another table")
	}
	return list
}
