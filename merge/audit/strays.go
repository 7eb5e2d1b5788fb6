package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// straysShare is the share of a reference's dead rows that hold keys of another table from which that is said.
const straysShare = 0.5

// othersKeys says whose keys the values are that a reference holds in vain, where most of them are another table's, or some of them keys that one sequence numbers with its target: an owner may
// be a player or a clan, and no column tells which. Where a sequence tells which, the line is that of what is left to the reference. "" when they are nobody's.
func (a *auditor) othersKeys(r *reference) (text string, line *merge.Reference) {
	if len(r.From) != 1 || r.spaces[0] == nil {
		return "", nil
	}
	if list := a.straysOfSequence(r); list != nil {
		words, mine := a.apartFrom(r, list)
		whole := r.Reference
		whole.Orphans = merge.ByTombstone
		return words + ". One sequence seems to number both, so the line below is the first of these; if all are lost keys all the same, say " + planfile.ReferenceLine(&whole), mine
	}
	return a.mostlyOthers(r), nil
}

// mostlyOthers says whose keys most of the values are that a reference holds in vain; "" when they are nobody's.
func (a *auditor) mostlyOthers(r *reference) string {
	if len(r.From) != 1 || r.spaces[0] == nil {
		return ""
	}
	smallest := func(sign int64) (best *space) {
		for _, s := range a.order {
			if s != r.spaces[0] && s.key.Table != r.table() && a.holdsStrays(s, r, sign) && (best == nil || a.tables[s.key.Table].total() < a.tables[best.key.Table].total()) {
				best = s
			}
		}
		return best
	}
	if best := smallest(1); best != nil {
		text, _ := a.apartFrom(r, []*space{best})
		return text
	}
	if below := smallest(-1); below != nil {
		return a.negated(r, below)
	}
	return ""
}

// apartFrom says by which lines a reference's rows that hold keys of others are told from the rest, of which the first is the rest's.
func (a *auditor) apartFrom(r *reference, others []*space) (text string, mine *merge.Reference) {
	names, share := make([]merge.Col, len(others)), "Some"
	for i, s := range others {
		if names[i] = s.key; a.holdsStrays(s, r, 1) {
			share = "Most"
		}
		for i := range a.shards {
			if n := s.alive[i].Shared(r.spaces[0].alive[i]); n > 0 {
				return fmt.Sprintf(" %s of these are %s: where it holds both, write one line for each, with when:, and with conditions on what else a row of %s says: in %s, %s and %s share %s",
					share, s.key, r.table(), a.name(i), r.To[0], s.key, counted(n, "number", "numbers")), nil
			}
		}
	}
	mine = a.amongKeys(r.From[0], r.To[0])
	rest := a.deadElsewhere(others, r)
	if rest { // what is nobody's stays with the first line, or no line would say what becomes of it
		mine = a.notAmong(r.From[0], r.To[0], names)
	}
	lines := []*merge.Reference{mine}
	for _, name := range names {
		lines = append(lines, a.amongKeys(r.From[0], name))
	}
	var written []string
	for _, line := range lines {
		if line.None = r.None; r.When != "" {
			line.When = bracketed(r.When) + " AND " + line.When
		}
		written = append(written, planfile.ReferenceLine(line))
	}
	if rest {
		mine.Orphans = merge.ByTombstone
	}
	return fmt.Sprintf(" %s of these are %s: where it holds both, write one line for each, with when:, such as %s", share, eitherOf(names), strings.Join(written, " and ")), mine
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

// straysOfSequence are the keys which one sequence numbers with a reference's target and which some of its dead values are: an archive of deleted players, of which no share is too small, as
// each number was given once; and other things where most of the dead values or more than chance makes are their keys. Of a few keys the gaps tell less than the dead values do, where all of these
// are such keys. Of two that share a number it is the one of fewer rows.
func (a *auditor) straysOfSequence(r *reference) (list []*space) {
	if len(r.From) != 1 || r.spaces[0] == nil {
		return nil
	}
	to := r.spaces[0]
	for _, s := range a.order {
		if s == to || s.key.Table == r.table() {
			continue
		}
		one := slices.Contains(to.others, s) || (to.plan.Sequence == "" || s.plan.Sequence == "") && merge.OneSequence(to.alive, s.alive)
		held, unlikely := a.strays(s, r, one)
		if held && (unlikely >= strayChance || one && (a.holdsStrays(s, r, 1) || a.archiveOf(s.key, to.key) || a.sameThings(to.key.Table, s.key.Table))) {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(x, y *space) int {
		return cmp.Compare(a.tables[x.key.Table].total(), a.tables[y.key.Table].total())
	})
	var apart []*space // no row may stand under two lines
	for _, s := range list {
		if !slices.ContainsFunc(apart, func(o *space) bool { return !shareNone(s.alive, o.alive) }) {
			apart = append(apart, s)
		}
	}
	return apart
}

// deadElsewhere tells whether a reference holds dead values that are no keys of others either.
func (a *auditor) deadElsewhere(others []*space, r *reference) bool {
	for i, c := range r.counts {
		if c != nil && slices.ContainsFunc(c.Dead, func(v merge.ValueCount) bool {
			k, ok := v.Value[0].(int64)
			return !slices.Contains(r.None, v.Value[0]) && !(ok && slices.ContainsFunc(others, func(s *space) bool { return s.alive[i].Has(k) }))
		}) {
			return true
		}
	}
	return false
}

// strayChance is e to the power of minus this: how unlikely it has to be that so many dead values are another table's keys by chance.
const strayChance = 14

// strays tells whether dead values of a reference are keys of a table that shares none with its target, and how unlikely it is that so many of as many places without a row are; of tables that no
// sequence is known to number, where all of them are such keys.
func (a *auditor) strays(s *space, r *reference, one bool) (held bool, unlikely float64) {
	for i, c := range r.counts {
		to := r.spaces[0].alive[i]
		if to.Shared(s.alive[i]) > 0 {
			return false, 0
		}
		if c == nil {
			continue
		}
		low, some := to.Min()
		if !some {
			continue
		}
		high, _ := to.Max()
		dead, theirs := 0.0, 0.0
		all := true
		for _, v := range c.Dead {
			k, ok := v.Value[0].(int64)
			if !ok || a.sentinel(r, k) {
				continue
			}
			has := s.alive[i].Has(k)
			held, all = held || has, all && has
			if k >= low && k <= high {
				if dead++; has {
					theirs++
				}
			}
		}
		if !all && !one {
			return false, 0
		}
		places, keys := float64(high)-float64(low)+1-float64(to.Len()), float64(s.alive[i].Between(low, high).Len())
		if usual := dead * keys / max(places, 1); theirs > usual {
			unlikely += merge.LogChoices(keys, usual) + merge.LogChoices(places-keys, dead-usual) - merge.LogChoices(keys, theirs) - merge.LogChoices(places-keys, dead-theirs)
		}
	}
	return held, unlikely
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
