package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// countersBy is how many counters, those of the plan or asked about, are found by a column of a unique key. Such rows are the game's own, the same on every server,
// and under new names no condition would find them.
func (a *auditor) countersBy(u *merge.Unique) int {
	seen := map[merge.Counter]bool{}
	add := func(c *merge.Counter) {
		names, _ := merge.SQLNames(c.Where)
		if a.schema.Equal(c.Column.Table, u.Table) && slices.ContainsFunc(u.Columns, func(name string) bool { return slices.Contains(names, merge.FoldASCII(name)) }) {
			seen[merge.Counter{Column: c.Column, Where: c.Where}] = true
		}
	}
	for i := range a.given.Counters {
		add(&a.given.Counters[i])
	}
	for _, q := range a.res.Undecided {
		if q.Counter != nil {
			add(q.Counter)
		}
	}
	return len(seen)
}

// askCounters asks to fold rows of counters that two shards have under the same name; each counter is set above the keys of all shards whichever row stays. Of
// rows beside them, what differs is told. Rows that no policy folds, because their keys differ, are for a person to repair.
func (a *auditor) askCounters(ctx context.Context, u *merge.Unique, t *table, list []merge.Clash, samples []string, f merge.Finding) error {
	question := merge.Undecided{
		Question: counted(int64(len(list)), "counter stands", "counters stand") + " under the same " + merge.JoinCols(u.Cols()) + " in two shards: one row for both servers (rows: first)?",
		Rows:     f.Rows, Evidence: strings.Join(samples, ", "),
	}
	if counters := a.countersBy(u); counters < len(list) {
		differ, _, err := a.differing(ctx, t)
		if err != nil {
			return err
		}
		question.Question = fmt.Sprintf("%s, of which %s, stand under the same %s in two shards: one row for both servers (rows: first)?", counted(int64(len(list)), "row", "rows"), counted(int64(counters), "is a counter", "are counters"), merge.JoinCols(u.Cols()))
		var lost []string
		for _, c := range t.Columns {
			if n := differ[c.Name]; n > 0 {
				lost = append(lost, fmt.Sprintf("%s (%s)", c.Name, counted(n, "row", "rows")))
			}
		}
		if len(lost) > 0 {
			question.Question += " It leaves out what the later shards' rows have of their own, also where they count nothing: " + strings.Join(lost, ", ")
		}
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
	return nil
}
