package merge

import (
	"regexp"
	"slices"
)

// functions matches what may be a function in an SQL text, and reshaping are those that leave a text what it is but for its case and its outer spaces.
var (
	functions = regexp.MustCompile(`(\w+)\s*\(`)
	reshaping = []string{"lower", "upper", "trim", "ltrim", "rtrim"}
	caseFolds = regexp.MustCompile(`(?i)\b(lower|upper)\b`)
)

// formulas are the SQL texts by which a unique key's columns are computed.
func (s *Schema) formulas(u *Unique) (list []string) {
	for _, name := range u.Columns {
		if column := s.Column(Col{Table: u.Table, Name: name}); column == nil {
			list = append(list, u.SQL)
		} else if column.Generated {
			list = append(list, column.Formula)
		}
	}
	return list
}

// FoldsCase tells whether a unique key over an expression or a computed column knows no case.
func (s *Schema) FoldsCase(u *Unique) bool {
	return slices.ContainsFunc(s.formulas(u), caseFolds.MatchString)
}

// Behind are the columns of a unique key with the text column in place of what is computed from it, and that column; "" when it is not one alone, or not only reshaped.
func (s *Schema) Behind(u *Unique) (cols []Col, text string) {
	formulas := s.formulas(u)
	var names []string
	for _, formula := range formulas {
		for _, f := range functions.FindAllStringSubmatch(FoldASCII(formula), -1) {
			if f[1] != FoldASCII(u.Table) && !slices.Contains(reshaping, f[1]) {
				return nil, ""
			}
		}
		all, _ := SQLNames(formula)
		names = append(names, all...)
	}
	for _, c := range s.Table(u.Table).Columns {
		switch {
		case c.Generated:
		case slices.Contains(u.Columns, c.Name):
			cols = append(cols, Col{Table: u.Table, Name: c.Name})
		case s.Holds(Col{Table: u.Table, Name: c.Name}) == Text && slices.Contains(names, FoldASCII(c.Name)):
			if text != "" || len(formulas) > 1 {
				return nil, ""
			}
			text = c.Name
			cols = append(cols, Col{Table: u.Table, Name: text})
		}
	}
	return cols, text
}

// KnowsNoCase tells whether a unique key makes the texts of a column in other letters one: by lower(name), say, whatever the column itself compares by.
func (s *Schema) KnowsNoCase(c Col) bool {
	t := s.Table(c.Table)
	return t != nil && slices.ContainsFunc(t.Uniques, func(u *Unique) bool {
		_, text := s.Behind(u)
		return text != "" && s.Equal(text, c.Name) && s.FoldsCase(u)
	})
}
