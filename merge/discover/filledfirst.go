package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// lowest is how far up a key's numbers go at most that may be any small ones, though a column is called by its table.
const lowest = 0.1

// filledFirst puts a key of which a column holds every number, on every server, before one of which it holds the lowest alone, which a weaker name or a role speaks for: the jobs that players have are
// the names of jobs, and not the first rows of those that they had.
func (s *search) filledFirst(list, silent []*pick) []*pick {
	first := list[0]
	weak := first.hint.level < 3 || first.hint.weak
	least := 1 // of the other's name
	if !weak && first.fit.reach <= lowest {
		weak, least = true, 2
	}
	if !weak || first.grade == merge.Certain || first.column.self != nil || first.fit.verdict >= pro || first.fit.reach >= reaches || first.tail() > lentChance {
		return list
	}
	all := slices.Concat(list[1:], silent)
	at := slices.IndexFunc(all, func(p *pick) bool {
		return s.explains(p) && p.fit.filled == 1 && p.column.least() >= holdsLeast && p.key.table != p.column.table && (p.hint.level >= least || first.hint.level < 3 && (first.hint.role || first.hint.level == 0))
	})
	if at < 0 {
		return list
	}
	return putFirst(list, all[at])
}
