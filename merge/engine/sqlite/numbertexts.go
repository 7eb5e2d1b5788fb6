package sqlite

import (
	"context"

	"github.com/gameid/gameid/merge"
)

// NumberTexts lists the texts of a key that SQLite takes for one of some numbers when it compares them with a column of numbers: '450', '0450' and '450.0' for 450. A foreign
// key to a column of texts is compared as text and finds only the first.
func (*Engine) NumberTexts(ctx context.Context, shard merge.Shard, key merge.Col, numbers *merge.KeySet) (map[int64][]string, error) {
	list, err := own(shard)
	if err != nil {
		return nil, err
	}
	s := list[0]
	t, col, err := s.column(key)
	if err != nil {
		return nil, err
	}
	c := ident(col.Name)
	rows, err := s.conn.QueryContext(ctx, "SELECT CAST("+c+" AS NUMERIC), +"+c+" FROM main."+ident(t.Name)+" NOT INDEXED WHERE typeof("+c+") = 'text' AND "+c+" = CAST("+c+" AS NUMERIC)")
	if err != nil {
		return nil, s.failed(err, "read the keys %s", key)
	}
	defer func() { _ = rows.Close() }()
	found := map[int64][]string{}
	for rows.Next() {
		var number any
		var text string
		if err := rows.Scan(&number, &text); err != nil {
			return nil, s.failed(err, "read the keys %s", key)
		}
		if v, ok := number.(float64); ok && whole(v) {
			number = int64(v)
		}
		if v, ok := number.(int64); ok && numbers.Has(v) {
			found[v] = append(found[v], text)
		}
	}
	return found, s.failed(rows.Err(), "read the keys %s", key)
}
