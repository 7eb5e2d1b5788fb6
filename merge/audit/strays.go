package audit

import (
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// straysShare is the share of a reference's dead rows that hold keys of another table from which that is said.
const straysShare = 0.5

// othersKeys says whose keys the values are that a reference holds in vain, where most of them are another table's: an owner may be a player or a clan, and no column
// tells which. "" when they are nobody's.
func (a *auditor) othersKeys(r *reference) string {
	if len(r.From) != 1 || r.spaces[0] == nil {
		return ""
	}
	smallest := func(holds func(s *space) bool) (best *space) {
		for _, s := range a.order {
			if s != r.spaces[0] && s.key.Table != r.table() && holds(s) && (best == nil || a.tables[s.key.Table].total() < a.tables[best.key.Table].total()) {
				best = s
			}
		}
		return best
	}
	best := smallest(func(s *space) bool { return a.straysOfSequence(s, r) })
	if best == nil {
		best = smallest(func(s *space) bool { return a.holdsStrays(s, r, 1) })
	}
	if best == nil {
		if below := smallest(func(s *space) bool { return a.holdsStrays(s, r, -1) }); below != nil {
			return a.negated(r, below)
		}
		return ""
	}
	for i := range a.shards {
		if n := best.alive[i].Shared(r.spaces[0].alive[i]); n > 0 {
			return fmt.Sprintf(" Most of these are %s: where it holds both, write one line for each, with when:, and with conditions on what else a row of %s says: in %s, %s and %s share %s",
				best.key, r.table(), a.name(i), r.To[0], best.key, counted(n, "number", "numbers"))
		}
	}
	mine, theirs := a.amongKeys(r.From[0], r.To[0]), a.amongKeys(r.From[0], best.key)
	if a.deadElsewhere(best, r) { // what is nobody's stays with the first line, or no line would say what becomes of it
		mine.When = "NOT " + bracketed(theirs.When)
	}
	for _, line := range []*merge.Reference{mine, theirs} {
		if line.None = r.None; r.When != "" {
			line.When = bracketed(r.When) + " AND " + line.When
		}
	}
	return fmt.Sprintf(" Most of these are %s: where it holds both, write one line for each, with when:, such as %s and %s", best.key, planfile.ReferenceLine(mine), planfile.ReferenceLine(theirs))
}

// negated says whose keys with a minus before them a reference holds in vain, and what keeps them.
func (a *auditor) negated(r *reference, of *space) string {
	text := fmt.Sprintf(" Most of these are %s with a minus before them, which this version does not rewrite", of.key)
	if r.When == "" && of.moves() == 0 {
		column := a.engine.Quote(r.From[0].Name)
		mine := &merge.Reference{From: r.From, To: r.To, When: column + " > 0"}
		rest := &merge.Reference{From: r.From, When: column + " <= 0", As: merge.Keep}
		return text + fmt.Sprintf(". Their keys stay: keep them by two lines, %s and %s. As the line below stands, each of them gets a number that nobody has", planfile.ReferenceLine(mine), planfile.ReferenceLine(rest))
	}
	return text + ": give them a column of their own in copies of the shards; as the line below stands, each of them gets a number that nobody has"
}

// ofOneSequence tells whether a reference's dead values mostly are keys of a table that one sequence numbers with its target, as those of an archive of deleted players: they
// are not dead, and no share of them is too small.
func (a *auditor) ofOneSequence(r *reference) bool {
	return len(r.From) == 1 && r.spaces[0] != nil && slices.ContainsFunc(a.order, func(s *space) bool {
		return s != r.spaces[0] && s.key.Table != r.table() && a.straysOfSequence(s, r)
	})
}

// straysOfSequence tells whether a reference's dead values mostly are keys of a table that one sequence numbers with its target. Of a few keys the gaps tell less than the
// dead values do, where all of these are such keys.
func (a *auditor) straysOfSequence(s *space, r *reference) bool {
	return merge.OneSequence(r.spaces[0].alive, s.alive) && a.holdsStrays(s, r, 1) || a.allStrays(s, r)
}

// deadElsewhere tells whether a reference holds dead values that are no keys of another table either.
func (a *auditor) deadElsewhere(s *space, r *reference) bool {
	for i, c := range r.counts {
		if c != nil && slices.ContainsFunc(c.Dead, func(v merge.ValueCount) bool {
			k, ok := v.Value[0].(int64)
			return (!ok || !s.alive[i].Has(k)) && !slices.Contains(r.None, v.Value[0])
		}) {
			return true
		}
	}
	return false
}

// strayChance is e to the power of minus this: how unlikely it has to be that dead values are all another table's keys by chance.
const strayChance = 14

// allStrays tells whether all of a reference's dead values are keys of a table that shares none with its target, more of them than chance makes of as many places without one.
func (a *auditor) allStrays(s *space, r *reference) bool {
	unlikely := 0.0
	for i, c := range r.counts {
		to := r.spaces[0].alive[i]
		if to.Shared(s.alive[i]) > 0 {
			return false
		}
		if c == nil || to.Len() == 0 {
			continue
		}
		low, _ := to.Min()
		high, _ := to.Max()
		dead := 0.0
		for _, v := range c.Dead {
			if k, ok := v.Value[0].(int64); ok && !a.sentinel(r, k) {
				if !s.alive[i].Has(k) {
					return false
				}
				if k >= low && k <= high {
					dead++
				}
			}
		}
		theirs := float64(s.alive[i].Between(low, high).Len())
		unlikely += ways(float64(high)-float64(low)+1-float64(to.Len()), dead) - ways(theirs, dead)
	}
	return unlikely >= strayChance
}

// ways is the logarithm of how many ways there are to choose some of so many.
func ways(of, some float64) float64 {
	x, _ := math.Lgamma(of + 1)
	y, _ := math.Lgamma(some + 1)
	z, _ := math.Lgamma(of - some + 1)
	return x - y - z
}

// holdsStrays tells whether a key has most of a reference's dead values in every shard, as they are or, by the sign -1, without the minus before them.
func (a *auditor) holdsStrays(s *space, r *reference, sign int64) bool {
	some := false
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		var dead, theirs int64
		for _, v := range c.Dead {
			if k, ok := v.Value[0].(int64); ok && !a.sentinel(r, k) {
				if dead += v.Rows; s.alive[i].Has(sign * k) {
					theirs += v.Rows
				}
			}
		}
		if float64(theirs) < straysShare*float64(dead) {
			return false
		}
		some = some || dead > 0
	}
	return some
}
