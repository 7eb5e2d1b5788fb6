package audit

import (
	"fmt"
	"math"

	"github.com/gameid/gameid/merge"
)

// What speaks for numbers that may be a thing by themselves to be another table's keys instead: half of them are, and the column is called after that table, or they are so many more than
// chance makes of numbers that know nothing of it, in standard deviations.
const (
	othersShare  = 0.5
	othersBeyond = 4
)

// orOthers says of which other table's key most of a key's numbers are, and how it follows these; "" where nothing speaks for one.
func (a *auditor) orOthers(s *space) string {
	var best *space
	share, called := 0.0, false
	for _, o := range a.order {
		if o.key.Table == s.key.Table || o.plan.New == merge.Static || a.tables[o.key.Table].folds() {
			continue
		}
		is := calledAfter(s.key.Name, o.key.Table)
		part, beyond := s.amongOthers(o)
		if part < othersShare || !is && beyond < othersBeyond || best != nil && (called && !is || called == is && part <= share) {
			continue
		}
		best, share, called = o, part, is
	}
	if best == nil {
		return ""
	}
	return fmt.Sprintf(". But %s of its numbers are %s: if it holds these, as a row of more about some of them does, say so under references: %s", shareOf(share), best.key, refersLine([]merge.Col{s.key}, []merge.Col{best.key}))
}

// amongOthers is the lowest share of a key's numbers in any shard that are another's, and how far they are all together beyond what chance makes, in standard deviations.
func (s *space) amongOthers(o *space) (share, beyond float64) {
	share = 1
	var hits, expected, variance float64
	for i, keys := range s.alive {
		n := float64(keys.Len())
		if n == 0 {
			continue
		}
		both := float64(keys.Shared(o.alive[i]))
		share = min(share, both/n)
		low, _ := keys.Min()
		high, _ := keys.Max()
		p := float64(o.alive[i].Between(low, high).Len()) / (float64(high) - float64(low) + 1)
		hits, expected, variance = hits+both, expected+n*p, variance+n*p*(1-p)
	}
	if variance == 0 {
		return share, 0
	}
	return share, (hits - expected) / math.Sqrt(variance)
}
