package layouts

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/gameid/gameid/gameid"
)

// Guess is a preset that can have made an ID.
type Guess struct {
	Layout
	Parts gameid.Parts
	Time  time.Time // the start of the ID's tick
	// Surprise is how many bits it takes to name this ID among all that the preset's
	// systems will have issued by now: the fewer, the more plausible. Every tick from
	// Since to now counts alike; a server part or a sequence v counts as 1/(v+1),
	// since numbers are handed out from 0 up. A public service gets four bits less.
	Surprise float64
}

// publicBits is the bonus of a public service: its IDs are 16 times as likely to turn
// up in a game as those of one library's defaults. An assumption.
const publicBits = 4

// Guesses returns the presets that can have made id by now, the most plausible
// first. A preset counts when id has its constants and its width, and a time from a
// day after Since (below, it is rather a small number) to a day after now.
func Guesses(id gameid.ID, now time.Time) ([]Guess, error) {
	list, err := List()
	if err != nil {
		return nil, err
	}
	var guesses []Guess
	for _, l := range list {
		parts, err := l.Decompose(id)
		if err != nil {
			continue // not an ID of this preset
		}
		at := l.TimeOf(parts.Tick)
		if at.Before(l.Since.AddDate(0, 0, 1)) || at.After(now.AddDate(0, 0, 1)) {
			continue
		}
		g := Guess{Layout: l, Parts: parts, Time: at}
		g.Surprise = math.Log2(float64(now.AddDate(0, 0, 1).Unix()-l.Since.Unix()) / l.Tick().Seconds())
		for i, f := range l.Fields() {
			if f.Kind == gameid.Server || f.Kind == gameid.Sequence {
				g.Surprise += smallness(l.Part(id, i), f.Bits)
			}
		}
		if l.Public {
			g.Surprise -= publicBits
		}
		guesses = append(guesses, g)
	}
	slices.SortStableFunc(guesses, func(a, b Guess) int { return cmp.Compare(a.Surprise, b.Surprise) })
	return guesses, nil
}

// smallness is -log2 of v's share when each value v of a field counts 1/(v+1). The
// sum of them all is the harmonic number of 2^bits.
func smallness(v uint64, bits int) float64 {
	const euler = 0.5772156649015329
	return math.Log2(float64(v)+1) + math.Log2(float64(bits)*math.Ln2+euler)
}
