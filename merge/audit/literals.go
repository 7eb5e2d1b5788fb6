package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkLiterals reports numbers in triggers, views, indexes, checks and defaults that may be keys which change: they are not rewritten.
func (a *auditor) checkLiterals(context.Context) error {
	columns := a.movingColumns()
	if len(columns) == 0 {
		return nil
	}
	look := newLiteralSearch(columns)
	for _, o := range a.schema.Objects {
		a.foundLiterals(o.Kind+" "+o.Name, o.Table, look.in(o.SQL))
	}
	for _, t := range a.schema.Tables {
		a.foundLiterals("table "+t.Name, t.Name, look.in(t.SQL))
		for _, c := range t.Columns {
			if slices.Contains(columns, merge.Col{Table: t.Name, Name: c.Name}) && integerLiteral.MatchString(c.Default) {
				a.foundLiterals("column "+c.Name, t.Name, []string{"DEFAULT " + c.Default})
			}
		}
	}
	return nil
}

func (a *auditor) foundLiterals(what, table string, hits []string) {
	if len(hits) == 0 {
		return
	}
	a.find(merge.Finding{
		Rule: "literal", Severity: merge.Info, Table: table,
		Text: fmt.Sprintf("%s names a number beside a key (%s); the number stays as it is", what, strings.Join(hits[:min(len(hits), 3)], "; ")),
		Next: "check whether it means one server's row",
	})
}

// movingColumns are the keys that change and the columns that refer to them.
func (a *auditor) movingColumns() (list []merge.Col) {
	for _, s := range a.order {
		if s.moves() == 0 {
			continue
		}
		list = append(list, s.key)
		for _, r := range s.users {
			for i, sp := range r.spaces {
				if sp == s {
					list = append(list, r.From[i])
				}
			}
		}
	}
	return list
}

var (
	comments       = regexp.MustCompile(`--[^\n]*|(?s:/\*.*?\*/)`)
	integerLiteral = regexp.MustCompile(`^\(*'?[1-9][0-9]*'?\)*$`)
)

// literalSearch is a word search, not a parser: it may report what means something else, and a person looks.
type literalSearch []*regexp.Regexp

func newLiteralSearch(columns []merge.Col) literalSearch {
	var names, tables []string
	for _, c := range columns {
		names, tables = append(names, regexp.QuoteMeta(c.Name)), append(tables, regexp.QuoteMeta(c.Table))
	}
	word := func(list []string) string {
		slices.Sort(list)
		return `[\x60"\[]?\b(?:` + strings.Join(slices.Compact(list), "|") + `)\b[\x60"\]]?`
	}
	const number, compare = `[-+]?\s*'?[0-9]+\b'?`, `(?:==?|<>|!=|<=?|>=?|\bIS(?:\s+NOT)?\b)`
	name := word(names)
	var s literalSearch
	for _, pattern := range []string{
		name + `[\s)]*(?:` + compare + `|\b(?:NOT\s+)?(?:IN\s*\(|BETWEEN\b))[\s(]*` + number,
		number + `[\s)]*` + compare + `[\s(]*(?:\w+\s*\.\s*)?` + name,
		`\bCASE\s+(?:\w+\s*\.\s*)?` + name + `\s+WHEN\s+` + number,
		`\bINTO\s+(?:\w+\s*\.\s*)?` + word(tables) + `[^;]*\b(?:VALUES|SELECT)\b[^;]*?` + number, // of a trigger
	} {
		s = append(s, regexp.MustCompile(`(?i)`+pattern))
	}
	return s
}

// in lists what looks like a key and a number in an SQL text.
func (s literalSearch) in(sql string) (hits []string) {
	sql = comments.ReplaceAllString(sql, " ")
	for _, pattern := range s {
		for _, hit := range pattern.FindAllString(sql, -1) {
			if hit = strings.Join(strings.Fields(hit), " "); !slices.Contains(hits, hit) {
				hits = append(hits, hit)
			}
		}
	}
	return hits
}
