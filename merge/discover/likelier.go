package discover

import (
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// How much likelier a key's numbers are as some of another key's than as its own rows'.

// orphaned is the share of a key's numbers that may be none of another one's any more, as those of rows that outlived what they belong to.
const orphaned = 0.25

// rather is the logarithm of how many times likelier a key's numbers are as some of another one's than as counted up for its own rows. Some of the other one's are as many
// as chance wants, end anywhere or where any so many would, and are any so many up to there. What is counted up ends anywhere, and is all of the numbers up to there as
// often as any so many of them. At most a share of the numbers may be strays, which are any so many of those that the other one leaves out; whether there are any is told, too.
func (k *key) rather(o *key, share float64) (likelier float64, strays bool) {
	sum, some, far := 0.0, false, true
	for i := range k.Columns {
		n, all := float64(k.set(i).Len()), float64(o.set(i).Len())
		told := slices.ContainsFunc(k.Columns[:i], func(c *merge.KeyColumn) bool { return c.Set.Equal(k.set(i)) }) // servers with one past tell it once
		if n == 0 || told || k.wiped[i] && n < fewValues {
			continue
		}
		in := float64(k.set(i).Shared(o.set(i)))
		if in < n {
			if o.wiped[i] {
				continue
			}
			if n-in > share*n {
				return math.Inf(-1), false
			}
		}
		some = true
		upTo, numbers := float64(o.set(i).Rank(k.high[i])), float64(k.high[i])-float64(min(o.low[i], k.low[i]))+1
		ends := math.Exp(merge.LogChoices(upTo-1, in-1)-merge.LogChoices(all, in))/2 + 1/(2*all)
		other := math.Log(float64(yes(n == all))/2+1/(2*all)) + math.Log(ends) - merge.LogChoices(upTo-1, in-1)
		if in < n {
			strays = true
			other -= math.Log(numbers-upTo+1) + merge.LogChoices(numbers-upTo, n-in)
		}
		own := -math.Log(numbers) + math.Log(float64(yes(n == numbers))/2+1/(2*numbers)) - merge.LogChoices(numbers-1, n-1)
		sum += other - own
		far = far && o.low[i] >= farLow && k.low[i] >= farLow
	}
	if !some {
		return math.Inf(-1), strays
	}
	if far {
		sum += math.Log(farOwn)
	}
	return sum, strays
}

// spares is the chance that a key which knows nothing of another one holds so few of the numbers that this leaves out: of each gap as large a part as of the nearest numbers around it.
// A gap counts once, however long it is, for rows are deleted together.
func (k *key) spares(o *key) float64 {
	held, chance := 0.0, 0.0
	for i := range k.Columns {
		own, keys := k.set(i), o.set(i)
		if slices.ContainsFunc(k.Columns[:i], func(c *merge.KeyColumn) bool { return c.Set.Equal(own) }) {
			continue // servers with one past tell it once
		}
		var shared [2*around + 1]int64 // by place, of the last ones: how many of the keys before it are both's
		var open []int64               // places of gaps whose upper neighbours are still to come
		var last merge.Among
		at, gaps, total := int64(0), 0, keys.Len()
		for next := range keys.Among(own) {
			if at > 0 && next.Key != last.Key+1 && last.Key >= k.low[i] && next.Key <= k.high[i] && gaps < gapsMost {
				gaps++
				open = append(open, at)
				held += float64(next.Below-last.Below-yes(last.In)) / (float64(next.Key) - float64(last.Key) - 1)
			}
			shared[(at+1)%int64(len(shared))] = shared[at%int64(len(shared))] + yes(next.In)
			last, at = next, at+1
			for len(open) > 0 && at == min(total, open[0]+around) {
				first := max(0, open[0]-around)
				chance += float64(shared[at%int64(len(shared))]-shared[first%int64(len(shared))]) / float64(at-first)
				open = open[1:]
			}
			if gaps == gapsMost && len(open) == 0 {
				break
			}
		}
	}
	return poisson(math.Ceil(held), chance)
}

// How many numbers on either side of a gap tell of what part of those around it a key holds, and how many gaps of a shard tell enough.
const (
	around   = 6
	gapsMost = 10_000
)

// ratherMostly is rather for a key of which some numbers are none of the other one's, as those of rows that outlived their players: of all numbers that the other one gave out, those of the
// living and those of the dead, each of both has a row in all of them, in none or in any so many. Then its end is the other one's, give or take the dead; what is counted up ends anywhere.
func (k *key) ratherMostly(o *key) float64 {
	sum, some := 0.0, false
	for i := range k.Columns {
		n, in := float64(k.set(i).Len()), float64(k.set(i).Shared(o.set(i)))
		told := slices.ContainsFunc(k.Columns[:i], func(c *merge.KeyColumn) bool { return c.Set.Equal(k.set(i)) })
		if n == 0 || told || k.wiped[i] && n < fewValues {
			continue
		}
		if o.wiped[i] || in < max(2, includesPro*n) {
			return math.Inf(-1)
		}
		some = true
		alive := float64(o.set(i).Len())
		last := max(o.high[i], o.Columns[i].Highest)
		numbers := float64(max(k.high[i], last)) - float64(min(k.low[i], o.low[i])) + 1
		dead := numbers - alive
		beyond := max(0, float64(k.high[i])-float64(last))
		other := ofSome(alive, in, 1) + ofSome(dead, n-in, 2) + beyond*math.Log((dead+1)/(numbers+2))
		own := float64(k.high[i]) - float64(k.low[i]) + 1
		sum += other + math.Log(own) - ofSome(own-1, n-1, 1)
	}
	if !some {
		return math.Inf(-1)
	}
	return sum
}

// ofSome is the logarithm of how likely it is that these so many of some numbers are taken: all of them, or any so many; of two ways, none is one, too.
func ofSome(all, some, ways float64) float64 {
	if sure := float64(yes(some == all) + yes(ways > 1 && some == 0)); sure > 0 {
		return math.Log(sure / (ways + 1))
	}
	return -merge.LogChoices(all, some) - math.Log((all+1)*(ways+1))
}

// Most tables count from 1: one that would begin where another's far numbers do is so many times rarer.
const (
	farLow = 100
	farOwn = 30
)
