package discover

import (
	"cmp"
	"slices"
)

// explaining are the keys of other tables that all or nearly all values of a column are among, and not the lowest of them only: that a few
// values, which are called somebody, lie low is a chance.
func (s *search) explaining(c *column) []*key {
	return s.among(c, func(k *key) bool { return s.names(c, k) || k.Root && !s.alike[k.table.Name] })
}

// among are the keys, of some, that explain a column's values, the likeliest first; of its own table only where its name says that it holds somebody, or it avoids the holes
// between them.
func (s *search) among(c *column, some func(k *key) bool) (list []*key) {
	few := c.least() < fewValues && (c.name.has(s.words.roles) || s.words.agent(c.name))
	own := c.self == nil && s.called(c)
	list, fits := s.fitting(c, func(k *key) bool { return (k.table != c.table || c.self == nil) && some(k) }, func(f *fit) bool {
		return f.nearly() && f.verdict >= mute && (f.reach >= reaches || few)
	})
	list = slices.DeleteFunc(list, func(k *key) bool { return k.table == c.table && !own && !fits[k].heeds() })
	slices.SortStableFunc(list, func(a, b *key) int {
		return cmp.Or(cmp.Compare(fits[b].verdict, fits[a].verdict), cmp.Compare(yes(fits[b].heeds()), yes(fits[a].heeds())), cmp.Compare(yes(fits[b].inclusion >= includesSure), yes(fits[a].inclusion >= includesSure)), cmp.Compare(fits[b].reach, fits[a].reach), byCol(a.Col, b.Col))
	})
	return list[:min(len(list), othersMost)]
}

// ofOwnTable tells whether a column that is named like no amount holds none but keys of its own table, and avoids the holes between them: guilds have enemies and unions among
// the guilds.
func (s *search) ofOwnTable(c *column) bool {
	return c.self == nil && !c.amount && slices.ContainsFunc(s.explaining(c), func(k *key) bool { return k.table == c.table })
}
