package discover

import (
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// besideKey looks, among the keys that a column may refer to, for another one of the first one's table that explains every value as well, as a number of its own beside the
// primary key does: which of them is meant is a question, and the one that the column is called by comes first. silent are the keys for which nothing else speaks.
func (s *search) besideKey(list, silent []*pick) {
	first := list[0]
	for _, p := range slices.Concat(list[1:], silent) {
		if p.key.table != first.key.table || p.fit.inclusion < max(first.fit.inclusion, includes) || p.fit.verdict < first.fit.verdict || !p.key.Root {
			continue
		}
		if sureness(first.grade) > sureness(merge.Likely) {
			first.grade = merge.Likely
		}
		if longest(p) > longest(first) {
			first.key, p.key, first.fit, p.fit, first.hint, p.hint = p.key, first.key, p.fit, first.fit, p.hint, first.hint
		}
		if len(first.others) < othersMost && !slices.Contains(first.others, p.key.Col) {
			first.others = append(first.others, p.key.Col)
		}
	}
}

// longest is how long the end of a pick's column's name is that is its key's name.
func longest(p *pick) int {
	if key := strings.ToLower(p.key.Col.Name); strings.HasSuffix(strings.ToLower(p.column.col.Name), key) {
		return len(key)
	}
	return 0
}
