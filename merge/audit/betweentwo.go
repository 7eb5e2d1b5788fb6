package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
	"github.com/gameid/gameid/merge/discover"
	"github.com/gameid/gameid/merge/planfile"
)

// How many of a column's numbers, at least, are one key's and not the other's: so many, and this share.
const (
	eitherLeast = 3
	eitherShare = 0.05
)

// betweenTwo are two keys that share no number in any shard and among which all of a column's numbers are, some of them one's and some the other's, as where an owner is a player or a
// tribe; that of more numbers first. It is nil where there are none, or where no key changes.
func (a *auditor) betweenTwo(ctx context.Context, c merge.Col) (most, rest *discover.Key, err error) {
	held, all := make([]*merge.KeySet, len(a.shards)), int64(0)
	for i, s := range a.shards {
		held[i] = merge.NewKeySet()
		own, ok := s.Schema().Resolve(c)
		if !ok {
			continue
		}
		k, err := s.Keys(ctx, own)
		if err != nil || k.Other > 0 {
			return nil, nil, err
		}
		nobody := merge.NewKeySet()
		nobody.Add(0, -1)
		held[i] = k.Set.Without(nobody)
		all += held[i].Len()
	}
	in := func(k *discover.Key) (n int64) {
		for i, set := range held {
			n += set.Shared(k.Columns[i].Set)
		}
		return n
	}
	changes := func(k *discover.Key) bool {
		return slices.ContainsFunc(assign.Moving(k.Sets(), nil, false), func(m *merge.KeySet) bool { return m.Len() > 0 })
	}
	least := max(eitherLeast, int64(eitherShare*float64(all)))
	for at := range a.found {
		x := &a.found[at]
		if x.Col.Table == c.Table || !x.Root || in(x) < least {
			continue
		}
		for i := range a.found[:at] {
			y := &a.found[i]
			if y.Col.Table == c.Table || !y.Root || in(x)+in(y) != all || in(y) < least || !changes(x) && !changes(y) || !shareNone(x, y) {
				continue
			}
			if in(x) >= in(y) {
				return x, y, nil
			}
			return y, x, nil
		}
	}
	return nil, nil, nil
}

// shareNone tells whether no shard has a number of both keys.
func shareNone(x, y *discover.Key) bool {
	for i, c := range x.Columns {
		if c.Set.Shared(y.Columns[i].Set) > 0 {
			return false
		}
	}
	return true
}

// amongKeys is the line by which a column refers to a key where it holds a number of its rows.
func (a *auditor) amongKeys(c, to merge.Col) *merge.Reference {
	q := a.engine.Quote
	return &merge.Reference{From: []merge.Col{c}, To: []merge.Col{to}, When: fmt.Sprintf("%s IN (SELECT %s FROM %s)", q(c.Name), q(to.Name), q(to.Table))}
}

// askBetween asks about a column whose numbers are those of two keys; it is false where they are not.
func (a *auditor) askBetween(ctx context.Context, c merge.Col, evidence string) (bool, error) {
	most, rest, err := a.betweenTwo(ctx, c)
	if err != nil || most == nil {
		return false, err
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("all numbers of %s are %s or %s, which share no number: does it hold both? Then it takes one line for each, also %s. If it holds neither, say %s", c, most.Col, rest.Col,
			planfile.ReferenceLine(a.amongKeys(c, rest.Col)), keepLine(c)),
		Evidence: evidence, Rows: a.tables[c.Table].total(), Reference: a.amongKeys(c, most.Col),
	})
	return true, nil
}
