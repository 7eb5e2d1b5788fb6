package assign

import (
	"math"

	"github.com/gameid/gameid/merge"
)

// shift adds one constant per shard. The order above everything that exists is: tombstones first, then one block per shard, so that an engine
// that numbers the next row after the highest one never reaches a tombstone.
func shift(r Request, moving, captured []*merge.KeySet, taken *merge.KeySet, runs [][]merge.Run) error {
	top, _ := taken.Max()
	top = max(top, r.Above, below(r.Low))
	var moves int64
	for _, m := range moving {
		moves += m.Len()
	}
	free := above(top)
	if moves == 0 && r.Reissues {
		free = gaps(taken, r.Low)
	}
	if !bury(captured, runs, func() (int64, bool) {
		v, ok := free()
		top = max(top, v)
		return v, ok
	}) {
		return &NoRoomError{r.Key, math.MaxInt64, r.High, merge.Shift}
	}
	for i, keys := range moving {
		low, ok := keys.Min()
		if !ok {
			continue
		}
		high, _ := keys.Max()
		// Unsigned, so that keys at both ends of the range cannot wrap.
		width := uint64(high) - uint64(low)
		if top >= r.High || width > uint64(r.High)-uint64(top)-1 {
			need := int64(math.MaxInt64)
			if width < uint64(math.MaxInt64)-uint64(max(top, 0))-1 {
				need = top + 1 + int64(width)
			}
			return &NoRoomError{r.Key, need, r.High, merge.Shift}
		}
		for first, count := range keys.Runs() {
			offset := int64(uint64(first) - uint64(low))
			runs[i] = append(runs[i], merge.Run{Old: first, Count: count, New: top + 1 + offset, Rule: merge.Shift})
		}
		top += 1 + int64(width)
	}
	return fits(r, runs)
}

// dense numbers the moving keys one after the other, above everything when there is room and in the holes otherwise.
func dense(r Request, moving, captured []*merge.KeySet, taken *merge.KeySet, runs [][]merge.Run) error {
	var need int64
	for i := range moving {
		need += moving[i].Len() + captured[i].Len()
	}
	top, _ := taken.Max()
	top = max(top, below(r.Low))
	free := above(top)
	if top > r.High-need || top > math.MaxInt64-need {
		free = gaps(taken, r.Low)
	}
	if !bury(captured, runs, free) {
		return &NoRoomError{r.Key, math.MaxInt64, r.High, merge.Dense}
	}
	for i, keys := range moving {
		for k := range keys.All() {
			v, ok := free()
			if !ok || v > r.High {
				return &NoRoomError{r.Key, v, r.High, merge.Dense}
			}
			runs[i] = extend(runs[i], merge.Run{Old: k, Count: 1, New: v, Rule: merge.Dense})
		}
	}
	return fits(r, runs)
}

// extend appends a run, or lengthens the last one when both sides go on.
func extend(runs []merge.Run, r merge.Run) []merge.Run {
	if n := len(runs) - 1; n >= 0 && runs[n].Rule == r.Rule && runs[n].Old+runs[n].Count == r.Old && runs[n].New+runs[n].Count == r.New {
		runs[n].Count += r.Count
		return runs
	}
	return append(runs, r)
}

// bury gives every captured value a fresh dead one. It is false when there are not enough.
func bury(captured []*merge.KeySet, runs [][]merge.Run, free func() (int64, bool)) bool {
	for i, values := range captured {
		for v := range values.All() {
			fresh, ok := free()
			if !ok {
				return false
			}
			runs[i] = extend(runs[i], merge.Run{Old: v, Count: 1, New: fresh, Rule: merge.Tombstone})
		}
	}
	return true
}

// above yields top+1, top+2 and so on.
func above(top int64) func() (int64, bool) {
	return func() (int64, bool) {
		if top == math.MaxInt64 {
			return 0, false
		}
		top++
		return top, true
	}
}

// gaps yields the free values from low on, those between taken ones first.
func gaps(taken *merge.KeySet, low int64) func() (int64, bool) {
	next, done := low, false
	return func() (int64, bool) {
		for !done && taken.Has(next) {
			done = next == math.MaxInt64
			next++
		}
		if done {
			return 0, false
		}
		v := next
		done = next == math.MaxInt64
		next++
		return v, true
	}
}

func fits(r Request, runs [][]merge.Run) error {
	for _, list := range runs {
		for _, run := range list {
			if last := run.At(run.Count - 1); last > r.High || run.New < r.Low {
				return &NoRoomError{r.Key, last, r.High, r.Rule}
			}
		}
	}
	return nil
}

func below(low int64) int64 {
	if low == math.MinInt64 {
		return low
	}
	return low - 1
}
