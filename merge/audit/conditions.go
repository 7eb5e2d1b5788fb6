package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkConditions asks about rows of conditional references for which no condition holds.
func (a *auditor) checkConditions(ctx context.Context) error {
	done := map[merge.Col]bool{}
	for _, r := range a.plain() {
		if r.When == "" || len(r.From) != 1 || done[r.From[0]] {
			continue
		}
		done[r.From[0]] = true
		var conditions []string
		total := false
		var none []any
		for _, o := range a.refs {
			if len(o.From) == 1 && o.From[0] == r.From[0] {
				total = total || o.When == ""
				conditions = append(conditions, "coalesce((\n"+o.When+"\n), 0)")
				none = append(none, o.None...)
			}
		}
		if total {
			continue
		}
		column := a.engine.Quote(r.From[0].Name)
		uncovered := column + " IS NOT NULL AND NOT (" + strings.Join(conditions, " OR ") + ")"
		var rows int64
		var samples []merge.ValueCount
		for i, s := range a.shards {
			if !a.has(i, r.table()) {
				continue
			}
			list, err := s.Values(ctx, r.From[0], uncovered, 0)
			if err != nil {
				return err
			}
			for _, v := range list {
				if len(v.Value) == 1 && !slices.Contains(none, v.Value[0]) {
					rows += v.Rows
					samples = append(samples, v)
				}
			}
		}
		if rows > 0 {
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("%d rows of %s match none of its conditions: what do they refer to?", rows, r.From[0]), Rows: rows,
				Evidence:  "values " + sampleValues(samples),
				Reference: &merge.Reference{From: r.From, As: merge.Keep, When: "NOT (" + strings.Join(whens(a.refs, r.From[0]), " OR ") + ")"},
			})
		}
	}
	return nil
}

func whens(refs []*reference, c merge.Col) []string {
	var list []string
	for _, r := range refs {
		if len(r.From) == 1 && r.From[0] == c && r.When != "" {
			list = append(list, "("+r.When+")")
		}
	}
	return list
}
