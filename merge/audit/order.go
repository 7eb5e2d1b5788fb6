package audit

import (
	"context"
	"fmt"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// orderedLeast is how many rows name the lower of two keys first for that to be no chance.
const orderedLeast = 10

// checkOrder says where every row of a table names the lower of two keys first, as pairs of friends do whom the game looks up in that order, and ranges of keys from the
// first to the last: keys that change stand above those that stay, so some rows may name the higher one first, and some ranges hold other rows.
func (a *auditor) checkOrder(ctx context.Context) error {
	for i, r := range a.refs {
		if !a.turnsAround(r) {
			continue
		}
		for j, o := range a.refs {
			if i == j || !a.turnsAround(o) || o.table() != r.table() || o.spaces[0] != r.spaces[0] {
				continue
			}
			if err := a.checkPair(ctx, r, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// turnsAround tells whether a column holds keys of which some change and some stay in one shard.
func (a *auditor) turnsAround(r *reference) bool {
	if r.As != merge.Plain || len(r.From) != 1 || r.When != "" || r.spaces[0] == nil {
		return false
	}
	for i, moving := range r.spaces[0].moving {
		if n := moving.Len(); n > 0 && n < r.spaces[0].alive[i].Len() {
			return true
		}
	}
	return false
}

func (a *auditor) checkPair(ctx context.Context, low, high *reference) error {
	rows, err := a.inOrder(ctx, low.From[0], high.From[0], "0")
	if err != nil || rows < orderedLeast {
		return err
	}
	t := a.tables[low.table()]
	key := low.spaces[0]
	all := key.plan
	all.All = true
	a.find(merge.Finding{
		Rule: "order", Severity: merge.Info, Table: t.Name, Column: low.From[0].Name, Rows: rows,
		Text: fmt.Sprintf("every row names the lower key of %s first, and the higher one in %s; keys that change come to stand above those that stay, so some rows will not, and ranges from the one to the other would hold others' rows", key.key, high.From[0].Name),
		Next: "where the game looks for the lower one first, or for all between the two, keep each shard's order: " + planfile.KeyLine(&all),
	})
	return nil
}

// inOrder counts the rows of the shards in which the lower of two columns' values stands in the first of them, without those where that is the value of nobody; 0 where some row has it otherwise.
func (a *auditor) inOrder(ctx context.Context, low, high merge.Col, nobody string) (rows int64, err error) {
	t := a.tables[low.Table]
	for i, s := range a.shards {
		one, other := s.Schema().Column(low), s.Schema().Column(high)
		if one == nil || other == nil || !t.takes(a.name(i)) {
			continue
		}
		first, second := a.engine.Quote(one.Name), a.engine.Quote(other.Name)
		if after, err := s.Any(ctx, t.Name, first+" > "+second); err != nil || after {
			return 0, err
		}
		n, err := s.Count(ctx, t.Name, first+" <> "+nobody+" AND "+first+" < "+second)
		if err != nil {
			return 0, err
		}
		rows += n
	}
	return rows, nil
}
