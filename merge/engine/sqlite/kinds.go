package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// kindRows is about how many rows of a large table are looked at for what its columns hold.
const kindRows = 2000

// kindColumns is how many columns are counted at once: a row of an answer has room for 2000 values.
const kindColumns = 500

// What is counted of a column: its texts and its other values, and the different ones of each. A date is a number in another form.
const (
	isText = "CASE typeof(%[1]s) WHEN 'text' THEN CASE WHEN octet_length(%[1]s) > 0 THEN %[1]s NOT GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' END WHEN 'null' THEN NULL ELSE 0 END"
	cut    = "CASE WHEN typeof(%[1]s) IN ('text', 'blob') THEN substr(%[1]s, 1, %[2]d) ELSE %[1]s END"

	allKinds       = "count(CASE WHEN " + isText + " THEN 1 END), count(CASE WHEN NOT " + isText + " THEN 1 END)"
	differentKinds = "count(DISTINCT CASE WHEN " + isText + " THEN " + cut + " END COLLATE BINARY), count(DISTINCT CASE WHEN NOT " + isText + " THEN " + cut + " END COLLATE BINARY)"
)

// Kinds counts the different texts and other values of each column that is not declared for texts; the values of a column without a text are not told apart.
func (s *shard) Kinds(ctx context.Context, table string) (map[string]merge.Kinds, error) {
	t, err := s.table(table)
	if err != nil {
		return nil, err
	}
	from, _, err := s.rowsOf(ctx, t, kindRows)
	if err != nil {
		return nil, s.failed(err, "sample %s", table)
	}
	var names, texts []string
	for _, c := range t.Columns {
		if !c.Generated && c.Affinity != merge.Text {
			names = append(names, c.Name)
		}
	}
	kinds := map[string]merge.Kinds{}
	if err := s.countKinds(ctx, kinds, from, allKinds, names); err != nil {
		return nil, s.failed(err, "sample %s", table)
	}
	for _, name := range names {
		if kinds[name].Texts > 0 {
			texts = append(texts, name)
		}
	}
	return kinds, s.failed(s.countKinds(ctx, kinds, from, differentKinds, texts), "sample %s", table)
}

// countKinds counts two things of each of some columns of rows t.
func (s *shard) countKinds(ctx context.Context, kinds map[string]merge.Kinds, from, counts string, columns []string) error {
	for some := range slices.Chunk(columns, kindColumns) {
		words, found, into := make([]string, len(some)), make([]merge.Kinds, len(some)), make([]any, 0, 2*len(some))
		for i, c := range some {
			words[i] = fmt.Sprintf(counts, "t."+ident(c), textLength)
			into = append(into, &found[i].Texts, &found[i].Others)
		}
		if err := s.conn.QueryRowContext(ctx, "SELECT "+strings.Join(words, ", ")+" FROM "+from).Scan(into...); err != nil {
			return err
		}
		for i, c := range some {
			kinds[c] = found[i]
		}
	}
	return nil
}
