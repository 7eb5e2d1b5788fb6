package gameid

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// Kind says what a field of a layout holds.
type Kind uint8

// The kinds of fields.
const (
	Time     Kind = iota + 1 // ticks since the epoch; exactly one field
	Server                   // the server number, or a part of it from high to low; any number of fields
	Sequence                 // counts within a tick; at most one field
	Constant                 // always the same value, such as a reserved 0
)

// String returns the word used in layout expressions and files.
func (k Kind) String() string {
	switch k {
	case Time:
		return "time"
	case Server:
		return "server"
	case Sequence:
		return "seq"
	case Constant:
		return "const"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Field is a run of bits in an ID.
type Field struct {
	Kind  Kind
	Name  string // for people, such as "datacenter"; empty means the kind's own word
	Bits  int    // at least 1
	Value uint64 // of a Constant
}

// Label is the name of f, or the word of its kind when it has none.
func (f Field) Label() string {
	if f.Name != "" {
		return f.Name
	}
	return f.Kind.String()
}

// Spec describes a layout; NewLayout makes one of it.
type Spec struct {
	Name   string        // for messages, such as "game"; may be empty
	Fields []Field       // from the most significant to the least significant
	Tick   time.Duration // the unit of the time field
	Epoch  time.Time     // the start of tick 0; any instant, also before 1970
}

// Layout shares out the bits of an ID. It never changes after NewLayout, and
// goroutines may share it.
type Layout struct {
	spec   Spec
	bits   int
	fixed  ID     // the constants, in place
	shifts []uint // of each field

	timeShift, timeBits uint
	seqShift, seqBits   uint // both 0 without a sequence
	serverBits          uint // of all parts together
	seqMask             uint64
	timeUnit, seqUnit   wide // what one more tick, or number, adds to an ID; see place
}

// LayoutError says why a layout cannot work. NewLayout, NewGenerator and the
// ceilings return it.
type LayoutError struct {
	Layout string // its name, or its expression
	Reason string
}

func (e *LayoutError) Error() string { return fmt.Sprintf("layout %s: %s", e.Layout, e.Reason) }

// errNoLayout is said where a layout is used first, so that a forgotten one is no panic.
var errNoLayout = errors.New("gameid: there is no layout: make one with NewLayout or layouts.Load, and look at its error")

var (
	// ErrTooWide is in the errors of everything that needs an ID of at most 63
	// bits and was given a layout that has more.
	ErrTooWide = errors.New("more than 63 bits")
	// ErrNotTimeOrdered is returned by Min and Max for a layout whose IDs do not
	// sort by time.
	ErrNotTimeOrdered = errors.New("gameid: the layout is not ordered by time")
)

// NewLayout checks spec and makes a layout of it. The error is a *LayoutError.
func NewLayout(spec Spec) (*Layout, error) {
	spec.Fields = slices.Clone(spec.Fields)
	spec.Epoch = spec.Epoch.Round(0).UTC()
	l := &Layout{spec: spec, shifts: make([]uint, len(spec.Fields))}
	refuse := func(format string, args ...any) (*Layout, error) {
		name := spec.Name
		if name == "" {
			name = l.String()
		}
		return nil, &LayoutError{name, fmt.Sprintf(format, args...)}
	}
	count := map[Kind]int{}
	for _, f := range spec.Fields {
		if f.Bits < 1 || f.Bits > MaxBits {
			return refuse("field %s has %d bits; 1 to %d are possible", f.Label(), f.Bits, MaxBits)
		}
		count[f.Kind]++
		l.bits += f.Bits
	}
	switch {
	case count[Time] != 1:
		return refuse("it has %d time fields and needs exactly one", count[Time])
	case count[Sequence] > 1:
		return refuse("it has %d sequence fields; at most one can be counted", count[Sequence])
	case len(spec.Fields) != count[Time]+count[Server]+count[Sequence]+count[Constant]:
		return refuse("a field is of no known kind")
	case l.bits > MaxBits:
		return refuse("%s > %d, the most that an ID holds", l.sum(), MaxBits)
	case spec.Tick <= 0:
		return refuse("its tick is %v and must be more than 0", spec.Tick)
	case spec.Epoch.IsZero():
		return refuse("it has no epoch")
	case spec.Epoch.Year() < 0 || spec.Epoch.Year() > lastYear:
		return refuse("its epoch is not in the years 0 to %d", lastYear)
	}
	at := uint(l.bits)
	for i, f := range spec.Fields {
		at -= uint(f.Bits)
		l.shifts[i] = at
		switch f.Kind {
		case Time:
			l.timeShift, l.timeBits = at, uint(f.Bits)
		case Server:
			l.serverBits += uint(f.Bits)
		case Sequence:
			l.seqShift, l.seqBits = at, uint(f.Bits)
		case Constant:
			if bits.Len64(f.Value) > f.Bits {
				return refuse("the value %d of field %s does not fit its %d bits", f.Value, f.Label(), f.Bits)
			}
			l.fixed = l.fixed.with(f.Value, at)
		}
	}
	if l.timeBits > 63 || l.serverBits > 63 || l.seqBits > 63 {
		return refuse("time, server and sequence can have at most 63 bits each")
	}
	l.seqMask = 1<<l.seqBits - 1
	l.timeUnit, l.seqUnit = unit(l.timeShift), unit(l.seqShift)
	return l, nil
}

// with returns id with v set at a bit where id has zeros.
func (id ID) with(v uint64, at uint) ID {
	hi, lo := id.split()
	h, w := shift(v, at)
	return compose(hi|h, lo|w)
}

// Name is the name that the layout was given, or "".
func (l *Layout) Name() string { return l.spec.Name }

// Fields returns the fields from high to low. The slice is the caller's own.
func (l *Layout) Fields() []Field { return slices.Clone(l.spec.Fields) }

// Shift is the position of the lowest bit of field i of Fields.
func (l *Layout) Shift(i int) int { return int(l.shifts[i]) }

// Tick is the unit of the time field.
func (l *Layout) Tick() time.Duration { return l.spec.Tick }

// Epoch is the instant of tick 0, in UTC.
func (l *Layout) Epoch() time.Time { return l.spec.Epoch }

// Bits is the width of the layout's IDs.
func (l *Layout) Bits() int { return l.bits }

// TimeBits is the width of the time.
func (l *Layout) TimeBits() int { return int(l.timeBits) }

// ServerBits is the width of the server number, its parts together.
func (l *Layout) ServerBits() int { return int(l.serverBits) }

// SequenceBits is the width of the sequence.
func (l *Layout) SequenceBits() int { return int(l.seqBits) }

// MaxServer is the highest server number.
func (l *Layout) MaxServer() uint64 { return 1<<l.serverBits - 1 }

// TimeOrdered reports whether later IDs are greater: nothing but constants stands
// above the time.
func (l *Layout) TimeOrdered() bool {
	for _, f := range l.spec.Fields {
		if f.Kind != Constant {
			return f.Kind == Time
		}
	}
	return false
}

// String returns the layout as an expression that package layouts reads, without
// its name. Layouts with equal expressions issue the same IDs: neighbouring parts
// of the server are written as one, for together they are one number.
func (l *Layout) String() string {
	var b strings.Builder
	for i := 0; i < len(l.spec.Fields); i++ {
		f := l.spec.Fields[i]
		for f.Kind == Server && i+1 < len(l.spec.Fields) && l.spec.Fields[i+1].Kind == Server {
			i++
			f.Bits += l.spec.Fields[i].Bits
		}
		fmt.Fprintf(&b, "%s=%d", f.Kind, f.Bits)
		switch f.Kind {
		case Time:
			fmt.Fprintf(&b, "@%s", l.spec.Tick)
		case Constant:
			fmt.Fprintf(&b, ":%d", f.Value)
		}
		b.WriteByte(',')
	}
	b.WriteString("epoch=" + l.spec.Epoch.Format(time.RFC3339Nano))
	return b.String()
}

// sum shows the addition of the widths: "37 + 20 + 16 = 73 bits".
func (l *Layout) sum() string {
	widths := make([]string, len(l.spec.Fields))
	for i, f := range l.spec.Fields {
		widths[i] = fmt.Sprint(f.Bits)
	}
	return fmt.Sprintf("%s = %d bits", strings.Join(widths, " + "), l.bits)
}
