package discover

import (
	"cmp"
	"slices"

	"github.com/gameid/gameid/merge"
)

// Columns of small numbers fit many tables. One is worth a question when it holds so many different numbers, and at least this share of the keys.
const (
	holdsLeast = 3
	holdsShare = 0.5
)

// holding are the columns of other tables that hold none but a key's numbers, up to its last ones, where no reference to it is known: they may be all that refers
// to a small list whatever they are called, and nothing else would show that its numbers matter to anyone.
func (s *search) holding(k *key, placed map[merge.Col]bool) (list []merge.Col) {
	if !k.Root || !k.sole || s.alike[k.table.Name] || k.len() == 0 || s.referred(k) {
		return nil
	}
	fits := map[merge.Col]*fit{}
	for _, c := range s.columns {
		if c.known || c.self != nil || c.table == k.table || placed[c.col] || s.alike[c.table.Name] || c.least() < holdsLeast || !k.mayFill(c.shards) || !maybe(c.shards, k) {
			continue
		}
		if f := measure(c.shards, k); f.inclusion >= includesSure && f.verdict >= mute && f.reach >= reachesTop && f.filled >= holdsShare {
			fits[c.col] = f
			list = append(list, c.col)
		}
	}
	slices.SortStableFunc(list, func(a, b merge.Col) int {
		return cmp.Or(cmp.Compare(fits[b].verdict, fits[a].verdict), cmp.Compare(fits[b].filled, fits[a].filled), byCol(a, b))
	})
	return list
}

// mayFill tells at a glance whether a column has values enough, and as high ones as the keys are.
func (k *key) mayFill(shards []values) bool {
	for i, v := range shards {
		if n := len(v.list); n > 0 && !k.wiped[i] && (float64(n) < holdsShare*float64(k.set(i).Len()) || !k.covers(i, v.list[int(quantile*float64(n))])) {
			return false
		}
	}
	return true
}

// referred tells whether a column refers to a key by declaration or decision, or is asked whether it does.
func (s *search) referred(k *key) bool {
	return slices.ContainsFunc(s.columns, func(c *column) bool { return c.fixed == k }) ||
		slices.ContainsFunc(s.picks, func(p *pick) bool { return p.key == k })
}

// sides are, by key, the keys of other tables that rather hold some of its numbers than number their own rows.
func (s *search) sides(placed map[merge.Col]bool) map[merge.Col][]merge.Col {
	list := map[merge.Col][]merge.Col{}
	for _, k := range s.keys {
		if !k.Root || !k.heads() || k.table.Counted || k.text || placed[k.Col] || s.alike[k.table.Name] || k.len() < fewValues {
			continue
		}
		if o := s.sideOf(k); o != nil {
			list[o.Col] = append(list[o.Col], k.Col)
		}
	}
	return list
}

// sideChance is how unlikely it is at most that the keys of two tables that number their own rows end so near each other.
const sideChance = 1e-3

// sideOf is the key of which another one, though it could number its own rows, rather holds some, as that of a table with more about some of the players does: it has no
// value that the other has not, leaves many out, and goes on as far in every shard; nil when there is none.
func (s *search) sideOf(k *key) *key {
	for _, o := range s.keys {
		if o == k || !o.Root || !o.heads() || o.text || o.table == k.table || s.alike[o.table.Name] || o.len() <= k.len() || !among(k, o, 1) {
			continue
		}
		chance := 1.0
		for i := range k.Columns {
			n, all := k.set(i).Len(), o.set(i).Len()
			if n == 0 {
				continue
			}
			reach := o.set(i).Rank(k.high[i])
			if n >= reach-o.set(i).Rank(k.low[i])+1 { // without a gap of its own
				chance = 1
				break
			}
			chance *= float64(all-reach+1) / float64(all)
		}
		if chance <= sideChance {
			return o
		}
	}
	return nil
}
