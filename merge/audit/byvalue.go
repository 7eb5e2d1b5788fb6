package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
	"github.com/gameid/gameid/merge/planfile"
)

// byValueHelps is the line by which rows of the same value of a unique key become one; "" where none does, or where the servers share less than half of their values, as names of
// players are shared.
func (a *auditor) byValueHelps(u *merge.Unique, t *table, shared int) string {
	if 2*int64(shared) < t.secondMost() || len(t.PrimaryKey) != 1 || len(u.Columns) != 1 || !u.Plain() || u.Primary || t.folds() {
		return ""
	}
	s := a.spaces[t.KeyCols()[0]]
	if s == nil || s.plan.New == merge.Static || a.knownOrAsked(func(r *merge.Reference) bool { return r.As != merge.Keep && slices.Contains(r.From, u.Cols()[0]) }) {
		return ""
	}
	return planfile.TableLine(&merge.TablePlan{Table: t.Name, Rows: merge.ByValue, By: u.Columns})
}

// checkByValue refuses rows: by-value where rows are not known by a number of their own, or their values change.
func (a *auditor) checkByValue() {
	for _, line := range a.schema.Tables {
		t := a.tables[line.Name]
		if t.plan.Rows != merge.ByValue {
			continue
		}
		if len(t.PrimaryKey) != 1 || a.spaces[t.KeyCols()[0]] == nil {
			a.problem("tables: %s: rows: by-value leads the later servers' numbers of a row to the first's, and the rows of %s have no key of one column of whole numbers that is their own; where equal keys are the same row, say rows: first or union",
				t.Name, t.Name)
			continue
		}
		if key := a.spaces[t.KeyCols()[0]].plan; key.New == merge.Static {
			a.problem("keys: %s: new: static keeps a number that means one row on each server, and rows: by-value gives these one; remove one of the two", key.Key)
		}
		for i, name := range t.plan.By {
			column := t.Column(name, a.schema.Fold)
			if column == nil {
				a.problem("tables: %s: by: no column %q; it has %s", t.Name, name, columnList(t.Table))
				continue
			}
			c := merge.Col{Table: t.Name, Name: column.Name}
			t.plan.By[i] = c.Name
			if c == t.KeyCols()[0] {
				a.problem("tables: %s: by: %s is the row's own number, which every server gives anew; name the column by which a row is known, or say rows: first", t.Name, c.Name)
			}
			for _, r := range a.refs {
				if r.As != merge.Keep && slices.Contains(r.From, c) {
					a.problem("tables: %s: by: %s leads to %s, whose keys may change, so that equal values are not the same thing; name other columns, or make one row of each two in copies of the shards", t.Name, c.Name, merge.JoinCols(r.To))
				}
			}
		}
	}
}

// foldsByValue are, by shard, the rows of a table that become one with an earlier shard's, which holds the same values. Of several rows of one shard the one with the lowest key does;
// the others stay.
func (a *auditor) foldsByValue(ctx context.Context, t *table) ([][]assign.Fold, error) {
	if t.plan.Rows != merge.ByValue {
		return nil, nil
	}
	list, total, err := a.engine.Clashes(ctx, a.raw, t.valueKey(), "", "", a.opt.ClashLimit)
	if err != nil {
		return nil, err
	}
	if total > int64(len(list)) {
		a.problem("tables: %s: rows: by-value would fold by %d values, and at most %d are told apart; make one row of each two in copies of the shards", t.Name, total, a.opt.ClashLimit)
	}
	folds := make([][]assign.Fold, len(a.shards))
	for _, c := range list {
		first := c.Rows[0]
		into, numbered := keyNumber(first)
		last := first.Shard
		for _, row := range c.Rows[1:] {
			if old, ok := keyNumber(row); ok && numbered && row.Shard != last {
				last = row.Shard
				folds[last] = append(folds[last], assign.Fold{Old: old, Shard: first.Shard, Key: into})
			}
		}
	}
	for _, list := range folds {
		slices.SortFunc(list, func(x, y assign.Fold) int { return cmp.Compare(x.Old, y.Old) })
	}
	return folds, nil
}

// keyNumber is the key of a row that has a whole number for one.
func keyNumber(row merge.ClashRow) (n int64, ok bool) {
	if len(row.Key) == 1 {
		n, ok = row.Key[0].(int64)
	}
	return n, ok
}

// valueKey is what tells rows apart under rows: by-value, compared as the schema's own key over these columns does, or as the columns do.
func (t *table) valueKey() merge.Unique {
	key := merge.Unique{Table: t.Name, Columns: t.plan.By}
	for _, name := range t.plan.By {
		key.Collations = append(key.Collations, t.Column(name, true).Collation)
	}
	for _, u := range t.Uniques {
		if u.Plain() && slices.Equal(u.Columns, key.Columns) {
			key.Collations = u.Collations
		}
	}
	return key
}

// tellByValue says how many rows fold by their values, and in what they differ.
func (a *auditor) tellByValue(ctx context.Context) error {
	for _, line := range a.schema.Tables {
		t := a.tables[line.Name]
		if t.plan.Rows != merge.ByValue {
			continue
		}
		s := a.spaces[t.KeyCols()[0]]
		var rows int64
		for _, list := range s.folds {
			rows += int64(len(list))
		}
		f := merge.Finding{
			Rule: "folded-values", Severity: merge.Info, Table: t.Name, Column: strings.Join(t.plan.By, ", "), Rows: rows,
			Text: counted(rows, "row folds into an earlier shard's", "rows fold into an earlier shard's") + ", which holds the same value; what refers to them by " + s.key.Name + " follows",
		}
		var differ []string
		for _, column := range t.Columns {
			c := merge.Col{Table: t.Name, Name: column.Name}
			if column.Generated || slices.Contains(t.plan.By, c.Name) || c == s.key || rows == 0 {
				continue
			}
			n, err := a.differByValue(ctx, s, c)
			if err != nil {
				return err
			}
			if n == 0 {
				continue
			}
			known := func(r *merge.Reference) bool { return r.As != merge.Keep && slices.Contains(r.To, c) }
			if a.knownOrAsked(known) {
				a.find(merge.Finding{
					Rule: "folded-values", Severity: merge.Block, Table: t.Name, Column: c.Name, Rows: n,
					Text: fmt.Sprintf("%s in %s, by which other rows know them, and lose it", counted(n, "row that folds by its value differs", "rows that fold by their values differ"), c.Name),
					Next: "give both rows the same " + c.Name + " in copies of the shards, with what refers to it, or let the rows stay apart (rows: merge)",
				})
			}
			if _, ruled := lookupFold(a.schema, t.plan.Columns, c.Name); !ruled {
				differ = append(differ, fmt.Sprintf("%s in %d", c.Name, n))
			}
		}
		if len(differ) > 0 {
			f.Text += ". They differ in columns of which the first's values stay: " + strings.Join(differ, ", ")
			f.Next = "columns: {NAME: sum, max, min or {latest: COLUMN}} beside by: combines them"
		}
		a.find(f)
	}
	return nil
}

// differByValue counts the rows that hold another value of a column than those they fold into.
func (a *auditor) differByValue(ctx context.Context, s *space, c merge.Col) (n int64, err error) {
	held := make([]map[int64]any, len(a.shards))
	for i, sh := range a.shards {
		held[i] = map[int64]any{}
		if sh.Schema().Column(c) == nil {
			continue
		}
		list, err := sh.Tuples(ctx, []merge.Col{s.key, c}, "", int(a.tables[c.Table].rows[i]))
		if err != nil {
			return 0, err
		}
		for _, v := range list {
			if k, ok := v.Value[0].(int64); ok {
				held[i][k] = merge.ValueCount{Value: v.Value[1:]}.Key()
			}
		}
	}
	for i, list := range s.folds {
		for _, f := range list {
			if held[i][f.Old] != held[f.Shard][f.Key] {
				n++
			}
		}
	}
	return n, nil
}
