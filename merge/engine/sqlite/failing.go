package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// FailingRows counts the rows of a shard that a job changes in columns that a CHECK's condition may name, and that fail the condition in their final form. It
// writes nothing.
func (*Engine) FailingRows(ctx context.Context, s merge.Shard, job merge.TableJob, check string) (rows int64, err error) {
	list, err := own(s)
	if err != nil {
		return 0, err
	}
	table := list[0].schema.Table(job.Table.Name)
	if table == nil {
		return 0, nil
	}
	p, err := newPump(ctx, list[0])
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	l := &loading{pump: p, job: &job, compiler: newCompiler(p, table)}
	if err := l.compile(ctx); err != nil {
		return 0, err
	}
	var news, changed []string
	for i, c := range l.columns {
		if !strings.Contains(merge.FoldASCII(check), merge.FoldASCII(c.Name)) {
			continue
		}
		source := ""
		for j := range job.Columns {
			if merge.FoldASCII(job.Columns[j].Name) == merge.FoldASCII(c.Name) {
				source = job.Columns[j].Source
			}
		}
		switch {
		case source == "": // its value is the plan's; the table has no such column to look it up in
			changed = append(changed, "1")
		case l.exprs[i] == l.source(source):
			continue
		default:
			changed = append(changed, l.exprs[i]+" IS NOT "+l.source(source))
		}
		news = append(news, asColumn(c, l.exprs[i])+" AS "+ident(c.Name))
	}
	if len(news) == 0 {
		return 0, nil
	}
	// The new values stand in a query inside the row's, where SQL looks for names first; the row's other columns keep their types and collations.
	query := fmt.Sprintf("SELECT count(*) FROM main.%s NOT INDEXED WHERE (%s) AND EXISTS (SELECT 1 FROM (SELECT %s) AS %s WHERE NOT %s)",
		ident(table.Name), strings.Join(changed, " OR "), strings.Join(news, ", "), ident(table.Name), bracketed(check))
	if l.drop != "" {
		query += " AND NOT (" + l.drop + ")"
	}
	err = p.conn.QueryRowContext(ctx, query).Scan(&rows)
	return rows, list[0].failed(err, "try the check (%s) of %s", check, table.Name)
}

// asColumn gives an expression the affinity and the collation of the column that it is written to.
func asColumn(c *merge.Column, expr string) string {
	switch c.Affinity {
	case merge.Integer, merge.Numeric:
		expr = "CAST(" + expr + " AS NUMERIC)"
	case merge.Text:
		expr = "CAST(" + expr + " AS TEXT)"
	case merge.Real:
		expr = "CAST(" + expr + " AS REAL)"
	}
	if c.Collation != "" {
		expr += " COLLATE " + ident(c.Collation)
	}
	return expr
}
