package audit

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// everywhere tells whether every shard demands that the key is unique.
func (a *auditor) everywhere(u *merge.Unique) bool {
	for i := range a.shards {
		if a.has(i, u.Table) && u.Name != "" && !a.demands(i, u) {
			return false
		}
	}
	return true
}

// demands tells whether a shard's own declaration holds the key unique.
func (a *auditor) demands(shard int, u *merge.Unique) bool {
	own := a.shards[shard].Schema().Table(u.Table)
	return own != nil && slices.ContainsFunc(own.Uniques, func(v *merge.Unique) bool { return a.sameUnique(u, v) })
}

// ownTwins blocks for values that one shard alone holds twice, where only another shard's declaration forbids it, and returns the clashes between shards.
func (a *auditor) ownTwins(u *merge.Unique, list []merge.Clash) (rest []merge.Clash) {
	if u.Name == "" {
		return list
	}
	twins := make([]int, len(a.shards))
	samples := make([][]string, len(a.shards))
	for _, c := range list {
		rows := make([]int, len(a.shards))
		own := false
		for _, r := range c.Rows {
			if rows[r.Shard]++; rows[r.Shard] == 2 && !a.demands(r.Shard, u) {
				own = true
				twins[r.Shard]++
				samples[r.Shard] = append(samples[r.Shard], tupleText(r.Values))
			}
		}
		if !own {
			rest = append(rest, c)
		}
	}
	for i, n := range twins {
		if n > 0 {
			a.find(merge.Finding{
				Rule: "unique-conflict", Severity: merge.Block, Table: u.Table, Column: columnsOf(u), Shard: a.name(i), Rows: int64(n), Samples: samples[i][:min(n, listed)],
				Text: fmt.Sprintf("%s in more than one row of %s, and another shard demands that they are unique", counted(n, "value of "+merge.JoinCols(u.Cols())+" stands", "values of "+merge.JoinCols(u.Cols())+" stand"), a.name(i)),
				Next: "repair the rows of " + a.name(i) + ", or drop the constraint in every shard",
			})
		}
	}
	return rest
}
