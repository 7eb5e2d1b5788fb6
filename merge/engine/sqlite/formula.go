package sqlite

import (
	"fmt"
	"math/bits"

	"github.com/gameid/gameid/merge"
)

// formula is how SQL computes the new keys of a run from the old ones. Runs with equal formulas share one byte of a change set.
type formula struct {
	id     bool  // the result is an ID, and base and add are cursors
	server int64 // of the ID
	near   bool  // base - old fits: the result is old + add
	add    int64
	old    int64 // otherwise (value - old) + base, which cannot overflow either
	base   int64
}

// formulaOf finds a run's formula. It refuses runs whose new keys leave the range of their kind.
func formulaOf(r merge.Run) (formula, error) {
	last := r.Count - 1
	if r.Count < 1 || r.Old+last < r.Old {
		return formula{}, fmt.Errorf("run at %d counts %d keys", r.Old, r.Count)
	}
	f := formula{base: r.New}
	if r.Rule == merge.GameID {
		f.id, f.base, f.server = true, merge.IDCursor(r.New), merge.IDServer(r.New)
		if r.New < 0 || last > 1<<(63-merge.IDServerBits)-1-f.base {
			return formula{}, fmt.Errorf("run at %d: %d IDs after %d leave the layout's range", r.Old, r.Count, r.New)
		}
	} else if r.New+last < r.New {
		return formula{}, fmt.Errorf("run at %d: %d keys after %d leave the range of 64-bit integers", r.Old, r.Count, r.New)
	}
	if add, ok := minus(f.base, r.Old); ok {
		f.near, f.add, f.base = true, add, 0
	} else {
		f.old = r.Old
	}
	return f, nil
}

// sql is the new key of x, an SQL expression for an integer of the run.
func (f formula) sql(x string) string {
	v := fmt.Sprintf("(%s + %s)", x, literal(f.add))
	if !f.near {
		v = fmt.Sprintf("((%s - %s) + %s)", x, literal(f.old), literal(f.base))
	}
	if !f.id {
		return v
	}
	return idAtCursor(v, literal(f.server<<merge.IDSequenceBits))
}

// idAtCursor is the ID at a cursor; serverBits is the server number in its place. SQLite's << >> & | have one precedence, hence the parentheses.
func idAtCursor(cursor, serverBits string) string {
	return fmt.Sprintf("(((%[1]s >> %[2]d) << %[3]d) | %[4]s | (%[1]s & %[5]d))",
		cursor, merge.IDSequenceBits, merge.IDServerBits+merge.IDSequenceBits, serverBits, 1<<merge.IDSequenceBits-1)
}

// minus is a - b; ok is false when that does not fit into 64 bits.
func minus(a, b int64) (d int64, ok bool) {
	d = a - b
	return d, (a >= b) == (d >= 0)
}

// width is the number of integers from lo to hi, at most 2^64-1.
func width(lo, hi int64) uint64 {
	n, carry := bits.Add64(uint64(hi)-uint64(lo), 1, 0) //nolint:gosec // the difference of two's complements
	if carry != 0 {
		return ^uint64(0)
	}
	return n
}
