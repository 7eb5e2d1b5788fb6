package merge

import "math"

// How unlikely it has to be that a key's values miss those of others by chance: e to the power of minus this, and of minus this for a table and the one that takes over its old rows.
const (
	oneSequence = 14
	takenOver   = 3
)

// OneSequence tells whether a key's values, by shard, lie in the gaps of others, in every shard and too often for chance, or go on where those end. All values in one gap
// tell as much as one of them, for a key may be counted from a number of its own on; and that the one goes on where the other ends has to be so in two shards, for the
// highest numbers of a column's type are neighbours, too. That the one lies wholly within the range of the others tells something where these begin so high that nobody
// counts a table's rows from there.
func OneSequence(others, values []*KeySet) bool { return inGaps(others, values, oneSequence) }

// TakesOver tells whether a key's values, by shard, lie in the gaps of another one's where their tables seem to hold the same rows at different times, as those of players and of
// deleted ones: then a few say enough.
func TakesOver(others, values []*KeySet) bool { return inGaps(others, values, takenOver) }

// inGaps tells whether a key's values miss others in a way that is so unlikely at least.
func inGaps(others, values []*KeySet, least float64) bool {
	for i, keys := range values {
		if others[i].Shared(keys) > 0 {
			return false
		}
	}
	unlikely := 0.0
	for i, keys := range values {
		low, high, ok := overlap(keys, others[i])
		if !ok {
			if low > high && high > 0 { // the one begins where the other ends, high above the first numbers
				unlikely += min(math.Log(float64(high)/float64(low-high)), oneSequence/2)
			}
			continue
		}
		unlikely += startsHigh(keys, others[i])
		theirs := others[i].Rank(high) - others[i].Rank(low)
		if others[i].Has(low) {
			theirs++
		}
		share := min(float64(theirs)/(float64(high)-float64(low)+1), 0.99)
		last := int64(-1)
		for k := range keys.All() {
			if k < low || k > high {
				continue
			}
			gap := others[i].Rank(k)
			if gap == last {
				continue
			}
			last = gap
			if unlikely -= math.Log1p(-share); unlikely >= least {
				return true
			}
		}
	}
	return unlikely >= least
}

// startsHigh is minus the logarithm of the chance that all of a few keys lie in a range that begins far above the first numbers; 0 when they do not.
func startsHigh(keys, others *KeySet) float64 {
	low, _ := keys.Min()
	high, _ := keys.Max()
	first, _ := others.Min()
	last, _ := others.Max()
	if low < first || high > last || first <= last-first {
		return 0
	}
	return min(math.Log(float64(first)/(float64(last-first)+1)), oneSequence/2)
}

// overlap is the range that the keys of both sets lie in; false when there is none. Then low is where the higher set begins and high where the lower one ends, if neither
// is empty.
func overlap(x, y *KeySet) (low, high int64, ok bool) {
	x0, some := x.Min()
	y0, others := y.Min()
	if !some || !others {
		return 0, 0, false
	}
	x1, _ := x.Max()
	y1, _ := y.Max()
	low, high = max(x0, y0), min(x1, y1)
	return low, high, low <= high
}
