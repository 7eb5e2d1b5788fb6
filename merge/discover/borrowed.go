package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// lenders are the other tables' keys that a key may hold instead of numbering its own rows: a ban's guid is its character's. Its name alone says
// nothing, so it has to be the other key's very name; few different values are no sign that a column numbers its rows.
func (s *search) lenders(k *key) []*key {
	found, known := s.lending[k]
	if !known {
		for _, o := range s.keys {
			if o.Root && s.calledLike(k, o) && !s.numbersUp(k, o) {
				found = append(found, o)
			}
		}
		s.lending[k] = found
	}
	return found
}

// calledLike tells whether a key bears the name of another table's key, nearly all of its values are among that one's, and its table is named after
// the other's, or the name is one that not every table has.
func (s *search) calledLike(k, o *key) bool {
	switch {
	case !k.Generic || o == k || o.table == k.table || k.name.whole != o.name.whole || k.auto && k.table.Counted:
		return false
	case s.words.everyones[k.name.whole] && !beginsWith(k.table.bare, o.table.bare), o.Undeclared && o.len() <= k.len():
		return false
	}
	return among(k, o, includes) && measure(k.spread(), o).verdict >= mute
}

// numbersUp tells whether a key counts its rows from one up all the same. Where the primary key needs more than it, it does not; where the table is
// named after the other one, and the key's name is not everyone's, no count tells.
func (s *search) numbersUp(k, o *key) bool {
	if !k.alone && slices.Contains(k.table.PrimaryKey, k.Col.Name) || beginsWith(k.table.bare, o.table.bare) && !s.words.everyones[k.name.whole] {
		return false
	}
	return !slices.ContainsFunc(k.Columns, func(c *merge.KeyColumn) bool {
		low, some := c.Set.Min()
		high, _ := c.Set.Max()
		return some && (low < 1 || float64(high) > countedMost*float64(c.Set.Len()))
	})
}

// countedMost is how many times as high as many the numbers go that a table counted up from one, of which some were deleted.
const countedMost = 1.5

// like are the keys whose name a key bears that no schema declares.
func (s *search) like(k *key) (list []merge.Col) {
	if !k.Undeclared {
		return nil
	}
	for _, o := range s.keys {
		if o.Root && s.calledLike(k, o) {
			list = append(list, o.Col)
		}
	}
	return list
}
