package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// properties are the keys that a column of values holds in a table of properties, where each row names what its value is: every name is looked at as a column of its own would be, and
// those that hold the same key make one line.
func (s *search) properties(c *column) ([]*pick, error) {
	i := slices.IndexFunc(c.table.Columns, func(by *merge.Column) bool { return s.namesValue(c, by) })
	if i < 0 {
		return nil, nil
	}
	by := c.table.Columns[i]
	kinds, err := s.kindsOf(merge.Col{Table: c.col.Table, Name: by.Name}, kindsMany)
	if err != nil || len(kinds) < kindsLeast {
		return nil, err
	}
	parts, err := s.valuesBy(c, by, kinds)
	if err != nil {
		return nil, err
	}
	var keys []*key
	of := map[*key][]string{}
	for _, kind := range kinds {
		p := s.tightest(c, parts[kind], kind)
		if p == nil || p.fit.inclusion < includesSure || p.column.least() < whenValues {
			continue
		}
		called := s.kindOfRows(kind, p.key.table) || s.words.parse(strings.Trim(kind, "'")).has(s.words.roles) && s.person(p.key.table)
		unlikely := min(p.fit.sister.luck(), p.fit.holes.luck())*float64(len(kinds)) <= askChance
		if p.fit.verdict < pro && !unlikely && !p.key.isHigh() && !called {
			continue
		}
		if of[p.key] == nil {
			keys = append(keys, p.key)
		}
		of[p.key] = append(of[p.key], kind)
	}
	var list []*pick
	for _, k := range keys {
		p, err := s.blendPick(c, k, amongKinds(s.quote(by.Name), of[k]))
		if err != nil {
			return nil, err
		}
		p.column.mixed, p.note = !p.column.mostly(), fmt.Sprintf("under %d of the %d names in %s", len(of[k]), len(kinds), s.quote(by.Name))
		list = append(list, p)
	}
	return list, nil
}

// namesValue tells whether a sibling says in each row what a column's value is, as the key beside a value: by their names, or since a row is known by it and its owner and holds nothing else.
func (s *search) namesValue(c *column, by *merge.Column) bool {
	col := merge.Col{Table: c.table.Name, Name: by.Name}
	if by.Name == c.meta.Name || by.Generated || s.schema.Holds(col) == merge.Real || s.refers(col, anywhere) || slices.ContainsFunc(s.columns, func(o *column) bool { return o.col == col && o.known }) {
		return false // what is somebody's names nothing
	}
	called := func(name string, words map[string]bool) bool {
		last := s.words.parse(name).last()
		if words[last] {
			return true
		}
		for w := range words { // mkey, nvalue
			if len(w) > 2 && strings.HasSuffix(last, w) {
				return true
			}
		}
		return false
	}
	if called(by.Name, s.words.propertyNames) && called(c.meta.Name, s.words.propertyValues) {
		return true
	}
	return s.schema.Holds(col) == merge.Text && slices.ContainsFunc(c.table.Uniques, func(u *merge.Unique) bool {
		return u.Plain() && len(u.Columns) > 1 && len(u.Columns)+1 == len(c.table.Columns) && slices.Contains(u.Columns, by.Name) && !slices.Contains(u.Columns, c.meta.Name)
	})
}
