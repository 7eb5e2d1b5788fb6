package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"

	"github.com/gameid/gameid/merge"
)

// bracketed puts an operator's SQL into a statement: in parentheses and on lines of its own, so that a trailing comment ends with it.
func bracketed(expression string) string { return "(\n" + expression + "\n)" }

// checkExpression compiles an operator's SQL over the rows of a table of the connection's main database. It must be one expression without parameters.
//
// The text stands once in parentheses and once in CAST( AS ). Whatever closes the one early, to smuggle in an OR or a second statement,
// does not compile in the other.
func checkExpression(ctx context.Context, conn *sql.Conn, table, expression string) error {
	for _, form := range []string{bracketed(expression), "CAST(\n" + expression + "\n AS NUMERIC)"} {
		if err := compiles(ctx, conn, "SELECT 1 FROM main."+ident(table)+" WHERE "+form); err != nil {
			return &ConditionError{table, expression, err}
		}
	}
	return nil
}

// compiles prepares one statement.
func compiles(ctx context.Context, conn *sql.Conn, query string) error {
	return conn.Raw(func(c any) error {
		stmt, err := c.(*sqlite3.SQLiteConn).PrepareContext(ctx, query)
		if err != nil {
			return err
		}
		inputs := stmt.NumInput()
		if err := stmt.Close(); err != nil {
			return err
		}
		if inputs > 0 {
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
func (s *shard) Count(ctx context.Context, table, condition string) (int64, error) {
	t, err := s.table(table)
	if err != nil {
		return 0, err
	}
	if condition == "" {
		return s.Rows(ctx, table)
	}
	if err := checkExpression(ctx, s.conn, t.Name, condition); err != nil {
		return 0, err
	}
	var n int64
	err = s.conn.QueryRowContext(ctx, "SELECT count(*) FROM main."+ident(t.Name)+" WHERE "+bracketed(condition)).Scan(&n)
	return n, s.failed(err, "count rows of %s", t.Name)
}

// Values lists a column's distinct values by their own storage class and bytes, the most frequent first, then in SQLite's order. A limit of 0 is none.
func (s *shard) Values(ctx context.Context, c merge.Col, condition string, limit int) ([]merge.ValueCount, error) {
	t, col, err := s.column(c)
	if err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = -1
	}
	where := ""
	if condition != "" {
		if err := checkExpression(ctx, s.conn, t.Name, condition); err != nil {
			return nil, err
		}
		where = " WHERE " + bracketed(condition)
	}
	name := ident(col.Name)
	// The sign makes it an expression: the driver turns columns declared as dates or booleans into other values.
	query := fmt.Sprintf("SELECT +%[1]s, count(*) FROM main.%[2]s%[3]s GROUP BY typeof(%[1]s), %[1]s COLLATE BINARY ORDER BY 2 DESC, +%[1]s COLLATE BINARY LIMIT %[4]d", name, ident(t.Name), where, limit)
	list, err := counts(ctx, s.conn, query, 1)
	return list, s.failed(err, "list the values of %s", c)
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
