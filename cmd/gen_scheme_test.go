package cmd_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gameid/gameid/cmd"
)

// The counter of an ObjectId begins again after all its values. Within one second, or with a clock that goes back, that would repeat an ID.
func TestObjectIDsDoNotRepeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const perSecond = 100
		calls := 0
		restless := func() time.Time { // every third look finds the clock two seconds back
			calls++
			if calls%3 == 0 {
				return time.Now().Add(-2 * time.Second)
			}
			return time.Now()
		}
		source, begun := cmd.ObjectIDs(restless, perSecond), time.Now()
		inSecond, last := map[string]int{}, ""
		for range 5 * perSecond / 2 {
			text, err := source.AppendNext(t.Context(), nil)
			if err != nil || len(text) != 24 {
				t.Fatalf("AppendNext = %q, %v, want 24 digits", text, err)
			}
			second := string(text[:8])
			if second < last {
				t.Fatalf("second %s after %s", second, last)
			}
			last = second
			if inSecond[second]++; inSecond[second] > perSecond {
				t.Fatalf("second %s has more than %d ObjectIds, which its counter cannot tell apart", second, perSecond)
			}
		}
		if took := time.Since(begun); len(inSecond) != 3 || took < 2*time.Second {
			t.Errorf("%d ObjectIds took %v and %d seconds of them, want 3", 5*perSecond/2, took, len(inSecond))
		}
	})
}

func TestObjectIDsStopWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := cmd.ObjectIDs(func() time.Time { return time.Unix(1<<31, 0) }, 1)
		if _, err := source.AppendNext(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		enough := errors.New("enough")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, enough)
		defer cancel()
		if text, err := source.AppendNext(ctx, []byte("x")); !errors.Is(err, enough) || string(text) != "x" {
			t.Errorf("AppendNext of a clock that stands still: %q, %v, want nothing and the cause", text, err)
		}
	})
}
