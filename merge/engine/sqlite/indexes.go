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
	indexes, err := texts(ctx, conn, "SELECT name, origin, partial FROM pragma_index_list(?, 'main') ORDER BY seq", table)
	if err != nil {
		return false, err
	}
	from := " FROM main." + ident(table)
	itself := from + " NOT INDEXED"
	if i := slices.IndexFunc(indexes, func(x []string) bool { return x[1] == "pk" }); i >= 0 && known.withoutRowid { // else SQLite reads whichever index is the narrowest
		itself = from + " INDEXED BY " + ident(indexes[i][0])
	}
	var whole, sums []string // one for each index of all rows
	for _, x := range indexes {
		name, origin, partial := x[0], x[1], x[2]
		if origin == "pk" && known.withoutRowid {
			continue // the table itself
		}
		sum, err := indexSum(ctx, conn, name, known.rowid)
		if err != nil || sum == "" {
			return false, err
		}
		if partial != "1" {
			whole, sums = append(whole, name), append(sums, sum)
			continue
		}
		declared, err := texts(ctx, conn, "SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?", name)
		if err != nil {
			return false, err
		}
		_, condition, err := indexParts(name, declared[0][0])
		if err != nil || condition == "" {
			return false, nil //nolint:nilerr // SQLite itself reads it
		}
		where := " WHERE " + bracketed(condition)
		want, err := texts(ctx, conn, "SELECT "+sum+itself+where)
		if err != nil {
			return false, err
		}
		got, err := texts(ctx, conn, "SELECT "+sum+from+" INDEXED BY "+ident(name)+where)
		if code(err) == 1 { // SQLITE_ERROR: a condition that always holds is optimized away, and with it the use of the index
			return false, nil
		}
		if err != nil || got[0][0] != want[0][0] {
			return false, err
		}
	}
	if len(whole) == 0 {
		return true, nil
	}
	want, err := texts(ctx, conn, "SELECT "+strings.Join(sums, ", ")+itself)
	if err != nil {
		return false, err
	}
	for i, name := range whole {
		got, err := texts(ctx, conn, "SELECT "+sums[i]+from+" INDEXED BY "+ident(name))
		if err != nil || got[0][0] != want[0][i] {
			return false, err
		}
	}
	return true, nil
}

// maxArguments is how many a function of SQLite takes.
const maxArguments = 127

// indexSum is the SQL for the sum over an index's entries; "" when it holds too many columns, or expressions, of which SQLite may
// compute the value instead of reading it.
func indexSum(ctx context.Context, conn *sql.Conn, index, rowid string) (string, error) {
	columns, err := texts(ctx, conn, "SELECT cid, coalesce(name, '') FROM pragma_index_xinfo(?, 'main') ORDER BY seqno", index)
	if err != nil {
		return "", err
	}
	var words []string
	for _, c := range columns {
		name := c[1]
		if c[0] == "-2" {
			return "", nil
		}
		if c[0] == "-1" {
			if name = rowid; name == "" { // columns hide every name of it
				continue
			}
		}
		words = append(words, ident(name))
	}
	if len(words) > maxArguments {
		return "", nil
	}
	return "gameid_sum(" + strings.Join(words, ", ") + ")", nil
}
