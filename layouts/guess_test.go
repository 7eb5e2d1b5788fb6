package layouts_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
)

// guessedAt is the day on which the guesses of these tests are made.
func guessedAt() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) }

func TestGuesses(t *testing.T) {
	for _, test := range []struct{ id, first, also string }{
		{"175928847299117063", "discord", "sonyflake"},
		{"105484726235607040", "discord", "cosid"},
		{"1593572310593806338", "snowflake", "leaf"}, // Discord's time would be in the future
		{"1888944671579078978", "snowflake", "leaf"},
		{"2792188468659568875", "instagram", ""},
		{"255795006470687424512", "game", "game-ms"}, // 68 bits: no other is as wide
		{"3125927076831231", "sonyflake-v2", "discord"},
		{"7360981823981240325", "uid-generator", ""},
	} {
		guesses, err := layouts.Guesses(parse(t, test.id), guessedAt())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i, g := range guesses {
			names = append(names, g.Name())
			if i > 0 && g.Surprise < guesses[i-1].Surprise {
				t.Errorf("%s: %s (%f bits) stands below %s (%f bits)", test.id, g.Name(), g.Surprise, guesses[i-1].Name(), guesses[i-1].Surprise)
			}
			if g.Time.Before(g.Since) || g.Time.After(guessedAt().AddDate(0, 0, 1)) {
				t.Errorf("%s under %s is of %v, want a time from %v to a day after %v", test.id, g.Name(), g.Time, g.Since, guessedAt())
			}
		}
		if len(names) == 0 || names[0] != test.first {
			t.Errorf("%s: got %v, want %s first", test.id, names, test.first)
		}
		if test.also != "" && !slices.Contains(names, test.also) {
			t.Errorf("%s: got %v, want %s among them", test.id, names, test.also)
		}
	}
	for _, id := range []string{"0", "3", "4711", "1208925819614629174706175"} {
		if guesses, err := layouts.Guesses(parse(t, id), guessedAt()); err != nil || len(guesses) > 0 {
			t.Errorf("%s: got %d guesses (%v), want none", id, len(guesses), err)
		}
	}
}

// TestGuessesFindThePreset: an ID of a preset with a small server number and an
// ordinary sequence is guessed to be of it, or of one that counts the same ticks in
// the same bits, which nothing but the epoch tells apart.
func TestGuessesFindThePreset(t *testing.T) {
	list, err := layouts.List()
	if err != nil {
		t.Fatal(err)
	}
	shape := func(l layouts.Layout) string {
		at := slices.IndexFunc(l.Fields(), func(f gameid.Field) bool { return f.Kind == gameid.Time })
		return fmt.Sprint(l.Shift(at), l.Tick())
	}
	for _, l := range list {
		at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
		if l.End().Before(at) {
			at = l.End().AddDate(-1, 0, 0)
		}
		tick, err := l.TickAt(at)
		if err != nil {
			t.Fatal(err)
		}
		id, err := l.Compose(gameid.Parts{Tick: tick, Server: 1042 & l.MaxServer(), Sequence: 5 & (1<<l.SequenceBits() - 1)})
		if err != nil {
			t.Fatal(err)
		}
		guesses, err := layouts.Guesses(id, guessedAt())
		if err != nil || len(guesses) == 0 {
			t.Fatalf("%v of %s: got %v, %v, want guesses", id, l.Name(), guesses, err)
		}
		i := slices.IndexFunc(guesses, func(g layouts.Guess) bool { return g.Name() == l.Name() })
		if i < 0 {
			t.Errorf("%v of %s: it is not among the guesses", id, l.Name())
			continue
		}
		if first := guesses[0]; shape(first.Layout) != shape(l) {
			t.Errorf("%v of %s: got %s first (%.1f bits, %v) and it with %.1f, want it first", id, l.Name(), first.Name(), first.Surprise, first.Time, guesses[i].Surprise)
		}
	}
}
