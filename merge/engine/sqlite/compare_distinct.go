package sqlite

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// distinct tells whether no two expected rows of any shards can share a key. It is sure when it says yes; when it says no, the keys themselves
// have to be looked at. Within a shard keys differ already, so it is enough that every key column's image is injective on the column's values;
// across shards it is enough that one column's images are disjoint.
func (c *comparing) distinct(ctx context.Context, key []int) (bool, error) {
	if len(c.job.Jobs) == 1 && !c.changes(0, key) {
		return true, nil
	}
	images, sure := make([]map[int]*merge.KeySet, len(c.job.Jobs)), make([]bool, len(c.job.Jobs))
	err := c.sideBySide(func(j int) error {
		images[j], sure[j] = map[int]*merge.KeySet{}, true
		for n, k := range key {
			changes := c.changes(j, []int{k})
			if !changes && n > 0 {
				continue // stays as it is: injective, and one disjoint column is enough
			}
			set, ok, err := c.imageSet(ctx, j, k)
			if err != nil {
				return err
			}
			if ok {
				images[j][k] = set
			}
			sure[j] = sure[j] && (ok || !changes)
		}
		return nil
	})
	if err != nil || slices.Contains(sure, false) {
		return false, err
	}
	for a := range images {
		for b := range a {
			if !disjoint(images[a], images[b]) {
				return false, nil
			}
		}
	}
	return true, nil
}

func disjoint(a, b map[int]*merge.KeySet) bool {
	for k, set := range a {
		if other := b[k]; other != nil && set.Shared(other) == 0 {
			return true
		}
	}
	return false
}

// changes tells whether any of a job's columns is more than a copy.
func (c *comparing) changes(j int, columns []int) bool {
	for _, k := range columns {
		col := jobOf(&c.job.Jobs[j], c.columns[k].Name)
		if col == nil || col.Source == "" || len(col.Copies)+len(col.Buried) > 0 {
			return true
		}
		for i := range col.Cases {
			if m := col.Cases[i].Map; m != nil && len(m.Runs()) > 0 || col.Cases[i].Clear != nil {
				return true
			}
		}
		for _, r := range c.job.Jobs[j].Renames {
			if merge.FoldASCII(r.Rename.Column) == merge.FoldASCII(col.Name) {
				return true
			}
		}
	}
	return false
}

// imageSet is the set of a key column's images in one shard; ok is false unless the column holds integers alone, one map applies to all of its
// rows, and the map takes different values to different images.
func (c *comparing) imageSet(ctx context.Context, j, k int) (_ *merge.KeySet, ok bool, err error) {
	col, s := jobOf(&c.job.Jobs[j], c.columns[k].Name), c.shards[j]
	t := s.schema.Table(c.table.Name)
	if t == nil {
		return merge.NewKeySet(), true, nil
	}
	if col == nil || col.Source == "" || len(col.Copies)+len(col.Buried) > 0 || len(col.Cases) > 1 {
		return nil, false, nil
	}
	var m *merge.KeyMap
	if len(col.Cases) == 1 {
		one := col.Cases[0]
		if one.When != "" || len(one.NotNull) > 0 || one.Clear != nil {
			return nil, false, nil
		}
		for _, n := range one.None {
			if v, isInt := n.(int64); isInt && one.Map != nil {
				if _, changed := one.Map.Lookup(v); changed {
					return nil, false, nil
				}
			}
		}
		m = one.Map
	}
	values, err := s.Keys(ctx, merge.Col{Table: t.Name, Name: col.Source})
	if err != nil || values.Nulls > 0 || values.Other > 0 {
		return nil, false, err
	}
	if m == nil || len(m.Runs()) == 0 {
		return values.Set, true, nil
	}
	set := m.Images(values.Set)
	return set, set.Len() == values.Set.Len(), nil
}
