package gameid

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// stepSize is what Stats counts as a step: a leap second is one, a clock that is
// slewed is not.
const stepSize = int64(500 * time.Millisecond)

// newTick is called when the running clock has left the tick of the last anchor.
func (g *Generator) newTick(running int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if running >= g.tickEnd.Load() {
		if g.closed == nil && g.pid() != g.createdIn { // a system call, and so not for every ID
			g.endLocked(ErrForked)
		}
		g.tickLocked(g.anchorLocked())
	}
}

// anchorLocked compares the generator's clock with the time of day and moves it
// forward when that is ahead. It never moves it back. The running time is read last
// and returned: a process that is paused between two readings must take the pause
// for running time and not for a jump of the time of day, or it would be ahead by
// as much for ever.
func (g *Generator) anchorLocked() (running int64) {
	since := int64(g.clock.Wall().Sub(g.layout.spec.Epoch))
	running = int64(g.clock.Running())
	asleep := int64(0)
	if since-(running+g.offset) > g.maxJump { // only then is the system call for the boot clock worth its time
		boot := int64(g.clock.Boot())
		running = int64(g.clock.Running())
		asleep = max(0, (boot-g.boot0)-(running-g.run0)-g.asleep)
	}
	ahead := running + g.offset - since
	switch jump := -ahead; {
	case jump > g.maxJump+asleep:
		if g.ahead.Load() > -g.maxJump {
			g.refusedSteps.Add(1) // once for a jump, not at every tick after it
		}
	case jump > 0:
		g.asleep += min(asleep, jump)
		g.offset += jump
		ahead = 0
		if jump > stepSize {
			g.steps.Add(1)
		}
	case ahead-g.ahead.Load() > stepSize:
		g.steps.Add(1)
	}
	g.ahead.Store(ahead)
	return running
}

// tickLocked sets floor, limit and tickEnd for the tick that running lies in.
func (g *Generator) tickLocked(running int64) {
	tick := int64(g.layout.spec.Tick)
	now := (running + g.offset) / tick
	g.floor.Store(g.layout.CursorAt(uint64(now)))
	if g.ceiling != nil && g.closed == nil {
		g.ceiling.Want(uint64(now))
	}
	g.limitLocked()
	g.tickEnd.Store((now+1)*tick - g.offset)
}

// limitLocked raises limit as far as the clock and the ceiling allow now.
func (g *Generator) limitLocked() {
	if g.closed != nil {
		return
	}
	now := g.floor.Load() >> g.seqBits
	limit := g.layout.CursorAt(now + 1 + uint64(g.runAhead)/uint64(g.layout.spec.Tick))
	if g.ceiling != nil {
		limit = min(limit, g.ceiling.Limit())
	}
	if limit > g.limit.Load() {
		g.limit.Store(limit)
	}
}

// blocked is called when take found nothing. It looks again with the ceiling's
// newest limit and, when that does not help, says why.
func (g *Generator) blocked(n uint64) (first, got uint64, err error) {
	if g.layout == nil {
		return 0, 0, errNotMade
	}
	g.mu.Lock()
	g.limitLocked()
	closed := g.closed
	g.mu.Unlock()
	if closed != nil {
		return 0, 0, closed
	}
	if first, got = g.take(n); got > 0 {
		return first, got, nil
	}
	next := g.next()
	switch {
	case next >= g.layout.Cursors():
		return 0, 0, fmt.Errorf("server %d: %w (%s)", g.server, ErrExhausted, g.layout.End().Format(time.RFC3339))
	case g.ceiling != nil && g.ceiling.Limit() <= next:
		if err := g.ceiling.Err(); err != nil {
			g.failed.Add(1)
			return 0, 0, fmt.Errorf("%w: %w", ErrCeiling, err)
		}
		return 0, 0, &BusyError{ErrCeiling, time.Millisecond}
	default:
		return 0, 0, &BusyError{ErrAhead, max(0, time.Duration(g.tickEnd.Load())-g.clock.Running())}
	}
}

// next is the cursor that take would try now.
func (g *Generator) next() uint64 { return after(g.cursor.Load(), g.floor.Load(), g.spread) }

// wait tries until a cursor is free, ctx is done, or the longest wait is over.
func (g *Generator) wait(ctx context.Context) (uint64, error) {
	switch {
	case g.layout == nil:
		return 0, errNotMade
	case ctx == nil:
		return 0, errNoContext
	}
	g.waited.Add(1)
	until := g.clock.Running() + g.maxWait
	for {
		first, got, err := g.blocked(1)
		if got == 1 {
			return first, nil
		}
		var busy *BusyError
		if !errors.As(err, &busy) {
			return 0, err
		}
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		left := until - g.clock.Running()
		if left <= 0 {
			return 0, err
		}
		if errors.Is(busy.Reason, ErrAhead) {
			if err := g.clock.Wait(ctx, min(busy.After, left)); err != nil {
				return 0, err
			}
			continue
		}
		if !g.waitCeiling(ctx, left) {
			if ctx.Err() != nil {
				return 0, context.Cause(ctx)
			}
			return 0, err
		}
	}
}

// waitCeiling waits for a higher limit, or for the news that there will be none,
// and returns false when neither came in time.
func (g *Generator) waitCeiling(ctx context.Context, left time.Duration) bool {
	timed, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	// What Wait found out is asked again by the loop that called us.
	_ = g.ceiling.Wait(timed, g.next())
	return timed.Err() == nil
}

// Close ends the generator: nothing is issued afterwards. The ceiling learns what
// was used and gives up what it holds, such as the file of a ceiling.File; the
// caller need not close it.
func (g *Generator) Close() error {
	if g.layout == nil {
		return nil
	}
	g.mu.Lock()
	forked := errors.Is(g.closed, ErrForked)
	if g.closed != nil && !forked {
		g.mu.Unlock()
		return nil
	}
	g.endLocked(ErrClosed)
	g.mu.Unlock()
	if g.ceiling == nil || forked { // the parent may have used more
		return nil
	}
	return g.ceiling.Release(g.ended)
}

// endLocked lets nothing be issued any more.
func (g *Generator) endLocked(why error) {
	if g.closed == nil {
		// A cursor above every limit: no take can succeed, also one that is under way.
		g.ended = g.cursor.Swap(g.layout.Cursors())
	}
	g.closed = why
}
