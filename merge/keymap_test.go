package merge_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gameid/gameid/merge"
)

// drawRuns draws runs whose holes other runs fill, and the map that they mean.
func drawRuns(t *rapid.T) ([]merge.Run, map[int64]int64) {
	var runs []merge.Run
	want := map[int64]int64{}
	edge := rapid.SampledFrom([]int64{0, math.MinInt64, math.MaxInt64 - 300}).Draw(t, "edge")
	next, image := edge, int64(1<<40)
	for range rapid.IntRange(0, 4).Draw(t, "stretches") {
		keys := rapid.SliceOfNDistinct(rapid.Int64Range(0, 60), 1, 30, rapid.ID).Draw(t, "keys")
		slices.Sort(keys)
		rule := rapid.SampledFrom([]merge.Rule{merge.Shift, merge.GameID}).Draw(t, "rule")
		first, last := keys[0], keys[len(keys)-1]
		r := merge.Run{Old: next + first, Count: last - first + 1, New: image, Rule: rule}
		if rule == merge.GameID {
			r.New = merge.IDAt(image>>20, 3)
		}
		if int64(len(keys)) != r.Count {
			r.Among = merge.NewKeySet()
		}
		for i := first; i <= last; i++ {
			switch {
			case slices.Contains(keys, i):
				want[next+i] = r.At(i - first)
				if r.Among != nil {
					r.Among.Add(next + i)
				}
			case rapid.Bool().Draw(t, "tombstone"): // in a hole of the stretch
				image++
				runs = append(runs, merge.Run{Old: next + i, Count: 1, New: -image, Rule: merge.Tombstone})
				want[next+i] = -image
			}
		}
		runs = append(runs, r)
		next += 70
		image += 1 << 30
	}
	return rapid.Permutation(runs).Draw(t, "order"), want
}

func TestKeyMapIsTheMapThatItsRunsMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs, want := drawRuns(t)
		m, err := merge.NewKeyMap(runs)
		if err != nil {
			t.Fatal(err)
		}
		keys := slices.Sorted(maps.Keys(want))
		if got := m.Len(); got != int64(len(keys)) {
			t.Fatalf("Len: got %d, want %d", got, len(keys))
		}
		if got := slices.Collect(merge.OldKeys(m.Runs()).All()); !slices.Equal(got, keys) {
			t.Fatalf("OldKeys: got %v, want %v", got, keys)
		}
		lo, hi, ok := m.Span()
		if ok != (len(keys) > 0) || ok && (lo != keys[0] || hi != keys[len(keys)-1]) {
			t.Fatalf("Span: got %d to %d, %v; want the ends of %v", lo, hi, ok, keys)
		}
		values := merge.NewKeySet()
		images := map[int64]bool{}
		for _, k := range keys {
			for v := max(k, math.MinInt64+1) - 1; v <= min(k, math.MaxInt64-1)+1; v++ {
				image, changes := want[v]
				if !changes {
					image = v
				}
				if got, changed := m.Lookup(v); got != image || changed != changes {
					t.Fatalf("Lookup(%d): got %d, %v, want %d, %v", v, got, changed, image, changes)
				}
				if got, _, ok := m.Origin(image); changes && (!ok || got != v) {
					t.Fatalf("Origin(%d): got %d, %v, want %d", image, got, ok, v)
				}
				if _, _, ok := m.Origin(v); ok && !slices.Contains(slices.Collect(maps.Values(want)), v) {
					t.Fatalf("Origin(%d): found one", v)
				}
				values.Add(v)
				images[image] = true
			}
		}
		if got, want := slices.Collect(m.Images(values).All()), slices.Sorted(maps.Keys(images)); !slices.Equal(got, want) {
			t.Fatalf("Images: got %v, want %v", got, want)
		}
		low, high := int64(math.MinInt64), int64(math.MaxInt64)
		if len(keys) > 0 {
			low, high = rapid.SampledFrom(keys).Draw(t, "low"), rapid.SampledFrom(keys).Draw(t, "high")
		}
		var parts []int64
		for p, r := range m.Parts(low, high) {
			for i := range p.Count {
				if !r.Has(p.First + i) {
					t.Fatalf("Parts: %d is not of its run", p.First+i)
				}
				parts = append(parts, p.First+i)
			}
		}
		between := slices.DeleteFunc(keys, func(k int64) bool { return k < low || k > high })
		if !slices.Equal(parts, between) {
			t.Fatalf("Parts(%d, %d): got %v, want %v", low, high, parts, between)
		}
	})
}

func TestKeyMapRefusesOverlapsInHoles(t *testing.T) {
	stretch := merge.Run{Old: 1, Count: 9, New: 100, Rule: merge.Shift, Among: merge.NewKeySet(1, 5, 9)}
	for name, runs := range map[string][]merge.Run{
		"a member":            {stretch, {Old: 5, Count: 1, New: 900, Rule: merge.Tombstone}},
		"a row over a member": {stretch, {Old: 4, Count: 3, New: 900, Rule: merge.Tombstone}},
		"two stretches":       {stretch, {Old: 3, Count: 20, New: 200, Rule: merge.Shift, Among: merge.NewKeySet(3, 22)}},
		"a loose end":         {{Old: 1, Count: 10, New: 100, Rule: merge.Shift, Among: merge.NewKeySet(1, 5, 9)}},
		"nothing":             {{Old: 1, Count: 10, New: 100, Rule: merge.Shift, Among: merge.NewKeySet()}},
	} {
		if _, err := merge.NewKeyMap(runs); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := merge.NewKeyMap([]merge.Run{stretch, {Old: 2, Count: 3, New: 900, Rule: merge.Tombstone}}); err != nil {
		t.Errorf("a row in a hole: %v", err)
	}
}
