package discover

import (
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// findOutlived asks about columns without a telling name that hold far more of a key's values than chance would put there, although so many others are no keys that
// nothing else speaks for them: a log outlives the players whom it names.
func (s *search) findOutlived() error {
	for _, c := range s.columns {
		if c.known || c.self != nil || c.text || c.least() < someValues || s.alike[c.table.Name] {
			continue
		}
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		picked := slices.DeleteFunc(slices.Clone(s.picks), func(p *pick) bool { return p.column.col != c.col })
		if len(picked) > 0 && !slices.ContainsFunc(picked, func(p *pick) bool { return p.key.table != c.table || p.hint.level > 0 }) {
			if gone := s.goneBy(c); gone != nil { // a long log numbers its rows up to any number
				s.picks = append(slices.DeleteFunc(s.picks, func(p *pick) bool { return p.column.col == c.col }), gone)
			}
		}
		if len(picked) > 0 {
			continue
		}
		var best *key
		least := bareChance
		for _, k := range s.keys {
			if !k.Root || k.table == c.table || s.alike[k.table.Name] || !meets(c.shards, k) {
				continue
			}
			if luck := met(c.shards, k); luck <= least {
				best, least = k, luck
			}
		}
		if best != nil {
			s.picks = append(s.picks, &pick{
				column: c, key: best, hint: s.hint(c, best), shards: c.shards, fit: measure(c.shards, best), grade: merge.Doubtful,
				note: "many more of its values are keys than chance would make",
			})
		} else if gone := s.goneBy(c); gone != nil {
			s.picks = append(s.picks, gone)
		}
	}
	return nil
}

// goneBy is the key of the game's people that a column's name says, where nothing but the range of its values could show it, as most of those whom a log names are gone: on every
// server they go up to the last of them. It is nil when there is none.
func (s *search) goneBy(c *column) (best *pick) {
	for _, k := range s.keys {
		if !k.Root || k.Undeclared || k.text || k.table == c.table || s.alike[k.table.Name] || c.amount {
			continue
		}
		p := &pick{
			column: c, key: k, hint: s.hint(c, k), shards: c.shards, fit: measure(c.shards, k), grade: merge.Doubtful,
			note: "its values go up to where the keys of each server do, and most are of rows that are gone",
		}
		if _, tops := p.tops(); !tops || p.hint.level < 1 || p.hint.bare || p.fit.inclusion == 0 || p.fit.inclusion >= trapLeast || k.outgrown(c.shards) {
			continue
		}
		if best == nil || s.order(p, best) < 0 {
			best = p
		}
	}
	return best
}

// outgrown tells whether a value of some shard is beyond the last key by more than the last of its rows, which may be gone, would be.
func (k *key) outgrown(shards []values) bool {
	for i, v := range shards {
		if n := len(v.list); n > 0 {
			gap := (k.high[i] - k.low[i]) / max(1, k.set(i).Len())
			if v.list[0] < 1 || v.list[n-1] > max(k.high[i]+goneLast*gap, k.Columns[i].Highest) {
				return true
			}
		}
	}
	return false
}

// goneLast is how many of the last rows of a table may be gone.
const goneLast = 5

// meets tells quickly whether measuring is worth while: of a few values more are keys than chance would make.
func meets(shards []values, k *key) bool {
	for i, v := range shards {
		var list, rows meeting
		for j := 0; j < len(v.list); j += v.glance() {
			share, ok := k.rate[i].at(v.list[j])
			list.add(ok && k.has(i, v.list[j]), share, 1)
			rows.add(ok && k.has(i, v.list[j]), share, float64(v.weights[j]))
		}
		if list.weight <= list.mean && rows.weight <= rows.mean {
			return false
		}
	}
	return true
}

// met is at most the chance that so many values of every shard are keys, or that they stand in so many rows.
func met(shards []values, k *key) float64 {
	luck := 1.0
	for i, v := range shards {
		if len(v.list) < someValues {
			continue
		}
		var list, rows meeting
		for j, n := range v.list {
			share, ok := k.rate[i].at(n)
			list.add(ok && k.has(i, n), share, 1)
			rows.add(ok && k.has(i, n), share, float64(v.weights[j]))
		}
		one := min(list.luck(), rows.luck())
		if one > proChance {
			return 1 // a true reference fits in every shard
		}
		luck *= one
	}
	return luck
}

// meeting counts what is a key, beside what would be one by chance.
type meeting struct{ weight, mean, variance, most float64 }

func (m *meeting) add(hit bool, chance, weight float64) {
	m.mean += chance * weight
	m.variance += chance * (1 - chance) * weight * weight
	m.most = max(m.most, weight)
	if hit {
		m.weight += weight
	}
}

// luck is at most the chance of so many: Bennett's inequality, which holds for few values and for rows that stand in one value for the most part, too.
func (m *meeting) luck() float64 {
	if m.variance <= 0 || m.weight <= m.mean {
		return 1
	}
	u := (m.weight - m.mean) * m.most / m.variance
	return math.Exp(-m.variance / (m.most * m.most) * ((1+u)*math.Log1p(u) - u))
}
