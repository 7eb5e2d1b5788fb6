package assign

import (
	"fmt"

	"github.com/gameid/gameid/merge"
)

// maxStretch is how many times wider than its keys a run of IDs may be before it is cut at its gaps.
const maxStretch = 8

// Span keeps the IDs of each server number that merges have given out, so that no two key spaces share one.
type Span struct {
	next    map[int64]int64 // server to its first free cursor
	Present int64           // cursor of the present moment; a span that would reach it is refused
}

// NewSpan starts at the layout's epoch. present is the cursor (tick and sequence) of the present moment.
func NewSpan(present int64) *Span { return &Span{map[int64]int64{}, present} }

// Record reserves IDs that an earlier merge gave out.
func (s *Span) Record(r merge.Run) {
	last := r.At(r.Count - 1)
	server := merge.IDServer(last)
	s.next[server] = max(s.next[server], merge.IDCursor(last)+1)
}

// SpanError says that the IDs for legacy keys would reach the present, where live generators issue.
type SpanError struct {
	Key           merge.Col
	Server        int64
	Need, Present int64 // cursors
}

func (e *SpanError) Error() string {
	return fmt.Sprintf("%s: IDs for the legacy keys of server %d would reach the present (cursor %d of %d), where its generator issues",
		e.Key, e.Server, e.Need, e.Present)
}

// gameID gives IDs of the shard's own server number. Keys keep their distances inside a segment, so that the new key is arithmetic on the old one.
func gameID(r Request, moving, captured []*merge.KeySet, taken *merge.KeySet, runs [][]merge.Run) error {
	for i := range moving {
		if moving[i].Len() == 0 && captured[i].Len() == 0 {
			continue
		}
		if n := r.Servers[i]; n == nil || *n >= 1<<merge.IDServerBits {
			return &ServerError{r.Key, i, n}
		}
		server := *r.Servers[i]
		// A collision with a value that somebody holds moves the whole span above it; taken is finite, so this ends.
		for {
			list, next := place(moving[i], captured[i], server, r.Span.next[server])
			if next > r.Span.Present {
				return &SpanError{r.Key, server, next, r.Span.Present}
			}
			hit, found := collision(list, taken)
			if !found {
				runs[i], r.Span.next[server] = list, next
				break
			}
			r.Span.next[server] = merge.IDCursor(hit) + 1
		}
	}
	return fits(r, runs)
}

// place lays the keys out from a cursor on and returns the first free cursor after them. Tombstones come first: an engine that numbers the next row
// after the highest one never reaches them.
func place(moving, captured *merge.KeySet, server, cursor int64) ([]merge.Run, int64) {
	var runs []merge.Run
	for v := range captured.All() {
		runs = append(runs, merge.Run{Old: v, Count: 1, New: merge.IDAt(cursor, server), Rule: merge.Tombstone})
		cursor++
	}
	for seg := range segments(moving) {
		r := stretch(seg.keys, seg.low, seg.high, merge.IDAt(cursor, server), merge.GameID)
		runs = append(runs, r)
		cursor += r.Count
	}
	return runs, cursor
}

func collision(runs []merge.Run, taken *merge.KeySet) (hit int64, found bool) {
	low, okLow := taken.Min()
	high, okHigh := taken.Max()
	if !okLow || !okHigh {
		return 0, false
	}
	for _, run := range runs {
		if run.At(run.Count-1) < low || run.New > high {
			continue
		}
		for first, count := range run.Parts(run.Old, run.Last()) {
			for i := first - run.Old; i < first-run.Old+count; i++ {
				if id := run.At(i); taken.Has(id) {
					hit, found = max(hit, id), true
				}
			}
		}
	}
	return hit, found
}

// segment is a stretch of keys that is at most maxStretch times wider than its keys.
type segment struct {
	low, high int64
	keys      *merge.KeySet
}

func segments(moving *merge.KeySet) func(yield func(segment) bool) {
	return func(yield func(segment) bool) {
		var low, high, keys int64
		cut := func() bool { return keys == 0 || yield(segment{low, high, moving.Between(low, high)}) }
		for first, count := range moving.Runs() {
			last := first + count - 1
			// The distance is taken unsigned: keys may stand at both ends of the range.
			if keys > 0 && uint64(last)-uint64(low) < uint64(maxStretch*(keys+count)) {
				high, keys = last, keys+count
				continue
			}
			if !cut() {
				return
			}
			low, high, keys = first, last, count
		}
		cut()
	}
}
