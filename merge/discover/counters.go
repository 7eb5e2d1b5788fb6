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
	numberedRows  = 50   // of a table whose rows say by a number what they count
)

// findCounters finds the places where the game itself keeps the next key.
func (s *search) findCounters() error {
	texts, err := s.countingTexts()
	if err != nil {
		return err
	}
	for _, c := range slices.Concat(s.columns, texts) {
		// Of a table of which the plan keeps one server's rows, too: in the row that stays the game counts on.
		if c.self != nil || c.known || slices.Max(c.table.rows) > counterRows || c.distinct() == 0 || s.equalRows(c.table) || !s.meetsTop(c) {
			continue
		}
		rows, err := s.counterRows(c)
		if err != nil {
			return err
		}
		var named, others, numbered []Counter
		for _, r := range rows {
			switch found, calls := s.counterOf(c, r); {
			case found == nil:
			case r.numbered:
				numbered = append(numbered, *found)
			case calls:
				named = append(named, *found)
			default:
				others = append(others, *found)
			}
		}
		if len(others) > counterOthers {
			others = nil
		}
		if 2*len(numbered) < len(rows) { // amounts under numbers meet a key by chance
			numbered = nil
		}
		s.counters = append(append(append(s.counters, named...), others...), numbered...)
	}
	return s.ctx.Err()
}

// countingTexts are the columns of small tables that hold texts, some of them whole numbers: a table of settings may keep counters among other words.
func (s *search) countingTexts() (list []*column, err error) {
	for _, t := range s.schema.Tables {
		e := s.tables[t.Name]
		if t.Opaque != "" || strings.HasPrefix(t.Name, ownTables) || slices.Max(e.rows) > counterRows {
			continue
		}
		for _, m := range t.Columns {
			c := s.newColumn(e, m, m.Name)
			if _, c.known = s.pointsAt(c.col); m.Generated || c.known || m.Affinity != merge.Text || slices.ContainsFunc(s.columns, func(o *column) bool { return o.col == c.col }) {
				continue
			}
			c.text = true
			if c.shards, _, err = s.valuesWhen(c, ""); err != nil {
				return nil, err
			}
			list = append(list, c)
		}
	}
	return list, nil
}

// counts tells whether a column or its table is called a counter.
func (s *search) counts(c *column) bool {
	return c.name.has(s.words.counters) || c.table.name.has(s.words.counters)
}

// atTop tells whether a value stands at a shard's highest key or a little above it: of low keys, on it or one above.
func (k *key) atTop(shard int, v int64) bool {
	high := k.high[shard]
	above := 1.0
	if high >= counterLeast {
		above = max(counterAbove, counterShare*float64(high))
	}
	return k.set(shard).Len() > 0 && v >= high && float64(v-high) <= above
}

// shallow tells whether a key's highest values are so low that small numbers meet them by chance.
func (k *key) shallow() bool {
	return slices.Min(k.high) < counterLeast
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
	counts       bool // its name, its column's or its table's is a counter's
	numbered     bool // a number stands in place of the text
	values       []int64
}

// counterRows lists a column's values by the rows that every shard has: the one row of a table, those under a unique text, or those under numbers that are the same
// in all shards.
func (s *search) counterRows(c *column) ([]counterRow, error) {
	counts := s.counts(c)
	if slices.Max(c.table.rows) <= 1 {
		one := counterRow{label: c.col.Name, counts: counts}
		for _, v := range c.shards {
			if len(v.list) != 1 {
				return nil, nil
			}
			one.values = append(one.values, v.list[0])
		}
		return []counterRow{one}, nil
	}
	own, ok := s.nameOf(c.table)
	numbered := !ok && counts
	if numbered {
		own, ok = s.numberOf(c.table)
	}
	if !ok || own.Name == c.col.Name {
		return nil, nil
	}
	labels, err := s.shards[0].Values(s.ctx, own, "", counterRows)
	if err != nil {
		return nil, err
	}
	if counts && !numbered {
		if counts, err = s.settings(own, labels); err != nil {
			return nil, err
		}
	}
	var rows []counterRow
	for _, l := range labels {
		r := counterRow{numbered: numbered}
		text, ok := s.literal(l.Value[0])
		r.label, _ = l.Value[0].(string)
		name := s.words.parse(r.label)
		r.counts = counts && !c.text || name.has(s.words.next)
		if !ok || !r.counts && !s.words.tabled(name) {
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

// settings tells whether a table's rows are the game's own things, by the names that tell them apart: most of them stand on every server, and no other table refers to
// them. The row of one player among many meets some key by chance.
func (s *search) settings(own merge.Col, labels []merge.ValueCount) (bool, error) {
	known := map[any]bool{}
	for _, l := range labels {
		known[l.Key()] = true
	}
	for _, shard := range s.shards[1:] {
		there, ok := shard.Schema().Resolve(own)
		if !ok {
			return false, nil
		}
		list, err := shard.Values(s.ctx, there, "", counterRows)
		if err != nil {
			return false, err
		}
		same := 0
		for _, l := range list {
			same += int(yes(known[l.Key()]))
		}
		if 2*same < max(len(list), len(labels)) {
			return false, nil
		}
	}
	to := func(k *key) bool { return k != nil && k.table.Name == own.Table }
	return !slices.ContainsFunc(s.columns, func(c *column) bool { return to(c.fixed) && c.table.Name != own.Table }) &&
		!slices.ContainsFunc(s.picks, func(p *pick) bool {
			return to(p.key) && p.column.table.Name != own.Table && sureness(p.grade) >= sureness(merge.Likely)
		}), nil
}

// numberOf is the key of a table whose rows have the same few numbers on every server, as the first shard spells it.
func (s *search) numberOf(t *table) (merge.Col, bool) {
	if len(t.PrimaryKey) != 1 || slices.Max(t.rows) > numberedRows {
		return merge.Col{}, false
	}
	k := s.key(merge.Col{Table: t.Name, Name: t.PrimaryKey[0]})
	if k == nil {
		return merge.Col{}, false
	}
	first := slices.Collect(k.set(0).All())
	for i := range s.shards {
		if !slices.Equal(first, slices.Collect(k.set(i).All())) {
			return merge.Col{}, false
		}
	}
	return s.shards[0].Schema().Resolve(k.Col)
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

// counterOf is the key that a value counts in every shard, and whether the row names its table; nil when there is none. A row that names the table wins. In a
// table of one row the column's name is all there is: it may as well hold somebody, unless nobody has such a number in any shard.
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
			ok = ok && k.atTop(i, v) && (r.counts || r.where != "" || v > k.high[i])
			above += float64(v - k.high[i])
		}
		calls := ok && label.stem != "" && (slices.Contains(k.table.stems, label.stem) || tail(label, k.table.stems[len(k.table.stems)-1]) || label.has(set(k.table.stems...)))
		ok = ok && (calls && r.counts || !k.shallow())
		if ok && (found == nil || calls && !named || calls == named && above < best) {
			found, best, named = k, above, calls
		}
	}
	if found == nil || !named && !r.counts {
		return nil, false
	}
	parts, past := make([]string, len(r.values)), true
	for i, v := range r.values {
		high, _ := found.set(i).Max()
		past = past && v > high
		parts[i] = fmt.Sprintf("%s in %s, where the highest key is %s", count(v), s.shards[i].Source().Name, count(high))
	}
	return &Counter{
		Counter:  merge.Counter{Column: c.col, Where: r.where, Key: found.Col, Margin: 1},
		Evidence: "stands at " + join(parts, "and at"), Numbered: r.numbered, Past: past,
	}, named
}
