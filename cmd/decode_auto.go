package cmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
)

// guesses are the rows of an ID under --layout auto, the most plausible preset first.
func (d *decoder) guesses(id gameid.ID) ([]decoded, error) {
	now := time.Now()
	found, err := layouts.Guesses(id, now)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("under no preset is the time of %s plausible", id)
	}
	rows := make([]decoded, len(found))
	for i, g := range found {
		rows[i] = decoded{
			text: id.String(), layout: g.Name(), time: &g.Time, id: &id, parts: &g.Parts, fields: fieldsText(g.Layout.Layout, id),
			why: because(found, i, id, now),
		}
	}
	return rows, nil
}

// because says what speaks for and against a guess: its age, how small server and sequence are, its width, and who else counts its ticks.
func because(guesses []layouts.Guess, i int, id gameid.ID, now time.Time) string {
	g := guesses[i]
	reasons := []string{ageText(g.Time, now)}
	var low, high []string
	for i, f := range g.Fields() {
		if f.Kind != gameid.Server && f.Kind != gameid.Sequence {
			continue
		}
		v, most := g.Part(id, i), uint64(1)<<f.Bits-1
		if text := fmt.Sprintf("%s %d of %d", f.Label(), v, most); v*v <= most {
			low = append(low, text)
		} else {
			high = append(high, text)
		}
	}
	for _, side := range []struct {
		texts []string
		word  string
	}{{low, "low"}, {high, "not low"}} {
		if len(side.texts) > 0 {
			reasons = append(reasons, side.word+": "+strings.Join(side.texts, ", "))
		}
	}
	reasons = append(reasons, fmt.Sprintf("%d of %d bits", id.Bits(), g.Bits()))
	if g.Public {
		reasons = append(reasons, "a public service")
	}
	for _, other := range guesses[:i] {
		if !sameTicks(other, g) {
			continue
		}
		if other.Time.Equal(g.Time) {
			reasons = append(reasons, "the same time as "+other.Name())
		} else {
			reasons = append(reasons, "the same ticks as "+other.Name()+", another epoch")
		}
		break
	}
	return strings.Join(reasons, "; ")
}

// sameTicks reports whether two guesses read the same tick from an ID.
func sameTicks(a, b layouts.Guess) bool {
	return a.Tick() == b.Tick() && a.Parts.Tick == b.Parts.Tick
}

// ageText is how long ago something was made.
func ageText(at, now time.Time) string {
	switch age := now.Sub(at); {
	case age < 0:
		return "ahead of the clock, by less than a day"
	case age < 48*time.Hour:
		return fmt.Sprintf("%.0f hours ago", age.Hours())
	case age < 731*24*time.Hour:
		return fmt.Sprintf("%.0f days ago", age.Hours()/24)
	default:
		return fmt.Sprintf("%.1f years ago", age.Hours()/24/365.25)
	}
}

// guessBlock writes the guesses for one ID for a person.
func (d *decoder) guessBlock(rows []decoded) error {
	var b strings.Builder
	if d.total > 1 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s\n\n", rows[0].text)
	widest := 0
	for _, r := range rows {
		widest = max(widest, len(r.layout))
	}
	indent := strings.Repeat(" ", widest+2)
	width := wrapWidth(d.app.outWidth())
	for _, r := range rows {
		at := moment(*r.time)
		if d.zone != nil {
			at += ", " + r.time.In(d.zone).Format(time.RFC3339Nano)
		}
		fmt.Fprintf(&b, "%-*s  %s\n", widest, r.layout, at)
		b.WriteString(wrapText(r.fields, indent, indent, width))
		b.WriteString(wrapText(r.why, indent, indent, width))
	}
	_, err := fmt.Fprint(d.app.Out, b.String())
	return err
}
