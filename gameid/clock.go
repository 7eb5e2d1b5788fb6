package gameid

import (
	"context"
	"time"
)

// Clock is what a Generator knows about time. Goroutines share it. Tests give
// their own; everything else takes SystemClock.
type Clock interface {
	// Wall is the time of day. It may jump in both directions.
	Wall() time.Time
	// Running is how long the machine has run since some fixed instant. It never
	// goes back, and may stop while the machine is suspended.
	Running() time.Duration
	// Boot is like Running and goes on while the machine is suspended, as far as
	// the system can tell.
	Boot() time.Duration
	// Wait returns nil after d of running time, or the cause of ctx when that is
	// done first.
	Wait(ctx context.Context, d time.Duration) error
}

// SystemClock returns the clocks of this machine.
func SystemClock() Clock { return &systemClock{start: time.Now()} }

type systemClock struct{ start time.Time }

// Wall is the time of day.
func (c *systemClock) Wall() time.Time { return time.Now().Round(0) }

// Running is the monotonic time since the clock was made; it stands still in suspend.
func (c *systemClock) Running() time.Duration { return time.Since(c.start) }

// Boot is the time since boot, suspend included, where the system tells it.
func (c *systemClock) Boot() time.Duration {
	if boot, ok := bootTime(); ok {
		return boot
	}
	return c.Running()
}

// Wait sleeps; it ends early with the context's error.
func (c *systemClock) Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
