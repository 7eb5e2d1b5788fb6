package merge

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"
)

// Rule says how new keys are made.
type Rule string

// Rules. Fold marks a row that becomes one with an earlier shard's, whose key it takes; Tombstone the fresh dead value that an orphan gets.
const (
	Shift     Rule = "shift"
	Dense     Rule = "dense"
	GameID    Rule = "gameid"
	Static    Rule = "static"
	Fold      Rule = "fold"
	Tombstone Rule = "tombstone"
)

// The layout of IDs that a merge gives out is game63: 37 bits of 16 ms ticks since the start of 2025, 18 of server, 8 of sequence.
const (
	IDServerBits   = 18
	IDSequenceBits = 8
	idTick         = 16 * time.Millisecond
)

// IDCursorNow is the cursor that a generator would issue at from a moment on; 0 before the layout's epoch.
func IDCursorNow(now time.Time) int64 {
	epoch := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	return max(int64(now.Sub(epoch)/idTick), 0) << IDSequenceBits
}

// Run is a stretch of old keys and what became of them. The i-th integer of the stretch, Old+i, became the i-th new one: New+i under
// shift, dense and tombstone; under gameid the i-th ID that the same server issues after New, the sequence carrying into the tick.
type Run struct {
	Old, Count, New int64
	Rule            Rule
	// Among, when it is not nil, holds the keys of the stretch that changed, its first and its last integer among them. The others stayed, or
	// another run changed them. Nobody may alter the set.
	Among *KeySet
}

// At is the new key of the i-th integer of the stretch, 0 <= i < Count.
func (r Run) At(i int64) int64 {
	if r.Rule != GameID {
		return r.New + i
	}
	return IDAt(IDCursor(r.New)+i, IDServer(r.New))
}

// Last is the stretch's last old key.
func (r Run) Last() int64 { return r.Old + (r.Count - 1) }

// MaxServer is the highest number of a shard's server: the default layout has 20 bits for it. A shard that gets IDs needs a number of IDServerBits.
const MaxServer = 1<<20 - 1

// fits tells whether every new key of the stretch is in the range of its kind: 64-bit integers, or the layout's IDs.
func (r Run) fits() bool {
	if r.Rule == GameID {
		return r.New >= 0 && r.Count-1 <= 1<<(63-IDServerBits)-1-IDCursor(r.New)
	}
	return r.New+(r.Count-1) >= r.New
}

// Keys is the number of keys that changed.
func (r Run) Keys() int64 {
	if r.Among != nil {
		return r.Among.Len()
	}
	return r.Count
}

// Has tells whether the run changed a key.
func (r Run) Has(old int64) bool {
	return old >= r.Old && old <= r.Last() && (r.Among == nil || r.Among.Has(old))
}

// Parts yields the maximal rows of consecutive old keys from low to high that changed, in ascending order: the first and how many.
func (r Run) Parts(low, high int64) iter.Seq2[int64, int64] {
	low, high = max(low, r.Old), min(high, r.Last())
	switch {
	case low > high:
		return func(func(int64, int64) bool) {}
	case r.Among == nil:
		return func(yield func(int64, int64) bool) { yield(low, high-low+1) }
	case low == r.Old && high == r.Last():
		return r.Among.Runs()
	}
	return r.Among.Between(low, high).Runs()
}

// Equal tells whether two runs say the same.
func (r Run) Equal(o Run) bool {
	same := r.Old == o.Old && r.Count == o.Count && r.New == o.New && r.Rule == o.Rule && (r.Among == nil) == (o.Among == nil)
	return same && (r.Among == nil || r.Among.Equal(o.Among))
}

// origin is the old key whose image now is, if the run made it.
func (r Run) origin(now int64) (old int64, ok bool) {
	i := now - r.New
	if r.Rule == GameID {
		i = IDCursor(now) - IDCursor(r.New)
	}
	if i < 0 || i >= r.Count || r.At(i) != now || !r.Has(r.Old+i) {
		return 0, false
	}
	return r.Old + i, true
}

// OldKeys is the set of the old keys of runs.
func OldKeys(runs []Run) *KeySet {
	set := NewKeySet()
	set.AddRuns(func(yield func(int64, int64) bool) {
		for _, r := range runs {
			if r.Among != nil {
				set.Union(r.Among)
			} else if !yield(r.Old, r.Count) {
				return
			}
		}
	})
	return set
}

// IDCursor is an ID's tick and sequence in one number: the IDs of one server in the order in which they are issued.
func IDCursor(id int64) int64 {
	return id>>(IDServerBits+IDSequenceBits)<<IDSequenceBits | id&(1<<IDSequenceBits-1)
}

// IDServer is an ID's server number.
func IDServer(id int64) int64 { return id >> IDSequenceBits & (1<<IDServerBits - 1) }

// IDAt is the ID that a server issues at a cursor.
func IDAt(cursor, server int64) int64 {
	return cursor>>IDSequenceBits<<(IDServerBits+IDSequenceBits) | server<<IDSequenceBits | cursor&(1<<IDSequenceBits-1)
}

// KeyMap says what became of the keys of one key space in one shard, and of the dead values that got a tombstone. A value that no run holds
// stayed as it was. A KeyMap is immutable and safe for concurrent use.
type KeyMap struct {
	runs  []Run // in the order of their old keys
	whole []Run // those of runs that changed every key of their stretch
	among []Run // the others; their stretches do not overlap either
	once  sync.Once
	byNew []Run // runs in the order of their first new keys
}

// NewKeyMap makes a map of runs in any order. It refuses runs that overlap.
func NewKeyMap(runs []Run) (*KeyMap, error) {
	m := &KeyMap{runs: slices.Clone(runs)}
	slices.SortStableFunc(m.runs, func(a, b Run) int { return cmp.Compare(a.Old, b.Old) })
	for _, r := range m.runs {
		if r.Count < 1 || r.Last() < r.Old {
			return nil, fmt.Errorf("key map: run at %d counts %d keys", r.Old, r.Count)
		}
		if !r.fits() {
			return nil, fmt.Errorf("key map: run at %d: %d keys after %d leave the range of new keys", r.Old, r.Count, r.New)
		}
		list := &m.whole
		if r.Among != nil {
			list = &m.among
			low, _ := r.Among.Min()
			if high, ok := r.Among.Max(); !ok || low != r.Old || high != r.Last() {
				return nil, fmt.Errorf("key map: the keys of the run at %d do not reach from its first to its last", r.Old)
			}
		}
		if n := len(*list); n > 0 && (*list)[n-1].Last() >= r.Old {
			return nil, fmt.Errorf("key map: runs at %d and %d overlap", (*list)[n-1].Old, r.Old)
		}
		*list = append(*list, r)
	}
	for _, r := range m.whole {
		at, found := search(m.among, r.Old)
		if !found {
			at--
		}
		for _, a := range m.among[max(at, 0):] {
			if a.Old > r.Last() {
				break
			}
			for first := range a.Parts(r.Old, r.Last()) {
				return nil, fmt.Errorf("key map: runs at %d and %d overlap in %d", a.Old, r.Old, first)
			}
		}
	}
	return m, nil
}

func search(runs []Run, old int64) (at int, found bool) {
	return slices.BinarySearchFunc(runs, old, func(r Run, k int64) int { return cmp.Compare(r.Old, k) })
}

// Runs are the map's runs in the order of their first old keys; the caller must not change them.
func (m *KeyMap) Runs() []Run { return m.runs }

// Len is the number of values that change.
func (m *KeyMap) Len() int64 {
	var n int64
	for _, r := range m.runs {
		n += r.Keys()
	}
	return n
}

// Of is the run that changes a value.
func (m *KeyMap) Of(old int64) (Run, bool) {
	for _, list := range [...][]Run{m.whole, m.among} {
		i, found := search(list, old)
		if !found {
			i--
		}
		if i >= 0 && list[i].Has(old) {
			return list[i], true
		}
	}
	return Run{}, false
}

// Lookup is the image of a value; changed is false when it stayed as it was.
func (m *KeyMap) Lookup(old int64) (image int64, changed bool) {
	r, ok := m.Of(old)
	if !ok {
		return old, false
	}
	return r.At(old - r.Old), true
}

// Origin is the value whose image a run made, and the run; ok is false when none made it.
func (m *KeyMap) Origin(now int64) (old int64, by Run, ok bool) {
	m.once.Do(func() {
		m.byNew = slices.Clone(m.runs)
		slices.SortStableFunc(m.byNew, func(a, b Run) int { return cmp.Compare(a.New, b.New) })
	})
	at, _ := slices.BinarySearchFunc(m.byNew, now, func(r Run, k int64) int {
		if r.New <= k {
			return -1
		}
		return 1
	})
	// Stretches of IDs may interleave with those of another server, and others may lie in the holes of a stretch.
	for _, r := range slices.Backward(m.byNew[:at]) {
		if old, ok := r.origin(now); ok {
			return old, r, true
		}
	}
	return now, Run{}, false
}

// Images is the set of what the values of a set became.
func (m *KeyMap) Images(values *KeySet) *KeySet {
	changed := OldKeys(m.runs)
	images := values.Without(changed)
	batch := make([]uint64, 0, 4096)
	add := func(r Run, first, count int64) {
		for i := range count {
			if batch = append(batch, order(r.At(first-r.Old+i))); len(batch) == cap(batch) {
				images.bits.AddMany(batch)
				batch = batch[:0]
			}
		}
	}
	for _, r := range m.among {
		for first, count := range r.Among.Both(values).Runs() {
			add(r, first, count)
		}
	}
	whole := OldKeys(m.whole).Both(values)
	at := 0
	for k := range whole.All() {
		for m.whole[at].Last() < k {
			at++
		}
		add(m.whole[at], k, 1)
	}
	images.bits.AddMany(batch)
	images.Compress()
	return images
}

// Parts yields the map's rows of consecutive old keys from low to high in ascending order, with the run that changed them.
func (m *KeyMap) Parts(low, high int64) iter.Seq2[Part, Run] {
	return func(yield func(Part, Run) bool) {
		waiting := m.whole
		if at, found := search(waiting, low); !found && at > 0 {
			waiting = waiting[at-1:]
		} else {
			waiting = waiting[at:]
		}
		// Whole runs wait until a part of an among run lies behind them: among runs go through their holes.
		flush := func(upTo int64) bool {
			for len(waiting) > 0 && waiting[0].Old <= upTo {
				r := waiting[0]
				waiting = waiting[1:]
				for first, count := range r.Parts(low, high) {
					if !yield(Part{first, count}, r) {
						return false
					}
				}
			}
			return true
		}
		for _, r := range m.among {
			for first, count := range r.Parts(low, high) {
				if !flush(first) || !yield(Part{first, count}, r) {
					return
				}
			}
		}
		flush(high)
	}
}

// Part is a row of consecutive keys.
type Part struct{ First, Count int64 }

// Span is the lowest and the highest old value that changes; ok is false when none does.
func (m *KeyMap) Span() (lo, hi int64, ok bool) {
	if len(m.runs) == 0 {
		return 0, 0, false
	}
	lo, hi = m.runs[0].Old, m.runs[0].Last()
	for _, r := range m.runs {
		hi = max(hi, r.Last())
	}
	return lo, hi, true
}
