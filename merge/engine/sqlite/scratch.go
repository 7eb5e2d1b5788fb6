package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// rebuild builds the tables once more in memory, and finds those that this program cannot build before anything depends on them.
func (s *shard) rebuild(ctx context.Context, conn *sql.Conn, objects []schemaRow) error {
	for _, o := range objects {
		if o.Type != "table" || reserved(o.Name) || module(o.SQL) != "" {
			continue
		}
		if err := runFirst(ctx, conn, o.SQL); err != nil {
			return s.needs("table "+o.Name, err)
		}
	}
	return nil
}

// scratch asks SQLite about the rebuilt tables what the catalogue does not tell: which column has which collation, and which table is AUTOINCREMENT.
// It builds the indexes, too.
func (s *shard) scratch(ctx context.Context, conn *sql.Conn) (err error) {
	for _, t := range s.schema.Tables {
		if t.Opaque != "" {
			continue
		}
		if contains(t.SQL, "collate") {
			if err := collations(ctx, conn, t); err != nil {
				return err
			}
		}
		if contains(t.SQL, "autoincrement") {
			if t.Counted, err = counted(ctx, t); err != nil {
				return err
			}
		}
	}
	for _, o := range s.schema.Objects { // SQLite compiles a view or a trigger only when it is used
		if t := s.schema.Table(o.Table); o.Kind == "index" && t != nil && t.Opaque == "" {
			if err := runFirst(ctx, conn, o.SQL); err != nil {
				return s.needs("index "+o.Name, err)
			}
		}
	}
	return nil
}

// needs tells that a part of the schema cannot be built.
func (s *shard) needs(what string, err error) error {
	return &SourceError{Path: s.path, Reason: ErrSchema, Detail: what, Err: err, Next: "remove what its declaration needs, such as a custom function or collation"}
}

// memory opens an empty database in memory.
func memory(ctx context.Context) (*sql.DB, *sql.Conn, error) { return open(ctx, "/scratch", "memory") }

// build runs a table's own CREATE TABLE. As SQLite itself does, it leaves alone what a forged catalogue may hold behind it.
func build(ctx context.Context, conn *sql.Conn, t *merge.Table) error {
	return runFirst(ctx, conn, t.SQL)
}

// collations learns the columns' collations: an index over a column takes over the column's own.
func collations(ctx context.Context, conn *sql.Conn, t *merge.Table) error {
	for i, c := range t.Columns {
		index := fmt.Sprintf("gameid scratch %d", i)
		if _, err := conn.ExecContext(ctx, "CREATE INDEX "+ident(index)+" ON "+ident(t.Name)+"("+ident(c.Name)+")"); err != nil {
			return err
		}
		var name string
		err := conn.QueryRowContext(ctx, "SELECT coll FROM pragma_index_xinfo(?) WHERE seqno = 0", index).Scan(&name)
		if err != nil {
			return err
		}
		if name != "BINARY" {
			c.Collation = name
		}
		if _, err := conn.ExecContext(ctx, "DROP INDEX "+ident(index)); err != nil {
			return err
		}
	}
	return nil
}

// counted tells whether SQLite makes sqlite_sequence when it builds the table alone.
func counted(ctx context.Context, t *merge.Table) (bool, error) {
	db, conn, err := memory(ctx)
	if err != nil {
		return false, err
	}
	defer func() { _, _ = conn.Close(), db.Close() }()
	if err := build(ctx, conn, t); err != nil {
		return false, err
	}
	var n int
	err = conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'").Scan(&n)
	return n > 0, err
}

// contains ignores ASCII case; it only saves work that could not find anything.
func contains(statement, word string) bool {
	return strings.Contains(merge.FoldASCII(statement), word)
}
