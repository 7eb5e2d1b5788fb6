package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A counter stands in a table of few rows, at the highest key or a little above it: deleted keys lie between. A column with more rows than counterOthers that
// meet a key and do not name its table holds amounts, which meet a key by chance.
const (
	counterRows   = 200
	counterOthers = 3
	counterAbove  = 64   // keys
	counterShare  = 0.05 // of the highest key
	counterLeast  = 16   // highest keys below this meet small numbers by chance
)

// findCounters finds the places where the game itself keeps the next key.
func (s *search) findCounters() error {
	for _, c := range s.columns {
		// Of a table of which the plan keeps one server's rows, too: in the row that stays the game counts on.
		if c.self != nil || c.known || c.text || slices.Max(c.table.rows) > counterRows || c.distinct() == 0 || s.equalRows(c.table) || !s.meetsTop(c) {
			continue
		}
		rows, err := s.counterRows(c)
		if err != nil {
			return err
		}
		var named, others []Counter
		for _, r := range rows {
			switch found, calls := s.counterOf(c, r); {
			case found == nil:
			case calls:
				named = append(named, *found)
			default:
				others = append(others, *found)
			}
		}
		if len(others) > counterOthers {
			others = nil
		}
		s.counters = append(append(s.counters, named...), others...)
	}
	return s.ctx.Err()
}

// counts tells whether a column or its table is called a counter.
func (s *search) counts(c *column) bool {
	return c.name.has(s.words.counters) || c.table.name.has(s.words.counters)
}

// atTop tells whether a value stands at a shard's highest key or a little above it.
func (k *key) atTop(shard int, v int64) bool {
	high := k.high[shard]
	return k.set(shard).Len() > 0 && high >= counterLeast && v >= high && float64(v-high) <= max(counterAbove, counterShare*float64(high))
}

// meetsTop tells whether some value of a column stands at the top of one and the same key in every shard: otherwise no row needs a look.
func (s *search) meetsTop(c *column) bool {
	return slices.ContainsFunc(s.keys, func(k *key) bool {
		if !k.Root || k.text || s.alike[k.table.Name] {
			return false
		}
		for i, v := range c.shards {
			at, _ := slices.BinarySearch(v.list, k.high[i])
			if at == len(v.list) || !k.atTop(i, v.list[at]) {
				return false
			}
		}
		return true
	})
}

// counterRow is one row of a small table, by the text that names what it counts, with the value of a column in every shard.
type counterRow struct {
	where, label string
	values       []int64
}

// counterRows lists a column's values by the rows that every shard has: the one row of a table, or those under a unique text. A number as a key says nothing about
// what a row counts, and may be another row's in the output.
func (s *search) counterRows(c *column) ([]counterRow, error) {
	if slices.Max(c.table.rows) <= 1 {
		one := counterRow{}
		for _, v := range c.shards {
			if len(v.list) != 1 {
				return nil, nil
			}
			one.values = append(one.values, v.list[0])
		}
		return []counterRow{one}, nil
	}
	own, ok := s.nameOf(c.table)
	if !ok || own.Name == c.col.Name {
		return nil, nil
	}
	labels, err := s.shards[0].Values(s.ctx, own, "", counterRows)
	if err != nil {
		return nil, err
	}
	var rows []counterRow
	counts := s.counts(c)
	for _, l := range labels {
		r := counterRow{}
		text, ok := s.literal(l.Value[0])
		r.label, _ = l.Value[0].(string)
		if !ok || !counts && !s.words.tabled(s.words.parse(r.label)) {
			continue
		}
		r.where = s.quote(own.Name) + " = " + text
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

// nameOf is the text column that tells a table's rows apart, as the first shard spells it.
func (s *search) nameOf(t *table) (merge.Col, bool) {
	for _, u := range t.Uniques {
		if len(u.Columns) != 1 || !u.Plain() {
			continue
		}
		c, ok := s.shards[0].Schema().Resolve(merge.Col{Table: t.Name, Name: u.Columns[0]})
		if ok && s.shards[0].Schema().Column(c).Affinity == merge.Text {
			return c, true
		}
	}
	return merge.Col{}, false
}

// counterOf is the key that a value counts in every shard, and whether the row names its table; nil when there is none. A row that names the table wins.
func (s *search) counterOf(c *column, r counterRow) (counter *Counter, named bool) {
	label := s.words.parse(r.label)
	var found *key
	best := 0.0
	for _, k := range s.keys {
		if !k.Root || k.text || s.alike[k.table.Name] {
			continue
		}
		above, ok := 0.0, true
		for i, v := range r.values {
			ok = ok && k.atTop(i, v)
			above += float64(v - k.high[i])
		}
		calls := ok && label.stem != "" && (slices.Contains(k.table.stems, label.stem) || tail(label, k.table.stems[len(k.table.stems)-1]) || label.has(set(k.table.stems...)))
		if ok && (found == nil || calls && !named || calls == named && above < best) {
			found, best, named = k, above, calls
		}
	}
	if found == nil || !named && !s.counts(c) {
		return nil, false
	}
	parts := make([]string, len(r.values))
	for i, v := range r.values {
		high, _ := found.set(i).Max()
		parts[i] = fmt.Sprintf("%s in %s, where the highest key is %s", count(v), s.shards[i].Source().Name, count(high))
	}
	return &Counter{
		Counter:  merge.Counter{Column: c.col, Where: r.where, Key: found.Col, Margin: 1},
		Evidence: "stands at " + join(parts, "and at"),
	}, named
}
