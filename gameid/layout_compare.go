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

// Switch is a change from one layout to another. A tick of at most a second that
// both layouts count and that is under way at both Until and From is left out,
// the old layout's against the new one's: a restart takes longer.
type Switch struct {
	Since   time.Time // when the old layout was first used; zero means from its epoch on
	Until   time.Time // the old layout issues only ticks that have begun before then
	From    time.Time // the new layout issues only ticks that end after then
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

// Compare says whether IDs of next can repeat IDs of old, when, and for how long.
// It is exact: an argument over the bits of all numbers, not a sample. Sequences
// are free, since a restart may begin anywhere in a tick. The error is ErrRange for
// a server that does not fit both layouts.
func Compare(old, next *Layout, s Switch) (Repeat, error) {
	m, shared, err := newMeeting(old, next, s)
	if err != nil || !shared {
		return Repeat{}, err
	}
	r := Repeat{Shared: true}
	oldLast, nextLast := uint64(1)<<old.timeBits-1, uint64(1)<<next.timeBits-1
	begun, ended := next.ticksBy(s.From), old.ticksBefore(s.Until)
	if begun > nextLast {
		return r, nil // the new layout has run out
	}
	m.within(m.bits, next, begun, nextLast, func(k known) {
		if ended <= oldLast {
			m.within(k, old, ended, oldLast, func(k known) {
				if at := old.TimeOf(m.tick(&k, old, 0)); r.StopBy.IsZero() || at.Before(r.StopBy) {
					r.StopBy = at
				}
			})
		}
	})
	first, err := old.TickAt(s.Since)
	if ended == 0 || errors.Is(err, ErrExhausted) {
		return r, nil // the old layout has issued nothing
	}
	var repeated, repeating span
	look := func(begun, nextLast, oldLast uint64) {
		m.within(m.bits, next, begun, nextLast, func(k known) {
			m.within(k, old, first, oldLast, func(k known) {
				low, id := m.tick(&k, next, 0), m.lowest(&k)
				if !r.Possible || low < repeating.low || low == repeating.low && id.Compare(r.ID) < 0 {
					r.ID = id
				}
				r.Possible = true
				repeating.add(low, m.tick(&k, next, 1))
				repeated.add(m.tick(&k, old, 0), m.tick(&k, old, 1))
			})
		})
	}
	oldLast = min(oldLast, ended-1)
	if s.restarts(old, next, oldLast, begun) {
		if oldLast > first {
			look(begun, begun, oldLast-1)
		}
		begun++
	}
	if begun <= nextLast {
		look(begun, nextLast, oldLast)
	}
	if r.Possible {
		r.From, r.To, r.Always = next.TimeOf(repeating.low), next.TimeOf(repeating.high+1), repeating.high == nextLast
		r.OldFrom, r.OldTo = old.TimeOf(repeated.low), old.TimeOf(repeated.high+1)
	}
	return r, nil
}

// restarts tells whether the old layout's last tick and the new one's first are the same time, in which it stops and the other begins.
func (s Switch) restarts(old, next *Layout, last, first uint64) bool {
	return old.Tick() == next.Tick() && old.Tick() <= time.Second && old.TimeOf(last).Equal(next.TimeOf(first)) && !s.From.Before(s.Until)
}

// span is the range of some ticks; the zero span has none.
type span struct {
	low, high uint64
	some      bool
}

func (s *span) add(low, high uint64) {
	if !s.some {
		*s = span{low, high, true}
	}
	s.low, s.high = min(s.low, low), max(s.high, high)
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
