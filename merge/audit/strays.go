package audit

import (
	"fmt"
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
	var best *space
	for _, s := range a.order {
		if s != r.spaces[0] && s.key.Table != r.table() && a.holdsStrays(s, r) && (best == nil || a.tables[s.key.Table].total() < a.tables[best.key.Table].total()) {
			best = s
		}
	}
	if best == nil {
		return ""
	}
	for i := range a.shards {
		if n := best.alive[i].Shared(r.spaces[0].alive[i]); n > 0 {
			return fmt.Sprintf(" Most of these are %s: where it holds both, write one line for each, with when:, and with conditions on what else a row of %s says: in %s, %s and %s share %s",
				best.key, r.table(), a.name(i), r.To[0].Table, best.key.Table, counted(n, "number", "numbers"))
		}
	}
	when := func(to merge.Col) string {
		line := merge.Reference{From: r.From, To: []merge.Col{to}, When: fmt.Sprintf("%s IN (SELECT %s FROM %s)", a.engine.Quote(r.From[0].Name), a.engine.Quote(to.Name), a.engine.Quote(to.Table))}
		return planfile.ReferenceLine(&line)
	}
	return fmt.Sprintf(" Most of these are %s: where it holds both, write one line for each, with when:, such as %s and %s", best.key, when(r.To[0]), when(best.key))
}

// ofOneSequence tells whether a reference's dead values mostly are keys of a table that one sequence numbers with its target, as those of an archive of deleted players: they
// are not dead, and no share of them is too small.
func (a *auditor) ofOneSequence(r *reference) bool {
	return len(r.From) == 1 && r.spaces[0] != nil && slices.ContainsFunc(a.order, func(s *space) bool {
		return s != r.spaces[0] && s.key.Table != r.table() && merge.OneSequence(r.spaces[0].alive, s.alive) && a.holdsStrays(s, r)
	})
}

// holdsStrays tells whether a key has most of a reference's dead values in every shard.
func (a *auditor) holdsStrays(s *space, r *reference) bool {
	some := false
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		var dead, theirs int64
		for _, v := range c.Dead {
			if k, ok := v.Value[0].(int64); ok && !a.sentinel(r, k) {
				if dead += v.Rows; s.alive[i].Has(k) {
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
