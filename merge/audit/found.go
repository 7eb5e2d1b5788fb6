package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// askFound asks about dead values of a static key that another shard's row has. The key is the same thing on every server, so only a person can tell whether
// what was demolished on one server may be found on the other.
func (a *auditor) askFound(r *reference) {
	s := r.spaces[0]
	if len(r.From) > 1 || s == nil || s.plan.New != merge.Static || r.Orphans != "" {
		return
	}
	if slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Reference != nil && slices.Equal(u.Reference.From, r.From) && u.Reference.When == r.When
	}) {
		return // it is asked about already, with the same words to choose from
	}
	var rows int64
	var where []string
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		var found []merge.ValueCount
		var n int64
		for _, d := range c.Dead {
			if k, ok := d.Value[0].(int64); ok && a.aliveElsewhere(s, i, k) {
				found, n = append(found, d), n+d.Rows
			}
		}
		if n > 0 {
			rows += n
			where = append(where, fmt.Sprintf("%s of %s (%s)", counted(n, "row", "rows"), a.name(i), sampleValues(found)))
		}
	}
	if rows == 0 {
		return
	}
	line := r.Reference
	line.Orphans = merge.ByTombstone
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s: a dead value of %s in one shard, a row of another; shall it stay dead?", merge.JoinCols(r.From), r.To[0]), Rows: rows,
		Evidence: strings.Join(where, ", ") + "; name the values under none if they may find the other shard's row", Reference: &line,
	})
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
