package audit

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// readBesideCounters notes the columns in some rows of which the game counts by the plan, and that hold something in others, too: of these it says nothing.
func (a *auditor) readBesideCounters(ctx context.Context) error {
	for _, c := range a.given.Counters {
		col, ok := a.schema.Resolve(c.Column)
		where := merge.BesideCounters(a.schema, col, a.given.Counters)
		if !ok || where == "" || a.partCounts[col] {
			continue
		}
		for i, s := range a.shards {
			own, ok := s.Schema().Resolve(col)
			if !ok || !a.has(i, col.Table) {
				continue
			}
			some, err := s.Any(ctx, own.Table, a.engine.Quote(own.Name)+" IS NOT NULL AND "+where)
			if err != nil {
				return err
			}
			a.partCounts[col] = a.partCounts[col] || some
		}
	}
	return nil
}

// besideCounters is the condition on the rows of a column in which the game counts nothing, neither by the plan nor by an open question; "" where it counts in all of them, or in none.
func (a *auditor) besideCounters(c merge.Col) string {
	return merge.BesideCounters(a.schema, c, a.countersOrAsked())
}

// countersOrAsked are the counters of the plan and of open questions.
func (a *auditor) countersOrAsked() []merge.Counter {
	list := slices.Clone(a.given.Counters)
	for _, u := range a.res.Undecided {
		if u.Counter != nil {
			list = append(list, *u.Counter)
		}
	}
	return list
}
