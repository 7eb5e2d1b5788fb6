package ceiling

import (
	"time"

	"github.com/gameid/gameid/gameid"
)

// maxJump is how far the time of day may jump forward, beyond what running and suspended time explain, to be followed by a Reserver that has looked at it before:
// as gameid.WithMaxJump's default, for the same reason.
const maxJump = 10 * time.Minute

// steady is a clock for a process that asks for the time of day again and again. Its time of day goes on as the machine runs: it follows no step back, and no jump
// into the far future, whose ceiling would keep every later start waiting.
type steady struct {
	gameid.Clock
	wall    time.Time     // when it was last believed; zero before the first look
	boot    time.Duration // the same moment
	refused func(jump time.Duration)
	jumped  bool // refused has been called
}

// Wall is the time of day. It is read before the time since boot: a pause in between is then no jump.
func (c *steady) Wall() time.Time {
	wall, boot := c.Clock.Wall(), c.Boot()
	now := c.wall.Add(boot - c.boot)
	jump := wall.Sub(now)
	switch {
	case c.wall.IsZero(), jump >= 0 && jump <= maxJump:
		c.wall, c.boot = wall, boot
		return wall
	case jump > maxJump && !c.jumped && c.refused != nil:
		c.jumped = true // once, not at every look
		c.refused(jump)
	}
	return now
}
