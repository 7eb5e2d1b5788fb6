package gameid_test

import (
	"errors"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
)

// timeOfNext lets the clock go on by one tick and returns the time of the next ID.
func timeOfNext(t *testing.T, g *gameid.Generator, clock *turningClock) time.Time {
	t.Helper()
	clock.pass(g.Layout().Tick())
	id, err := g.TryNext()
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Layout().Decompose(id)
	if err != nil {
		t.Fatal(err)
	}
	return g.Layout().TimeOf(p.Tick)
}

// The second 23:59:60 is told twice: one step back of a second, which is counted.
// Nothing is repeated and the generator's clock goes on.
func TestG7LeapSecondIsAStepOfASecond(t *testing.T) {
	l, clock := gameLayout(t), newClock(start())
	g := newGenerator(t, l, 1, gameid.WithClock(clock))
	last := timeOfNext(t, g, clock)
	clock.step(-time.Second)
	for i := range 200 {
		at := timeOfNext(t, g, clock)
		if at.Sub(last) != l.Tick() {
			t.Fatalf("ID %d after the leap second is %v after the one before, want a tick", i, at.Sub(last))
		}
		last = at
	}
	if got := g.Stats(); got.Steps != 1 || got.Ahead != time.Second {
		t.Errorf("Stats = %+v, want one step and a second ahead", got)
	}
}

// A smeared second is a slope: the time of day loses a second over a day. That is
// no step, and the clocks do not part by more than the second.
func TestG7SmearIsNoStep(t *testing.T) {
	l, clock := gameLayout(t), newClock(start())
	g := newGenerator(t, l, 1, gameid.WithClock(clock))
	const looks = 8640
	for range looks {
		clock.pass(10 * time.Second)
		clock.step(-time.Second / looks)
		ahead := timeOfNext(t, g, clock).Sub(clock.Wall())
		if ahead > time.Second || ahead < -l.Tick() {
			t.Fatalf("an ID is %v ahead of the smeared clock, want at most a second", ahead)
		}
	}
	if got := g.Stats(); got.Steps != 0 || got.Ahead < 999*time.Millisecond || got.Ahead > time.Second {
		t.Errorf("Stats = %+v, want no step and a second ahead", got)
	}
}

// In suspend the running clock stands still and the boot clock goes on. The first
// ID after one tick of running time is of the present.
func TestG8SuspendIsFollowed(t *testing.T) {
	l, clock := gameLayout(t), newClock(start())
	g := newGenerator(t, l, 1, gameid.WithClock(clock))
	for _, asleep := range []time.Duration{time.Second, time.Hour, 1000 * time.Hour} {
		clock.suspend(asleep)
		if behind := clock.Wall().Sub(timeOfNext(t, g, clock)); behind > l.Tick() {
			t.Errorf("after %v of suspend an ID is %v old, want at most a tick", asleep, behind)
		}
	}
	if got := g.Stats(); got.RefusedSteps != 0 || got.Steps != 3 {
		t.Errorf("Stats = %+v, want three steps and none refused", got)
	}
}

// A time of day that jumps further than boot and running time explain is not
// followed, however often it is asked; set right again, all is as before.
func TestG16FarFutureIsNotIssued(t *testing.T) {
	l, clock := gameLayout(t), newClock(start())
	g := newGenerator(t, l, 1, gameid.WithClock(clock))
	for jump := 11 * time.Minute; jump < 200*365*24*time.Hour; jump *= 7 {
		clock.step(jump)
		for range 100 {
			if ahead := timeOfNext(t, g, clock).Sub(clock.Wall().Add(-jump)); ahead > 0 {
				t.Fatalf("after a jump of %v an ID is %v in the future", jump, ahead)
			}
		}
		clock.step(-jump)
		timeOfNext(t, g, clock)
	}
	if got := g.Stats(); got.RefusedSteps == 0 || got.Ahead > l.Tick() {
		t.Errorf("Stats = %+v, want refused steps and a clock that is right", got)
	}
}

// A process that was forked from the one with the generator issues nothing from
// the next tick on, and says so.
func TestG11ForkedProcess(t *testing.T) {
	pid, clock := 1, newClock(start())
	g := newGenerator(t, gameLayout(t), 1, gameid.WithClock(clock), gameid.WithPID(func() int { return pid }))
	timeOfNext(t, g, clock)
	pid = 2
	clock.pass(16 * time.Millisecond)
	for range 3 {
		if id, err := g.TryNext(); !errors.Is(err, gameid.ErrForked) {
			t.Errorf("TryNext in a fork = %v, %v, want ErrForked", id, err)
		}
	}
	if n, err := g.Fill(make([]gameid.ID, 3)); n != 0 || !errors.Is(err, gameid.ErrForked) {
		t.Errorf("Fill in a fork = %d, %v, want ErrForked", n, err)
	}
	if err := g.Close(); err != nil {
		t.Errorf("Close in a fork: %v", err)
	}
	if got := g.Stats().Issued; got != 1 {
		t.Errorf("Issued = %d, want 1", got)
	}
}

// pausingClock stops the whole process at one of its readings.
type pausingClock struct {
	*turningClock
	left  int // readings until then
	pause func()
}

func (c *pausingClock) read() {
	if c.left--; c.left == 0 {
		c.pause()
	}
}

func (c *pausingClock) Wall() time.Time {
	c.read()
	return c.turningClock.Wall()
}

func (c *pausingClock) Running() time.Duration {
	c.read()
	return c.turningClock.Running()
}

func (c *pausingClock) Boot() time.Duration {
	c.read()
	return c.turningClock.Boot()
}

// A process that is stopped, or a machine that sleeps, between any two readings of
// its clocks is not ahead of the time of day afterwards, and not behind it once a
// tick has passed.
func TestG8PausedBetweenReadings(t *testing.T) {
	l := gameLayout(t)
	for _, test := range []struct {
		asleep bool
		pause  time.Duration
	}{{false, time.Hour}, {true, time.Hour}, {false, 5 * time.Minute}, {true, 5 * time.Minute}} {
		for reading := 1; reading <= 36; reading++ {
			clock := &pausingClock{turningClock: newClock(start()), left: reading}
			clock.pause = func() { clock.pass(test.pause) }
			if test.asleep {
				clock.pause = func() { clock.suspend(test.pause) }
			}
			g := newGenerator(t, l, 1, gameid.WithClock(clock))
			for turn := range 12 {
				if turn == 6 {
					clock.suspend(2 * time.Hour) // makes the generator look at every clock
				}
				clock.pass(l.Tick())
				id, err := g.TryNext()
				if err != nil {
					t.Fatal(err)
				}
				p, _ := l.Decompose(id)
				at := l.TimeOf(p.Tick)
				if ahead := at.Sub(clock.turningClock.Wall()); ahead > 0 {
					t.Fatalf("%+v at reading %d: ID %d is %v ahead", test, reading, turn, ahead)
				}
			}
			if behind := clock.turningClock.Wall().Sub(timeOfNext(t, g, clock.turningClock)); behind > l.Tick() {
				t.Errorf("%+v at reading %d: an ID is %v old a tick later", test, reading, behind)
			}
		}
	}
}
