package discover

import (
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// findDrawn finds the tables from which a game draws the numbers of another one's rows: it adds a row and takes its key, and the rows before are deleted or replaced. One row is left, or none where the engine
// remembers the last number all the same. It stands where the keys of the other table end, on every server.
func (s *search) findDrawn() error {
	for _, k := range s.keys {
		if !k.heads() || !k.sole || k.text || !k.auto || slices.Max(k.table.rows) > 1 || slices.Contains(s.opt.Numbered, k.Col) || s.referred(k) || s.countsAlready(k.Col) {
			continue
		}
		var r counterRow
		for i := range k.Columns {
			r.values = append(r.values, max(k.high[i], k.Columns[i].Highest))
		}
		if slices.Min(r.values) <= 0 {
			continue
		}
		if of := s.drawnFor(k, r); of != nil {
			found := s.counterAt(of, k.column(), r)
			found.Margin, found.Own = 0, true
			s.counters = append(s.counters, *found)
		}
	}
	return nil
}

// countsAlready tells whether a column is a counter of the plan's, or one that is found already.
func (s *search) countsAlready(c merge.Col) bool {
	return slices.ContainsFunc(s.opt.Counters, func(o merge.Counter) bool { return o.Column == c }) || slices.ContainsFunc(s.counters, func(o Counter) bool { return o.Column == c })
}

// drawnFor is the key whose numbers a table of one row gives out: that of the table by which it is called, or, under whatever name, the one whose highest numbers these are, too exactly for chance; nil when there
// is none.
func (s *search) drawnFor(k *key, r counterRow) (best *key) {
	named, above := false, int64(0)
	for _, o := range s.keys {
		if o == k || !s.countable(o, nil) || o.Undeclared || slices.Max(o.table.rows) <= 1 {
			continue
		}
		near, far := true, int64(0)
		for i, v := range r.values {
			near = near && o.atTop(i, v)
			far += v - o.high[i]
		}
		called := s.drawsFor(k.table, o.table)
		if !near || !called && (far > 0 || !r.varies() || slices.Min(r.values) < oneNumberLeast) {
			continue
		}
		if best == nil || called && !named || called == named && far < above {
			best, named, above = o, called, far
		}
	}
	return best
}

// drawsFor tells whether a table is called after another one and something that gives out numbers, as users_seq, seq_users and tickets_item are.
func (s *search) drawsFor(t, of *table) bool {
	rest := slices.DeleteFunc(slices.Clone(t.bare), func(w string) bool { return s.words.issues[w] || s.words.id[w] || s.words.draws[w] })
	return len(rest) < len(t.bare) && len(rest) > 0 && (slices.Equal(rest, of.bare) || slices.Contains(of.stems, strings.Join(rest, "")))
}
