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
// tribe; that of more numbers first, with its share of them. Of several such keys they are those of the fewest rows: whoever is in a table of some is in that of all as well. Where some keys
// are given, the first of these is one of the two. They are nil where there are none, or where no key changes.
func (a *auditor) betweenTwo(ctx context.Context, c merge.Col, given ...merge.Col) (most, rest *discover.Key, share float64, err error) {
	held, all := make([]*merge.KeySet, len(a.shards)), int64(0)
	for i, s := range a.shards {
		held[i] = merge.NewKeySet()
		own, ok := s.Schema().Resolve(c)
		if !ok {
			continue
		}
		k, err := s.Keys(ctx, own)
		if err != nil || k.Other > 0 {
			return nil, nil, 0, err
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
	may := func(k *discover.Key) bool {
		return k.Col.Table != c.Table && (k.Root || slices.Contains(given, k.Col))
	}
	least := max(eitherLeast, int64(eitherShare*float64(all)))
	for at := range a.found {
		x := &a.found[at]
		if !may(x) || in(x) < least {
			continue
		}
		for i := range a.found[:at] {
			y := &a.found[i]
			if !may(y) || in(x)+in(y) != all || in(y) < least || !changes(x) && !changes(y) || !shareNone(x, y) ||
				len(given) > 0 && x.Col != given[0] && y.Col != given[0] || most != nil && keysInAll(x)+keysInAll(y) >= keysInAll(most)+keysInAll(rest) {
				continue
			}
			if most, rest = y, x; in(x) >= in(y) {
				most, rest = x, y
			}
			share = float64(in(most)) / float64(all)
		}
	}
	return most, rest, share, nil
}

// keysInAll counts a key's numbers in all shards.
func keysInAll(k *discover.Key) (n int64) {
	for _, c := range k.Columns {
		n += c.Set.Len()
	}
	return n
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

// askBetween asks about a column whose numbers are those of two keys, of which the one is the first of some where these are given; it is false where they are not.
func (a *auditor) askBetween(ctx context.Context, c merge.Col, evidence string, given ...merge.Col) (bool, error) {
	most, rest, share, err := a.betweenTwo(ctx, c, given...)
	if err != nil || most == nil {
		return false, err
	}
	if len(given) > 0 { // what spoke for one of them alone does not speak for both
		evidence = fmt.Sprintf("%s of its numbers are %s, and the others %s", shareOf(share), most.Col, rest.Col)
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("all numbers of %s are %s or %s, which share no number: does it hold both? Then it takes one line for each, also %s. If it holds neither, say %s", c, most.Col, rest.Col,
			planfile.ReferenceLine(a.amongKeys(c, rest.Col)), keepLine(c)),
		Evidence: evidence, Rows: a.tables[c.Table].total(), Reference: a.amongKeys(c, most.Col),
	})
	return true, nil
}
