package audit

import (
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// countersBy tells whether counters, those of the plan or asked about, are found by a column of a unique key. Such rows are the game's own, the same on every server,
// and under new names no condition would find them.
func (a *auditor) countersBy(u *merge.Unique) bool {
	by := func(c *merge.Counter) bool {
		names, _ := merge.SQLNames(c.Where)
		return a.schema.Equal(c.Column.Table, u.Table) && slices.ContainsFunc(u.Columns, func(name string) bool { return slices.Contains(names, merge.FoldASCII(name)) })
	}
	return slices.ContainsFunc(a.given.Counters, func(c merge.Counter) bool { return by(&c) }) ||
		slices.ContainsFunc(a.res.Undecided, func(q merge.Undecided) bool { return q.Counter != nil && by(q.Counter) })
}

// askCounters asks to fold rows of counters that two shards have under the same name; each counter is set above the keys of all shards whichever row stays. Rows
// that no policy folds, because their keys differ, are for a person to repair.
func (a *auditor) askCounters(u *merge.Unique, t *table, list []merge.Clash, samples []string, f merge.Finding) {
	question := merge.Undecided{
		Question: counted(int64(len(list)), "counter stands", "counters stand") + " under the same " + merge.JoinCols(u.Cols()) + " in two shards: one row for both servers (rows: first)?",
		Rows:     f.Rows, Evidence: strings.Join(samples, ", "),
	}
	if len(a.realClashes(u, t, merge.FirstRows, list)) == 0 {
		f.Next = "fold the table's rows (rows: first)"
		line := t.plan
		line.Rows = merge.FirstRows
		question.Table = &line
	} else {
		f.Next = "give the rows of one shard the keys of the other's in copies of the shards, and fold the table's rows (rows: first)"
		question.Question += " They do not fold, for their keys differ: fail merges nothing until they are the same"
		question.Unique = &merge.UniquePlan{Unique: u.Cols(), OnConflict: "fail"}
	}
	a.find(f)
	a.ask(question)
}
