package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// Of rows of several kinds a game may keep what they have in common in one table, whose key holds the kind and the number: owners of (type, id), beside heroes and clans whose own
// keys are declared to refer there. The number is that table's own then, and never the heroes'.

// onto tells whether a key is declared, alone or among other columns, to hold what a column holds: the other way round would lead in a circle.
func (s *search) onto(k *key, c *column) bool {
	return slices.ContainsFunc(k.table.ForeignKeys, func(f *merge.ForeignKey) bool {
		i := slices.IndexFunc(f.Columns, func(n string) bool { return s.schema.Equal(n, k.Col.Name) })
		return i >= 0 && i < len(f.ToColumns) && s.equal(merge.Col{Table: f.ToTable, Name: f.ToColumns[i]}, c.col)
	})
}

// numbersKinds tells whether a column is called like a number of its own table's rows, and whole keys of other tables are declared to hold it.
func (s *search) numbersKinds(c *column) bool {
	if c.self != nil || c.name.stem != "" && !s.words.generic[c.name.whole] && !slices.Contains(c.table.stems, c.name.stem) {
		return false
	}
	return slices.ContainsFunc(s.keys, func(k *key) bool { return k.sole && k.table != c.table && s.onto(k, c) })
}
