package gameid

import (
	"context"
	"fmt"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	defaultMaxWait = 100 * time.Millisecond
	defaultMaxJump = 10 * time.Minute
	// ceilingRunAhead is how far the cursor may be ahead of the clock when a
	// ceiling covers it.
	ceilingRunAhead = time.Second
)

// Generator issues the IDs of one server number. All methods may be called from
// any number of goroutines. It has no goroutine of its own and allocates nothing
// per ID.
//
// Its whole state is one cursor (see Layout.At) that only grows. An ID takes the
// cursor after the last one or, when the clock is ahead of that, the clock's, so a
// full tick carries into the next by itself and a clock that goes back changes
// nothing. Without a ceiling uniqueness across restarts rests on the clock alone.
type Generator struct {
	layout  *Layout
	server  uint64
	clock   Clock
	machine *systemClock // clock, when it is that
	ceiling Ceiling      // nil without one
	base    wide         // of the server, see Layout.place
	seqBits uint
	spread  uint64 // see Layout.After
	perTick uint64 // cursors

	runAhead int64 // ns
	maxWait  time.Duration
	maxJump  int64 // ns

	_      [64]byte // the words below are written by every goroutine
	cursor atomic.Uint64
	_      [56]byte

	// These three are written at a new tick, under mu. A reader of an old tickEnd
	// may see a new floor; the ID is then of the tick that has just begun.
	tickEnd atomic.Int64  // running time in ns at which the clock's tick ends
	floor   atomic.Uint64 // the first cursor of the clock's tick
	limit   atomic.Uint64 // the first cursor that must not be issued yet; never falls

	skipped, borrowed, waited   atomic.Uint64
	steps, refusedSteps, failed atomic.Uint64
	ahead                       atomic.Int64 // ns, generator's clock minus wall

	pid       func() int
	createdIn int // the process

	mu     sync.Mutex
	offset int64 // ns since the epoch = running + offset
	asleep int64 // ns of suspend already added to offset
	run0   int64
	boot0  int64
	start  uint64 // the first cursor that could be issued
	ended  uint64 // the cursor at the end
	closed error  // why nothing is issued any more, or nil
}

// Option changes how a Generator works.
type Option func(*Generator)

// WithClock gives the generator a clock other than SystemClock.
func WithClock(c Clock) Option { return func(g *Generator) { g.clock = c } }

// WithCeiling attaches a ceiling. The generator then starts above it, issues
// below it only, and may run ahead of the clock by one second.
// A nil one, as of an Open whose error was not looked at, is refused.
func WithCeiling(c Ceiling) Option {
	return func(g *Generator) {
		if g.ceiling = c; c == nil {
			g.ceiling = noCeiling{}
		}
	}
}

// WithRunAhead says how far the cursor may be ahead of the clock in a burst
// (default 1 s with a ceiling, 0 without; rounded down to ticks). The time inside
// such IDs is later than the real one by as much.
func WithRunAhead(d time.Duration) Option { return func(g *Generator) { g.runAhead = int64(d) } }

// WithMaxWait says how long Next waits for a free ID before it gives up with a
// *BusyError (default 100 ms).
func WithMaxWait(d time.Duration) Option { return func(g *Generator) { g.maxWait = d } }

// WithMaxJump says by how much the time of day may jump forward, beyond what
// running and suspended time explain, and be believed (default 10 min). A larger
// jump is not followed, for its IDs would block the server number once the clock
// is set right; Stats counts it.
func WithMaxJump(d time.Duration) Option { return func(g *Generator) { g.maxJump = int64(d) } }

// NewGenerator returns a generator for a server number. It is refused with a
// *LayoutError for a layout that cannot be issued, ErrRange for a server that does
// not fit, ErrBeforeEpoch or ErrExhausted for a clock outside the layout's
// lifetime, and with the ceiling's own error.
func NewGenerator(l *Layout, server uint64, options ...Option) (*Generator, error) {
	if err := l.CheckIssue(); err != nil {
		return nil, err
	}
	base, err := l.base(server)
	if err != nil {
		return nil, err
	}
	g := &Generator{
		layout: l, server: server, base: wideOf(base), seqBits: l.seqBits, spread: l.spread(), perTick: 1 << l.seqBits,
		runAhead: -1, maxWait: defaultMaxWait, maxJump: int64(defaultMaxJump), pid: os.Getpid,
	}
	for _, option := range options {
		option(g)
	}
	if g.clock == nil {
		g.clock = SystemClock()
	}
	g.machine, _ = g.clock.(*systemClock)
	if g.runAhead < 0 {
		g.runAhead = 0
		if g.ceiling != nil {
			g.runAhead = int64(ceilingRunAhead)
		}
	}
	wall := g.readClocks()
	if _, err := l.TickAt(wall); err != nil {
		return nil, fmt.Errorf("the clock of this machine: %w", err)
	}
	since := wall.Sub(l.spec.Epoch)
	if since == math.MaxInt64 {
		return nil, &LayoutError{l.label(), "its epoch is more than 292 years ago; it can be decoded but not issued"}
	}
	g.offset = int64(since) - g.run0
	if g.ceiling != nil {
		if g.start, err = g.ceiling.Attach(l, server); err != nil {
			return nil, err
		}
		// A ceiling that let us start although the clock is behind it makes the
		// generator's clock begin there.
		started := int64(g.start>>g.seqBits) * int64(l.spec.Tick)
		if behind := started - (g.run0 + g.offset); behind > g.runAhead {
			g.offset += behind
		}
	}
	g.createdIn = g.pid()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tickLocked(g.run0)
	g.start = after(g.start, g.floor.Load(), g.spread)
	g.cursor.Store(g.start)
	return g, nil
}

// readClocks sets run0 and boot0 and returns the time of day of the same moment. It
// reads again when the process was paused meanwhile, which would look like a jump
// of the time of day for ever after.
func (g *Generator) readClocks() (wall time.Time) {
	for range 10 { // a clock that is so slow is taken as it is
		before := int64(g.clock.Boot())
		wall = g.clock.Wall()
		g.run0, g.boot0 = int64(g.clock.Running()), int64(g.clock.Boot())
		if g.boot0-before < stepSize {
			break
		}
	}
	return wall
}

// Layout is the layout of the generator's IDs.
func (g *Generator) Layout() *Layout { return g.layout }

// Server is the number that every ID of the generator carries.
func (g *Generator) Server() uint64 { return g.server }

// Next returns a new ID, greater than every earlier one of the same generator when
// the layout is time-ordered. When none is free it waits until ctx is done, at
// most the time of WithMaxWait, and then returns the cause of ctx or a *BusyError.
// ErrExhausted, ErrCeiling, ErrForked and ErrClosed come back at once.
func (g *Generator) Next(ctx context.Context) (ID, error) {
	first, got := g.take(1)
	if got == 0 {
		var err error
		if first, err = g.wait(ctx); err != nil {
			return ID{}, err
		}
	}
	return compose(g.layout.place(g.base, first)), nil
}

// NextInt64 is Next for BIGINT columns. A layout of more than 63 bits gives an
// error that is ErrTooWide, and no ID is used up.
func (g *Generator) NextInt64(ctx context.Context) (int64, error) {
	if g.layout != nil && g.layout.bits > 63 {
		return 0, g.layout.CheckColumn("BIGINT")
	}
	id, err := g.Next(ctx)
	if err != nil {
		return 0, err
	}
	return id.Int64()
}

// TryNext is Next without waiting. When it fails nothing has changed.
func (g *Generator) TryNext() (ID, error) {
	first, got := g.take(1)
	if got == 0 {
		var err error
		if first, got, err = g.blocked(1); got == 0 {
			return ID{}, err
		}
	}
	return compose(g.layout.place(g.base, first)), nil
}

// Fill puts new IDs into dst with one look at the clock, and returns how many it
// could without waiting. When these are fewer than len(dst), the error says why as
// that of TryNext does.
func (g *Generator) Fill(dst []ID) (int, error) {
	done := 0
	for done < len(dst) {
		first, got := g.take(uint64(len(dst) - done))
		if got == 0 {
			var err error
			if first, got, err = g.blocked(uint64(len(dst) - done)); got == 0 {
				return done, err
			}
		}
		g.layout.fill(dst[done:done+int(got)], g.base, first)
		done += int(got)
	}
	return done, nil
}

// take claims up to n cursors that follow each other. It fails, with 0, only at
// the limit.
func (g *Generator) take(n uint64) (first, got uint64) {
	var running int64
	if c := g.machine; c != nil {
		running = int64(time.Since(c.start)) // without the ways through the interface and Running
	} else {
		if g.clock == nil { // a zero Generator, of which blocked tells
			return 0, 0
		}
		running = int64(g.clock.Running())
	}
	if running >= g.tickEnd.Load() {
		g.newTick(running)
	}
	for {
		floor, limit, next := g.floor.Load(), g.limit.Load(), g.cursor.Load()
		first = after(next, floor, g.spread)
		if first >= limit {
			return 0, 0
		}
		got = min(n, limit-first)
		if !g.cursor.CompareAndSwap(next, first+got) {
			continue
		}
		if first != next {
			g.skipped.Add(first - next)
		}
		if end := first + got; end > floor+g.perTick {
			g.borrowed.Add(min(got, end-(floor+g.perTick)))
		}
		return first, got
	}
}
