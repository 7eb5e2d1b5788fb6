package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// followers counts the rows of a shard that refer to keys which its rows share with the shard whose rows stay, or repeat names of such rows, and names the columns by which they do.
func (a *auditor) followers(ctx context.Context, t *table, stays, folds int, pairs []merge.KeyPair) (rows int64, by []merge.Col, err error) {
	for _, r := range a.refs {
		if r.As != merge.Plain && (r.As != merge.Copy || r.Via != "" || r.By != nil) || r.To[0].Table != t.Name || r.counts[folds] == nil {
			continue
		}
		var found int64
		switch {
		case len(r.To) > 1:
			found, err = a.followingPairs(ctx, t, r, stays, folds)
		case r.As == merge.Plain && r.spaces[0] != nil && slices.Contains(t.PrimaryKey, r.To[0].Name):
			found, err = a.followingNumbers(ctx, t, r, stays, folds, pairs)
		default:
			found, err = a.followingValues(ctx, t, r, stays, folds, pairs)
		}
		if err != nil {
			return 0, nil, fmt.Errorf("%s in %s: %w", r.String(), a.name(folds), err)
		}
		if rows += found; found > 0 && !slices.Contains(by, r.From[0]) {
			by = append(by, r.From...)
		}
	}
	return rows, by, nil
}

// followingNumbers counts the rows of a shard that refer to numbers of rows which fold.
func (a *auditor) followingNumbers(ctx context.Context, t *table, r *reference, stays, folds int, pairs []merge.KeyPair) (rows int64, err error) {
	q := merge.RefQuery{Reference: &r.Reference}
	if q.Alive, err = a.alive(ctx, r.To[0], folds); err != nil {
		return 0, err
	}
	if q.Moving = numbersOf(pairs, slices.Index(t.PrimaryKey, r.To[0].Name)); q.Moving == nil {
		if q.Moving, err = a.alive(ctx, r.To[0], stays); err != nil {
			return 0, err
		}
	}
	n, err := a.shards[folds].Measure(ctx, q)
	if err != nil {
		return 0, err
	}
	return n.Moving, nil
}

// followingValues counts the rows of a shard that hold what rows which fold have in a column; all that hold any row's where those that fold are too many to look at.
func (a *auditor) followingValues(ctx context.Context, t *table, r *reference, stays, folds int, pairs []merge.KeyPair) (rows int64, err error) {
	s := a.shards[folds]
	from, ok := s.Schema().Resolve(r.From[0])
	if !ok || r.counts[folds].Alive == 0 {
		return 0, nil
	}
	folding, all, err := a.foldingKeys(ctx, t, stays, folds, pairs)
	if err != nil || all {
		return r.counts[folds].Alive, err
	}
	columns := append(t.KeyCols(), r.To[0])
	for i, c := range columns {
		if columns[i], ok = s.Schema().Resolve(c); !ok {
			return 0, nil
		}
	}
	list, err := s.Tuples(ctx, columns, "", a.opt.ClashLimit+1)
	if err != nil || len(list) > a.opt.ClashLimit {
		return r.counts[folds].Alive, err
	}
	collation, held := a.schema.Column(r.To[0]).Collation, map[string]bool{}
	for _, row := range list {
		if last := len(row.Value) - 1; row.Value[last] != nil && folding[keyText(row.Value[:last])] {
			held[merge.Collated(valueText(row.Value[last]), collation)] = true
		}
	}
	values, err := s.Values(ctx, from, r.When, 0)
	for _, v := range values {
		if held[merge.Collated(valueText(v.Value[0]), collation)] {
			rows += v.Rows
		}
	}
	return rows, err
}

// foldingKeys are the keys, as text, of a shard's rows that fold into those of another; all when they are too many to look at.
func (a *auditor) foldingKeys(ctx context.Context, t *table, stays, folds int, pairs []merge.KeyPair) (keys map[string]bool, all bool, err error) {
	keys = map[string]bool{}
	for _, p := range pairs {
		keys[keyText(p[1])] = true
	}
	u := t.primary()
	if pairs != nil || u == nil {
		return keys, u == nil, nil
	}
	list, total, err := a.engine.Clashes(ctx, []merge.Shard{a.raw[stays], a.raw[folds]}, *u, "", "", a.opt.ClashLimit)
	for _, c := range list {
		for _, row := range c.Rows {
			if row.Shard == 1 {
				keys[keyText(row.Values)] = true
			}
		}
	}
	return keys, total > int64(len(list)), err
}

// followingPairs counts the rows of a shard that refer by several columns to keys which its rows share with the shard whose rows stay; all where these are too many to look at.
func (a *auditor) followingPairs(ctx context.Context, t *table, r *reference, stays, folds int) (rows int64, err error) {
	u := t.primary()
	if u == nil || slices.ContainsFunc(r.To, func(c merge.Col) bool { return !slices.Contains(u.Columns, c.Name) }) {
		return 0, nil
	}
	list, total, err := a.engine.Clashes(ctx, []merge.Shard{a.raw[stays], a.raw[folds]}, *u, "", "", a.opt.ClashLimit)
	if err != nil || total > int64(len(list)) {
		return r.counts[folds].Alive, err
	}
	for some := range slices.Chunk(list, checkBatch) {
		var keys []string
		for _, c := range some {
			var parts []string
			for i, to := range r.To {
				parts = append(parts, a.engine.Quote(r.From[i].Name)+" = "+a.engine.Literal(c.Rows[0].Values[slices.Index(u.Columns, to.Name)]))
			}
			keys = append(keys, strings.Join(parts, " AND "))
		}
		n, err := a.shards[folds].Count(ctx, r.table(), strings.Join(keys, " OR "))
		if err != nil {
			return 0, fmt.Errorf("%s in %s: %w", r.String(), a.name(folds), err)
		}
		rows += n
	}
	return rows, nil
}
