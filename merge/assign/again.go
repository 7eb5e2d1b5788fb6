package assign

import (
	"math"

	"github.com/gameid/gameid/merge"
)

// Countable is a number that no engine reaches by numbering one row after the other.
const Countable = 1 << 52

// issuedAgain adds to what is captured the dead values that the engine would give to the next rows, and tells whether there are any: the output's highest row
// lies below a number that a shard's row had, for that row is left out or has a lower number now.
func (res *Result) issuedAgain(r Request, captured []*merge.KeySet) (more bool) {
	if !r.Reissues || res.Top >= Countable {
		return false
	}
	for i, dead := range r.Dead {
		if again := dead.Between(res.Top+1, min(r.Issued, Countable)).Without(captured[i]); again.Len() > 0 {
			captured[i].Union(again)
			more = true
		}
	}
	return more
}

// top is the number of the output's highest row; 0 where there is none.
func (res *Result) top(r Request) int64 {
	top, some := int64(math.MinInt64), false
	for i, keys := range Unfolded(r.Alive, r.Folds) {
		if k, ok := keys.Without(res.Moving[i]).Max(); ok {
			top, some = max(top, k), true
		}
		for _, run := range res.Maps[i].Runs() {
			if run.Rule != merge.Tombstone {
				top, some = max(top, run.At(run.Count-1)), true
			}
		}
	}
	if !some {
		return 0
	}
	return top
}

// farthest is the highest whole number that programs without 64-bit integers still tell from its neighbours.
const farthest = 1<<53 - 1

// aside gives the captured values tombstones that an engine which numbers the next row after the highest one does not reach: gaps among the keys, then values at
// the far end of the range.
func aside(r Request, captured []*merge.KeySet, taken *merge.KeySet, runs [][]merge.Run) error {
	var n int64
	for _, values := range captured {
		n += values.Len()
	}
	if n == 0 {
		return nil
	}
	top, some := int64(0), false
	for _, keys := range Unfolded(r.Alive, r.Folds) {
		if k, ok := keys.Max(); ok && (!some || k > top) {
			top, some = k, true
		}
	}
	far := r.High
	if top < farthest {
		far = min(far, farthest)
	}
	first, bound := far-taken.Between(top+1, far).Len()-n+1, max(top, below(r.Low)) // room for them all, whatever stands there already
	near, free := gaps(taken, r.Low), gaps(taken, first)
	if !bury(captured, runs, func(int64) (int64, bool) {
		if near != nil {
			if v, ok := near(); ok && v < top {
				return v, true
			}
			near = nil
		}
		if first <= bound {
			return 0, false
		}
		return free()
	}) {
		return &NoRoomError{r.Key, math.MaxInt64, r.High, merge.Tombstone}
	}
	return fits(r, runs)
}
