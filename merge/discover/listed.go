package discover

import (
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// listed says why a key's numbers rather are some of those that a table lists of which every server has the same rows, as the houses of a map, than counted up for its own
// rows; "" when they do not. What the engine never gives out twice is so only where the list is named after it.
func (s *search) listed(k *key) (string, error) {
	if !k.heads() || k.text || k.Undeclared || s.alike[k.table.Name] || s.person(k.table) || s.hub(k.table) || slices.ContainsFunc(s.picks, func(p *pick) bool { return p.column.self == k }) {
		return "", nil
	}
	best, most := merge.Col{}, math.Log(sideLeast)
	if k.own {
		most = math.Log(sideLeastOwn)
	}
	for _, o := range s.keys {
		if o.table == k.table || !o.Root || !o.heads() || o.text || !s.alike[o.table.Name] || k.auto && k.table.Counted {
			continue
		}
		if likelier, _ := k.rather(o, 0); likelier >= most {
			best, most = o.Col, likelier
		}
	}
	for _, p := range s.picks {
		c := p.column
		if p.key != k || c.self != nil || !s.alike[c.table.Name] || p.hint.level < 1 || p.when != "" {
			continue
		}
		o, err := s.numbersOf(c)
		if err != nil {
			return "", err
		}
		if likelier, _ := k.rather(o, 0); likelier >= most {
			best, most = c.col, likelier
		}
	}
	if best.Name == "" {
		return "", nil
	}
	return fmt.Sprintf("all of its numbers are %s, of which every server has the same rows, as hardly those of rows that it numbers itself would be", best), nil
}

// numbersOf are all numbers of a column, as if they were keys.
func (s *search) numbersOf(c *column) (*key, error) {
	k := &key{Key: Key{Col: c.col, Columns: make([]*merge.KeyColumn, len(s.shards))}, table: c.table, name: c.name}
	for i, shard := range s.shards {
		k.Columns[i] = &merge.KeyColumn{Set: merge.NewKeySet()}
		own, ok := shard.Schema().Resolve(c.col)
		if !ok {
			continue
		}
		var err error
		if k.Columns[i], err = shard.Keys(s.ctx, own); err != nil {
			return nil, err
		}
	}
	k.prepare()
	return k, nil
}
