package sqlite

import (
	"cmp"
	"slices"

	"github.com/gameid/gameid/merge"
)

// How a map is cut into pieces. A piece is bound as a blob of one byte for each integer of its span.
const (
	maxRanges   = 6           // as many runs at most are written as plain ranges, without a blob
	maxBlobs    = 8           // blobs of one map
	maxFormulas = 12          // formulas that a blob's bytes tell apart; the rest is looked up
	sparse      = 8           // a span may be so many times as wide as its keys
	smallSpan   = 1 << 16     // a span of so many bytes may be as sparse as it likes
	cheapSpans  = 16 << 20    // so many bytes of all sparse spans together cost less than looking the values up
	maxPiece    = 900_000_000 // SQLite's own limit is 10^9 bytes
	inTable     = 0xff        // the state of keys that stand in the table of runs
)

// A changeSet is a map laid out for SQL: pieces that do not overlap, and runs that are looked up in a table.
type changeSet struct {
	formulas []formula
	pieces   []piece
	runs     []merge.Run // looked up: those that a piece marks with inTable, and the loose ones
	loose    bool        // some runs lie in no piece, between looseLo and looseHi
	looseLo  int64
	looseHi  int64
}

// A piece is a span of old keys, inclusive. All integers in a piece without a blob change by the first of its states.
type piece struct {
	lo, hi int64
	keys   int64
	states []byte // the states that occur, the most frequent first: index into formulas + 1, or inTable
	blob   bool
	runs   []merge.Run
}

// newChangeSet lays out runs, which are ordered and disjoint.
func newChangeSet(runs []merge.Run) (*changeSet, error) {
	c := &changeSet{}
	of := make(map[formula]int64)
	for _, r := range runs {
		f, err := formulaOf(r)
		if err != nil {
			return nil, err
		}
		if _, ok := of[f]; !ok {
			c.formulas = append(c.formulas, f)
		}
		of[f] += r.Count
	}
	slices.SortStableFunc(c.formulas, func(a, b formula) int { return cmp.Compare(of[b], of[a]) })
	if len(runs) <= maxRanges {
		for _, r := range runs {
			f, _ := formulaOf(r)
			state := byte(slices.Index(c.formulas, f) + 1) //nolint:gosec // at most maxRanges
			c.pieces = append(c.pieces, piece{lo: r.Old, hi: r.Old + r.Count - 1, keys: r.Count, states: []byte{state}})
		}
		c.sortPieces()
		return c, nil
	}
	c.formulas = c.formulas[:min(len(c.formulas), maxFormulas)]
	room := uint64(cheapSpans)
	for _, span := range cut(runs) {
		w := width(span.lo, span.hi)
		if wide := w > smallSpan && w > sparse*uint64(span.keys); w > maxPiece || wide && w > room { //nolint:gosec // keys are counted
			c.addLoose(span)
			continue
		} else if wide {
			room -= w
		}
		c.addPiece(span)
	}
	slices.SortFunc(c.runs, func(a, b merge.Run) int { return cmp.Compare(a.Old, b.Old) })
	c.sortPieces()
	return c, nil
}

func (c *changeSet) sortPieces() {
	slices.SortStableFunc(c.pieces, func(a, b piece) int { return cmp.Compare(b.keys, a.keys) })
}

func (c *changeSet) addLoose(p piece) {
	if !c.loose || p.lo < c.looseLo {
		c.looseLo = p.lo
	}
	if !c.loose || p.hi > c.looseHi {
		c.looseHi = p.hi
	}
	c.loose = true
	c.runs = append(c.runs, p.runs...)
}

func (c *changeSet) addPiece(p piece) {
	keys := make(map[byte]int64)
	for _, r := range p.runs {
		s := c.state(r)
		keys[s] += r.Count
		if s == inTable {
			c.runs = append(c.runs, r)
		}
	}
	for s := range keys {
		p.states = append(p.states, s)
	}
	slices.SortFunc(p.states, func(a, b byte) int {
		return cmp.Or(cmp.Compare(keys[b], keys[a]), cmp.Compare(a, b))
	})
	p.blob = len(p.states) > 1 || width(p.lo, p.hi) != uint64(p.keys) //nolint:gosec // keys are counted
	c.pieces = append(c.pieces, p)
}

func (c *changeSet) state(r merge.Run) byte {
	f, _ := formulaOf(r) // newChangeSet has refused bad ones
	if i := slices.Index(c.formulas, f); i >= 0 {
		return byte(i + 1) //nolint:gosec // at most maxFormulas
	}
	return inTable
}

// bytes is the piece's blob: the state of every integer from lo to hi, 0 where it stays.
func (c *changeSet) bytes(p piece) []byte {
	b := make([]byte, width(p.lo, p.hi))
	for _, r := range p.runs {
		at, s := r.Old-p.lo, c.state(r)
		part := b[at : at+r.Count]
		for i := range part {
			part[i] = s
		}
	}
	return b
}

// cut divides ordered runs at their widest gaps until the spans are dense enough or there are maxBlobs of them.
func cut(runs []merge.Run) []piece {
	type gap struct {
		before int // index of the run after the gap
		wide   uint64
	}
	var total uint64
	var keys int64
	gaps := make([]gap, 0, len(runs))
	for i, r := range runs {
		keys += r.Count
		if i > 0 {
			end := runs[i-1].Old + (runs[i-1].Count - 1)
			gaps = append(gaps, gap{i, uint64(r.Old) - uint64(end) - 1}) //nolint:gosec // the difference of two's complements
		}
	}
	last := runs[len(runs)-1]
	total = width(runs[0].Old, last.Old+(last.Count-1))
	slices.SortFunc(gaps, func(a, b gap) int { return cmp.Or(cmp.Compare(b.wide, a.wide), cmp.Compare(a.before, b.before)) })
	var cuts []int
	for _, g := range gaps {
		if len(cuts) == maxBlobs-1 || total <= max(sparse*uint64(keys), cheapSpans) || g.wide <= smallSpan/16 { //nolint:gosec // keys are counted
			break
		}
		cuts = append(cuts, g.before)
		total -= g.wide
	}
	slices.Sort(cuts)
	var spans []piece
	from := 0
	for _, to := range append(cuts, len(runs)) {
		p := piece{lo: runs[from].Old, hi: runs[to-1].Old + (runs[to-1].Count - 1), runs: runs[from:to]}
		for _, r := range p.runs {
			p.keys += r.Count
		}
		spans = append(spans, p)
		from = to
	}
	return spans
}
