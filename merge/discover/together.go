package discover

import (
	"math"

	"github.com/gameid/gameid/merge"
)

// How much of a column each of two keys has at least that explain it together, and how unlikely chance must make that.
const (
	togetherLeast  = 0.1
	togetherChance = 1e-6
)

// together is the key that most of a column's values are, where all others are those of a second one: an owner may be a player or a clan, of games that number both in one
// sequence, and no column tells which. It is nil when there is none.
func (s *search) together(c *column) *pick {
	var some []*key
	shares := map[*key]float64{}
	for _, k := range s.keys {
		if k.Root && k.heads() && !k.text && k.table != c.table && !s.alike[k.table.Name] {
			if shares[k] = k.includesOf(c.shards); shares[k] >= togetherLeast {
				some = append(some, k)
			}
		}
	}
	var first, second *key
	for i, a := range some {
		for _, b := range some[:i] {
			if unionChance(c.shards, a, b) > math.Log(togetherChance) || !apartEverywhere(a, b) { // most pairs leave out the first value or the second
				continue
			}
			if first != nil {
				return nil // several pairs do, and tell nothing
			}
			if first, second = b, a; shares[a] > shares[b] {
				first, second = a, b
			}
		}
	}
	if first == nil {
		return nil
	}
	return &pick{
		column: c, key: first, hint: s.hint(c, first), shards: c.shards, fit: measure(c.shards, first), grade: merge.Doubtful, others: []merge.Col{second.Col},
		note: "the others are " + second.Col.String() + ", and no number is both: where it holds both, one line for each, with when",
	}
}

// includesOf is the share of some values' rows that are a key's, the lowest of the shards.
func (k *key) includesOf(shards []values) float64 {
	least, some := 1.0, false
	for i := range shards {
		if v := &shards[i]; v.rows > 0 {
			least, some = min(least, float64(k.rows(i, v))/float64(v.rows)), true
		}
	}
	if !some {
		return 0
	}
	return least
}

// apartEverywhere tells whether two keys have numbers in every shard and share none.
func apartEverywhere(a, b *key) bool {
	for i := range a.Columns {
		if a.set(i).Len() == 0 || b.set(i).Len() == 0 || a.set(i).Shared(b.set(i)) > 0 {
			return false
		}
	}
	return true
}

// unionChance is the logarithm of the chance that as many numbers, anywhere among those of two keys, would all be one of either; 0 when one is none.
func unionChance(shards []values, a, b *key) (chance float64) {
	for i, v := range shards {
		for _, n := range v.list {
			if !a.has(i, n) && !b.has(i, n) {
				return 0
			}
		}
		span := float64(max(a.high[i], b.high[i])-min(a.low[i], b.low[i])) + 1
		chance += float64(len(v.list)) * math.Log(min(1, float64(a.set(i).Len()+b.set(i).Len())/span))
	}
	return chance
}
