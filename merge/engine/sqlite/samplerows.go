package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Of a table's first rows so many are looked at for changed ones, and so many characters of a value are shown.
const (
	sampledRows  = 20_000
	sampledChars = 60
)

// SampleRows shows rows of a shard as they are and as a job makes them: changed rows first, then others, as SQL literals. It writes nothing.
func (*Engine) SampleRows(ctx context.Context, s merge.Shard, job merge.TableJob, limit int) (columns []string, before, after [][]string, err error) {
	list, err := own(s)
	if err != nil {
		return nil, nil, nil, err
	}
	table := list[0].schema.Table(job.Table.Name)
	if table == nil {
		return nil, nil, nil, nil
	}
	p, err := newPump(ctx, list[0])
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	l := &loading{pump: p, job: &job, compiler: newCompiler(p, table)}
	if err := l.compile(ctx); err != nil {
		return nil, nil, nil, err
	}
	var words, changed []string
	for i, c := range l.columns {
		old := "NULL"
		for j := range job.Columns {
			if source := job.Columns[j].Source; source != "" && merge.FoldASCII(job.Columns[j].Name) == merge.FoldASCII(c.Name) {
				old = l.source(source)
			}
		}
		columns = append(columns, c.Name)
		words = append(words, "quote("+old+")", "quote("+l.exprs[i]+")")
		changed = append(changed, fmt.Sprintf("gameid_%d IS NOT gameid_%d", 2*i, 2*i+1))
	}
	for i := range words {
		words[i] += fmt.Sprintf(" AS gameid_%d", i)
	}
	query := "SELECT " + strings.Join(words, ", ") + " FROM main." + ident(table.Name) + " NOT INDEXED"
	if l.drop != "" {
		query += " WHERE NOT (" + l.drop + ")"
	}
	query = fmt.Sprintf("SELECT * FROM (%s LIMIT %d) ORDER BY %s DESC LIMIT %d", query, sampledRows, some(changed), limit)
	found, err := p.conn.QueryContext(ctx, query)
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		values, into := make([]string, len(words)), make([]any, len(words))
		for i := range values {
			into[i] = &values[i]
		}
		if err := found.Scan(into...); err != nil {
			return nil, nil, nil, err
		}
		var was, is []string
		for i := 0; i < len(values); i += 2 {
			was, is = append(was, shorten(values[i])), append(is, shorten(values[i+1]))
		}
		before, after = append(before, was), append(after, is)
	}
	return columns, before, after, found.Err()
}

// shorten cuts a literal for a screen, between characters.
func shorten(s string) string {
	if r := []rune(s); len(r) > sampledChars {
		return string(r[:sampledChars]) + "..."
	}
	return s
}
