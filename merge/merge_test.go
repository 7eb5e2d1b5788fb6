package merge_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
	"github.com/gameid/gameid/merge"
)

func TestColumnNamesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.StringN(1, 12, -1), rapid.SampledFrom([]string{`a"b`, "a.b", " ", "select", "名前", `""`, "x-y", "*"}))
		want := merge.Col{Table: name.Draw(t, "table"), Name: name.Draw(t, "column")}
		got, err := merge.ParseCol(want.String())
		if err != nil || got != want {
			t.Fatalf("ParseCol(%s) = %+v, %v; want %+v", want, got, err, want)
		}
	})
}

func TestBadColumnNames(t *testing.T) {
	for _, text := range []string{"", "a", "a.", ".b", "a.b.c", `"a.b`, `a b.c`, `"a"b.c`, "a;b.c"} {
		if c, err := merge.ParseCol(text); err == nil {
			t.Errorf("ParseCol(%q) = %+v, want an error", text, c)
		}
	}
}

// TestKeySet compares a set with a plain map, at both ends of the range too.
func TestKeySet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.OneOf(rapid.Int64Range(-20, 20), rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64 - 1, math.MaxInt64, 1 << 40}))
		list := rapid.SliceOf(key).Draw(t, "keys")
		other := merge.NewKeySet(rapid.SliceOf(key).Draw(t, "other")...)
		s := merge.NewKeySet(list...)
		slices.Sort(list)
		list = slices.Compact(list)
		if got := slices.Collect(s.All()); !slices.Equal(got, list) {
			t.Fatalf("All: got %v, want %v", got, list)
		}
		var runs []int64
		for first, count := range s.Runs() {
			for i := range count {
				runs = append(runs, first+i)
			}
		}
		if !slices.Equal(runs, list) {
			t.Fatalf("Runs: got %v, want %v", runs, list)
		}
		var both, without []int64
		for _, k := range list {
			if other.Has(k) {
				both = append(both, k)
			} else {
				without = append(without, k)
			}
		}
		if got := slices.Collect(s.Both(other).All()); !slices.Equal(got, both) || s.Shared(other) != int64(len(both)) {
			t.Fatalf("Both: got %v, want %v", got, both)
		}
		if got := slices.Collect(s.Without(other).All()); !slices.Equal(got, without) {
			t.Fatalf("Without: got %v, want %v", got, without)
		}
		low, high := key.Draw(t, "low"), key.Draw(t, "high")
		between := slices.DeleteFunc(slices.Clone(list), func(k int64) bool { return k < low || k > high })
		if got := slices.Collect(s.Between(low, high).All()); low <= high && !slices.Equal(got, between) {
			t.Fatalf("Between(%d, %d): got %v, want %v", low, high, got, between)
		}
		for i, k := range list {
			if at, ok := s.At(int64(i)); !ok || at != k || s.Rank(k) != int64(i+1) {
				t.Fatalf("At(%d) = %d, %v and Rank(%d) = %d; want %d", i, at, ok, k, s.Rank(k), k)
			}
		}
		if low, ok := s.Min(); ok != (len(list) > 0) || ok && low != list[0] {
			t.Fatalf("Min: got %d, %v", low, ok)
		}
	})
}

func TestKeySetRange(t *testing.T) {
	for _, first := range []int64{math.MinInt64, -3, 0, math.MaxInt64 - 4} {
		s := merge.NewKeySet()
		s.AddRange(first, 5)
		want := []int64{first, first + 1, first + 2, first + 3, first + 4}
		if got := slices.Collect(s.All()); !slices.Equal(got, want) {
			t.Errorf("AddRange(%d, 5): got %v, want %v", first, got, want)
		}
	}
}

func TestKeyMapRefusesOverlaps(t *testing.T) {
	for _, runs := range [][]merge.Run{
		{{Old: 1, Count: 5, New: 100, Rule: merge.Shift}, {Old: 5, Count: 1, New: 200, Rule: merge.Shift}},
		{{Old: 1, Count: 0, New: 100, Rule: merge.Shift}},
		{{Old: math.MaxInt64, Count: 2, New: 1, Rule: merge.Dense}},
		{{Old: 1, Count: 2, New: math.MaxInt64, Rule: merge.Shift}},
		{{Old: 1, Count: 2, New: math.MaxInt64, Rule: merge.GameID}},
		{{Old: 1, Count: 2, New: -1, Rule: merge.GameID}},
	} {
		if _, err := merge.NewKeyMap(runs); err == nil {
			t.Errorf("NewKeyMap(%v): want an error", runs)
		}
	}
}

// TestIDsAreThoseOfTheLayout checks the arithmetic of new IDs against the layout game63 itself.
func TestIDsAreThoseOfTheLayout(t *testing.T) {
	layout, err := layouts.Load("game63")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		cursor := rapid.Int64Range(0, 1<<45-1).Draw(t, "cursor")
		server := rapid.Int64Range(0, 1<<merge.IDServerBits-1).Draw(t, "server")
		want, err := layout.At(uint64(cursor), uint64(server))
		if err != nil {
			t.Fatal(err)
		}
		id := merge.IDAt(cursor, server)
		if got, err := gameid.FromInt64(id); err != nil || got != want {
			t.Fatalf("IDAt(%d, %d) = %d (%v), want %v", cursor, server, id, err, want)
		}
		if merge.IDCursor(id) != cursor || merge.IDServer(id) != server {
			t.Fatalf("%d decodes to cursor %d of server %d, want %d of %d", id, merge.IDCursor(id), merge.IDServer(id), cursor, server)
		}
	})
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	tick, err := layout.TickAt(now)
	if err != nil || merge.IDCursorNow(now) != int64(layout.CursorAt(tick)) {
		t.Errorf("IDCursorNow: got %d, want %d (%v)", merge.IDCursorNow(now), layout.CursorAt(tick), err)
	}
}

// TestRunsCarryIntoTheTick follows IDs past the end of a sequence.
func TestRunsCarryIntoTheTick(t *testing.T) {
	r := merge.Run{Old: 10, Count: 4, New: merge.IDAt(254, 7), Rule: merge.GameID}
	m, err := merge.NewKeyMap([]merge.Run{r})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{merge.IDAt(254, 7), merge.IDAt(255, 7), merge.IDAt(256, 7), merge.IDAt(257, 7)} {
		if got, changed := m.Lookup(10 + int64(i)); got != want || !changed || merge.IDServer(got) != 7 {
			t.Errorf("Lookup(%d) = %d, %v; want %d", 10+i, got, changed, want)
		}
	}
	if got, changed := m.Lookup(14); changed || got != 14 {
		t.Errorf("Lookup(14) = %d, %v; want it unchanged", got, changed)
	}
}
