package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// nullableKey is the one unique key of a table without a primary key that a column declared without NOT NULL keeps from being one, though no row of any shard holds NULL there; nil where there is none,
// or several.
func (a *auditor) nullableKey(ctx context.Context, t *table) (found *merge.Unique, err error) {
	if len(t.PrimaryKey) > 0 {
		return nil, nil
	}
	for _, u := range t.Uniques {
		nulls := make([]string, len(u.Columns))
		for i, name := range u.Columns {
			nulls[i] = a.engine.Quote(name) + " IS NULL"
		}
		held := !u.Plain()
		for i, s := range a.shards {
			if held || !a.has(i, t.Name) || slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return s.Schema().Column(c) == nil }) {
				continue
			}
			if held, err = s.Any(ctx, t.Name, strings.Join(nulls, " OR ")); err != nil {
				return nil, err
			}
		}
		switch {
		case held:
		case found != nil:
			return nil, nil
		default:
			found = u
		}
	}
	return found, nil
}

// byNullable says how rows of a table fold by such a key; "" where it has none.
func (a *auditor) byNullable(ctx context.Context, t *table) (string, error) {
	u, err := a.nullableKey(ctx, t)
	if u == nil || err != nil {
		return "", err
	}
	them, columns := "it", strings.Join(u.Columns, ", ")
	if len(u.Columns) > 1 {
		them = "each of them"
	}
	return fmt.Sprintf("no row holds NULL in %s: declare %s NOT NULL in copies of the shards, and rows fold by UNIQUE(%s) as by a primary key, under %s with a rule for every column that differs, or rows: first",
		merge.JoinCols(u.Cols()), them, columns, rowsLine(t.Name, merge.UnionRows)), nil
}
