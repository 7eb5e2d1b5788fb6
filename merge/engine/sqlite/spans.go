package sqlite

import (
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

const (
	maxSpans  = 12          // blobs of one statement
	spanWidth = 8           // a span may be so many times as wide as its keys
	spanSmall = 1 << 16     // a span of so many integers may be as sparse as it likes
	spanBytes = 499_999_999 // of all blobs together; SQLite's own limit for one is 10^9

	stateAlive  = 1
	stateMoving = 1 << 32 // added to stateAlive: one sum counts both. SQLite has no table of 2^31 rows
)

// spans are a set of keys laid out for lookups in SQL: a byte for each integer of a span, 0 for no key, 1 for a key, 2 for one that changes.
type spans []span

type span struct {
	lo, hi, keys int64
	blob         []byte // nil when all of its integers are keys that stay
}

// layOut lays a set out; nil when it is too scattered.
func layOut(alive, moving *merge.KeySet) spans {
	list := spans{}
	var total uint64
	for first, count := range alive.Runs() {
		last := first + (count - 1)
		if n := len(list); n > 0 {
			s := &list[n-1]
			if wide := uint64(last) - uint64(s.lo); wide < spanSmall || wide < spanWidth*uint64(s.keys+count) { //nolint:gosec // differences of two's complements
				total += uint64(last) - uint64(s.hi) //nolint:gosec // as above
				s.hi, s.keys = last, s.keys+count
				continue
			}
		}
		if len(list) == maxSpans {
			return nil
		}
		list = append(list, span{lo: first, hi: last, keys: count})
		total += uint64(count) //nolint:gosec // counted
	}
	if total > spanBytes {
		return nil
	}
	for i := range list {
		list[i].fill(alive, moving)
	}
	return list
}

func (s *span) fill(alive, moving *merge.KeySet) {
	within := merge.NewKeySet()
	within.AddRange(s.lo, s.hi-s.lo+1)
	changing := moving != nil && moving.Shared(within) > 0
	if !changing && s.keys == s.hi-s.lo+1 {
		return
	}
	s.blob = make([]byte, s.hi-s.lo+1)
	for first, count := range alive.Both(within).Runs() {
		part := s.blob[first-s.lo : first-s.lo+count]
		for i := range part {
			part[i] = 1
		}
	}
	if changing {
		for first, count := range moving.Both(alive).Both(within).Runs() {
			part := s.blob[first-s.lo : first-s.lo+count]
			for i := range part {
				part[i] = 2
			}
		}
	}
}

// sql is an expression for the state of an integer x: 0, stateAlive, or stateAlive + stateMoving; x must be known to be one.
func (list spans) sql(x string) (string, []any) {
	var args []any
	words := []string{"CASE"}
	for _, s := range list {
		state := fmt.Sprint(stateAlive)
		if s.blob != nil {
			args = append(args, s.blob)
			state = fmt.Sprintf("CASE substr(?%d, %s - %s + 1, 1) WHEN x'01' THEN %d WHEN x'02' THEN %d ELSE 0 END", len(args), x, literal(s.lo), stateAlive, stateAlive+stateMoving)
		}
		words = append(words, fmt.Sprintf("WHEN %s BETWEEN %s AND %s THEN %s", x, literal(s.lo), literal(s.hi), state))
	}
	if len(list) == 0 {
		return "0", nil
	}
	return strings.Join(append(words, "ELSE 0 END"), " "), args
}
