package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// countersBy are the conditions of the counters, those of the plan or asked about, that are found by a column of a unique key. Such rows are the game's own, the same on every
// server, and under new names no condition would find them.
func (a *auditor) countersBy(u *merge.Unique) (list []string) {
	for _, c := range a.countersOrAsked() {
		names, _ := merge.SQLNames(c.Where)
		if a.schema.Equal(c.Column.Table, u.Table) && !slices.Contains(list, c.Where) && slices.ContainsFunc(u.Columns, func(name string) bool { return slices.Contains(names, merge.FoldASCII(name)) }) {
			list = append(list, c.Where)
		}
	}
	return list
}

// counting is how many values of a unique key that two shards have stand in the rows of counters.
func (a *auditor) counting(ctx context.Context, u *merge.Unique, list []merge.Clash) (counters int, err error) {
	var terms []string
	for _, where := range a.countersBy(u) {
		terms = append(terms, bracketed(where))
	}
	where := "(" + strings.Join(terms, " OR ") + ")"
	for _, c := range list {
		row := c.Rows[0]
		condition := where
		for i, v := range row.Values {
			condition += " AND " + a.engine.Quote(u.Columns[i]) + " = " + a.engine.Literal(v)
		}
		found, err := a.shards[row.Shard].Any(ctx, u.Table, condition)
		if err != nil {
			return 0, err
		}
		if found {
			counters++
		}
	}
	return counters, nil
}

// askCounters asks to fold rows of counters that two shards have under the same name; each counter is set above the keys of all shards whichever row stays. Of
// rows beside them, what differs is told. Rows that no policy folds, because their keys differ, are for a person to repair.
func (a *auditor) askCounters(ctx context.Context, u *merge.Unique, t *table, list []merge.Clash, samples []string, f merge.Finding) error {
	question := merge.Undecided{
		Question: counted(int64(len(list)), "counter stands", "counters stand") + " under the same " + merge.JoinCols(u.Cols()) + " in two shards: one row for both servers (rows: first)?",
		Rows:     f.Rows, Evidence: strings.Join(samples, ", "),
	}
	counters, err := a.counting(ctx, u, list)
	if err != nil {
		return err
	}
	highest := false
	if counters < len(list) {
		differ, _, err := a.differing(ctx, t)
		if err != nil {
			return err
		}
		if highest, err = a.onlyNumbers(ctx, t, differ, counters, len(list)); err != nil {
			return err
		}
		which, verb := "none a counter", "stand"
		if counters > 0 {
			which = "of which " + counted(int64(counters), "is a counter", "are counters")
		}
		if len(list) == 1 {
			verb = "stands"
		}
		question.Question = fmt.Sprintf("%s, %s, %s under the same %s in two shards: one row for both servers (rows: first)?", counted(int64(len(list)), "row", "rows"), which, verb, merge.JoinCols(u.Cols()))
		var lost []string
		for _, c := range t.Columns {
			if n := differ[c.Name]; n > 0 {
				lost = append(lost, fmt.Sprintf("%s (%s)", c.Name, counted(n, "row", "rows")))
			}
		}
		switch {
		case highest:
			question.Question = strings.TrimSuffix(question.Question, "(rows: first)?") + "with the highest number, as what counts something else, such as tickets, must not go back either (rows: union)? Where one holds somebody or a setting, the first server's is the better (rows: first)"
		case len(lost) > 0:
			question.Question += " It leaves out what the later shards' rows have of their own, also where they count nothing: " + strings.Join(lost, ", ")
		}
		if counters > 0 && counters < len(list) {
			question.Question += ". If another of them counts rows of a table, too, it needs a line of its own under counters, or its next number may be one that a row has"
		}
	}
	if len(a.realClashes(u, t, merge.FirstRows, list)) == 0 {
		f.Next = "fold the table's rows (rows: first)"
		line := t.plan
		if line.Rows = merge.FirstRows; highest {
			f.Next, line.Rows, line.Columns = "make one row of each two, with the highest number (rows: union)", merge.UnionRows, map[string]merge.Combine{}
			for _, c := range a.countingColumns(t) {
				line.Columns[c] = merge.Combine{How: "max"}
			}
		}
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

// countingColumns are the columns of a table in which the game counts, by the plan or by an open question.
func (a *auditor) countingColumns(t *table) (list []string) {
	for _, c := range a.countersOrAsked() {
		if col, ok := a.schema.Resolve(c.Column); ok && col.Table == t.Name && !slices.Contains(list, col.Name) {
			list = append(list, col.Name)
		}
	}
	return list
}

// onlyNumbers tells whether all rows of a table of counters may count, also those that count no key: they are fewer, and nothing differs but numbers where the game counts.
func (a *auditor) onlyNumbers(ctx context.Context, t *table, differ map[string]int64, counters, rows int) (bool, error) {
	if 2*counters <= rows {
		return false, nil
	}
	columns := a.countingColumns(t)
	for _, c := range t.Columns {
		if differ[c.Name] > 0 && !slices.Contains(columns, c.Name) {
			return false, nil
		}
	}
	for i, s := range a.shards {
		for _, name := range columns {
			own, ok := s.Schema().Resolve(merge.Col{Table: t.Name, Name: name})
			if !ok || !a.has(i, t.Name) {
				continue
			}
			list, err := s.Values(ctx, own, "", 0)
			if err != nil {
				return false, err
			}
			if slices.ContainsFunc(list, func(v merge.ValueCount) bool { return !whole(v.Value[0]) }) {
				return false, nil
			}
		}
	}
	return len(columns) > 0, nil
}

// checkCounterRows refuses a counter without a condition where a shard has several rows that hold different numbers: every one of them would be set to one number, also what counts
// something else or nothing at all. Rows that all stand at one number may be the counters of one thing.
func (a *auditor) checkCounterRows(ctx context.Context, c *merge.Counter) error {
	t := a.tables[c.Column.Table]
	if t == nil || c.Where != "" {
		return nil
	}
	for i, s := range a.shards {
		own := s.Schema().Table(t.Name)
		if own == nil || s.Schema().Column(c.Column) == nil || !t.takes(a.name(i)) {
			continue
		}
		column := a.engine.Quote(c.Column.Name)
		rows, err := s.Count(ctx, own.Name, fmt.Sprintf("(SELECT count(DISTINCT %s) + max(%[1]s IS NULL) FROM %s) > 1", column, a.engine.Quote(own.Name)))
		if err != nil {
			return fmt.Errorf("counter %s in %s: %w", c.Column, a.name(i), err)
		}
		if rows < 2 {
			continue
		}
		text := fmt.Sprintf("the plan's counter has no where: all %d rows of %s would be set to one number, and they hold different ones", rows, t.Name)
		if rule, ok := t.plan.Columns[c.Column.Name]; ok {
			text += fmt.Sprintf(", which tables combines by %s", rule.How)
		}
		line := *c
		line.Where = a.engine.Quote(a.counterFinder(t.Table, c.Column.Name)) + " = ..."
		a.find(merge.Finding{
			Rule: "counter", Severity: merge.Block, Table: t.Name, Column: c.Column.Name, Shard: a.name(i), Rows: rows, Text: text,
			Next: fmt.Sprintf("say by a where in which row the game counts %s, such as %s, or take the line out of counters", c.Key, planfile.CounterLine(&line)),
		})
		return nil
	}
	return nil
}

// counterFinder is the column by which a counter's row is best found: one of texts that a unique key holds alone, or else the first of the primary key, or of all.
func (a *auditor) counterFinder(t *merge.Table, but string) string {
	for _, u := range t.Uniques {
		if c := u.Cols()[0]; len(u.Columns) == 1 && u.Plain() && c.Name != but && a.schema.Holds(c) == merge.Text {
			return c.Name
		}
	}
	if len(t.PrimaryKey) > 0 && t.PrimaryKey[0] != but {
		return t.PrimaryKey[0]
	}
	i := max(0, slices.IndexFunc(t.Columns, func(c *merge.Column) bool { return c.Name != but }))
	return t.Columns[i].Name
}
