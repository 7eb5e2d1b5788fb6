package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// A kind under which a column holds something else than keys has so many dead rows at least, and so many times the share of them that those have under which it holds keys.
const (
	kindStrays = 5
	kindTimes  = 3
)

// anyRows is how many rows a table has at most of which any column may tell the kinds of another apart.
const anyRows = 20_000

// highKeys is the number from which keys are no small numbers, which meet everything.
const highKeys = 1000

// hides tells whether some values of a column to which no reference is known are keys, however many others stand beside them: those among a key's numbers leave out its
// holes, or are many and all keys where the numbers are high.
func (s *search) hides(c *column) bool {
	return (!c.amount || c.mixed) && slices.ContainsFunc(s.keys, func(k *key) bool {
		if !k.Root || k.Undeclared || k.table == c.table || s.alike[k.table.Name] {
			return false
		}
		high := k.isHigh()
		for i, v := range c.shards {
			if k.wiped[i] {
				continue
			}
			if n := len(v.list); n > 0 && (v.list[0] > k.high[i] || v.list[n-1] < k.low[i]) {
				return false
			}
			from, _ := slices.BinarySearch(v.list, k.low[i])
			upto := v.upTo(k.high[i])
			in := k.countIn(i, v.list[from:max(from, upto)])
			high = high && (len(v.list) == 0 || in >= fewValues && float64(in) >= includesSure*float64(upto-from))
		}
		if high {
			return true
		}
		f := measure(c.shards, k)
		return f.cover > 0 && (f.verdict >= pro || f.holes.rare())
	})
}

// hidden are the keys of a column that says nothing, each under the kinds of the column beside it under which it plainly holds them; empty when there are none. Kinds
// that are too many to ask about one by one are tried last.
func (s *search) hidden(c *column) ([]*pick, error) {
	siblings, err := s.likeliest(c, s.siblings(c, true, kindsMost))
	if err != nil {
		return nil, err
	}
	if list, err := s.explainMost(c, siblings, func(by *merge.Column) ([]*pick, error) { return s.splitHidden(c, by) }); err != nil || len(list) > 0 {
		return list, err
	}
	for _, by := range s.manyKinds(c) {
		if list, err := s.splitMany(c, by); err != nil || len(list) > 0 {
			return list, err
		}
	}
	return nil, nil
}

// beside are the keys of a column that says nothing where they have no holes that could speak: each under the kinds of a column beside it under which all of its values are
// keys, though under others few are. In a large table only a column that says that it tells kinds apart is looked at.
func (s *search) beside(c *column) ([]*pick, error) {
	rows := slices.Max(c.table.rows)
	if c.amount && s.words.gauges(c.name) || rows > besideRows || s.alike[c.table.Name] || c.flag() > 0 {
		return nil, nil
	}
	siblings, err := s.likeliest(c, slices.DeleteFunc(s.siblings(c, true, kindsMost), func(by *merge.Column) bool {
		return !s.says(c, by) && (rows > anyRows || s.schema.Holds(merge.Col{Table: c.table.Name, Name: by.Name}) == merge.Text || s.somebody(s.words.parse(by.Name)))
	}))
	if err != nil {
		return nil, err
	}
	return s.explainMost(c, siblings, func(by *merge.Column) ([]*pick, error) { return s.splitHidden(c, by) })
}

// explainMost are the keys of a column under the kinds of that sibling under which most of its rows hold one: a kind of another column may go along with one of this one's. A sibling that is
// named as the column's kind goes before all others, and so does one whose kinds are the tables' own names.
func (s *search) explainMost(c *column, siblings []*merge.Column, split func(by *merge.Column) ([]*pick, error)) (best []*pick, err error) {
	most := int64(0)
	for _, by := range siblings {
		list, err := split(by)
		if err != nil || len(list) > 0 && (s.kindOf(c, by) || s.namesTables(list)) {
			return list, err
		}
		rows := int64(0)
		for _, p := range list {
			for _, in := range p.fit.in {
				rows += in
			}
		}
		if rows > most {
			best, most = list, rows
		}
	}
	return best, nil
}

// namesTables tells whether the kinds of several keys are words for the rows of the keys' tables, and no kind's is another one.
func (s *search) namesTables(list []*pick) bool {
	keys := map[*key]bool{}
	for _, p := range list {
		if keys[p.key] = true; !s.kindOfRows(p.kind, p.key.table) {
			return false
		}
	}
	return len(keys) > 1
}

// isHigh tells whether no shard's keys are small numbers.
func (k *key) isHigh() bool {
	for i, low := range k.low {
		if low < highKeys && k.set(i).Len() > 0 {
			return false
		}
	}
	return true
}

// splitHidden is the key of each kind of a sibling under which values of a column that says nothing are plainly keys; empty when there is none.
func (s *search) splitHidden(c *column, by *merge.Column) ([]*pick, error) {
	d, err := s.divide(c, by)
	if d == nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Concat(d.list, d.few), func(p *pick) bool {
		if d.parted(p) {
			return false
		}
		if p.fit.inclusion < includesSure || d.others(p) > othersHold {
			return true
		}
		luck := d.apart(p)
		if _, tops := p.tops(); tops && p.key.table != c.table && !slices.Contains(p.fit.wiped, true) && (luck <= bareChance || d.says && luck <= proofChance) {
			return false
		}
		few := p.column.least() < fewValues
		return few || p.fit.verdict < pro && !p.key.isHigh() || !d.says && luck > sureChance
	}), nil
}

// parted tells whether some kinds hold one key and others another, and neither the other one's, as the numbers that both leave out say: then what they have in common is chance, and what
// they miss is dead.
func (d *division) parted(p *pick) bool {
	return p.fit.verdict >= pro && slices.ContainsFunc(d.list, func(o *pick) bool {
		return o.key != p.key && max(p.fit.verdict, o.fit.verdict) == proof && o.fit.verdict >= pro &&
			measure(o.shards, p.key).verdict == against && measure(p.shards, o.key).verdict == against
	})
}

// othersHold is the share of the values of all other kinds that may be keys as well; where more are, they hold them, too, beside their dead.
const othersHold = 0.75

// others is the share of the values under all other kinds that are a pick's keys.
func (d *division) others(p *pick) float64 {
	in, all := 0, 0
	for i, v := range p.shards {
		held, of := d.countIn(p.key, i)
		in, all = in+held-len(v.list), all+of-len(v.list)
	}
	return float64(in) / float64(max(all, 1))
}

// apart is the chance that so many values of a kind are keys, when kinds that tell nothing divide the keys and the others among the column's values.
func (d *division) apart(p *pick) float64 {
	return d.luck(p.key, p.shards, func(shard int, v values) int { return p.key.countIn(shard, v.list) })
}

// luck is the chance that at least so many of some values are keys, when they are drawn from all of the column's.
func (d *division) luck(k *key, shards []values, atLeast func(shard int, v values) int) float64 {
	luck := 1.0
	for i, v := range shards {
		if in, all := d.countIn(k, i); all > 0 {
			luck *= merge.DrawChance(atLeast(i, v), len(v.list), float64(in)/float64(all))
		}
	}
	return luck
}

// countIn counts all of a column's values in a shard, once under each kind, and those of them that are keys.
func (d *division) countIn(k *key, shard int) (in, all int) {
	for _, part := range d.parts() {
		in, all = in+k.countIn(shard, part[shard].list), all+len(part[shard].list)
	}
	return in, all
}

// countIn counts those of some numbers that are keys in a shard.
func (k *key) countIn(shard int, numbers []int64) (in int) {
	for _, n := range numbers {
		in += int(yes(k.has(shard, n)))
	}
	return in
}

// straysBy is a column's reference under the kinds of a sibling under which it holds keys, where the dead values stand under others, which may hold another table's;
// empty when they are spread.
func (s *search) straysBy(c *column, by *merge.Column, plain *pick) ([]*pick, error) {
	d, err := s.divide(c, by)
	if d == nil {
		return nil, err
	}
	if d.spells() {
		return d.list, nil
	}
	if list, err := s.partedBy(d, plain); err != nil || len(list) > 0 {
		return list, err
	}
	if slices.ContainsFunc(d.list, func(p *pick) bool {
		return d.says && p.key != plain.key && p.fit.verdict >= pro && measure(p.shards, plain.key).inclusion < includes
	}) {
		return d.list, nil
	}
	return d.strays(plain), nil
}

// strays is a reference under the kinds under which nearly all values are keys, where dead values stand under another, of few values or with many dead ones: that holds
// something else, of which some numbers are keys by chance. Empty when the dead are spread.
func (d *division) strays(plain *pick) (list []*pick) {
	if plain == nil || !d.says {
		return nil
	}
	var rows, dead float64
	rest := slices.Clone(d.unfit)
	for _, p := range d.list {
		f := measure(p.shards, plain.key)
		if p.key != plain.key && p.fit.verdict >= pro {
			return nil
		}
		if f.inclusion < includes || f.verdict == against || p.column.least() < fewValues {
			rest = append(rest, p.shards)
			continue
		}
		n, gone := f.dead()
		rows, dead = rows+n, dead+gone
		one := *p
		one.key, one.fit, one.grade, one.others = plain.key, f, merge.Likely, nil
		list = append(list, &one)
	}
	strays := false
	for _, shards := range rest {
		n, gone := measure(shards, plain.key).dead()
		switch stray := gone >= kindStrays && gone*rows >= kindTimes*dead*n; {
		case !scarce(shards) && (!stray || gone <= (1-includes)*n):
			return nil // a kind like the others
		case stray:
			strays = true
		}
	}
	if !strays {
		return nil
	}
	return list
}

// dead counts the rows of all shards, and those whose value is no key.
func (f *fit) dead() (rows, dead float64) {
	for i, n := range f.rows {
		rows, dead = rows+float64(n), dead+float64(n-f.in[i])
	}
	return rows, dead
}
