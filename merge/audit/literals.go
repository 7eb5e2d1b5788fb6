package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkLiterals reports numbers and texts in triggers, views, indexes, checks and defaults that may be keys or names which change: they are not rewritten.
func (a *auditor) checkLiterals(context.Context) error {
	moving, names := a.movingColumns(), a.renamedLiterals()
	if len(moving)+len(names) == 0 {
		return nil
	}
	look := newLiteralSearch(moving)
	tell := func(what, table, sql string) {
		a.foundLiterals(what+" names a number beside a key", table, look.in(sql), "the number stays as it is")
		a.foundLiterals(what+" has a text that somebody loses to a new name", table, names.in(sql), "the text stays as it is")
	}
	for _, o := range a.schema.Objects {
		tell(o.Kind+" "+o.Name, o.Table, o.SQL)
	}
	for _, t := range a.schema.Tables {
		tell("table "+t.Name, t.Name, t.SQL)
		for _, c := range t.Columns {
			if slices.Contains(moving, merge.Col{Table: t.Name, Name: c.Name}) && integerLiteral.MatchString(c.Default) {
				a.foundLiterals("column "+c.Name+" names a number beside a key", t.Name, []string{"DEFAULT " + c.Default}, "the number stays as it is")
			}
		}
	}
	return nil
}

func (a *auditor) foundLiterals(what, table string, hits []string, stays string) {
	if len(hits) == 0 {
		return
	}
	a.find(merge.Finding{
		Rule: "literal", Severity: merge.Info, Table: table,
		Text: fmt.Sprintf("%s (%s); %s", what, strings.Join(hits[:min(len(hits), 3)], "; "), stays),
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
	textOrComment  = regexp.MustCompile(`'(?:[^']|'')*'|--[^\n]*|(?s:/\*.*?\*/)`)
	integerLiteral = regexp.MustCompile(`(?i)^\(*'?(?:0x[0-9a-f]+|[1-9][0-9]*)'?\)*$`)
)

// textsIn are the texts that stand in an SQL text.
func textsIn(sql string) (list []string) {
	for _, one := range textOrComment.FindAllString(sql, -1) {
		if one[0] == '\'' {
			list = append(list, strings.ReplaceAll(one[1:len(one)-1], "''", "'"))
		}
	}
	return list
}

// withoutComments is an SQL text without its comments.
func withoutComments(sql string) string {
	return textOrComment.ReplaceAllStringFunc(sql, func(one string) string {
		if one[0] == '\'' {
			return one
		}
		return " "
	})
}

// literalSearch is a word search, not a parser: it may report what means something else, and a person looks.
type literalSearch []*regexp.Regexp

func newLiteralSearch(columns []merge.Col) (s literalSearch) {
	if len(columns) == 0 {
		return nil
	}
	names, tables := []string{"rowid", "_rowid_", "oid"}, []string(nil)
	for _, c := range columns {
		names, tables = append(names, c.Name), append(tables, c.Table)
	}
	const (
		number  = `[-+]?\s*'?(?:0x[0-9a-f]+|[0-9]+)\b'?`
		compare = `(?:==?|<>|!=|<=?|>=?|\bIS(?:\s+NOT)?(?:\s+DISTINCT\s+FROM)?\b)`
		among   = `\b(?:NOT\s+)?IN\s*\((?:\s*VALUES\b)?`
	)
	name := words(names)
	for _, pattern := range []string{
		name + `[\s)]*(?:` + compare + `|` + among + `|\b(?:NOT\s+)?BETWEEN\b)[\s(]*` + number,
		number + `[\s)]*` + compare + `[\s(]*(?:\w+\s*\.\s*)?` + name,
		`\((?:[^()]*,[^()]*` + name + `[^()]*|[^()]*` + name + `[^()]*,[^()]*)\)\s*(?:` + compare + `|` + among + `)[\s(]*[^()]*?` + number, // of several columns
		`\bNULLIF\s*\([^,]*` + name + `[\s)]*,\s*` + number,
		`\bCASE\s+(?:\w+\s*\.\s*)?` + name + `\s+WHEN\s+` + number,
		`\bINTO\s+(?:\w+\s*\.\s*)?` + words(tables) + `[^;]*\b(?:VALUES|SELECT)\b[^;]*?` + number, // of a trigger
	} {
		s = append(s, regexp.MustCompile(`(?i)`+pattern))
	}
	return s
}

// words is a pattern for one of some names, however it is quoted.
func words(names []string) string {
	var list []string
	for _, n := range names {
		list = append(list, regexp.QuoteMeta(n))
	}
	slices.Sort(list)
	return `[\x60"\[]?\b(?:` + strings.Join(slices.Compact(list), "|") + `)\b[\x60"\]]?`
}

// in lists what looks like a key and a number in an SQL text.
func (s literalSearch) in(sql string) (hits []string) {
	sql = withoutComments(sql)
	for _, pattern := range s {
		for _, hit := range pattern.FindAllString(sql, -1) {
			if hit = strings.Join(strings.Fields(hit), " "); !slices.Contains(hits, hit) {
				hits = append(hits, hit)
			}
		}
	}
	return hits
}

// renamedTexts are texts of the schema that some rows lose to new names, each with a pattern for where they stand.
type renamedTexts map[string]*regexp.Regexp

// renamedLiterals are the texts of the schema's own SQL that are some row's old name, each beside the names of its columns and tables.
func (a *auditor) renamedLiterals() renamedTexts {
	texts := map[string]bool{}
	for _, o := range a.schema.Objects {
		for _, text := range textsIn(o.SQL) {
			texts[text] = true
		}
	}
	for _, t := range a.schema.Tables {
		for _, text := range textsIn(t.SQL) {
			texts[text] = true
		}
	}
	found := renamedTexts{}
	for _, r := range a.rename {
		col := merge.Col{Table: r.Unique.Table, Name: r.Column}
		beside, collation := []string{col.Table, col.Name}, a.keyCollation(col)
		for _, ref := range a.refs {
			if slices.Contains(ref.To, col) {
				for _, c := range ref.From {
					beside = append(beside, c.Table, c.Name)
				}
			}
		}
		old := map[string]bool{}
		for _, rows := range r.Shards {
			for _, row := range rows {
				old[merge.Collated(row.Old, collation)] = true
			}
		}
		for text := range texts {
			if old[merge.Collated(text, collation)] {
				found[text] = regexp.MustCompile(`(?i)` + words(beside))
			}
		}
	}
	return found
}

// in lists the texts that stand in an SQL text, each with what stands before it.
func (s renamedTexts) in(sql string) (hits []string) {
	if len(s) == 0 {
		return nil
	}
	rest, before := textOrComment.ReplaceAllString(sql, " "), 0
	for _, at := range textOrComment.FindAllStringIndex(sql, -1) {
		one := sql[at[0]:at[1]]
		if list := textsIn(one); len(list) == 1 && s[list[0]] != nil && s[list[0]].MatchString(rest) {
			start := max(before, strings.LastIndexAny(sql[:at[0]], "(,;")+1)
			words := strings.Fields(sql[start:at[1]])
			if hit := strings.Join(words[max(0, len(words)-4):], " "); !slices.Contains(hits, hit) {
				hits = append(hits, hit)
			}
		}
		before = at[1]
	}
	return hits
}
