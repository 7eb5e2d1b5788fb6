package discover

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// How many rows a table has at least whose key two of its columns may make by a formula, and how many of them are looked at before all are.
const (
	formulaRows  = 8
	formulaProbe = 6
)

// Formula tells how two columns of a table make its key in every row of every shard, as x*100 + y does.
type Formula struct {
	Text  string // "x * 100 + y"
	Parts []Part
}

// Part is a column that a formula takes, and so many times.
type Part struct {
	Col   merge.Col
	Times int64
}

// makes says in words what makes the key.
func (f *Formula) makes() string {
	return fmt.Sprintf("%s and %s make it", f.Parts[0].Col.Name, f.Parts[1].Col.Name)
}

// formula is how two columns of numbers make a key in every row of every shard; nil when none do.
func (s *search) formula(k *key) (*Formula, error) {
	t := k.table
	most := 0
	for i := range k.Columns {
		if k.set(i).Len() > k.set(most).Len() {
			most = i
		}
	}
	if !k.heads() || k.text || k.auto && t.Counted || k.set(most).Len() < formulaRows {
		return nil, nil
	}
	keys := k.some(most, formulaProbe)
	var names []string
	var rows [][]int64 // by column, beside keys
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		if c.Generated || col == k.Col || s.schema.Holds(col) != merge.Integer || s.lacked(col) || len(names) == tellingColumns {
			continue
		}
		values, err := s.numbersAt(most, k, keys, col)
		if err != nil {
			return nil, err
		}
		if values != nil && slices.Max(values) > slices.Min(values) {
			names, rows = append(names, c.Name), append(rows, values)
		}
	}
	for i, x := range rows {
		for j, y := range rows {
			times, more, ok := made(keys, x, y)
			if i == j || !ok {
				continue
			}
			all, err := s.makes(k, fmt.Sprintf("%s * %d + %s + %d", s.quote(names[i]), times, s.quote(names[j]), more))
			if err != nil {
				return nil, err
			}
			if all {
				return &Formula{
					Text:  fmt.Sprintf("%s * %d + %s", names[i], times, names[j]),
					Parts: []Part{{merge.Col{Table: t.Name, Name: names[i]}, times}, {merge.Col{Table: t.Name, Name: names[j]}, 1}},
				}, nil
			}
		}
	}
	return nil, nil
}

// some are so many keys of a shard, from the lowest to the highest.
func (k *key) some(shard, most int) (list []int64) {
	at, step := 0, max(1, int(k.set(shard).Len())/most)
	for v := range k.set(shard).All() {
		if at%step == 0 && len(list) < most {
			list = append(list, v)
		}
		at++
	}
	return list
}

// numbersAt are a column's numbers in the rows of some keys; nil where one of these holds none.
func (s *search) numbersAt(shard int, k *key, keys []int64, col merge.Col) (values []int64, err error) {
	from, _ := s.shards[shard].Schema().Resolve(k.Col)
	own, _ := s.shards[shard].Schema().Resolve(col)
	for _, v := range keys {
		list, err := s.shards[shard].Values(s.ctx, own, fmt.Sprintf("%s = %d", s.quote(from.Name), v), 1)
		if err != nil || len(list) != 1 {
			return nil, err
		}
		n, ok := list[0].Value[0].(int64)
		if !ok {
			return nil, nil
		}
		values = append(values, n)
	}
	return values, nil
}

// made is how many times the one of two numbers and the other, which is no greater than these times, make each of some keys, and what besides; not ok where nothing does.
func made(keys, x, y []int64) (times, more int64, ok bool) {
	at := slices.IndexFunc(x, func(n int64) bool { return n != x[0] })
	by := x[at] - x[0]
	rest := keys[at] - keys[0] - (y[at] - y[0])
	if times = rest / by; rest%by != 0 || times < 2 {
		return 0, 0, false
	}
	more = keys[0] - x[0]*times - y[0]
	for i, v := range keys {
		if x[i]*times+y[i]+more != v || x[i] < 0 || y[i] < 0 || y[i] > times {
			return 0, 0, false
		}
	}
	return times, more, true
}

// makes tells whether an expression is the key in every row of every shard.
func (s *search) makes(k *key, expression string) (bool, error) {
	for _, shard := range s.shards {
		own, ok := shard.Schema().Resolve(k.Col)
		if !ok {
			continue
		}
		if n, err := shard.Count(s.ctx, own.Table, fmt.Sprintf("%s IS NOT (%s)", s.quote(own.Name), expression)); err != nil || n > 0 {
			return false, err
		}
	}
	return true, nil
}
