package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkTexts looks at references to text keys. Such a key gets no new value unless a rename gives it one, so a dead value cannot be moved out of the way of
// another shard's key, and only a reference straight to the renamed column follows it.
func (a *auditor) checkTexts(ctx context.Context) error {
	for _, r := range a.plain() {
		if slices.ContainsFunc(r.spaces, func(s *space) bool { return s != nil }) {
			continue
		}
		if a.tables[r.To[0].Table].plan.Rows == merge.MergeRows {
			if err := a.checkCaptured(ctx, r); err != nil {
				return err
			}
		}
	}
	for _, r := range a.plain() {
		for _, to := range r.To {
			switch renamed, ok := a.renamedFrom(to); {
			case !ok:
			case len(r.From) > 1:
				a.find(merge.Finding{
					Rule: "rename", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name,
					Text: fmt.Sprintf("refers to %s by several columns, and renames of %s are followed by one column only", r.To[0].Table, renamed), Next: "choose on_conflict: fail, or rename the rows by hand",
				})
			case renamed != to:
				a.find(merge.Finding{
					Rule: "rename", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name,
					Text: fmt.Sprintf("refers to %s, which follows the renames of %s", to, renamed), Next: fmt.Sprintf("say in the plan that it refers to %s itself", renamed),
				})
			}
		}
	}
	return nil
}

// renamedFrom is the renamed column whose values a column holds, through any number of references.
func (a *auditor) renamedFrom(c merge.Col) (merge.Col, bool) {
	var seen []merge.Col
	for !slices.Contains(seen, c) {
		seen = append(seen, c)
		if slices.ContainsFunc(a.rename, func(n *merge.Rename) bool { return n.Unique.Table == c.Table && n.Column == c.Name }) {
			return c, true
		}
		next, ok := a.parent(c)
		if !ok {
			break
		}
		c = next
	}
	return c, false
}

// checkCaptured refuses dead values that are another shard's keys.
func (a *auditor) checkCaptured(ctx context.Context, r *reference) error {
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		for dead := range slices.Chunk(c.Dead, checkBatch) {
			var words []string
			var rows int64
			for _, d := range dead {
				var parts []string
				for k, to := range r.To {
					parts = append(parts, a.engine.Quote(to.Name)+" = "+a.engine.Literal(d.Value[k]))
				}
				words, rows = append(words, strings.Join(parts, " AND ")), rows+d.Rows
			}
			for j, s := range a.shards {
				if j == i || s.Schema().Column(r.To[0]) == nil {
					continue
				}
				n, err := s.Count(ctx, r.To[0].Table, strings.Join(words, " OR "))
				if err != nil {
					return err
				}
				if n > 0 {
					a.find(merge.Finding{
						Rule: "orphan", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Shard: a.name(i), Rows: rows,
						Text: fmt.Sprintf("holds values that no row of %s has in %s and %d rows have in %s: they would belong to those (%s)", r.To[0].Table, a.name(i), n, a.name(j), sampleValues(dead)),
						Next: fmt.Sprintf("clear or change them in %s first: a text key gets no tombstone", a.name(i)),
					})
					break
				}
			}
		}
	}
	return nil
}
