package gameid_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
)

// epoch is that of the project's own layouts.
func epoch() time.Time { return time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC) }

// gameLayout is the default layout: 37 + 20 + 16 bits at 16 ms.
func gameLayout(t testing.TB) *gameid.Layout {
	return newLayout(t, 16*time.Millisecond, 37, 20, 16)
}

// newLayout builds time, server, sequence from high to low.
func newLayout(t testing.TB, tick time.Duration, timeBits, serverBits, seqBits int) *gameid.Layout {
	t.Helper()
	l, err := gameid.NewLayout(gameid.Spec{
		Name: "test",
		Fields: []gameid.Field{
			{Kind: gameid.Time, Bits: timeBits},
			{Kind: gameid.Server, Bits: serverBits},
			{Kind: gameid.Sequence, Bits: seqBits},
		},
		Tick:  tick,
		Epoch: epoch(),
	})
	if err != nil {
		t.Fatalf("NewLayout: %v", err)
	}
	return l
}

func newGenerator(t testing.TB, l *gameid.Layout, server uint64, options ...gameid.Option) *gameid.Generator {
	t.Helper()
	g, err := gameid.NewGenerator(l, server, options...)
	if err != nil {
		t.Fatalf("NewGenerator: %v", err)
	}
	return g
}

// turningClock is a clock that stands still until a test, or a wait, moves it.
type turningClock struct {
	mu            sync.Mutex
	wall          time.Time
	running, boot time.Duration
}

func newClock(wall time.Time) *turningClock { return &turningClock{wall: wall} }

// pass lets time go on in all three clocks.
func (c *turningClock) pass(d time.Duration) { c.turn(d, d, d) }

// step turns the time of day alone, as an administrator or NTP does.
func (c *turningClock) step(d time.Duration) { c.turn(d, 0, 0) }

// suspend lets time pass that the running clock does not see.
func (c *turningClock) suspend(d time.Duration) { c.turn(d, 0, d) }

func (c *turningClock) turn(wall, running, boot time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wall, c.running, c.boot = c.wall.Add(wall), c.running+running, c.boot+boot
}

func (c *turningClock) Wall() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wall
}

func (c *turningClock) Running() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running
}

func (c *turningClock) Boot() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.boot
}

func (c *turningClock) Wait(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c.pass(d)
	return nil
}

// bitmap is a set of cursors.
type bitmap map[uint64]*[1024]uint64

// add returns false for a cursor that is in the set.
func (b bitmap) add(cursor uint64) bool {
	page := b[cursor>>16]
	if page == nil {
		page = new([1024]uint64)
		b[cursor>>16] = page
	}
	word, bit := &page[cursor>>6&1023], uint64(1)<<(cursor&63)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}
