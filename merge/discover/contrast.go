package discover

import (
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// verdict is what the holes in a key say about a column.
type verdict int

const (
	against verdict = iota - 1 // the column uses values that are no keys as often as chance does
	mute                       // too few holes to tell
	pro                        // it avoids them, and chance hardly ever does
	proof                      // it avoids them, and chance never does
)

// A verdict needs numbers. proChance is one false favour in a thousand pairs of column and key, and proofChance one in a million, which no
// schema has pairs enough to meet. minExpected keeps a handful of values from speaking against a reference. A column that hits at least
// contraShare of what chance would hit is not avoiding anything; one that avoids hits at most proShare of it, or, where dead values are many
// but stand in few rows each, at most deadShare of it in values and rowShare of it in rows.
const (
	proChance   = 1e-3
	proofChance = 1e-6
	minExpected = 5
	contraShare = 0.65
	proShare    = 0.5
	deadShare   = 0.8
	rowShare    = 0.25
	sureChance  = 1e-4  // for a name that tells only a role
	bareChance  = 1e-12 // for a name that tells nothing
	askChance   = 0.01  // for a question about a name that tells nothing
	lentChance  = 0.05  // for a question about a key that may be another table's
	powerful    = 10    // hits expected by chance from which silence is suspicious: a reference would have been favoured
)

// tally counts values, and the rows they stand in, that hit something that a true reference avoids, beside what chance would hit.
type tally struct {
	hits, chance       float64
	rows, chanceOfRows float64
	variance           float64 // of rows, by chance
	firm, chanceOfFirm float64 // a value with fewer rows than most counts only in part: a dead one stands in few
}

// add counts one value: whether it hit, the chance that it would, its rows, and how many rows most values of the column have.
func (t *tally) add(hit bool, chance float64, rows, usual int64) {
	part := min(1, float64(rows)/float64(max(1, usual)))
	t.chance += chance
	t.chanceOfRows += chance * float64(rows)
	t.variance += chance * (1 - chance) * float64(rows) * float64(rows)
	t.chanceOfFirm += chance * part
	if hit {
		t.hits++
		t.rows += float64(rows)
		t.firm += part
	}
}

// verdict weighs a tally. Only distinct values count as independent, so they alone carry the chance.
func (t tally) verdict() verdict {
	switch p := t.luck(); {
	case p <= proofChance:
		return proof
	case p <= proChance:
		return pro
	case t.chance >= minExpected && t.hits >= contraShare*t.chance && t.rows >= contraShare*t.chanceOfRows:
		return against
	}
	return mute
}

// luck is the chance that a column which knows nothing of the holes avoids them so well; 1 when it does not avoid them.
func (t tally) luck() float64 {
	p := 1.0
	if t.hits <= proShare*t.chance || t.hits <= deadShare*t.chance && t.rows <= rowShare*t.chanceOfRows {
		p = poisson(t.hits, t.chance)
	}
	if t.firm <= proShare*t.chanceOfFirm {
		p = min(p, poisson(t.firm, t.chanceOfFirm))
	}
	return p
}

// avoids is about the chance that no more rows than these hit, when every value of the column stands anywhere: a question's worth of evidence
// where many values are dead but in few rows each, which luck does not believe.
func (t tally) avoids() float64 {
	if t.variance <= 0 {
		return 1
	}
	return math.Erfc((t.chanceOfRows-t.rows)/math.Sqrt(2*t.variance)) / 2
}

// rare tells whether chance hardly ever hits so few values, though they are too many for luck to believe: a fifth of the values may be dead where a third would be
// by chance.
func (t tally) rare() bool {
	return t.hits < contraShare*t.chance && poisson(t.hits, t.chance) <= proofChance
}

// share is what part of the rows that chance would hit were hit; 1 when there was nothing to hit.
func (t tally) share() float64 {
	if t.chanceOfRows <= 0 {
		return 1
	}
	return t.rows / t.chanceOfRows
}

// poisson is the chance of at most k events where mean are expected.
func poisson(k, mean float64) float64 {
	if mean <= 0 {
		return 1
	}
	sum := 0.0
	for i := 0.0; i <= k; i++ {
		lg, _ := math.Lgamma(i + 1)
		sum += math.Exp(i*math.Log(mean) - mean - lg)
	}
	return min(sum, 1)
}

// density knows how full a key's range is, piece by piece: keys are deleted more in some parts of it than in others.
type density struct {
	ends  []int64   // highest value of each piece
	first int64     // lowest key
	step  int64     // divided by it, all keys leave one remainder or a few
	rests []int64   // these, ascending
	full  []float64 // keys per possible value of the piece
}

// pieces is how finely a range is divided: fine enough for waves of deletions, coarse enough that a piece has many keys.
const (
	pieces     = 48
	pieceLeast = 20
)

func newDensity(set *merge.KeySet) *density {
	n := set.Len()
	if n < 2 {
		return nil
	}
	first, _ := set.Min()
	d := &density{first: first, step: max(set.Step(), 1)}
	d.rests = []int64{merge.Remainder(first, d.step)}
	if r := merge.RemaindersOf(set); r.Pace() > d.step {
		d.step, d.rests = r.Divisor, r.Rests[0]
	}
	pace := float64(d.step) / float64(len(d.rests))
	count := max(1, min(pieces, n/pieceLeast))
	from, done, more := first, int64(0), 1.0
	for i := int64(1); i <= count; i++ {
		upto := n * i / count
		last, _ := set.At(upto - 1)
		places := float64(uint64(last)-uint64(from))/pace + more
		d.ends, d.full = append(d.ends, last), append(d.full, min(1, float64(upto-done)/places))
		from, done, more = last, upto, 0
	}
	return d
}

// at is the share of places around v that are keys; ok is false outside the range and between the steps, where there is nothing to avoid.
func (d *density) at(v int64) (share float64, ok bool) {
	if d == nil || v < d.first || !slices.Contains(d.rests, merge.Remainder(v, d.step)) {
		return 0, false
	}
	lo, hi := 0, len(d.ends)
	for lo < hi {
		if mid := (lo + hi) / 2; d.ends[mid] < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(d.ends) {
		return 0, false
	}
	return d.full[lo], true
}

// pair tells of the keys that one shard has and its neighbour has not, and the other way round, inside the range that both span.
type pair struct {
	next      int     // the neighbour
	low, high int64   // of the range
	share     float64 // of the neighbour's among both
}

func newPair(own, other *merge.KeySet) *pair {
	lowOwn, ok1 := own.Min()
	lowOther, ok2 := other.Min()
	if !ok1 || !ok2 {
		return nil
	}
	highOwn, _ := own.Max()
	highOther, _ := other.Max()
	low, high := max(lowOwn, lowOther), min(highOwn, highOther)
	mine, others := own.Without(other).Between(low, high).Len(), other.Without(own).Between(low, high).Len()
	if mine == 0 && others == 0 {
		return nil
	}
	return &pair{low: low, high: high, share: float64(others) / float64(mine+others)}
}

// prepare computes what measuring a column against the key needs.
func (k *key) prepare() {
	n := len(k.Columns)
	k.rate, k.pairs, k.marks, k.same = make([]*density, n), make([]*pair, n), make([]*marks, n), n > 1
	k.low, k.high, k.wiped = make([]int64, n), make([]int64, n), make([]bool, n)
	k.size, k.taken = 0, nil
	full := int64(0)
	for i := range k.Columns {
		k.size += k.set(i).Len()
		full = max(full, k.set(i).Len())
	}
	for i := range k.Columns {
		k.wiped[i] = k.set(i).Len()*wipedTimes < full
	}
	for i := range k.Columns {
		k.low[i], k.high[i] = 1, 0
		if low, ok := k.set(i).Min(); ok {
			k.low[i] = low
			k.high[i], _ = k.set(i).Max()
		}
		k.rate[i], k.marks[i] = newDensity(k.set(i)), newMarks(k.set(i))
		if n > 1 {
			at := k.neighbour(i)
			next := k.set(at)
			if k.pairs[i] = newPair(k.set(i), next); k.pairs[i] != nil {
				k.pairs[i].next = at
			}
			most := max(k.set(i).Len(), next.Len())
			k.same = k.same && float64(k.set(i).Shared(next)) >= sameKeys*float64(most)
		}
	}
}

// neighbour is the shard with whose keys a shard's are compared: the next one that has more than hardly any.
func (k *key) neighbour(shard int) int {
	n := len(k.Columns)
	for i := 1; i < n; i++ {
		if next := (shard + i) % n; !k.wiped[next] {
			return next
		}
	}
	return (shard + 1) % n
}

// wipedTimes is how many times as many rows another shard has as one that was wiped, or never filled.
const wipedTimes = 20

// sameKeys is the share of equal values from which two shards' keys count as the same, and their differences as noise.
const sameKeys = 0.95
