package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// ranks tells whether a key beside the one by which its table's rows are told apart ranks them: these are another table's rows, as an arena has one of every player, and on every server the numbers
// go from one up and leave out none, whoever was deleted. What refers to such rows does so by whose they are, where no name says otherwise.
func (s *search) ranks(k *key) bool {
	t := k.table
	if len(t.PrimaryKey) != 1 || s.equal(merge.Col{Table: t.Name, Name: t.PrimaryKey[0]}, k.Col) {
		return false
	}
	for i := range k.Columns {
		if n := k.set(i).Len(); n > 0 && (k.low[i] != 1 || k.high[i] != n) {
			return false
		}
	}
	return slices.ContainsFunc(t.columns, func(c *column) bool {
		return c.col.Name == t.PrimaryKey[0] && (c.fixed != nil && c.fixed.table != t || slices.ContainsFunc(s.keys, func(o *key) bool {
			return o.Root && o.table != t && s.hint(c, o).level >= 3
		}))
	})
}
