package discover

import "slices"

// A column whose name says nothing is worth a question, however few its values are, when chance hardly ever makes keys of all of them: amounts, levels and kinds are
// low numbers, and of the low numbers few are keys where the keys begin high or leave gaps.
const (
	singledChance = 1e-4 // that any numbers up to the highest would all be keys
	singledAmount = 1e-8 // for a column that is named like a number
	singledLeast  = 2    // different values of all shards
)

// singled tells whether values of a column are so plainly a key's.
func (s *search) singled(c *column, shards []values, k *key) bool {
	least := singledChance
	if c.amount {
		least = singledAmount
	}
	if c.self != nil && (c.self.sole || k.table == c.table) || k.Undeclared || s.alike[k.table.Name] || s.equalRows(c.table) || k.anybody(shards) > least || c.times() && !k.consecutive() || c.flag() > 0 || s.classifies(c) {
		return false
	}
	return !s.catalogued(shards, 1)
}

// catalogued tells whether values are those of a catalogue, which is the same on every server, and others would be so by a chance below some.
func (s *search) catalogued(shards []values, chance float64) bool {
	return slices.ContainsFunc(s.keys, func(o *key) bool { return o.Root && s.alike[o.table.Name] && o.anybody(shards) < chance })
}

// anybody is the chance that numbers which know nothing of a key, from 1 to the highest of a column's values, would all be keys of their own shard; 1 where one of them
// is none.
func (k *key) anybody(shards []values) float64 {
	chance, different := 1.0, 0
	for i, v := range shards {
		n := len(v.list)
		if n == 0 || k.wiped[i] {
			continue
		}
		low, high := v.list[0], v.list[n-1]
		if low < 1 || low < k.low[i] || high > k.high[i] {
			return 1
		}
		share := min(1, float64(k.set(i).Rank(high))/float64(high))
		for _, one := range v.list {
			if !k.has(i, one) {
				return 1
			}
			chance *= share
		}
		different += n
	}
	if different < singledLeast {
		return 1
	}
	return chance
}
