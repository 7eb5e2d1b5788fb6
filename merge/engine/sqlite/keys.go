package sqlite

import (
	"context"

	"github.com/gameid/gameid/merge"
)

// Keys reads every integer value of a column.
func (s *shard) Keys(ctx context.Context, c merge.Col) (*merge.KeyColumn, error) {
	t, col, err := s.column(c)
	if err != nil {
		return nil, err
	}
	k := &merge.KeyColumn{Set: merge.NewKeySet()}
	rows, err := s.conn.QueryContext(ctx, "SELECT +"+ident(col.Name)+" FROM main."+ident(t.Name)+" NOT INDEXED")
	if err != nil {
		return nil, s.failed(err, "read the keys %s", c)
	}
	defer func() { _ = rows.Close() }()
	batch := make([]int64, 0, 4096)
	for rows.Next() {
		var v any
		if err := rows.Scan(&v); err != nil {
			return nil, s.failed(err, "read the keys %s", c)
		}
		k.Rows++
		switch v := v.(type) {
		case nil:
			k.Nulls++
		case int64:
			if batch = append(batch, v); len(batch) == cap(batch) {
				k.Set.Add(batch...)
				batch = batch[:0]
			}
		default:
			k.Other++
		}
	}
	k.Set.Add(batch...)
	k.Set.Compress()
	if err := rows.Err(); err != nil {
		return nil, s.failed(err, "read the keys %s", c)
	}
	if t.Counted && t.AutoColumn == col.Name {
		err = s.conn.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM main.sqlite_sequence WHERE name = ? AND typeof(seq) = 'integer'", t.Name).Scan(&k.Highest)
	}
	return k, s.failed(err, "read the counter of %s", c)
}
