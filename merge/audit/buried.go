package audit

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// buried is, by shard, the tombstones that earlier merges gave to dead values of a key, as they stand in the shard now; nil for a shard that is no merge.
func (a *auditor) buried(s *space) ([]*merge.KeySet, error) {
	list := make([]*merge.KeySet, len(a.shards))
	for i, m := range a.memory {
		if m == nil || m.Broken != "" { // nothing is merged with a broken one
			continue
		}
		var err error
		if list[i], err = a.graves(m, s, ""); err != nil {
			return nil, fmt.Errorf("the record of %s in %s: %w", s.key, a.name(i), err)
		}
	}
	return list, nil
}

// graves are the tombstones of a key in the database that recorded via: those of its merge, and those of the merges before as it took them over.
func (a *auditor) graves(m *merge.Memory, s *space, via string) (*merge.KeySet, error) {
	all := merge.NewKeySet()
	for _, name := range inputs(m, via) {
		before, err := a.graves(m, s, via+name+"/")
		if err != nil {
			return nil, err
		}
		mapped := false
		for _, sp := range m.Spaces { // several when keys had numbers of their own then, of which one follows the other now
			own, ok := a.schema.Resolve(sp.Key)
			if sp.Via != via || sp.Shard != name || !ok || a.top(own) != s.key {
				continue
			}
			mapped = true
			old := merge.OldKeys(sp.Tombstones)
			old.Union(before)
			if old.Len() == 0 {
				continue
			}
			became, err := merge.NewKeyMap(slices.Concat(sp.Runs, sp.Tombstones))
			if err != nil {
				return nil, err
			}
			all.Union(became.Images(old))
		}
		if !mapped {
			all.Union(before)
		}
	}
	return all, nil
}

// inputs are the names of the shards that the merge behind via was made of.
func inputs(m *merge.Memory, via string) (names []string) {
	if via == "" {
		for _, s := range m.Shards {
			names = append(names, s.Name)
		}
		return names
	}
	for _, e := range m.Earlier {
		if e.Via == via {
			names = append(names, e.Source.Name)
		}
	}
	return names
}
