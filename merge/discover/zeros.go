package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// readZeros takes 0 and -1 for numbers of rows where a column holds nothing else and some row has them as its key: those who count from 0 mean the first one, and write
// -1 for nobody. The column's name has to say that it refers to something, or another value has to stand for nobody.
func (s *search) readZeros() error {
	for _, c := range s.columns {
		if c.known || c.amount || c.distinct() > 0 || s.alike[c.table.Name] || !s.called(c) && !c.name.has(s.words.roles) && !s.words.agent(c.name) && !c.leavesOut() {
			continue
		}
		for i := range c.shards {
			v := &c.shards[i]
			for _, m := range v.nobody {
				if s.lives(m.number, i, c) {
					v.list, v.weights = append(v.list, m.number), append(v.weights, m.rows)
					v.rows += m.rows
					v.middle = 0
				}
			}
		}
	}
	return nil
}

// lives tells whether a row has a number as its key in a shard, one that another shard's row has, too.
func (s *search) lives(n int64, shard int, c *column) bool {
	return slices.ContainsFunc(s.keys, func(k *key) bool {
		return k != c.self && k.Root && !k.Undeclared && !s.alike[k.table.Name] && k.set(shard).Has(n) &&
			slices.ContainsFunc(k.Columns, func(o *merge.KeyColumn) bool { return o != k.Columns[shard] && o.Set.Has(n) })
	})
}

// leavesOut tells whether a column holds both of the numbers that mean nobody, or one of them beside rows that hold none.
func (c *column) leavesOut() bool {
	var numbers []int64
	for i, v := range c.shards {
		rows := int64(0)
		for _, m := range v.nobody {
			rows += m.rows
			if !slices.Contains(numbers, m.number) {
				numbers = append(numbers, m.number)
			}
		}
		if v.complete && rows > 0 && rows+v.other < c.table.rows[i] {
			return true
		}
	}
	return len(numbers) > 1
}
