package discover

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A name may say the wrong one of two tables: group_id holds the groups of a game's server, srvgroups, beside groups of another kind. Where the named one's keys leave many values unexplained, those that
// explain all are named, too.

// fuller are the picks, of some for which nothing else speaks, whose keys explain every value of a column of which the named key leaves many unexplained, and end where the values do; those
// whose tables' names end in the column's come first.
func (s *search) fuller(first *pick, silent []*pick) []*pick {
	if first.grade != merge.Doubtful || first.hint.level == 0 || first.fits || first.fit.inclusion >= includes {
		return nil
	}
	list := slices.DeleteFunc(slices.Clone(silent), func(p *pick) bool {
		_, tops := p.tops()
		return !tops || !s.explains(p) || p.key.table == p.column.table || p.fit.verdict < first.fit.verdict
	})
	slices.SortStableFunc(list, func(a, b *pick) int {
		return cmp.Or(cmp.Compare(yes(b.glued()), yes(a.glued())), cmp.Compare(b.fit.verdict, a.fit.verdict), cmp.Compare(b.fit.reach, a.fit.reach), byCol(a.key.Col, b.key.Col))
	})
	return list
}

// fullerFirst puts the key that explains every value before a named one that does not, where its table's name says the column's, too, with a word before it: srvgroups beside groups.
func (s *search) fullerFirst(list, silent []*pick) []*pick {
	if all := s.fuller(list[0], silent); len(all) > 0 && all[0].glued() && (len(all) == 1 || !all[1].glued()) {
		return putFirst(list, all[0])
	}
	return list
}

// glued tells whether the name of a key's table ends in what the column is called.
func (p *pick) glued() bool {
	stem := p.column.name.stem
	return len(stem) >= stemLeast && slices.ContainsFunc(p.key.table.stems, func(word string) bool { return strings.HasSuffix(word, stem) })
}

// stemLeast is how long a word is at least that another one hardly ends in by chance.
const stemLeast = 4
