package audit

import (
	"context"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// clashesInForm are the clashes of names that differ though a column of their row holds them in a form in which they are one, by which the game tells its rows apart: Ann_Lee and
// Ann-Lee, where both are annlee. Those of some clashes are left out.
func (a *auditor) clashesInForm(ctx context.Context, u *merge.Unique, plan *merge.UniquePlan, known []merge.Clash) (list []merge.Clash, err error) {
	if plan == nil || plan.OnConflict != "rename" || len(u.Columns) != 1 || len(a.tables[u.Table].PrimaryKey) == 0 {
		return nil, nil
	}
	t, name := a.tables[u.Table], u.Cols()[0]
	seen := map[loser]bool{}
	for _, c := range known {
		for _, row := range c.Rows {
			seen[loser{shard: row.Shard, key: keyText(row.Key)}] = true
		}
	}
	for _, r := range a.shapedCopies([]merge.Col{name}) {
		col := r.From[0]
		if col.Table != name.Table || !a.decided(col) {
			continue
		}
		if alone, err := a.uniqueEverywhere(ctx, t, col, ""); err != nil {
			return nil, err
		} else if !alone {
			continue
		}
		form := merge.Unique{Table: col.Table, Columns: []string{col.Name}, Collations: []string{a.schema.Column(col).Collation}}
		found, _, err := a.engine.Clashes(ctx, a.raw, form, "", plan.Winner, a.opt.ClashLimit)
		if err != nil {
			return nil, err
		}
		for _, c := range a.realClashes(&form, t, t.plan.Rows, found) {
			if nameless(c) || slices.ContainsFunc(c.Rows[1:], func(row merge.ClashRow) bool { return seen[loser{shard: row.Shard, key: keyText(row.Key)}] }) {
				continue
			}
			named, err := a.rowsByName(ctx, u, c)
			if err != nil {
				return nil, err
			}
			if named == nil {
				continue
			}
			list = append(list, merge.Clash{Rows: named})
			for _, row := range named {
				seen[loser{shard: row.Shard, key: keyText(row.Key)}] = true
			}
		}
	}
	return list, nil
}

// rowsByName are the rows of a clash with their texts in the column of a unique key; nil where one of them has none.
func (a *auditor) rowsByName(ctx context.Context, u *merge.Unique, c merge.Clash) (rows []merge.ClashRow, err error) {
	t := a.tables[u.Table]
	for _, row := range c.Rows {
		s := a.shards[row.Shard]
		own, ok := s.Schema().Resolve(u.Cols()[0])
		if !ok {
			return nil, nil
		}
		terms := make([]string, len(row.Key))
		for i, v := range row.Key {
			terms[i] = a.engine.Quote(t.PrimaryKey[i]) + " = " + a.engine.Literal(v)
		}
		list, err := s.Values(ctx, own, strings.Join(terms, " AND "), 2)
		if err != nil {
			return nil, err
		}
		if len(list) != 1 {
			return nil, nil
		}
		if text, ok := list[0].Value[0].(string); !ok || text == "" {
			return nil, nil
		}
		row.Values = list[0].Value
		rows = append(rows, row)
	}
	return rows, nil
}
