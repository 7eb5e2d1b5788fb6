package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// indexDamage lists what is wrong with the indexes. An index is read from end to end and its table once, and sums over both have to be equal; SQLite's own check
// (integrity_check) looks every entry up where it lies in its table, which takes three times as long in memory and far longer on a disk. It has the last word where
// sums differ, and where an index has no sum. An entry too many in an index over some rows alone is not seen; SQLite looks at the row before it uses that.
func (s *shard) indexDamage(ctx context.Context, conn *sql.Conn) (damage []string, err error) {
	if err := registerSum(conn); err != nil {
		return nil, err
	}
	record, err := texts(ctx, conn, "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name IN ('"+strings.Join(memoryTables[:], "', '")+"')") // it answers for years, too
	if err != nil {
		return nil, err
	}
	known := map[string]facts{}
	var names []string
	for _, x := range record {
		names, known[x[0]] = append(names, x[0]), facts{withoutRowid: true}
	}
	for _, t := range s.schema.Tables {
		if t.Opaque == "" {
			names, known[t.Name] = append(names, t.Name), s.facts[t]
		}
	}
	for _, name := range names {
		equal, err := s.indexesEqual(ctx, conn, name, known[name])
		if corrupt(err) || err == nil && !equal { // quick_check reads no entry of an index
			more, again := damaged(ctx, conn, fmt.Sprintf("PRAGMA integrity_check(%s)", ident(name)))
			if corrupt(again) {
				more, again = append(more, fmt.Sprintf("an index of table %s cannot be read: %v", name, again)), nil
			}
			if again != nil || len(more) > 0 {
				damage, err = append(damage, more...), again
			}
		}
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", name, err)
		}
	}
	return damage, nil
}

func corrupt(err error) bool { return code(err) == 11 } // SQLITE_CORRUPT

// indexesEqual tells whether every index of a table holds what its rows do; false also where that cannot be told so.
func (s *shard) indexesEqual(ctx context.Context, conn *sql.Conn, table string, known facts) (bool, error) {
	indexes, err := texts(ctx, conn, "SELECT name, origin, partial, \"unique\" FROM pragma_index_list(?, 'main') ORDER BY seq", table)
	if err != nil {
		return false, err
	}
	from := " FROM main." + ident(table)
	itself := from + " NOT INDEXED"
	if i := slices.IndexFunc(indexes, func(x []string) bool { return x[1] == "pk" }); i >= 0 && known.withoutRowid { // else SQLite reads whichever index is the narrowest
		itself = from + " INDEXED BY " + ident(indexes[i][0])
	}
	var read, want []string // of each index: the query over its entries, and the sum over the rows that it must be equal to
	for _, x := range indexes {
		name, origin, partial, unique := x[0], x[1], x[2] == "1", x[3] == "1"
		if origin == "pk" && known.withoutRowid {
			continue // the table itself
		}
		sum, computed, err := indexSum(ctx, conn, name, known.rowid)
		if err != nil || sum == "" || len(computed) > 0 && unique { // no sum tells that two rows have one value
			return false, err
		}
		query := "SELECT " + sum + from + " INDEXED BY " + ident(name)
		if partial {
			declared, err := texts(ctx, conn, "SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?", name)
			if err != nil {
				return false, err
			}
			_, condition, err := indexParts(name, declared[0][0])
			if err != nil || condition == "" {
				return false, nil //nolint:nilerr // SQLite itself reads it
			}
			where := " WHERE " + bracketed(condition)
			query, sum = query+where, sum+" FILTER ("+where+")"
		}
		if len(computed) > 0 {
			if entries, err := readsEntries(ctx, conn, name, query, computed); err != nil || !entries {
				return false, err
			}
		}
		read, want = append(read, query), append(want, sum)
	}
	if len(read) == 0 {
		return true, nil
	}
	rows, err := texts(ctx, conn, "SELECT "+strings.Join(want, ", ")+itself)
	if err != nil {
		return false, err
	}
	for i, query := range read {
		entries, err := texts(ctx, conn, query)
		if code(err) == 1 { // SQLITE_ERROR: a condition that always holds is optimized away, and with it the use of the index
			return false, nil
		}
		if err != nil || entries[0][0] != rows[0][i] {
			return false, err
		}
	}
	return true, nil
}

// maxArguments is how many a function of SQLite takes.
const maxArguments = 127

// indexSum is the SQL for the sum over an index's entries, and which of their columns, from 0, hold the value of an expression; "" when it holds too many columns.
func indexSum(ctx context.Context, conn *sql.Conn, index, rowid string) (sum string, computed []int, err error) {
	columns, err := texts(ctx, conn, "SELECT cid, coalesce(name, '') FROM pragma_index_xinfo(?, 'main') ORDER BY seqno", index)
	if err != nil {
		return "", nil, err
	}
	var words []string
	for i, c := range columns {
		switch name := c[1]; c[0] {
		case "-2":
			computed, words = append(computed, i), append(words, "")
		case "-1":
			if rowid != "" { // else columns hide every name of it
				words = append(words, ident(rowid))
			}
		default:
			words = append(words, ident(name))
		}
	}
	if len(computed) > 0 {
		declared, err := texts(ctx, conn, "SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?", index)
		if err != nil {
			return "", nil, err
		}
		terms, _, err := indexParts(index, declared[0][0])
		if err != nil || computed[len(computed)-1] >= len(terms) {
			return "", nil, nil //nolint:nilerr // SQLite itself reads it
		}
		for _, i := range computed {
			words[i] = bracketed(terms[i].expression)
		}
	}
	if len(words) > maxArguments {
		return "", nil, nil
	}
	return "gameid_sum(" + strings.Join(words, ", ") + ")", computed, nil
}

// readsEntries tells whether a query takes the value of an index's expressions from its entries. SQLite may as well compute it from the row; its instructions
// (https://sqlite.org/opcode.html) say which it does.
func readsEntries(ctx context.Context, conn *sql.Conn, index, query string, computed []int) (bool, error) {
	root, err := texts(ctx, conn, "SELECT rootpage FROM main.sqlite_schema WHERE type = 'index' AND name = ?", index)
	if err != nil {
		return false, err
	}
	rows, err := conn.QueryContext(ctx, "EXPLAIN "+query)
	if code(err) == 1 { // SQLITE_ERROR: the schema allows what a statement may not say
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }()
	cursor, read := "", map[string]bool{}
	for rows.Next() {
		var opcode, p1, p2 string
		var rest [4]any
		if err := rows.Scan(&rest[0], &opcode, &p1, &p2, &rest[0], &rest[1], &rest[2], &rest[3]); err != nil {
			return false, err
		}
		switch {
		case opcode == "OpenRead" && p2 == root[0][0]:
			cursor = p1
		case opcode == "Column" && p1 == cursor:
			read[p2] = true
		}
	}
	return !slices.ContainsFunc(computed, func(i int) bool { return !read[itoa(i)] }), rows.Err()
}
