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

// checkFoldedNumbers refuses to fold rows that bear other numbers on the server whose rows stay, where columns of others refer to them by these numbers, or seem to.
func (a *auditor) checkFoldedNumbers(ctx context.Context, t *table, stays, folds int, columns map[string]int64) error {
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		if columns[c.Name] == 0 || c.Generated || slices.Contains(t.PrimaryKey, c.Name) || a.schema.Holds(col) != merge.Integer {
			continue
		}
		refers, seem, err := a.holdersOfNumbers(ctx, col, folds)
		if err != nil {
			return err
		}
		next, by := fmt.Sprintf("give these rows the numbers of %s in a copy of %s, with what refers to them", a.name(stays), a.name(folds)), "by which others refer to them"
		if _, ruled := lookupFold(a.schema, t.plan.Columns, c.Name); len(refers) == 0 && !ruled && len(seem) > 0 {
			refers, by = seem, "and others hold its numbers alone"
			next += fmt.Sprintf("; or say as: keep of %s where that refers to something else", seem[0])
		}
		if len(refers) == 0 {
			continue
		}
		words := make([]string, len(refers))
		for i, r := range refers {
			words[i] = r.String()
		}
		a.find(merge.Finding{
			Rule: "fold", Severity: merge.Block, Table: t.Name, Column: c.Name, Shard: a.name(folds), Rows: columns[c.Name],
			Text: fmt.Sprintf("%s another %s than those of %s they fold into, %s (%s): these would mean other rows", counted(columns[c.Name], "row has", "rows have"), c.Name, a.name(stays), by, strings.Join(words, ", ")),
			Next: next,
		})
	}
	return nil
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
