package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A counter stands in a table of few rows, at the highest key or a little above it: deleted keys lie between.
const (
	counterRows  = 200
	counterAbove = 64   // keys
	counterShare = 0.05 // of the highest key
	counterLeast = 16   // highest keys below this meet small numbers by chance
)

// findCounters finds the places where the game itself keeps the next key.
func (s *search) findCounters() error {
	for _, c := range s.columns {
		if c.self != nil || c.known || c.text || slices.Max(c.table.rows) > counterRows || c.distinct() == 0 || s.alike[c.table.Name] {
			continue
		}
		rows, err := s.counterRows(c)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if found := s.counterOf(c, r); found != nil {
				s.counters = append(s.counters, *found)
			}
		}
	}
	return s.ctx.Err()
}

// counterRow is one row of a small table, by its key, with the value of a column in every shard.
type counterRow struct {
	where, label string
	values       []int64
}

// counterRows lists a column's values by the rows that every shard has.
func (s *search) counterRows(c *column) ([]counterRow, error) {
	if len(c.table.PrimaryKey) != 1 {
		if slices.Max(c.table.rows) > 1 {
			return nil, nil
		}
		one := counterRow{}
		for _, v := range c.shards {
			if len(v.list) != 1 {
				return nil, nil
			}
			one.values = append(one.values, v.list[0])
		}
		return []counterRow{one}, nil
	}
	by := c.table.PrimaryKey[0]
	own, ok := s.shards[0].Schema().Resolve(merge.Col{Table: c.table.Name, Name: by})
	if !ok {
		return nil, nil // a table that the first shard lacks
	}
	labels, err := s.shards[0].Values(s.ctx, own, "", counterRows)
	if err != nil {
		return nil, err
	}
	var rows []counterRow
	for _, l := range labels {
		r := counterRow{}
		text, ok := s.literal(l.Value[0])
		if !ok {
			continue
		}
		r.label, _ = l.Value[0].(string)
		r.where = s.quote(by) + " = " + text
		shards, _, err := s.valuesWhen(c, r.where)
		if err != nil {
			return nil, err
		}
		for _, v := range shards {
			if len(v.list) == 1 {
				r.values = append(r.values, v.list[0])
			}
		}
		if len(r.values) == len(s.shards) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b counterRow) int { return strings.Compare(a.where, b.where) })
	return rows, nil
}

// counterOf is the key that a value counts in every shard; nil when there is none. A row that names the table wins.
func (s *search) counterOf(c *column, r counterRow) *Counter {
	label := s.words.parse(r.label)
	var found *key
	best, named := 0.0, false
	for _, k := range s.keys {
		if !k.Root || s.alike[k.table.Name] {
			continue
		}
		above, ok := 0.0, true
		margin := int64(0)
		for i, v := range r.values {
			high, some := k.set(i).Max()
			ok = ok && some && high >= counterLeast && v >= high && float64(v-high) <= max(counterAbove, counterShare*float64(high))
			above += float64(v - high)
			margin = max(margin, v-high)
		}
		calls := ok && label.stem != "" && (slices.Contains(k.table.stems, label.stem) || tail(label, k.table.stems[len(k.table.stems)-1]) || label.has(set(k.table.stems...)))
		if ok && (found == nil || calls && !named || calls == named && above < best) {
			found, best, named = k, above, calls
		}
	}
	if found == nil || !named && !c.name.has(s.words.counters) && !c.table.name.has(s.words.counters) {
		return nil
	}
	parts := make([]string, len(r.values))
	for i, v := range r.values {
		high, _ := found.set(i).Max()
		parts[i] = fmt.Sprintf("%s in %s, where the highest key is %s", count(v), s.shards[i].Source().Name, count(high))
	}
	return &Counter{
		Counter:  merge.Counter{Column: c.col, Where: r.where, Key: found.Col, Margin: 1},
		Evidence: "stands at " + join(parts, "and at"),
	}
}
