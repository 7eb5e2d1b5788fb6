package gameid

import (
	"errors"
	"fmt"
)

// Parts are the numbers inside an ID.
type Parts struct {
	Tick     uint64 // since the layout's epoch; Layout.TimeOf makes a time of it
	Server   uint64
	Sequence uint64
}

// ErrForeign is returned for an ID that the layout cannot have made: it has bits
// above the layout's width, or a constant field holds something else.
var ErrForeign = errors.New("not an ID of this layout")

// Compose makes an ID of its parts. A part that does not fit its field is
// ErrRange; nothing is ever cut off.
func (l *Layout) Compose(p Parts) (ID, error) {
	switch {
	case p.Tick>>l.timeBits != 0:
		return ID{}, fmt.Errorf("tick %d does not fit %d bits: %w", p.Tick, l.timeBits, ErrRange)
	case p.Sequence>>l.seqBits != 0:
		return ID{}, fmt.Errorf("sequence %d does not fit %d bits: %w", p.Sequence, l.seqBits, ErrRange)
	}
	base, err := l.base(p.Server)
	if err != nil {
		return ID{}, err
	}
	return base.with(p.Tick, l.timeShift).with(p.Sequence, l.seqShift), nil
}

// CheckServer returns nil when the server number fits the layout, else ErrRange.
func (l *Layout) CheckServer(server uint64) error {
	if l == nil {
		return errNoLayout
	}
	if server > l.MaxServer() {
		return fmt.Errorf("server %d is out of range, layout %s has %d bits for it (0 to %d): %w",
			server, l.label(), l.serverBits, l.MaxServer(), ErrRange)
	}
	return nil
}

// base is the ID of a server with tick and sequence 0.
func (l *Layout) base(server uint64) (ID, error) {
	if err := l.CheckServer(server); err != nil {
		return ID{}, err
	}
	id, below := l.fixed, l.serverBits
	for i, f := range l.spec.Fields {
		if f.Kind == Server {
			below -= uint(f.Bits)
			id = id.with(server>>below&(1<<f.Bits-1), l.shifts[i])
		}
	}
	return id, nil
}

// Decompose takes an ID apart. The error is ErrForeign.
func (l *Layout) Decompose(id ID) (Parts, error) {
	if id.Bits() > l.bits {
		return Parts{}, fmt.Errorf("%s has %d bits, layout %s has %d: %w", id, id.Bits(), l.label(), l.bits, ErrForeign)
	}
	var p Parts
	hi, lo := id.split()
	for i, f := range l.spec.Fields {
		v := unshift(hi, lo, l.shifts[i])
		if f.Bits < 64 {
			v &= 1<<f.Bits - 1
		}
		switch f.Kind {
		case Time:
			p.Tick = v
		case Server:
			p.Server = p.Server<<f.Bits | v
		case Sequence:
			p.Sequence = v
		case Constant:
			if v != f.Value {
				return Parts{}, fmt.Errorf("%s has %d in the field %s, layout %s has %d: %w", id, v, f.Label(), l.label(), f.Value, ErrForeign)
			}
		}
	}
	return p, nil
}

// Part returns the value of field i of Fields in id.
func (l *Layout) Part(id ID, i int) uint64 {
	hi, lo := id.split()
	v := unshift(hi, lo, l.shifts[i])
	if width := l.spec.Fields[i].Bits; width < 64 {
		v &= 1<<width - 1
	}
	return v
}

// label is the name of the layout, or its expression.
func (l *Layout) label() string {
	if l.spec.Name != "" {
		return l.spec.Name
	}
	return l.String()
}
