package sqlite_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// TestProofImages compares the proof's own function with a plain Go map, over random runs with and without holes, in random and in ascending order.
func TestProofImages(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		want := map[int64]int64{}
		var runs []merge.Run
		old := []int64{1, -300, math.MinInt64, math.MaxInt64 - 2000}[seed%4]
		const limit = math.MaxInt64
		for range r.IntN(12) {
			old += r.Int64N(3) * r.Int64N(20)
			run := merge.Run{Old: old, Count: 1 + r.Int64N(80), New: r.Int64N(1 << 40), Rule: merge.Shift}
			if run.Count > limit-old {
				break
			}
			if r.IntN(3) == 0 {
				run.Rule, run.New = merge.GameID, merge.IDAt(r.Int64N(1<<30), r.Int64N(1000))
			}
			if r.IntN(2) == 0 && run.Count > 2 {
				run.Among = merge.NewKeySet(run.Old, run.Last())
				for range r.IntN(60) {
					run.Among.Add(run.Old + r.Int64N(run.Count))
				}
			}
			for i := range run.Count {
				if run.Has(run.Old + i) {
					want[run.Old+i] = run.New + i
					if run.Rule == merge.GameID { // the sequence carries into the tick
						at := run.New>>26<<8 + run.New&255 + i
						want[run.Old+i] = at>>8<<26 + run.New>>8&(1<<18-1)<<8 + at&255
					}
				}
			}
			runs = append(runs, run)
			old += run.Count
		}
		m, err := merge.NewKeyMap(runs)
		if err != nil {
			t.Fatal(err)
		}
		asked := []int64{0, 1, -1, math.MinInt64, math.MinInt64 + 1, math.MaxInt64, math.MaxInt64 - 1}
		for k := range want {
			asked = append(asked, k, k-1, k+1) // wraps at the ends
		}
		for _, run := range runs { // in order
			for k := run.Old; k < run.Old+min(run.Count, 9); k++ {
				asked = append(asked, k)
			}
		}
		var words []string
		for _, k := range asked {
			word := strconv.FormatInt(k, 10)
			if k == math.MinInt64 {
				word = "(-9223372036854775807 - 1)"
			}
			words = append(words, word)
		}
		got, err := sqlite.ProofImages(t.Context(), m, words)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range asked {
			image, changed := want[k]
			if !changed {
				image = k
			}
			if got[i] != fmt.Sprint("integer ", image) {
				t.Fatalf("seed %d: %d became %s, want %d", seed, k, got[i], image)
			}
		}
	}
}

// TestProofImagesOfOthers checks that what is no integer stays, and how it is stored with it.
func TestProofImagesOfOthers(t *testing.T) {
	m, err := merge.NewKeyMap([]merge.Run{{Old: 1, Count: 10, New: 101, Rule: merge.Shift}, {Old: math.MaxInt64 - 3, Count: 3, New: 1000, Rule: merge.Shift}})
	if err != nil {
		t.Fatal(err)
	}
	asked := []string{"'5'", "5.0", "x'05'", "NULL", "'5abc'", "5", "0", "11", "9223372036854775806", "9223372036854775807"}
	want := []string{"text '5'", "real 5.0", "blob X'05'", "null NULL", "text '5abc'", "integer 105", "integer 0", "integer 11", "integer 1002", "integer 9223372036854775807"}
	got, err := sqlite.ProofImages(t.Context(), m, asked)
	if err != nil {
		t.Fatal(err)
	}
	for i := range asked {
		if got[i] != want[i] {
			t.Errorf("%s became %s, want %s", asked[i], got[i], want[i])
		}
	}
}
