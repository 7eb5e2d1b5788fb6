package merge

import (
	"math"
	"slices"
)

// Remainders are what the keys of some sets leave when divided by a number, one or a few only: players' numbers end in 00, creatures' in 01, and a game tells by that what a row is.
type Remainders struct {
	Divisor int64     // 1 where no number leaves so few that chance may not have made it
	Rests   [][]int64 // by set, ascending; nil where Divisor is 1
}

const (
	remaindersMost  = 8       // of a set
	remainderChance = 1e-4    // that keys which have nothing to do with a number would leave so few, at most
	divisorMost     = 1 << 40 // of the powers of two and ten
)

// RemaindersOf finds the number that leaves the fewest remainders of the keys of some sets for its height: what divides all distances between the keys of a set, or a power of two or ten,
// of which the keys may leave up to eight.
func RemaindersOf(sets ...*KeySet) Remainders {
	best, least := Remainders{Divisor: 1}, math.Log(remainderChance)
	try := func(divisor int64) (few bool) {
		rests, few := restsOf(sets, divisor)
		if unlikely := unlikelyRests(sets, divisor, rests); rests != nil && unlikely <= least {
			best, least = Remainders{divisor, rests}, unlikely
		}
		return few
	}
	common := int64(0)
	for _, s := range sets {
		common = Divisor(common, s.Step())
	}
	if common > 1 {
		try(common)
	}
	for _, base := range []int64{2, 10} {
		for n := base; n <= divisorMost && try(n); n *= base { // of a multiple there are as many at least
		}
	}
	return best
}

// Most is the number of remainders that the keys of one set leave, at the most; 0 where there are none.
func (r Remainders) Most() (most int) {
	for _, list := range r.Rests {
		most = max(most, len(list))
	}
	return most
}

// Pace is how far apart the numbers are, on average, that leave the remainders.
func (r Remainders) Pace() int64 { return r.Divisor / int64(max(r.Most(), 1)) }

// Remainder is what a number leaves when divided by another, never below 0.
func Remainder(v, by int64) int64 { return (v%by + by) % by }

// restsOf are the remainders of each set: nil where there are several, and these more than two fifths of those that there may be, and few is false where there are more than any number may leave.
func restsOf(sets []*KeySet, divisor int64) (rests [][]int64, few bool) {
	for _, s := range sets {
		var list []int64
		for v := range s.All() {
			rest := Remainder(v, divisor)
			at, known := slices.BinarySearch(list, rest)
			if known {
				continue
			}
			if list = slices.Insert(list, at, rest); len(list) > 1 && 5*int64(len(list)) > 2*divisor {
				return nil, len(list) <= remaindersMost
			}
			if len(list) > remaindersMost {
				return nil, false
			}
		}
		rests = append(rests, list)
	}
	return rests, true
}

// unlikelyRests is the logarithm of the chance that keys which have nothing to do with a number would leave so few remainders. Consecutive keys count as one: what was numbered in a row
// says once where it lies.
func unlikelyRests(sets []*KeySet, divisor int64, rests [][]int64) float64 {
	chance := math.Log(float64(divisor)) // which number it is
	for i, list := range rests {
		n, runs := float64(len(list)), 0.0
		for range sets[i].Runs() {
			runs++
		}
		if n > 0 { // of so many remainders there are so many choices
			some, _ := math.Lgamma(n + 1)
			chance += n*math.Log(n) - some + max(runs-n, 0)*math.Log(n/float64(divisor))
		}
	}
	return chance
}
