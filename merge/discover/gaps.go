package discover

import (
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// A key that holds every number up to its end holds any values there, and says nothing. One with gaps that no value meets says much.

// idleChance is from which chance on a key that holds all values says nothing: it has hardly a gap.
const idleChance = 0.5

// sparedChance is up to which one a key is worth a word beside others that hold all values.
const sparedChance = 0.1

// byChance is the chance that so many different numbers, taken anywhere between a key's ends, would all be keys.
func (k *key) byChance(shards []values) float64 {
	chance := 0.0
	for i, v := range shards {
		if n := k.set(i).Len(); n > 0 && len(v.list) > 0 {
			chance += float64(len(v.list)) * math.Log(float64(n)/(float64(k.high[i])-float64(k.low[i])+1))
		}
	}
	return math.Exp(chance)
}

// gapsFirst puts a key with gaps which all values spare before one without, where no name says the latter, and the own
// table's, where they end, before that of people of whom they are the lowest alone: the allies of a guild are guilds. silent are the keys for which nothing else speaks, and own is that of the
// column's own table where it may be one of them.
func (s *search) gapsFirst(list, silent []*pick, own *pick) []*pick {
	first := list[0]
	if own != nil && first.hint.level <= 1 && first.column.self == nil && first.grade != merge.Certain && first.fit.reach < reaches && first.fit.verdict < pro {
		return putFirst(list, own)
	}
	if first.grade != merge.Doubtful || first.hint.level > 0 || first.column.self != nil || first.key.byChance(first.shards) < idleChance {
		return list
	}
	all := slices.Concat(list[1:], slices.DeleteFunc(slices.Clone(silent), func(p *pick) bool { return p.key.table == p.column.table }))
	if own != nil {
		all = append(all, own)
	}
	var best *pick
	for _, p := range all {
		if s.explains(p) && p.fit.verdict >= first.fit.verdict && p.key.byChance(p.shards) <= lentChance && (best == nil || p.key.byChance(p.shards) < best.key.byChance(best.shards)) {
			best = p
		}
	}
	if best == nil {
		return list
	}
	return putFirst(list, best)
}

// sparesOwn is the key of a column's own table as a question, where all values are its keys, spare its gaps and end where it does, as hardly any others would; nil where they do not.
// What else holds all of the values is named beside it.
func (s *search) sparesOwn(c *column, shards []values, silent []*pick) *pick {
	if c.self != nil || c.amount || c.least() < fewValues || c.flag() > 0 || c.times() || s.classifies(c) || s.enumerates(c) || s.catalogued(shards, 1) || s.alike[c.table.Name] {
		return nil
	}
	own := s.ofOwn(c, shards)
	if own == nil {
		return nil
	}
	if tops, ok := own.tops(); !ok || tops*own.key.byChance(shards) > askChance {
		return nil
	}
	own.grade = merge.Doubtful
	for _, p := range silent {
		if len(own.others) < othersMost && p.key != own.key && s.explains(p) {
			own.others = append(own.others, p.key.Col)
		}
	}
	return own
}
