package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A log may tell more kinds apart than anybody wants to be asked about one by one. Up to so many are looked at, of so many columns beside, in so many rows in all: of a
// larger table those with the highest keys, which are the latest. Of the kinds that hold a key, chance makes at most this share.
const (
	kindsMany   = 200
	manyColumns = 4
	manyRows    = 10_000_000
	manyByLuck  = 0.1
)

// manyKinds are the columns of the same table that may tell many kinds apart.
func (s *search) manyKinds(c *column) []*merge.Column {
	list := slices.DeleteFunc(s.siblings(c, true, kindsMany), func(m *merge.Column) bool {
		n := s.words.parse(m.Name)
		return s.words.measures(n) && !s.words.kinds[n.last()]
	})
	return list[:min(len(list), manyColumns)]
}

// splitMany is a column's key under several kinds of a sibling at once, for each key that some of its many kinds plainly hold; empty when there is none.
func (s *search) splitMany(c *column, by *merge.Column) ([]*pick, error) {
	kinds, err := s.kindsOf(merge.Col{Table: c.col.Table, Name: by.Name}, kindsMany)
	if err != nil || len(kinds) <= kindsMost {
		return nil, err
	}
	latest := s.latest(c.table, manyRows/int64(len(kinds)))
	of := map[*key][]string{}
	var keys []*key
	var parts [][]values
	for _, kind := range kinds {
		shards, distinct, err := s.valuesWhen(c, s.kind(by, kind), latest...)
		if err != nil {
			return nil, err
		}
		if distinct == 0 {
			continue
		}
		parts = append(parts, shards)
		p := s.tightest(c, shards, kind)
		if p == nil || p.fit.inclusion < includesSure || p.column.least() < fewValues {
			continue
		}
		if of[p.key] == nil {
			keys = append(keys, p.key)
		}
		of[p.key] = append(of[p.key], kind)
	}
	var list []*pick
	for _, k := range keys {
		when := fmt.Sprintf("%s IN (%s)", s.quote(by.Name), strings.Join(of[k], ", "))
		shards, _, err := s.valuesWhen(c, when, latest...)
		if err != nil {
			return nil, err
		}
		p := s.tightest(c, shards, "")
		if p == nil || p.fit.verdict < pro && !p.key.isHigh() {
			continue
		}
		all, luck := &division{unfit: [][]values{c.shards}}, 0.0
		for _, part := range parts {
			luck += all.luck(p.key, part, func(_ int, v values) int { return len(v.list) })
		}
		if all.apart(p) > sureChance || luck > manyByLuck*float64(len(of[k])) {
			continue
		}
		p.when, p.note = when, fmt.Sprintf("when %s is one of %d of its %d values", s.quote(by.Name), len(of[k]), len(kinds))
		list = append(list, p)
	}
	return list, nil
}

// latest are conditions on the rows of a large table, one for each shard, that leave about so many, those with the highest keys; none for a table that is not so large, or
// of which nothing numbers the rows.
func (s *search) latest(t *table, rows int64) []string {
	list := make([]string, len(s.shards))
	i := slices.IndexFunc(t.keys, (*key).heads)
	if i < 0 {
		return list
	}
	k := t.keys[i]
	for n := range s.shards {
		if from, ok := k.set(n).At(max(0, k.set(n).Len()-rows)); ok && k.set(n).Len() > rows {
			list[n] = fmt.Sprintf("%s >= %d", s.quote(k.Col.Name), from)
		}
	}
	return list
}
