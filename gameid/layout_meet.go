package gameid

import "fmt"

// meeting is the set of numbers that are IDs of two layouts. Bits decide it:
// constants and widths fix some, equal server numbers tie others together. What
// remains is a set of ties, each free to be 0 or 1.
type meeting struct {
	old, next *Layout
	tie       [MaxBits]uint8 // of each bit; bits with one tie are equal
	bits      known
}

// known is the value of every tie.
type known [MaxBits]bit

// bit is the value of a tie: free until it is fixed.
type bit uint8

const (
	free bit = iota
	zero
	one
)

// newMeeting fixes and ties the bits of the numbers that are IDs of both layouts.
// ok is false when there are none.
func newMeeting(old, next *Layout, s Switch) (m *meeting, ok bool, err error) {
	m, ok = &meeting{old: old, next: next}, true
	for p := range m.tie {
		m.tie[p] = uint8(p)
	}
	for _, l := range []*Layout{old, next} {
		for p := l.bits; p < MaxBits; p++ {
			ok = m.fix(&m.bits, uint(p), 0) && ok
		}
		for i, f := range l.spec.Fields {
			for p := 0; f.Kind == Constant && p < f.Bits; p++ {
				ok = m.fix(&m.bits, l.shifts[i]+uint(p), f.Value>>p) && ok
			}
		}
	}
	if s.Servers == AnyServers {
		return m, ok, nil
	}
	if s.Servers == OneServer && (s.Server > old.MaxServer() || s.Server > next.MaxServer()) {
		return nil, false, fmt.Errorf("server %d does not fit both layouts (%d and %d bits): %w", s.Server, old.serverBits, next.serverBits, ErrRange)
	}
	oldAt, nextAt := old.serverAt(), next.serverAt()
	for i := range max(len(oldAt), len(nextAt)) {
		switch {
		case i >= len(oldAt): // a number that fits both has zeros there
			ok = m.fix(&m.bits, nextAt[i], 0) && ok
		case i >= len(nextAt):
			ok = m.fix(&m.bits, oldAt[i], 0) && ok
		default:
			ok = m.join(oldAt[i], nextAt[i]) && ok
			if s.Servers == OneServer {
				ok = m.fix(&m.bits, oldAt[i], s.Server>>i) && ok
			}
		}
	}
	return m, ok, nil
}

// serverAt returns the positions of the server number's bits, from its lowest up.
func (l *Layout) serverAt() []uint {
	var at []uint
	for i := len(l.spec.Fields) - 1; i >= 0; i-- {
		if f := l.spec.Fields[i]; f.Kind == Server {
			for p := range f.Bits {
				at = append(at, l.shifts[i]+uint(p))
			}
		}
	}
	return at
}

// fix gives a position, and all that is tied to it, the lowest bit of v. It
// reports whether that is possible.
func (m *meeting) fix(k *known, at uint, v uint64) bool {
	tie, want := m.tie[at], zero+bit(v&1)
	if k[tie] == free {
		k[tie] = want
	}
	return k[tie] == want
}

// join ties two positions together. It reports whether that is possible.
func (m *meeting) join(a, b uint) bool {
	from, to := m.tie[a], m.tie[b]
	switch value := m.bits[from]; {
	case from == to:
		return true
	case value != free && !m.fix(&m.bits, b, uint64(value-zero)):
		return false
	}
	for p := range m.tie {
		if m.tie[p] == from {
			m.tie[p] = to
		}
	}
	return true
}

// within calls yield for sets of numbers that together are those whose tick in l is
// from low to high. A tick is above low when it equals low down to some bit and has
// a 1 where low has a 0, and so on: a few dozen sets for each bound.
func (m *meeting) within(k known, l *Layout, low, high uint64, yield func(known)) {
	m.bound(k, l, low, 1, func(k known) {
		m.bound(k, l, high, 0, yield)
	})
}

// bound yields the sets of numbers whose tick in l is limit, or beyond it: above it
// when beyond is 1, below it when beyond is 0.
func (m *meeting) bound(k known, l *Layout, limit, beyond uint64, yield func(known)) {
	if last := uint64(1)<<l.timeBits - 1; limit == last*(1-beyond) {
		yield(k) // it bounds nothing
		return
	}
	for p := int(l.timeBits) - 1; p >= 0; p-- {
		at := l.timeShift + uint(p)
		if limit>>p&1 != beyond {
			if apart := k; m.fix(&apart, at, beyond) {
				yield(apart)
			}
		}
		if !m.fix(&k, at, limit>>p) {
			return
		}
	}
	yield(k)
}

// tick is the lowest tick of l in a set, or the highest when open is 1.
func (m *meeting) tick(k *known, l *Layout, open uint64) (tick uint64) {
	for p := int(l.timeBits) - 1; p >= 0; p-- {
		v := open
		if value := k[m.tie[l.timeShift+uint(p)]]; value != free {
			v = uint64(value - zero)
		}
		tick = tick<<1 | v
	}
	return tick
}

// lowest is the lowest number in a set.
func (m *meeting) lowest(k *known) (id ID) {
	for p, tie := range m.tie {
		if k[tie] == one {
			id = id.with(1, uint(p))
		}
	}
	return id
}
