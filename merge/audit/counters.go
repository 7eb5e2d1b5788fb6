package audit

import (
	"context"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// checkCounters spells the plan's counters as the schema does and checks that their new value fits.
func (a *auditor) checkCounters(context.Context) error {
	for i := range a.given.Counters {
		c := &a.given.Counters[i]
		c.Column, _ = a.schema.Resolve(c.Column)
		c.Key, _ = a.schema.Resolve(c.Key)
		s := a.spaces[c.Key]
		if s == nil || s.result == nil {
			continue
		}
		top := s.result.Highest
		for _, keys := range s.alive {
			if k, ok := keys.Max(); ok {
				top = max(top, k)
			}
		}
		if limit := a.schema.Column(c.Column).Limit(); top > limit-c.Margin {
			a.find(merge.Finding{
				Rule: "width", Severity: merge.Block, Table: c.Column.Table, Column: c.Column.Name,
				Text: fmt.Sprintf("the counter has to pass %d, the highest %s, but its column ends at %d", top, c.Key, limit), Next: "widen the column, or give the key new: dense",
			})
		}
	}
	return nil
}
