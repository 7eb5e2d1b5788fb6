package merge_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/gameid/gameid/merge"
)

// Every job runs once, also beside one that fails, and all errors come back.
func TestSideBySide(t *testing.T) {
	one, other := errors.New("one"), errors.New("other")
	var runs [9]atomic.Int32
	err := merge.SideBySide(len(runs), func(i int) error {
		runs[i].Add(1)
		return map[int]error{2: one, 7: other}[i]
	})
	if !errors.Is(err, one) || !errors.Is(err, other) {
		t.Errorf("got %v, want both errors", err)
	}
	for i := range runs {
		if n := runs[i].Load(); n != 1 {
			t.Errorf("job %d ran %d times", i, n)
		}
	}
	if err := merge.SideBySide(0, nil); err != nil {
		t.Errorf("no jobs: %v", err)
	}
}
