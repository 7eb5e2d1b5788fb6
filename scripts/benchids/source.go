package main

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
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
	return fmt.Sprintf("limit %s: %d in %v", figure(float64(s.tick)/float64(s.perTick)), s.perTick, s.tick)
}

// inTurn measures n times in one goroutine.
func (f op) inTurn(n int) time.Duration {
	start := time.Now()
	f(n)
	return time.Since(start)
}

// inParallel shares n times out to as many goroutines as can run at once, and
// measures from when all of them run.
func (f op) inParallel(n int) time.Duration {
	var all sync.WaitGroup
	var running atomic.Int32
	var start time.Time
	threads := runtime.GOMAXPROCS(0)
	for range threads {
		all.Go(func() {
			if int(running.Add(1)) == threads {
				start = time.Now()
				running.Add(1)
			}
			for int(running.Load()) <= threads { // spins: waking up takes as long as many IDs
			}
			f(n / threads)
		})
	}
	all.Wait()
	return time.Since(start)
}
