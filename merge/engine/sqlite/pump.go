package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/gameid/gameid/merge"
)

// outSchema is the output's name on a pump's connection.
const outSchema = "gameid_out"

// pump is a connection whose main database is one shard, read-only, and to which the output is attached while rows move. Its temporary tables last
// from one table to the next.
type pump struct {
	shard   *shard
	db      *sql.DB
	conn    *sql.Conn
	lookups *lookups
	tables  map[any]string
	out     bool // the output is attached
}

// newPump opens the shard's file a second time; the shard's own read transaction keeps writers out meanwhile.
func newPump(ctx context.Context, s *shard) (*pump, error) {
	db, conn, err := s.another(ctx)
	if err != nil {
		return nil, s.failed(err, "open for reading rows")
	}
	p := &pump{shard: s, db: db, conn: conn, tables: map[any]string{}}
	if p.lookups, err = newLookups(conn); err != nil {
		return nil, errors.Join(err, p.close())
	}
	if err := tune(ctx, p.conn, fmt.Sprintf("PRAGMA temp.cache_size = -%d; PRAGMA temp.journal_mode = OFF", tempCacheKiB)); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

func (p *pump) exec(ctx context.Context, query string, args ...any) error {
	_, err := p.conn.ExecContext(ctx, query, args...)
	return err
}

// attach brings the unfinished output in, tuned for loading, unless it is there already: to read a large schema takes longer than to load most tables.
func (p *pump) attach(ctx context.Context, file string, cacheKiB int) error {
	if !p.out {
		if err := p.exec(ctx, "ATTACH ? AS "+outSchema, fileURI(file, "rw")); err != nil {
			return fmt.Errorf("attach the output: %w", err)
		}
		p.out = true
	}
	return tune(ctx, p.conn, loadPragmas(outSchema, cacheKiB))
}

// loadPragmas are the settings of a database that nobody else reads and that is thrown away when anything fails.
func loadPragmas(schema string, cacheKiB int) string {
	return fmt.Sprintf("PRAGMA %[1]s.journal_mode = OFF; PRAGMA %[1]s.synchronous = OFF; PRAGMA %[1]s.cache_size = -%[2]d; PRAGMA %[1]s.locking_mode = EXCLUSIVE", schema, cacheKiB)
}

// tempCacheKiB is the page cache of the tables in which keys are looked up.
const tempCacheKiB = 16 << 10

// readCacheKiB is the page cache of a database that is read from end to end: a processor's own cache holds it, and the system's holds the rest.
const readCacheKiB = 4 << 10

// lookCacheKiB is the page cache of a shard's own connection, on which the audit also looks single rows and names up.
const lookCacheKiB = 16 << 10

// appendCacheKiB is the page cache of the database that is written while rows are only appended. Where they also go into an index of the table, wherever
// their values stand there, it is indexCacheKiB.
const (
	appendCacheKiB = 8 << 10
	indexCacheKiB  = 64 << 10
)

// loadCacheKiB is the page cache for loading a table.
func loadCacheKiB(t *merge.Table) int {
	for _, u := range t.Uniques {
		if u.SQL == "" && (len(u.Columns) != 1 || u.Columns[0] != t.AutoColumn) {
			return indexCacheKiB
		}
	}
	return appendCacheKiB
}

// sortCacheKiB is the page cache while SQLite sorts: it sorts in as much memory again and merges what it sorted from disk. What a processor's own cache
// holds is sorted in a third of the time that more memory takes, and in less than with threads.
const sortCacheKiB = 2 << 10

// leave lets go of the lock on the output, which it does when it has read something, and of its page cache. The output stays attached: what the plan says in SQL has to be
// compiled elsewhere, where its tables are the shard's alone.
func (p *pump) leave(ctx context.Context) error {
	return p.exec(context.WithoutCancel(ctx), fmt.Sprintf("PRAGMA %[1]s.cache_size = 0; PRAGMA %[1]s.locking_mode = NORMAL; PRAGMA %[1]s.schema_version", outSchema))
}

func (p *pump) close() error { return errors.Join(p.conn.Close(), p.db.Close()) }

// number reads a single number.
func (p *pump) number(ctx context.Context, query string) (n int64, err error) {
	err = p.conn.QueryRowContext(ctx, query).Scan(&n)
	return n, err
}

func itoa(n int) string { return strconv.Itoa(n) }
