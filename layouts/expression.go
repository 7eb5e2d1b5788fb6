package layouts

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gameid/gameid/gameid"
)

// Example is a layout expression, for messages and --help.
const Example = "time=37@16ms,server=20,seq=16,epoch=2025-01-01"

// ExpressionError says which part of a layout expression is wrong.
type ExpressionError struct {
	Part   string
	Reason string
}

func (e *ExpressionError) Error() string {
	return fmt.Sprintf("layout expression: %q: %s; an example is %s", e.Part, e.Reason, Example)
}

// Parse reads a layout expression: fields from the most significant to the least
// significant as kind=bits, then the epoch, with commas between.
//
//	time=BITS@TICK    ticks since the epoch; TICK is a duration such as 16ms or 1s
//	server=BITS       the server number; several make one number, high part first
//	seq=BITS          counts within a tick
//	const=BITS:VALUE  a fixed value
//	epoch=TIME        2025-01-01 (UTC), an RFC 3339 time in any zone, or milliseconds
//	                  since 1970, negative before it
//
// gameid.Layout.String writes what Parse reads. Errors are *ExpressionError or
// *gameid.LayoutError.
func Parse(text string) (*gameid.Layout, error) {
	var spec gameid.Spec
	for part := range strings.SplitSeq(text, ",") {
		if err := parsePart(&spec, part); err != nil {
			return nil, &ExpressionError{part, err.Error()}
		}
	}
	if spec.Epoch.IsZero() {
		return nil, &ExpressionError{text, "it has no epoch, the time of tick 0"}
	}
	return gameid.NewLayout(spec)
}

func parsePart(spec *gameid.Spec, part string) error {
	name, value, ok := strings.Cut(part, "=")
	if !ok {
		return errors.New("it has no =")
	}
	if name == "epoch" {
		if !spec.Epoch.IsZero() {
			return errors.New("the epoch is given twice")
		}
		var err error
		spec.Epoch, err = parseEpoch(value)
		return err
	}
	kind, err := parseKind(name)
	if err != nil {
		return err
	}
	f := gameid.Field{Kind: kind}
	switch kind {
	case gameid.Time:
		bits, tick, ok := strings.Cut(value, "@")
		if !ok {
			return errors.New("the time needs its tick, such as time=37@16ms")
		}
		value = bits
		if spec.Tick != 0 {
			return errors.New("the time is given twice")
		}
		if spec.Tick, err = time.ParseDuration(tick); err != nil {
			return errors.New("the tick is no duration such as 16ms")
		}
	case gameid.Constant:
		bits, constant, _ := strings.Cut(value, ":")
		value = bits
		if f.Value, err = strconv.ParseUint(constant, 10, 64); err != nil {
			return errors.New("a constant is written const=BITS:VALUE")
		}
	}
	if f.Bits, err = strconv.Atoi(value); err != nil {
		return errors.New("the width is no number of bits")
	}
	spec.Fields = append(spec.Fields, f)
	return nil
}

func parseKind(word string) (gameid.Kind, error) {
	for _, kind := range []gameid.Kind{gameid.Time, gameid.Server, gameid.Sequence, gameid.Constant} {
		if word == kind.String() {
			return kind, nil
		}
	}
	return 0, fmt.Errorf("a field is time, server, seq or const, not %q", word)
}

// parseEpoch reads a date (00:00 UTC), an RFC 3339 time, or milliseconds since
// 1970, the form in which most Snowflake programs write theirs.
func parseEpoch(text string) (time.Time, error) {
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.UnixMilli(ms).UTC(), nil
	}
	for _, form := range []string{time.DateOnly, time.RFC3339Nano} {
		if t, err := time.Parse(form, text); err == nil {
			if t.IsZero() {
				return t, fmt.Errorf("epoch %q is the time that stands for none; the second after it is possible", text)
			}
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("epoch %q is neither a date, nor an RFC 3339 time, nor milliseconds since 1970", text)
}
