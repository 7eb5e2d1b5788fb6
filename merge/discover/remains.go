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

// catalogueFirst puts a list that is the same on every server, and that columns are named after, before a key for which neither a name nor its holes speak, where all of a column's values are the
// list's and go as far up it. silent are the keys for which nothing else speaks.
func (s *search) catalogueFirst(list, silent []*pick) []*pick {
	first := list[0]
	all := first.fit.inclusion >= includesSure
	if first.hint.level > 0 || first.fit.verdict >= pro || all && first.ended > 0 {
		return list
	}
	for _, p := range silent {
		if s.ofCatalogue(p.key, p.fit) && (!all || p.fit.reach >= first.fit.reach) {
			return putFirst(list, p)
		}
	}
	return list
}

// orCatalogue asks about a list that is the same on every server, and of which all of a column's values are, instead of keys that it seems to hold under a kind and for none of which a name or its
// holes speak.
func (s *search) orCatalogue(c *column, list []*pick) []*pick {
	if len(list) == 0 || slices.ContainsFunc(list, func(p *pick) bool { return p.hint.level > 0 || p.fit.verdict >= pro }) {
		return list
	}
	for _, k := range s.keys {
		if k.table == c.table || !s.alike[k.table.Name] {
			continue
		}
		if f := measure(c.shards, k); s.ofCatalogue(k, f) {
			p := &pick{column: c, key: k, hint: s.hint(c, k), shards: c.shards, fit: f, grade: merge.Doubtful}
			for _, o := range list {
				if !slices.Contains(p.others, o.key.Col) {
					p.others = append(p.others, o.key.Col)
				}
			}
			return []*pick{p}
		}
	}
	return list
}

// ofCatalogue tells whether values are those of a list that is the same on every server and that columns are named after, however far up it goes.
func (s *search) ofCatalogue(k *key, f *fit) bool {
	return s.alike[k.table.Name] && f.inclusion >= includesSure && f.reach >= reachesSure && s.leadsNamed(k)
}

// leadsNamed tells whether a column of another table leads to a key by declaration or by its name.
func (s *search) leadsNamed(k *key) bool {
	return slices.ContainsFunc(s.columns, func(c *column) bool {
		return c.table != k.table && (c.fixed == k || s.hint(c, k).level >= 3 && measure(c.shards, k).nearly())
	})
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
