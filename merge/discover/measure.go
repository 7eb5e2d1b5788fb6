package discover

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// sampled is how many distinct values of a column are looked at in each shard. A probe with 200 found as much as full columns did; holes are
// rarer than one in a hundred in young games, and only about 2,000 values meet enough of them to tell.
const sampled = 2000

// column is a column that may hold keys, with its values in every shard.
type column struct {
	col      merge.Col
	table    *table
	meta     *merge.Column
	name     name
	wholes   []string // its table's stems, each with its own behind
	amount   bool     // its name is that of a number, an answer or many things
	text     bool     // integers stand in text
	padded   bool     // and may have zeros in front
	fraction bool     // whole numbers stand in a column of fractions
	mixed    bool     // more than a few rows hold something else than an integer
	shards   []values
	fixed    *key // the key that a declared or decided reference points at
	known    bool // a declared or decided reference names it, or a pattern keeps it and nothing certain was found
	kept     bool // a pattern of the plan keeps it
	self     *key // the key that it is itself
	elders   bool // it holds rows of its own table, all older than its own
	abroad   bool // a column beside it tells on which of several servers
}

// values are what one shard's column holds, without those that mean nobody.
type values struct {
	rows     int64 // of the sample
	list     []int64
	weights  []int64
	middle   int64 // weight in the middle; 0 before anybody asked
	complete bool
	whole    int64 // rows that hold an integer, of those that were looked at for something else
	other    int64 // rows that hold something else than an integer
	others   int   // how many such values differ
	such     any   // one of these
	nobody   []meant
}

// meant is a number that means nobody, and in how many rows it stands.
type meant struct{ number, rows int64 }

// times tells whether all values are moments of this century, in seconds or milliseconds since 1970.
func (c *column) times() bool {
	for _, v := range c.shards {
		for _, n := range v.list {
			if (n < momentLow || n > momentHigh) && (n < momentLow*1000 || n > momentHigh*1000) {
				return false
			}
		}
	}
	return true
}

// distinct counts the distinct values of all shards together, each shard's for itself.
func (c *column) distinct() (n int) {
	for _, v := range c.shards {
		n += len(v.list)
	}
	return n
}

// least is the lowest number of distinct values in a shard that has any, without those that are tiny beside another: how many there are, they cannot tell.
func (c *column) least() int {
	most, least := mostRows(c.shards), c.distinct()
	for _, v := range c.shards {
		if len(v.list) > 0 && !v.tiny(most) {
			least = min(least, len(v.list))
		}
	}
	return least
}

// flag is the highest value of a column that holds nothing beside 1 and 2 in many rows, of ones and noughts together, and is not called an id; 0 of any other column.
func (c *column) flag() int64 {
	rows, noughts, high := int64(0), int64(0), int64(0)
	for _, v := range c.shards {
		rows += v.rows
		for _, m := range v.nobody {
			noughts += m.rows * yes(m.number == 0)
		}
		if len(v.list) > 0 {
			high = max(high, v.list[len(v.list)-1])
			if v.list[0] < 1 {
				return 0
			}
		}
	}
	if c.name.id || high > 2 || rows < someValues && (high != 1 || rows < fewValues || rows+noughts < someValues) {
		return 0
	}
	return high
}

// sample takes values of a column from every shard.
func (s *search) sample(c merge.Col, limit int) ([]*merge.Sample, error) {
	out := make([]*merge.Sample, len(s.shards))
	err := s.everyShard(func(i int, shard merge.Shard) (err error) {
		out[i] = &merge.Sample{Complete: true}
		if own, ok := shard.Schema().Resolve(c); ok && s.tables[c.Table].rows[i] > 0 {
			out[i], err = shard.Sample(s.ctx, own, limit)
		}
		return err
	})
	return out, err
}

// readColumns takes a sample of every column that may hold keys: integers, and text whose name says so.
func (s *search) readColumns() error {
	for _, t := range s.schema.Tables {
		e := s.tables[t.Name]
		if t.Opaque != "" {
			continue
		}
		for _, m := range t.Columns {
			if m.Generated {
				continue
			}
			c := s.newColumn(e, m, m.Name)
			to, known := s.pointsAt(c.col)
			if !known && s.key(c.col) == nil && s.allowsFew(t, m) {
				continue
			}
			c.known, c.kept, c.fixed, c.self = known, s.keptLike(c.col), s.key(to), s.key(c.col)
			c.known = c.known || s.numbersKinds(c)
			keep, err := s.readColumn(c)
			if err != nil {
				return err
			}
			if keep {
				s.columns = append(s.columns, c)
				e.columns = append(e.columns, c)
				if c.fixed != nil {
					c.fixed.declared = append(c.fixed.declared, c.name)
				}
			}
		}
	}
	return nil
}

// newColumn is a column of a table without values; what its numbers are called need not be its own name.
func (s *search) newColumn(t *table, m *merge.Column, called string) *column {
	n := s.words.parse(called)
	return &column{
		col: merge.Col{Table: t.Name, Name: m.Name}, table: t, meta: m, name: n,
		wholes: joined(t.stems, n.stem), amount: s.words.measures(n), shards: make([]values, len(s.shards)),
	}
}

// readColumn fills in a column's values; false when it cannot hold keys.
func (s *search) readColumn(c *column) (bool, error) {
	kind := s.schema.Holds(c.col)
	if kind == merge.Text || kind == merge.Real {
		c.text, c.fraction = kind == merge.Text, kind == merge.Real
		return s.readStored(c)
	}
	if c.self != nil {
		c.shards = c.self.spread()
		return true, nil
	}
	samples, err := s.sample(c.col, sampled)
	if err != nil {
		return false, err
	}
	integers, stored, other := kind == merge.Integer, int64(0), int64(0)
	for i, one := range samples {
		v := values{complete: one.Complete, other: one.Other, others: one.Others}
		if i := slices.IndexFunc(one.Texts, func(text string) bool { _, whole := integer(text); return !whole }); i >= 0 {
			v.such = one.Texts[i]
		}
		for j, n := range one.Values {
			if s.nobody(c, n) {
				v.nobody = append(v.nobody, meant{n, one.Weights[j]})
				continue
			}
			v.list, v.weights = append(v.list, n), append(v.weights, one.Weights[j])
			v.rows += one.Weights[j]
		}
		v.whole = v.rows
		c.shards[i] = v
		integers, stored, other = integers || len(v.list) > 0, stored+one.Stored, other+one.Other
	}
	c.mixed = !c.mostly()
	if kind == merge.Blob && stored > 0 { // no type turns its values into integers
		c.text = digits(samples) || c.mixed && someDigits(samples)
		if c.fraction = !c.text && float64(other-stored) <= strayShare*float64(other); c.text || c.fraction {
			return s.readStored(c)
		}
	}
	return integers && (!c.mixed || c.distinct() > 0), nil
}

// readStored fills in the values of a column that stores integers as something else. Reading it is dear, so a few values are looked at first.
func (s *search) readStored(c *column) (bool, error) {
	if c.known || c.meta.Chars == 1 {
		return false, nil
	}
	texts, err := s.texts(c.col)
	if err != nil || c.text && !s.words.refers(c.name) && !someDigits(texts) {
		return false, err
	}
	some := false
	for i, shard := range s.shards {
		own, ok := shard.Schema().Resolve(c.col)
		if !ok || c.table.rows[i] == 0 {
			continue
		}
		list, err := shard.Values(s.ctx, own, "", sampled)
		if err != nil {
			return false, err
		}
		c.shards[i] = s.clean(c, list)
		if len(list) == sampled && c.text { // the most frequent values may all be keys, though most rows hold something else
			c.shards[i].others, c.shards[i].whole, c.shards[i].other = texts[i].Others, texts[i].Stored, texts[i].Other-texts[i].Stored
		}
		some = some || len(c.shards[i].list) > 0
	}
	c.mixed = !c.mostly()
	return some || c.text && !c.mixed, nil
}

// digits tells whether most of some texts are integers in their canonical form.
func digits(samples []*merge.Sample) bool {
	all, whole := 0, 0
	for _, one := range samples {
		for _, text := range one.Texts {
			_, ok := integer(text)
			all, whole = all+1, whole+int(yes(ok))
		}
	}
	return all > 0 && float64(all-whole) <= strayShare*float64(all)
}

// someDigits tells whether some texts are integers in their canonical form, most or not: enough of them to say something.
func someDigits(samples []*merge.Sample) bool {
	whole := 0
	for _, one := range samples {
		for _, text := range one.Texts {
			_, ok := integer(text)
			whole += int(yes(ok))
		}
	}
	return whole >= fewValues || digits(samples)
}

// texts are some values of a column of text.
func (s *search) texts(c merge.Col) ([]*merge.Sample, error) {
	if found, ok := s.seen[c]; ok {
		return found, nil
	}
	found, err := s.sample(c, fewTexts)
	if err == nil {
		s.seen[c] = found
	}
	return found, err
}

// mostly tells whether a column holds integers, and hardly anything else. A word or two that stand in place of a number, in however many rows, mean nobody: ” is what
// many games write for it.
func (c *column) mostly() bool {
	integers, other, _ := c.strange()
	return float64(other) <= strayShare*float64(integers+other)
}

// strange counts the rows that hold integers and those that hold something else than these and words for nobody, with one of such values.
func (c *column) strange() (integers, other int64, such any) {
	for _, v := range c.shards {
		integers += v.whole
		if v.others > nobodyWords || v.others*nobodyWords > len(v.list) {
			other += v.other
			if such == nil {
				such = v.such
			}
		}
	}
	return integers, other, such
}

// nobodyWords is how many different words a column of numbers may have for nobody, and how many times as many numbers it has.
const nobodyWords = 3

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
	var found []meant
	for _, one := range list {
		if len(one.Value) != 1 {
			continue
		}
		n, ok := integer(one.Value[0])
		if text, is := one.Value[0].(string); is && !ok && pointZero.MatchString(text) { // it cannot follow a new key, so it has to be asked about
			n, ok = integer(text[:strings.IndexByte(text, '.')])
		} else if is && !ok && c.padded && strings.HasPrefix(text, "0") {
			n, ok = integer(strings.TrimLeft(text, "0"))
		}
		switch {
		case one.Value[0] == nil:
		case !ok:
			v.others++
			v.other += one.Rows
			if v.such == nil {
				v.such = one.Value[0]
			}
		case s.nobody(c, n):
			v.nobody = append(v.nobody, meant{n, one.Rows})
		default:
			found = append(found, meant{n, one.Rows})
		}
	}
	slices.SortFunc(found, func(a, b meant) int { return compare(a.number, b.number) })
	for _, f := range found {
		v.list, v.weights = append(v.list, f.number), append(v.weights, f.rows)
		v.rows += f.rows
	}
	v.whole = v.rows
	return v
}

// pointZero is a whole number as some programs write fractions.
var pointZero = regexp.MustCompile(`^-?[0-9]+\.0+$`)

// exact is the highest integer up to which a fraction tells every one.
const exact = 1 << 53

// integer reads an integer, the canonical decimal of one, or a fraction that is whole.
func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) < exact
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
