package gameid

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"time"
)

var (
	// ErrBeforeEpoch is returned for an instant before a layout's epoch: the clock
	// is wrong, or the epoch lies in the future.
	ErrBeforeEpoch = errors.New("before the epoch of the layout")
	// ErrExhausted is returned for an instant after a layout's last tick.
	ErrExhausted = errors.New("after the last tick of the layout")
)

// lastYear is the last one that RFC 3339 can write.
const lastYear = 9999

// TickAt returns the tick that holds t. The error is ErrBeforeEpoch or
// ErrExhausted.
func (l *Layout) TickAt(t time.Time) (uint64, error) {
	seconds, nanos := t.Unix()-l.spec.Epoch.Unix(), int64(t.Nanosecond()-l.spec.Epoch.Nanosecond())
	if nanos < 0 {
		seconds, nanos = seconds-1, nanos+1e9
	}
	if seconds < 0 {
		return 0, fmt.Errorf("%s is %w (%s)", t.UTC().Format(time.RFC3339Nano), ErrBeforeEpoch, l.spec.Epoch.Format(time.RFC3339Nano))
	}
	hi, lo := bits.Mul64(uint64(seconds), 1e9)
	lo, carry := bits.Add64(lo, uint64(nanos), 0)
	hi += carry
	if hi < uint64(l.spec.Tick) {
		if tick, _ := bits.Div64(hi, lo, uint64(l.spec.Tick)); tick>>l.timeBits == 0 {
			return tick, nil
		}
	}
	return 0, fmt.Errorf("%s is %w", t.UTC().Format(time.RFC3339Nano), ErrExhausted)
}

// TimeOf returns the start of a tick in UTC, cut to the end of the year 9999 for
// layouts that last longer.
func (l *Layout) TimeOf(tick uint64) time.Time {
	latest := time.Date(lastYear, 12, 31, 23, 59, 59, 999999999, time.UTC)
	hi, lo := bits.Mul64(tick, uint64(l.spec.Tick))
	if hi >= 1e9 {
		return latest
	}
	seconds, nanos := bits.Div64(hi, lo, 1e9)
	if seconds > uint64(latest.Unix()-l.spec.Epoch.Unix()) {
		return latest
	}
	return time.Unix(l.spec.Epoch.Unix()+int64(seconds), int64(l.spec.Epoch.Nanosecond())+int64(nanos)).UTC()
}

// End is the first instant that no ID can carry, cut to the end of the year 9999.
func (l *Layout) End() time.Time { return l.TimeOf(1 << l.timeBits) }

// Years is the lifetime in years of 365.25 days.
func (l *Layout) Years() float64 {
	return math.Ldexp(l.spec.Tick.Seconds(), int(l.timeBits)) / (365.25 * 24 * 3600)
}

// Used is the share of the lifetime that is over at t, from 0 to 1.
func (l *Layout) Used(t time.Time) float64 {
	tick, err := l.TickAt(t)
	switch {
	case errors.Is(err, ErrExhausted):
		return 1
	case err != nil:
		return 0
	}
	return math.Ldexp(float64(tick), -int(l.timeBits))
}

// Rate is how many IDs one server can issue in a second, in the long run.
func (l *Layout) Rate() float64 {
	return math.Ldexp(1, int(l.seqBits)) / l.spec.Tick.Seconds()
}

// Min returns the lowest ID that any server can issue within the tick of t. With
// Max it bounds a span of time in a key column:
//
//	SELECT ... WHERE id BETWEEN Min(from) AND Max(to)
//
// holds every ID whose tick is that of from, that of to, or between them. A generator
// may run ahead of its clock by its run-ahead, so the rows of a burst can have ticks
// a little later than their making. The error is ErrNotTimeOrdered, ErrBeforeEpoch
// or ErrExhausted.
func (l *Layout) Min(t time.Time) (ID, error) {
	if !l.TimeOrdered() {
		return ID{}, ErrNotTimeOrdered
	}
	tick, err := l.TickAt(t)
	if err != nil {
		return ID{}, err
	}
	return l.fixed.with(tick, l.timeShift), nil
}

// Max returns the highest ID that any server can issue within the tick of t. The
// errors are those of Min.
func (l *Layout) Max(t time.Time) (ID, error) {
	id, err := l.Min(t)
	if err != nil {
		return ID{}, err
	}
	for i, f := range l.spec.Fields {
		switch f.Kind {
		case Server, Sequence:
			id = id.with(1<<f.Bits-1, l.shifts[i])
		}
	}
	return id, nil
}
