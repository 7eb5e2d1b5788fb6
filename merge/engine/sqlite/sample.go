package sqlite

import (
	"context"

	"github.com/gameid/gameid/merge"
)

// Sample takes up to limit distinct integer values of a column.
func (s *shard) Sample(ctx context.Context, c merge.Col, limit int) (*merge.Sample, error) {
	t, col, err := s.column(c)
	if err != nil {
		return nil, err
	}
	out := &merge.Sample{}
	if out.Rows, err = s.Rows(ctx, t.Name); err != nil {
		return nil, err
	}
	name, from := ident(col.Name), " FROM main."+ident(t.Name)
	list, err := counts(ctx, s.conn, "SELECT +"+name+", count(*)"+from+" WHERE typeof("+name+") = 'integer' GROUP BY 1 ORDER BY 1 LIMIT ?", 1, limit+1)
	if err != nil {
		return nil, s.failed(err, "sample %s", c)
	}
	out.Complete = len(list) <= limit
	for _, v := range list[:min(limit, len(list))] {
		out.Values = append(out.Values, v.Value[0].(int64))
		out.Weights = append(out.Weights, v.Rows)
	}
	err = s.conn.QueryRowContext(ctx, "SELECT count(*)"+from+" WHERE typeof("+name+") NOT IN ('integer', 'null')").Scan(&out.Other)
	return out, s.failed(err, "sample %s", c)
}
