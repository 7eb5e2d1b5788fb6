package discover

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Archive is the key of a table with rows that another one had before, as that of deleted characters: its numbers are that one's, of which each was given out once.
type Archive struct{ Key, Of merge.Col }

// findArchives finds the keys of tables that keep old rows of others, also where no schema declares them. Their numbers lie in the range of the others', and yet none is one of these on any
// server, as numbers of their own would be.
func (s *search) findArchives() error {
	for _, t := range s.schema.Tables {
		e := s.tables[t.Name]
		if t.Opaque != "" || s.alike[t.Name] {
			continue
		}
		list, err := s.tellingRows(e)
		if err != nil {
			return err
		}
		for _, k := range list {
			if of := s.archiveOf(k); of != nil {
				s.takeArchive(k, of)
				break
			}
		}
	}
	return s.ctx.Err()
}

// tellingRows are the keys of numbers by which the schema tells a table's rows apart; where it has none, the columns whose numbers do.
func (s *search) tellingRows(t *table) (list []*key, err error) {
	for _, k := range t.keys {
		if k.sole && !k.text && !k.Undeclared {
			list = append(list, k)
		}
	}
	if len(list) > 0 {
		return list, nil
	}
	for _, c := range t.Columns {
		k := s.key(merge.Col{Table: t.Name, Name: c.Name})
		if k == nil {
			if k, err = s.readNumbering(t, c); err != nil {
				return nil, err
			}
		}
		if k != nil && !k.text {
			list = append(list, k)
		}
	}
	return list, nil
}

// takeArchive notes whose numbers a key has.
func (s *search) takeArchive(k, of *key) {
	s.archives[k] = of
	s.sequence[[2]*key{k, of}], s.sequence[[2]*key{of, k}] = true, true
	if k.sole && !k.Undeclared {
		return
	}
	k.sole, k.Root, k.Undeclared = true, true, true
	k.Reason = "its table keeps old rows of " + of.table.Name + ", and no server has one of its numbers there"
	if !slices.Contains(s.keys, k) {
		s.keys, k.table.keys = append(s.keys, k), append(k.table.keys, k)
	}
	for _, c := range k.table.columns {
		if c.col == k.Col {
			c.self, c.shards = k, k.spread()
		}
	}
}

// archiveOf is the key whose old numbers another one's are; nil when there is none. Of several it is the one that its table is called after, or has most columns in common with.
func (s *search) archiveOf(k *key) (of *key) {
	for _, o := range s.keys {
		if s.keepsOld(k, o) && (of == nil || s.likerRows(k, o, of) > 0) {
			of = o
		}
	}
	return of
}

// likerRows compares which of two tables another one rather has old rows of.
func (s *search) likerRows(k, a, b *key) int {
	x, _ := s.inCommon(k, a)
	y, _ := s.inCommon(k, b)
	return cmp.Or(cmp.Compare(yes(calledLikeMore(k.table, a.table)), yes(calledLikeMore(k.table, b.table))), cmp.Compare(x, y), cmp.Compare(a.size, b.size))
}

// keepsOld tells whether a key's table seems to have old rows of another one under their numbers: it is called so and like that one, or says the same of its rows, and a word tells that they are
// gone. Where none does, chance must hardly make so many numbers miss the other's.
func (s *search) keepsOld(k, o *key) bool {
	if _, known := s.pointsAt(k.Col); known || o.table == k.table || !o.Root || !o.sole || o.text || s.alike[o.table.Name] || s.archives[o] != nil || !s.numbersAlike(k, o) || !k.apartEverywhere(o) || s.namedBeside(k.table, k.Col.Name, o) || s.thing(o) != "" {
		return false
	}
	called := calledLikeMore(k.table, o.table)
	common, others := s.inCommon(k, o)
	same := common > others && (called || common >= commonLeast)
	switch {
	case s.words.gone(k.table.name):
		return (same || called && !k.table.Counted) && k.adjoins(o)
	case same && (s.words.gone(k.name) || s.saysGone(k.table, o.table)):
		return k.adjoins(o)
	}
	return called && same && common >= commonLeast && k.name.whole == o.name.whole && (merge.TakesOver(o.Sets(), k.Sets()) || merge.TakesOver(k.Sets(), o.Sets()))
}

// commonLeast is how many columns beside its key a table with old rows of another one has in common with that, at least, which is not called after it.
const commonLeast = 2

// calledLikeMore tells whether a table is called like another one and something more: lord_deleted, dead_lords.
func calledLikeMore(t, of *table) bool {
	return beginsWith(t.bare, of.bare) || len(t.bare) > len(of.bare) && endsIn(t.bare, of.bare)
}

// numbersAlike tells whether a key's name may be that of another one's old numbers: the same, that of its rows, also with a word for old ones before it, or one that says nothing.
func (s *search) numbersAlike(k, o *key) bool {
	if k.Generic || k.name.whole == o.name.whole {
		return true
	}
	tokens := slices.DeleteFunc(slices.Clone(k.name.tokens), func(t string) bool { return s.words.past[t] || s.words.abroad[t] })
	stem := strings.Join(tokens, "")
	return k.name.id && (stem == "" || slices.ContainsFunc(o.table.stems, func(t string) bool { return stem == t || shortens(stem, t) })) || stem != "" && stem == o.name.stem
}

// inCommon counts the columns beside a key that another one's table has, too, and the others, but for those that say that a row is gone.
func (s *search) inCommon(k, o *key) (common, others int) {
	for _, c := range k.table.Columns {
		switch {
		case c.Name == k.Col.Name:
		case o.table.Column(c.Name, s.schema.Fold) != nil:
			common++
		case !s.words.gone(s.words.parse(c.Name)):
			others++
		}
	}
	return common, others
}

// saysGone tells whether a table says of its rows that they are gone, or since when, and another one does not.
func (s *search) saysGone(t, of *table) bool {
	return slices.ContainsFunc(t.Columns, func(c *merge.Column) bool {
		n := s.words.parse(c.Name)
		return s.words.gone(n) && !n.plural && of.Column(c.Name, s.schema.Fold) == nil
	})
}

// gone tells whether a word of a name says of rows that they are no longer what they were.
func (v *vocabulary) gone(n name) bool { return n.has(v.past) }

// adjoins tells whether a key's numbers lie in the range of another one's, or no farther from it than that has rows, in every shard that has both.
func (k *key) adjoins(o *key) bool {
	for i := range k.Columns {
		if k.set(i).Len() > 0 && o.set(i).Len() > 0 && max(float64(k.low[i])-float64(o.high[i]), float64(o.low[i])-float64(k.high[i])) > float64(o.set(i).Len()) {
			return false
		}
	}
	return true
}
