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
	if !k.Root || !k.sole || s.alike[k.table.Name] || k.size == 0 || s.referred(k) {
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
