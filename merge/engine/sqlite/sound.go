package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// maxDamage bounds how many kinds of damage Sound lists.
const maxDamage = 100

// Sound checks the whole file (integrity_check) and counts the rows that violate a declared foreign key, by table. It works on a connection of its own.
//
// Looking every index entry up in its table takes as long as writing the file. The indexes of a database that this process has just made were filled by SQLite
// from the finished table, and refused what was not unique: there quick_check does, and every index is counted against its table, one that leaves rows out
// against the rows of its condition.
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
	check := "PRAGMA integrity_check"
	if s.made {
		check = "PRAGMA quick_check"
	}
	check += fmt.Sprintf("(%d)", maxDamage)
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
	if !s.made {
		return damage, violations, nil
	}
	for _, t := range s.schema.Tables {
		if t.Opaque != "" {
			continue
		}
		more, err := s.indexDamage(ctx, conn, t)
		if err != nil {
			return nil, nil, s.failed(err, "check the indexes of %s", t.Name)
		}
		damage = append(damage, more...)
	}
	return damage, violations, nil
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

// indexDamage compares the number of entries of a table's indexes with its rows.
func (s *shard) indexDamage(ctx context.Context, conn *sql.Conn, t *merge.Table) (damage []string, err error) {
	indexes, err := texts(ctx, conn, "SELECT name, origin, partial FROM pragma_index_list(?, 'main') ORDER BY seq", t.Name)
	if err != nil || len(indexes) == 0 {
		return nil, err
	}
	rows, err := number(ctx, conn, "SELECT count(*) FROM main."+ident(t.Name)+" NOT INDEXED")
	if err != nil {
		return nil, err
	}
	for _, x := range indexes {
		name, origin, partial := x[0], x[1], x[2]
		rows, where := rows, ""
		if partial == "1" {
			declared, err := texts(ctx, conn, "SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?", name)
			if err != nil {
				return nil, err
			}
			_, condition, err := indexParts(name, declared[0][0])
			if err != nil || condition == "" { // let SQLite look every row up
				return damaged(ctx, conn, fmt.Sprintf("PRAGMA integrity_check(%s)", ident(t.Name)))
			}
			where = " WHERE " + bracketed(condition)
			if rows, err = number(ctx, conn, "SELECT count(*) FROM main."+ident(t.Name)+" NOT INDEXED"+where); err != nil {
				return nil, err
			}
		}
		if origin == "pk" && s.facts[t].withoutRowid {
			continue // the table itself
		}
		n, err := number(ctx, conn, "SELECT count(*) FROM main."+ident(t.Name)+" INDEXED BY "+ident(name)+where)
		if err != nil && partial == "1" && code(err) == 1 { // SQLITE_ERROR: a condition that always holds is optimized away, and with it the use of the index
			return damaged(ctx, conn, fmt.Sprintf("PRAGMA integrity_check(%s)", ident(t.Name)))
		}
		if err != nil {
			return nil, err
		}
		if n != rows {
			damage = append(damage, fmt.Sprintf("index %s has %d entries for %d rows of %s", name, n, rows, t.Name))
		}
	}
	return damage, nil
}

// foreignViolations counts a table's broken references. A declaration that SQLite itself calls a mismatch can hold nothing, so it breaks nothing.
func foreignViolations(ctx context.Context, conn *sql.Conn, table string) (n int64, err error) {
	n, err = number(ctx, conn, "SELECT count(*) FROM pragma_foreign_key_check(?)", table)
	if err != nil && code(err) == 1 { // SQLITE_ERROR: foreign key mismatch
		return 0, nil
	}
	return n, err
}
