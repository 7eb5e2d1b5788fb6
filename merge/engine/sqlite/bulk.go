package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

// bulk inserts rows, many with one statement: a call into SQLite costs as much as a row.
type bulk struct {
	ctx   context.Context //nolint:containedctx // lives as long as the filling of one table
	conn  *sql.Conn
	into  string // the table
	row   string // what a row's numbered values become, one row for each statement; "" for the values as they are
	width int    // values of a row
	args  []any
	full  *sql.Stmt // of bulkRows rows
}

// bulkRows is how many rows one statement inserts.
const bulkRows = 64

// add takes a row.
func (b *bulk) add(values ...any) (err error) {
	b.width = len(values)
	rows := bulkRows
	if b.row != "" {
		rows = 1
	}
	if b.args = append(b.args, values...); len(b.args) < rows*b.width {
		return nil
	}
	if b.full == nil {
		if b.full, err = b.conn.PrepareContext(b.ctx, b.statement(rows)); err != nil {
			return err
		}
	}
	_, err = b.full.ExecContext(b.ctx, b.args...)
	b.args = b.args[:0]
	return err
}

// flush inserts what is left.
func (b *bulk) flush() error {
	if len(b.args) == 0 {
		return nil
	}
	_, err := b.conn.ExecContext(b.ctx, b.statement(len(b.args)/b.width), b.args...)
	b.args = b.args[:0]
	return err
}

func (b *bulk) statement(rows int) string {
	if b.row != "" {
		return "INSERT INTO " + b.into + " VALUES " + b.row
	}
	row := "(" + strings.Join(slices.Repeat([]string{"?"}, b.width), ", ") + ")"
	return "INSERT INTO " + b.into + " VALUES " + strings.Join(slices.Repeat([]string{row}, rows), ", ")
}

func (b *bulk) close() error {
	if b.full == nil {
		return nil
	}
	return b.full.Close()
}
