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
	number, rows := list[1].facts[target].rowid, where+ident(target.Name)
	query := fmt.Sprintf("SELECT EXISTS (SELECT 1 %[1]s WHERE NOT EXISTS (SELECT 1 FROM %[3]s AS t WHERE t.%[2]s = gameid_v))", values, number, rows)
	if err := conn.QueryRowContext(ctx, query).Scan(&r.Miss); err != nil || r.Miss {
		return r, failed(err)
	}
	var low, high, top, all, there int64
	query = fmt.Sprintf("SELECT count(*), coalesce(min(gameid_v), 0), coalesce(max(gameid_v), 0), (SELECT coalesce(max(%[2]s), 0) FROM %[3]s), (SELECT count(*) FROM %[3]s) %[1]s", values, number, rows)
	if err := conn.QueryRowContext(ctx, query).Scan(&r.Values, &low, &high, &top, &all); err != nil {
		return r, failed(err)
	}
	r.Gaps, r.Reach, r.Chance = top > all, float64(high)/float64(max(top, 1)), 1
	if !r.Gaps && r.Reach < merge.FarUp {
		return r, nil
	}
	if err := conn.QueryRowContext(ctx, "SELECT count(DISTINCT gameid_v) "+values).Scan(&r.Distinct); err != nil {
		return r, failed(err)
	}
	query = fmt.Sprintf("SELECT count(*) FROM %[2]s WHERE %[1]s BETWEEN %[3]d AND %[4]d", number, rows, low, high)
	err = conn.QueryRowContext(ctx, query).Scan(&there)
	r.Chance = math.Pow(float64(there)/(float64(high)-float64(low)+1), float64(r.Distinct))
	return r, failed(err)
}
