package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// workbench is an empty database on disk, without a name, to which sources are attached one at a time as "src". SQLite deletes it at the end.
type workbench struct {
	db   *sql.DB
	conn *sql.Conn
}

// newWorkbench makes one that stores text as the sources do, which ATTACH requires.
func newWorkbench(ctx context.Context, encoding string) (*workbench, error) {
	db := newDB("")
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	w := &workbench{db, conn}
	for _, q := range []string{"PRAGMA encoding = " + literal(encoding), "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", fmt.Sprintf("PRAGMA cache_size = -%d", sortCacheKiB)} {
		if err := tune(ctx, w.conn, q); err != nil {
			return nil, errors.Join(err, w.close())
		}
	}
	return w, nil
}

// with attaches a source while f works.
func (w *workbench) with(ctx context.Context, s *shard, f func() error) error {
	if err := s.attach(ctx, w.conn, "src"); err != nil {
		return s.failed(err, "attach")
	}
	err := f()
	_, detachErr := w.conn.ExecContext(context.WithoutCancel(ctx), "DETACH src")
	return errors.Join(s.failed(err, "compare"), detachErr)
}

func (w *workbench) exec(ctx context.Context, query string, args ...any) error {
	_, err := w.conn.ExecContext(ctx, query, args...)
	return err
}

func (w *workbench) number(ctx context.Context, query string, args ...any) (n int64, err error) {
	err = w.conn.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}

func (w *workbench) close() error { return errors.Join(w.conn.Close(), w.db.Close()) }
