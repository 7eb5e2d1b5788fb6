package sqlite

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// compiler turns jobs into SQL over the rows of one shard's table. The shard is the connection's main database, so that the plan's own SQL means there
// what it meant in the shard. Change sets are bound once each, as numbered parameters; what no blob holds stands in temporary tables of the pump.
type compiler struct {
	pump  *pump
	table *merge.Table // the shard's
	args  []any
	maps  map[*merge.KeyMap]*boundSet
	sets  map[*merge.KeySet]*boundSet
}

// boundSet is a change set and where its parts are.
type boundSet struct {
	*changeSet
	params []int  // by piece: the number of its blob's parameter; 0 without a blob
	table  string // the temporary table of its runs; "" when there is none
}

func newCompiler(p *pump, table *merge.Table) *compiler {
	return &compiler{pump: p, table: table, maps: map[*merge.KeyMap]*boundSet{}, sets: map[*merge.KeySet]*boundSet{}}
}

// source names one of the shard's columns.
func (c *compiler) source(name string) string { return ident(c.table.Name) + "." + ident(name) }

// onlyIntegers tells whether a column can hold nothing but integers and nulls: a rowid alias, or a column of a STRICT table.
func (c *compiler) onlyIntegers(col *merge.Column) bool {
	if col.Name == c.table.AutoColumn {
		return true
	}
	return c.pump.shard.facts[c.table].strict && (strings.EqualFold(col.Type, "INT") || strings.EqualFold(col.Type, "INTEGER"))
}

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
		arms.WriteString(" WHEN " + strings.Join(holds, " AND ") + " THEN " + mapped)
	}
	if arms.Len() == 0 {
		return value, nil
	}
	return "CASE" + arms.String() + " ELSE " + value + " END", nil
}

// idle tells whether a case keeps every value.
func idle(k merge.Case) bool {
	return (k.Map == nil || len(k.Map.Runs()) == 0) && (k.Clear == nil || k.Clear.Len() == 0)
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
	if k.Clear != nil && k.Clear.Len() > 0 {
		in, err := c.member(ctx, col, k.Clear, text)
		if err != nil {
			return "", err
		}
		arms.WriteString(" WHEN " + in + " THEN " + literal(k.Cleared))
	}
	rest := v
	if k.Map != nil && len(k.Map.Runs()) > 0 {
		b, err := c.bindMap(ctx, k.Map)
		if err != nil {
			return "", err
		}
		switch {
		case c.onlyIntegers(col):
			rest = b.image(v, "")
		case !text:
			rest = b.image(v, "typeof("+v+")='integer'")
		default:
			rest = "CASE typeof(" + v + ") WHEN 'integer' THEN " + b.image(v, "") + " WHEN 'text' THEN CASE WHEN " + canonical(v) +
				" THEN CAST(" + b.image("CAST("+v+" AS INTEGER)", "") + " AS TEXT) ELSE " + v + " END ELSE " + v + " END"
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
		changed := k.Clear != nil && k.Clear.Has(i)
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
func (c *compiler) member(ctx context.Context, col *merge.Column, set *merge.KeySet, text bool) (string, error) {
	b, err := c.bindSet(ctx, set)
	if err != nil {
		return "", err
	}
	v := c.source(col.Name)
	if text {
		return "CASE typeof(" + v + ") WHEN 'integer' THEN " + b.has(v) + " WHEN 'text' THEN " + canonical(v) + " AND " + b.has("CAST("+v+" AS INTEGER)") + " ELSE 0 END", nil
	}
	return "(typeof(" + v + ")='integer' AND " + b.has(v) + ")", nil
}

// dropped tells whether a row is left out.
func (c *compiler) dropped(ctx context.Context, d merge.Drop) (string, error) {
	col := c.table.Column(d.Column, true)
	if col == nil || d.Values == nil || d.Values.Len() == 0 {
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

// image is what x becomes: an integer, or where a guard is given, anything, and the guard tells integers.
func (b *boundSet) image(x, guard string) string {
	if guard != "" && len(b.pieces) > 1 || guard != "" && b.loose {
		return "CASE WHEN " + guard + " THEN " + b.image(x, "") + " ELSE " + x + " END"
	}
	if guard != "" {
		guard += " AND "
	}
	var arms strings.Builder
	for i, p := range b.pieces {
		fmt.Fprintf(&arms, " WHEN %s%s BETWEEN %s AND %s", guard, x, literal(p.lo), literal(p.hi))
		if !p.blob || len(p.states) == 1 && len(b.pieces) == 1 { // with more pieces, a value that stays would try them all
			if p.blob {
				fmt.Fprintf(&arms, " AND %s=x'%02x'", at(b.params[i], x, p.lo), p.states[0])
			}
			arms.WriteString(" THEN " + b.result(p.states[0], x))
			continue
		}
		arms.WriteString(" THEN CASE " + at(b.params[i], x, p.lo))
		stays := " WHEN x'00' THEN " + x             // asked early: most values of a span stay, or change by its first formula
		rare := width(p.lo, p.hi) < 2*uint64(p.keys) //nolint:gosec // keys are counted
		if !rare {
			arms.WriteString(stays)
		}
		for i, s := range p.states {
			fmt.Fprintf(&arms, " WHEN x'%02x' THEN %s", s, b.result(s, x))
			if rare && i == 0 {
				arms.WriteString(stays)
			}
		}
		arms.WriteString(" ELSE " + x + " END")
	}
	if b.loose {
		fmt.Fprintf(&arms, " WHEN %s BETWEEN %s AND %s THEN coalesce(%s, %s)", x, literal(b.looseLo), literal(b.looseHi), b.found(x), x)
	}
	return "CASE" + arms.String() + " ELSE " + x + " END"
}

// has tells whether the integer x is in the set.
func (b *boundSet) has(x string) string {
	words := []string{"0"}
	for i, p := range b.pieces {
		w := fmt.Sprintf("%s BETWEEN %s AND %s", x, literal(p.lo), literal(p.hi))
		if p.blob {
			w += " AND " + at(b.params[i], x, p.lo) + "<>x'00'"
		}
		words = append(words, w)
	}
	if b.loose {
		words = append(words, fmt.Sprintf("%s BETWEEN %s AND %s AND %s IS NOT NULL", x, literal(b.looseLo), literal(b.looseHi), b.found(x)))
	}
	return "(" + strings.Join(words, " OR ") + ")"
}

// at is the state of x, which lies in the blob's span: substr counts from 1, and from the end where a position is not positive.
func at(param int, x string, lo int64) string {
	if off, ok := minus(1, lo); ok {
		return fmt.Sprintf("substr(?%d, %s + %s, 1)", param, x, literal(off))
	}
	return fmt.Sprintf("substr(?%d, %s - %s + 1, 1)", param, x, literal(lo))
}

func (b *boundSet) result(state byte, x string) string {
	if state == inTable {
		return b.found(x)
	}
	return b.formulas[state-1].sql(x)
}

// found looks x up in the table of runs: the last run that starts at or below x, if it reaches x; null otherwise.
func (b *boundSet) found(x string) string {
	cursor := "(gameid_base + (" + x + " - gameid_old))"
	return fmt.Sprintf("(SELECT CASE WHEN %[1]s - gameid_old < gameid_count THEN CASE WHEN gameid_server IS NULL THEN %[2]s ELSE %[3]s END END"+
		" FROM temp.%[4]s WHERE gameid_old <= %[1]s ORDER BY gameid_old DESC LIMIT 1)", x, cursor, idAtCursor(cursor, "gameid_server"), b.table)
}
