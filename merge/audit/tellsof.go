package audit

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// tableOf is the table that tells of whom a column names: nearly all of its texts are, in any letters, those by which that table's rows are told apart; "" where there is none.
func (a *auditor) tableOf(ctx context.Context, c merge.Col) (string, error) {
	own, err := a.sampled(ctx, a.tables[c.Table], c)
	if err != nil {
		return "", err
	}
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Name == c.Table || t.Opaque != "" || line.total() == 0 || !line.mixes() {
			continue
		}
		for _, d := range t.Columns {
			col := merge.Col{Table: t.Name, Name: d.Name}
			if a.schema.Holds(col) != merge.Text || d.Generated || !a.uniqueAlone(col) && !bearer(d.Name) && a.numberOf(line) == nil {
				continue
			}
			named, err := a.sampled(ctx, line, col)
			if err != nil {
				return "", err
			}
			if !a.uniqueAlone(col) && !named.hardlyTwice() {
				continue
			}
			n, err := a.lieAmong(ctx, own.samples, col, a.foldCollation())
			if err != nil || n.texts >= namesLeast && float64(n.hits) >= copyShare*float64(n.texts) {
				return t.Name, err
			}
		}
	}
	return "", nil
}

// refersBy tells whether some column is known to refer to a key or to repeat names, or is asked about as such.
func (a *auditor) refersBy(c merge.Col) bool {
	return a.knownOrAsked(func(r *merge.Reference) bool { return r.As != merge.Keep && slices.Contains(r.From, c) })
}

// renameOpen tells whether what becomes of equal names of a table is an open question.
func (a *auditor) renameOpen(table string) bool {
	return slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Unique != nil && u.Unique.Unique[0].Table == table })
}
