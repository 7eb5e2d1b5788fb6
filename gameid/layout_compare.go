package gameid

import (
	"errors"
	"time"
)

// Servers says which server numbers a comparison of layouts allows.
type Servers uint8

const (
	// AnyServers compares every ID of the old layout with every one of the new: what
	// counts where the rows of all servers come together in one table.
	AnyServers Servers = iota
	// SameServer compares the IDs of one server number with those of the same number.
	SameServer
	// OneServer is SameServer for the number of Switch.Server alone.
	OneServer
)

// Switch is a change from one layout to another. The tick under way at Until or
// From is left out: a restart takes longer.
type Switch struct {
	Since   time.Time // when the old layout was first used; zero means from its epoch on
	Until   time.Time // the old layout issues only ticks that are over by then
	From    time.Time // the new layout issues only ticks that begin then or later
	Servers Servers
	Server  uint64 // for OneServer
}

// Repeat says which IDs of the new layout are numbers that the old one can have
// issued. All times are UTC, the first inclusive and the second exclusive.
type Repeat struct {
	Possible bool
	// Shared reports whether any number is an ID of both, whatever the time. When
	// not, constants, widths or server numbers keep the layouts apart for ever.
	Shared bool
	// From and To span the ticks in which the new layout can repeat, OldFrom and
	// OldTo those whose IDs it repeats. Where the two layouts do not count time in
	// the same bits there can be gaps in them.
	From, To, OldFrom, OldTo time.Time
	// Always is set when To is the end of the new layout's lifetime.
	Always bool
	// ID is a number that From's tick can repeat.
	ID ID
	// StopBy is, when Shared, the earliest time at which an old generator that is
	// still running could issue a number of the new layout's; zero for never.
	StopBy time.Time
}

// ErrUndecided is returned by Compare for SameServer when the two layouts keep the
// server number in such different bits that too many numbers must be tried.
var ErrUndecided = errors.New("gameid: too many server numbers to compare; name one")

// Compare says whether IDs of next can repeat IDs of old, when, and for how long.
// It is exact: an argument over the bits of all numbers, not a sample. Sequences
// are free, since a restart may begin anywhere in a tick. Errors are ErrRange for a
// server that does not fit both layouts, and ErrUndecided.
func Compare(old, next *Layout, s Switch) (Repeat, error) {
	m := meeting{old: old, next: next}
	if err := m.layOut(s); err != nil {
		return Repeat{}, err
	}
	var r Repeat
	m.oldHigh, m.nextHigh = 1<<old.timeBits-1, 1<<next.timeBits-1
	var err error
	if _, _, r.Shared, err = m.extreme(next, false); err != nil || !r.Shared {
		return r, err
	}
	ended, begun := old.ticksBy(s.Until), next.ticksBefore(s.From)
	if begun > m.nextHigh {
		return r, nil // the new layout has run out
	}
	m.nextLow = begun

	late := m
	late.oldLow = ended
	if ended <= m.oldHigh {
		tick, _, ok, err := late.extreme(old, false)
		if err != nil {
			return Repeat{}, err
		}
		if ok {
			r.StopBy = old.TimeOf(tick)
		}
	}
	if ended == 0 {
		return r, nil // the old layout has issued nothing
	}
	m.oldHigh = min(m.oldHigh, ended-1)
	if first, err := old.TickAt(s.Since); err == nil {
		m.oldLow = first
	} else if errors.Is(err, ErrExhausted) {
		return r, nil
	}
	return r, m.span(&r)
}

// span fills the times of r.
func (m meeting) span(r *Repeat) error {
	tick, id, ok, err := m.extreme(m.next, false)
	if err != nil || !ok {
		return err
	}
	r.Possible, r.ID, r.From = true, id, m.next.TimeOf(tick)
	if tick, _, _, err = m.extreme(m.next, true); err != nil {
		return err
	}
	r.To, r.Always = m.next.TimeOf(tick+1), tick == 1<<m.next.timeBits-1
	if tick, _, _, err = m.extreme(m.old, false); err != nil {
		return err
	}
	r.OldFrom = m.old.TimeOf(tick)
	if tick, _, _, err = m.extreme(m.old, true); err != nil {
		return err
	}
	r.OldTo = m.old.TimeOf(tick + 1)
	return nil
}

// ticksBy is the number of ticks that are over at t.
func (l *Layout) ticksBy(t time.Time) uint64 {
	tick, err := l.TickAt(t)
	switch {
	case errors.Is(err, ErrExhausted):
		return 1 << l.timeBits
	case err != nil:
		return 0
	}
	return tick
}

// ticksBefore is the number of ticks that begin before t.
func (l *Layout) ticksBefore(t time.Time) uint64 {
	n := l.ticksBy(t)
	if l.TimeOf(n).Before(t) {
		n++
	}
	return n
}
