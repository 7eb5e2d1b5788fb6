package discover

import (
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// A key without gaps holds the values of any column that ends below its own end, those of rows that are gone, too: beside the key of which these are, it has nothing for itself but its name.

// idle tells whether a pick's key holds nearly all numbers up to the highest value, so that it would hold nearly any others as well.
func (p *pick) idle() bool { return p.fit.verdict < pro && p.key.byChance(p.shards) > sparedChance }

// claims tells whether a pick's name says its key and half of the values at least are keys, up to where these end: the others may be of rows that are gone.
func (p *pick) claims() bool {
	if p.hint.level < 3 || p.fit.inclusion < trapLeast || p.column.distinct() == 0 {
		return false
	}
	_, tops := p.tops()
	return tops
}

// ownersFirst puts a key with gaps before one that holds any values, where the column is rather called like the former, or the latter's rows only belong to the former's. silent are the keys for
// which nothing else speaks.
func (s *search) ownersFirst(list, silent []*pick) []*pick {
	first := list[0]
	if !first.idle() {
		return list
	}
	for _, p := range slices.Concat(list[1:], silent) {
		named := p.hint.level > first.hint.level || p.hint.level == first.hint.level && p.hint.kin && !first.hint.kin
		if named && p.claims() && !s.bearsAnother(p.key) || p.hint.level >= first.hint.level && p.fit.inclusion >= trapLeast && s.remains(first.key, p.key) {
			return putFirst(list, p)
		}
	}
	return list
}

// remains tells whether the rows of a key are rather more about another one's, of which some are gone, and its table is called so.
func (s *search) remains(k, o *key) bool {
	pair := [2]*key{k, o}
	if _, known := s.left[pair]; !known {
		s.left[pair] = k.sole && o.sole && o.Root && !k.text && !o.text && k.table != o.table && !k.table.Counted && !s.alike[k.table.Name] && !s.alike[o.table.Name] &&
			s.calledFor(k, o) && k.ratherMostly(o) >= math.Log(sideLeastGapless)
	}
	return s.left[pair]
}

// rivalled tells whether a name says another key, too, of which half of the values are at least, where a pick's own key would hold any.
func (p *pick) rivalled(by *pick) bool {
	return p.grade == merge.Certain && p.idle() && by.claims() && !twins(by.key, p.key)
}
