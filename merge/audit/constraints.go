package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// drift reports a difference that hurts no row.
func (a *auditor) drift(table string, shard int, text string, args ...any) {
	a.find(merge.Finding{Rule: "drift", Severity: merge.Info, Table: table, Shard: a.name(shard), Text: fmt.Sprintf(text, args...)})
}

// compareChecks blocks where rows of a shard, which may be the one whose declaration the output takes, fail a condition that the output declares: SQLite
// looks at conditions when a row is written, and they may have come later or been switched off.
func (a *auditor) compareChecks(ctx context.Context, t *merge.Table, best int, other *merge.Table, shard int) error {
	for _, c := range t.Checks {
		var rows int64
		var err error
		if a.complete(t, other) {
			if rows, err = a.shards[shard].Count(ctx, other.Name, "NOT "+bracketed(c)); err != nil {
				return err
			}
		}
		own, whose := slices.Contains(other.Checks, c), "only "+a.name(best)+" declares"
		if own {
			whose = "their table declares"
		}
		switch {
		case rows > 0:
			a.find(merge.Finding{
				Rule: "drift", Severity: merge.Block, Table: t.Name, Shard: a.name(shard), Rows: rows,
				Text: fmt.Sprintf("%s the check (%s) that %s", counted(rows, "row of "+a.name(shard)+" fails", "rows of "+a.name(shard)+" fail"), c, whose),
				Next: "repair the rows, or declare the check alike in every shard",
			})
		case !own:
			a.drift(t.Name, shard, "only %s checks (%s); the output checks it in all rows", a.name(best), c)
		}
	}
	for _, c := range other.Checks {
		if !slices.Contains(t.Checks, c) {
			a.drift(t.Name, shard, "only %s checks (%s); the output does not", a.name(shard), c)
		}
	}
	if t.Strict && !other.Strict {
		a.find(merge.Finding{
			Rule: "drift", Severity: merge.Block, Table: t.Name, Shard: a.name(shard), Text: fmt.Sprintf("only %s declares it strict: values of other types would be refused", a.name(best)),
			Next: "declare the table alike in every shard",
		})
	} else if other.Strict && !t.Strict {
		a.drift(t.Name, shard, "only %s declares it strict; the output does not", a.name(shard))
	}
	return nil
}

// complete tells whether a shard's table has every column of the output's. The plan gives missing ones their values, and only rows in their final form can be tried.
func (a *auditor) complete(t, own *merge.Table) bool {
	return !slices.ContainsFunc(t.Columns, func(c *merge.Column) bool { return own.Column(c.Name, a.schema.Fold) == nil })
}

// compareNumbering blocks where the output's key takes numbers only and the other shard holds something else, and where it does not take all of the other's numbers.
func (a *auditor) compareNumbering(ctx context.Context, t *merge.Table, best int, other *merge.Table, shard int) error {
	if a.schema.Equal(t.AutoColumn, other.AutoColumn) && t.Counted == other.Counted || t.Opaque != "" || other.Opaque != "" {
		return nil
	}
	if t.AutoColumn != "" && other.AutoColumn == "" {
		if own := other.Column(t.AutoColumn, a.schema.Fold); own != nil {
			k, err := a.raw[shard].Keys(ctx, merge.Col{Table: other.Name, Name: own.Name})
			if err != nil {
				return err
			}
			if bad := k.Other + k.Nulls; bad > 0 {
				a.find(merge.Finding{
					Rule: "drift", Severity: merge.Block, Table: t.Name, Column: t.AutoColumn, Shard: a.name(shard), Rows: bad,
					Text: fmt.Sprintf("%s, and in %s the engine numbers this key: it would refuse or number them anew", counted(bad, "key in "+a.name(shard)+" is null or no integer", "keys in "+a.name(shard)+" are null or no integers"), a.name(best)),
					Next: "give those rows integer keys, or declare the key alike in every shard",
				})
				return nil
			}
		}
	}
	if beyond, err := a.beyondType(ctx, t, best, other, shard); err != nil || beyond {
		return err
	}
	a.drift(t.Name, shard, "the engine numbers the key %s in %s and %s in %s", numbering(t), a.name(best), numbering(other), a.name(shard))
	return nil
}

// beyondType blocks where a shard's keys, which its engine numbers, are beyond the type of the output's, which it does not number.
func (a *auditor) beyondType(ctx context.Context, t *merge.Table, best int, other *merge.Table, shard int) (bool, error) {
	own := t.Column(other.AutoColumn, a.schema.Fold)
	if t.AutoColumn != "" || own == nil || own.Bytes == 0 || own.Bytes >= 8 {
		return false, nil
	}
	k, err := a.raw[shard].Keys(ctx, merge.Col{Table: other.Name, Name: other.AutoColumn})
	if err != nil {
		return false, err
	}
	beyond := k.Set.Len() - k.Set.Rank(own.Limit())
	if beyond > 0 {
		a.find(merge.Finding{
			Rule: "drift", Severity: merge.Block, Table: t.Name, Column: own.Name, Shard: a.name(shard), Rows: beyond,
			Text: fmt.Sprintf("%s beyond the %s that %s declares", counted(beyond, "key in "+a.name(shard)+" is", "keys in "+a.name(shard)+" are"), own.Type, a.name(best)),
			Next: "declare the key alike in every shard",
		})
	}
	return beyond > 0, nil
}

func numbering(t *merge.Table) string {
	switch {
	case t.AutoColumn == "":
		return "not at all"
	case t.Counted:
		return "never twice"
	}
	return "above the highest"
}

// compareForeignKeys reports references that only one of two shards declares, or that act in another way.
func (a *auditor) compareForeignKeys(t *merge.Table, best int, other *merge.Table, shard int) {
	same := func(f *merge.ForeignKey) func(*merge.ForeignKey) bool {
		return func(g *merge.ForeignKey) bool {
			return a.schema.Equal(f.ToTable, g.ToTable) && slices.EqualFunc(f.Columns, g.Columns, a.schema.Equal)
		}
	}
	acts := func(f *merge.ForeignKey) string {
		if f.Actions == "" {
			return "without an action"
		}
		return f.Actions
	}
	for _, f := range t.ForeignKeys {
		i := slices.IndexFunc(other.ForeignKeys, same(f))
		what := fmt.Sprintf("the foreign key (%s) to %s", strings.Join(f.Columns, ", "), f.ToTable)
		switch {
		case i < 0:
			a.drift(t.Name, shard, "only %s declares %s; the output does", a.name(best), what)
		case other.ForeignKeys[i].Actions != f.Actions:
			a.drift(t.Name, shard, "%s is %s in %s and %s in %s; the output takes the former", what, acts(f), a.name(best), acts(other.ForeignKeys[i]), a.name(shard))
		}
	}
	for _, f := range other.ForeignKeys {
		if !slices.ContainsFunc(t.ForeignKeys, same(f)) {
			a.drift(t.Name, shard, "only %s declares the foreign key (%s) to %s; the output follows it and does not declare it", a.name(shard), strings.Join(f.Columns, ", "), f.ToTable)
		}
	}
}
