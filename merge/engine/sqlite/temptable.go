package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

// once makes a temporary table for an owner, a pointer, unless this connection has it already, and returns its name. fill gets a function that inserts one row.
func (p *pump) once(ctx context.Context, owner any, kind, columns string, fill func(insert func(...any) error) error) (string, error) {
	if name, ok := p.tables[owner]; ok {
		return name, nil
	}
	name := "gameid_" + kind + "_" + itoa(len(p.tables))
	if err := p.exec(ctx, "CREATE TEMP TABLE "+name+"("+columns+")"); err != nil {
		return "", err
	}
	in := rowInserter{ctx: ctx, conn: p.conn, table: name}
	if err := p.exec(ctx, "BEGIN"); err != nil {
		return "", err
	}
	err := fill(in.add)
	if err == nil {
		err = in.flush()
	}
	if err != nil {
		_ = p.exec(context.WithoutCancel(ctx), "ROLLBACK")
		return "", err
	}
	if err := p.exec(ctx, "COMMIT"); err != nil {
		return "", err
	}
	p.tables[owner] = name
	return name, nil
}

// rowInserter gathers rows into statements of many.
type rowInserter struct {
	ctx   context.Context //nolint:containedctx // lives as long as one call of once
	conn  *sql.Conn
	table string
	width int
	args  []any
}

const rowsAtOnce = 256

func (r *rowInserter) add(values ...any) error {
	r.width = len(values)
	r.args = append(r.args, values...)
	if len(r.args) < rowsAtOnce*r.width {
		return nil
	}
	return r.flush()
}

func (r *rowInserter) flush() error {
	if len(r.args) == 0 {
		return nil
	}
	row := "(" + strings.Join(slices.Repeat([]string{"?"}, r.width), ", ") + ")"
	query := "INSERT INTO temp." + r.table + " VALUES " + strings.Join(slices.Repeat([]string{row}, len(r.args)/r.width), ", ")
	_, err := r.conn.ExecContext(r.ctx, query, r.args...)
	r.args = r.args[:0]
	return err
}
