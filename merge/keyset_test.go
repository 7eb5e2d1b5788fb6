package merge

import (
	"slices"
	"testing"
)

// Spread takes the same keys as looking for each place would, of runs and of keys far apart, below zero too.
func TestSpreadTakesEvenPlaces(t *testing.T) {
	sets := map[string]*KeySet{"none": NewKeySet(), "one": NewKeySet(7), "runs": NewKeySet(), "apart": NewKeySet()}
	sets["runs"].AddRange(-20, 30)
	sets["runs"].AddRange(1000, 500)
	for i := range int64(700) {
		sets["apart"].Add((i - 300) * (i*1_000_003 + 7))
	}
	for name, set := range sets {
		for _, n := range []int64{0, 1, 2, 7, 499, 530, 699, 5000} {
			var want []int64
			take := min(n, set.Len())
			for i := range take {
				k, _ := set.At(i * set.Len() / take)
				want = append(want, k)
			}
			if got := set.Spread(n); !slices.Equal(got, want) {
				t.Errorf("%s, %d: %v, want %v", name, n, got, want)
			}
		}
	}
}

// Among places each key as counting the other's lower keys would, of runs, of keys far apart and of none.
func TestAmongCountsTheLower(t *testing.T) {
	sets := map[string]*KeySet{"none": NewKeySet(), "one": NewKeySet(7), "runs": NewKeySet(), "apart": NewKeySet()}
	sets["runs"].AddRange(-20, 30)
	sets["runs"].AddRange(1000, 3000)
	for i := range int64(1500) {
		sets["apart"].Add((i - 300) * (i*3 + 7))
	}
	for name, set := range sets {
		for other, o := range sets {
			keys := int64(0)
			for is := range set.Among(o) {
				if k, _ := set.At(keys); is.Key != k || is.In != o.Has(k) || is.Below != o.Rank(k-1) {
					t.Fatalf("%s among %s: %+v, want key %d, in %t, below %d", name, other, is, k, o.Has(k), o.Rank(k-1))
				}
				keys++
			}
			if keys != set.Len() {
				t.Errorf("%s among %s: %d keys, want %d", name, other, keys, set.Len())
			}
		}
	}
}
