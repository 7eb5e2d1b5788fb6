package merge

import (
	"iter"
	"math"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
)

// KeySet is a compressed set of integer keys. The zero value is not usable; NewKeySet makes one. Readers may share a set that
// nobody changes any more.
type KeySet struct{ bits *roaring64.Bitmap }

// NewKeySet makes a set of the given keys.
func NewKeySet(keys ...int64) *KeySet {
	s := &KeySet{roaring64.New()}
	s.Add(keys...)
	return s
}

// order maps int64 to uint64 so that the order of keys is kept.
func order(k int64) uint64   { return uint64(k) ^ 1<<63 }
func unorder(u uint64) int64 { return int64(u ^ 1<<63) }

// Add puts keys into the set; ascending keys are fastest.
func (s *KeySet) Add(keys ...int64) {
	if len(keys) == 1 {
		s.bits.Add(order(keys[0]))
		return
	}
	batch := make([]uint64, len(keys))
	for i, k := range keys {
		batch[i] = order(k)
	}
	s.bits.AddMany(batch)
}

// AddRange puts first, first+1 ... first+count-1 into the set.
func (s *KeySet) AddRange(first, count int64) {
	if count <= 0 {
		return
	}
	from := order(first)
	if last := from + uint64(count-1); last == ^uint64(0) {
		s.bits.Add(last)
		count--
	}
	s.bits.AddRange(from, from+uint64(count))
}

// AddRuns puts rows of consecutive keys into the set: the first key and how many.
func (s *KeySet) AddRuns(runs iter.Seq2[int64, int64]) {
	batch := make([]uint64, 0, 4096)
	for first, count := range runs {
		if count > 1<<10 {
			s.AddRange(first, count)
			continue
		}
		for i := range count { // many short runs are faster in bulk
			if batch = append(batch, order(first+i)); len(batch) == cap(batch) {
				s.bits.AddMany(batch)
				batch = batch[:0]
			}
		}
	}
	s.bits.AddMany(batch)
}

// Compress packs the set once it is complete.
func (s *KeySet) Compress() { s.bits.RunOptimize() }

// Has tells whether k is in the set.
func (s *KeySet) Has(k int64) bool { return s.bits.Contains(order(k)) }

// Equal tells whether both sets hold the same keys.
func (s *KeySet) Equal(o *KeySet) bool { return s.bits.Equals(o.bits) }

// Len is the number of keys.
func (s *KeySet) Len() int64 { return int64(s.bits.GetCardinality()) }

// Min is the lowest key; ok is false for an empty set.
func (s *KeySet) Min() (k int64, ok bool) {
	if s.bits.IsEmpty() {
		return 0, false
	}
	return unorder(s.bits.Minimum()), true
}

// Max is the highest key; ok is false for an empty set.
func (s *KeySet) Max() (k int64, ok bool) {
	if s.bits.IsEmpty() {
		return 0, false
	}
	return unorder(s.bits.Maximum()), true
}

// Rank counts the keys that are at most k.
func (s *KeySet) Rank(k int64) int64 { return int64(s.bits.Rank(order(k))) }

// At is the i-th key in ascending order, from 0; ok is false when there are not that many.
func (s *KeySet) At(i int64) (k int64, ok bool) {
	u, err := s.bits.Select(uint64(i))
	if err != nil {
		return 0, false
	}
	return unorder(u), true
}

// Spread is so many of the keys, ascending, at equal distances from the lowest on; of fewer all.
func (s *KeySet) Spread(n int64) []int64 {
	all := s.Len()
	n = min(n, all)
	keys := make([]int64, 0, n)
	seen := int64(0)
	for first, count := range s.Runs() { // one walk: each look for a single place would begin at the first key
		for int64(len(keys)) < n {
			at := int64(len(keys)) * all / n
			if at >= seen+count {
				break
			}
			keys = append(keys, first+at-seen)
		}
		seen += count
	}
	return keys
}

// Union adds every key of the other sets.
func (s *KeySet) Union(others ...*KeySet) {
	for _, o := range others {
		s.bits.Or(o.bits)
	}
}

// Both is the set of keys in s and in o.
func (s *KeySet) Both(o *KeySet) *KeySet { return &KeySet{roaring64.And(s.bits, o.bits)} }

// Without is the set of keys in s that are not in o.
func (s *KeySet) Without(o *KeySet) *KeySet { return &KeySet{roaring64.AndNot(s.bits, o.bits)} }

// Between is the set of keys of s from low to high, both included.
func (s *KeySet) Between(low, high int64) *KeySet {
	part := NewKeySet()
	it := s.bits.Iterator()
	it.AdvanceIfNeeded(order(low))
	batch := make([]uint64, 0, 4096)
	for it.HasNext() && it.PeekNext() <= order(high) {
		if batch = append(batch, it.Next()); len(batch) == cap(batch) {
			part.bits.AddMany(batch)
			batch = batch[:0]
		}
	}
	part.bits.AddMany(batch)
	return part
}

// Step is the highest number that divides the distances between all keys: of templates numbered 100, 200, 300 it is 100. It is 0 for fewer than two keys, and 1 where it is
// higher than any key.
func (s *KeySet) Step() int64 {
	var step uint64
	first, _ := s.Min()
	for k := range s.All() {
		if step = gcd(step, uint64(k)-uint64(first)); step == 1 {
			return 1
		}
	}
	if step > math.MaxInt64 {
		return 1
	}
	return int64(step)
}

// Divisor is the highest number that divides both of two that are not negative; 0 is divided by all.
func Divisor(a, b int64) int64 { return int64(gcd(uint64(a), uint64(b))) }

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Shared counts the keys in both sets.
func (s *KeySet) Shared(o *KeySet) int64 { return int64(s.bits.AndCardinality(o.bits)) }

// Bytes is about how much memory the set takes.
func (s *KeySet) Bytes() int64 { return int64(s.bits.GetSizeInBytes()) }

// All yields the keys in ascending order.
func (s *KeySet) All() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		it := s.bits.ManyIterator()
		var buf [1024]uint64
		for {
			n := it.NextMany(buf[:])
			if n == 0 {
				return
			}
			for _, u := range buf[:n] {
				if !yield(unorder(u)) {
					return
				}
			}
		}
	}
}

// Among is where a key stands in another set.
type Among struct {
	Key   int64
	Below int64 // how many of the other's keys are lower
	In    bool  // it is one of the other's
}

// Among yields the keys in ascending order, with the place of each in another set, in one walk through both.
func (s *KeySet) Among(o *KeySet) iter.Seq[Among] {
	return func(yield func(Among) bool) {
		it := o.bits.ManyIterator()
		var buf [1024]uint64
		next, n, below := 0, it.NextMany(buf[:]), int64(0)
		for k := range s.All() {
			u := order(k)
			for n > 0 && buf[next] < u {
				if below++; next+1 < n {
					next++
				} else {
					next, n = 0, it.NextMany(buf[:])
				}
			}
			if !yield(Among{k, below, n > 0 && buf[next] == u}) {
				return
			}
		}
	}
}

// Runs yields the maximal runs of consecutive keys in ascending order: the first key and how many follow it, itself included.
func (s *KeySet) Runs() iter.Seq2[int64, int64] {
	return func(yield func(int64, int64) bool) {
		var first, count int64
		for k := range s.All() {
			if count > 0 && k == first+count {
				count++
				continue
			}
			if count > 0 && !yield(first, count) {
				return
			}
			first, count = k, 1
		}
		if count > 0 {
			yield(first, count)
		}
	}
}
