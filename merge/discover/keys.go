package discover

import (
	"context"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// key is a candidate key and what its name says.
type key struct {
	Key
	table *table
	name  name
	decl  bool // declared references or the plan point at it
	auto  bool // the engine numbers it
	sole  bool // the whole primary key, or what may stand for it: unique in every row, or called like one that no schema declares
	alone bool // the schema holds its values unique by themselves
	own   bool // its name names its own table
	used  bool // no schema declares it, and others hold its numbers
	same  bool // all shards have nearly the same values
	rate  []*density
	marks []*marks
	pairs []*pair

	low, high []int64       // by shard; the high below the low where it has no key
	size      int64         // values of all shards
	taken     []values      // values of every shard; nil until they are asked for
	strangers map[*key]bool // whether it shares no number with another in any shard
	wiped     []bool        // by shard: hardly a row is left, beside another shard's

	text     bool     // its numbers are written as text
	wholes   []string // its table's stems, each with its own name's behind
	declared []name   // of columns that refer to it by declaration or decision
}

func (k *key) set(shard int) *merge.KeySet { return k.Columns[shard].Set }

// heads tells whether the key is all of its table's primary one.
func (k *key) heads() bool {
	return len(k.table.PrimaryKey) == 1 && k.table.PrimaryKey[0] == k.Col.Name
}

// covers tells whether a value is not outside a shard's keys.
func (k *key) covers(shard int, v int64) bool { return v >= k.low[shard] && v <= k.high[shard] }

// readKeys finds the columns that identify rows in every shard and reads them. Keys are never sampled: the holes between them are evidence.
func (s *search) readKeys() error {
	for _, t := range s.schema.Tables {
		if t.Opaque != "" {
			continue
		}
		for _, c := range t.Columns {
			if c.Generated || s.schema.Holds(merge.Col{Table: t.Name, Name: c.Name}) == merge.Real {
				continue
			}
			k, err := s.readKey(t, c)
			if err != nil {
				return err
			}
			if k != nil {
				s.keys = append(s.keys, k)
				k.table.keys = append(k.table.keys, k)
			}
		}
	}
	return nil
}

// readKey reads a column when it is one; nil when it is not a key. Texts are keys that numbers can be compared with where they are numbers, as accounts of a
// platform are in columns of text.
func (s *search) readKey(t *merge.Table, c *merge.Column) (*key, error) {
	sole := len(t.PrimaryKey) == 1 && t.PrimaryKey[0] == c.Name
	unique := slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool {
		return u.Plain() && len(u.Columns) == 1 && u.Columns[0] == c.Name
	})
	col := merge.Col{Table: t.Name, Name: c.Name}
	doubled := slices.ContainsFunc(s.opt.Numbered, func(o merge.Col) bool { return s.equal(o, col) }) && s.calledKey(t, c)
	target := s.pointedAt(col) || doubled
	lost := false
	if s.schema.Holds(col) == merge.Text {
		if texts, err := s.texts(col); err != nil || !sole && !unique || !digits(texts) {
			return nil, err
		}
	}
	if !sole && !unique && !target {
		if lost = s.calledKey(t, c); !lost && !slices.Contains(t.PrimaryKey, c.Name) {
			return nil, nil
		}
		// A part of a key, or a column that is only called one, identifies rows by itself only when no value repeats.
		if repeats, _, err := s.repeatsValues(col); err != nil || repeats {
			return nil, err
		}
	}
	k := s.newKey(s.tables[t.Name], c)
	k.decl, k.sole, k.alone, k.Undeclared = target, sole || lost || doubled, sole || unique, lost
	k.Reason = "its name, and no value stands twice in a shard"
	nulls, ok, err := s.fill(k)
	if err != nil || !ok || k.size == 0 && !sole && !target {
		return nil, err
	}
	k.sole = k.sole || unique && nulls == 0 && k.size > 0
	return k, nil
}

// newKey is a key without values.
func (s *search) newKey(t *table, c *merge.Column) *key {
	col := merge.Col{Table: t.Name, Name: c.Name}
	k := &key{
		Key:   Key{Col: col, Columns: make([]*merge.KeyColumn, len(s.shards))},
		table: t, name: s.words.parse(c.Name), auto: t.AutoColumn == c.Name, text: s.schema.Holds(col) == merge.Text,
	}
	k.Generic = s.words.generic[k.name.whole] || s.words.generic[strings.ToLower(c.Name)] || k.name.stem == ""
	k.own = !k.Generic && slices.Contains(t.stems, k.name.stem)
	k.wholes = joined(t.stems, k.name.stem)
	return k
}

// fill reads a key's values and counts its nulls; not ok where a value repeats, or is no number, and neither the schema holds the values unique nor anything points at the key.
func (s *search) fill(k *key) (nulls int64, ok bool, err error) {
	for i, shard := range s.shards {
		k.Columns[i] = &merge.KeyColumn{Set: merge.NewKeySet()}
		own, ok := shard.Schema().Resolve(k.Col)
		if !ok {
			continue
		}
		read := shard.Keys
		if k.text {
			read = readTexts(shard)
		}
		column, err := read(s.ctx, own)
		if err != nil {
			return 0, false, err
		}
		if k.Zeros {
			if column, err = s.withoutZeros(shard, own, column); err != nil {
				return 0, false, err
			}
		}
		if !k.decl && !k.alone && (column.Set.Len() != column.Rows-column.Nulls || column.Other > 0) {
			return 0, false, nil
		}
		k.Columns[i] = column
		nulls += column.Nulls
	}
	k.prepare()
	return nulls, true, nil
}

// withoutZeros are the keys of rows that have one, where 0 says that a row has none.
func (s *search) withoutZeros(shard merge.Shard, c merge.Col, k *merge.KeyColumn) (*merge.KeyColumn, error) {
	n, err := shard.Count(s.ctx, c.Table, s.quote(c.Name)+" = 0")
	own := *k
	own.Set, own.Nulls = k.Set.Without(merge.NewKeySet(0)), k.Nulls+n
	return &own, err
}

// repeatsValues tells whether a value stands twice in a shard, as far as a sample shows, and whether it is 0 alone that does, as where rows have no number.
func (s *search) repeatsValues(c merge.Col) (repeats, zero bool, err error) {
	sample, err := s.sample(c, keyProbe)
	if err != nil {
		return false, false, err
	}
	for _, one := range sample {
		for i, w := range one.Weights {
			zero = zero || w > 1 && one.Values[i] == 0
			repeats = repeats || w > 1 && one.Values[i] != 0
		}
	}
	return repeats || zero, zero && !repeats, nil
}

// readTexts reads a key of numbers that are written as text.
func readTexts(shard merge.Shard) func(ctx context.Context, c merge.Col) (*merge.KeyColumn, error) {
	return func(ctx context.Context, c merge.Col) (*merge.KeyColumn, error) {
		list, err := shard.Values(ctx, c, "", 0)
		k := &merge.KeyColumn{Set: merge.NewKeySet()}
		for _, v := range list {
			if n, ok := integer(v.Value[0]); ok {
				k.Rows++
				k.Set.Add(n)
			}
		}
		k.Set.Compress()
		return k, err
	}
}

// calledKey tells whether a column's name says that it numbers the rows of its own table, of which no column of numbers is declared to.
func (s *search) calledKey(t *merge.Table, c *merge.Column) bool {
	for _, u := range t.Uniques {
		if u.Plain() && len(u.Columns) == 1 && s.schema.Holds(u.Cols()[0]) != merge.Text {
			return false
		}
	}
	n, e := s.words.parse(c.Name), s.tables[t.Name]
	return s.words.generic[n.whole] || n.id && (slices.Contains(e.stems, n.stem) || endsIn(e.bare, n.tokens))
}

// keyProbe is how many of a column's values are looked at before the whole column is read.
const keyProbe = 500

// pointedAt tells whether a declared or decided reference points at a column.
func (s *search) pointedAt(c merge.Col) bool {
	for _, t := range s.schema.Tables {
		for _, f := range t.ForeignKeys {
			if len(f.Columns) == 1 && len(f.ToColumns) == 1 && s.equal(merge.Col{Table: f.ToTable, Name: f.ToColumns[0]}, c) {
				return true
			}
		}
	}
	for _, r := range s.opt.Known {
		if len(r.To) == 1 && r.As != merge.Copy && s.equal(r.To[0], c) {
			return true
		}
	}
	for _, hub := range s.opt.Hubs {
		if s.equal(hub, c) {
			return true
		}
	}
	return false
}

// pointsAt is where a declared or decided reference of a column points; ok tells whether there is one at all that names it, also one that says "keep". A declaration that leads to a
// table which no shard has says nothing of what the column holds.
func (s *search) pointsAt(c merge.Col) (to merge.Col, ok bool) {
	if t := s.schema.Table(c.Table); t != nil {
		for _, f := range t.ForeignKeys {
			if i := slices.IndexFunc(f.Columns, func(n string) bool { return s.schema.Equal(n, c.Name) }); i >= 0 && i < len(f.ToColumns) && s.schema.Table(f.ToTable) != nil {
				return merge.Col{Table: f.ToTable, Name: f.ToColumns[i]}, true
			}
		}
	}
	for _, r := range s.opt.Known {
		for i, from := range r.From {
			if r.Pattern.Any() || !s.equal(from, c) {
				continue
			}
			if r.When != "" || i >= len(r.To) || r.As != merge.Plain {
				return merge.Col{}, true
			}
			return r.To[i], true
		}
	}
	return merge.Col{}, false
}

// keptLike tells whether a pattern of the plan keeps a column.
func (s *search) keptLike(c merge.Col) bool {
	return slices.ContainsFunc(s.opt.Known, func(r merge.Reference) bool { return r.Pattern.Any() && r.Covers(s.schema, c) })
}

// equal compares two columns as the schema does.
func (s *search) equal(a, b merge.Col) bool {
	return s.schema.Equal(a.Table, b.Table) && s.schema.Equal(a.Name, b.Name)
}

// key finds a key column; nil when there is none.
func (s *search) key(c merge.Col) *key {
	t := s.tables[c.Table]
	if t == nil && c.Table != "" {
		if m := s.schema.Table(c.Table); m != nil {
			t = s.tables[m.Name]
		}
	}
	if t == nil {
		return nil
	}
	for _, k := range t.keys {
		if s.equal(k.Col, c) {
			return k
		}
	}
	return nil
}
