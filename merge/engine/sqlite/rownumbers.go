package sqlite

import (
	"context"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// RowNumbers compares a column with the hidden row numbers (rowid) of a table: how many integers other than 0 and -1 it holds, how many of them are numbers
// of a row, and whether there are numbers between them that no row has, so that a mere count would not fit by chance.
func (s *shard) RowNumbers(ctx context.Context, c merge.Col, table string) (values, hits int64, gaps bool, err error) {
	t, col, err := s.column(c)
	if err != nil {
		return 0, 0, false, err
	}
	target := s.schema.Table(table)
	if target == nil {
		return 0, 0, false, nil
	}
	rows, name := "main."+ident(target.Name), ident(col.Name)
	query := fmt.Sprintf("SELECT count(*), coalesce(sum(v IN (SELECT rowid FROM %[1]s)), 0), (SELECT coalesce(max(rowid), 0) > count(*) FROM %[1]s) FROM "+
		"(SELECT +%[2]s AS v FROM main.%[3]s WHERE typeof(%[2]s) = 'integer' AND %[2]s NOT IN (0, -1))", rows, name, ident(t.Name))
	err = s.conn.QueryRowContext(ctx, query).Scan(&values, &hits, &gaps)
	return values, hits, gaps, s.failed(err, "compare %s with the row numbers of %s", c, table)
}
