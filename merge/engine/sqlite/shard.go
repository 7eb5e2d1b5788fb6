package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/room"
)

// shard is one opened database. Its connection holds a read transaction until Close, so nothing that it reads changes.
type shard struct {
	engine    *Engine
	src       merge.Source
	path      string     // what the operator named
	real      string     // the same without symbolic links: beside it SQLite keeps the log and the journal
	file      string     // what SQLite opened: the source itself or its private copy
	private   *room.Room // of the copy; nil when the source is read in place
	workDir   string     // where the proof may put what memory cannot hold; "" is the system's folder
	bytes     int64
	encoding  string // as PRAGMA encoding says
	held      *held
	checked   bool  // its integrity, when it was opened
	begun     state // when the snapshot of a source that is read in place began
	db        *sql.DB
	conn      *sql.Conn
	lookups   *lookups  // of the connection; nil until they are needed
	tallies   bool      // the connection has its tally
	gatherer  *gatherer // of the connection; nil until it is needed
	besides   besides
	witnesses witnesses // of a merged database
	schema    *merge.Schema
	verifying *verification // nil when nobody asked for it
	seen      seen
	facts     map[*merge.Table]facts
}

// facts are what SQLite's catalogue knows of a table beyond merge.Table.
type facts struct {
	withoutRowid bool
	strict       bool
	rowid        string // a name under which the rowid can be read: the alias, or one of rowid, _rowid_, oid that no column covers; "" when there is none
}

var _ merge.Shard = (*shard)(nil)

// Source is the source as it was given.
func (s *shard) Source() merge.Source { return s.src }

// Schema is the catalogue; callers must not change it.
func (s *shard) Schema() *merge.Schema { return s.schema }

// Bytes is the size of the database and its log on disk.
func (s *shard) Bytes() int64 { return s.bytes }

// another opens the database on another connection. The read transaction of this shard keeps writers out meanwhile.
func (s *shard) another(ctx context.Context) (*sql.DB, *sql.Conn, error) {
	db, conn, err := open(ctx, s.file, "ro")
	changed := s.Unchanged()
	if changed != nil && err == nil {
		_, _ = conn.Close(), db.Close()
	}
	return db, conn, cmp.Or(changed, err)
}

// attach gives another connection the database under a name.
func (s *shard) attach(ctx context.Context, conn *sql.Conn, name string) error {
	_, err := conn.ExecContext(ctx, "ATTACH ? AS "+name, fileURI(s.file, "ro"))
	return cmp.Or(s.Unchanged(), err)
}

// besides are a shard's connections that hold another shard as src, by that shard. They stay open: to read two large schemas takes longer than most comparisons.
type besides struct {
	sync.Mutex
	open map[*shard]attached
}

// attached is one of them.
type attached struct {
	db   *sql.DB
	conn *sql.Conn
}

// close closes one; where there is none, it does nothing.
func (a attached) close() error {
	if a.conn == nil {
		return nil
	}
	return errors.Join(a.conn.Close(), a.db.Close())
}

// beside is a connection that holds the shard and, as src, another one, until the shard is closed.
func (s *shard) beside(ctx context.Context, other *shard) (*sql.Conn, error) {
	s.besides.Lock()
	defer s.besides.Unlock()
	if is, ok := s.besides.open[other]; ok {
		return is.conn, cmp.Or(s.Unchanged(), other.Unchanged())
	}
	db, conn, err := s.another(ctx)
	if err != nil {
		return nil, s.failed(err, "open")
	}
	if err := other.attach(ctx, conn, "src"); err != nil {
		return nil, errors.Join(other.failed(err, "attach"), conn.Close(), db.Close())
	}
	if s.besides.open == nil {
		s.besides.open = map[*shard]attached{}
	}
	s.besides.open[other] = attached{db, conn}
	return conn, nil
}

// Close ends the snapshot and removes the private copy. It may be called twice.
func (s *shard) Close() error {
	s.verifying.end()
	errs := []error{s.dismiss()}
	for _, is := range s.besides.open {
		errs = append(errs, is.close())
	}
	s.besides.open = nil
	for _, stmt := range s.seen.asked {
		errs = append(errs, stmt.Close())
	}
	s.seen.asked = nil
	if s.conn != nil {
		_, err := s.conn.ExecContext(context.Background(), "ROLLBACK")
		if err != nil && !errors.Is(err, sql.ErrConnDone) && code(err) != 1 { // 1: an interrupted statement has ended the transaction already
			errs = append(errs, err)
		}
		errs = append(errs, s.conn.Close(), s.db.Close())
		s.conn = nil
	}
	if s.held != nil {
		errs = append(errs, s.engine.release(s.held))
		s.held = nil
	}
	errs = append(errs, s.private.Remove())
	s.private = nil
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close %s: %w", s.path, err)
	}
	return nil
}

// lookingUp gives the connection its lookups.
func (s *shard) lookingUp() (_ *lookups, err error) {
	if s.lookups == nil {
		s.lookups, err = newLookups(s.conn)
	}
	return s.lookups, err
}

// table finds a table that holds rows of its own.
func (s *shard) table(name string) (*merge.Table, error) {
	t := s.schema.Table(name)
	if t == nil {
		return nil, fmt.Errorf("shard %s has no table %s", s.src.Name, name)
	}
	return t, nil
}

// column finds a column and its table.
func (s *shard) column(c merge.Col) (*merge.Table, *merge.Column, error) {
	t, err := s.table(c.Table)
	if err != nil {
		return nil, nil, err
	}
	col := t.Column(c.Name, true)
	if col == nil {
		return nil, nil, fmt.Errorf("shard %s has no column %s", s.src.Name, c)
	}
	return t, col, nil
}

// failed says what was being done to the shard.
func (s *shard) failed(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	err = explain(s.path, err)
	if s.checked && errors.Is(err, ErrDamaged) { // its pages were sound: the disk gives others now
		err = &SourceError{Path: s.path, Reason: ErrUnreadable, Err: errors.New("pages that were sound when it was opened are not any more"), Next: checkDisk}
	}
	return fmt.Errorf("shard %s: %s: %w", s.src.Name, fmt.Sprintf(format, args...), err)
}
