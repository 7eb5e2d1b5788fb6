package discover

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// A column tells rows apart when it has this many values for each row, and so many columns are enough. Of a catalogue that servers have extended each for itself, this
// share of the rows is the same.
const (
	tellingShare   = 0.5
	tellingColumns = 16
	partlyShare    = 0.5
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
	if least := slices.Min(t.rows); equal < staticRows || float64(equal) < partlyShare*float64(least)*float64(len(s.shards)*(len(s.shards)-1)/2) || !s.numbered(t) {
		return nil, nil
	}
	columns, err := s.telling(t)
	if err != nil || len(columns) == 0 {
		return nil, err
	}
	what := "a catalogue, it seems, that each server has extended or changed"
	if least := slices.Min(t.rows); len(s.shards) == 2 && shared == equal && shared == least {
		what = fmt.Sprintf("a catalogue, it seems, of which %s has only a part; rows: first would leave no row out", s.shards[slices.Index(t.rows, least)].Source().Name)
	}
	return &StaticTable{
		Table: t.Name, Grade: merge.Doubtful,
		Evidence: fmt.Sprintf("%s of %s shared keys have equal rows: %s", count(equal), count(shared), what),
	}, nil
}

// numbered tells whether one whole number is a table's key, so that rows that another shard has too would get new ones.
func (s *search) numbered(t *table) bool {
	return slices.ContainsFunc(s.keys, func(k *key) bool { return k.table == t && k.sole })
}
