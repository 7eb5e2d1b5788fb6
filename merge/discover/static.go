package discover

import (
	"fmt"
	"iter"
	"slices"

	"github.com/gameid/gameid/merge"
)

// A table looks static when this share of its keys are on both servers and this share of the rows with the same key are equal. Rows that are
// all the same, this many at least, are no chance.
const (
	staticShare = 0.9
	staticRows  = 20
	staticExact = 0.99
)

// compareTables compares every table of every shard with every other shard's.
func (s *search) compareTables() error {
	s.alike, s.same, s.differ = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, name := range s.opt.Static {
		for _, t := range s.schema.Tables {
			if s.schema.Equal(name, t.Name) {
				s.alike[t.Name] = true
			}
		}
	}
	if s.opt.Same == nil || len(s.shards) < 2 {
		return nil
	}
	for _, t := range s.schema.Tables {
		planned := s.alike[t.Name]
		if t.Opaque != "" || slices.ContainsFunc(s.opt.Dynamic, func(name string) bool { return s.schema.Equal(name, t.Name) }) {
			continue
		}
		st, err := s.compareTable(s.tables[t.Name])
		if err != nil {
			return err
		}
		switch {
		case st == nil:
			s.differ[t.Name] = planned
		case planned:
			s.same[t.Name], s.differ[t.Name] = st.Grade != merge.Doubtful, st.Differ > 0
		default:
			s.statics = append(s.statics, *st)
			s.alike[t.Name] = st.Grade != merge.Doubtful
		}
	}
	s.doubtCopies()
	return nil
}

// equalRows tells whether a table's rows are the same on every server, whatever the plan says about them.
func (s *search) equalRows(t *table) bool {
	return s.same[t.Name] || slices.ContainsFunc(s.statics, func(st StaticTable) bool { return st.Table == t.Name && st.Grade != merge.Doubtful })
}

// doubtCopies takes back every grade when nearly all tables are the same: one database is then a copy of the other, and its players are not
// catalogue entries.
func (s *search) doubtCopies() {
	alike, filled := 0, 0
	for _, t := range s.tables {
		if slices.Max(t.rows) >= staticRows {
			filled++
			alike += int(yes(s.alike[t.Name]))
		}
	}
	persons := slices.ContainsFunc(s.statics, func(st StaticTable) bool { return s.alike[st.Table] && s.person(s.tables[st.Table]) })
	share := copyPercent
	if persons {
		share = copyPersonPercent
	}
	if alike*100 < filled*share {
		return
	}
	for i := range s.statics {
		st := &s.statics[i]
		if st.Grade != merge.Doubtful && alike > 1 {
			st.Grade = merge.Doubtful
			st.Evidence += "; but nearly all tables are equal, as if one database were a copy of the other"
			s.alike[st.Table] = false
		}
	}
}

// From these shares of the larger tables on, the same rows everywhere speak of a copied database; the second holds where players are the same too.
const (
	copyPercent       = 95
	copyPersonPercent = 70
)

// pairs are all pairs of shards: two later ones may have added rows of the same key that the first lacks.
func (s *search) pairs() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for j := range s.shards {
			for i := range j {
				if !yield(i, j) {
					return
				}
			}
		}
	}
}

// compareTable grades how alike a table is on all shards; nil when it is not.
func (s *search) compareTable(t *table) (*StaticTable, error) {
	whole := float64(slices.Min(t.rows)) >= staticShare*float64(slices.Max(t.rows)) && s.sameKeys(t)
	if slices.Min(t.rows) == 0 || !whole && !s.numbered(t) {
		return nil, nil
	}
	keys, rows := 1.0, 1.0
	var sharedSum, equalSum int64
	for i, j := range s.pairs() {
		shared, equal, err := s.opt.Same(s.ctx, i, j, t.Name)
		if err != nil {
			return nil, err
		}
		most := max(t.rows[i], t.rows[j])
		if len(t.PrimaryKey) == 0 {
			shared = equal // a table without a key has only whole rows to share
		}
		keys = min(keys, float64(shared)/float64(most))
		if shared > 0 {
			rows = min(rows, float64(equal)/float64(shared))
		}
		sharedSum, equalSum = sharedSum+shared, equalSum+equal
	}
	var st *StaticTable
	var err error
	if whole && keys >= staticShare && sharedSum > 0 {
		st, err = s.gradeStatic(t, keys, rows, sharedSum, equalSum)
	}
	if err == nil && st == nil {
		st, err = s.partly(t, sharedSum, equalSum)
	}
	if err != nil || st == nil {
		return nil, err
	}
	if st.Differ = sharedSum - equalSum; st.Differ > 0 {
		err = s.countUnlike(st)
	}
	if st.Unlike > 0 {
		st.Grade = merge.Doubtful
	}
	return st, err
}

// gradeStatic grades a table whose keys are nearly all on every shard, by the share of its rows that are equal; nil when they only share numbers.
func (s *search) gradeStatic(t *table, keys, rows float64, sharedSum, equalSum int64) (*StaticTable, error) {
	what := s.sharedRows()
	if len(t.PrimaryKey) == 0 {
		what = "rows are on both servers"
	}
	st := &StaticTable{Table: t.Name, Evidence: fmt.Sprintf("%s of %s %s; %s of the rows are shared", count(equalSum), count(sharedSum), what, percent(keys))}
	switch {
	case rows < staticShare:
		if keys < staticExact {
			return nil, nil
		}
		if things, err := s.sameColumn(t); err != nil || !things {
			return nil, err // two dense numberings of equally many rows
		}
		alike, err := s.namedAlike(t)
		if err != nil {
			return nil, err
		}
		if alike != "" {
			st.Grade, st.Things, st.Owner = merge.Likely, true, s.ownerColumn(t)
			st.Evidence += fmt.Sprintf("; every key has a %s of its own, the same on every server", alike)
			return st, nil
		}
		st.Grade = merge.Doubtful
		st.Evidence += "; the same keys with different rows: a thing of the game that somebody owns or that changes, or rows that only share a number"
	case sharedSum == equalSum && keys >= staticExact && slices.Min(t.rows) >= staticRows:
		variety, err := s.variety(t)
		if err != nil {
			return nil, err
		}
		switch {
		case variety < 2:
			st.Grade = merge.Doubtful
			st.Evidence += "; but its rows hold nothing beside the key"
		case variety < fewValues, s.person(t):
			st.Grade = merge.Likely
		default:
			st.Grade = merge.Certain
		}
	case rows >= staticExact && keys >= staticExact && slices.Min(t.rows) >= 2:
		st.Grade = merge.Likely
		if slices.Min(t.rows) < staticRows {
			st.Evidence += "; few rows"
		}
	case slices.Min(t.rows) >= staticRows:
		st.Grade = merge.Likely
	default:
		st.Grade = merge.Doubtful
		if sharedSum == equalSum && keys >= staticExact && !s.meansPerson(t.name) && !s.hub(t) { // nothing is lost where one row is all, and what it says is equal
			words, err := s.wordsItsOwn(t)
			if err != nil {
				return nil, err
			}
			st.Part = words
		}
	}
	return st, nil
}

// sharedRows says of what evidence counts how many are equal: of more than two servers, every two are compared.
func (s *search) sharedRows() string {
	if len(s.shards) > 2 {
		return "pairs of rows of one key are equal"
	}
	return "shared keys have equal rows"
}

// variety is the number of distinct values of the column beside the key that has most, counted up to fewValues. Rows that hold next to nothing
// are equal on every server because there is nothing to differ.
func (s *search) variety(t *table) (int, error) {
	return s.mostValues(t, fewValues, merge.ValueCount.Key, func(*merge.Column) bool { return false })
}

// mostValues counts the distinct values of the column beside the key that has most, up to fewValues, each as some function sees it, among some of a column's values. Columns of
// which skip holds do not count.
func (s *search) mostValues(t *table, among int, seen func(v merge.ValueCount) any, skip func(*merge.Column) bool) (int, error) {
	most := 0
	for _, c := range t.Columns {
		if c.Generated || skip(c) || slices.Contains(t.PrimaryKey, c.Name) {
			continue
		}
		own, ok := s.shards[0].Schema().Resolve(merge.Col{Table: t.Name, Name: c.Name})
		if !ok {
			continue
		}
		list, err := s.shards[0].Values(s.ctx, own, "", among)
		if err != nil {
			return 0, err
		}
		values := map[any]bool{}
		for _, v := range list {
			values[seen(v)] = true
		}
		if most = max(most, len(values)); most >= fewValues {
			return fewValues, nil
		}
	}
	return most, nil
}

// person tells whether a table is called like a player or an account.
func (s *search) person(t *table) bool {
	return slices.ContainsFunc(t.stems, func(w string) bool { return s.words.characters[w] || s.words.accounts[w] })
}

// people tells whether a table is called like characters and nothing else.
func (s *search) people(t *table) bool { return len(t.bare) == 1 && s.words.characters[t.bare[0]] }

// meansPerson tells whether a name means a person: a role, a character or an account.
func (s *search) meansPerson(n name) bool {
	return n.has(s.words.roles) || n.has(s.words.characters) || n.has(s.words.accounts)
}

// smallTable is up to how many rows a table's columns are compared.
const smallTable = 1000

// sameKeys tells cheaply, from keys that are read already, whether a table can be static.
func (s *search) sameKeys(t *table) bool {
	for _, k := range s.keys {
		if k.table != t || !k.sole {
			continue
		}
		for i := 1; i < len(s.shards); i++ {
			most := max(k.set(0).Len(), k.set(i).Len())
			if float64(k.set(0).Shared(k.set(i))) < staticShare*float64(most) {
				return false
			}
		}
	}
	return true
}

// ownerColumn is the column of a table that is called like somebody; "" where there is none.
func (s *search) ownerColumn(t *table) string {
	i := slices.IndexFunc(t.Columns, func(c *merge.Column) bool {
		return !slices.Contains(t.PrimaryKey, c.Name) && s.meansPerson(s.words.parse(c.Name))
	})
	if i < 0 {
		return ""
	}
	return t.Columns[i].Name
}

// settleStatic takes back the grade of tables that refer to keys that differ between the servers: rows of nothing but a player's number and
// default values are equal on every server, and belong to different players all the same. So do rows that players may have made.
func (s *search) settleStatic() error {
	for changed := true; changed; {
		changed = false
		for i := range s.statics {
			st := &s.statics[i]
			if st.Grade == merge.Doubtful && !st.Part {
				continue
			}
			look := s.mayDiffer
			if st.Things {
				look = s.mayBeMade // whoever owns them
			}
			why, err := look(s.tables[st.Table])
			if err != nil {
				return err
			}
			if why != "" {
				st.Grade, st.Part, changed = merge.Doubtful, false, true
				st.Evidence += "; but " + why
				s.alike[st.Table] = false
			}
		}
	}
	return nil
}

// mayDiffer says why rows that are equal may be other things on every server all the same; "" when nothing says so.
func (s *search) mayDiffer(t *table) (string, error) {
	if to, ok := s.moving(t.Name); ok {
		return fmt.Sprintf("it refers to %s, whose rows differ between the servers", to), nil
	}
	return s.mayBeMade(t)
}

// moving is a key of a table that is not static and to which a table refers, by declaration or as far as can be told.
func (s *search) moving(table string) (merge.Col, bool) {
	for _, c := range s.columns {
		if c.table.Name == table && c.fixed != nil && !s.alike[c.fixed.table.Name] {
			return c.fixed.Col, true
		}
	}
	for _, p := range s.picks {
		if p.column.table.Name == table && p.key.table.Name != table && !s.alike[p.key.table.Name] && p.hint.level >= 1 &&
			(sureness(p.grade) >= sureness(merge.Likely) || p.fits && p.hint.level >= 3) {
			return p.key.Col, true
		}
	}
	return merge.Col{}, false
}

// endsAnywhere tells whether a column seems to hold amounts, moments, or kinds that are the same everywhere, so that the end of its values says nothing of a key. Where the plan folds the key's
// rows by what they hold, every server has numbered them anew, and kinds may be their numbers.
func (s *search) endsAnywhere(c *column, k *key) bool {
	listed := slices.ContainsFunc(s.opt.Lists, func(name string) bool { return s.schema.Equal(name, k.table.Name) })
	kind := listed && s.words.kinds[c.name.last()]
	return c.amount && c.name.last() != "value" && !kind || c.times() || c.flag() > 0 || !listed && (s.classifies(c) || s.enumerates(c))
}
