package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkOrder refuses what cannot order a shard's rows, also where no two rows clash.
func (c *clashing) checkOrder(ctx context.Context, s *shard) error {
	for _, o := range c.order {
		if err := checkExpression(ctx, s.conn, s.schema.Table(c.unique.Table).Name, o.expression, 0); err != nil {
			return err
		}
	}
	return nil
}

// rows collects a shard's rows that hold a clashing value, with what orders them. The winner's expressions see the shard's own tables.
func (c *clashing) rows(ctx context.Context, shard int, s *shard) error {
	t := s.schema.Table(c.unique.Table)
	var more, names []string
	for i, o := range c.order {
		name := fmt.Sprintf("o%d", i)
		more, names = append(more, "+"+bracketed(o.expression)+" AS "+name), append(names, name)
		if c.order[i].collation == "" {
			if column := t.Column(unquoted(o.expression), true); column != nil {
				c.order[i].collation = column.Collation
			}
		}
	}
	for i, k := range c.keyOf(t) {
		name := fmt.Sprintf("k%d", i)
		more, names = append(more, "+"+ident(k)+" AS "+name), append(names, name)
	}
	on, values := make([]string, len(c.terms)), make([]string, len(c.terms))
	for i, o := range c.terms {
		values[i] = fmt.Sprintf("v%d", i)
		more = append(more, "+"+bracketed(o.expression)+" AS "+values[i])
		on[i] = fmt.Sprintf("gameid_clash.c%[1]d = r.c%[1]d COLLATE %s", i, ident(c.collations[i]))
	}
	into := strings.Join(append([]string{"n", "shard", c.list()}, names...), ", ")
	from := strings.Join(append([]string{"gameid_clash.n", itoa(shard)}, prefixed("r.", append(values, names...))...), ", ")
	source, err := c.source("src", shard, more...)
	if err != nil {
		return err
	}
	return c.w.exec(ctx, "INSERT INTO gameid_rows("+into+") SELECT "+from+" FROM ("+source+") AS r CROSS JOIN gameid_clash ON "+every(on))
}

func prefixed(prefix string, names []string) []string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = prefix + n
	}
	return list
}

// read puts the rows into their clashes, the winner first: by the winner's terms, then in the order of the shards and of the keys.
func (c *clashing) read(ctx context.Context, found []merge.Clash, keys []int) error {
	order := []string{"n"}
	for i, o := range c.order {
		word := fmt.Sprintf("o%d", i)
		if o.collation != "" {
			word += " COLLATE " + ident(o.collation)
		}
		order = append(order, word+o.order)
	}
	order = append(order, "shard")
	columns := []string{"n", "shard", c.list()}
	for i := range c.width {
		columns, order = append(columns, fmt.Sprintf("k%d", i)), append(order, fmt.Sprintf("k%d", i))
	}
	rows, err := c.w.conn.QueryContext(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM gameid_rows ORDER BY "+strings.Join(append(order, "rowid"), ", "))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var n int64
		var r merge.ClashRow
		values := make([]any, len(c.terms)+c.width)
		into := []any{&n, &r.Shard}
		for i := range values {
			into = append(into, &values[i])
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		r.Values = values[:len(c.terms):len(c.terms)]
		if key := values[len(c.terms) : len(c.terms)+keys[r.Shard]]; len(key) > 0 && !slices.Contains(key, nil) { // many rows may hold a null key
			r.Key = key
		}
		found[n-1].Rows = append(found[n-1].Rows, r)
	}
	return rows.Err()
}
