package audit

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gameid/gameid/merge"
)

// A key that is itself a reference, such as the number of a player's own chest, changes with the key that it repeats, and what refers to it goes along by the same
// map. That holds for integers.

// chainSample is how many texts of such a key are looked at.
const chainSample = 2000

// refuseChain refuses a reference to a key that repeats another one and does not go along with it, because it holds numbers as text or because dead values of it are
// cleared. It tells whether it has.
func (a *auditor) refuseChain(ctx context.Context, r *reference) (refused bool, err error) {
	if len(r.From) != 1 || r.spaces[0] == nil || r.spaces[0].key == r.To[0] {
		return false, nil
	}
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(r.To[0])
		if !ok {
			continue
		}
		k, err := s.Keys(ctx, r.To[0])
		if err != nil {
			return false, err
		}
		if k.Other == 0 {
			continue
		}
		sample, err := s.Sample(ctx, own, chainSample)
		if err != nil {
			return false, err
		}
		for _, text := range sample.Texts {
			if n, err := strconv.ParseInt(text, 10, 64); err != nil || strconv.FormatInt(n, 10) != text {
				continue
			}
			a.find(merge.Finding{
				Rule: "digits", Severity: merge.Block, Table: r.To[0].Table, Column: r.To[0].Name, Shard: a.name(i), Rows: k.Other,
				Text: fmt.Sprintf("holds keys of %s as text, such as %q, and %s refers to it: that would not follow", r.spaces[0].key, text, r.From[0]),
				Next: fmt.Sprintf("declare the column INTEGER in copies of the shards, or say that %s refers to %s itself", r.From[0], r.spaces[0].key),
			})
			return true, nil
		}
	}
	for _, o := range a.plain() {
		if len(o.From) != 1 || o.From[0] != r.To[0] || o.When != "" || o.Orphans != merge.ByClear {
			continue
		}
		for i, values := range o.cleared {
			if values == nil || values.Len() == 0 {
				continue
			}
			a.find(merge.Finding{
				Rule: "orphan", Severity: merge.Block, Table: r.To[0].Table, Column: r.To[0].Name, Shard: a.name(i), Rows: values.Len(),
				Text: fmt.Sprintf("dead values of it are cleared (orphans: clear), and %s refers to it: that would point at nobody, or at another's row", r.From[0]),
				Next: fmt.Sprintf("say orphans: tombstone of %s, which keeps the two together, or drop", o.From[0]),
			})
			return true, nil
		}
	}
	return false, nil
}
