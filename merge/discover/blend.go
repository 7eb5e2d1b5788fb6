package discover

import (
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// teller are conditions, of which no two hold for one row, that may tell which of two keys a column's rows hold.
type teller struct {
	parts []tellerPart
	join  func(some []tellerPart) string // the condition that one of them holds
}

// tellerPart is one of these, with the column's values under it. A condition on one column is a kind of it.
type tellerPart struct {
	kinds  []string
	shards []values
}

// Of a kind whose numbers all lie up to another key's end, chance makes so much at most; of fewer rows nothing is said. What is left when such kinds are taken out shows no step
// any more.
const (
	blendKind = 0.01
	blendRest = stepLeast / 2
)

// blendBy is a column's keys by what tells which of its rows hold another key than a plain pick's: whether a column beside it is NULL, its kinds, or those of the row that its own
// belongs to, or two columns together; empty when nothing does.
func (s *search) blendBy(plain *pick, o *key) ([]*pick, error) {
	for _, tellers := range []func(c *column, try func(t *teller) (bool, error)) error{s.nullTellers, s.kindTellers, s.parentTellers, s.pairTellers} {
		var list []*pick
		err := tellers(plain.column, func(t *teller) (told bool, err error) {
			list, err = s.blended(plain, o, t)
			return len(list) > 0, err
		})
		if err != nil || len(list) > 0 {
			return list, err
		}
	}
	return nil, nil
}

// blended are both keys of a column under conditions that tell them apart; empty where they do not.
func (s *search) blended(plain *pick, o *key, t *teller) ([]*pick, error) {
	c := plain.column
	share := make([]float64, len(c.shards))
	for i, v := range c.shards {
		low := int64(0)
		for j := range v.upTo(o.high[i]) {
			low += v.weights[j]
		}
		share[i] = float64(low) / float64(max(v.rows, 1))
	}
	var others, rest []tellerPart
	all := 1.0
	for _, part := range t.parts {
		chance, within := 1.0, true
		for i, v := range part.shards {
			within = within && v.upTo(o.high[i]) == len(v.list)
			chance *= math.Pow(share[i], float64(len(v.list)))
		}
		switch {
		case !within:
			rest = append(rest, part)
		case chance <= blendKind:
			others, all = append(others, part), all*chance
		}
	}
	if len(others) == 0 || len(rest) == 0 || all > proofChance {
		return nil, nil
	}
	other, err := s.blendPick(c, o, t.join(others))
	if err != nil {
		return nil, err
	}
	main, err := s.blendPick(c, plain.key, t.join(rest))
	if err != nil {
		return nil, err
	}
	if _, tops := other.tops(); !tops || other.fit.inclusion < includesSure || main.fit.inclusion < includesSure || main.step(o) >= blendRest {
		return nil, nil
	}
	other.ended, main.hint = byItself, plain.hint
	for _, p := range []*pick{main, other} {
		p.note = fmt.Sprintf("when %s; without it the rows lie denser up to where %s end, on each server", p.when, o.Col)
	}
	return []*pick{main, other}, nil
}

// blendPick is a column's key under a condition.
func (s *search) blendPick(c *column, k *key, when string) (*pick, error) {
	shards, _, err := s.valuesWhen(c, when)
	part := &column{col: c.col, table: c.table, meta: c.meta, name: c.name, text: c.text, shards: shards}
	return &pick{column: part, key: k, shards: shards, fit: measure(shards, k), fits: true, grade: merge.Likely, when: when}, err
}

// nullTellers try every column beside one that is NULL in some rows.
func (s *search) nullTellers(c *column, try func(t *teller) (bool, error)) error {
	for _, m := range c.table.Columns {
		if m.Name == c.meta.Name || m.NotNull || slices.Contains(c.table.PrimaryKey, m.Name) {
			continue
		}
		name := s.quote(m.Name)
		t := &teller{join: func(some []tellerPart) string { return some[0].kinds[0] }}
		for _, when := range []string{name + " IS NULL", name + " IS NOT NULL"} {
			shards, distinct, err := s.valuesWhen(c, when)
			if err != nil {
				return err
			}
			if distinct > 0 {
				t.parts = append(t.parts, tellerPart{kinds: []string{when}, shards: shards})
			}
		}
		if told, err := try(t); err != nil || told {
			return err
		}
	}
	return nil
}

// kindTellers try the kinds of every column beside one, however many; of a large table those of a column that says that it tells kinds apart.
func (s *search) kindTellers(c *column, try func(t *teller) (bool, error)) error {
	for _, by := range s.siblings(c, slices.Max(c.table.rows) <= besideRows, kindsMany) {
		kinds, err := s.kindsOf(merge.Col{Table: c.col.Table, Name: by.Name}, kindsMany)
		if err != nil {
			return err
		}
		if len(kinds) == 0 {
			continue
		}
		kinds = append(slices.Clone(kinds), null)
		parts, err := s.valuesBy(c, by, kinds)
		if err != nil {
			return err
		}
		t := s.kindTeller(s.quote(by.Name))
		for _, kind := range kinds {
			t.parts = append(t.parts, tellerPart{[]string{kind}, parts[kind]})
		}
		if told, err := try(t); err != nil || told {
			return err
		}
	}
	return nil
}

// kindTeller joins kinds of what is written as SQL.
func (s *search) kindTeller(by string) *teller {
	return &teller{join: func(some []tellerPart) string {
		var kinds []string
		for _, part := range some {
			kinds = append(kinds, part.kinds[0])
		}
		return amongKinds(by, kinds)
	}}
}

// parentTellers try the kinds of the rows that a column's own belong to.
func (s *search) parentTellers(c *column, try func(t *teller) (bool, error)) error {
	if slices.Max(c.table.rows) > besideRows {
		return nil
	}
	for _, of := range s.parentsOf(c) {
		from, k := of.column, of.key
		if k.table == c.table {
			continue
		}
		for _, m := range k.table.Columns {
			col := merge.Col{Table: k.table.Name, Name: m.Name}
			if m.Generated || s.words.parse(m.Name).id || s.schema.Holds(col) == merge.Real || s.binary(col) {
				continue
			}
			kinds, err := s.kindsOf(col, kindsMost)
			if err != nil {
				return err
			}
			if len(kinds) < kindsLeast {
				continue
			}
			t := s.kindTeller(s.kindOfRow(from, k, m))
			for _, kind := range kinds {
				shards, distinct, err := s.valuesWhen(c, t.join([]tellerPart{{kinds: []string{kind}}}))
				if err != nil {
					return err
				}
				if distinct > 0 {
					t.parts = append(t.parts, tellerPart{[]string{kind}, shards})
				}
			}
			if told, err := try(t); err != nil || told {
				return err
			}
		}
	}
	return nil
}

// kindOfRow is a column of the row that another column leads to, as SQL.
func (s *search) kindOfRow(from *column, to *key, kind *merge.Column) string {
	return fmt.Sprintf("(SELECT %s FROM %s WHERE %s = %s.%s)", s.quote(kind.Name), s.quote(to.table.Name), s.quote(to.Col.Name), s.quote(from.table.Name), s.quote(from.col.Name))
}
