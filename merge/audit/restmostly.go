package audit

import (
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// How much of such numbers a key has at least that they hold beside lost ones, and by how many standard deviations more than chance would have.
const (
	restMostlyShare = 0.5
	restMostlySigma = 5
)

// restMostly is the key that changes of which most of some numbers of a column are, by shard, by more than chance, as those of a log are whose rows were deleted since; nil when there
// is none. share is how much of them it has, and chance what of any numbers between the lowest and the highest of these.
func (a *auditor) restMostly(from merge.Col, shards [][]merge.ValueCount) (found *space, share, chance float64) {
	best := 0.0
	for _, s := range a.order {
		if s.moves() == 0 || s.key == from {
			continue
		}
		var numbers, hits, usual, variance float64
		for i, list := range shards {
			first, some := s.alive[i].Min()
			last, _ := s.alive[i].Max()
			var within []int64
			for _, v := range list {
				if n, ok := restNumber(v); some && ok && n >= first && n <= last {
					within = append(within, n)
				}
			}
			numbers += float64(len(list))
			if len(within) == 0 {
				continue
			}
			low, high := slices.Min(within), slices.Max(within)
			dense := float64(s.alive[i].Between(low, high).Len()) / (float64(high) - float64(low) + 1)
			usual, variance = usual+dense*float64(len(within)), variance+dense*(1-dense)*float64(len(within))
			for _, n := range within {
				if s.alive[i].Has(n) {
					hits++
				}
			}
		}
		if sigma := (hits - usual) / math.Sqrt(max(variance, 1)); hits >= restMostlyShare*numbers && sigma >= restMostlySigma && sigma > best {
			found, best, share, chance = s, sigma, hits/numbers, usual/numbers
		}
	}
	return found, share, chance
}
