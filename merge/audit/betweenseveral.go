package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
	"github.com/gameid/gameid/merge/discover"
	"github.com/gameid/gameid/merge/planfile"
)

// How many of a column's numbers, at least, are one key's and none of the others': so many, and this share; and up to which share of them in any shard may be nobody's, as those of owners
// who are gone.
const (
	eitherLeast = 3
	eitherShare = 0.05
	eitherGone  = 0.25
)

// several are keys of which no two share a number in any shard, and among which all of a column's numbers are, or all but those of rows that are gone.
type several struct {
	keys []*discover.Key // the one of which the column holds most first
	in   []int64         // how many of its numbers are of each
	all  int64           // how many it holds
}

// gone counts the numbers that are of none of the keys.
func (s *several) gone() int64 {
	gone := s.all
	for _, n := range s.in {
		gone -= n
	}
	return gone
}

// rows counts the keys' numbers in all shards.
func (s *several) rows() (n int64) {
	for _, k := range s.keys {
		n += keysInAll(k)
	}
	return n
}

// betweenSeveral are several keys among which a column's numbers are, some of them one's and some the other's, as where an owner is a player or a tribe. Of several such groups they are that of
// the fewest rows: whoever is in a table of some is in that of all as well. Where some keys are given, the first of these is one of the group, or lists no more than the group does, and some of the
// column's numbers may be nobody's. That no chance makes them so is then certain, as where it has to be sure. It is nil where there is none, or where no key changes.
func (a *auditor) betweenSeveral(ctx context.Context, c merge.Col, sure bool, given ...merge.Col) (*several, error) {
	held, all, err := a.numbersOf(ctx, c)
	if err != nil || all == 0 {
		return nil, err
	}
	in := func(k *discover.Key) (n int64) {
		for i, set := range held {
			n += set.Shared(k.Columns[i].Set)
		}
		return n
	}
	var some []*discover.Key
	parts := map[*discover.Key]int64{}
	for i := range a.found {
		k := &a.found[i]
		if k.Col.Table == c.Table || !k.Root && !slices.Contains(given, k.Col) {
			continue
		}
		if parts[k] = in(k); parts[k] >= max(eitherLeast, int64(eitherShare*float64(all))) {
			some = append(some, k)
		}
	}
	slices.SortStableFunc(some, func(x, y *discover.Key) int {
		return cmp.Or(cmp.Compare(parts[y], parts[x]), cmp.Compare(keysInAll(x), keysInAll(y)))
	})
	var best *several
	for _, first := range some {
		group := &several{all: all}
		for _, k := range slices.Concat([]*discover.Key{first}, some) {
			if !slices.ContainsFunc(group.keys, func(o *discover.Key) bool { return o == k || !shareNone(o.Sets(), k.Sets()) }) {
				group.keys = append(group.keys, k)
			}
		}
		slices.SortFunc(group.keys, func(x, y *discover.Key) int { return slices.Index(some, x) - slices.Index(some, y) })
		for _, k := range group.keys {
			group.in = append(group.in, parts[k])
		}
		if len(group.keys) < 2 || !slices.ContainsFunc(group.keys, changes) || best != nil && group.rows() >= best.rows() ||
			group.gone() > 0 && len(given) == 0 || (sure || group.gone() > 0) && !group.explains(held) || len(given) > 0 && !a.within(group, given[0], in) {
			continue
		}
		best = group
	}
	return best, nil
}

// numbersOf are a column's numbers in each shard, but those that mean nobody, and how many; none where it holds something else.
func (a *auditor) numbersOf(ctx context.Context, c merge.Col) (held []*merge.KeySet, all int64, err error) {
	nobody := merge.NewKeySet(0, -1)
	for i := range a.shards {
		k, err := a.keysHeld(ctx, i, c)
		if err != nil || k.Other > 0 {
			return nil, 0, err
		}
		held = append(held, k.Set.Without(nobody))
		all += held[i].Len()
	}
	return held, all, nil
}

// keysHeld are the integers that a column holds in a shard; none where the shard lacks it.
func (a *auditor) keysHeld(ctx context.Context, shard int, c merge.Col) (*merge.KeyColumn, error) {
	own, ok := a.shards[shard].Schema().Resolve(c)
	if !ok {
		return &merge.KeyColumn{Set: merge.NewKeySet()}, nil
	}
	return a.shards[shard].Keys(ctx, own)
}

// changes tells whether a key of some shard would get a new number.
func changes(k *discover.Key) bool {
	return slices.ContainsFunc(assign.Moving(k.Sets(), nil, false), func(m *merge.KeySet) bool { return m.Len() > 0 })
}

// within tells whether a key is one of a group, or lists rows of its tables for the most part and explains less.
func (a *auditor) within(group *several, given merge.Col, in func(k *discover.Key) int64) bool {
	if slices.ContainsFunc(group.keys, func(k *discover.Key) bool { return k.Col == given }) {
		return true
	}
	at := slices.IndexFunc(a.found, func(k discover.Key) bool { return k.Col == given })
	if at < 0 || in(&a.found[at]) >= group.all-group.gone() {
		return false
	}
	list, theirs := &a.found[at], int64(0)
	for i, c := range list.Columns {
		for _, k := range group.keys {
			theirs += c.Set.Shared(k.Columns[i].Set)
		}
	}
	return float64(theirs) >= (1-eitherGone)*float64(keysInAll(list))
}

// explains tells whether few enough of some numbers are none of a group's, and so many are each key's as chance hardly makes of as many places without another's.
func (s *several) explains(held []*merge.KeySet) bool {
	for i, set := range held {
		gone := set.Len()
		for _, k := range s.keys {
			gone -= set.Shared(k.Columns[i].Set)
		}
		if float64(gone) > eitherGone*float64(set.Len()) {
			return false
		}
	}
	return !slices.ContainsFunc(s.keys, func(k *discover.Key) bool { return s.unlikely(k, held) < strayChance })
}

// unlikely is the negative logarithm of how likely chance makes as many of some numbers one key's, of those that are none of the group's others.
func (s *several) unlikely(k *discover.Key, held []*merge.KeySet) (sum float64) {
	for i, set := range held {
		own := k.Columns[i].Set
		if set.Len() == 0 || own.Len() == 0 {
			continue
		}
		low, _ := set.Min()
		high, _ := set.Max()
		free, left := float64(high)-float64(low)+1, set.Len()
		for _, o := range s.keys {
			if o != k {
				free -= float64(o.Columns[i].Set.Between(low, high).Len())
				left -= set.Shared(o.Columns[i].Set)
			}
		}
		theirs, in := float64(own.Between(low, high).Len()), float64(set.Shared(own))
		sum += merge.LogChoices(free, in) - merge.LogChoices(theirs, in) - merge.LogChoices(float64(left), in)
	}
	return sum
}

// keysInAll counts a key's numbers in all shards.
func keysInAll(k *discover.Key) (n int64) {
	for _, c := range k.Columns {
		n += c.Set.Len()
	}
	return n
}

// shareNone tells whether no shard has a number of both of two keys, which are given by shard.
func shareNone(x, y []*merge.KeySet) bool {
	for i, keys := range x {
		if keys.Shared(y[i]) > 0 {
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

// askBetween asks about a column whose numbers are those of several keys, of which the first is one of some where these are given; it is false where they are not. What else a key may be is what
// otherwise says; it is "" of other columns.
func (a *auditor) askBetween(ctx context.Context, c merge.Col, evidence, otherwise string, given ...merge.Col) (bool, error) {
	group, err := a.betweenSeveral(ctx, c, otherwise != "", given...)
	if err != nil || group == nil {
		return false, err
	}
	var cols []merge.Col
	for _, k := range group.keys {
		cols = append(cols, k.Col)
	}
	most, rest, both, all, others := a.amongKeys(c, cols[0]), cols[1:], "both", "all", "the others"
	if len(rest) > 1 {
		both = "several"
	}
	if n := group.gone(); n > 0 {
		most, all = a.notAmong(c, cols[0], rest), fmt.Sprintf("all but %d", n)
		others = all + " of the others"
	}
	if len(given) > 0 { // what spoke for one of them alone does not speak for all
		evidence = fmt.Sprintf("%s of its numbers are %s, and %s %s", shareOf(float64(group.in[0])/float64(group.all)), cols[0], others, eitherOf(rest))
	}
	var lines []string
	for _, o := range rest {
		lines = append(lines, planfile.ReferenceLine(a.amongKeys(c, o)))
	}
	if otherwise == "" {
		otherwise = fmt.Sprintf(" If it holds neither, say %s", keepLine(c))
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s numbers of %s are %s, which share no number: does it hold %s? Then it takes one line for each, also %s.%s", all, c, eitherOf(cols), both, strings.Join(lines, " and "), otherwise),
		Evidence: evidence, Rows: a.tables[c.Table].total(), Reference: most,
	})
	return true, nil
}

// notAmong is the line by which a column refers to a key where it holds no number of some others' rows: nor may what is nobody's be left without a line.
func (a *auditor) notAmong(c, to merge.Col, others []merge.Col) *merge.Reference {
	var conditions []string
	for _, o := range others {
		conditions = append(conditions, "NOT "+bracketed(a.amongKeys(c, o).When))
	}
	return &merge.Reference{From: []merge.Col{c}, To: []merge.Col{to}, When: strings.Join(conditions, " AND ")}
}
