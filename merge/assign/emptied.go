package assign

import (
	"math"

	"github.com/gameid/gameid/merge"
)

// emptied gives every dead value that could be numbered again a tombstone at the far end of the range: no row is left, so the next ones are numbered from 1.
func emptied(r Request, taken *merge.KeySet, runs [][]merge.Run) error {
	again := make([]*merge.KeySet, len(r.Dead))
	var n int64
	for i, dead := range r.Dead {
		again[i] = dead.Between(1, math.MaxInt64)
		n += again[i].Len()
	}
	if n == 0 {
		return nil
	}
	first := min(r.High, farthest) - taken.Len() - n + 1 // room for them all, whatever stands there already
	if first <= max(r.Low, 1) || !bury(again, runs, gaps(taken, first)) {
		return &NoRoomError{r.Key, math.MaxInt64, r.High, merge.Tombstone}
	}
	return fits(r, runs)
}
