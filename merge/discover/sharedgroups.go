package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// besides are the columns of other tables that have the name of a pick's column and share its values, where its name is not plainly the key's and no key is called so: both may number
// groups that no table lists.
func (s *search) besides(p *pick) (list []merge.Col) {
	c := p.column
	if p.hint.level > 2 || sureness(p.grade) > sureness(merge.Likely) || !s.sharedGroups(c) {
		return nil
	}
	for _, o := range s.columns {
		if s.sameName(c, o) && c.sharesWith(o) {
			list = append(list, o.col)
		}
	}
	return list
}

// sharesWith tells whether on every server half of the values of one of two columns, or more, are the other's.
func (c *column) sharesWith(o *column) bool {
	for i := range c.shards {
		few, many := &c.shards[i], &o.shards[i]
		if len(few.list) > len(many.list) {
			few, many = many, few
		}
		if 2*few.shared(many) < len(few.list) {
			return false
		}
	}
	return true
}

// sharedGroups tells whether a column of another table has the same name, of two words or more, and no key has it: as the alliances of players that no table lists. Amounts and
// the kinds of things in the client's files have such names, too.
func (s *search) sharedGroups(c *column) bool {
	words := len(c.name.tokens)
	if c.name.id {
		words++
	}
	if words < 2 || c.amount || c.name.has(s.words.amounts) || c.name.has(s.words.things) {
		return false
	}
	issues := func(k *key) bool { return k.name.whole == c.name.whole }
	return slices.ContainsFunc(s.columns, func(o *column) bool { return s.sameName(c, o) }) && !slices.ContainsFunc(s.keys, issues)
}

// sameName tells whether a column of another table has the same name and holds something, of which nothing is known.
func (s *search) sameName(c, o *column) bool {
	return o.table != c.table && o.name.whole == c.name.whole && !o.known && o.distinct() > 0 && !s.alike[o.table.Name]
}
