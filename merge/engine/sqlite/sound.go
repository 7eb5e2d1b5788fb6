package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// maxDamage bounds how many kinds of damage Sound lists.
const maxDamage = 100

// Sound runs SQLite's own integrity check, indexes and constraints included, and counts the rows that violate a declared foreign key by table.
// It works on a connection of its own.
func (e *Engine) Sound(ctx context.Context, db merge.Shard) (damage []string, violations map[string]int64, err error) {
	list, err := own(db)
	if err != nil {
		return nil, nil, err
	}
	s := list[0]
	pool, conn, err := open(ctx, s.file, "ro")
	if err != nil {
		return nil, nil, s.failed(err, "check its integrity")
	}
	defer func() { _, _ = conn.Close(), pool.Close() }()
	if _, err := conn.ExecContext(ctx, "PRAGMA cache_size = -65536"); err != nil {
		return nil, nil, s.failed(err, "check its integrity")
	}
	rows, err := texts(ctx, conn, fmt.Sprintf("PRAGMA integrity_check(%d)", maxDamage))
	if err != nil {
		return nil, nil, s.failed(err, "check its integrity")
	}
	for _, r := range rows {
		if r[0] != "ok" {
			damage = append(damage, r[0])
		}
	}
	violations = map[string]int64{}
	for _, t := range s.schema.Tables {
		if len(t.ForeignKeys) == 0 {
			continue
		}
		n, err := foreignViolations(ctx, conn, t.Name)
		if err != nil {
			return nil, nil, s.failed(err, "check the foreign keys of %s", t.Name)
		}
		if n > 0 {
			violations[t.Name] = n
		}
	}
	return damage, violations, nil
}

// foreignViolations counts a table's broken references. A declaration that SQLite itself calls a mismatch can hold nothing, so it breaks nothing.
func foreignViolations(ctx context.Context, conn *sql.Conn, table string) (n int64, err error) {
	n, err = number(ctx, conn, "SELECT count(*) FROM pragma_foreign_key_check(?)", table)
	if err != nil && code(err) == 1 { // SQLITE_ERROR: foreign key mismatch
		return 0, nil
	}
	return n, err
}
