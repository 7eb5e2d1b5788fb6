package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// Otherwise is what the values of a column say that the plan decided without a condition, where it is something else.
type Otherwise struct {
	merge.Proposal
	Chance bool // the key that the plan names explains these values by chance alone, if at all
}

// lookAgain looks once more at columns that the plan decided, as if it had not: the game may hold other things in them since.
func (s *search) lookAgain() error {
	if len(s.opt.Again) == 0 {
		return nil
	}
	known, picks := map[*column]bool{}, s.picks
	for _, c := range s.columns {
		known[c] = c.known
		c.known = !slices.ContainsFunc(s.opt.Again, func(again merge.Col) bool { return s.equal(again, c.col) })
	}
	s.picks = s.matchAll(map[*column]map[*key]*fit{})
	err := s.conditions()
	picks, s.picks = s.picks, picks
	for _, c := range s.columns {
		c.known = known[c]
	}
	for _, p := range picks {
		i := slices.IndexFunc(s.columns, func(c *column) bool { return c.col == p.column.col })
		decided := s.columns[i].fixed
		if p.key == decided || s.repeatsDecided(p, decided) || p.grade != merge.Certain && (p.when == "" || p.grade != merge.Likely) {
			continue
		}
		o := Otherwise{Proposal: s.proposal(p)}
		if decided != nil {
			q := &pick{column: p.column, key: decided, hint: s.hint(s.columns[i], decided), shards: p.shards, fit: measure(p.shards, decided)}
			s.weigh(q, 0)
			o.Chance = !q.fits
		}
		s.otherwise = append(s.otherwise, o)
	}
	return err
}

// repeatsDecided tells whether a pick's key only repeats the one that the plan names, by declaration or by the plan, and that one explains the values as well: whoever has no
// row of the former is found by the latter all the same.
func (s *search) repeatsDecided(p *pick, decided *key) bool {
	return decided != nil && p.when == "" && slices.ContainsFunc(s.columns, func(c *column) bool { return c.self == p.key && c.fixed == decided }) &&
		measure(p.shards, decided).inclusion >= p.fit.inclusion
}
