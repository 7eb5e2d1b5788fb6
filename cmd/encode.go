package cmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
	"github.com/spf13/cobra"
)

func newEncodeCommand(a *app) *cobra.Command {
	var layout string
	var f form
	var lowest, highest bool
	c := &cobra.Command{
		Use:     "encode FIELD=VALUE...",
		GroupID: groupIDs,
		Short:   "Make an ID of given fields",
		Long: `Make the ID that has the given fields, for tests and for bounds of queries.
Nothing is reserved: use gen for the keys of new rows.

  time=2026-02-03T04:05:06Z   an RFC 3339 time, or instead
  tick=1000                   the number of ticks since the epoch
  server=1042                 the server number, or each of its named parts as decode
                              shows them: platform=3 server=7
  seq=0                       the sequence (default 0)

--min and --max take a time alone and give the lowest and the highest ID that any
server can issue within its tick, in layouts that are ordered by time: all that was
issued from one moment to another is BETWEEN the --min of the first and the --max of
the second.`,
		Example: `  gameid encode time=2026-02-03T04:05:06Z server=1042
  sqlite3 game.db "SELECT count(*) FROM items WHERE id BETWEEN
    $(gameid encode --layout game63 --min time=2026-02-03T00:00:00Z) AND
    $(gameid encode --layout game63 --max time=2026-02-03T23:59:59.999Z)"
  gameid encode --layout snowflake tick=5 datacenter=3 worker=17 seq=9`,
		Args: atLeastOne("field given: name them, as in 'encode time=2026-02-03T04:05:06Z server=1042'"),
		RunE: func(c *cobra.Command, args []string) error {
			l, err := layouts.Load(layout)
			if err != nil {
				return err
			}
			var id gameid.ID
			if lowest || highest {
				id, err = bound(c, l, args, highest)
			} else {
				id, err = compose(c, l, args)
			}
			if err != nil {
				return err
			}
			out := a.newIDWriter(f)
			if err := out.write(id); err != nil {
				return err
			}
			return out.close()
		},
	}
	addLayoutFlag(c, &layout, "")
	a.addFormFlag(c, &f)
	c.Flags().BoolVar(&lowest, "min", false, "the lowest ID of any server at a time (default: the ID of the given fields)")
	c.Flags().BoolVar(&highest, "max", false, "the highest ID of any server at a time (default: the ID of the given fields)")
	c.MarkFlagsMutuallyExclusive("min", "max")
	return c
}

// compose is the ID of field=value arguments.
func compose(c *cobra.Command, l layouts.Layout, args []string) (gameid.ID, error) {
	parts, err := parseParts(l.Layout, args)
	if err != nil {
		return gameid.ID{}, misused(c, err)
	}
	return l.Compose(parts)
}

// bound is the lowest or the highest ID at the time of the one argument time=TIME.
func bound(c *cobra.Command, l layouts.Layout, args []string, highest bool) (gameid.ID, error) {
	text, ok := strings.CutPrefix(args[0], "time=")
	if !ok || len(args) > 1 {
		return gameid.ID{}, misused(c, fmt.Errorf("--min and --max take time=TIME alone: they bound the IDs of every server"))
	}
	at, err := parseTime(text)
	if err != nil {
		return gameid.ID{}, misused(c, err)
	}
	limit := l.Min
	if highest {
		limit = l.Max
	}
	id, err := limit(at)
	if errors.Is(err, gameid.ErrNotTimeOrdered) {
		return gameid.ID{}, trouble(fmt.Errorf("layout %s: %w", layoutLabel(l), err), "its IDs of a time are no one range; ask for each server by itself, from seq=0 up, or filter by decode")
	}
	return id, outsideOf(l.Layout, err)
}

// outsideOf gives the times of a layout to who typed one that it has not. The clock has nothing to do with it.
func outsideOf(l *gameid.Layout, err error) error {
	if errors.Is(err, gameid.ErrBeforeEpoch) || errors.Is(err, gameid.ErrExhausted) {
		return trouble(err, fmt.Sprintf("give a time from %s until %s, or another layout with --layout", l.Epoch().Format(time.RFC3339), l.End().Format(time.RFC3339)))
	}
	return err
}

// parseTime reads the value of time=.
func parseTime(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("time=%s: it is no RFC 3339 time such as 2026-02-03T04:05:06Z; a count of ticks is tick=N", text)
	}
	return t, nil
}

// parseParts reads field=value arguments.
func parseParts(l *gameid.Layout, args []string) (gameid.Parts, error) {
	names := []string{"time", "tick", "server", "seq"}
	for _, f := range l.Fields() {
		names = append(names, f.Label())
	}
	values := map[string]string{}
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if ok && !slices.Contains(names, name) {
			return gameid.Parts{}, fmt.Errorf("layout %s has no field %s", l.Name(), name)
		}
		if _, twice := values[name]; !ok || twice {
			return gameid.Parts{}, fmt.Errorf("%q: each field is given once, as field=value", arg)
		}
		values[name] = value
	}
	take := func(name string, target *uint64) (bool, error) {
		text, ok := values[name]
		if !ok {
			return false, nil
		}
		delete(values, name)
		var err error
		if *target, err = parseNumber(text); err != nil {
			return true, fmt.Errorf("%s=%s: %w", name, text, err)
		}
		return true, nil
	}
	var p gameid.Parts
	ticked, err := take("tick", &p.Tick)
	if err != nil {
		return p, err
	}
	if text, ok := values["time"]; ok {
		if ticked {
			return p, fmt.Errorf("time and tick say the same; give one of them")
		}
		delete(values, "time")
		t, err := parseTime(text)
		if err != nil {
			return p, err
		}
		if p.Tick, err = l.TickAt(t); err != nil {
			return p, outsideOf(l, err)
		}
	} else if !ticked {
		return p, fmt.Errorf("time is missing")
	}
	whole := true // server= is the part of that name beside another part, as decode shows them
	for _, f := range l.Fields() {
		whole = whole && (f.Kind != gameid.Server || f.Label() == "server" || !hasKey(values, f.Label()))
	}
	if whole {
		if whole, err = take("server", &p.Server); err != nil {
			return p, err
		}
	}
	for _, f := range l.Fields() {
		if whole || f.Kind != gameid.Server {
			continue
		}
		var part uint64
		given, err := take(f.Label(), &part)
		switch {
		case err != nil:
			return p, err
		case !given:
			return p, fmt.Errorf("%s is missing", f.Label())
		case part>>f.Bits != 0:
			return p, fmt.Errorf("%s=%d does not fit %d bits", f.Label(), part, f.Bits)
		}
		p.Server = p.Server<<f.Bits | part
	}
	if _, err := take("seq", &p.Sequence); err != nil {
		return p, err
	}
	for _, arg := range args {
		if name, _, _ := strings.Cut(arg, "="); hasKey(values, name) {
			return p, fmt.Errorf("layout %s has no field %s", l.Name(), name)
		}
	}
	return p, nil
}

func hasKey(m map[string]string, key string) bool {
	_, ok := m[key]
	return ok
}
