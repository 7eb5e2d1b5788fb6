package merge

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Rule says how new keys are made.
type Rule string

// Rules. Tombstone marks the fresh dead value that an orphan gets.
const (
	Shift     Rule = "shift"
	Dense     Rule = "dense"
	GameID    Rule = "gameid"
	Static    Rule = "static"
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

// Run is a row of consecutive old keys and what became of them. The i-th old key, Old+i, became the i-th new one: New+i under
// shift, dense and tombstone; under gameid the i-th ID that the same server issues after New, the sequence carrying into the tick.
type Run struct {
	Old, Count, New int64
	Rule            Rule
}

// At is the new key of the i-th old one, 0 <= i < Count.
func (r Run) At(i int64) int64 {
	if r.Rule != GameID {
		return r.New + i
	}
	return IDAt(IDCursor(r.New)+i, IDServer(r.New))
}

// OldKeys is the set of the old keys of runs.
func OldKeys(runs []Run) *KeySet {
	set := NewKeySet()
	batch := make([]int64, 0, 4096)
	for _, r := range runs {
		if r.Count > 1<<10 {
			set.AddRange(r.Old, r.Count)
			continue
		}
		for i := range r.Count { // many short runs are faster in bulk
			if batch = append(batch, r.Old+i); len(batch) == cap(batch) {
				set.Add(batch...)
				batch = batch[:0]
			}
		}
	}
	set.Add(batch...)
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
type KeyMap struct{ runs []Run }

// NewKeyMap makes a map of runs in any order. It refuses runs that overlap.
func NewKeyMap(runs []Run) (*KeyMap, error) {
	m := &KeyMap{slices.Clone(runs)}
	slices.SortFunc(m.runs, func(a, b Run) int { return cmp.Compare(a.Old, b.Old) })
	for i, r := range m.runs {
		if r.Count < 1 || r.Old+(r.Count-1) < r.Old {
			return nil, fmt.Errorf("key map: run at %d counts %d keys", r.Old, r.Count)
		}
		if i > 0 && m.runs[i-1].Old+(m.runs[i-1].Count-1) >= r.Old {
			return nil, fmt.Errorf("key map: runs at %d and %d overlap", m.runs[i-1].Old, r.Old)
		}
	}
	return m, nil
}

// Runs are the map's runs in the order of their old keys; the caller must not change them.
func (m *KeyMap) Runs() []Run { return m.runs }

// Len is the number of values that change.
func (m *KeyMap) Len() int64 {
	var n int64
	for _, r := range m.runs {
		n += r.Count
	}
	return n
}

// Lookup is the image of a value; changed is false when it stayed as it was.
func (m *KeyMap) Lookup(old int64) (image int64, changed bool) {
	i, found := slices.BinarySearchFunc(m.runs, old, func(r Run, k int64) int { return cmp.Compare(r.Old, k) })
	if !found {
		i--
	}
	if i < 0 || old > m.runs[i].Old+(m.runs[i].Count-1) { // old-Old could overflow
		return old, false
	}
	return m.runs[i].At(old - m.runs[i].Old), true
}

// Span is the lowest and the highest old value that changes; ok is false when none does.
func (m *KeyMap) Span() (lo, hi int64, ok bool) {
	if len(m.runs) == 0 {
		return 0, 0, false
	}
	last := m.runs[len(m.runs)-1]
	return m.runs[0].Old, last.Old + last.Count - 1, true
}
