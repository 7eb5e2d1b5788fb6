package audit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkCounters spells the plan's counters as the schema does and checks that their new value fits.
func (a *auditor) checkCounters(ctx context.Context) (err error) {
	for i := range a.given.Counters {
		c := &a.given.Counters[i]
		c.Column, _ = a.schema.Resolve(c.Column)
		c.Key, _ = a.schema.Resolve(c.Key)
	}
	a.counters = a.ofSequences(a.given.Counters)
	for i := range a.counters {
		c := &a.counters[i]
		if err := a.checkCountedKey(ctx, c); err != nil {
			return err
		}
		a.checkCounterWhere(c)
		if err := a.checkCounterRows(ctx, c); err != nil {
			return err
		}
		if a.schema.Holds(c.Key) == merge.Text {
			if err := a.checkTextCounter(ctx, c); err != nil {
				return err
			}
			continue
		}
		s := a.spaces[c.Key]
		if s == nil || s.result == nil {
			continue
		}
		if err := a.checkCounted(ctx, c); err != nil {
			return err
		}
		if c.Floor, err = a.countedTo(ctx, c); err != nil {
			return err
		}
		top := s.result.Top
		if limit := a.schema.Column(c.Column).Limit(); top > limit-c.Margin {
			a.find(merge.Finding{
				Rule: "width", Severity: merge.Block, Table: c.Column.Table, Column: c.Column.Name,
				Text: fmt.Sprintf("the counter has to pass %d, the highest %s, but its column ends at %d", top, c.Key, limit), Next: "widen the column, or give the key new: dense",
			})
		} else if err := a.checkCounterRule(ctx, c, c.Next(top), 0); err != nil {
			return err
		}
	}
	return nil
}

// countedTo is the highest number at which a shard's counter stands, also one of a row that does not come; 0 where none is above.
func (a *auditor) countedTo(ctx context.Context, c *merge.Counter) (top int64, err error) {
	for i, s := range a.shards {
		own := s.Schema().Table(c.Column.Table)
		if own == nil || s.Schema().Column(c.Column) == nil || !a.complete(a.schema.Table(c.Column.Table), own) {
			continue
		}
		list, err := s.Values(ctx, c.Column, c.Where, 0)
		if err != nil {
			return 0, fmt.Errorf("counter %s in %s: %w", c.Column, a.name(i), err)
		}
		for _, v := range list {
			if n, ok := counterValue(v.Value[0]); ok {
				top = max(top, n)
			}
		}
	}
	return top, nil
}

// countersAtMost is how many rows a table may have whose rows are the game's own counters, the same on every server.
const countersAtMost = 50

// checkCounterWhere refuses a condition that may hold of another row in the output: the game's number would be set there, over what the row holds.
func (a *auditor) checkCounterWhere(c *merge.Counter) {
	t := a.schema.Table(c.Column.Table)
	if names := a.turning(t, c.Where); len(names) > 0 {
		way := "find its row by a column that stays"
		if slices.Equal(names, t.PrimaryKey) && slices.Max(a.tables[t.Name].rows) <= countersAtMost {
			way = fmt.Sprintf("if %s means the same on every server, say under tables %s; otherwise find its row by a column that stays", names[0], rowsLine(t.Name, merge.FirstRows))
		}
		a.find(merge.Finding{
			Rule: "counter", Severity: merge.Block, Table: c.Column.Table, Column: c.Column.Name,
			Text: fmt.Sprintf("the plan's counter is found by %s (where %s), whose values the merge changes: in the output that may be another row", strings.Join(names, ", "), c.Where),
			Next: way + ", or, if the game does not count there, take the rule out of counters and say under references " + keepLine(c.Column),
		})
	}
}

// checkCounterRule refuses a counter whose next value, with so many digits at least, fails a check of its table.
func (a *auditor) checkCounterRule(ctx context.Context, c *merge.Counter, next int64, digits int) error {
	t := a.tables[c.Column.Table]
	column := a.engine.Quote(c.Column.Name)
	below, value := fmt.Sprintf("(%s IS NULL OR CAST(%[1]s AS INTEGER) < %d)", column, next), any(next)
	if c.Head != "" {
		value = c.Spell(next, digits)
		below = column + " <> " + a.engine.Literal(value)
	}
	if c.Where != "" {
		below = bracketed(c.Where) + " AND " + below
	}
	for i, s := range a.shards {
		own := s.Schema().Table(t.Name)
		if own == nil || !a.complete(t.Table, own) || !t.takes(a.name(i)) {
			continue
		}
		for _, check := range t.Checks {
			rows, err := a.shards[i].Count(ctx, own.Name, below+" AND "+a.failing(own, check, c.Column.Name, "?"), value)
			if err != nil {
				return err
			}
			if rows > 0 {
				a.find(merge.Finding{
					Rule: "counter", Severity: merge.Block, Table: t.Name, Column: c.Column.Name, Shard: a.name(i), Rows: rows,
					Text: fmt.Sprintf("the counter has to stand at %v, above every %s, and that fails the check (%s)", value, c.Key, check), Next: "drop the check in copies of the shards, or give the key new: dense",
				})
			}
		}
	}
	return nil
}

// checkCountedKey refuses a counter over several rows whose column must not hold one value twice.
func (a *auditor) checkCountedKey(ctx context.Context, c *merge.Counter) error {
	t := a.tables[c.Column.Table]
	if t == nil || !slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool { return slices.Equal(u.Columns, []string{c.Column.Name}) }) {
		return nil
	}
	var rows int64
	for i, s := range a.shards {
		if !a.has(i, t.Name) || !t.takes(a.name(i)) {
			continue
		}
		n, err := s.Count(ctx, t.Name, c.Where)
		if err != nil {
			return err
		}
		if rows += n; t.folds() {
			rows = max(rows-n, n)
		}
	}
	if rows > 1 {
		a.problem("counters: %s is a key of %s, and %d rows would get the same number; name the column in which the game counts, or a where for its one row, or keep one server's: {table: %[2]s, rows: {from: %[4]s}}", c.Column, t.Name, rows, a.name(0))
	}
	for _, r := range a.refs {
		if slices.Contains(r.To, c.Column) {
			a.problem("counters: %s is a key to which %s refers, and the row would get another number; name the column in which the game counts", c.Column, merge.JoinCols(r.From))
		}
	}
	return nil
}

// checkCounted refuses a counter that stands in no row of the output, or that holds something else than a number: nothing could be set, and the game would hand out living keys.
func (a *auditor) checkCounted(ctx context.Context, c *merge.Counter) error {
	t := a.tables[c.Column.Table]
	var rows, odd int64
	for i, s := range a.shards {
		if !a.has(i, t.Name) || s.Schema().Column(c.Column) == nil || !t.takes(a.name(i)) {
			continue
		}
		list, err := s.Values(ctx, c.Column, c.Where, 0)
		if err != nil {
			return err
		}
		for _, v := range list {
			rows += v.Rows
			if !whole(v.Value[0]) {
				odd += v.Rows
			}
		}
	}
	if rows == 0 && c.ByEngine(a.schema) {
		return nil // the engine remembers the last number without a row
	}
	if rows == 0 || odd > 0 {
		a.lacksCounter(c, odd, "whole number")
	}
	return nil
}

// lacksCounter refuses a counter that stands in no row of the output, or rows of which hold something else than what counts.
func (a *auditor) lacksCounter(c *merge.Counter, odd int64, counts string) {
	which := "no row of the output"
	if c.Where != "" {
		which = fmt.Sprintf("no row of the output (where %s)", c.Where)
	}
	f := merge.Finding{
		Rule: "counter", Severity: merge.Block, Table: c.Column.Table, Column: c.Column.Name, Rows: odd,
		Text: "the plan's counter stands in " + which + ": nothing would count above " + c.Key.String(), Next: "correct its where, add the row in copies of the shards, or take the rule out of counters",
	}
	if odd > 0 {
		f.Text = counted(odd, "row of the plan's counter holds", "rows of the plan's counter hold") + " no " + counts
		f.Next = "correct the value in copies of the shards, or narrow the rule's where"
	}
	a.find(f)
}

// whole tells whether a counter's value is a whole number, the decimal text of one, or not set yet.
func whole(v any) bool {
	_, ok := counterValue(v)
	return ok || v == nil // a null becomes the next number
}

// counterValue is a whole number, or the decimal text of one.
func counterValue(v any) (n int64, ok bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) < 1<<62
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil
	}
	return 0, false
}
