package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkNumbered refuses renames of a text that a column of numbers repeats: where the name is '20', an INT column holds the number 20, which the engine calls equal,
// and the new name is no number.
func (a *auditor) checkNumbered(ctx context.Context) error {
	for _, r := range a.refs {
		if len(r.From) != 1 || r.As != merge.Plain && (r.As != merge.Copy || r.Via != "") {
			continue
		}
		column := a.schema.Column(r.From[0])
		if !slices.Contains([]merge.Affinity{merge.Integer, merge.Numeric, merge.Real}, column.Affinity) {
			continue
		}
		for i, s := range a.shards {
			own := s.Schema().Column(r.From[0])
			if own == nil {
				continue
			}
			var rows int64
			var samples []string
			for some := range slices.Chunk(a.numbersRenamed(r.To[0], i), checkBatch) {
				words := make([]string, len(some))
				for k, name := range some {
					words[k] = a.engine.Literal(name.Old)
				}
				n, err := s.Count(ctx, r.table(), fmt.Sprintf("%s IN (%s)", a.engine.Quote(own.Name), strings.Join(words, ", ")))
				if err != nil {
					return err
				}
				if rows += n; n > 0 && len(samples) == 0 {
					samples = append(samples, some[0].New)
				}
			}
			if rows == 0 {
				continue
			}
			a.find(merge.Finding{
				Rule: "type", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Shard: a.name(i), Rows: rows, Samples: samples,
				Text: fmt.Sprintf("refers to rows whose %s is renamed, by numbers in a column of type %s, in whose place this version writes no name such as %q", r.To[0], column.Type, samples[0]),
				Next: fmt.Sprintf("declare %s TEXT in copies of the shards, with the values as text, or choose on_conflict: fail for %s and give one shard's rows other keys by hand", r.From[0], r.To[0]),
			})
		}
	}
	return nil
}

// numbersRenamed are the renames of a shard whose old text is a number to the engine.
func (a *auditor) numbersRenamed(c merge.Col, shard int) (list []merge.Renamed) {
	for _, n := range a.rename {
		if n.Unique.Table != c.Table || n.Column != c.Name {
			continue
		}
		for _, row := range n.Shards[shard] {
			if numeric(row.Old) {
				list = append(list, row)
			}
		}
	}
	return list
}

// numeric tells whether a column that prefers numbers makes one of a text.
func numeric(text string) bool {
	text = strings.TrimSpace(text)
	_, err := strconv.ParseFloat(text, 64)
	return (err == nil || errors.Is(err, strconv.ErrRange)) && strings.ContainsAny(text[:1], "+-.0123456789")
}

// madeNumber names the type of a column that would store a name as a number; "" when it stores the text.
func madeNumber(c *merge.Column, name string) string {
	if c.Affinity == merge.Text || c.Affinity == merge.Blob || !numeric(name) {
		return ""
	}
	return fmt.Sprintf("the type %s, which makes a number of it,", c.Type)
}

// repeating are the columns whose texts follow the renames of a column.
func (a *auditor) repeating(col merge.Col) (list []merge.Col) {
	for _, r := range a.refs {
		if len(r.From) == 1 && len(r.To) == 1 && (r.As == merge.Plain && a.keyOf(r) == col || r.As == merge.Copy && r.To[0] == col && slices.Contains([]string{"", "lower", "upper"}, r.Via)) {
			list = append(list, r.From[0])
		}
	}
	return list
}

// stuck are the clashes of a column of texts that are numbers, which it stores as such and no rename changes.
func (a *auditor) stuck(u *merge.Unique, t *table, column string, list []merge.Clash) (rest []merge.Clash) {
	part := slices.IndexFunc(u.Columns, func(c string) bool { return a.schema.Equal(c, column) })
	if part < 0 || a.schema.Holds(merge.Col{Table: u.Table, Name: column}) != merge.Text {
		return list
	}
	var numbers []merge.Clash
	f := merge.Finding{Rule: "unique-conflict", Severity: merge.Block, Table: u.Table, Column: columnsOf(u)}
	for _, c := range list {
		switch c.Rows[0].Values[part].(type) {
		case int64, float64:
			numbers = append(numbers, c)
			f.Rows += int64(len(c.Rows) - 1)
			if len(f.Samples) < listed {
				f.Samples = append(f.Samples, tupleText(c.Rows[0].Values))
			}
		default:
			rest = append(rest, c)
		}
	}
	if len(numbers) > 0 {
		f.Text = inTwo(len(numbers), "the unique key "+merge.JoinCols(u.Cols())) + ", as numbers among texts, which no rename changes"
		f.Next = fmt.Sprintf("declare %s TEXT in copies of the shards, and whatever repeats it, or give one shard's rows other values%s", column, a.orFold(u, t, numbers))
		a.find(f)
	}
	return rest
}
