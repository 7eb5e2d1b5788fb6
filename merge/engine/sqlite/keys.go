package sqlite

import (
	"context"
	"fmt"
	"math"

	"github.com/gameid/gameid/merge"
)

// keptWholes is how many of a column's fractions that are equal to integers are kept.
const keptWholes = 8

// readKeys reads every value of a column that is an integer to SQLite.
func (s *shard) readKeys(ctx context.Context, c merge.Col) (*merge.KeyColumn, error) {
	t, col, err := s.column(c)
	if err != nil {
		return nil, err
	}
	k := &merge.KeyColumn{Set: merge.NewKeySet()}
	if t.Counted && merge.FoldASCII(t.AutoColumn) == merge.FoldASCII(col.Name) {
		if k.Highest, err = s.counter(ctx, t.Name); err != nil {
			return nil, s.failed(err, "read the counter of %s", t.Name)
		}
	}
	done := false
	if ordered(t, col) {
		done, err = s.gapless(ctx, t, col, k)
	}
	if err == nil && !done {
		err = s.gather(ctx, t, col, k)
	}
	if err != nil {
		return nil, s.failed(err, "read the keys %s", c)
	}
	k.Set.Compress()
	return k, nil
}

// ordered tells whether the column alone is a unique key, so that SQLite finds its values in order and each of them once.
func ordered(t *merge.Table, col *merge.Column) bool {
	for _, u := range t.Uniques {
		if u.Plain() && len(u.Columns) == 1 && u.Columns[0] == col.Name && u.Collations[0] == "BINARY" {
			return true
		}
	}
	return false
}

// whole tells whether an integer is equal to a fraction.
func whole(v float64) bool { return v == math.Trunc(v) && v >= -1<<63 && v < 1<<63 }

// gapless reads a unique key whose integers follow each other: to count the rows is enough. It is false for any other.
func (s *shard) gapless(ctx context.Context, t *merge.Table, col *merge.Column, k *merge.KeyColumn) (bool, error) {
	var rows, nulls, other int64
	c, from := ident(col.Name), " FROM main."+ident(t.Name)
	if t.AutoColumn == col.Name {
		if err := s.conn.QueryRowContext(ctx, "SELECT count(*)"+from).Scan(&rows); err != nil {
			return false, err
		}
	} else {
		query := fmt.Sprintf("SELECT count(*), count(*) - count(%[1]s), coalesce(sum(typeof(%[1]s) NOT IN ('integer', 'null')), 0)%[2]s", c, from)
		if err := s.conn.QueryRowContext(ctx, query).Scan(&rows, &nulls, &other); err != nil {
			return false, err
		}
	}
	keys := rows - nulls
	if other > 0 {
		return false, nil
	}
	k.Rows, k.Nulls = rows, nulls
	if keys == 0 {
		return true, nil
	}
	var lo, hi int64
	if err := s.conn.QueryRowContext(ctx, fmt.Sprintf("SELECT (SELECT min(%[1]s)%[2]s), (SELECT max(%[1]s)%[2]s)", c, from)).Scan(&lo, &hi); err != nil {
		return false, err
	}
	if uint64(hi)-uint64(lo) != uint64(keys-1) { //nolint:gosec // counted
		return false, nil
	}
	k.Set.AddRange(lo, keys)
	return true, nil
}
