package discover

import (
	"github.com/gameid/gameid/merge"
)

// kindKeys is the share of a kind's values from which they are keys of the table that it is called after, whatever the holes between the keys say of so few.
const kindKeys = 0.8

// namedKinds are the keys of a column that is called an id, or that the column beside it is named as the kind of, under those of its kinds that are called after the keys' tables: most of what they hold are
// these keys, and the rest may be dead. Empty where its name or all of its values say what it holds, or nothing but one of the kinds of numbers is called so.
func (s *search) namedKinds(c *column, plain *pick) (list []*pick, err error) {
	if !plain.vague() || plain != nil && plain.grade == merge.Certain || c.amount {
		return nil, nil
	}
	for _, by := range s.siblings(c, false, kindsMost) {
		if !s.kindOf(c, by) && (!c.name.id || !s.near(c, by)) {
			continue
		}
		d, err := s.divide(c, by)
		if err != nil {
			return nil, err
		}
		if d == nil {
			continue
		}
		for _, kind := range d.kinds {
			if p := s.keyOfKind(c, d.held[kind], kind); p != nil {
				p.when, p.kind = s.kind(by, kind), kind
				p.note = "when " + p.when + ", as the table is called"
				list = append(list, p)
			}
		}
		if len(list) > 1 || len(list) == 1 && d.words > 0 {
			return list, nil
		}
		list = nil
	}
	return nil, nil
}

// keyOfKind is the key of the table that a kind is called after, of which the values under it hold most; nil where they do not, or are too few.
func (s *search) keyOfKind(c *column, shards []values, kind string) (best *pick) {
	part := &column{col: c.col, table: c.table, meta: c.meta, name: c.name, text: c.text, shards: shards}
	part.mixed = !part.mostly()
	if part.least() < whenValues {
		return nil
	}
	for _, k := range s.keys {
		if !k.Root || k.Undeclared || s.alike[k.table.Name] || !s.kindOfRows(kind, k.table) || !maybe(shards, k) || s.onto(k, c) {
			continue
		}
		p := &pick{column: part, key: k, fit: measure(shards, k), shards: shards, fits: true, grade: merge.Doubtful}
		if p.fit.inclusion < includesPro || p.fit.verdict == against && p.fit.inclusion < kindKeys {
			continue
		}
		if p.fit.verdict >= pro {
			p.grade = merge.Likely
		}
		if best == nil || s.order(p, best) < 0 {
			best = p
		}
	}
	return best
}

// toldBy is the column beside one of which no value says whose it is that is called as what tells kinds of rows apart, the one that is named most like it; "" where there is none.
func (s *search) toldBy(c *column) (best string, err error) {
	most := -1
	for _, m := range c.table.Columns {
		n, col := s.words.parse(m.Name), merge.Col{Table: c.table.Name, Name: m.Name}
		if m.Name == c.meta.Name || m.Generated || s.schema.Holds(col) == merge.Real || s.binary(col) || s.varied(c.table, m, kindsMany) || !s.words.kinds[n.last()] && !s.kindOf(c, m) || s.calledKind(c, m) <= most {
			continue
		}
		kinds, err := s.kindsOf(col, kindsMany)
		if err != nil {
			return "", err
		}
		if len(kinds) >= kindsLeast {
			best, most = s.quote(m.Name), s.calledKind(c, m)
		}
	}
	return best, nil
}
