package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Top is the highest number of a counter's key, of texts the one that those of the counter's form end in.
func (s *shard) Top(ctx context.Context, c merge.Counter) (int64, bool, error) {
	t, col, err := s.column(c.Key)
	if err != nil {
		return 0, false, err
	}
	var top sql.NullInt64
	err = s.conn.QueryRowContext(ctx, topOf(&c, t.Name, col.Name)).Scan(&top)
	return top.Int64, top.Valid, s.failed(err, "read the highest number of %s", c.Key)
}

// topOf is the query for the highest number of a counter's key. An index on the key finds the texts that begin as the counter does.
func topOf(c *merge.Counter, table, key string) string {
	k := ident(key)
	if !c.Texts {
		return "SELECT max(" + k + ") FROM main." + ident(table) + " WHERE typeof(" + k + ") = 'integer'"
	}
	number, form := numberBehind(c.Head, k), k+" GLOB "+literal(globbed(c.Head)+"[0-9]*")
	if c.Head == "" {
		before := "rtrim(" + k + ", '0123456789')"
		number, form = "substr("+k+", length("+before+") + 1)", before+" NOT GLOB '*[0-9]*'"
	}
	return fmt.Sprintf("SELECT max(CAST(%s AS INTEGER)) FROM main.%s WHERE typeof(%s) = 'text' AND %s AND %[1]s NOT GLOB '*[^0-9]*' AND length(%[1]s) BETWEEN 1 AND 18", number, ident(table), k, form)
}

// globbed is a text as GLOB finds it alone.
func globbed(text string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(text)
}

// numberBehind is what stands in a text behind its head.
func numberBehind(head, value string) string {
	return fmt.Sprintf("substr(%s, %d)", value, len([]rune(head))+1)
}

// headed tells whether a counter's text has a head and stands below a number.
func headed(head, value, floor string) string {
	return fmt.Sprintf("(typeof(%s) = 'text' AND %[1]s GLOB %s AND CAST(%s AS INTEGER) < %s)", value, literal(globbed(head)+"[0-9]*"), numberBehind(head, value), floor)
}

// numbered is a number behind a head, as wide as a counter's text has it.
func numbered(head, value, n string) string {
	return fmt.Sprintf("%s || printf('%%0*d', length(%s), %s)", literal(head), numberBehind(head, value), n)
}

// count sets one of the game's own counters to at least its floor, and the highest key and a margin. A counter above that stays. A text with zeros in front, or something else before its number, stays as wide.
func (o *output) count(ctx context.Context, conn *sql.Conn, c merge.Counter) error {
	column := ident(c.Column.Name)
	var top sql.NullInt64
	if err := conn.QueryRowContext(ctx, topOf(&c, c.Key.Table, c.Key.Name)).Scan(&top); err != nil {
		return err
	}
	if !top.Valid && c.Floor == 0 {
		return nil
	}
	if c.Margin < 0 || top.Int64 > math.MaxInt64-1-c.Margin {
		return &OutputError{Path: o.path, Reason: ErrFullNumber, Detail: fmt.Sprintf("%s: highest key %d, margin %d", c.Column, top.Int64, c.Margin), Next: "renew that key"}
	}
	value := c.Floor
	if top.Valid {
		value = c.Next(top.Int64)
	}
	where := "true"
	if c.Where != "" {
		if err := checkExpression(ctx, conn, c.Column.Table, c.Where, 0); err != nil {
			return err
		}
		where = bracketed(c.Where)
	}
	query := fmt.Sprintf("UPDATE main.%s SET %s = CASE WHEN typeof(%[2]s) = 'text' AND %[2]s GLOB '0*' THEN printf('%%0*d', length(%[2]s), ?1) ELSE ?1 END WHERE %[3]s AND (%[2]s IS NULL OR CAST(%[2]s AS INTEGER) < ?1)", ident(c.Column.Table), column, where)
	if c.Head != "" {
		query = fmt.Sprintf("UPDATE main.%s SET %s = %s WHERE %s AND %s", ident(c.Column.Table), column, numbered(c.Head, column, "?1"), where, headed(c.Head, column, "?1"))
	}
	_, err := conn.ExecContext(ctx, query, value)
	return err
}
