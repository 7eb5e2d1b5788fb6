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

// kinded finds the tables of which a column's name says that it tells kinds apart.
func (s *search) kinded() map[*table]bool {
	found := map[*table]bool{}
	for _, t := range s.tables {
		found[t] = slices.ContainsFunc(t.Columns, func(m *merge.Column) bool { return s.words.kinds[s.words.parse(m.Name).last()] })
	}
	return found
}

// hides tells whether some values of a column to which no reference is known are keys: those among a key's numbers leave out its holes, however many others stand
// beside them.
func (s *search) hides(c *column) bool {
	return !c.amount && slices.ContainsFunc(s.keys, func(k *key) bool {
		if !k.Root || k.Undeclared || k.table == c.table || s.alike[k.table.Name] {
			return false
		}
		for i, v := range c.shards {
			if n := len(v.list); n > 0 && (v.list[0] > k.high[i] || v.list[n-1] < k.low[i]) {
				return false
			}
		}
		f := measure(c.shards, k)
		return f.cover > 0 && f.verdict >= pro
	})
}

// splitHidden is the key of each kind of a sibling under which values of a column that says nothing are plainly keys; empty when there is none.
func (s *search) splitHidden(c *column, by *merge.Column) ([]*pick, error) {
	d, err := s.divide(c, by)
	if d == nil || !d.says {
		return nil, err
	}
	return slices.DeleteFunc(d.list, func(p *pick) bool {
		return p.fit.verdict < pro || p.fit.inclusion < includesSure || p.column.least() < fewValues
	}), nil
}

// straysBy is a column's reference under the kinds of a sibling under which it holds keys, where the dead values stand under others, which may hold another table's;
// empty when they are spread.
func (s *search) straysBy(c *column, by *merge.Column, plain *pick) ([]*pick, error) {
	d, err := s.divide(c, by)
	if d == nil {
		return nil, err
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
