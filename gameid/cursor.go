package gameid

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// The issue order of a server's IDs is a plain number, the cursor:
//
//	tick << SequenceBits | sequence
//
// Cursor+1 is the next ID, also across the end of a tick. Everything that hands
// out IDs without a Generator, such as a merge that numbers rows or a store that
// reserves a range, counts cursors and turns them into IDs with At.

// cursorBits is the width of a cursor.
func (l *Layout) cursorBits() uint { return l.timeBits + l.seqBits }

// CheckIssue returns nil when IDs can be issued under the layout, which takes a
// cursor of at most 63 bits, else a *LayoutError.
func (l *Layout) CheckIssue() error {
	if l == nil || l.bits == 0 {
		return errNoLayout
	}
	if l.cursorBits() > 63 {
		return &LayoutError{l.label(), fmt.Sprintf("%d bits of time + %d of sequence = %d > 63, the most that can be counted; it can be decoded but not issued",
			l.timeBits, l.seqBits, l.cursorBits())}
	}
	return nil
}

// Cursors is the number of cursors, so the first one that is out of range. It is
// meaningful for layouts that pass CheckIssue.
func (l *Layout) Cursors() uint64 { return 1 << l.cursorBits() }

// At returns the ID of server at a cursor. A cursor or a server that is out of
// range is ErrRange, a layout that cannot be issued a *LayoutError.
func (l *Layout) At(cursor, server uint64) (ID, error) {
	if err := l.CheckIssue(); err != nil {
		return ID{}, err
	}
	if cursor >= l.Cursors() {
		return ID{}, fmt.Errorf("cursor %d does not fit the %d + %d bits of time and sequence: %w", cursor, l.timeBits, l.seqBits, ErrRange)
	}
	base, err := l.base(server)
	if err != nil {
		return ID{}, err
	}
	return compose(l.place(wideOf(base), cursor)), nil
}

// wide is an ID as two words, which are quicker to reckon with than bytes.
type wide struct{ hi, lo uint64 }

func wideOf(id ID) wide {
	hi, lo := id.split()
	return wide{hi, lo}
}

// unit is 1 << by, a factor that shifts.
func unit(by uint) wide {
	hi, lo := shift(1, by)
	return wide{hi, lo}
}

// times is v * w. Two multiplications are quicker than a shift of two words by a
// number of bits that the compiler does not know.
func (w wide) times(v uint64) (hi, lo uint64) {
	hi, lo = bits.Mul64(v, w.lo)
	return hi + v*w.hi, lo
}

// place puts a cursor that is in range into the base of a server.
func (l *Layout) place(base wide, cursor uint64) (hi, lo uint64) {
	th, tl := l.timeUnit.times(cursor >> (l.seqBits & 63)) // the mask spares the code for shifts of 64 and more
	sh, sl := l.seqUnit.times(cursor & l.seqMask)
	return base.hi | th | sh, base.lo | tl | sl
}

// fill puts the IDs from cursor first on into dst. Within a tick they differ by
// one unit of the sequence, so adding that is enough.
func (l *Layout) fill(dst []ID, base wide, first uint64) {
	stepHi, stepLo := shift(1, l.seqShift)
	for len(dst) > 0 {
		run := min(uint64(len(dst)), 1<<l.seqBits-first&(1<<l.seqBits-1))
		hi, lo := l.place(base, first)
		for i := range dst[:run] {
			id := &dst[i] // written in place: a copy of ten bytes costs as much as the rest
			binary.BigEndian.PutUint64(id[2:], lo)
			binary.BigEndian.PutUint16(id[:2], uint16(hi))
			var carry uint64
			lo, carry = bits.Add64(lo, stepLo, 0)
			hi += stepHi + carry
		}
		dst, first = dst[run:], first+run
	}
}

// Cursor is the inverse of At. The error is ErrForeign, or a *LayoutError for a
// layout that cannot be issued.
func (l *Layout) Cursor(id ID) (cursor, server uint64, err error) {
	if err := l.CheckIssue(); err != nil {
		return 0, 0, err
	}
	p, err := l.Decompose(id)
	if err != nil {
		return 0, 0, err
	}
	return p.Tick<<l.seqBits | p.Sequence, p.Server, nil
}

// CursorAt returns the first cursor of a tick, and Cursors for every tick above
// the last one.
func (l *Layout) CursorAt(tick uint64) uint64 {
	if tick>>l.timeBits != 0 {
		return l.Cursors()
	}
	return tick << l.seqBits
}

// After returns the cursor to issue when next is the lowest free one and the
// clock stands at tick. At a low rate, when the clock is ahead, the low bits of
// the sequence go on counting instead of starting again at 0, so that IDs modulo
// a power of two up to 1024 are spread evenly over shards and partitions.
func (l *Layout) After(next, tick uint64) uint64 {
	return after(next, l.CursorAt(tick), l.spread())
}

func after(next, floor, spread uint64) uint64 {
	if floor > next {
		return floor | next&spread
	}
	return next
}

// spread masks the bits of the sequence that go on counting: at most ten, and
// never the highest, so that at least half of a tick's numbers stay usable.
func (l *Layout) spread() uint64 {
	if l.seqBits == 0 {
		return 0
	}
	return 1<<min(10, l.seqBits-1) - 1
}
