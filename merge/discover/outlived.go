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
		if c.known || c.self != nil || c.text || c.least() < someValues || s.alike[c.table.Name] || slices.ContainsFunc(s.picks, func(p *pick) bool { return p.column.col == c.col }) {
			continue
		}
		if s.ctx.Err() != nil {
			return s.ctx.Err()
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
		}
	}
	return nil
}

// meets tells quickly whether measuring is worth while: of a few values more are keys than chance would make.
func meets(shards []values, k *key) bool {
	for i, v := range shards {
		var list, rows meeting
		for j := 0; j < len(v.list); j += v.glance() {
			share, ok := k.rate[i].at(v.list[j])
			list.add(ok && k.set(i).Has(v.list[j]), share, 1)
			rows.add(ok && k.set(i).Has(v.list[j]), share, float64(v.weights[j]))
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
			list.add(ok && k.set(i).Has(n), share, 1)
			rows.add(ok && k.set(i).Has(n), share, float64(v.weights[j]))
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
