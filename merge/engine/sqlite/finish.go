package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"github.com/gameid/gameid/merge"
)

// Finish sets counters, records the merge, and makes indexes, then triggers and views, each with its own SQL in its own order. Nothing that it writes tells
// when, where or from which path the merge ran.
func (o *output) Finish(ctx context.Context, job merge.FinishJob) (err error) {
	if err := o.closePumps(); err != nil {
		return err
	}
	db, conn, err := open(ctx, o.partial, "rw")
	if err != nil {
		return o.unwritable(err)
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	settings := fmt.Sprintf("; PRAGMA main.user_version = %d; PRAGMA main.application_id = %d; BEGIN", o.userVersion, o.application)
	if err := tune(ctx, conn, loadPragmas("main", sortCacheKiB)+settings); err != nil {
		return o.unwritable(err)
	}
	schema := job.Schema
	if schema == nil {
		schema = o.schema
	}
	if err := o.applyCaps(ctx, conn); err != nil {
		return err
	}
	for _, c := range job.Counters {
		if err := o.count(ctx, conn, c); err != nil {
			return fmt.Errorf("counter %s: %w", c.Column, err)
		}
	}
	if err := o.numbers(ctx, conn, schema, job); err != nil {
		return err
	}
	if job.Memory != nil {
		if err := writeMemory(ctx, conn, job.Memory); err != nil {
			return fmt.Errorf("record the merge: %w", err)
		}
	}
	for _, indexes := range []bool{true, false} {
		for _, x := range schema.Objects {
			if (x.Kind == "index") != indexes {
				continue
			}
			if err := o.declare(ctx, conn, x.Kind, x.Name, x.SQL); err != nil {
				return err
			}
		}
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		return o.unwritable(err)
	}
	return nil
}

// numbers sets SQLite's own counters (sqlite_sequence) to the highest of what they, the shards' counters, the rows, also of the tables beside, and the floors say.
func (o *output) numbers(ctx context.Context, conn *sql.Conn, schema *merge.Schema, job merge.FinishJob) error {
	for _, t := range schema.Tables {
		if !t.Counted || t.Opaque != "" {
			continue
		}
		top := job.Floors[t.Name]
		for _, s := range o.shards {
			n, err := s.counter(ctx, t.Name)
			if err != nil {
				return s.failed(err, "read the counter of %s", t.Name)
			}
			top = max(top, n)
		}
		var rows, counted sql.NullInt64
		for _, c := range job.Beside[t.Name] {
			if err := conn.QueryRowContext(ctx, topOf(&merge.Counter{}, c.Table, c.Name)).Scan(&rows); err != nil {
				return err
			}
			top = max(top, rows.Int64)
		}
		if err := conn.QueryRowContext(ctx, "SELECT max("+ident(t.AutoColumn)+") FROM main."+ident(t.Name)).Scan(&rows); err != nil {
			return err
		}
		if err := conn.QueryRowContext(ctx, "SELECT max(seq) FROM main.sqlite_sequence WHERE name = ?", t.Name).Scan(&counted); err != nil {
			return err
		}
		if top = max(top, rows.Int64, counted.Int64); top == 0 && !counted.Valid {
			continue
		}
		if top == math.MaxInt64 {
			return &OutputError{Path: o.path, Reason: ErrFullNumber, Detail: "AUTOINCREMENT of table " + t.Name, Next: "renew that key, or lower the shard's counter in sqlite_sequence"}
		}
		query := "UPDATE main.sqlite_sequence SET seq = ?2 WHERE name = ?1"
		if !counted.Valid {
			query = "INSERT INTO main.sqlite_sequence(name, seq) VALUES (?1, ?2)"
		}
		if _, err := conn.ExecContext(ctx, query, t.Name, top); err != nil {
			return err
		}
	}
	return nil
}

// counter is where SQLite's own counter of a table stands; 0 when there is none. Its column has no type: SQLite goes on above the number in '1000' or 1e3 as well.
func (s *shard) counter(ctx context.Context, table string) (int64, error) {
	t := s.schema.Table(table)
	if t == nil || !t.Counted {
		return 0, nil
	}
	var seq sql.NullInt64
	err := s.conn.QueryRowContext(ctx, "SELECT max(CAST(seq AS INTEGER)) FROM main.sqlite_sequence WHERE name = ?", t.Name).Scan(&seq)
	return seq.Int64, err
}
