package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// What refers to a row that folds by another number than the one by which it folds would reach whichever row has that number on the server whose rows stay.

// How many different numbers a column holds at least, all of them a table's, to be taken for one that refers to it, and how many of them are looked at.
const (
	foldedLeast  = 8
	foldedSample = 200
)

// checkFoldedNumbers refuses to fold rows that bear other numbers on the server whose rows stay, where columns of others refer to them by these numbers, or seem to; so it does where
// they refer by several columns together.
func (a *auditor) checkFoldedNumbers(ctx context.Context, t *table, stays, folds int, pairs []merge.KeyPair, columns map[string]int64) error {
	copies := fmt.Sprintf("give these rows the numbers of %s in a copy of %s, with what refers to them", a.name(stays), a.name(folds))
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		if columns[c.Name] == 0 || c.Generated || slices.Contains(t.PrimaryKey, c.Name) || a.schema.Holds(col) != merge.Integer {
			continue
		}
		refers, seem, err := a.holdersOfNumbers(ctx, col, folds)
		if err != nil {
			return err
		}
		next, by := copies, "by which others refer to them"
		if _, ruled := lookupFold(a.schema, t.plan.Columns, c.Name); len(refers) == 0 && !ruled && len(seem) > 0 {
			refers, by = seem, "and others hold its numbers alone"
			next += fmt.Sprintf("; or say as: keep of %s where that refers to something else", seem[0])
		}
		words := make([]string, len(refers))
		for i, r := range refers {
			words[i] = r.String()
		}
		a.refuseFolded(t, stays, folds, columns[c.Name], []merge.Col{col}, words, by, next)
	}
	var told [][]merge.Col
	for _, r := range a.plain() {
		if len(r.To) < 2 || r.To[0].Table != t.Name || slices.ContainsFunc(told, func(to []merge.Col) bool { return slices.Equal(to, r.To) }) ||
			!slices.ContainsFunc(r.To, func(c merge.Col) bool { return columns[c.Name] > 0 }) {
			continue
		}
		told = append(told, r.To)
		var words []string
		for _, o := range a.plain() {
			if slices.Equal(o.To, r.To) && o.counts[folds] != nil && o.counts[folds].Alive > 0 {
				words = append(words, merge.JoinCols(o.From))
			}
		}
		if len(words) == 0 {
			continue
		}
		rows, err := a.foldedTuples(ctx, t, r.To, stays, folds, pairs, columns)
		if err != nil {
			return err
		}
		if rows > 0 {
			a.refuseFolded(t, stays, folds, rows, r.To, words, "by which others refer to them", copies)
		}
	}
	return nil
}

// refuseFolded blocks a fold of rows that others know by other values of some columns than those of the rows that stay; nothing is said where none does.
func (a *auditor) refuseFolded(t *table, stays, folds int, rows int64, cols []merge.Col, refers []string, by, next string) {
	if len(refers) == 0 {
		return
	}
	column := strings.Join(columnNames(cols), ", ")
	what := column
	if len(cols) > 1 {
		what = "(" + column + ")"
	}
	a.find(merge.Finding{
		Rule: "fold", Severity: merge.Block, Table: t.Name, Column: column, Shard: a.name(folds), Rows: rows,
		Text: fmt.Sprintf("%s another %s than those of %s they fold into, %s (%s): these would mean other rows", counted(rows, "row has", "rows have"), what, a.name(stays), by, strings.Join(refers, ", ")),
		Next: next,
	})
}

// foldedTuples counts the rows of a shard whose values of some columns together become others than those of the rows they fold into; where these are too many to look at, those that
// differ in one of the columns.
func (a *auditor) foldedTuples(ctx context.Context, t *table, cols []merge.Col, stays, folds int, pairs []merge.KeyPair, columns map[string]int64) (rows int64, err error) {
	for _, c := range cols {
		rows = max(rows, columns[c.Name])
	}
	here, err := a.tuplesByKey(ctx, t, cols, stays, "")
	if err != nil || here == nil {
		return rows, err
	}
	known := make([]string, len(cols)) // nothing refers to what is null
	for i, c := range cols {
		known[i] = a.engine.Quote(c.Name) + " IS NOT NULL"
	}
	there, err := a.tuplesByKey(ctx, t, cols, folds, strings.Join(known, " AND "))
	if err != nil || there == nil {
		return rows, err
	}
	return unlikeTuples(t, here, there, pairs), nil
}

// heldTuple is what a row holds in some columns, as it stands and in the form of what becomes of it.
type heldTuple struct {
	values []any
	image  string
}

// unlikeTuples counts the rows, of those that fold, whose tuples become others than those of the rows they fold into.
func unlikeTuples(t *table, here, there map[string]heldTuple, pairs []merge.KeyPair) (rows int64) {
	if pairs == nil {
		for key, tuple := range there {
			if other, ok := here[key]; ok && other.image != tuple.image {
				rows++
			}
		}
		return rows
	}
	for _, p := range pairs {
		tuple, ok := there[keyText(t.comparable(p[1]))]
		other, stays := here[keyText(t.comparable(p[0]))]
		if ok && stays && other.image != tuple.image {
			rows++
		}
	}
	return rows
}

// tuplesByKey are the tuples of some columns of those of a shard's rows for which a condition holds, by their keys; nil where these are too many, or columns are missing.
func (a *auditor) tuplesByKey(ctx context.Context, t *table, cols []merge.Col, shard int, condition string) (map[string]heldTuple, error) {
	u := &merge.Unique{Table: t.Name, Columns: columnNames(cols)}
	for _, c := range cols {
		u.Collations = append(u.Collations, a.keyCollation(c))
	}
	var own []merge.Col
	for _, c := range slices.Concat(t.KeyCols(), cols) {
		found, ok := a.shards[shard].Schema().Resolve(c)
		if !ok {
			return nil, nil
		}
		own = append(own, found)
	}
	list, err := a.shards[shard].Tuples(ctx, own, condition, a.opt.ClashLimit+1)
	if err != nil || len(list) > a.opt.ClashLimit {
		return nil, err
	}
	keys := len(t.PrimaryKey)
	when, err := a.conditional(ctx, u, own[keys:], shard)
	if err != nil {
		return nil, err
	}
	tuples := make(map[string]heldTuple, len(list))
	for _, row := range list {
		key, values := row.Value[:keys], row.Value[keys:]
		tuples[keyText(t.comparable(key))] = heldTuple{values, a.imageOf(t, u, merge.ClashRow{Shard: shard, Values: values, Key: values}, when)}
	}
	return tuples, nil
}

// holdersOfNumbers are the columns that refer to a column of numbers in a shard, and those of which nothing is said that hold none but its numbers, where these tell its rows apart.
func (a *auditor) holdersOfNumbers(ctx context.Context, col merge.Col, shard int) (refers, seem []merge.Col, err error) {
	for _, r := range a.plain() {
		if len(r.To) == 1 && r.To[0] == col && r.counts[shard] != nil && r.counts[shard].Alive > 0 {
			refers = append(refers, r.From[0])
		}
	}
	own, ok := a.shards[shard].Schema().Resolve(col)
	if len(refers) > 0 || !ok || a.decided(col) {
		return refers, nil, nil
	}
	numbers, err := a.shards[shard].Keys(ctx, own)
	if err != nil || numbers.Repeats() || numbers.Set.Len() < foldedLeast {
		return nil, nil, err
	}
	for _, t := range a.schema.Tables {
		if t.Name == col.Table || t.Opaque != "" || a.tables[t.Name].rows[shard] == 0 {
			continue
		}
		for _, c := range t.Columns {
			from := merge.Col{Table: t.Name, Name: c.Name}
			own, ok := a.shards[shard].Schema().Resolve(from)
			if !ok || c.Generated || a.decided(from) || a.spaces[from] != nil || a.schema.Holds(from) != merge.Integer {
				continue
			}
			sample, err := a.shards[shard].Sample(ctx, own, foldedSample)
			if err != nil {
				return nil, nil, err
			}
			if len(sample.Values) >= foldedLeast && !slices.ContainsFunc(sample.Values, func(v int64) bool { return !numbers.Set.Has(v) }) {
				seem = append(seem, from)
			}
		}
	}
	return nil, seem, nil
}

// columnNames are the names of columns without those of their tables.
func columnNames(cols []merge.Col) []string {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = c.Name
	}
	return names
}
