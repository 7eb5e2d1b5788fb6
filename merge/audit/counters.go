package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkCounters spells the plan's counters as the schema does and checks that their new value fits.
func (a *auditor) checkCounters(ctx context.Context) error {
	for i := range a.given.Counters {
		c := &a.given.Counters[i]
		c.Column, _ = a.schema.Resolve(c.Column)
		c.Key, _ = a.schema.Resolve(c.Key)
		if err := a.checkCountedKey(ctx, c); err != nil {
			return err
		}
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

// checkCountedKey refuses a counter over several rows whose column must not hold one value twice.
func (a *auditor) checkCountedKey(ctx context.Context, c *merge.Counter) error {
	t := a.tables[c.Column.Table]
	if t == nil || !slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool { return slices.Equal(u.Columns, []string{c.Column.Name}) }) {
		return nil
	}
	var rows int64
	for i, s := range a.shards {
		if !a.has(i, t.Name) || !t.takes(a.name(i)) {
			continue
		}
		n, err := s.Count(ctx, t.Name, c.Where)
		if err != nil {
			return err
		}
		if rows += n; t.folds() {
			rows = max(rows-n, n)
		}
	}
	if rows > 1 {
		a.problem("counters: %s is a key of %s, and %d rows would get the same number; name the column in which the game counts, or a where for its one row", c.Column, t.Name, rows)
	}
	return nil
}
