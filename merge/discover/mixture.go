package discover

import (
	"fmt"
	"math"

	"github.com/gameid/gameid/merge"
)

// The rows of a column that holds two tables' keys lie denser up to where the lower one's numbers end. Chance makes a fall of so many standard deviations hardly ever, of all servers
// together, and of each by itself; nowhere else is there one that is much greater.
const (
	stepLeast  = 5
	stepEach   = 1.5
	stepOthers = 0.85 // of the greatest fall elsewhere
	stepTimes  = 1.15 // how many times as high the roots of the rows are below
)

// The numbers up to an end are taken together to so many at most, and so many tell at least; as far above as stepAbove times that is looked at.
const (
	stepMost  = 40
	stepFew   = 8
	stepAbove = 3
)

// Where a key ends on one server must differ by so much from where it does on another, so that a habit of the game makes no step at both.
const (
	stepApart      = 3
	stepApartShare = 0.05
)

// blend is a column's keys, each under conditions, where some of its rows seem to hold another key than a plain pick's; where no condition tells which, the pick is not certain.
func (s *search) blend(plain *pick) ([]*pick, error) {
	o := s.mixture(plain)
	if o == nil {
		return nil, nil
	}
	if !plain.column.kept { // of what a pattern keeps, nothing but what is certain is asked about
		if list, err := s.blendBy(plain, o); err != nil || len(list) > 0 {
			return list, err
		}
		if plain.grade == merge.Certain {
			plain.grade = merge.Likely
		}
	}
	plain.note = fmt.Sprintf("its rows lie denser up to where %s end, on each server: do some rows hold %[1]s? Then write one line for each, with when:", o.Col)
	return nil, nil
}

// mixture is the key of another table whose numbers some rows of a column rather hold than those of a pick's key, which nearly all of the others are; nil when there is none.
func (s *search) mixture(p *pick) (found *key) {
	if p.fit.inclusion < includesPro || p.key.text || s.alike[p.key.table.Name] || s.alike[p.column.table.Name] {
		return nil
	}
	most := 0.0
	for _, k := range s.keys {
		if !k.Root || k.text || k.Undeclared || k.table == p.key.table || k.table == p.column.table || s.alike[k.table.Name] || follows(k, p.key) {
			continue
		}
		if fall := p.step(k); fall >= stepLeast && fall > most && p.within(k) {
			found, most = k, fall
		}
	}
	return found
}

// within tells whether nearly all rows of every shard hold keys of a pick or of another one.
func (p *pick) within(k *key) bool {
	for i, v := range p.shards {
		rows := int64(0)
		for j, n := range v.list {
			if p.key.has(i, n) || k.has(i, n) {
				rows += v.weights[j]
			}
		}
		if !p.fit.wiped[i] && float64(rows) < includesSure*float64(v.rows) {
			return false
		}
	}
	return true
}

// step is by how many standard deviations the rows of a pick's column are fewer above the end of another key than up to it, over all servers; 0 where they are not on each.
func (p *pick) step(k *key) float64 {
	sum, servers, first, last := 0.0, 0, int64(math.MaxInt64), int64(math.MinInt64)
	for i := range p.shards {
		if p.fit.wiped[i] || k.wiped[i] || k.set(i).Len() == 0 {
			continue
		}
		rows, end := p.around(k, i)
		if rows == nil {
			continue
		}
		fall, ok := falls(rows, end)
		if !ok {
			return 0
		}
		sum, servers, first, last = sum+fall, servers+1, min(first, k.high[i]), max(last, k.high[i])
	}
	if servers < 2 || float64(last-first) < max(stepApart, stepApartShare*float64(first)) {
		return 0
	}
	return sum / math.Sqrt(float64(servers))
}

// around are the roots of a server's rows by some numbers of both keys each, from the lowest on, and how many of these lie up to the other key's end; nil where too few lie on
// either side of it.
func (p *pick) around(k *key, shard int) (rows []float64, end int) {
	set := p.key.set(shard)
	if k.high[shard] >= p.key.high[shard] {
		return nil, 0
	}
	if set.Shared(k.set(shard)) < k.set(shard).Len() {
		both := merge.NewKeySet()
		both.Union(set, k.set(shard))
		set = both
	}
	below := set.Rank(k.high[shard])
	each := (below + stepMost - 1) / stepMost
	if each == 0 {
		return nil, 0
	}
	under, above := below/each, min((set.Len()-below)/each, stepAbove*below/each)
	if under < stepFew || above < stepFew {
		return nil, 0
	}
	rows = make([]float64, under+above)
	start := below - under*each
	for j, n := range p.shards[shard].list {
		if at := set.Rank(n) - 1 - start; at >= 0 && at/each < int64(len(rows)) {
			rows[at/each] += float64(p.shards[shard].weights[j])
		}
	}
	for i, n := range rows {
		rows[i] = math.Sqrt(n + 3.0/8) // spreads alike, however many there are
	}
	return rows, int(under)
}

// falls is by how many standard deviations a row of numbers is lower behind a place than before it, beside a steady slope; not ok where it hardly is, or more so at another place.
func falls(rows []float64, at int) (fall float64, ok bool) {
	fall, times := fallAt(rows, at)
	if fall < stepEach || times < stepTimes {
		return 0, false
	}
	for i := stepFew; i <= len(rows)-stepFew; i++ {
		if other, _ := fallAt(rows, i); stepOthers*other > fall {
			return 0, false
		}
	}
	return fall, true
}

// fallAt is that of one place, and how many times as high the numbers are just before it as just behind.
func fallAt(rows []float64, at int) (fall, times float64) {
	width := min(at, len(rows)-at, stepMost)
	part, n := rows[at-width:at+width], float64(2*width)
	var mean, xx, xs, xy, sy, yy float64
	for i, y := range part {
		x, side := float64(i)-n/2+0.5, 1.0
		if i >= width {
			side = -1
		}
		mean, xx, xs, xy, sy, yy = mean+y/n, xx+x*x, xs+x*side, xy+x*y, sy+side*y, yy+y*y
	}
	det := xx*n - xs*xs
	slope, half := (xy*n-sy*xs)/det, (sy*xx-xy*xs)/det
	rest := max(yy-n*mean*mean-slope*xy-half*sy, 0)
	spread := max(rest/(n-3), 1e-9)
	return half / math.Sqrt(spread*xx/det), (mean + half) / max(mean-half, 1e-9)
}
