package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// readInOrder says which of the schema's own views and triggers look at the order of a key: at its highest or lowest, at rows sorted by it, or at which of two is higher.
func (a *auditor) readInOrder(s *space) (why []string) {
	cols := []merge.Col{s.key}
	for _, r := range s.users {
		for i, sp := range r.spaces {
			if sp == s {
				cols = append(cols, r.From[i])
			}
		}
	}
	if t := a.tables[s.key.Table]; t.AutoColumn == s.key.Name {
		for _, number := range []string{"rowid", "_rowid_", "oid"} {
			if t.Column(number, true) == nil {
				cols = append(cols, merge.Col{Table: t.Name, Name: number})
			}
		}
	}
	for _, o := range a.schema.Objects {
		if o.Kind != "view" && o.Kind != "trigger" {
			continue
		}
		sql := &orderSQL{tokens: piecesOf(o.SQL), own: o.Table, cols: cols, tables: map[string][]string{}}
		for _, t := range a.schema.Tables {
			sql.tables[merge.FoldASCII(t.Name)] = []string{t.Name}
		}
		a.readThrough(sql.tables)
		if use := sql.use(); use != "" {
			why = append(why, fmt.Sprintf("%s %s reads them in that order (%s)", o.Kind, o.Name, use))
		}
	}
	return why
}

// readThrough adds views to the tables of a schema, each with those that it reads.
func (a *auditor) readThrough(tables map[string][]string) {
	for range a.schema.Objects { // a view may read others
		grown := false
		for _, o := range a.schema.Objects {
			if o.Kind != "view" {
				continue
			}
			names, _ := merge.SQLNames(o.SQL)
			name := merge.FoldASCII(o.Name)
			for _, n := range names {
				for _, t := range tables[n] {
					if n != name && !slices.Contains(tables[name], t) {
						tables[name], grown = append(tables[name], t), true
					}
				}
			}
		}
		if !grown {
			return
		}
	}
}

// orderSQL is an SQL text in pieces, in which a key's order may be looked at. It is a search, not a parser: it may find what means something else, and a person looks.
type orderSQL struct {
	tokens []string
	own    string // a trigger's table
	cols   []merge.Col
	tables map[string][]string // by name in small letters, also of views: the tables that it stands for
	called map[string][]string // by what else they are called in this text
}

// orderTokens are comments, texts, quoted names, words and signs. A comment may stand in what is a name, and a quote in a comment.
var orderTokens = regexp.MustCompile("--[^\\n]*|(?s:/\\*.*?\\*/)|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\\[[^\\]]*\\]|[\\w$\\x{80}-\\x{10FFFF}]+|<=|>=|<>|!=|<<|>>|->>|->|[^\\s]")

// notCalled are words behind a table's name that are no other name of it.
var notCalled = strings.Fields("where join on left inner cross natural full right outer group order set values using limit union having indexed not begin for when default window except intersect returning select and or end then else is in")

// piecesOf takes an SQL text apart, in small letters and without its comments.
func piecesOf(sql string) []string {
	return slices.DeleteFunc(orderTokens.FindAllString(merge.FoldASCII(sql), -1), func(t string) bool {
		return strings.HasPrefix(t, "--") || strings.HasPrefix(t, "/*")
	})
}

// name is the name that a piece writes; "" for what is none.
func (q *orderSQL) name(i int) string {
	if i < 0 || i >= len(q.tokens) {
		return ""
	}
	t := q.tokens[i]
	switch t[0] {
	case '"', '`', '[':
		if len(t) < 2 { // no name ends there
			return ""
		}
		return strings.ReplaceAll(t[1:len(t)-1], t[:1]+t[:1], t[:1])
	case '\'':
		return ""
	}
	if c := t[0]; c == '_' || c >= 'a' && c <= 'z' || c >= 0x80 {
		return t
	}
	return ""
}

func (q *orderSQL) at(i int) string {
	if i < 0 || i >= len(q.tokens) {
		return ""
	}
	return q.tokens[i]
}

// use is where the text looks at the order of the key; "" where it does not.
func (q *orderSQL) use() string {
	q.called = map[string][]string{"new": {q.own}, "old": {q.own}}
	named := []string{q.own}
	for i := range q.tokens {
		list := q.tables[q.name(i)]
		if len(list) == 0 || q.at(i-1) == "." || q.at(i+1) == "." {
			continue
		}
		named = append(named, list...)
		next := i + 1
		if q.at(next) == "as" {
			next++
		}
		if other := q.name(next); other != "" && !slices.Contains(notCalled, other) {
			q.called[other] = append(q.called[other], list...)
		}
	}
	for i := range q.tokens {
		start, ok := q.holds(i, named)
		if !ok {
			continue
		}
		if from, to, found := q.looked(start, i); found {
			return strings.Join(q.tokens[max(0, from):min(len(q.tokens), to)], " ")
		}
	}
	return q.sorted(named)
}

// holds tells whether a piece names a column that holds the key, and where that begins.
func (q *orderSQL) holds(i int, named []string) (start int, ok bool) {
	name := q.name(i)
	if name == "" || q.at(i+1) == "." || q.at(i+1) == "(" {
		return 0, false
	}
	of := named
	if start = i; q.at(i-1) == "." {
		start = i - 2
		whose := q.name(start)
		if known := slices.Concat(q.called[whose], q.tables[whose]); len(known) > 0 {
			of = known
		}
	}
	return start, slices.ContainsFunc(q.cols, func(c merge.Col) bool { return merge.FoldASCII(c.Name) == name && slices.Contains(of, c.Table) })
}

// looked tells whether a column that stands from start to end is looked at by its order, and where that begins and ends.
func (q *orderSQL) looked(start, end int) (from, to int, ok bool) {
	number := func(t string) bool {
		return t == "" || t[0] >= '0' && t[0] <= '9' || t[0] == '\'' || t == "-" || t == "null"
	}
	before, after := q.at(start-1), q.at(end+1)
	switch {
	case before == "(" && after == ")" && (q.at(start-2) == "max" || q.at(start-2) == "min"):
		// The number after the highest is the next one, whatever the order.
		for i := end + 1; i < end+8; i++ {
			if t := q.at(i); t == "+" {
				return 0, 0, false
			} else if t != ")" && t != "," && t != "0" {
				break
			}
		}
		return start - 2, end + 2, true
	case isOrder(after):
		other := end + 2
		for q.at(other) == "(" {
			other++
		}
		return start, end + 5, !number(q.at(other))
	case isOrder(before):
		return start - 4, end + 1, !number(q.at(start - 2))
	case after == "between":
		return start, end + 5, !number(q.at(end + 2))
	}
	return 0, 0, false
}

func isOrder(t string) bool { return t == "<" || t == ">" || t == "<=" || t == ">=" }

// sorted is an ORDER BY in which the key stands; "" when there is none.
func (q *orderSQL) sorted(named []string) string {
	for i := range q.tokens {
		if q.at(i) != "order" || q.at(i+1) != "by" {
			continue
		}
		depth := 0
		for j := i + 2; j < len(q.tokens) && depth >= 0; j++ {
			switch q.at(j) {
			case "(":
				depth++
			case ")":
				depth--
			case "limit", ";", "rows", "range", "groups":
				depth = -1
			}
			if _, ok := q.holds(j, named); ok && depth >= 0 {
				return strings.Join(q.tokens[i:min(len(q.tokens), j+2)], " ")
			}
		}
	}
	return ""
}
