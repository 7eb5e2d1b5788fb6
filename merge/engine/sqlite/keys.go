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
	return k, s.failed(rows.Err(), "read the keys %s", c)
}
