package sqlite

import (
	"context"
	"fmt"
	"math"

	"github.com/gameid/gameid/merge"
)

// RowNumbers compares the integers of a shard's column with the hidden row numbers (rowid) of a table in the same shard or in another one.
func (e *Engine) RowNumbers(ctx context.Context, of, in merge.Shard, c merge.Col, table string) (r merge.RowNumbers, err error) {
	list, err := own(of, in)
	if err != nil {
		return r, err
	}
	t, col, err := list[0].column(c)
	if err != nil {
		return r, err
	}
	target, where := list[1].schema.Table(table), "main."
	if target == nil || list[1].facts[target].rowid == "" {
		return merge.RowNumbers{Miss: true}, nil
	}
	conn := list[0].conn
	if of != in {
		where = "src."
		if conn, err = list[0].beside(ctx, list[1]); err != nil {
			return r, err
		}
	}
	failed := func(err error) error {
		return list[0].failed(err, "compare %s with the row numbers of %s in %s", c, table, list[1].src.Name)
	}
	// The sign keeps an affinity from turning a number into text, and the name is no column's of the table.
	values := fmt.Sprintf("FROM (SELECT +%[1]s AS gameid_v FROM main.%[2]s WHERE typeof(%[1]s) = 'integer' AND %[1]s NOT IN (0, -1))", ident(col.Name), ident(t.Name))
	number := list[1].facts[target].rowid
	v, err := list[0].extent(ctx, "SELECT count(*), coalesce(min(gameid_v), 0), coalesce(max(gameid_v), 0) "+values)
	if err != nil || v.rows == 0 {
		return r, failed(err)
	}
	all, err := list[1].extent(ctx, fmt.Sprintf("SELECT (SELECT count(*) FROM main.%[2]s), coalesce((SELECT min(%[1]s) FROM main.%[2]s), 0), coalesce((SELECT max(%[1]s) FROM main.%[2]s), 0)", number, ident(target.Name)))
	if err != nil {
		return r, failed(err)
	}
	rows := where + ident(target.Name)
	if r.Miss = v.low < all.low || v.high > all.high; !r.Miss && uint64(all.high-all.low) != uint64(all.rows-1) { // without a gap, none is missed
		err = conn.QueryRowContext(ctx, fmt.Sprintf("SELECT EXISTS (SELECT 1 %[1]s WHERE NOT EXISTS (SELECT 1 FROM %[3]s AS t WHERE t.%[2]s = gameid_v))", values, number, rows)).Scan(&r.Miss)
	}
	if err != nil || r.Miss {
		return r, failed(err)
	}
	r.Values, r.Gaps, r.Reach, r.Chance = v.rows, all.high > all.rows, float64(v.high)/float64(max(all.high, 1)), 1
	if !r.Gaps && r.Reach < merge.FarUp {
		return r, nil
	}
	if err := conn.QueryRowContext(ctx, "SELECT count(DISTINCT gameid_v) "+values).Scan(&r.Distinct); err != nil {
		return r, failed(err)
	}
	query := fmt.Sprintf("SELECT count(*) FROM %[2]s WHERE %[1]s BETWEEN %[3]d AND %[4]d", number, rows, v.low, v.high)
	var there int64
	err = conn.QueryRowContext(ctx, query).Scan(&there)
	r.Chance = math.Pow(float64(there)/(float64(v.high)-float64(v.low)+1), float64(r.Distinct))
	return r, failed(err)
}

// extent is how many integers there are, and the lowest and the highest; 0 where there is none.
type extent struct{ rows, low, high int64 }

// extent asks once for an extent.
func (s *shard) extent(ctx context.Context, query string) (e extent, err error) {
	if e, ok := s.seen.extents[query]; ok {
		return e, nil
	}
	if err = s.conn.QueryRowContext(ctx, query).Scan(&e.rows, &e.low, &e.high); err == nil {
		s.seen.extents = kept(s.seen.extents, query, e)
	}
	return e, err
}
