package discover

import (
	"fmt"
	"slices"
)

// How many rows chance would put before what they hold, at least, where none is: a pet's parent was born before it, and a claim lies in an older one.
const eldersChance = 6

// elderShare is the share of the values that are keys of the column's own table at least; parents die before their children.
const elderShare = 0.5

// findElders finds the columns that are named like a row of their own table and hold some, all older than the row itself.
func (s *search) findElders() error {
	for _, c := range s.columns {
		i := slices.IndexFunc(c.table.keys, func(k *key) bool { return k.sole && !k.text && k.Root && !k.Undeclared })
		if i < 0 || !c.name.has(s.words.self) || c.self != nil || c.known || c.text || c.fraction || c.mixed || c.times() || c.flag() > 0 || c.amount && s.words.gauges(c.name) || s.alike[c.table.Name] {
			continue
		}
		var err error
		if c.elders, err = s.older(c, c.table.keys[i]); err != nil {
			return err
		}
	}
	return s.ctx.Err()
}

// older tells whether a column holds keys of rows before its own alone, as hardly any numbers would that know nothing of their row.
func (s *search) older(c *column, k *key) (bool, error) {
	chance := 0.0
	for i, v := range c.shards {
		if n := len(v.list); n > 0 && (k.set(i).Len() == 0 || v.list[n-1] >= k.high[i]) {
			return false, nil
		}
		for j, n := range v.list {
			chance += float64(v.weights[j]) * float64(k.set(i).Rank(n)) / float64(k.set(i).Len())
		}
	}
	if chance < eldersChance || measure(c.shards, k).inclusion < elderShare {
		return false, nil
	}
	for i, shard := range s.shards {
		own, ok := shard.Schema().Resolve(c.col)
		if !ok || len(c.shards[i].list) == 0 {
			continue
		}
		key, ok := shard.Schema().Resolve(k.Col)
		if !ok {
			return false, nil
		}
		n, err := shard.Count(s.ctx, own.Table, fmt.Sprintf("%s >= %s AND %[1]s > 0", s.quote(own.Name), s.quote(key.Name)))
		if err != nil || n > 0 {
			return false, err
		}
	}
	return true, nil
}
