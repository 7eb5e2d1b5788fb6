package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkKeyless refuses to combine rows of a table that has no key: nothing says which two become one.
func (a *auditor) checkKeyless(ctx context.Context, t *table) error {
	if t.plan.Rows != merge.UnionRows {
		return nil
	}
	next, err := a.byNullable(ctx, t)
	if err != nil {
		return err
	}
	if next == "" {
		next = "choose rows: merge, first (only rows that are equal in every column fold) or {from: SHARD}, or declare a PRIMARY KEY in copies of the shards"
	}
	a.find(merge.Finding{
		Rule: "combine", Severity: merge.Block, Table: t.Name, Rows: t.total(), Text: "has no primary key, by which rows: union finds the rows that become one", Next: next,
	})
	return nil
}

// checkBeside reports rows of a table without a key that fold with none. Where a column numbers them, or something refers to it, two rows of one number would be nobody's
// in particular, so nothing is merged.
func (a *auditor) checkBeside(ctx context.Context, t *table, stays, folds int, equal int64) error {
	rows := t.rows[folds] - equal
	if rows == 0 {
		return nil
	}
	for _, c := range a.numbers(t) {
		u := merge.Unique{Table: t.Name, Columns: []string{c.Name}, Collations: []string{a.schema.Column(c).Collation}}
		_, shared, err := a.engine.Clashes(ctx, []merge.Shard{a.raw[stays], a.raw[folds]}, u, "", "", 1)
		if err != nil {
			return err
		}
		if shared > equal {
			apart := "keep them apart (rows: merge)"
			if a.schema.Holds(c) == merge.Integer {
				apart = fmt.Sprintf("keep them apart (rows: merge, and under keys %s)", shiftLine(c))
			}
			a.find(merge.Finding{
				Rule: "fold", Severity: merge.Block, Table: t.Name, Column: c.Name, Shard: a.name(folds), Rows: shared - equal,
				Text: fmt.Sprintf("has no primary key, so only rows that are equal in every column fold: %s as a row of %s and would stand beside it", counted(shared-equal, "row of "+a.name(folds)+" has the same "+c.Name, "rows of "+a.name(folds)+" have the same "+c.Name), a.name(stays)),
				Next: fmt.Sprintf("declare %s PRIMARY KEY in copies of the shards, take one server's rows (%s), or %s", c, oneServersLine(t.Name, a.name(stays)), apart),
			})
			return nil
		}
	}
	text := fmt.Sprintf("has no key, so only rows that are equal in every column fold: %s beside those of %s", counted(rows, "row of "+a.name(folds)+" comes", "rows of "+a.name(folds)+" come"), a.name(stays))
	if slices.ContainsFunc(a.foldKey(t), func(c string) bool { return a.follows(merge.Col{Table: t.Name, Name: c}) }) {
		text += ", but for those that are equal once their references are led to the new keys"
	}
	a.find(merge.Finding{
		Rule: "fold", Severity: merge.Info, Table: t.Name, Shard: a.name(folds), Rows: rows, Text: text,
		Next: "where the game expects one server's rows, say " + oneServersLine(t.Name, a.name(stays)),
	})
	return nil
}

// numbers are the columns by which a table's rows are known though no schema says so: what something refers to, and what is named and filled like a key.
func (a *auditor) numbers(t *table) (list []merge.Col) {
	for _, r := range a.plain() {
		if len(r.To) == 1 && r.To[0].Table == t.Name {
			list = append(list, r.To[0])
		}
	}
	for _, c := range a.undeclared {
		if c.Table == t.Name {
			list = append(list, c)
		}
	}
	return list
}
