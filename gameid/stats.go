package gameid

import "time"

// Stats says what a generator has done since it was made.
type Stats struct {
	Issued        uint64        // IDs handed out
	Waited        uint64        // calls of Next that had to wait
	Borrowed      uint64        // IDs with a time later than the clock's tick
	Steps         uint64        // steps of the time of day of more than half a second
	RefusedSteps  uint64        // jumps forward that were not followed, see WithMaxJump
	CeilingErrors uint64        // calls that failed because the ceiling could not be raised
	Ahead         time.Duration // by how much the generator's clock is ahead of the time of day; negative after a refused jump
}

// Stats returns the counters. While other goroutines take IDs the numbers may be
// of slightly different moments.
func (g *Generator) Stats() Stats {
	skipped := g.skipped.Load()
	next := g.cursor.Load()
	g.mu.Lock()
	if g.closed != nil {
		next = g.ended
	}
	g.mu.Unlock()
	return Stats{
		Issued:        next - g.start - skipped,
		Waited:        g.waited.Load(),
		Borrowed:      g.borrowed.Load(),
		Steps:         g.steps.Load(),
		RefusedSteps:  g.refusedSteps.Load(),
		CeilingErrors: g.failed.Load(),
		Ahead:         time.Duration(g.ahead.Load()),
	}
}
