package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// seen is what a shard has answered: the database does not change while it is open, so the same question has the same answer.
type seen struct {
	rows     map[string]int64
	keys     map[merge.Col]*merge.KeyColumn
	measured map[string]measured
	spreads  map[spread]string // temporary tables that list the keys of the chosen rows
	samples  map[sampled]*merge.Sample
	sampled  int              // bytes of samples
	answers  map[string]int64 // by the SQL of a question
	extents  map[string]extent
	contents *merge.Contents      // a merge records it, and its proof compares it
	asked    map[string]*sql.Stmt // of questions with parameters
}

// sampled names a column and of how many rows; 0 are all.
type sampled struct {
	column merge.Col
	rows   int
}

// kept is a map with one more entry.
func kept[K comparable, V any](m map[K]V, k K, v V) map[K]V {
	if m == nil {
		m = map[K]V{}
	}
	m[k] = v
	return m
}

// measured is a reference's counts under the sets that they were counted with.
type measured struct {
	alive, moving *merge.KeySet
	count         *merge.RefCount
}

// How many dead and other values a kept count may list, and how many bytes all kept samples of a shard may take.
const (
	keptValues  = 1 << 17
	keptSamples = 1 << 25
)

// Rows counts a table's rows.
func (s *shard) Rows(ctx context.Context, table string) (int64, error) {
	t, err := s.table(table)
	if err != nil {
		return 0, err
	}
	if n, ok := s.seen.rows[t.Name]; ok {
		return n, nil
	}
	n, err := s.countRows(ctx, t)
	if err == nil {
		s.seen.rows = kept(s.seen.rows, t.Name, n)
	}
	return n, err
}

// Keys reads every integer value of a column. Its memory is the compressed set, which the shard keeps until it is closed; nobody may change it.
func (s *shard) Keys(ctx context.Context, c merge.Col) (*merge.KeyColumn, error) {
	if k := s.seen.keys[c]; k != nil {
		copied := *k
		return &copied, nil
	}
	k, err := s.readKeys(ctx, c)
	if err != nil {
		return nil, err
	}
	s.seen.keys = kept(s.seen.keys, c, k)
	copied := *k
	return &copied, nil
}

// sameKeys tells whether two sets, where there are any, hold the same keys.
func sameKeys(a, b *merge.KeySet) bool {
	return a == b || a != nil && b != nil && a.Equal(b)
}

// Measure counts what a reference's columns hold. Callers must not change the lists of the count.
func (s *shard) Measure(ctx context.Context, q merge.RefQuery) (*merge.RefCount, error) {
	r := q.Reference
	id := fmt.Sprintf("%q %q %q %q %q %q %q %T %#v", r.From, r.To, r.As, r.When, r.Via, q.Collations, q.Left, r.None, r.None)
	if m, ok := s.seen.measured[id]; ok && sameKeys(m.alive, q.Alive) && (q.Moving == nil || sameKeys(m.moving, q.Moving)) {
		count := *m.count
		if q.Moving == nil {
			count.Moving = 0
		}
		return &count, nil
	}
	count, err := s.measure(ctx, q)
	if err != nil {
		return nil, err
	}
	if len(count.Dead)+len(count.Other) <= keptValues {
		s.seen.measured = kept(s.seen.measured, id, measured{q.Alive, q.Moving, count})
	}
	copied := *count
	return &copied, nil
}
