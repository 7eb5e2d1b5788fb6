package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// nameAndNumber is a name with a number behind a sign, as in Rusty#0001.
var nameAndNumber = regexp.MustCompile(`^(.*[\pL\pN])[^\pL\pN\s]0*([0-9]{1,18})$`)

// askNumberedPairs asks about the columns whose texts name rows by a name and a number which tell these apart together, where the number is a key that gets new values.
func (a *auditor) askNumberedPairs(ctx context.Context) (asked []merge.Col, err error) {
	for _, t := range a.schema.Tables {
		for _, key := range t.Uniques {
			name, number := a.nameBesideKey(key)
			if number.Name == "" {
				continue
			}
			list, err := a.askPaired(ctx, name, number)
			if err != nil {
				return nil, err
			}
			asked = append(asked, list...)
		}
	}
	return asked, nil
}

// askPaired asks about the columns whose texts hold a name and a number of some rows.
func (a *auditor) askPaired(ctx context.Context, name, number merge.Col) (asked []merge.Col, err error) {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows == merge.EmptyRows {
			continue
		}
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if c.Generated || col == name || a.schema.Holds(col) != merge.Text || a.decided(col) || a.askedAs(col) >= 0 {
				continue
			}
			u, err := a.sampled(ctx, line, col)
			if err != nil {
				return nil, err
			}
			rows, texts, err := a.rowsNamed(ctx, u, name, number)
			if err != nil {
				return nil, err
			}
			if texts < fewCopies || float64(rows) < partlyLeast*float64(texts) {
				continue
			}
			asked = append(asked, col)
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("does %s hold %s and %s in one text? This version rewrites no key inside a text: keep means that they will name others, as %s gets new numbers; or take them out in copies of the shards", col, name, number, number),
				Evidence: fmt.Sprintf("%d of %s name a row of their own server's", rows, counted(texts, "text", "texts")), Rows: line.total(),
				Reference: &merge.Reference{From: []merge.Col{col}, To: []merge.Col{number}, As: merge.InText, Match: `[^\pL\pN\s]0*([0-9]+)$`},
			})
		}
	}
	return asked, nil
}

// nameBesideKey are a text and a number that tell rows apart together, of which the number is a key that gets new values by the plan; none where a key is another.
func (a *auditor) nameBesideKey(key *merge.Unique) (name, number merge.Col) {
	columns := key.Cols()
	if len(columns) != 2 || !key.Plain() {
		return name, number
	}
	for i, c := range columns {
		if decided, static := a.decidedKey(c); decided && !static && a.schema.Holds(columns[1-i]) == merge.Text {
			return columns[1-i], c
		}
	}
	return name, number
}

// rowsNamed counts the rows that a column's texts name by a name and a number, each in its own shard, and the texts that were looked at.
func (a *auditor) rowsNamed(ctx context.Context, u *unexplained, name, number merge.Col) (rows int64, texts int, err error) {
	for i, one := range u.samples {
		texts += len(one.Texts)
		var pairs []string
		for _, text := range one.Texts {
			if m := nameAndNumber.FindStringSubmatch(text); m != nil {
				n, _ := strconv.ParseInt(m[2], 10, 64)
				pairs = append(pairs, fmt.Sprintf("%s = %s AND %s = %d", a.engine.Quote(name.Name), a.engine.Literal(m[1]), a.engine.Quote(number.Name), n))
			}
		}
		if a.shards[i].Schema().Column(name) == nil || a.shards[i].Schema().Column(number) == nil {
			continue
		}
		for some := range slices.Chunk(pairs, checkBatch) {
			n, err := a.shards[i].Count(ctx, name.Table, strings.Join(some, " OR "))
			if err != nil {
				return 0, 0, err
			}
			rows += n
		}
	}
	return rows, texts, nil
}
