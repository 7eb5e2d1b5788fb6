package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// bereft counts, by shard, the rows of a reference that point at a row of their own shard which the plan leaves out, as it takes another shard's rows of the table, or none, or
// drops the row: before the merge they point at somebody. where names them, with the first of their numbers.
func (a *auditor) bereft(ctx context.Context, r *reference) (rows int64, where []string, err error) {
	to := r.To[0]
	for i, c := range r.counts {
		var n int64
		var values []merge.ValueCount
		switch {
		case c == nil || a.shards[i].Schema().Column(to) == nil:
		case len(r.From) == 1 && r.spaces[0] != nil:
			if len(c.Dead) == 0 {
				continue
			}
			own, err := a.shards[i].Keys(ctx, to)
			if err != nil {
				return 0, nil, err
			}
			for _, v := range c.Dead {
				if k, ok := v.Value[0].(int64); ok && own.Set.Has(k) {
					n, values = n+v.Rows, append(values, v)
				}
			}
		default:
			missed, err := a.missed(ctx, r, i)
			if err != nil {
				return 0, nil, err
			}
			if missed == "" {
				continue
			}
			condition := fmt.Sprintf("(%s) IN (SELECT %s FROM %s WHERE %s)", a.quoted(r.From), a.quoted(r.To), a.engine.Quote(to.Table), missed)
			if r.When != "" {
				condition += " AND " + bracketed(r.When)
			}
			if n, err = a.shards[i].Count(ctx, r.table(), condition); err != nil {
				return 0, nil, err
			}
		}
		if n > 0 {
			words := counted(n, "row", "rows") + " of " + a.name(i)
			if len(values) > 0 {
				words += " (" + sampleValues(values) + ")"
			}
			rows, where = rows+n, append(where, words)
		}
	}
	return rows, where, nil
}

// quoted lists the names of columns for SQL.
func (a *auditor) quoted(cols []merge.Col) string {
	words := make([]string, len(cols))
	for i, c := range cols {
		words[i] = a.engine.Quote(c.Name)
	}
	return strings.Join(words, ", ")
}

// missed is an SQL condition on a shard's rows of the table that a reference leads to by texts: those that do not come, because the plan takes another shard's rows or none;
// "" where they come.
func (a *auditor) missed(ctx context.Context, r *reference, shard int) (string, error) {
	t, to := a.tables[r.To[0].Table], r.To[0]
	stays := slices.IndexFunc(a.shards, func(s merge.Shard) bool { return s.Source().Name == t.plan.From })
	switch {
	case t.rows[shard] == 0:
		return "", nil
	case t.plan.Rows == merge.EmptyRows:
		return "1 = 1", nil
	case t.plan.Rows != merge.FromRows || shard == stays || stays < 0 || slices.ContainsFunc(r.To, func(c merge.Col) bool { return a.shards[stays].Schema().Column(c) == nil }):
		return "", nil
	}
	list, err := a.shards[stays].Tuples(ctx, r.To, "", 0)
	if err != nil {
		return "", err
	}
	var words []string
	for _, v := range list {
		if slices.Contains(v.Value, nil) { // no key
			continue
		}
		parts := make([]string, len(v.Value))
		for i, part := range v.Value {
			parts[i] = a.engine.Literal(part)
		}
		words = append(words, strings.Join(parts, ", "))
	}
	switch {
	case len(r.To) == 1:
		return a.engine.Quote(to.Name) + " NOT IN (" + strings.Join(words, ", ") + ")", nil
	case len(words) == 0:
		return "1 = 1", nil
	}
	return "(" + a.quoted(r.To) + ") NOT IN (VALUES (" + strings.Join(words, "), (") + "))", nil
}

// leaving is an SQL condition on a shard's rows that a reference leads to and that do not come. Of texts, those of another shard's table are lost only to a reference that says
// what becomes of its rows.
func (a *auditor) leaving(ctx context.Context, r *reference, shard int) (string, error) {
	left := a.leftOut(r.To[0].Table, shard)
	if !a.namesKey(r) || r.As != merge.Plain || r.Orphans != merge.ByClear && r.Orphans != merge.ByDrop {
		return left, nil
	}
	missed, err := a.missed(ctx, r, shard)
	if err != nil || missed == "" || left == "" {
		return left + missed, err
	}
	return "(" + left + ") OR " + missed, nil
}

// askBereft asks what becomes of rows that refer to such as the plan leaves out. What the schema declares says it: the rows go where the engine would delete them, or where the
// column takes no null, and else the column is emptied. Where nothing is declared they stay, and point at nobody.
func (a *auditor) askBereft(r *reference, rows int64, where []string) {
	line := r.Reference
	var why string
	line.Orphans, why = a.fateOfBereft(r)
	fate := map[merge.OrphanRule]string{merge.ByTombstone: "they stay and point at nobody", merge.ByDrop: "they are left out, too", merge.ByClear: "the column is emptied"}[line.Orphans]
	others := "drop leaves them out, too; clear empties the column; tombstone keeps them as they are, pointing at nobody"
	if len(r.From) > 1 {
		others = "To leave them out, or to empty the columns, do it in copies of the shards"
	}
	t := a.tables[r.To[0].Table]
	what := "which the plan leaves out (rows: " + t.policy() + ")"
	if t.plan.Rows != merge.EmptyRows && t.plan.Rows != merge.FromRows {
		what = "which a reference of theirs leaves out (orphans: drop)"
	}
	if more := r.dead() - rows; more > 0 {
		others += fmt.Sprintf(". The same becomes of %s that %s already", counted(more, "row", "rows"), map[bool]string{true: "points at nobody", false: "point at nobody"}[more == 1])
	}
	if len(r.From) == 1 && t.plan.Rows == merge.FromRows {
		others += "; name the values under none if they may find the row that gets the number"
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s by %s to rows of %s %s: what becomes of them? As the line below stands, %s (%s). %s",
			counted(rows, "row refers", "rows refer"), merge.JoinCols(r.From), t.Name, what, fate, why, others),
		Rows: rows, Evidence: strings.Join(where, ", "), Reference: &line,
	})
}

// fateOfBereft is what becomes of a reference's rows whose targets are left out, and by what word of the schema.
func (a *auditor) fateOfBereft(r *reference) (merge.OrphanRule, string) {
	if len(r.From) > 1 {
		return merge.ByTombstone, "references by several columns do"
	}
	for _, f := range a.foreignKeys(a.schema.Table(r.table())) {
		if len(f.Columns) != 1 || !a.schema.Equal(f.Columns[0], r.From[0].Name) || !a.schema.Equal(f.ToTable, r.To[0].Table) {
			continue
		}
		switch notNull := !a.schema.TakesNull(r.From[0]); {
		case strings.Contains(f.Actions, "ON DELETE CASCADE"):
			return merge.ByDrop, "ON DELETE CASCADE"
		case notNull && len(r.None) == 0:
			return merge.ByDrop, "the column takes no null, and its foreign key nobody else"
		case strings.Contains(f.Actions, "ON DELETE SET NULL"):
			return merge.ByClear, "ON DELETE SET NULL"
		}
		return merge.ByClear, "its foreign key takes nobody else"
	}
	return merge.ByTombstone, "no schema declares anything"
}
