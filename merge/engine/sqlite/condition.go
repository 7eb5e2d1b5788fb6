package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mattn/go-sqlite3"

	"github.com/gameid/gameid/merge"
)

// bracketed puts an operator's SQL into a statement: in parentheses and on lines of its own, so that a trailing comment ends with it.
func bracketed(expression string) string { return "(\n" + expression + "\n)" }

// checkExpression compiles an operator's SQL over the rows of a table of the connection's main database. It must be one expression with this
// number of parameters: an operator's has none.
//
// The text stands once in parentheses and once in CAST( AS ). Whatever closes the one early, to smuggle in an OR or a second statement,
// does not compile in the other.
func checkExpression(ctx context.Context, conn *sql.Conn, table, expression string, parameters int) error {
	for _, form := range []string{bracketed(expression), "CAST(\n" + expression + "\n AS NUMERIC)"} {
		if err := compiles(ctx, conn, "SELECT 1 FROM main."+ident(table)+" WHERE "+form, parameters); err != nil {
			return &ConditionError{table, expression, err}
		}
	}
	if why, err := unrepeatable(ctx, conn, table, expression); err != nil || why != "" {
		if err == nil {
			err = fmt.Errorf("%s gives another value every time: write a fixed one", why)
		}
		return &ConditionError{table, expression, err}
	}
	return nil
}

// unsteady are the functions of which SQLite promises no value, or one that depends on the connection or the clock.
var unsteady = []string{"random", "randomblob", "changes", "total_changes", "last_insert_rowid", "current_time", "current_date", "current_timestamp"}

// clocks are the functions that read the clock where they are told 'now', or nothing, and the machine's time zone where they are told 'localtime' or 'utc'.
var clocks = []string{"date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff"}

var clockWords = regexp.MustCompile(`(?i)['"]\s*(now|localtime|utc|subsec|subsecond)\s*['"]|\b(date|time|datetime|julianday|unixepoch)["'\x60\]]?\s*\(\s*\)|\bstrftime\s*\(\s*('[^']*')?\s*\)`)

// suspects are in SQL that may call one of these functions, by itself or by a view. Asking SQLite about all others would cost a callback each.
var suspects = []string{"random", "changes", "rowid", "current_", "date", "time", "julianday", "unixepoch", "select"}

// unrepeatable names what makes an expression's value differ from one run to the next; "" when nothing does. SQLite itself tells which functions are called, also
// by a view that the expression reads; whether one of its clock functions reads the clock shows in the text.
func unrepeatable(ctx context.Context, conn *sql.Conn, table, expression string) (why string, err error) {
	lower := strings.ToLower(expression)
	if !slices.ContainsFunc(suspects, func(word string) bool { return strings.Contains(lower, word) }) {
		return "", nil
	}
	err = conn.Raw(func(c any) error {
		mine := c.(*connection).SQLiteConn
		mine.RegisterAuthorizer(func(action int, _, function, _ string) int {
			function = strings.ToLower(function)
			if action == sqlite3.SQLITE_FUNCTION && (slices.Contains(unsteady, function) || slices.Contains(clocks, function) && clockWords.MatchString(expression)) {
				why = function
			}
			return sqlite3.SQLITE_OK
		})
		defer mine.RegisterAuthorizer(nil)
		stmt, err := mine.PrepareContext(ctx, "SELECT "+bracketed(expression)+" FROM main."+ident(table))
		if err != nil {
			return err
		}
		return stmt.Close()
	})
	return why, err
}

// compiles prepares one statement, which may have these parameters and no others. A name in double quotes that no column has is none here, and no text in its place.
func compiles(ctx context.Context, conn *sql.Conn, query string, parameters int) error {
	return conn.Raw(func(c any) error {
		mine := c.(*connection)
		if was := option(mine.SQLiteConn, quotedTexts, -1); was > 0 {
			option(mine.SQLiteConn, quotedTexts, 0)
			defer option(mine.SQLiteConn, quotedTexts, was)
		}
		stmt, err := mine.PrepareContext(ctx, query)
		if err != nil {
			return err
		}
		inputs := stmt.NumInput()
		if err := stmt.Close(); err != nil {
			return err
		}
		if inputs != parameters {
			return errors.New("it has parameters")
		}
		return nil
	})
}

// countRows counts the rows of a table.
func (s *shard) countRows(ctx context.Context, t *merge.Table) (int64, error) {
	var n int64
	err := s.conn.QueryRowContext(ctx, "SELECT count(*) FROM main."+ident(t.Name)).Scan(&n)
	return n, s.failed(err, "count the rows of %s", t.Name)
}

// Count counts the rows for which an SQL condition holds; a *ConditionError tells that it does not compile.
func (s *shard) Count(ctx context.Context, table, condition string, args ...any) (int64, error) {
	if condition == "" {
		return s.Rows(ctx, table)
	}
	return s.ask(ctx, "SELECT count(*) FROM main.%s WHERE %s", table, condition, args)
}

// Any tells whether there is a row for which an SQL condition holds; a *ConditionError tells that it does not compile.
func (s *shard) Any(ctx context.Context, table, condition string, args ...any) (bool, error) {
	if condition == "" {
		condition = "1"
	}
	n, err := s.ask(ctx, "SELECT EXISTS (SELECT 1 FROM main.%s WHERE %s)", table, condition, args)
	return n > 0, err
}

// ask asks for a number about rows of a table. A question without parameters is asked once, and one with them is compiled once.
func (s *shard) ask(ctx context.Context, query, table, condition string, args []any) (n int64, err error) {
	t, err := s.table(table)
	if err != nil {
		return 0, err
	}
	query = fmt.Sprintf(query, ident(t.Name), bracketed(condition))
	if n, ok := s.seen.answers[query]; ok {
		return n, nil
	}
	stmt := s.seen.asked[query]
	if stmt == nil {
		if err := checkExpression(ctx, s.conn, t.Name, condition, len(args)); err != nil {
			return 0, err
		}
	}
	switch {
	case len(args) == 0:
		if err = s.conn.QueryRowContext(ctx, query).Scan(&n); err == nil {
			s.seen.answers = kept(s.seen.answers, query, n)
		}
	case stmt == nil:
		if stmt, err = s.conn.PrepareContext(ctx, query); err != nil {
			break
		}
		s.seen.asked = kept(s.seen.asked, query, stmt)
		fallthrough
	default:
		err = stmt.QueryRowContext(ctx, args...).Scan(&n)
	}
	return n, s.failed(err, "count rows of %s", t.Name)
}

// Values lists a column's distinct values by their own storage class and bytes, the most frequent first, then in SQLite's order. A limit of 0 is none.
func (s *shard) Values(ctx context.Context, c merge.Col, condition string, limit int) ([]merge.ValueCount, error) {
	list, err := s.valuesOf(ctx, condition, limit, c)
	return list, s.failed(err, "list the values of %s", c)
}

// Tuples lists the distinct values of several columns of a table together, as Values does.
func (s *shard) Tuples(ctx context.Context, columns []merge.Col, condition string, limit int) ([]merge.ValueCount, error) {
	list, err := s.valuesOf(ctx, condition, limit, columns...)
	return list, s.failed(err, "list the values of %s", merge.JoinCols(columns))
}

// valuesOf lists the distinct values of columns of one table.
func (s *shard) valuesOf(ctx context.Context, condition string, limit int, columns ...merge.Col) ([]merge.ValueCount, error) {
	var table string
	var values, groups, order []string
	alone := false // no two rows hold the same
	for _, c := range columns {
		t, col, err := s.column(c)
		if err != nil {
			return nil, err
		}
		name := ident(col.Name)
		table, alone = t.Name, alone || differs(t, col)
		values = append(values, "+"+name) // the sign makes it an expression: the driver turns columns declared as dates or booleans into other values
		groups = append(groups, "typeof("+name+"), "+name+" COLLATE BINARY")
		order = append(order, "+"+name+" COLLATE BINARY")
	}
	if limit <= 0 {
		limit = -1
	}
	where := ""
	if condition != "" {
		if err := checkExpression(ctx, s.conn, table, condition, 0); err != nil {
			return nil, err
		}
		where = " WHERE " + bracketed(condition)
	}
	if tallies, err := s.tallying(); err != nil {
		return nil, err
	} else if tallies {
		var tally []byte
		err := s.conn.QueryRowContext(ctx, "SELECT gameid_tally("+strings.Join(values, ", ")+") FROM main."+ident(table)+where).Scan(&tally)
		if code(err) != sqlite3.ErrTooBig {
			return untally(tally, len(columns), limit), err
		}
	}
	if alone {
		return counts(ctx, s.conn, fmt.Sprintf("SELECT %s, 1 FROM main.%s%s ORDER BY %s LIMIT %d", strings.Join(values, ", "), ident(table), where, strings.Join(order, ", "), limit), len(columns))
	}
	return counts(ctx, s.conn, fmt.Sprintf("SELECT %s, count(*) FROM main.%s%s GROUP BY %s ORDER BY %d DESC, %s LIMIT %d",
		strings.Join(values, ", "), ident(table), where, strings.Join(groups, ", "), len(columns)+1, strings.Join(order, ", "), limit), len(columns))
}

// differs tells whether no two rows of a table hold the same in a column: what is the same is equal by any collation.
func differs(t *merge.Table, col *merge.Column) bool {
	return t.AutoColumn == col.Name || col.NotNull && slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool {
		return u.Plain() && len(u.Columns) == 1 && u.Columns[0] == col.Name
	})
}

// counts reads rows of some values and a number.
func counts(ctx context.Context, conn *sql.Conn, query string, parts int) ([]merge.ValueCount, error) {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var list []merge.ValueCount
	for rows.Next() {
		v := merge.ValueCount{Value: make([]any, parts)}
		into := make([]any, 0, parts+1)
		for i := range v.Value {
			into = append(into, &v.Value[i])
		}
		if err := rows.Scan(append(into, &v.Rows)...); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}
