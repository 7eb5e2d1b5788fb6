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
