package gameid

import "fmt"

// meeting is the set of numbers that are IDs of two layouts, with ticks within
// bounds. Bits decide everything: a constant fixes its bits, a width those above
// it, and both times are read from the same number. Walking the bits from the
// highest down, it is enough to remember which of the four bounds the ticks still
// touch, so 16 states tell exactly which numbers exist.
type meeting struct {
	old, next *Layout
	banned    [MaxBits]uint8 // per bit: 1 when it cannot be 0, 2 when it cannot be 1

	oldLow, oldHigh, nextLow, nextHigh uint64 // ticks, inclusive

	oldAt, nextAt []uint // SameServer: where each bit of the server number stands, from the lowest
}

// layOut bans the bits that constants, widths and server numbers rule out.
func (m *meeting) layOut(s Switch) error {
	for _, l := range []*Layout{m.old, m.next} {
		m.fix(uint(l.bits), 0, MaxBits-l.bits)
		for i, f := range l.spec.Fields {
			if f.Kind == Constant {
				m.fix(l.shifts[i], f.Value, f.Bits)
			}
		}
	}
	if s.Servers == AnyServers {
		return nil
	}
	oldAt, nextAt := m.old.serverAt(), m.next.serverAt()
	if s.Servers == OneServer {
		if s.Server > m.old.MaxServer() || s.Server > m.next.MaxServer() {
			return fmt.Errorf("server %d does not fit both layouts (%d and %d bits): %w", s.Server, m.old.serverBits, m.next.serverBits, ErrRange)
		}
		for _, at := range [][]uint{oldAt, nextAt} {
			for i, p := range at {
				m.fix(p, s.Server>>i, 1)
			}
		}
		return nil
	}
	both := min(len(oldAt), len(nextAt))
	for _, at := range [][]uint{oldAt, nextAt} {
		for _, p := range at[both:] {
			m.fix(p, 0, 1) // a number that fits both has zeros there
		}
	}
	for i := range both {
		if oldAt[i] != nextAt[i] {
			m.oldAt, m.nextAt = oldAt[:both], nextAt[:both]
			break
		}
	}
	return nil
}

// fix gives width bits from at upward the value v; bits of v above are ignored.
func (m *meeting) fix(at uint, v uint64, width int) {
	for i := range width {
		m.banned[at+uint(i)] |= 2 >> (v >> i & 1)
	}
}

// serverAt returns the positions of the server number's bits, from its lowest up.
func (l *Layout) serverAt() []uint {
	var at []uint
	for i := len(l.spec.Fields) - 1; i >= 0; i-- {
		if f := l.spec.Fields[i]; f.Kind == Server {
			for bit := range f.Bits {
				at = append(at, l.shifts[i]+uint(bit))
			}
		}
	}
	return at
}

// The bounds that the bits read so far still touch.
const (
	atOldLow = 1 << iota
	atOldHigh
	atNextLow
	atNextHigh
	untouched = 0
	start     = atOldLow | atOldHigh | atNextLow | atNextHigh
)

// step reads bit p with the value x; ok is false when no number goes on so.
func (m *meeting) step(state int, p uint, x uint64) (int, bool) {
	if m.banned[p]>>x&1 != 0 {
		return untouched, false
	}
	for _, side := range []struct {
		l             *Layout
		low, high     uint64
		atLow, atHigh int
	}{
		{m.old, m.oldLow, m.oldHigh, atOldLow, atOldHigh},
		{m.next, m.nextLow, m.nextHigh, atNextLow, atNextHigh},
	} {
		if p < side.l.timeShift || p >= side.l.timeShift+side.l.timeBits {
			continue
		}
		low, high := side.low>>(p-side.l.timeShift)&1, side.high>>(p-side.l.timeShift)&1
		if state&side.atLow != 0 && x < low || state&side.atHigh != 0 && x > high {
			return untouched, false
		}
		if x > low {
			state &^= side.atLow
		}
		if x < high {
			state &^= side.atHigh
		}
	}
	return state, true
}

// ways returns, for every number of low bits that are not read yet, the states
// from which they can be read to the end, one bit a state.
func (m *meeting) ways() (ways [MaxBits + 1]uint16) {
	ways[0] = 1<<16 - 1
	for p := range uint(MaxBits) {
		for state := range 16 {
			for x := range uint64(2) {
				if next, ok := m.step(state, p, x); ok && ways[p]>>next&1 != 0 {
					ways[p+1] |= 1 << state
				}
			}
		}
	}
	return ways
}

// relaxed returns the lowest or the highest tick of l, and a number that has it,
// without regard to whether the server numbers are equal.
func (m *meeting) relaxed(l *Layout, highest bool) (tick uint64, id ID, ok bool) {
	ways := m.ways()
	if ways[MaxBits]>>start&1 == 0 {
		return 0, ID{}, false
	}
	want := 0
	if highest {
		want = 1
	}
	reach := uint16(1) << start
	for p := uint(MaxBits); p > 0; p-- {
		var after [2]uint16
		for state := range 16 {
			if reach>>state&1 == 0 {
				continue
			}
			for x := range uint64(2) {
				if next, ok := m.step(state, p-1, x); ok && ways[p-1]>>next&1 != 0 {
					after[x] |= 1 << next
				}
			}
		}
		switch bit := p - 1; {
		case bit < l.timeShift || bit >= l.timeShift+l.timeBits:
			reach = after[0] | after[1]
		case after[want] != 0:
			reach, tick = after[want], tick<<1|uint64(want)
		default:
			reach, tick = after[1-want], tick<<1|uint64(1-want)
		}
	}
	return tick, m.lowest(l, tick), true
}

// lowest returns the lowest number in which l's tick is tick. There is one.
func (m *meeting) lowest(l *Layout, tick uint64) ID {
	fixed := *m
	fixed.fix(l.timeShift, tick, int(l.timeBits))
	ways := fixed.ways()
	var id ID
	state := start
	for p := uint(MaxBits); p > 0; p-- {
		for x := range uint64(2) {
			if next, ok := fixed.step(state, p-1, x); ok && ways[p-1]>>next&1 != 0 {
				id, state = id.with(x, p-1), next
				break
			}
		}
	}
	return id
}

// mostNodes bounds the search for equal server numbers: about a second.
const mostNodes = 20_000

// extreme is relaxed for numbers whose server numbers are equal, where that is
// asked for: it splits by the bits of the server number, from the highest, and
// leaves out every half whose relaxed answer is no better than one that was found.
func (m meeting) extreme(l *Layout, highest bool) (tick uint64, id ID, ok bool, err error) {
	nodes := 0
	var search func(m meeting, bit int)
	search = func(m meeting, bit int) {
		nodes++
		t, candidate, possible := m.relaxed(l, highest)
		switch {
		case !possible || nodes > mostNodes:
			return
		case ok && (t == tick || (t > tick) != highest):
			return
		case m.sameServer(candidate):
			tick, id, ok = t, candidate, true
			return
		}
		for x := range uint64(2) {
			half := m
			half.fix(m.oldAt[bit], x, 1)
			half.fix(m.nextAt[bit], x, 1)
			search(half, bit-1)
		}
	}
	search(m, len(m.oldAt)-1)
	if nodes > mostNodes {
		return 0, ID{}, false, ErrUndecided
	}
	return tick, id, ok, nil
}

func (m *meeting) sameServer(id ID) bool {
	if m.oldAt == nil {
		return true
	}
	hi, lo := id.split()
	for i := range m.oldAt {
		if (unshift(hi, lo, m.oldAt[i])^unshift(hi, lo, m.nextAt[i]))&1 != 0 {
			return false
		}
	}
	return true
}
