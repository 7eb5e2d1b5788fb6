package discover

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gameid/gameid/merge"
)

// A column tells rows apart when it has this many values for each row, and so many columns are enough. Of a catalogue that servers have extended each for itself, this
// share of the rows is the same; where each has a name of its own, a few rows of each two servers are no chance.
const (
	tellingShare   = 0.5
	tellingColumns = 16
	partlyShare    = 0.5
	namedEqual     = 3
)

// telling are columns outside the key that tell a table's rows apart, as names do.
func (s *search) telling(t *table) (list []string, err error) {
	for _, c := range t.Columns {
		if c.Generated || slices.Contains(t.PrimaryKey, c.Name) || len(list) == tellingColumns {
			continue
		}
		own, ok := s.shards[0].Schema().Resolve(merge.Col{Table: t.Name, Name: c.Name})
		if !ok {
			continue
		}
		values, err := s.shards[0].Values(s.ctx, own, "", smallTable)
		if err != nil {
			return nil, err
		}
		if float64(len(values)) >= tellingShare*float64(min(t.rows[0], smallTable)) {
			list = append(list, c.Name)
		}
	}
	return list, nil
}

// tellingNames tells whether one of some columns holds a text for nearly every row, each otherwise in its letters than most.
func (s *search) tellingNames(t *table, columns []string) (bool, error) {
	for _, name := range columns {
		col := merge.Col{Table: t.Name, Name: name}
		own, ok := s.shards[0].Schema().Resolve(col)
		if !ok || s.schema.Holds(col) != merge.Text {
			continue
		}
		list, err := s.shards[0].Values(s.ctx, own, s.quote(own.Name)+" <> ''", smallTable)
		if err != nil {
			return false, err
		}
		texts := map[any]bool{}
		for _, v := range list {
			if text, is := v.Value[0].(string); is && strings.ContainsFunc(text, unicode.IsLetter) {
				texts[lettersOf(v)] = true
			}
		}
		if float64(len(texts)) >= namedRows*float64(min(t.rows[0], smallTable)) {
			return true, nil
		}
	}
	return false, nil
}

// countUnlike counts, over all pairs of shards, the rows of one key that differ in every column that tells rows apart: other things under one number.
func (s *search) countUnlike(st *StaticTable) error {
	if s.opt.Unlike == nil || !s.numbered(s.tables[st.Table]) {
		return nil // the same name is the same thing
	}
	columns, err := s.telling(s.tables[st.Table])
	if err != nil || len(columns) == 0 {
		return err
	}
	for i, j := range s.pairs() {
		rows, err := s.opt.Unlike(s.ctx, i, j, st.Table, columns)
		if err != nil {
			return err
		}
		st.Unlike += rows
	}
	return nil
}

// partly grades a table of which a good part is the same on every shard, row for row, as a catalogue is that each server has extended; nil when it is none. Rows
// that nothing tells apart are equal by chance.
func (s *search) partly(t *table, shared, equal int64) (*StaticTable, error) {
	pairs := int64(len(s.shards) * (len(s.shards) - 1) / 2)
	some := equal < staticRows || float64(equal) < partlyShare*float64(slices.Min(t.rows))*float64(pairs)
	from, own := s.farBlock(t)
	far := own >= namedEqual && float64(equal) >= staticShare*float64(own*pairs)
	if !s.numbered(t) || s.numberedAnew(t, equal) || some && (equal < namedEqual*pairs || !far && (s.person(t) || s.hub(t))) {
		return nil, nil
	}
	columns, err := s.telling(t)
	if err != nil || len(columns) == 0 {
		return nil, err
	}
	what := "a catalogue, it seems, that each server has extended or changed"
	if far {
		what = fmt.Sprintf("every server has the same %s keys from %d on, far above all others: things of the game's own, it seems, beside those of each server", count(own), from)
	} else if some {
		if named, err := s.tellingNames(t, columns); err != nil || !named {
			return nil, err
		}
		what = "things of the game's own, it seems, beside those of each server"
	}
	part := false
	if least := slices.Min(t.rows); len(s.shards) == 2 && shared == equal && shared == least {
		part = !some && !s.person(t) && !s.hub(t)
		what = fmt.Sprintf("a catalogue, it seems, of which %s has only a part; rows: first would leave no row out", s.shards[slices.Index(t.rows, least)].Source().Name)
	}
	return &StaticTable{
		Table: t.Name, Grade: merge.Doubtful, Part: part,
		Evidence: fmt.Sprintf("%s of %s %s: %s", count(equal), count(shared), s.sharedRows(), what),
	}, nil
}

// numberedAnew tells whether a number that no schema declares stands in rows of several shards that mostly are not equal, as in a list of words that each server numbers as it meets them: that its
// first words are the same ones everywhere says nothing about the others.
func (s *search) numberedAnew(t *table, equal int64) bool {
	at := slices.IndexFunc(s.keys, func(k *key) bool { return k.table == t && k.sole && k.Undeclared && !k.text })
	if len(t.PrimaryKey) > 0 || at < 0 {
		return false
	}
	shared := int64(0)
	for i, j := range s.pairs() {
		shared += s.keys[at].set(i).Shared(s.keys[at].set(j))
	}
	return float64(equal) < staticShare*float64(shared)
}

// wideGap is how many numbers lie free, at the least, between those that are counted up and a block far above them.
const wideGap = 1_000_000

// farBlock is the first key of a block far above the other keys of a table, and how many keys it has, where that block is the same in every shard and the others are not, as where
// a bit of the number marks what is the game's own; 0 keys when there is none.
func (s *search) farBlock(t *table) (from, keys int64) {
	at := slices.IndexFunc(s.keys, func(k *key) bool { return k.table == t && k.sole })
	if at < 0 || sameSets(s.keys[at], 0) {
		return 0, 0
	}
	k := s.keys[at]
	last, widest := int64(0), int64(wideGap)
	for first, n := range k.set(0).Runs() {
		if gap := first - last; last > 0 && gap > widest {
			from, widest = first, gap
		}
		last = first + n - 1
	}
	if from == 0 {
		return 0, 0
	}
	block := k.set(0).Between(from, last)
	for i := range k.Columns[1:] {
		highest, _ := k.set(i + 1).Max()
		if !block.Equal(k.set(i+1).Between(from-widest/2, max(highest, last))) {
			return 0, 0
		}
	}
	return from, block.Len()
}

// numbered tells whether one whole number is a table's key, so that rows that another shard has too would get new ones.
func (s *search) numbered(t *table) bool {
	return slices.ContainsFunc(s.keys, func(k *key) bool { return k.table == t && k.sole })
}
