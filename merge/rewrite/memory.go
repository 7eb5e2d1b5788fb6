package rewrite

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// memory is what the output records: this merge's maps, and what earlier merges of the inputs recorded.
func (p *planner) memory(ctx context.Context, plan []byte) (*merge.Memory, error) {
	m := &merge.Memory{Plan: plan}
	for i, s := range p.settled.Shards {
		source := merge.Source{Name: s.Name, Server: s.Server}
		if d, ok := p.shards[i].(merge.Digested); ok {
			contents, err := d.Contents(ctx)
			if err != nil {
				return nil, err
			}
			source.State = contents.All
			if p.telling(contents.Tables) {
				source.Contents = contents.Rows
			}
		}
		m.Shards = append(m.Shards, source)
	}
	for _, sp := range p.settled.Spaces {
		for i, s := range p.settled.Shards {
			if space := memorySpace(sp, i, s.Name); i < len(sp.Maps) && (p.shards[i].Schema().Column(sp.Key) != nil || len(space.Tombstones) > 0) { // a shard without the table may have dead values
				m.Spaces = append(m.Spaces, space)
			}
		}
	}
	for _, r := range p.settled.Renames {
		for i := range r.Shards {
			for _, row := range r.Shards[i] {
				m.Renames = append(m.Renames, p.memoryRename(r, i, row))
			}
		}
	}
	for _, b := range p.settled.Burials {
		for i, s := range p.settled.Shards {
			for _, old := range slices.Sorted(maps.Keys(b.Shards[i])) {
				m.Buried = append(m.Buried, merge.MemoryBuried{Key: b.Key, Shard: s.Name, Old: old, New: b.Shards[i][old]})
			}
		}
	}
	for _, r := range p.settled.References {
		spaces := make([]merge.Col, len(r.Spaces))
		for i, sp := range r.Spaces {
			if sp != nil {
				spaces[i] = sp.Key
			}
		}
		m.References = append(m.References, merge.MemoryReference{Reference: r.Reference, Spaces: spaces})
	}
	for i, s := range p.shards {
		if err := carry(ctx, m, s, p.settled.Shards[i].Name); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// telling tells whether a later merge knows a shard again by the rows of its tables, which takes one that is merged row by row: servers that hold the game's own
// rows alone are all the same.
func (p *planner) telling(tables []string) bool {
	return slices.ContainsFunc(p.settled.Tables, func(t merge.SettledTable) bool {
		return t.Plan.Rows == merge.MergeRows && !p.static(t.Table) && slices.ContainsFunc(tables, func(name string) bool { return p.settled.Schema.Equal(name, t.Table.Name) })
	})
}

// static tells whether a table's own key never changes.
func (p *planner) static(t *merge.Table) bool {
	return slices.ContainsFunc(p.settled.Spaces, func(sp *merge.Space) bool {
		return sp.Rule == merge.Static && p.settled.Schema.Equal(sp.Key.Table, t.Name)
	})
}

func memorySpace(sp *merge.Space, shard int, name string) merge.MemorySpace {
	ms := merge.MemorySpace{Key: sp.Key, Shard: name}
	if m := mapOf(sp, shard); m != nil {
		for _, r := range m.Runs() {
			if r.Rule == merge.Tombstone {
				ms.Tombstones = append(ms.Tombstones, r)
			} else {
				ms.Runs = append(ms.Runs, r)
			}
		}
	}
	return ms
}

// carry takes over what an input remembers of an earlier merge.
func carry(ctx context.Context, m *merge.Memory, s merge.Shard, name string) error {
	old, err := s.Memory(ctx)
	if err != nil {
		return fmt.Errorf("read what shard %s remembers: %w", name, err)
	}
	if old == nil {
		return nil
	}
	for _, s := range old.Shards {
		m.Earlier = append(m.Earlier, merge.EarlierShard{Via: name + "/", Source: s})
	}
	for _, e := range old.Earlier {
		m.Earlier = append(m.Earlier, merge.EarlierShard{Via: name + "/" + e.Via, Source: e.Source})
	}
	for _, sp := range old.Spaces {
		sp.Via = name + "/" + sp.Via
		m.Spaces = append(m.Spaces, sp)
	}
	for _, b := range old.Buried {
		b.Via = name + "/" + b.Via
		m.Buried = append(m.Buried, b)
	}
	for _, r := range old.Renames {
		r.Via = name + "/" + r.Via
		m.Renames = append(m.Renames, r)
	}
	return nil
}

// memoryRename records a renamed row under its key after the merge. A key column that changes under a condition leaves the key out: only the database
// can tell what became of it.
func (p *planner) memoryRename(r *merge.Rename, shard int, row merge.Renamed) merge.MemoryRename {
	mr := merge.MemoryRename{
		Unique: r.Unique.Cols(), Column: merge.Col{Table: r.Unique.Table, Name: r.Column},
		Shard: p.settled.Shards[shard].Name, Old: row.Old, New: row.New,
	}
	table, source := p.settled.Schema.Table(r.Unique.Table), p.shards[shard].Schema().Table(r.Unique.Table)
	if table == nil || source == nil || len(row.Row) != len(table.PrimaryKey) {
		return mr
	}
	key := make([]any, len(row.Row))
	for i, name := range table.PrimaryKey {
		key[i] = row.Row[i]
		if p.settled.Schema.Equal(name, r.Column) {
			key[i] = row.New
			continue
		}
		cases := p.cases(table, table.Column(name, p.settled.Schema.Fold), source, shard)
		if len(cases) == 0 {
			continue
		}
		old, isInteger := row.Row[i].(int64)
		if cases[0].When != "" || len(cases[0].NotNull) > 0 {
			return mr
		}
		if isInteger && cases[0].Map != nil {
			key[i], _ = cases[0].Map.Lookup(old)
		}
	}
	mr.Row = key
	return mr
}

// floors are the lowest numbers at which the engine's own counters may stand: above every tombstone, which would otherwise become somebody's key.
func (p *planner) floors() map[string]int64 {
	floors := map[string]int64{}
	for _, sp := range p.settled.Spaces {
		t := p.settled.Schema.Table(sp.Key.Table)
		if t == nil || !t.Counted || !p.settled.Schema.Equal(t.AutoColumn, sp.Key.Name) {
			continue
		}
		for _, m := range sp.Maps {
			if m == nil {
				continue
			}
			for _, r := range m.Runs() {
				if last := r.At(r.Count - 1); last < math.MaxInt64 {
					floors[t.Name] = max(floors[t.Name], last)
				}
			}
		}
	}
	return floors
}

// beside are, by table, the keys of other tables that one sequence numbers with the key that the engine counts, or for which the game draws its numbers: the next player must not get the number of one
// in the archive.
func (p *planner) beside() map[string][]merge.Col {
	beside := map[string][]merge.Col{}
	for _, c := range p.settled.Plan.Counters {
		if c.ByEngine(p.settled.Schema) {
			beside[c.Column.Table] = append(beside[c.Column.Table], c.Key)
		}
	}
	for _, t := range p.settled.Schema.Tables {
		key := merge.Col{Table: t.Name, Name: t.AutoColumn}
		own := slices.IndexFunc(p.settled.Plan.Keys, func(k merge.KeyPlan) bool { return k.Key == key && k.Sequence != "" })
		if !t.Counted || own < 0 {
			continue
		}
		for _, k := range p.settled.Plan.Keys {
			if k.Sequence == p.settled.Plan.Keys[own].Sequence && k.Key != key && p.settled.Schema.Column(k.Key) != nil {
				beside[t.Name] = append(beside[t.Name], k.Key)
			}
		}
	}
	return beside
}
