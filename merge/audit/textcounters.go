package audit

import (
	"context"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// checkTextCounter reads how a counter of texts that end in a number is written, and checks that it stands in the output and that its new value fits.
func (a *auditor) checkTextCounter(ctx context.Context, c *merge.Counter) error {
	c.Texts = true
	var comes, odd, top int64
	some, width := false, 0
	for i, s := range a.shards {
		own := s.Schema().Table(c.Column.Table)
		if own == nil || s.Schema().Column(c.Column) == nil {
			continue
		}
		list, err := s.Values(ctx, c.Column, c.Where, 0)
		if err != nil {
			return fmt.Errorf("counter %s in %s: %w", c.Column, a.name(i), err)
		}
		takes := a.tables[c.Column.Table].takes(a.name(i))
		for _, v := range list {
			head, n, digits, ok := merge.CounterText(v.Value[0])
			if takes {
				comes += v.Rows
			}
			switch {
			case ok && !some:
				c.Head, some = head, true
			case !ok || head != c.Head:
				odd += v.Rows
				continue
			}
			width, c.Floor = max(width, digits), max(c.Floor, n)
		}
	}
	if comes == 0 || odd > 0 || !some {
		a.lacksCounter(c, odd, "text of one form, such as H000151")
		return nil
	}
	for i, s := range a.shards {
		if !a.has(i, c.Key.Table) || s.Schema().Column(c.Key) == nil || !a.tables[c.Key.Table].takes(a.name(i)) {
			continue
		}
		n, _, err := s.Top(ctx, *c)
		if err != nil {
			return fmt.Errorf("%s in %s: %w", c.Key, a.name(i), err)
		}
		top = max(top, n)
	}
	if limit := c.Limit(a.schema.Column(c.Column)); c.Next(top) > limit {
		a.find(merge.Finding{
			Rule: "width", Severity: merge.Block, Table: c.Column.Table, Column: c.Column.Name,
			Text: fmt.Sprintf("the counter has to pass %s, the highest %s, but its column ends at %s", c.Spell(top, width), c.Key, c.Spell(limit, width)), Next: "widen the column in copies of the shards",
		})
		return nil
	}
	return a.checkCounterRule(ctx, c, c.Next(top), width)
}
