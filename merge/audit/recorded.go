package audit

import (
	"context"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// digests are the digests of what the inputs hold, for the inputs beside a merged one; "" where they tell nothing. Nobody else is compared: two new servers of one
// game may well begin alike.
func (a *auditor) digests(ctx context.Context) ([]string, error) {
	digests := make([]string, len(a.raw))
	for i := range a.raw {
		if !a.besideMerged(i) {
			continue
		}
		s, ok := a.raw[i].(merge.Digested)
		if !ok {
			continue
		}
		contents, err := s.Contents(ctx)
		if err != nil {
			return nil, err
		}
		for _, name := range contents.Tables {
			if t := a.schema.Table(name); t != nil && a.own(t) {
				digests[i] = contents.Rows
				break
			}
		}
	}
	return digests, nil
}

// besideMerged tells whether another input is a merge.
func (a *auditor) besideMerged(shard int) bool {
	for i, m := range a.memory {
		if m != nil && i != shard {
			return true
		}
	}
	return false
}

// own tells whether a table's rows belong to their server, as far as the plan says.
func (a *auditor) own(t *merge.Table) bool {
	if a.tables[t.Name].plan.Rows != merge.MergeRows {
		return false
	}
	if len(t.PrimaryKey) != 1 {
		return true
	}
	s := a.spaces[t.KeyCols()[0]]
	return s == nil || s.plan.New != merge.Static
}

// recorded is the part that a merged input took in with exactly these contents; nil when none is recorded.
func (a *auditor) recorded(merged int, digest string) *merge.Source {
	if digest == "" {
		return nil
	}
	for _, part := range parts(a.memory[merged]) {
		if part.Contents == digest {
			return &part
		}
	}
	return nil
}

// parts are the shards that a merge and the merges before it were made of.
func parts(m *merge.Memory) []merge.Source {
	list := append([]merge.Source(nil), m.Shards...)
	for _, e := range m.Earlier {
		list = append(list, e.Source)
	}
	return list
}

// checkShared looks whether two merged inputs took in one part. Those whose parts have numbers are told apart by them, before.
func (a *auditor) checkShared() {
	for i, m := range a.memory {
		for j := range i {
			if m == nil || a.memory[j] == nil {
				continue
			}
			for _, part := range parts(m) {
				other := a.recorded(j, part.Contents)
				if other == nil || part.Server != nil && other.Server != nil {
					continue
				}
				f := merge.Finding{
					Rule: "same-origin", Severity: merge.Block, Shard: a.name(i),
					Text: fmt.Sprintf("%s and %s both hold the players of one server: it was %s in the first and %s in the second, with the same rows", a.name(j), a.name(i), other.Name, part.Name),
					Next: fmt.Sprintf("merge each origin once: leave one of the two inputs out; if they were two servers that began alike, say so by numbers: --server %s=N --server %s=N", a.name(j), a.name(i)),
				}
				if a.shards[i].Source().Server != nil && a.shards[j].Source().Server != nil {
					f.Severity, f.Next = merge.Info, "look once more whether they were two servers"
				}
				a.find(f)
			}
		}
	}
}
