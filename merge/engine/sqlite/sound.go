package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// maxDamage bounds how many kinds of damage Sound lists.
const maxDamage = 100

// Sound checks the whole file's structure and every row's constraints (quick_check), every index against its table, and counts the rows that violate a declared
// foreign key, by table. It works on a connection of its own.
func (e *Engine) Sound(ctx context.Context, db merge.Shard) (damage []string, violations map[string]int64, err error) {
	list, err := own(db)
	if err != nil {
		return nil, nil, err
	}
	s := list[0]
	pool, conn, err := s.another(ctx)
	if err != nil {
		return nil, nil, s.failed(err, "check its integrity")
	}
	defer func() { _, _ = conn.Close(), pool.Close() }()
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA cache_size = -%d", readCacheKiB)); err != nil {
		return nil, nil, s.failed(err, "check its integrity")
	}
	if violations, err = s.violations(ctx, conn); err != nil {
		return nil, nil, err
	}
	check := fmt.Sprintf("PRAGMA quick_check(%d)", maxDamage)
	damage, err = damaged(ctx, conn, check)
	if err != nil {
		return nil, nil, s.failed(err, "check its integrity")
	}
	if len(damage) > 0 { // to SQLite a page that the disk would not give is damage like any other
		again, err := damaged(ctx, conn, check)
		if err == nil && len(again) == 0 {
			err = &SourceError{Path: s.path, Reason: ErrUnreadable, Err: errUnsteady, Next: checkDisk}
		}
		if err != nil {
			return nil, nil, s.failed(err, "check its integrity")
		}
	}
	damage = s.defects(ctx, damage)
	twice, err := s.countedTwice(ctx, conn)
	if err != nil {
		return nil, nil, s.failed(err, "check the counters")
	}
	damage = append(damage, twice...)
	more, err := s.indexDamage(ctx, conn)
	if err != nil {
		return nil, nil, s.failed(err, "check the indexes")
	}
	return append(damage, more...), violations, nil
}

// countedTwice lists the tables with more than one counter of SQLite's, of which it would use either.
func (s *shard) countedTwice(ctx context.Context, conn *sql.Conn) (damage []string, err error) {
	if there, err := number(ctx, conn, "SELECT count(*) FROM main.sqlite_schema WHERE name = 'sqlite_sequence'"); err != nil || there == 0 {
		return nil, err
	}
	rows, err := texts(ctx, conn, "SELECT name, count(*) FROM main.sqlite_sequence GROUP BY name HAVING count(*) > 1 ORDER BY name")
	for _, r := range rows {
		damage = append(damage, fmt.Sprintf("sqlite_sequence has %s counters for the table %s", r[1], r[0]))
	}
	return damage, err
}

// Violations counts the rows that violate a declared foreign key, by table, and looks at nothing else.
func (e *Engine) Violations(ctx context.Context, db merge.Shard) (map[string]int64, error) {
	list, err := own(db)
	if err != nil {
		return nil, err
	}
	return list[0].violations(ctx, list[0].conn)
}

func (s *shard) violations(ctx context.Context, conn *sql.Conn) (map[string]int64, error) {
	found := map[string]int64{}
	for _, t := range s.schema.Tables {
		if t.Opaque != "" || len(t.ForeignKeys) == 0 {
			continue
		}
		n, err := foreignViolations(ctx, conn, t.Name)
		if err != nil {
			return nil, s.failed(err, "check the foreign keys of %s", t.Name)
		}
		if n > 0 {
			found[t.Name] = n
		}
	}
	return found, nil
}

// damaged runs a check of SQLite's, which answers "ok" or with one line for each defect.
func damaged(ctx context.Context, conn *sql.Conn, check string) (list []string, err error) {
	rows, err := texts(ctx, conn, check)
	for _, r := range rows {
		if r[0] != "ok" {
			list = append(list, r[0])
		}
	}
	return list, err
}

// foreignViolations counts a table's broken references. A declaration that SQLite itself calls a mismatch can hold nothing, so it breaks nothing.
func foreignViolations(ctx context.Context, conn *sql.Conn, table string) (n int64, err error) {
	n, err = number(ctx, conn, "SELECT count(*) FROM pragma_foreign_key_check(?)", table)
	if err != nil && code(err) == 1 { // SQLITE_ERROR: foreign key mismatch
		return 0, nil
	}
	return n, err
}
