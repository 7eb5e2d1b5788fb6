package cmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
	"github.com/spf13/cobra"
)

// compareOptions are the flags of layouts --compare. Times are texts, empty when they were not given.
type compareOptions struct {
	compare          bool
	at, until, since string
	server           uint64
	oneServer        bool // --server was given
}

func addCompareFlags(c *cobra.Command, o *compareOptions) {
	c.Flags().BoolVar(&o.compare, "compare", false, "say whether IDs of the layout NEW can repeat IDs of the layout OLD, and when (default: list or explain)")
	c.Flags().StringVar(&o.at, "at", "", "with --compare: when NEW begins, an RFC 3339 time (default: now)")
	c.Flags().StringVar(&o.until, "until", "", "with --compare: when the last generator of OLD stops (default: --at)")
	c.Flags().StringVar(&o.since, "since", "", "with --compare: when OLD was first used (default: its epoch)")
	c.Flags().Var((*number)(&o.server), "server", "with --compare: only this server number, in both (default: every number)")
	c.Flags().Lookup("server").DefValue = ""
}

// refuseAlone refuses the flags of --compare without it, but for the server number, which a settings file may give every command.
func (o *compareOptions) refuseAlone(c *cobra.Command) error {
	for _, flag := range []string{"at", "until", "since"} {
		if c.Flags().Changed(flag) {
			return misused(c, fmt.Errorf("--%s needs --compare", flag))
		}
	}
	return nil
}

// comparison is one answer of layouts --compare.
type comparison struct {
	old, next layouts.Layout
	change    gameid.Switch
	gameid.Repeat
}

func (a *app) compareLayouts(c *cobra.Command, args []string, o compareOptions) error {
	if len(args) != 2 {
		return misused(c, fmt.Errorf("--compare needs two layouts, OLD and NEW, not %d", len(args)))
	}
	old, err := layouts.Load(args[0])
	if err != nil {
		return err
	}
	next, err := layouts.Load(args[1])
	if err != nil {
		return err
	}
	s := gameid.Switch{From: time.Now().UTC().Truncate(time.Second)}
	if err := parseTimes(map[string]string{"at": o.at}, map[string]*time.Time{"at": &s.From}); err != nil {
		return misused(c, err)
	}
	s.Since, s.Until = old.Epoch(), s.From
	if err := parseTimes(map[string]string{"until": o.until, "since": o.since}, map[string]*time.Time{"until": &s.Until, "since": &s.Since}); err != nil {
		return misused(c, err)
	}
	switch {
	case s.Since.After(s.Until):
		return misused(c, fmt.Errorf("OLD is in use from --since %s until %s (--until, else --at, else now): that is no time at all; --since has to be before it", moment(s.Since), moment(s.Until)))
	case s.Since.After(old.End()):
		return misused(c, fmt.Errorf("--since %s is after the end of OLD, %s", moment(s.Since), moment(old.End())))
	case s.From.Before(next.Epoch()), s.From.After(next.End()):
		return misused(c, fmt.Errorf("NEW begins at %s (--at, else now), and lasts from %s to %s", moment(s.From), moment(next.Epoch()), moment(next.End())))
	}
	kinds := []gameid.Servers{gameid.AnyServers, gameid.SameServer}
	if o.oneServer {
		kinds, s.Server = []gameid.Servers{gameid.OneServer}, o.server
	}
	answers := make([]comparison, len(kinds))
	for i, kind := range kinds {
		s.Servers = kind
		answers[i] = comparison{old: old, next: next, change: s}
		if answers[i].Repeat, err = gameid.Compare(old.Layout, next.Layout, s); err != nil {
			return err
		}
	}
	if a.format == formatAuto {
		_, err = fmt.Fprint(a.Out, explainComparison(answers, wrapWidth(a.outWidth())))
	} else {
		err = a.listComparisons(answers)
	}
	if err == nil && answers[0].Possible {
		hint := answers[0].remedy()
		if o.since == "" {
			hint += "; --since narrows the answer when OLD is in use for less long than since its epoch"
		}
		err = findings(nil, hint)
	}
	return err
}

func parseTimes(texts map[string]string, targets map[string]*time.Time) error {
	for flag, text := range texts {
		if text == "" {
			continue
		}
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return fmt.Errorf("--%s %s: it is no RFC 3339 time such as 2026-02-03T04:05:06Z", flag, text)
		}
		*targets[flag] = t.UTC()
	}
	return nil
}

func (a *app) listComparisons(answers []comparison) error {
	columns := []string{"old", "new", "servers", "repeats", "from", "to", "seconds", "old_from", "old_to", "old_stop_by", "example_id", "reason"}
	rows := make([][]any, len(answers))
	for i, r := range answers {
		row := []any{layoutLabel(r.old), layoutLabel(r.next), r.servers(), r.answer(), nil, nil, nil, nil, nil, nil, nil, r.reason()}
		if r.Possible {
			seconds := r.To.Unix() - r.From.Unix()
			row[4], row[5], row[6], row[7], row[8], row[10] = r.From, r.To, seconds, r.OldFrom, r.OldTo, r.ID.String()
		}
		if !r.StopBy.IsZero() {
			row[9] = r.StopBy
		}
		rows[i] = row
	}
	return a.printRows(columns, rows)
}

// answer is never, window or always.
func (r *comparison) answer() string {
	switch {
	case !r.Possible:
		return "never"
	case r.Always:
		return "always"
	}
	return "window"
}

func (r *comparison) servers() string {
	switch r.change.Servers {
	case gameid.AnyServers:
		return "any"
	case gameid.SameServer:
		return "same"
	}
	return fmt.Sprint(r.change.Server)
}

// aligned reports whether both layouts count the same ticks in the same bits, so that only their epochs differ.
func (r *comparison) aligned() bool {
	return r.old.Tick() == r.next.Tick() && timeBitsOf(r.old.Layout) == timeBitsOf(r.next.Layout)
}

func timeBitsOf(l *gameid.Layout) string {
	for i, f := range l.Fields() {
		if f.Kind == gameid.Time {
			return fmt.Sprintf("%d to %d", l.Shift(i)+f.Bits-1, l.Shift(i))
		}
	}
	return ""
}

// reason says what decides the answer.
func (r *comparison) reason() string {
	old, next := r.old.Epoch(), r.next.Epoch()
	switch {
	case !r.Shared:
		return r.apart() + ": no number is an ID of both"
	case !r.aligned():
		return fmt.Sprintf("the time stands in bits %s of OLD (ticks of %s) and in bits %s of NEW (ticks of %s), so one number means two times; all numbers were compared bit by bit",
			timeBitsOf(r.old.Layout), r.old.Tick(), timeBitsOf(r.next.Layout), r.next.Tick())
	case next.Equal(old):
		return "both count the same ticks in the same bits from the same epoch: one number means one time, and NEW begins after OLD has ended"
	case next.Before(old):
		return fmt.Sprintf("both count the same ticks in the same bits, and NEW's epoch is %s earlier: its numbers are that far ahead of OLD's", spanText(next, old))
	}
	return fmt.Sprintf("both count the same ticks in the same bits, and NEW's epoch is %s later: every number comes back that long after OLD issued it", spanText(old, next))
}

// apart names the highest bit that is never the same in both layouts.
func (r *comparison) apart() string {
	for bit := gameid.MaxBits - 1; bit >= 0; bit-- {
		old, next := fixedBit(r.old.Layout, bit), fixedBit(r.next.Layout, bit)
		if old != next && old != "" && next != "" {
			return fmt.Sprintf("bit %d is %s in every ID of OLD and %s in every ID of NEW", bit, old, next)
		}
	}
	return "the constants and the server number do not go together"
}

// fixedBit is the value of a bit that is the same in every ID of a layout, or "".
func fixedBit(l *gameid.Layout, bit int) string {
	if bit >= l.Bits() {
		return "0"
	}
	for i, f := range l.Fields() {
		if at := bit - l.Shift(i); f.Kind == gameid.Constant && at >= 0 && at < f.Bits {
			return fmt.Sprint(f.Value >> at & 1)
		}
	}
	return ""
}

// remedy is the next step after repeats.
func (r *comparison) remedy() string {
	if later := r.next.Epoch().Sub(r.old.Epoch()); r.aligned() && later > 0 && later <= 31*24*time.Hour {
		return fmt.Sprintf("keep OLD's epoch; or stop OLD, wait %s, then begin with NEW (check it with --until and --at)", spanText(r.old.Epoch(), r.next.Epoch()))
	}
	return "keep OLD's epoch and layout; or tell NEW apart by a constant bit, or by server numbers that OLD never had (check one with --server)"
}

// spanText writes the time from a to b for a person: exact up to two days, in days or years above.
func spanText(a, b time.Time) string {
	switch days := float64(b.Unix()-a.Unix()) / (24 * 3600); {
	case days <= 2:
		text := b.Sub(a).String()
		if strings.HasSuffix(text, "m0s") {
			text = strings.TrimSuffix(text, "0s")
		}
		if strings.HasSuffix(text, "h0m") {
			text = strings.TrimSuffix(text, "0m")
		}
		return text
	case days < 731:
		return fmt.Sprintf("%.1f days", days)
	default:
		return fmt.Sprintf("%.1f years", days/365.25)
	}
}

// explainComparison is the answer for a person.
func explainComparison(answers []comparison, width int) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		b.WriteString(wrapText(fmt.Sprintf(format, args...), fmt.Sprintf("%-12s ", name), strings.Repeat(" ", 13), width))
	}
	first := answers[0]
	for i, l := range []layouts.Layout{first.old, first.next} {
		if line([]string{"OLD", "NEW"}[i], "%s", l); l.Name() != "" {
			line("", "%s", l.Name())
		}
		line("", "%s", []string{
			"in use from " + moment(first.change.Since) + " until " + moment(first.change.Until),
			"in use from " + moment(first.change.From) + " on",
		}[i])
	}
	b.WriteByte('\n')
	for _, r := range answers {
		name := map[string]string{"any": "any servers", "same": "same server"}[r.servers()]
		if name == "" {
			name = "server " + r.servers()
		}
		switch {
		case r.Always:
			line(name, "CAN REPEAT, from %s to the end of NEW, %s", moment(r.From), moment(r.To))
		case r.Possible:
			line(name, "CAN REPEAT for %s, from %s to %s", spanText(r.From, r.To), moment(r.From), moment(r.To))
		default:
			line(name, "never repeats")
		}
		if r.Possible {
			line("", "what OLD issued from %s to %s", moment(r.OldFrom), moment(r.OldTo))
		}
	}
	line("why", "%s", first.reason())
	if !first.StopBy.IsZero() {
		line("meanwhile", "a generator of OLD that still ran at %s could issue numbers of NEW", moment(first.StopBy))
	}
	if first.Possible {
		for i, l := range []layouts.Layout{first.old, first.next} {
			p, _ := l.Decompose(first.ID) // it is an ID of both
			line([]string{"example", ""}[i], "%s is %s of %s, %s", first.ID, []string{"OLD's", "NEW's"}[i], moment(l.TimeOf(p.Tick)), otherFields(l.Layout, first.ID))
		}
	}
	return b.String()
}

// otherFields shows every field but the time and the constants.
func otherFields(l *gameid.Layout, id gameid.ID) string {
	var texts []string
	for i, f := range l.Fields() {
		if f.Kind == gameid.Server || f.Kind == gameid.Sequence {
			texts = append(texts, fmt.Sprintf("%s=%d", f.Label(), l.Part(id, i)))
		}
	}
	return strings.Join(texts, " ")
}

func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
