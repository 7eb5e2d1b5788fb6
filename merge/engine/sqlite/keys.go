package sqlite

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"github.com/gameid/gameid/merge"
)

// blockKeys is how many keys of one block of 64 integers make the block's two lookups cheaper than reading row by row.
const blockKeys = 8

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
	read := s.keyRows
	if ordered(t, col) {
		read = s.keyBlocks
	}
	if err := read(ctx, t, col, k); err != nil {
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

// keyRows reads row by row.
func (s *shard) keyRows(ctx context.Context, t *merge.Table, col *merge.Column, k *merge.KeyColumn) error {
	rows, err := s.conn.QueryContext(ctx, "SELECT +"+ident(col.Name)+" FROM main."+ident(t.Name)+" NOT INDEXED")
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	batch := make([]int64, 0, 4096)
	add := func(v int64) {
		if batch = append(batch, v); len(batch) == cap(batch) {
			k.Set.Add(batch...)
			batch = batch[:0]
		}
	}
	for rows.Next() {
		var v any
		if err := rows.Scan(&v); err != nil {
			return err
		}
		k.Rows++
		switch v := v.(type) {
		case nil:
			k.Nulls++
		case int64:
			add(v)
		case float64:
			k.Other++
			if col.Affinity == merge.Real || !whole(v) {
				continue
			}
			add(int64(v))
			if k.Wholes++; len(k.Whole) < keptWholes {
				k.Whole = append(k.Whole, v)
			}
		default:
			k.Other++
		}
	}
	k.Set.Add(batch...)
	return rows.Err()
}

// whole tells whether an integer is equal to a fraction.
func whole(v float64) bool { return v == math.Trunc(v) && v >= -1<<63 && v < 1<<63 }

// keyBlocks reads a unique key as bits, 64 integers a row: a run of rows without a gap takes no more than counting them. A scattered key is
// read row by row.
func (s *shard) keyBlocks(ctx context.Context, t *merge.Table, col *merge.Column, k *merge.KeyColumn) error {
	c, from := ident(col.Name), " FROM main."+ident(t.Name)
	if t.AutoColumn == col.Name {
		if err := s.conn.QueryRowContext(ctx, "SELECT count(*)"+from).Scan(&k.Rows); err != nil {
			return err
		}
	} else {
		query := fmt.Sprintf("SELECT count(*), count(*) - count(%[1]s), coalesce(sum(typeof(%[1]s) NOT IN ('integer', 'null')), 0)%[2]s", c, from)
		if err := s.conn.QueryRowContext(ctx, query).Scan(&k.Rows, &k.Nulls, &k.Other); err != nil {
			return err
		}
	}
	keys := k.Rows - k.Nulls
	if keys == 0 {
		return nil
	}
	var lo, hi int64
	if k.Other == 0 {
		err := s.conn.QueryRowContext(ctx, fmt.Sprintf("SELECT (SELECT min(%[1]s)%[2]s), (SELECT max(%[1]s)%[2]s)", c, from)).Scan(&lo, &hi)
		if err != nil {
			return err
		}
		if uint64(hi)-uint64(lo) == uint64(keys-1) { //nolint:gosec // counted
			k.Set.AddRange(lo, keys)
			return nil
		}
	}
	if k.Other > 0 || (uint64(hi)-uint64(lo))/64*blockKeys > uint64(keys) { //nolint:gosec // counted
		k.Rows, k.Nulls, k.Other = 0, 0, 0
		return s.keyRows(ctx, t, col, k)
	}
	// The names are long because a column of the table would hide a short one.
	rows, err := s.conn.QueryContext(ctx, fmt.Sprintf(
		"WITH RECURSIVE gameid_b(gameid_x) AS (SELECT min(%[1]s)%[2]s UNION ALL SELECT (SELECT min(%[1]s)%[2]s WHERE %[1]s > gameid_b.gameid_x + 63) FROM gameid_b WHERE gameid_x IS NOT NULL)"+
			" SELECT gameid_x, (SELECT sum(1 << (%[1]s - gameid_b.gameid_x))%[2]s WHERE %[1]s BETWEEN gameid_b.gameid_x AND gameid_b.gameid_x + 63) FROM gameid_b WHERE gameid_x IS NOT NULL", c, from))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var batch []int64
	for rows.Next() {
		var first, mask int64
		if err := rows.Scan(&first, &mask); err != nil {
			return err
		}
		if mask == -1 {
			k.Set.Add(batch...)
			batch = batch[:0]
			k.Set.AddRange(first, 64)
			continue
		}
		for m := uint64(mask); m != 0; m &= m - 1 { //nolint:gosec // bits
			batch = append(batch, first+int64(bits.TrailingZeros64(m)))
		}
		if len(batch) >= 4096 {
			k.Set.Add(batch...)
			batch = batch[:0]
		}
	}
	k.Set.Add(batch...)
	return rows.Err()
}
