package assign

import (
	"math"

	"github.com/gameid/gameid/merge"
)

// shift adds one constant per shard. The order above everything alive is: tombstones first, then one block per shard, so that an engine
// that numbers the next row after the highest one never reaches a tombstone. A block starts where none of its keys meets a dead value.
func shift(r Request, moving, captured []*merge.KeySet, taken *merge.KeySet, runs [][]merge.Run) error {
	top := highest(r)
	var moves int64
	for _, m := range moving {
		moves += m.Len()
	}
	free := alike(top, taken, r.Step)
	if !bury(captured, runs, func(dead int64) (int64, bool) {
		v, ok := free(dead)
		if moves > 0 {
			top = max(top, v)
		}
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
		width := uint64(high) - uint64(low) // unsigned, so that keys at both ends of the range cannot wrap
		start, ok := clearOf(taken, keys, top, r.High, width, r.Step)
		if !ok {
			need := int64(math.MaxInt64)
			if width < uint64(math.MaxInt64)-uint64(max(top, 0))-1-uint64(max(r.Step, 1)) {
				need = rounded(top+1, low, r.Step) + int64(width)
			}
			return &NoRoomError{r.Key, need, r.High, merge.Shift}
		}
		runs[i] = append(runs[i], stretch(keys, low, high, start, merge.Shift))
		top = start + int64(width)
	}
	return fits(r, runs)
}

// stretch is the run of keys from low to high, which are the lowest and the highest of them.
func stretch(keys *merge.KeySet, low, high, start int64, rule merge.Rule) merge.Run {
	r := merge.Run{Old: low, Count: high - low + 1, New: start, Rule: rule}
	if keys.Len() != r.Count {
		r.Among = keys
	}
	return r
}

// tries is how often a block moves past a single dead value before it moves past them all.
const tries = 1000

// rounded is the lowest number from start on that differs from low by a multiple of step.
func rounded(start, low, step int64) int64 {
	if step < 2 {
		return start
	}
	more := (low%step - start%step) % step
	if more < 0 {
		more += step
	}
	return start + more
}

// clearOf is the lowest start above top at which none of the keys, moved there by a multiple of step, meets a value that somebody holds.
func clearOf(taken, keys *merge.KeySet, top, limit int64, width uint64, step int64) (start int64, ok bool) {
	low, _ := keys.Min()
	for n := 0; ; n++ {
		if top > limit-max(step, 1) || width > uint64(limit)-uint64(top)-uint64(max(step, 1)) {
			return 0, false
		}
		start = rounded(top+1, low, step)
		hit, found := int64(0), false
		for i := taken.Rank(top); ; i++ {
			v, more := taken.At(i)
			if !more || uint64(v)-uint64(start) > width {
				break
			}
			if keys.Has(int64(uint64(v) - uint64(start) + uint64(low))) {
				hit, found = v, true
				if n < tries {
					break
				}
			}
		}
		if !found {
			return start, true
		}
		top = hit
	}
}

// dense numbers the moving keys one after the other, above everything alive when there is room and in the holes otherwise.
func dense(r Request, moving, captured []*merge.KeySet, taken *merge.KeySet, runs [][]merge.Run) error {
	err := fill(r, moving, captured, above(highest(r), taken), runs)
	if err == nil {
		return nil
	}
	clear(runs)
	return fill(r, moving, captured, gaps(taken, r.Low), runs)
}

func fill(r Request, moving, captured []*merge.KeySet, free func() (int64, bool), runs [][]merge.Run) error {
	if !bury(captured, runs, func(int64) (int64, bool) { return free() }) {
		return &NoRoomError{r.Key, math.MaxInt64, r.High, merge.Dense}
	}
	need := r.High
	for i, keys := range moving {
		for k := range keys.All() {
			v, ok := free()
			if !ok {
				return &NoRoomError{r.Key, v, r.High, merge.Dense}
			}
			if need = max(need, v); need == r.High {
				runs[i] = extend(runs[i], merge.Run{Old: k, Count: 1, New: v, Rule: merge.Dense})
			}
		}
	}
	if need > r.High {
		return &NoRoomError{r.Key, need, r.High, merge.Dense}
	}
	return fits(r, runs)
}

// highest is the highest key that is alive or that an engine ever numbered.
func highest(r Request) int64 {
	top := max(r.Above, below(r.Low))
	for _, keys := range r.Alive {
		if k, ok := keys.Max(); ok {
			top = max(top, k)
		}
	}
	return top
}

// extend appends a run, or lengthens the last one when both sides go on.
func extend(runs []merge.Run, r merge.Run) []merge.Run {
	if n := len(runs) - 1; n >= 0 && runs[n].Rule == r.Rule && runs[n].Old+runs[n].Count == r.Old && runs[n].New+runs[n].Count == r.New {
		runs[n].Count += r.Count
		return runs
	}
	return append(runs, r)
}

// bury gives every captured value a fresh dead one, which free yields for it. It is false when there are not enough.
func bury(captured []*merge.KeySet, runs [][]merge.Run, free func(dead int64) (int64, bool)) bool {
	for i, values := range captured {
		for v := range values.All() {
			fresh, ok := free(v)
			if !ok {
				return false
			}
			runs[i] = extend(runs[i], merge.Run{Old: v, Count: 1, New: fresh, Rule: merge.Tombstone})
		}
	}
	return true
}

// alike yields for a value a free one above top and above those that it yielded before, from which it differs by a multiple of step.
func alike(top int64, taken *merge.KeySet, step int64) func(v int64) (int64, bool) {
	return func(v int64) (int64, bool) {
		for top < math.MaxInt64-max(step, 1) {
			if top = rounded(top+1, v, step); !taken.Has(top) {
				return top, true
			}
		}
		return 0, false
	}
}

// above yields the free values above top.
func above(top int64, taken *merge.KeySet) func() (int64, bool) {
	if top == math.MaxInt64 {
		return func() (int64, bool) { return 0, false }
	}
	return gaps(taken, top+1)
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
