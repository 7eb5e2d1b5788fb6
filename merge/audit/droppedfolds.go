package audit

import (
	"context"
	"strings"

	"github.com/gameid/gameid/merge"
)

// refuseLeftOut refuses rows that fold by value into such as references drop, or are dropped themselves: what folds is told before that is known.
func (a *auditor) refuseLeftOut(ctx context.Context, s *space) error {
	if !a.leavesOut(s.key.Table) {
		return nil
	}
	left, err := a.keysLeftOut(ctx, s.key)
	if err != nil {
		return err
	}
	var rows int64
	for i, list := range s.folds {
		for _, f := range list {
			if left[i].Has(f.Old) || left[f.Shard].Has(f.Key) {
				rows++
			}
		}
	}
	if rows > 0 {
		a.find(merge.Finding{
			Rule: "folded-values", Severity: merge.Block, Table: s.key.Table, Column: strings.Join(a.tables[s.key.Table].plan.By, ", "), Rows: rows,
			Text: counted(rows, "row that folds, or into which one does, is", "rows that fold, or into which some do, are") + " left out by orphans: drop",
			Next: "remove such rows in copies of the shards first, or choose orphans: clear or tombstone",
		})
	}
	return nil
}

// keysLeftOut are, by shard, the keys of a table's rows that references drop.
func (a *auditor) keysLeftOut(ctx context.Context, key merge.Col) ([]*merge.KeySet, error) {
	left := make([]*merge.KeySet, len(a.shards))
	for i, s := range a.shards {
		left[i] = merge.NewKeySet()
		condition := a.leftOut(key.Table, i)
		own, ok := s.Schema().Resolve(key)
		if condition == "" || !ok {
			continue
		}
		list, err := s.Tuples(ctx, []merge.Col{own}, condition, int(a.tables[key.Table].rows[i]))
		if err != nil {
			return nil, err
		}
		for _, v := range list {
			if n, ok := v.Value[0].(int64); ok {
				left[i].Add(n)
			}
		}
	}
	return left, nil
}
