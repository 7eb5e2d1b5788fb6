package discover

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
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
		if c.elders, err = s.older(c, c.table.keys[i], ">="); err != nil {
			return err
		}
	}
	return s.ctx.Err()
}

// older tells whether a column holds keys of no rows that are later than, or as late as, its own, as hardly any numbers would that know nothing of their row.
func (s *search) older(c *column, k *key, later string) (bool, error) {
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
		n, err := shard.Count(s.ctx, own.Table, fmt.Sprintf("%s %s %s AND %[1]s > 0", s.quote(own.Name), later, s.quote(key.Name)))
		if err != nil || n > 0 {
			return false, err
		}
	}
	return true, nil
}

// ofElders is the key of a column's own table, where all values are its numbers, and some are none of the key's that fits best so far, of which no name speaks. Whether they are those of no
// rows behind their own is told, too: a rematch is that of an earlier game, whatever else has most of these numbers. The key is nil where it is no answer.
func (s *search) ofElders(c *column, shards []values, first *pick) (own *pick, older bool) {
	i := slices.IndexFunc(c.table.keys, func(k *key) bool { return k.sole && !k.text && k.Root && !k.Undeclared })
	if i < 0 || c.self != nil || first.grade != merge.Doubtful || first.hint.level > 0 || first.key.table == c.table || first.fit.inclusion == 1 ||
		c.text || c.fraction || c.mixed || c.times() || s.alike[c.table.Name] || !maybe(shards, c.table.keys[i]) {
		return nil, false
	}
	k := c.table.keys[i]
	own = &pick{column: c, key: k, hint: s.hint(c, k), shards: shards, fit: measure(shards, k)}
	if !s.explains(own) || own.fit.verdict < first.fit.verdict || s.repeatsRows(c, k) {
		return nil, false
	}
	older, err := s.older(c, k, ">")
	if err != nil && s.failed == nil {
		s.failed = err
	}
	if older {
		own.note = "none is a row's behind its own"
	}
	return own, older
}
