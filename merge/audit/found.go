package audit

import (
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
)

// askFound asks about dead values of a static key that another shard's row has, or that the engine would give to the next row. The key is the same thing on every
// server, so only a person can tell whether what was demolished on one server may be found on the other.
func (a *auditor) askFound(r *reference) {
	s := r.spaces[0]
	if len(r.From) > 1 || s == nil || s.plan.New != merge.Static || r.Orphans != "" {
		return
	}
	for _, found := range []struct {
		by          func(shard int, k int64) bool
		what, finds string
	}{
		{func(shard int, k int64) bool { return a.aliveElsewhere(s, shard, k) }, "a row of another", "the other shard's row"},
		{func(_ int, k int64) bool { return a.issuedNext(s, k) }, "the number of the next row of the output", "the row that gets the number"},
	} {
		where, rows := a.deadBy(r, found.by)
		if rows == 0 {
			continue
		}
		a.askDead(r, rows, where, found.what, found.finds)
		return
	}
}

// deadBy says in which rows of which shards a reference holds dead values of a kind.
func (a *auditor) deadBy(r *reference, kind func(shard int, k int64) bool) (words string, rows int64) {
	var where []string
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		var found []merge.ValueCount
		var n int64
		for _, d := range c.Dead {
			if k, ok := d.Value[0].(int64); ok && kind(i, k) {
				found, n = append(found, d), n+d.Rows
			}
		}
		if n > 0 {
			rows += n
			where = append(where, fmt.Sprintf("%s of %s (%s)", counted(n, "row", "rows"), a.name(i), sampleValues(found)))
		}
	}
	return strings.Join(where, ", "), rows
}

// askDead asks whether dead values stay dead that would find a row; what and finds say which.
func (a *auditor) askDead(r *reference, rows int64, where, what, finds string) {
	if rows == 0 || a.askedAgain(r) {
		return // it is asked about already, with the same words to choose from
	}
	if len(r.From) > 1 {
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s: dead values of %s in one shard, %s; may they find %s?", merge.JoinCols(r.From), merge.JoinCols(r.To), what, finds), Rows: rows,
			Evidence:  where + "; a reference by several columns gets no tombstone: where they shall stay dead, change them in copies of the shards instead",
			Reference: &merge.Reference{From: r.From, As: merge.Keep, When: r.When},
		})
		return
	}
	line := r.Reference
	line.Orphans = merge.ByTombstone
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s: a dead value of %s in one shard, %s; shall it stay dead?", merge.JoinCols(r.From), r.To[0], what), Rows: rows,
		Evidence: where + "; name the values under none if they may find " + finds, Reference: &line,
	})
}

// issuedNext tells whether the engine would number a row of the output with a value of a key that stays: no row has it, and a row that is left out had one as high.
func (a *auditor) issuedNext(s *space, k int64) bool {
	if !a.reissues(s) || k > min(a.issued(s), assign.Countable) {
		return false
	}
	for _, keys := range s.alive {
		if top, ok := keys.Max(); ok && k <= top {
			return false
		}
	}
	return k > 0
}

// aliveElsewhere tells whether another shard than this one has a key that comes into the output.
func (a *auditor) aliveElsewhere(s *space, shard int, k int64) bool {
	for j, keys := range s.alive {
		if j != shard && keys.Has(k) {
			return true
		}
	}
	return false
}
