package sqlite

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// compiler turns jobs into SQL over the rows of one shard's table. The shard is the connection's main database, so that the plan's own SQL means there
// what it meant in the shard.
type compiler struct {
	pump  *pump
	table *merge.Table // the shard's
}

func newCompiler(p *pump, table *merge.Table) *compiler { return &compiler{p, table} }

// source names one of the shard's columns.
func (c *compiler) source(name string) string { return ident(c.table.Name) + "." + ident(name) }

// cases is a column's value under the first case that holds; fallback is its value when none does.
func (c *compiler) cases(ctx context.Context, col *merge.Column, cases []merge.Case) (string, error) {
	value := c.source(col.Name)
	for len(cases) > 0 && idle(cases[len(cases)-1]) {
		cases = cases[:len(cases)-1] // what would only keep the value need not be asked
	}
	var arms strings.Builder
	for i := range cases {
		k := &cases[i]
		mapped, err := c.mapped(ctx, col, k)
		if err != nil {
			return "", err
		}
		var holds []string
		if k.When != "" {
			holds = append(holds, bracketed(k.When))
		}
		for _, n := range k.NotNull {
			holds = append(holds, c.source(n)+" IS NOT NULL")
		}
		if len(holds) == 0 {
			if arms.Len() == 0 {
				return mapped, nil
			}
			return "CASE" + arms.String() + " ELSE " + mapped + " END", nil
		}
		arms.WriteString(" WHEN " + every(holds) + " THEN " + mapped)
	}
	if arms.Len() == 0 {
		return value, nil
	}
	return "CASE" + arms.String() + " ELSE " + value + " END", nil
}

// idle tells whether a case keeps every value.
func idle(k merge.Case) bool {
	return (k.Map == nil || len(k.Map.Runs()) == 0) && k.Clear.Len() == 0
}

// mapped is a column's value under one case.
func (c *compiler) mapped(ctx context.Context, col *merge.Column, k *merge.Case) (string, error) {
	v := c.source(col.Name)
	if idle(*k) {
		return v, nil
	}
	text := k.AsText && maybeText(col)
	var arms strings.Builder
	if none := touched(k); len(none) > 0 {
		arms.WriteString(" WHEN " + nobodyIs(v, none, text) + " THEN " + v)
	}
	if k.Clear.Len() > 0 {
		in, err := c.member(ctx, col, k.Clear, text)
		if err != nil {
			return "", err
		}
		arms.WriteString(" WHEN " + in + " THEN " + literal(k.Cleared))
	}
	rest := v
	if k.Map != nil && len(k.Map.Runs()) > 0 {
		var err error
		if rest, err = c.pump.lookups.image(k.Map, v); err != nil {
			return "", err
		}
		if text {
			number, err := c.pump.lookups.image(k.Map, "CAST("+v+" AS INTEGER)")
			if err != nil {
				return "", err
			}
			rest = "CASE WHEN typeof(" + v + ")='text' AND " + canonical(v) + " THEN CAST(" + number + " AS TEXT) ELSE " + rest + " END"
		}
	}
	if arms.Len() == 0 {
		return rest, nil
	}
	return "CASE" + arms.String() + " ELSE " + rest + " END", nil
}

// maybeText tells whether a column can store the canonical decimal text of an integer: any other affinity turns it into the integer.
func maybeText(col *merge.Column) bool {
	return col.Affinity == merge.Text || col.Affinity == merge.Blob
}

// canonical tells whether the text v is the canonical decimal of a 64-bit integer: no sign but '-', no leading zero or space, nothing behind.
func canonical(v string) string {
	return "CAST(CAST(" + v + " AS INTEGER) AS TEXT)=(+" + v + ") COLLATE BINARY"
}

// touched lists the none values that the case would otherwise change: the others stay anyway, and asking costs time in every row.
func touched(k *merge.Case) []any {
	var list []any
	for _, n := range k.None {
		var i int64
		switch n := n.(type) {
		case int64:
			i = n
		case string:
			v, err := strconv.ParseInt(strings.TrimSpace(n), 10, 64)
			if err != nil {
				continue
			}
			i = v
		default: // a fraction may equal an integer: let SQLite compare
			list = append(list, n)
			continue
		}
		changed := k.Clear.Has(i)
		if k.Map != nil && !changed {
			_, changed = k.Map.Lookup(i)
		}
		if changed {
			list = append(list, n)
		}
	}
	return list
}

// nobodyIs tells whether v is one of the values that mean nobody; an integer among them also means its decimal text where text is set.
func nobodyIs(v string, none []any, text bool) string {
	words := make([]string, 0, len(none))
	for _, n := range none {
		words = append(words, literal(n))
		if i, ok := n.(int64); ok && text {
			words = append(words, literal(strconv.FormatInt(i, 10)))
		}
	}
	return v + " IN (" + strings.Join(words, ", ") + ")"
}

// member tells whether a column's value is in a set; text counts canonical decimal text as its integer.
func (c *compiler) member(ctx context.Context, col *merge.Column, set *merge.ValueSet, text bool) (string, error) {
	v := c.source(col.Name)
	in := "0"
	if n := set.Integers(); n != nil {
		var err error
		if in, err = c.pump.lookups.holds(n, v); err != nil {
			return "", err
		}
		if text {
			number, err := c.pump.lookups.holds(n, "CAST("+v+" AS INTEGER)")
			if err != nil {
				return "", err
			}
			in = "CASE WHEN typeof(" + v + ")='text' THEN " + canonical(v) + " AND " + number + " ELSE " + in + " END"
		}
	}
	table, err := c.pump.others(ctx, set)
	if err != nil || table == "" {
		return in, err
	}
	return "(" + in + " OR EXISTS (SELECT 1 FROM temp." + table + " WHERE gameid_value = (+" + v + ") COLLATE BINARY AND typeof(gameid_value) = typeof(" + v + ")))", nil
}

// others holds the values of a set that are no integers; "" when there are none.
func (p *pump) others(ctx context.Context, set *merge.ValueSet) (table string, err error) {
	list := slices.Collect(set.Others())
	if len(list) == 0 {
		return "", nil
	}
	return p.once(ctx, set, "values", "gameid_value PRIMARY KEY", func(insert func(...any) error) error {
		for _, v := range list {
			if err := insert(v); err != nil {
				return err
			}
		}
		return nil
	})
}

// buried is the tombstone of a dead text, and otherwise rest.
func (c *compiler) buried(ctx context.Context, col *merge.Column, shard int, k *merge.BuryJob, rest string) (string, error) {
	texts := k.Burial.Shards[shard]
	if len(texts) == 0 {
		return rest, nil
	}
	table, err := c.pump.once(ctx, k.Burial, "buried", "gameid_old PRIMARY KEY, gameid_new", func(insert func(...any) error) error {
		for _, old := range slices.Sorted(maps.Keys(texts)) {
			if err := insert(old, texts[old]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	v := c.source(col.Name)
	found := "coalesce((SELECT gameid_new FROM temp." + table + " WHERE gameid_old = (+" + v + ") COLLATE BINARY AND typeof(" + v + ") = 'text'), " + rest + ")"
	var holds []string
	if k.When != "" {
		holds = append(holds, bracketed(k.When))
	}
	if len(k.None) > 0 {
		holds = append(holds, "NOT "+nobodyIs(v, k.None, true))
	}
	if len(holds) == 0 {
		return found, nil
	}
	return "CASE WHEN " + every(holds) + " THEN " + found + " ELSE " + rest + " END", nil
}

// dropped tells whether a row is left out.
func (c *compiler) dropped(ctx context.Context, d merge.Drop) (string, error) {
	col := c.table.Column(d.Column, true)
	if col == nil || d.Values.Len() == 0 {
		return "", nil
	}
	in, err := c.member(ctx, col, d.Values, maybeText(col))
	if err != nil {
		return "", err
	}
	if len(d.None) > 0 {
		in += " AND NOT " + nobodyIs(c.source(col.Name), d.None, maybeText(col))
	}
	if d.When != "" {
		in = bracketed(d.When) + " AND " + in
	}
	return "coalesce(" + in + ", 0)", nil
}
