package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// peopleFirst puts the key of a table of people before the one that values alone speak for, where the column is called like somebody and holds the former as well: that the values end where other
// rows' numbers do is a chance beside that. What was first is named beside it.
func (s *search) peopleFirst(list, silent []*pick) []*pick {
	first := list[0]
	if first.grade != merge.Doubtful || first.hint.level > 0 || !s.meansPerson(first.column.name) || first.column.self != nil || s.person(first.key.table) {
		return list
	}
	people := func(p *pick) bool {
		if p == first || !slices.Contains(s.hubs, p.key) || !s.person(p.key.table) {
			return false
		}
		if first.fit.inclusion < includesSure && first.fit.verdict <= mute && first.fit.inclusion-p.fit.inclusion <= peopleShort && p.fit.inclusion >= trapLeast {
			return true // neither explains all, and people are deleted
		}
		return p.fit.inclusion >= max(first.fit.inclusion, includes) && p.fit.verdict >= first.fit.verdict || s.deadAmong(p, first)
	}
	all := slices.Concat(list, silent)
	at := slices.IndexFunc(all, people)
	if at < 0 {
		return list
	}
	return putFirst(list, all[at])
}

// deadAmong tells whether a column that is called like somebody rather holds the keys of people, of whom some are dead, than those of something else that leaves nothing out, so that its numbers are all
// among them: on every server they end where the people's do, and on one far below that key's end.
func (s *search) deadAmong(p, other *pick) bool {
	if other.fit.verdict > mute || other.fit.holes.chance >= minExpected || p.fit.inclusion < 1-peopleShort || other.tail() > lentChance {
		return false
	}
	_, tops := p.tops()
	return tops
}

// onlyDense drops the keys of a column's kinds where it rather holds the keys of people, as its name says, and those that the kinds hold would hold any numbers as low.
func (s *search) onlyDense(plain *pick, list []*pick) []*pick {
	if plain == nil || plain.hint.level == 0 || !s.meansPerson(plain.column.name) || !s.person(plain.key.table) {
		return list
	}
	others := slices.DeleteFunc(slices.Clone(list), func(p *pick) bool { return p.key == plain.key })
	if len(others) == 0 || slices.ContainsFunc(others, func(p *pick) bool {
		whole := &pick{column: plain.column, key: p.key, shards: plain.shards, fit: measure(plain.shards, p.key)}
		return p.fit.verdict > mute || s.kindOfRows(p.kind, p.key.table) || s.hint(plain.column, p.key).level > 0 || !s.deadAmong(plain, whole)
	}) {
		return list
	}
	return nil
}

// peopleShort is how much less of a column than the numbers of something else the keys of people may explain and come first all the same, where neither explains all.
const peopleShort = 0.25

// putFirst puts a pick before others as a question, which names the one that was first.
func putFirst(list []*pick, best *pick) []*pick {
	best.grade, best.others = merge.Doubtful, []merge.Col{list[0].key.Col}
	return slices.Insert(slices.DeleteFunc(slices.Clone(list), func(p *pick) bool { return p == best }), 0, best)
}

// consecutive tells whether a key's numbers are given out one after the other in every shard, with no more gaps than deleted rows leave: moments are not, and hardly ever all those of another column
// lie among them.
func (k *key) consecutive() bool {
	for i := range k.Columns {
		if n := k.set(i).Len(); n > 0 && (n < fewValues || float64(k.high[i])-float64(k.low[i]) > freeMost*float64(n)) {
			return false
		}
	}
	return true
}

// freeMost is how many numbers are there for each that is in use, at most, where numbers are given out one after the other.
const freeMost = 4

// farAmong tells whether most of a column's values are keys of a table that begin far up and follow one another, and all lie between them, so that hardly anything else but such keys would.
func (s *search) farAmong(c *column) bool {
	if c.flag() > 0 || c.amount && s.words.gauges(c.name) {
		return false
	}
	return slices.ContainsFunc(s.keys, func(k *key) bool {
		return k.Root && !k.Undeclared && k.table != c.table && !s.alike[k.table.Name] && k.isHigh() && k.consecutive() && k.encloses(c.shards) && k.farOff(c.shards) && measure(c.shards, k).inclusion >= leftShare
	})
}
