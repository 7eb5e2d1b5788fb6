package discover

import "slices"

// fit is how well a column's values fit a key.
type fit struct {
	rows, in  []int64 // rows with a value, and with one that is a key of the same shard
	inclusion float64 // share of in, the lowest of the shards
	reach     float64 // how far up the keys the values go, the lowest of the shards: small numbers are keys of every dense table
	cover     float64 // share of the keys that are used, the highest of the shards
	filled    float64 // the same, the lowest
	own       int     // values that are keys of their own shard and not of its neighbour
	sister    tally   // values that are keys of the neighbour alone
	holes     tally   // values that fall between the keys
	verdict   verdict // of both
	wiped     []bool  // shards that say nothing: they hold a few values beside another's many, or their keys are gone, and so their values are dead
	luck      float64 // the chance of so much favour; 1 when there is none
	avoids    float64 // the chance of so few rows between the keys, roughly
	ends      float64 // the chance that the values of a server with fewer keys end where its keys do
}

// quantile is where in the sorted values reach is measured: the top tenth may hold stray values.
const quantile = 0.9

// measure compares a column with a key.
func measure(shards []values, k *key) *fit {
	n := len(shards)
	f := &fit{inclusion: 1, reach: 1, filled: 1, wiped: make([]bool, 0, n), rows: make([]int64, 0, n), in: make([]int64, 0, n)}
	measured, most := false, mostRows(shards)
	for i, v := range shards {
		in, hits, usual := int64(0), 0, shards[i].usual()
		wiped := v.silent(most) || k.wiped[i] && float64(k.rows(i, &v)) < includes*float64(v.rows)
		if f.wiped = append(f.wiped, wiped); wiped {
			f.rows, f.in = append(f.rows, v.rows), append(f.in, k.rows(i, &v))
			continue
		}
		for j, n := range v.list {
			has := k.has(i, n)
			if has {
				in += v.weights[j]
				hits++
			}
			if share, ok := k.rate[i].at(n); ok {
				f.holes.add(!has, 1-share, v.weights[j], usual)
			}
			if p := k.pairs[i]; p != nil && n >= p.low && n <= p.high && has != k.has(p.next, n) { // one of both has it
				f.own += int(yes(has))
				f.sister.add(!has, p.share, v.weights[j], usual)
			}
		}
		f.rows, f.in = append(f.rows, v.rows), append(f.in, in)
		if v.rows == 0 {
			continue
		}
		measured = true
		f.inclusion = min(f.inclusion, float64(in)/float64(v.rows))
		total := k.set(i).Len()
		if total == 0 {
			f.reach, f.filled = 0, 0
			continue
		}
		at := v.list[min(len(v.list)-1, int(quantile*float64(len(v.list))))]
		f.reach = min(f.reach, float64(k.set(i).Rank(at))/float64(total))
		f.cover = max(f.cover, float64(hits)/float64(total))
		f.filled = min(f.filled, float64(hits)/float64(total))
	}
	if !measured {
		f.inclusion, f.reach, f.filled = 0, 0, 0
	}
	f.avoids = min(f.holes.avoids(), f.sister.avoids())
	f.verdict, f.luck = weigh(f.sister.verdict(), f.holes.verdict()), 1
	if f.ends = 1; f.reach >= reachesTop {
		f.ends = ends(shards, k)
	}
	if f.verdict >= pro {
		f.luck = min(f.sister.luck(), f.holes.luck())
	}
	return f
}

// heeds tells whether a column avoids the holes in a key so well that it is worth a question.
func (f *fit) heeds() bool {
	return f.verdict >= mute && min(f.sister.luck(), f.holes.luck()) <= askChance
}

// mostRows is how many rows the shard with the most of them has.
func mostRows(shards []values) (most int64) {
	for i := range shards {
		most = max(most, shards[i].rows)
	}
	return most
}

// tiny tells whether the rows are hardly any beside those of the shard with the most.
func (v *values) tiny(most int64) bool { return v.rows*wipedTimes < most }

// silent tells whether the values are too few, in themselves and beside those of the shard with the most rows, to say anything.
func (v *values) silent(most int64) bool { return v.tiny(most) && len(v.list) < fewValues }

// rows counts the rows of a shard that hold keys.
func (k *key) rows(shard int, v *values) (rows int64) {
	for j, n := range v.list {
		if k.has(shard, n) {
			rows += v.weights[j]
		}
	}
	return rows
}

// nearly tells whether all values are keys but for a few rows, as a handful of dead ones is: a share of a large table, and a row or two of a small one. That is enough to
// ask, and for nothing more.
func (f *fit) nearly() bool {
	if f.inclusion >= includesSure {
		return true
	}
	for i, rows := range f.rows {
		if f.wiped[i] {
			continue
		}
		if strays := rows - f.in[i]; float64(strays) > max(strayRows, (1-includesSure)*float64(rows)) || strays*strayOf > rows {
			return false
		}
	}
	return f.inclusion > 0
}

// So many rows of a small table may hold no key, and at most one in so many.
const (
	strayRows = 2
	strayOf   = 5
)

// ends is the chance that the values of a server whose keys end early end there as well, where another server's go on; 1 when they do not. It
// tells something about keys without holes, which only grow.
func ends(shards []values, k *key) float64 {
	t, top := tally{}, int64(0)
	for i := range shards {
		high, _ := k.set(i).Max()
		top = max(top, high)
	}
	for i, v := range shards {
		high, ok := k.set(i).Max()
		if !ok || high == top || len(v.list) == 0 {
			continue
		}
		for j, w := range shards {
			if other, _ := k.set(j).Max(); other != top || len(w.list) == 0 {
				continue
			}
			share := float64(len(w.list)-w.upTo(high)) / float64(len(w.list))
			mine := v.upTo(high)
			t.chance += share * float64(len(v.list))
			t.hits += float64(len(v.list) - mine)
		}
	}
	if t.hits > 0 {
		return 1
	}
	return poisson(0, t.chance)
}

// upTo counts the values that are at most n.
func (v *values) upTo(n int64) int {
	at, found := slices.BinarySearch(v.list, n)
	return at + int(yes(found))
}

// shared counts the values that another list has, too.
func (v *values) shared(o *values) (n int) {
	for _, one := range v.list {
		_, both := slices.BinarySearch(o.list, one)
		n += int(yes(both))
	}
	return n
}

// weigh joins what the other shard's keys say with what the holes say. One that speaks against silences a mere favour.
func weigh(a, b verdict) verdict {
	switch {
	case a == against && b == against, a == against && b == mute, a == mute && b == against:
		return against
	case a == against || b == against:
		return mute
	}
	return max(a, b)
}

// maybe tells quickly whether measuring is worth while: half of a few values must be keys.
func maybe(shards []values, k *key) bool {
	left, in := 0, 0
	for i, v := range shards {
		if !k.wiped[i] {
			left += (len(v.list) + v.glance() - 1) / v.glance()
		}
	}
	need := (left + 1) / 2
	for i, v := range shards {
		for j := 0; j < len(v.list) && !k.wiped[i] && in < need && in+left >= need; j += v.glance() {
			left--
			in += int(yes(k.has(i, v.list[j])))
		}
	}
	return need > 0 && in >= need
}

// glance is how far apart the values of a shard lie that a first look takes.
func (v *values) glance() int { return 1 + len(v.list)/glances }

// glances is about how many values of a shard a first look takes.
const glances = 40
