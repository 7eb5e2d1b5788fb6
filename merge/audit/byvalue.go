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

// halfShared is the share of values that two servers have both from which they are rather words of a list than what each has of its own.
const halfShared = 0.5

// orOneOfTwo says by which line rows of the same value of a unique key become one, where one does.
func (a *auditor) orOneOfTwo(ctx context.Context, u *merge.Unique, t *table, shared []merge.Clash) (string, error) {
	if line := a.byValueHelps(u, t, shared); line != "" {
		return " Where such rows are one thing on every server, as the words of a list, " + line + " makes one of each two and leads what refers to the later ones to it", nil
	}
	return a.orOneRow(ctx, u, t)
}

// byValueHelps is the line by which rows of the same values of a unique key with a text become one; "" where none does, or where the servers share less than half of their values, as names
// of players are shared.
func (a *auditor) byValueHelps(u *merge.Unique, t *table, shared []merge.Clash) string {
	if _, most := t.sharedByTwo(shared); most < halfShared {
		return ""
	}
	return a.byValueLine(u, t)
}

// byValueLine is the line by which rows of the same values of a unique key with a text become one; "" where none does.
func (a *auditor) byValueLine(u *merge.Unique, t *table) string {
	texts := func(c merge.Col) bool { return a.schema.Holds(c) == merge.Text }
	if !u.Plain() || u.Primary || t.folds() || !slices.ContainsFunc(u.Cols(), texts) {
		return ""
	}
	s := a.numberOf(t)
	if s == nil || s.plan.New == merge.Static || a.knownOrAsked(func(r *merge.Reference) bool {
		return r.As != merge.Keep && slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return slices.Contains(r.From, c) })
	}) {
		return ""
	}
	return planfile.TableLine(&merge.TablePlan{Table: t.Name, Rows: merge.ByValue, By: u.Columns})
}

// listed is the line by which rows of the same text become one, where nothing but their number is a key of theirs and the rows of every shard are known by texts that most of them share; ""
// where they are not.
func (a *auditor) listed(ctx context.Context, t *table, number merge.Col) (string, error) {
	if len(t.PrimaryKey) > 0 && !slices.Equal(t.KeyCols(), []merge.Col{number}) || slices.ContainsFunc(a.order, func(s *space) bool { return s.key.Table == t.Name && s.key != number }) {
		return "", nil
	}
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		if c.Generated || a.schema.Holds(col) != merge.Text || a.knownOrAsked(func(r *merge.Reference) bool { return r.As != merge.Keep && slices.Contains(r.From, col) }) {
			continue
		}
		if alone, err := a.uniqueEverywhere(ctx, t, col, ""); err != nil {
			return "", err
		} else if !alone {
			continue
		}
		shared, _, err := a.engine.Clashes(ctx, a.raw, merge.Unique{Table: t.Name, Columns: []string{c.Name}, Collations: []string{c.Collation}}, "", "", a.opt.ClashLimit)
		if err != nil {
			return "", err
		}
		if _, most := t.sharedByTwo(shared); most >= halfShared {
			return planfile.TableLine(&merge.TablePlan{Table: t.Name, Rows: merge.ByValue, By: []string{c.Name}}), nil
		}
	}
	return "", nil
}

// firstDeclared says that rows fold by a unique key of a table without a primary key once that is one.
func firstDeclared(t *table) string {
	i := slices.IndexFunc(t.Uniques, (*merge.Unique).Plain)
	if len(t.PrimaryKey) > 0 || i < 0 {
		return ""
	}
	return fmt.Sprintf("declare (%s) PRIMARY KEY in copies of the shards and ", strings.Join(t.Uniques[i].Columns, ", "))
}

// checkByValue refuses rows: by-value where rows are not known by a number of their own, or their values change.
func (a *auditor) checkByValue() {
	for _, line := range a.schema.Tables {
		t := a.tables[line.Name]
		if t.plan.Rows != merge.ByValue {
			continue
		}
		s := a.numberOf(t)
		if s == nil {
			a.problem("tables: %s: rows: by-value leads the later servers' numbers of a row to the first's, and the rows of %s have no key of one column of whole numbers that is their own; %s where equal keys are the same row, %ssay rows: first or union",
				t.Name, t.Name, a.orNumber(t), firstDeclared(t))
			continue
		}
		if len(t.PrimaryKey) == 0 && len(t.plan.Columns) > 0 && !t.constrains(s.key.Name) {
			a.problem("tables: %s: columns: rows combine by a key that the table itself holds unique, and %s is none; declare it PRIMARY KEY in copies of the shards, or leave columns out, so that the first's values stay", t.Name, s.key)
		}
		if key := s.plan; key.New == merge.Static {
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
			if c == s.key {
				a.problem("tables: %s: by: %s is the row's own number, which every server gives anew; name the column by which a row is known, or say rows: first", t.Name, c.Name)
			}
			for _, r := range a.refs {
				if r.As != merge.Keep && slices.Contains(r.From, c) && !a.saysWhose(r, t) {
					stays := ""
					if a.schema.Holds(c) == merge.Text {
						stays = fmt.Sprintf("where such a text is one thing on every server, as a platform's name for somebody, say %s under references in place of that line; otherwise ", keepLine(c))
					}
					a.problem("tables: %s: by: %s leads to %s, whose keys may change, so that equal values are not the same thing; %sname other columns, or make one row of each two in copies of the shards", t.Name, c.Name, merge.JoinCols(r.To), stays)
				}
			}
		}
	}
}

// foldsByValue are, by shard, the rows of a table that become one with an earlier shard's, which holds the same values. Of several rows of one shard the one with the lowest key does; the
// others stay. That is told.
func (a *auditor) foldsByValue(ctx context.Context, s *space) ([][]assign.Fold, error) {
	t := a.tables[s.key.Table]
	number := a.numberOf(t)
	if t.plan.Rows != merge.ByValue || number == nil || s.folds != nil {
		return s.folds, nil
	}
	if number != s {
		return a.foldsBeside(ctx, s, number)
	}
	if err := a.checkNumbers(ctx, s); err != nil || len(a.problems) > 0 {
		return nil, err
	}
	key := t.KeyOver(t.plan.By)
	key.Key = []string{s.key.Name}
	owners, err := a.ownersIn(ctx, &key)
	if err != nil {
		return nil, err
	}
	list, total, err := a.engine.Clashes(ctx, a.raw, key, "", "", a.opt.ClashLimit)
	if err != nil {
		return nil, err
	}
	if total > int64(len(list)) {
		a.problem("tables: %s: rows: by-value would fold by %d values, and at most %d are told apart; make one row of each two in copies of the shards", t.Name, total, a.opt.ClashLimit)
	}
	folds, twice := make([][]assign.Fold, len(a.shards)), []string{}
	for _, c := range list {
		if c.Rows = slices.DeleteFunc(c.Rows, func(row merge.ClashRow) bool { return ownerless(owners, row) }); len(c.Rows) == 0 {
			continue
		}
		first := c.Rows[0]
		into, numbered := keyNumber(first)
		last := first.Shard
		for _, row := range c.Rows[1:] {
			if row.Shard == last && (len(twice) == 0 || twice[len(twice)-1] != tupleText(row.Values)) {
				twice = append(twice, tupleText(row.Values))
			}
			if old, ok := keyNumber(row); ok && numbered && row.Shard != last {
				last = row.Shard
				folds[last] = append(folds[last], assign.Fold{Old: old, Shard: first.Shard, Key: into})
			}
		}
	}
	if len(twice) > 0 {
		a.find(merge.Finding{
			Rule: "folded-values", Severity: merge.Info, Table: t.Name, Column: strings.Join(t.plan.By, ", "), Rows: int64(len(twice)),
			Text: counted(len(twice), "value that two shards share stands", "values that two shards share stand") + " in several rows of one, of which the one with the lowest key folds and the others stay",
			Next: "where these are things of their own, name the columns that tell rows apart: by: [...]", Samples: twice[:min(len(twice), 3)],
		})
	}
	sortFolds(folds)
	s.folds = folds
	return folds, nil
}

// foldsBeside are, by shard, the numbers of another unique key that rows give up which become one with an earlier shard's, and that one's.
func (a *auditor) foldsBeside(ctx context.Context, s, number *space) ([][]assign.Fold, error) {
	if s.plan.New == merge.Static || !a.uniqueAlone(s.key) {
		return nil, nil
	}
	rows, err := a.foldsByValue(ctx, number)
	if err != nil || rows == nil {
		return nil, err
	}
	held := make([]map[int64]int64, len(a.shards))
	for i, sh := range a.shards {
		held[i] = map[int64]int64{}
		if sh.Schema().Column(s.key) == nil {
			continue
		}
		list, err := sh.Tuples(ctx, []merge.Col{number.key, s.key}, "", int(a.tables[s.key.Table].rows[i]))
		if err != nil {
			return nil, err
		}
		for _, v := range list {
			if id, ok := v.Value[0].(int64); ok {
				if n, ok := v.Value[1].(int64); ok {
					held[i][id] = n
				}
			}
		}
	}
	folds := make([][]assign.Fold, len(a.shards))
	for i, list := range rows {
		for _, f := range list {
			old, has := held[i][f.Old]
			if into, too := held[f.Shard][f.Key]; has && too {
				folds[i] = append(folds[i], assign.Fold{Old: old, Shard: f.Shard, Key: into})
			}
		}
	}
	sortFolds(folds)
	return folds, nil
}

// sortFolds puts the folds of each shard in the order of their old keys.
func sortFolds(folds [][]assign.Fold) {
	for _, list := range folds {
		slices.SortFunc(list, func(x, y assign.Fold) int { return cmp.Compare(x.Old, y.Old) })
	}
}

// numberOf is the key by whose numbers rows are known: the primary key, or, in a table without one, the only column whose numbers are keys. nil where there is none, or not one alone.
func (a *auditor) numberOf(t *table) (number *space) {
	switch len(t.PrimaryKey) {
	case 0:
		for _, s := range a.order {
			if s.key.Table != t.Name {
				continue
			}
			if number != nil {
				return nil
			}
			number = s
		}
		return number
	case 1:
		return a.spaces[t.KeyCols()[0]]
	}
	return nil
}

// constrains tells whether the table's own declaration holds a column unique, and not an index beside it.
func (t *table) constrains(column string) bool {
	return slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool {
		return u.Plain() && u.SQL == "" && slices.Equal(u.Columns, []string{column})
	})
}

// orNumber says how a table gets a key by whose numbers its rows fold.
func (a *auditor) orNumber(t *table) string {
	if len(t.PrimaryKey) == 0 {
		return fmt.Sprintf("name the one column that numbers them under keys, such as %s, or declare it PRIMARY KEY in copies of the shards;", shiftLine(merge.Col{Table: t.Name, Name: a.likeNumber(t)}))
	}
	return "where a column of such numbers is there, declare it alone the PRIMARY KEY in copies of the shards;"
}

// likeNumber is the column that seems to number a table's rows.
func (a *auditor) likeNumber(t *table) string {
	for _, k := range a.found {
		if k.Undeclared && k.Col.Table == t.Name {
			return k.Col.Name
		}
	}
	return "id"
}

// checkNumbers refuses to fold rows by numbers that no schema holds unique and that two rows of one shard share, or that are none in some row: nobody could say which row is meant.
func (a *auditor) checkNumbers(ctx context.Context, s *space) error {
	if len(a.tables[s.key.Table].PrimaryKey) > 0 {
		return nil
	}
	for i, shard := range a.shards {
		k, err := shard.Keys(ctx, s.key)
		if err != nil {
			return err
		}
		if k.Repeats() || k.Other > 0 || k.Nulls > 0 {
			a.problem("tables: %s: rows: by-value leads the later servers' numbers of a row to the first's, and in %s %s holds a number twice, or none; mend such rows in a copy of it", s.key.Table, a.name(i), s.key)
		}
	}
	return nil
}

// keyNumber is the key of a row that has a whole number for one.
func keyNumber(row merge.ClashRow) (n int64, ok bool) {
	if len(row.Key) == 1 {
		n, ok = row.Key[0].(int64)
	}
	return n, ok
}

// tellByValue says how many rows fold by their values, and in what they differ.
func (a *auditor) tellByValue(ctx context.Context) error {
	for _, line := range a.schema.Tables {
		t := a.tables[line.Name]
		if t.plan.Rows != merge.ByValue {
			continue
		}
		s := a.numberOf(t)
		if err := a.refuseLeftOut(ctx, s); err != nil {
			return err
		}
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
			follows, err := a.nameFollows(ctx, t, c)
			if err != nil {
				return err
			}
			if !follows && a.knownOrAsked(known) {
				follow := ""
				if a.spaces[c] != nil && a.uniqueAlone(c) {
					follow = ", say " + shiftLine(c) + ", so that it follows"
				}
				a.find(merge.Finding{
					Rule: "folded-values", Severity: merge.Block, Table: t.Name, Column: c.Name, Rows: n,
					Text: counted(n, "row that folds by its value is", "rows that fold by their values are") + " known to other rows by another " + c.Name + ", which does not stay",
					Next: "give both rows the same " + c.Name + " in copies of the shards, with what refers to it" + follow + ", or let the rows stay apart (rows: merge)",
				})
			}
			leads := slices.ContainsFunc(a.refs, func(r *reference) bool {
				return (r.As == merge.Plain || r.As == merge.Copy) && slices.Contains(r.From, c)
			})
			if rule, _ := lookupFold(a.schema, t.plan.Columns, c.Name); rule.How == "" || rule.How == "first" && leads {
				differ = append(differ, fmt.Sprintf("%s in %d", c.Name, n))
			}
		}
		if len(differ) > 0 {
			f.Text += ". They differ in columns of which the first's values stay: " + strings.Join(differ, ", ")
			f.Next = "columns: {NAME: sum, max, min, {latest: COLUMN} or {lowest: COLUMN}} beside by: combines them"
		}
		a.find(f)
	}
	return nil
}

// differByValue counts the rows that hold another value of a column than those they fold into, and lead to another row by it where it refers to one.
func (a *auditor) differByValue(ctx context.Context, s *space, c merge.Col) (n int64, err error) {
	held, t := make([]map[int64]string, len(a.shards)), a.tables[c.Table]
	both := &merge.Unique{Table: c.Table, Columns: []string{s.key.Name, c.Name}}
	for i, sh := range a.shards {
		held[i] = map[int64]string{}
		if sh.Schema().Column(c) == nil {
			continue
		}
		list, err := sh.Tuples(ctx, both.Cols(), "", int(t.rows[i]))
		if err != nil {
			return 0, err
		}
		when, err := a.conditional(ctx, both, both.Cols(), i)
		if err != nil {
			return 0, err
		}
		for _, v := range list {
			if k, ok := v.Value[0].(int64); ok {
				held[i][k] = a.imageOf(t, both, merge.ClashRow{Shard: i, Values: v.Value, Key: v.Value}, when)
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
