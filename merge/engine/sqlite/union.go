package sqlite

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// OverflowError tells which two values of a union cannot be combined: their sum leaves 64 bits, the column's declared width or what a fraction can be, one is not a number, or
// one is a number written as text, which compares letter by letter: '9' is above '10'.
type OverflowError struct {
	Table, Column, Shard string
	How                  string // sum, max, min, latest or lowest
	Key                  []any
	Merged, Added        any // what the earlier shards gave, and what this one adds
}

func (e *OverflowError) Error() string {
	why := "cannot be added; give the column a cap, or combine it by max"
	if e.How != "sum" {
		why = "compare as texts, letter by letter; choose first"
	} else if !e.Numbers() {
		why = "cannot be added; choose first"
	}
	return fmt.Sprintf("union of %s: column %s of row %v: %s %s", e.Table, e.Column, e.Key, e.values(), why)
}

// values are both values, in words.
func (e *OverflowError) values() string {
	shown := func(v any) string {
		if f, ok := v.(float64); ok { // as it is read, not as it is written back
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
		return literal(v)
	}
	return fmt.Sprintf("%s of the shards before and %s of shard %s", shown(e.Merged), shown(e.Added), e.Shard)
}

// Numbers tells whether both values are numbers, or nulls.
func (e *OverflowError) Numbers() bool {
	for _, v := range []any{e.Merged, e.Added} {
		switch v.(type) {
		case string, []byte:
			return false
		}
	}
	return true
}

// union combines rows of the same key by column. A null never counts: the sum, maximum or minimum of a null and a value is the value, and a row whose column
// to be latest or lowest by is null loses to any other; first keeps the earlier shard's value, also a null. Ties go to the earlier shard. A cap holds for what is
// summed: a row that only a single shard has stays as it is.
func (l *loading) union(ctx context.Context) (int64, error) {
	if !l.constrained(l.job.Key) {
		return 0, fmt.Errorf("rows combine only by a primary key or a unique constraint of the table, not by %q", l.job.Key)
	}
	want, err := l.expected(ctx)
	if err != nil {
		return 0, err
	}
	before, err := l.pump.number(ctx, "SELECT count(*) FROM "+l.into())
	if err != nil {
		return 0, err
	}
	var sets []string
	for _, c := range l.columns {
		value, err := l.combined(c)
		if err != nil {
			return 0, err
		}
		if value != "" {
			sets = append(sets, ident(c.Name)+" = "+value)
		}
	}
	if before > 0 {
		if err := l.addable(ctx); err != nil {
			return 0, err
		}
		if err := l.comparable(ctx); err != nil {
			return 0, err
		}
		if err := l.noteCapped(ctx); err != nil {
			return 0, err
		}
	}
	query := insertInto + l.into() + " AS gameid_o (" + l.names() + ") " + l.query(false)
	if l.drop == "" {
		query += " WHERE true" // or SQLite's parser takes ON for a join's
	}
	query += " ON CONFLICT (" + idents(l.job.Key) + ") DO "
	if len(sets) == 0 { // an update that changes nothing, so that changes() counts every row
		k := ident(l.job.Key[0])
		sets = []string{k + " = gameid_o." + k}
	}
	got, err := l.change(ctx, query+"UPDATE SET "+strings.Join(sets, ", "))
	if err != nil {
		return 0, err
	}
	if got != want {
		return 0, fmt.Errorf("%d rows were written or combined, want %d", got, want)
	}
	after, err := l.pump.number(ctx, "SELECT count(*) FROM "+l.into())
	return after - before, err
}

// combine is how the job combines a column.
func (l *loading) combine(c *merge.Column) merge.Combine {
	for i := range l.job.Columns {
		if merge.FoldASCII(l.job.Columns[i].Name) == merge.FoldASCII(c.Name) {
			return l.job.Columns[i].Combine
		}
	}
	return merge.Combine{}
}

// combined is a column's value from the old row and the one that is excluded; "" keeps the old one.
func (l *loading) combined(c *merge.Column) (string, error) {
	old, fresh := "gameid_o."+ident(c.Name), "excluded."+ident(c.Name)
	switch how := l.combine(c); how.How {
	case "", "first":
		return "", nil
	case "sum":
		if how.Cap != nil && l.last { // a check may demand it at once
			return "min(" + unionSum(old, fresh) + ", " + literal(*how.Cap) + ")", nil
		}
		return unionSum(old, fresh), nil
	case "max":
		return fmt.Sprintf("CASE WHEN %[1]s IS NULL OR %[2]s > %[1]s THEN %[2]s ELSE %[1]s END", old, fresh), nil
	case "min":
		return fmt.Sprintf("CASE WHEN %[1]s IS NULL OR %[2]s < %[1]s THEN %[2]s ELSE %[1]s END", old, fresh), nil
	case "latest", "lowest":
		by, err := l.place(how.By)
		if err != nil {
			return "", fmt.Errorf("column %s is to be the %s by %q, which the table lacks", c.Name, how.How, how.By)
		}
		when, better := ident(l.columns[by].Name), map[string]string{"max": ">", "min": "<"}[how.Ranked()]
		return fmt.Sprintf("CASE WHEN excluded.%[1]s "+better+" gameid_o.%[1]s OR gameid_o.%[1]s IS NULL AND excluded.%[1]s IS NOT NULL THEN %[2]s ELSE %[3]s END", when, fresh, old), nil
	case "set":
		by, err := l.place(how.By)
		if err != nil {
			return "", fmt.Errorf("column %s is to be that of the row in which %q is set, which the table lacks", c.Name, how.By)
		}
		which := ident(l.columns[by].Name)
		return fmt.Sprintf("CASE WHEN %s AND NOT (%s) THEN %s ELSE %s END", unset("gameid_o."+which), unset("excluded."+which), fresh, old), nil
	default:
		return "", fmt.Errorf("column %s: there is no way %q to combine values", c.Name, how.How)
	}
}

// unset is an SQL condition: a value is nobody and nothing.
func unset(v string) string {
	words := make([]string, 0, len(merge.Unset()))
	for _, none := range merge.Unset() {
		words = append(words, literal(none))
	}
	return "(" + v + " IS NULL OR " + v + " IN (" + strings.Join(words, ", ") + "))"
}

// unionSum adds two values. Integers whose sum leaves 64 bits become a real in SQLite; addable has refused them unless a cap applies.
func unionSum(a, b string) string {
	return fmt.Sprintf("CASE WHEN %[1]s IS NULL THEN %[2]s WHEN %[2]s IS NULL THEN %[1]s ELSE %[1]s + %[2]s END", a, b)
}

// addable looks for the first row whose sums cannot be stored.
func (l *loading) addable(ctx context.Context) error {
	for i, c := range l.columns {
		how := l.combine(c)
		if how.How != "sum" {
			continue
		}
		old, fresh := "gameid_o."+ident(c.Name), alias(i)
		sum := unionSum(old, fresh)
		whole := sum // with a cap, also a sum beyond 64 bits will do; but before the last shard a debt would meet it as a fraction
		if how.Cap != nil {
			if sum = "min(" + sum + ", " + literal(*how.Cap) + ")"; l.last {
				whole = sum
			}
		}
		lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
		if c.Bytes > 0 && c.Bytes < 8 {
			lo, hi = -1<<(8*c.Bytes-1), 1<<(8*c.Bytes-1)-1
			if strings.Contains(merge.FoldASCII(c.Type), "unsigned") {
				lo, hi = 0, 1<<(8*c.Bytes)-1
			}
		}
		bad := fmt.Sprintf("typeof(%[1]s) NOT IN ('integer', 'real', 'null') OR typeof(%[2]s) NOT IN ('integer', 'real', 'null')"+
			" OR typeof(%[1]s) = 'integer' AND typeof(%[2]s) = 'integer' AND (typeof(%[6]s) <> 'integer' OR %[3]s NOT BETWEEN %[4]s AND %[5]s)"+
			" OR abs(%[3]s) = 9e999 AND abs(%[1]s) < 9e999 AND abs(%[2]s) < 9e999 OR %[3]s IS NULL AND %[1]s IS NOT NULL AND %[2]s IS NOT NULL", // infinity less infinity is no number
			old, fresh, sum, literal(lo), literal(hi), whole)
		if err := l.overflows(ctx, OverflowError{Column: c.Name, How: how.How}, old, fresh, bad); err != nil {
			return err
		}
	}
	return nil
}

// comparable looks for the first row for which the text of a number is the higher one of a smaller number, so that max, min, latest or lowest would choose what nobody means. Columns
// that turn such texts into numbers hold none.
func (l *loading) comparable(ctx context.Context) error {
	for i, c := range l.columns {
		how := l.combine(c)
		switch how.How {
		case "max", "min":
		case "latest", "lowest":
			at, err := l.place(how.By)
			if err != nil {
				return fmt.Errorf("column %s is to be the %s by %q, which the table lacks", c.Name, how.How, how.By)
			}
			i, c = at, l.columns[at]
		default:
			continue
		}
		if c.Affinity != merge.Text && c.Affinity != merge.Blob {
			continue
		}
		old, fresh := "gameid_o."+ident(c.Name), alias(i)
		bad := fmt.Sprintf("%s AND %s AND (%s > %s) <> (CAST(%[3]s AS REAL) > CAST(%[4]s AS REAL)) AND CAST(%[3]s AS REAL) <> CAST(%[4]s AS REAL)", numberText(old), numberText(fresh), old, fresh)
		if err := l.overflows(ctx, OverflowError{Column: c.Name, How: how.How}, old, fresh, bad); err != nil {
			return err
		}
	}
	return nil
}

// numberText is an SQL condition: the value is a number, or the text of one.
func numberText(v string) string {
	return fmt.Sprintf("(typeof(%[1]s) IN ('integer', 'real') OR typeof(%[1]s) = 'text' AND (%[1]s GLOB '[0-9]*' OR %[1]s GLOB '-[0-9]*') AND NOT substr(%[1]s, 2) GLOB '*[^0-9.]*' AND NOT %[1]s GLOB '*.*.*')", v)
}

// overflows returns an error, with the first row and its values, when what is bad holds of a row of the shard and the one it combines with.
func (l *loading) overflows(ctx context.Context, e OverflowError, old, fresh, bad string) error {
	on, err := l.keysEqual("gameid_o", alias)
	if err != nil {
		return err
	}
	var key []string
	for _, k := range l.job.Key {
		key = append(key, "+gameid_o."+ident(k))
	}
	rows, err := l.pump.conn.QueryContext(ctx, fmt.Sprintf("SELECT %s, +%s, +%s FROM (%s) CROSS JOIN %s AS gameid_o ON %s WHERE %s LIMIT 1",
		strings.Join(key, ", "), old, fresh, l.query(true), l.into(), on, bad))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	if !rows.Next() {
		return rows.Err()
	}
	e.Table, e.Shard, e.Key = l.job.Table.Name, l.pump.shard.src.Name, make([]any, len(l.job.Key))
	into := make([]any, 0, len(e.Key)+2)
	for i := range e.Key {
		into = append(into, &e.Key[i])
	}
	if err := rows.Scan(append(into, &e.Merged, &e.Added)...); err != nil {
		return err
	}
	return &e
}
