package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// marks are a shard's keys as one bit per number between the lowest and the highest: every column's values are looked up in every key, and no compressed set answers as fast.
type marks struct {
	low  int64
	bits []uint64
}

// The numbers that marks span at most, for each key and in all: sets of a few far apart stay compressed.
const (
	marksEach = 32
	marksMost = 1 << 22
)

// newMarks are the marks of a set; nil where its numbers lie too far apart.
func newMarks(set *merge.KeySet) *marks {
	low, ok := set.Min()
	high, _ := set.Max()
	span := uint64(high) - uint64(low)
	if !ok || span >= marksMost || span >= 64*marksEach && span >= marksEach*uint64(set.Len()) {
		return nil
	}
	m := &marks{low, make([]uint64, span/64+1)}
	for k := range set.All() {
		at := uint64(k) - uint64(low)
		m.bits[at/64] |= 1 << (at % 64)
	}
	return m
}

// has tells whether a shard's row has a number.
func (k *key) has(shard int, n int64) bool {
	m := k.marks[shard]
	if m == nil {
		return k.covers(shard, n) && k.set(shard).Has(n)
	}
	at := uint64(n) - uint64(m.low)
	return at/64 < uint64(len(m.bits)) && m.bits[at/64]>>(at%64)&1 == 1
}

// anywhere tells whether some shard's row has a number.
func (k *key) anywhere(n int64) bool {
	for i := range k.marks {
		if k.has(i, n) {
			return true
		}
	}
	return false
}

// misses tells quickly that too many rows of a shard hold no keys for the values to be included in them; measuring tells the rest.
func (k *key) misses(shards []values) bool {
	most := mostRows(shards)
	for i := range shards {
		v := &shards[i]
		if k.wiped[i] || v.silent(most) {
			continue
		}
		dead, least := int64(0), int64(missed*float64(v.rows))
		for j, n := range v.list {
			if !k.has(i, n) {
				if dead += v.weights[j]; dead > least {
					return true
				}
			}
		}
	}
	return false
}

// missed is a share of rows that is more than included ones may miss.
const missed = 1.01 * (1 - includes)

// usual is how many rows the values have in the middle.
func (v *values) usual() int64 {
	if v.middle == 0 {
		v.middle = 1
		if n := len(v.weights); n > 0 {
			v.middle = slices.Sorted(slices.Values(v.weights))[n/2]
		}
	}
	return v.middle
}
