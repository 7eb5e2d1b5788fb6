package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// result puts everything in order.
func (s *search) result() *Result {
	r := &Result{Static: s.statics, Questions: s.questions(), Counters: s.counters, Embedded: s.embedded}
	placed, counts := map[merge.Col]bool{}, map[merge.Col]bool{}
	for _, c := range s.counters {
		placed[c.Column], counts[c.Column] = true, true
	}
	for _, k := range s.keys {
		r.Keys = append(r.Keys, k.Key)
	}
	for _, p := range s.picks {
		if counts[p.column.col] && p.hint.level < 3 {
			continue // a counter holds no key of a row
		}
		placed[p.column.col] = true
		r.Proposals = append(r.Proposals, merge.Proposal{
			Reference: merge.Reference{From: []merge.Col{p.column.col}, To: []merge.Col{p.key.Col}, When: p.when},
			Grade:     p.grade, Evidence: s.evidence(p), Others: p.others,
		})
	}
	for _, c := range s.columns {
		if (c.name.id || s.words.refers(c.name)) && !c.known && c.self == nil && !placed[c.col] && c.distinct() > 0 {
			r.Unplaced = append(r.Unplaced, Unplaced{c.col, s.unplaced(c)})
		}
	}
	for _, t := range s.schema.Tables {
		for _, c := range t.Columns {
			if t.Opaque == "" && !c.Generated && binary(c) {
				r.Opaque = append(r.Opaque, merge.Col{Table: t.Name, Name: c.Name})
			}
		}
	}
	slices.SortStableFunc(r.Keys, func(a, b Key) int { return byCol(a.Col, b.Col) })
	slices.SortStableFunc(r.Proposals, func(a, b merge.Proposal) int { return byCol(a.From[0], b.From[0]) })
	slices.SortStableFunc(r.Static, func(a, b StaticTable) int { return strings.Compare(a.Table, b.Table) })
	slices.SortStableFunc(r.Unplaced, func(a, b Unplaced) int { return byCol(a.Col, b.Col) })
	slices.SortStableFunc(r.Counters, func(a, b Counter) int { return byCol(a.Column, b.Column) })
	slices.SortFunc(r.Opaque, byCol)
	return r
}

func byCol(a, b merge.Col) int {
	if a.Table != b.Table {
		return strings.Compare(a.Table, b.Table)
	}
	return strings.Compare(a.Name, b.Name)
}

// unplaced says what is known about a column that is named like a reference and fits no key.
func (s *search) unplaced(c *column) string {
	var parts []string
	for i, v := range c.shards {
		if len(v.list) == 0 {
			continue
		}
		plus := ""
		if !v.complete {
			plus = "at least "
		}
		parts = append(parts, fmt.Sprintf("%s%s from %s to %s in %s", plus, some(int64(len(v.list)), "different value"),
			count(v.list[0]), count(v.list[len(v.list)-1]), s.shards[i].Source().Name))
	}
	return join(parts, "and")
}

// binary tells whether a column is declared to hold bytes.
func binary(c *merge.Column) bool {
	declared := strings.ToLower(c.Type)
	return c.Affinity == merge.Blob && declared != "" || strings.Contains(declared, "binary") || strings.Contains(declared, "bytea")
}
