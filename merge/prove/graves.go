package prove

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// readEarlier reads what the inputs themselves record.
func (p *proof) readEarlier(ctx context.Context) error {
	for _, s := range p.shards {
		m, err := s.Memory(ctx)
		if err != nil {
			return err
		}
		p.earlier = append(p.earlier, m)
	}
	return nil
}

// root is the key at the end of the references that a key column is in every row.
func (p *proof) root(c merge.Col) merge.Col {
	path := []merge.Col{c}
	for {
		next, ok := p.target(c)
		if !ok {
			return c
		}
		if at := slices.Index(path, next); at >= 0 { // a circle
			return slices.MinFunc(path[at:], func(a, b merge.Col) int { return cmp.Compare(a.String(), b.String()) })
		}
		path, c = append(path, next), next
	}
}

// target is the key that a column refers to in every row.
func (p *proof) target(c merge.Col) (merge.Col, bool) {
	for _, m := range p.mem.References {
		r := m.Reference
		if at := slices.Index(r.From, c); r.As == merge.Plain && r.When == "" && at >= 0 && at < len(r.To) && r.To[at] != c {
			return r.To[at], true
		}
	}
	return merge.Col{}, false
}

// gravesOf are the values of a key that earlier merges gave dead values of an input as their tombstones, as they stand in the input.
func (p *proof) gravesOf(shard int, key merge.Col) (*merge.KeySet, error) {
	at := keyColumn{shard, key}
	if set := p.graves[at]; set != nil {
		return set, nil
	}
	set := merge.NewKeySet()
	p.graves[at] = set
	m := p.earlier[shard]
	if m == nil {
		return set, nil
	}
	for _, sp := range m.Spaces {
		if len(sp.Tombstones) == 0 || !p.of(sp.Key, key) {
			continue
		}
		made, err := merge.NewKeyMap(sp.Tombstones)
		if err == nil {
			err = p.since(m, key, sp.Via, made.Images(merge.OldKeys(sp.Tombstones)), set)
		}
		if err != nil {
			return nil, fmt.Errorf("the record of %s in %s: %w", sp.Key, p.name(shard), err)
		}
	}
	return set, nil
}

// of tells whether a recorded key holds values of a key of the output.
func (p *proof) of(recorded, key merge.Col) bool {
	own, ok := p.schema.Resolve(recorded)
	return ok && p.root(own) == key
}

// since adds to a set what values of the database that recorded via became in the merges after it.
func (p *proof) since(m *merge.Memory, key merge.Col, via string, values, set *merge.KeySet) error {
	for via != "" {
		up, name := carrier(m, via)
		later, mapped := merge.NewKeySet(), false
		for _, sp := range m.Spaces { // several where keys had numbers of their own and one follows the other now
			if sp.Via != up || sp.Shard != name || !p.of(sp.Key, key) {
				continue
			}
			became, err := merge.NewKeyMap(slices.Concat(sp.Runs, sp.Tombstones))
			if err != nil {
				return err
			}
			later.Union(became.Images(values))
			mapped = true
		}
		if mapped {
			values = later
		}
		via = up
	}
	set.Union(values)
	return nil
}

// carrier is the input that brought the record via into a merge, and the record of that merge.
func carrier(m *merge.Memory, via string) (up, name string) {
	for _, e := range m.Earlier {
		if e.Via+e.Source.Name+"/" == via {
			return e.Via, e.Source.Name
		}
	}
	return "", via[:len(via)-1]
}
