package discover

import (
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/gameid/gameid/merge"
)

// sampled is how many distinct values of a column are looked at in each shard. A probe with 200 found as much as full columns did; holes are
// rarer than one in a hundred in young games, and only about 2,000 values meet enough of them to tell.
const sampled = 2000

// column is a column that may hold keys, with its values in every shard.
type column struct {
	col    merge.Col
	table  *table
	meta   *merge.Column
	name   name
	text   bool // integers stand in text
	shards []values
	fixed  *key // the key that a declared or decided reference points at
	known  bool // a declared or decided reference covers it
	self   *key // the key that it is itself
}

// values are what one shard's column holds, without those that mean nobody.
type values struct {
	rows     int64 // of the sample
	list     []int64
	weights  []int64
	complete bool
	other    int64 // rows that hold something else than an integer
}

// distinct counts the distinct values of all shards together, each shard's for itself.
func (c *column) distinct() (n int) {
	for _, v := range c.shards {
		n += len(v.list)
	}
	return n
}

// least is the lowest number of distinct values in a shard that has any.
func (c *column) least() int {
	least := 0
	for _, v := range c.shards {
		if len(v.list) > 0 && (least == 0 || len(v.list) < least) {
			least = len(v.list)
		}
	}
	return least
}

// sample takes values of a column from every shard.
func (s *search) sample(c merge.Col, limit int) ([]*merge.Sample, error) {
	out, errs := make([]*merge.Sample, len(s.shards)), make([]error, len(s.shards))
	var all sync.WaitGroup
	for i, shard := range s.shards {
		out[i] = &merge.Sample{Complete: true}
		if own, ok := shard.Schema().Resolve(c); ok && s.tables[c.Table].rows[i] > 0 {
			all.Go(func() { out[i], errs[i] = shard.Sample(s.ctx, own, limit) })
		}
	}
	all.Wait()
	return out, errors.Join(errs...)
}

// readColumns takes a sample of every column that may hold keys: integers, and text whose name says so.
func (s *search) readColumns() error {
	for _, t := range s.schema.Tables {
		e := s.tables[t.Name]
		if t.Opaque != "" || len(t.Name) > len(ownTables) && t.Name[:len(ownTables)] == ownTables {
			continue
		}
		for _, m := range t.Columns {
			if m.Generated {
				continue
			}
			c := &column{col: merge.Col{Table: t.Name, Name: m.Name}, table: e, meta: m, name: s.words.parse(m.Name)}
			to, known := s.pointsAt(c.col)
			c.known, c.fixed, c.self = known, s.key(to), s.key(c.col)
			keep, err := s.readColumn(c)
			if err != nil {
				return err
			}
			if keep {
				s.columns = append(s.columns, c)
			}
		}
	}
	return nil
}

// readColumn fills in a column's values; false when it cannot hold keys.
func (s *search) readColumn(c *column) (bool, error) {
	c.shards = make([]values, len(s.shards))
	switch c.meta.Affinity {
	case merge.Text:
		c.text = true
		if c.known || c.meta.Chars == 1 || !s.words.refers(c.name) {
			return false, nil // reading text is dear
		}
		for i, shard := range s.shards {
			own, ok := shard.Schema().Resolve(c.col)
			if !ok {
				continue
			}
			list, err := shard.Values(s.ctx, own, "", sampled)
			if err != nil {
				return false, err
			}
			c.shards[i] = s.clean(c, list)
		}
		return c.mostly(), nil
	case merge.Real:
		return false, nil
	}
	if c.self != nil {
		for i := range s.shards {
			c.shards[i] = spread(c.self.Columns[i])
		}
		return true, nil
	}
	samples, err := s.sample(c.col, sampled)
	if err != nil {
		return false, err
	}
	integers := c.meta.Affinity == merge.Integer
	for i, one := range samples {
		v := values{complete: one.Complete, other: one.Other}
		for j, n := range one.Values {
			if !s.nobody(c, n) {
				v.list, v.weights = append(v.list, n), append(v.weights, one.Weights[j])
				v.rows += one.Weights[j]
			}
		}
		c.shards[i] = v
		integers = integers || len(v.list) > 0
	}
	return integers && c.mostly(), nil
}

// mostly tells whether a column holds integers, and hardly anything else: a few names of digits make no reference.
func (c *column) mostly() bool {
	var integers, other int64
	for _, v := range c.shards {
		integers, other = integers+v.rows, other+v.other
	}
	return float64(other) <= strayShare*float64(integers+other)
}

// strayShare is the share of rows that may hold something else than an integer.
const strayShare = 0.1

// nobody tells whether a value cannot be meant as a key: 0, -1, and the column's default where it is negative.
func (s *search) nobody(c *column, v int64) bool {
	if v == 0 || v == -1 {
		return true
	}
	d, err := strconv.ParseInt(c.meta.Default, 10, 64)
	return err == nil && d == v && v < 0
}

// clean takes the canonical decimal integers out of listed values.
func (s *search) clean(c *column, list []merge.ValueCount) values {
	v := values{complete: len(list) < sampled}
	type entry struct{ n, rows int64 }
	var found []entry
	for _, one := range list {
		if len(one.Value) != 1 {
			continue
		}
		n, ok := integer(one.Value[0])
		switch {
		case one.Value[0] == nil:
		case !ok:
			v.other += one.Rows
		case !s.nobody(c, n):
			found = append(found, entry{n, one.Rows})
		}
	}
	slices.SortFunc(found, func(a, b entry) int { return compare(a.n, b.n) })
	for _, f := range found {
		v.list, v.weights = append(v.list, f.n), append(v.weights, f.rows)
		v.rows += f.rows
	}
	return v
}

// integer reads an integer or the canonical decimal of one.
func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil && strconv.FormatInt(n, 10) == v
	}
	return 0, false
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// spread takes values evenly from a key column that was read as a whole.
func spread(k *merge.KeyColumn) values {
	n := k.Set.Len()
	take := min(n, sampled)
	v := values{complete: take == n, other: k.Other}
	for i := range take {
		if one, ok := k.Set.At(i * n / take); ok && one != 0 && one != -1 {
			v.list, v.weights = append(v.list, one), append(v.weights, 1)
			v.rows++
		}
	}
	return v
}

// fit is how well a column's values fit a key.
type fit struct {
	rows, in  []int64 // rows with a value, and with one that is a key of the same shard
	inclusion float64 // share of in, the lowest of the shards
	reach     float64 // how far up the keys the values go, the lowest of the shards: small numbers are keys of every dense table
	cover     float64 // share of the keys that are used, the highest of the shards
	own       int     // values that are keys of their own shard and not of its neighbour
	sister    tally   // values that are keys of the neighbour alone
	holes     tally   // values that fall between the keys
	verdict   verdict // of both
}

// quantile is where in the sorted values reach is measured: the top tenth may hold stray values.
const quantile = 0.9

// measure compares a column with a key.
func measure(shards []values, k *key) *fit {
	f := &fit{inclusion: 1, reach: 1}
	measured := false
	for i, v := range shards {
		in, hits := int64(0), 0
		for j, n := range v.list {
			has := k.set(i).Has(n)
			if has {
				in += v.weights[j]
				hits++
			}
			if share, ok := k.rate[i].at(n); ok {
				f.holes.add(!has, 1-share, v.weights[j])
			}
			if p := k.pairs[i]; p != nil {
				if own := p.own.Has(n); own || p.other.Has(n) {
					f.own += int(yes(own))
					f.sister.add(!own, p.share, v.weights[j])
				}
			}
		}
		f.rows, f.in = append(f.rows, v.rows), append(f.in, in)
		if v.rows == 0 {
			continue
		}
		measured = true
		f.inclusion = min(f.inclusion, float64(in)/float64(v.rows))
		total := k.set(i).Len()
		if total == 0 {
			f.reach = 0
			continue
		}
		at := v.list[min(len(v.list)-1, int(quantile*float64(len(v.list))))]
		f.reach = min(f.reach, float64(k.set(i).Rank(at))/float64(total))
		f.cover = max(f.cover, float64(hits)/float64(total))
	}
	if !measured {
		f.inclusion, f.reach = 0, 0
	}
	f.verdict = weigh(f.sister.verdict(), f.holes.verdict())
	return f
}

// weigh joins what the other shard's keys say with what the holes say. One that speaks against silences a mere favour.
func weigh(a, b verdict) verdict {
	switch {
	case a == against && b == against, a == against && b == mute, a == mute && b == against:
		return against
	case a == against || b == against:
		return mute
	}
	return max(a, b)
}

// maybe tells quickly whether measuring is worth while: half of a few values must be keys.
func maybe(shards []values, k *key) bool {
	looked, in := 0, 0
	for i, v := range shards {
		for j := 0; j < len(v.list); j += 1 + len(v.list)/glance {
			looked++
			if k.set(i).Has(v.list[j]) {
				in++
			}
		}
	}
	return looked > 0 && in*2 >= looked
}

// glance is how many values of a shard a first look takes.
const glance = 40
