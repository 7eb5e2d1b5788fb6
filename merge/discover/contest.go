package discover

import (
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// contest puts first, of the keys that values may be, one that explains every value where the first leaves more unexplained than the references to it do. A name that says the
// first wins whatever others the values are among. silent are those for which nothing else speaks, and own is the key of the column's own table where that may be one of them.
func (s *search) contest(list, silent []*pick, own *pick) []*pick {
	first := list[0]
	if first.hint.level >= 3 || first.grade == merge.Certain {
		return list
	}
	at := slices.IndexFunc(list, func(p *pick) bool { return p != first && s.outdoes(p, first) })
	if at < 0 {
		rest := slices.DeleteFunc(slices.Clone(silent), func(p *pick) bool { return p.key.table == p.column.table })
		if own != nil {
			rest = append(rest, own)
		}
		i := slices.IndexFunc(rest, func(p *pick) bool { return s.outdoes(p, first) })
		if i < 0 {
			return list
		}
		at, list = len(list), append(list, rest[i])
	}
	best := list[at]
	switch best.grade {
	case merge.Certain:
		best.grade = merge.Likely
	case "":
		best.grade = merge.Doubtful
	}
	best.others = []merge.Col{first.key.Col}
	return slices.Insert(slices.Delete(list, at, at+1), 0, best)
}

// contestLeast is how many values are more than a few dead ones that chance made another key's.
const contestLeast = 3

// outdoes tells whether a pick's key explains all values, up to where it ends, and the values that another one's leaves unexplained are too many for dead ones, and hardly by
// chance keys of the former; where no name says the other one, it need not be a chance.
func (s *search) outdoes(p, first *pick) bool {
	if !s.explains(p) || p.fit.verdict < first.fit.verdict {
		return false
	}
	if p.tail() >= lentChance && first.tail() <= proofChance {
		chance, ok := p.tops()
		return ok && chance <= endedFew
	}
	if 1-first.fit.inclusion <= s.deadOf(first)+1-includesSure {
		return false
	}
	strays, chance := 0, 1.0
	for i, v := range p.shards {
		for _, n := range v.list {
			if first.fit.wiped[i] || first.key.has(i, n) {
				continue
			}
			strays++
			if share, ok := p.key.rate[i].at(n); ok {
				chance *= share
			}
		}
	}
	_, tops := p.tops()
	return strays >= contestLeast && tops && (chance <= lentChance || first.hint.level == 0 || p.hint.level > first.hint.level)
}

// explains tells whether every value is a key of its own shard, of another table one that a schema declares.
func (s *search) explains(p *pick) bool {
	return p.key.Root && (!p.key.Undeclared || p.key.table == p.column.table) && !s.alike[p.key.table.Name] && p.fit.inclusion == 1 && p.fit.verdict >= mute && p.fit.reach >= reaches
}

// deadOf is the highest share of dead values among what surely refers to a pick's key, beside its own column.
func (s *search) deadOf(first *pick) (most float64) {
	for _, c := range s.columns {
		if c.fixed == first.key {
			most = max(most, 1-measure(c.shards, c.fixed).inclusion)
		}
	}
	for _, p := range s.picks {
		if p.key == first.key && p.column != first.column && p.hint.level == 4 && sureness(p.grade) >= sureness(merge.Likely) && p.when == "" {
			most = max(most, 1-p.fit.inclusion)
		}
	}
	return most
}

// ofOwn is what speaks for a column's own table's key, which explains all of its values; nil where that is no other than the row's own, or explains less. That a table's numbers
// are among its keys is no reason to ask, so it is an answer only where there are others.
func (s *search) ofOwn(c *column, shards []values) *pick {
	i := slices.IndexFunc(c.table.keys, func(k *key) bool { return k.sole && !k.text })
	if i < 0 || c.self != nil || !maybe(shards, c.table.keys[i]) {
		return nil
	}
	k := c.table.keys[i]
	p := &pick{column: c, key: k, hint: s.hint(c, k), shards: shards, fit: measure(shards, k)}
	if _, tops := p.tops(); !tops || !s.explains(p) || s.repeatsRows(c, k) {
		return nil
	}
	return p
}

// repeatsRows tells whether a column mostly holds its row's own key, as where it keeps the number that the row once had.
func (s *search) repeatsRows(c *column, k *key) bool {
	rows, same := int64(0), int64(0)
	for _, shard := range s.shards {
		own, ok := shard.Schema().Resolve(c.col)
		key, is := shard.Schema().Resolve(k.Col)
		if !ok || !is {
			continue
		}
		n, err := shard.Count(s.ctx, own.Table, fmt.Sprintf("%s = %s", s.quote(own.Name), s.quote(key.Name)))
		if err != nil && s.failed == nil {
			s.failed = err
		}
		same += n
	}
	for _, v := range c.shards {
		rows += v.rows
	}
	return float64(same) >= includes*float64(rows)
}

// sharesMost is of how many other keys the shares are told, as many as a question names.
const sharesMost = 3

// shares says of the other keys that a column may hold how many of its values they explain: "100 % are accounts.id".
func (s *search) shares(p *pick) (words []string) {
	last := ""
	for _, c := range p.others[:min(len(p.others), sharesMost)] {
		k := s.key(c)
		if k == nil {
			continue
		}
		f := measure(p.shards, k)
		var parts, different []string
		for i, rows := range f.rows {
			if rows > 0 {
				share := percentOf(f.in[i], rows)
				parts, different = append(parts, share+" in "+s.shards[i].Source().Name), append(different, share)
			}
		}
		if different = slices.Compact(different); len(different) == 1 {
			parts = different
		}
		switch share := join(parts, "and"); share {
		case "":
		case last:
			words[len(words)-1] += ", or " + c.String()
		default:
			words, last = append(words, share+" are "+c.String()), share
		}
	}
	return words
}

// tail is the chance that as many of a key's numbers as there are values, taken anywhere, would end as early, the highest of the shards.
func (p *pick) tail() float64 {
	most := 0.0
	for i, v := range p.shards {
		if n := len(v.list); n > 0 && !p.fit.wiped[i] {
			most = max(most, math.Pow(min(1, float64(p.key.set(i).Rank(v.list[n-1]))/float64(max(1, p.key.set(i).Len()))), float64(n)))
		}
	}
	return most
}
