package merge

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// ValueSet is a set of values as a column holds them: integers in a KeySet, and texts, fractions and blobs by storage class and bytes. The zero value is empty; a nil one, too.
type ValueSet struct {
	integers *KeySet
	others   map[string]any
}

// NewValueSet makes a set of some values.
func NewValueSet(values ...any) *ValueSet {
	s := &ValueSet{}
	for _, v := range values {
		s.Add(v)
	}
	return s
}

// Add puts a value in.
func (s *ValueSet) Add(v any) {
	if k, ok := v.(int64); ok {
		if s.integers == nil {
			s.integers = NewKeySet()
		}
		s.integers.Add(k)
		return
	}
	if s.others == nil {
		s.others = map[string]any{}
	}
	s.others[classed(v)] = v
}

// classed is a value's storage class and bytes.
func classed(v any) string {
	switch v := v.(type) {
	case string:
		return "text " + v
	case []byte:
		return "blob " + string(v)
	}
	return fmt.Sprintf("%T %v", v, v)
}

// Has tells whether the very value is in: 1 and "1" are two.
func (s *ValueSet) Has(v any) bool {
	if s == nil {
		return false
	}
	if k, ok := v.(int64); ok {
		return s.integers != nil && s.integers.Has(k)
	}
	_, ok := s.others[classed(v)]
	return ok
}

// Len is the number of values.
func (s *ValueSet) Len() int64 {
	if s == nil {
		return 0
	}
	n := int64(len(s.others))
	if s.integers != nil {
		n += s.integers.Len()
	}
	return n
}

// Integers are the integers among the values; nobody may alter the set. It is nil when there are none.
func (s *ValueSet) Integers() *KeySet {
	if s == nil {
		return nil
	}
	return s.integers
}

// Others yields the values that are no integers, always in the same order.
func (s *ValueSet) Others() iter.Seq[any] {
	return func(yield func(any) bool) {
		if s == nil {
			return
		}
		list := make([]string, 0, len(s.others))
		for k := range s.others {
			list = append(list, k)
		}
		slices.SortFunc(list, cmp.Compare[string])
		for _, k := range list {
			if !yield(s.others[k]) {
				return
			}
		}
	}
}
