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
	m        *merge.KeyMap
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
}

// newChangeSet lays a map out.
func newChangeSet(m *merge.KeyMap) (*changeSet, error) {
	c := &changeSet{m: m}
	of, holes := make(map[formula]int64), false
	for _, r := range m.Runs() {
		f, err := formulaOf(r)
		if err != nil {
			return nil, err
		}
		if _, ok := of[f]; !ok {
			c.formulas = append(c.formulas, f)
		}
		of[f] += r.Keys()
		holes = holes || r.Among != nil
	}
	slices.SortStableFunc(c.formulas, func(a, b formula) int { return cmp.Compare(of[b], of[a]) })
	if len(m.Runs()) <= maxRanges && !holes {
		for _, r := range m.Runs() {
			f, _ := formulaOf(r)
			state := byte(slices.Index(c.formulas, f) + 1) //nolint:gosec // at most maxRanges
			c.pieces = append(c.pieces, piece{lo: r.Old, hi: r.Last(), keys: r.Count, states: []byte{state}})
		}
		c.sortPieces()
		return c, nil
	}
	c.formulas = c.formulas[:min(len(c.formulas), maxFormulas)]
	room := uint64(cheapSpans)
	for _, span := range cut(m) {
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
	for part, r := range c.m.Parts(p.lo, p.hi) {
		c.runs = append(c.runs, partOf(r, part))
	}
}

// partOf is a run of a part of its keys.
func partOf(r merge.Run, p merge.Part) merge.Run {
	return merge.Run{Old: p.First, Count: p.Count, New: r.At(p.First - r.Old), Rule: r.Rule}
}

func (c *changeSet) addPiece(p piece) {
	keys := make(map[byte]int64)
	for part, r := range c.m.Parts(p.lo, p.hi) {
		s := c.state(r)
		keys[s] += part.Count
		if s == inTable {
			c.runs = append(c.runs, partOf(r, part))
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
	for k, r := range c.m.Parts(p.lo, p.hi) {
		s := c.state(r)
		part := b[k.First-p.lo : k.First-p.lo+k.Count]
		for i := range part {
			part[i] = s
		}
	}
	return b
}

// cut divides a map at the widest gaps between its keys until the spans are dense enough or there are maxBlobs of them.
func cut(m *merge.KeyMap) []piece {
	type gap struct {
		end, next int64 // the keys on both sides
		wide      uint64
		keys      int64 // before the gap
	}
	lo, hi, _ := m.Span()
	var keys int64
	var gaps []gap
	end := lo
	for p := range m.Parts(lo, hi) {
		if wide := uint64(p.First) - uint64(end); wide > smallSpan/16 { //nolint:gosec // the difference of two's complements
			gaps = append(gaps, gap{end, p.First, wide - 1, keys})
		}
		keys += p.Count
		end = p.First + (p.Count - 1)
	}
	total := width(lo, hi)
	slices.SortFunc(gaps, func(a, b gap) int { return cmp.Or(cmp.Compare(b.wide, a.wide), cmp.Compare(a.end, b.end)) })
	var cuts []gap
	for _, g := range gaps {
		if len(cuts) == maxBlobs-1 || total <= max(sparse*uint64(keys), cheapSpans) { //nolint:gosec // keys are counted
			break
		}
		cuts = append(cuts, g)
		total -= g.wide
	}
	slices.SortFunc(cuts, func(a, b gap) int { return cmp.Compare(a.end, b.end) })
	var spans []piece
	var before int64
	for _, g := range append(cuts, gap{end: hi, keys: keys}) {
		spans = append(spans, piece{lo: lo, hi: g.end, keys: g.keys - before})
		lo, before = g.next, g.keys
	}
	return spans
}
