package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// spread takes values of a key from every shard.
func (k *key) spread() []values {
	if k.taken == nil {
		k.taken = make([]values, len(k.Columns))
		for i, c := range k.Columns {
			k.taken[i] = spread(c)
		}
	}
	return slices.Clone(k.taken) // a column changes its own
}

// spread takes values evenly from a key column that was read as a whole.
func spread(k *merge.KeyColumn) values {
	n := k.Set.Len()
	take := min(n, sampled)
	v := values{complete: take == n, other: k.Other}
	for _, one := range k.Set.Spread(take) {
		if one == 0 || one == -1 {
			v.nobody = append(v.nobody, meant{one, 1})
		} else {
			v.list, v.weights = append(v.list, one), append(v.weights, 1)
			v.rows++
		}
	}
	v.list, v.weights = slices.Clip(v.list), slices.Clip(v.weights)
	return v
}
