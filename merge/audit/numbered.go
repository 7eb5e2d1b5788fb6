package audit

import (
	"context"
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
				Text: fmt.Sprintf("refers to rows whose %s is renamed, by numbers in a column of type %s: it cannot hold a name such as %q", r.To[0], column.Type, samples[0]),
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
			text := strings.TrimSpace(row.Old)
			if _, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text[:1], "+-.0123456789") {
				list = append(list, row)
			}
		}
	}
	return list
}
