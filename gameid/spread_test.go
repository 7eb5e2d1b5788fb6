package gameid_test

import (
	"math"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
)

// critical is the value that chi-square with df degrees of freedom exceeds with
// probability 0.001 (Wilson and Hilferty, 1931).
func critical(df float64) float64 {
	const z = 3.0902 // of the normal distribution
	return df * math.Pow(1-2/(9*df)+z*math.Sqrt(2/(9*df)), 3)
}

// At a low rate IDs modulo a power of two are uniform, up to 2^10 and half of the
// sequence: whoever shards by the low bits gets no empty shards. The IDs stay in
// the tick of the clock.
func TestSpreadAtALowRate(t *testing.T) {
	for name, l := range map[string]*gameid.Layout{
		"game": gameLayout(t), "game63": newLayout(t, 16*time.Millisecond, 37, 18, 8), "snowflake": newLayout(t, time.Millisecond, 41, 10, 12),
		"one bit": newLayout(t, time.Millisecond, 41, 10, 1), "two bits": newLayout(t, time.Millisecond, 41, 10, 2),
	} {
		for _, perTick := range []int{1, 2} {
			clock := newClock(start())
			g := newGenerator(t, l, 1, gameid.WithClock(clock))
			most := min(10, l.SequenceBits()-1)
			timeOfNext(t, g, clock) // so that pairs begin at odd numbers too
			ids := 1_000_000
			if perTick > 1 || most < 7 {
				ids = 100_000
			}
			counts := make([]int, 1<<most)
			for i := range ids {
				if i%perTick == 0 {
					clock.pass(l.Tick())
				}
				id, err := g.TryNext()
				if err != nil {
					t.Fatalf("%s, %d in a tick: TryNext: %v", name, perTick, err)
				}
				if i%1000 == 0 || i < 3000 { // taking apart is slower than issuing
					p, _ := l.Decompose(id)
					if now, err := l.TickAt(clock.Wall()); err != nil || p.Tick != now {
						t.Fatalf("%s, %d in a tick: an ID of tick %d, the clock is at %d", name, perTick, p.Tick, now)
					}
				}
				counts[(int(id[8])<<8|int(id[9]))&(1<<most-1)]++ // the sequence is lowest
			}
			if got := g.Stats(); got.Borrowed != 0 || got.Waited != 0 {
				t.Errorf("%s, %d in a tick: %+v, want nothing borrowed", name, perTick, got)
			}
			for k := 1; k <= most; k++ {
				folded, expected := make([]float64, 1<<k), float64(ids)/float64(int(1)<<k)
				for low, n := range counts {
					folded[low&(1<<k-1)] += float64(n)
				}
				chi := 0.0
				for _, n := range folded {
					chi += (n - expected) * (n - expected) / expected
				}
				if limit := critical(float64(len(folded) - 1)); chi > limit {
					t.Errorf("%s, %d in a tick: chi-square of id mod 2^%d is %.1f, want at most %.1f", name, perTick, k, chi, limit)
				}
			}
		}
	}
}
