package audit

import (
	"context"

	"github.com/gameid/gameid/merge"
)

// eachFold calls look with every two shards of which rows of the later one may fold into rows of the other, which is the first one that holds their keys: every row of a later shard
// is looked at once, whichever shards lack its key. Without pairs they are all the rows of one key.
func (a *auditor) eachFold(ctx context.Context, t *table, pairsOf func(stays, folds int) ([]merge.KeyPair, error), look func(stays, folds int, pairs []merge.KeyPair) error) error {
	var holding []int
	for i, rows := range t.rows {
		if rows > 0 {
			holding = append(holding, i)
		}
	}
	var later map[[2]int][]merge.KeyPair
	for n, i := range holding {
		seen := map[string]bool{} // keys of the later shard that an earlier one holds
		for m, j := range holding[:n] {
			pairs, err := pairsOf(j, i)
			if err != nil {
				return err
			}
			switch {
			case pairs != nil:
				first := []merge.KeyPair{}
				for _, p := range pairs {
					if key := keyText(p[1]); !seen[key] {
						seen[key] = true
						first = append(first, p)
					}
				}
				pairs = first
			case m > 0 && later == nil:
				if later, err = a.heldLater(ctx, t, holding[0]); err != nil {
					return err
				}
				fallthrough
			case m > 0:
				pairs = later[[2]int{j, i}]
			}
			if m > 0 && len(pairs) == 0 {
				continue
			}
			if err := look(j, i, pairs); err != nil {
				return err
			}
		}
	}
	return nil
}

// heldLater are the pairs of rows of one key that a shard lacks, by the first shard that holds it and a later one.
func (a *auditor) heldLater(ctx context.Context, t *table, lacks int) (map[[2]int][]merge.KeyPair, error) {
	found := map[[2]int][]merge.KeyPair{}
	u := t.primary()
	if u == nil {
		return found, nil
	}
	list, _, err := a.engine.Clashes(ctx, a.raw, *u, "", "", a.opt.ClashLimit)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		first := c.Rows[0]
		if first.Shard == lacks {
			continue
		}
		for _, row := range c.Rows[1:] {
			at := [2]int{first.Shard, row.Shard}
			found[at] = append(found[at], merge.KeyPair{first.Values, row.Values})
		}
	}
	return found, nil
}

// sameKeyed pairs the rows of one key, as nothing changes one.
func sameKeyed(int, int) ([]merge.KeyPair, error) { return nil, nil }
