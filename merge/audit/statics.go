package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// unlike is an engine that counts the rows of one key that have nothing in common in some columns.
type unlike interface {
	UnlikeRows(ctx context.Context, a, b merge.Shard, table string, columns []string) (int64, error)
}

// takeStatic takes a table for the same on every server, or asks. Rows of one key that differ are not picked: what rows: first would lose is a part of the question.
func (a *auditor) takeStatic(ctx context.Context, s discover.StaticTable) error {
	t := a.tables[s.Table]
	if t.decided || a.textKey(t.Table) && a.uniquePlan(&merge.Unique{Table: t.Name, Columns: t.PrimaryKey}) != nil {
		return nil
	}
	line := merge.TablePlan{Table: s.Table, Rows: merge.FirstRows}
	if s.Differ == 0 { // what is answered because all rows are equal gives way where they no longer are
		line.While = merge.WhileEqual
	}
	if old, _ := a.earlierTable(t.Name); a.accepts(s.Grade) && (old == nil || old.Rows == line.Rows) {
		t.plan = line
		a.res.Evidence[s.Table] = string(s.Grade) + ": " + s.Evidence
		return nil
	}
	if s.Grade == merge.Doubtful && !s.Part && !a.oneOfTheGame(t, s) { // whoever takes the line as it stands must not lose a player by it
		if a.textKey(t.Table) { // the rows of equal keys are kept apart by names: the clash is what is asked about
			t.doubt = s.Evidence
			return nil
		}
		line.Rows, line.While = merge.MergeRows, ""
	}
	question := fmt.Sprintf("is %s the same on every server (rows: first), or does it belong to the players (rows: merge)?", s.Table)
	differ, err := a.lostByFirst(ctx, t, s)
	if err != nil {
		return err
	}
	if s.Unlike > 0 {
		question += fmt.Sprintf(" %s: rows: first leaves them out, and what refers to them comes to the first shard's; rows: merge gives every row of the later shards a number of its own, also the equal ones; "+
			"or give them other numbers in copies of the later shards, and then say rows: first", counted(s.Unlike, "row of the later shards is another thing under the same number", "rows of the later shards are other things under the same numbers"))
		if cols := t.KeyCols(); len(cols) == 1 {
			list, err := a.listed(ctx, t, cols[0])
			if err != nil {
				return err
			}
			if list != "" {
				question += fmt.Sprintf("; or, where every server numbers one list for itself, %s makes one row of each two and leads what refers to the later ones to it", list)
			}
		}
	}
	if s.Owner != "" && s.Differ > 0 {
		question += fmt.Sprintf(" Whoever has one on a later server loses it by rows: first; where a row of the first may hold nobody, rows: union with, under columns, %s: {set: %[1]s}, for what goes with it, too, gives it to him", s.Owner)
	}
	a.ask(merge.Undecided{Question: question, Rows: t.total(), Evidence: string(s.Grade) + ": " + s.Evidence + differ, Table: &line})
	return nil
}

// oneOfTheGame tells whether a table has one row on every server, the same one to which nothing leads, as the version of its schema: whoever folds it loses nothing.
func (a *auditor) oneOfTheGame(t *table, s discover.StaticTable) bool {
	if s.Differ > 0 || slices.Min(t.rows) < 1 || slices.Max(t.rows) > 1 {
		return false
	}
	drifted := slices.ContainsFunc(a.shards, func(o merge.Shard) bool { return len(o.Schema().Table(t.Name).Columns) != len(t.Columns) })
	named := slices.ContainsFunc(t.Columns, func(c *merge.Column) bool { return bearer(c.Name) }) // somebody, by whatever word his table is called
	if drifted || named || a.personalTable(t.Name) || a.referredTo(t) {
		return false
	}
	for _, list := range a.proposed {
		if slices.ContainsFunc(list, func(p merge.Proposal) bool { return p.To[0].Table == t.Name }) {
			return false
		}
	}
	return true
}

// lostByFirst says in what the rows of later shards differ from the first one's of their key; "" when in nothing, or in nearly all of them.
func (a *auditor) lostByFirst(ctx context.Context, t *table, s discover.StaticTable) (string, error) {
	d, ok := a.engine.(differing)
	if !ok || s.Differ == 0 || s.Differ*2 > t.total() {
		return "", nil
	}
	columns := make([]map[string]int64, len(a.shards))
	err := a.eachFold(ctx, t, sameKeyed, func(stays, folds int, pairs []merge.KeyPair) error {
		found, err := d.DifferentColumns(ctx, a.raw[stays], a.raw[folds], t.Name, pairs)
		if columns[folds] == nil {
			columns[folds] = map[string]int64{}
		}
		for name, n := range found {
			columns[folds][name] += n
		}
		return err
	})
	if err != nil {
		return "", err
	}
	list := ""
	for i, found := range columns {
		if differ := a.unruled(t, found); differ != "" {
			list += fmt.Sprintf("; rows of %s differ in %s", a.name(i), differ)
		}
	}
	return list, nil
}
