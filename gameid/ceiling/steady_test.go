package ceiling_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid/ceiling"
)

// A process that reserves again and again goes on as the machine runs, whatever the time of day does meanwhile; a jump into the far future is told once, and one that
// suspended time explains is none.
func TestG16ForwardJumpBetweenTurns(t *testing.T) {
	for _, tt := range []struct {
		name           string
		jump           time.Duration // of the time of day alone
		asleep         time.Duration
		least, highest time.Duration // how far the next IDs are from the first ones
		told           int
	}{
		{"a year ahead", 365 * 24 * time.Hour, 0, 0, 3 * time.Second, 1},
		{"an hour back", -time.Hour, 0, 0, 3 * time.Second, 0},
		{"a minute ahead, as a clock is set", time.Minute, 0, time.Minute, time.Minute + 3*time.Second, 0},
		{"suspended for a day", 0, 24 * time.Hour, 24 * time.Hour, 24*time.Hour + 3*time.Second, 0},
	} {
		l, c, told := game(t), newClock(), 0
		r, err := ceiling.NewReserver(filepath.Join(t.TempDir(), "c"), l, 7, ceiling.WithClock(c), ceiling.WithJumped(func(time.Duration) { told++ }))
		if err != nil {
			t.Fatal(err)
		}
		at := func() time.Time {
			first, got, err := r.Reserve(context.Background(), 10)
			if err != nil || got == 0 {
				t.Fatalf("%s: got %d, %v", tt.name, got, err)
			}
			return l.TimeOf(first >> l.SequenceBits())
		}
		before := at()
		c.turn(tt.jump, 0)
		c.suspend(tt.asleep)
		at()
		if d := at().Sub(before); d < tt.least-l.Tick() || d > tt.highest || told != tt.told {
			t.Errorf("%s: the IDs went on by %s, told %d times; want %s to %s, told %d times", tt.name, d, told, tt.least, tt.highest, tt.told)
		}
	}
}
