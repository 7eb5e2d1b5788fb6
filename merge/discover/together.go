package discover

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// How much of a column each of several keys has at least that explain it together, and how unlikely chance must make that where it holds nothing else.
const (
	togetherLeast  = 0.1
	togetherChance = 1e-6
)

// together is the key that most of a column's values are, where all others, or all but some of lost rows, are those of further ones: an owner may be a player or a clan, of
// games that number both in one sequence, and no column tells which. Of several such groups it is the one with the fewest numbers; nil when there is none.
func (s *search) together(c *column) *pick {
	some := s.sharing(c, togetherLeast)
	var group []*key
	for _, k := range some {
		found := s.companions(k, some)
		if len(found) < 2 || slices.Equal(found, group) || !s.explain(c, found) {
			continue
		}
		if group == nil || unite(found).size < unite(group).size { // what has more numbers holds these, too, as the places of all things do players'
			group = found
		}
	}
	if group == nil {
		return nil
	}
	p := &pick{column: c, key: group[0], group: group, hint: s.hint(c, group[0]), shards: c.shards, fit: measure(c.shards, group[0]), grade: merge.Doubtful, others: colsOf(group[1:])}
	p.note = p.rest() + ": where it holds several, one line for each, with when"
	return p
}

// listsAmong tells whether a key rather lists rows of several tables, of which another one's is one, and not all rows of each, as the scores of clans and of those players who are in none do: then it
// holds their keys, and these number their own rows. Where it has all of each it may number what they have in common, unless that is true of the other one alone, to which columns refer by its name.
func (s *search) listsAmong(list, k *key) bool {
	if s.gameCounts(list) || list.table.Counted {
		return false
	}
	p := s.together(list.column())
	if p == nil || !slices.Contains(p.group, k) {
		return false
	}
	alone := s.meant(k) && !s.meant(list) && !slices.ContainsFunc(s.picks, func(o *pick) bool {
		return o.key == list && o.column.self != k && slices.Contains(p.group, o.column.self)
	})
	return alone || slices.ContainsFunc(p.group, func(o *key) bool { return !among(o, list, includesSure) })
}

// rest says which keys hold the other numbers of a column, of which several explain it together.
func (p *pick) rest() string {
	var names []string
	for _, k := range p.group[1:] {
		names = append(names, k.Col.String())
	}
	others, both := "the others", "both"
	if n, _ := orphansOf(p.column.shards, p.group); n > 0 {
		others = fmt.Sprintf("all but %s of the others", count(n))
	}
	if len(names) > 1 {
		both = "two of these"
	}
	return fmt.Sprintf("%s are %s, and no number is %s", others, join(names, "and"), both)
}

// sharing are the whole keys of other tables of which a column holds so great a share at least, and some, the one that it holds most of first.
func (s *search) sharing(c *column, least float64) (some []*key) {
	shares := map[*key]float64{}
	for _, k := range s.keys {
		if s.issuesRows(k) && k.table != c.table {
			if shares[k] = k.partOf(c.shards); shares[k] > 0 && shares[k] >= least {
				some = append(some, k)
			}
		}
	}
	slices.SortStableFunc(some, func(a, b *key) int { return cmp.Compare(shares[b], shares[a]) })
	return some
}

// companions are a key and those of some that share no number with it or with one another, in their order.
func (s *search) companions(k *key, some []*key) []*key {
	group := []*key{k}
	for _, o := range some {
		if !slices.ContainsFunc(group, func(g *key) bool { return g == o || !g.apartEverywhere(o) }) {
			group = append(group, o)
		}
	}
	slices.SortFunc(group, func(a, b *key) int { return slices.Index(some, a) - slices.Index(some, b) })
	return group
}

// explain tells whether a column's numbers are those of several keys, all that are none being so few, and where these leave out numbers, so that it is no chance.
func (s *search) explain(c *column, group []*key) bool {
	orphans, few := orphansOf(c.shards, group)
	if !few || c.self != nil && s.countedUp(c.self) && !slices.ContainsFunc(group, s.countedUp) {
		return false
	}
	all := unite(group)
	if orphans == 0 && (c.self == nil || !c.table.Counted) && all.spanChance(c.shards) <= math.Log(togetherChance) {
		return true
	}
	k := c.self
	if k == nil {
		k = c.asKey()
	}
	likelier, _ := k.rather(all, orphaned)
	return likelier >= math.Log(sideLeast) && (c.self == nil || s.enough(k, all, likelier, false)) && k.spares(all) <= lentChance
}

// unite is the first of several keys with the numbers of all.
func unite(group []*key) *key {
	if len(group) == 1 {
		return group[0]
	}
	all := *group[0]
	all.Columns = make([]*merge.KeyColumn, len(group[0].Columns))
	for i := range all.Columns {
		all.Columns[i] = &merge.KeyColumn{Set: merge.NewKeySet()}
		for _, k := range group {
			all.Columns[i].Set.Union(k.set(i))
		}
	}
	all.prepare()
	return &all
}

// asKey is a key with the numbers of a column.
func (c *column) asKey() *key {
	k := &key{Key: Key{Col: c.col}, table: c.table, name: c.name}
	for _, v := range c.shards {
		set := merge.NewKeySet()
		set.Add(v.list...)
		k.Columns = append(k.Columns, &merge.KeyColumn{Set: set})
	}
	k.prepare()
	return k
}

// partOf is the share of some values' rows that are a key's, of all shards together.
func (k *key) partOf(shards []values) float64 {
	rows, in := int64(0), int64(0)
	for i := range shards {
		rows, in = rows+shards[i].rows, in+k.rows(i, &shards[i])
	}
	return float64(in) / float64(max(1, rows))
}

// orphansOf counts the rows of some values that are of none of several keys, which share none, and tells whether they are few in every shard.
func orphansOf(shards []values, group []*key) (n int64, few bool) {
	few = true
	for i := range shards {
		left := shards[i].rows
		for _, k := range group {
			left -= k.rows(i, &shards[i])
		}
		n, few = n+left, few && float64(left) <= orphaned*float64(shards[i].rows)
	}
	return n, few
}

// apartEverywhere tells whether two keys share no number in any shard, and both have some in one.
func (k *key) apartEverywhere(o *key) bool {
	apart, known := k.strangers[o]
	if !known {
		shared := false
		for i := range k.Columns {
			apart = apart || k.set(i).Len() > 0 && o.set(i).Len() > 0
			shared = shared || k.set(i).Shared(o.set(i)) > 0
		}
		apart = apart && !shared
		for _, each := range []*key{k, o} {
			if each.strangers == nil {
				each.strangers = map[*key]bool{}
			}
		}
		k.strangers[o], o.strangers[k] = apart, apart
	}
	return apart
}

// spanChance is the logarithm of the chance that as many numbers, anywhere between a key's first and last, would all be some of it.
func (k *key) spanChance(shards []values) (chance float64) {
	for i, v := range shards {
		if n := float64(len(v.list)); n > 0 {
			chance += n * math.Log(min(1, float64(k.set(i).Len())/(float64(k.high[i]-k.low[i])+1)))
		}
	}
	return chance
}
