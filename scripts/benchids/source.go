package main

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"
)

const (
	// serialSample is small enough for every format that is not plainly limited:
	// ours has 65,536 IDs in a tick and so has sno, and many ticks pass between two
	// samples of one source.
	serialSample  = 16_384
	burstSample   = 1_000_000
	burstTime     = 250 * time.Millisecond
	sustainedTime = 250 * time.Millisecond
)

// ctx is cancelled with the first error of an ID: figures that contain one are
// worth nothing.
var ctx, fail = context.WithCancelCause(context.Background())

// op does something n times.
type op func(n int)

// source makes IDs.
type source struct {
	name string
	op   op

	perTick int           // IDs that the format has in a tick; 0 without a limit
	tick    time.Duration // of the format
	ahead   int           // IDs that it may issue ahead of the clock
}

// limited reports whether a sample has to wait for the clock, so that its figure
// is the format's and not the code's.
func (s source) limited() bool { return s.perTick != 0 && s.perTick < serialSample }

// rate is the format's limit, for people.
func (s source) rate() string {
	if s.perTick == 0 {
		return ""
	}
	return fmt.Sprintf("limit %.4g: %d in %v", float64(s.tick)/float64(s.perTick), s.perTick, s.tick)
}

// inParallel shares the work out to as many goroutines as can run at once.
func inParallel(f op) op {
	return func(n int) {
		var all sync.WaitGroup
		threads := runtime.GOMAXPROCS(0)
		for range threads {
			all.Go(func() { f(n / threads) })
		}
		all.Wait()
	}
}
