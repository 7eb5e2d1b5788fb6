package sqlite

import (
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// token is a word, a quoted name or string, or a single character of an SQL text; comments and space are left out.
type token struct {
	text     string
	from, to int // bytes in the SQL text
	depth    int // of parentheses around it; a parenthesis itself counts as outside
}

// tokens cuts an SQL text. It knows quotes, comments and parentheses and nothing else of the language.
func tokens(text string) ([]token, error) {
	var list []token
	depth := 0
	for i := 0; i < len(text); {
		from, d := i, depth
		switch c := text[i]; {
		case strings.IndexByte(" \t\r\n\f", c) >= 0:
			i++
			continue
		case strings.HasPrefix(text[i:], "--"):
			if i = from + strings.IndexByte(text[from:], '\n') + 1; i == from {
				i = len(text)
			}
			continue
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return nil, fmt.Errorf("a comment is not closed: %q", text)
			}
			i += end + 4
			continue
		case strings.IndexByte("'\"`[", c) >= 0:
			end := c
			if c == '[' {
				end = ']'
			}
			for i++; ; i++ {
				if i >= len(text) {
					return nil, fmt.Errorf("a quote is not closed: %q", text)
				}
				if text[i] != end {
					continue
				}
				if i++; c == '[' || i >= len(text) || text[i] != end {
					break
				}
			}
		case c == '(':
			i, depth = i+1, depth+1
		case c == ')':
			i, depth = i+1, depth-1
			if d = depth; depth < 0 {
				return nil, fmt.Errorf("a parenthesis too many: %q", text)
			}
		case wordByte(c):
			for i < len(text) && wordByte(text[i]) {
				i++
			}
		default:
			i++
		}
		list = append(list, token{text[from:i], from, i, d})
	}
	if depth != 0 {
		return nil, fmt.Errorf("a parenthesis is not closed: %q", text)
	}
	return list, nil
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (t token) is(word string) bool { return strings.EqualFold(t.text, word) }

// term is one term of ORDER BY or of an index.
type term struct {
	expression string
	collation  string // named in the term; "" for the expression's own
	order      string // ASC, DESC, NULLS FIRST, NULLS LAST as written
}

// splitTerms cuts a list of terms at its commas and each term into its parts.
func splitTerms(text string) ([]term, error) {
	all, err := tokens(text)
	if err != nil {
		return nil, err
	}
	var list []term
	for len(all) > 0 {
		n := 0
		for n < len(all) && (all[n].depth > 0 || all[n].text != ",") {
			n++
		}
		part, order := all[:n], ""
		if k := len(part); k > 2 && part[k-2].is("NULLS") && (part[k-1].is("FIRST") || part[k-1].is("LAST")) {
			order, part = " NULLS "+part[k-1].text, part[:k-2]
		}
		if k := len(part); k > 1 && (part[k-1].is("ASC") || part[k-1].is("DESC")) {
			order, part = " "+part[k-1].text+order, part[:k-1]
		}
		t := term{order: order}
		if k := len(part); k > 2 && part[k-2].is("COLLATE") && part[k-2].depth == 0 {
			t.collation, part = unquoted(part[k-1].text), part[:k-2]
		}
		if len(part) == 0 {
			return nil, fmt.Errorf("a term is empty: %q", text)
		}
		t.expression = text[part[0].from:part[len(part)-1].to]
		if list = append(list, t); n == len(all) {
			break
		}
		if all = all[n+1:]; len(all) == 0 {
			return nil, fmt.Errorf("a term is empty: %q", text)
		}
	}
	return list, nil
}

// unquoted is the name that a token stands for.
func unquoted(word string) string {
	if n := len(word); n >= 2 && strings.IndexByte("'\"`[", word[0]) >= 0 {
		quote := word[n-1:]
		return strings.ReplaceAll(word[1:n-1], quote+quote, quote)
	}
	return word
}

// indexTerms are the expressions and the condition of a unique key's CREATE INDEX, as SQLite stores it.
func indexTerms(u merge.Unique) (list []term, where string, err error) {
	list, where, err = indexParts(u.Name, u.SQL)
	if err == nil && (len(list) != len(u.Columns) || where == "" && u.Where) {
		err = fmt.Errorf("index %s: its declaration is not understood: %s", u.Name, u.SQL)
	}
	return list, where, err
}

// indexParts are the expressions and the condition of a CREATE INDEX, as SQLite stores it.
func indexParts(name, text string) (list []term, where string, err error) {
	all, err := tokens(text)
	if err != nil {
		return nil, "", err
	}
	on := 0
	for on < len(all) && !all[on].is("ON") {
		on++
	}
	first := on + 2 // ON table (
	if first >= len(all) || all[first].text != "(" {
		return nil, "", fmt.Errorf("index %s: its declaration is not understood: %s", name, text)
	}
	last := first + 1
	for last < len(all) && (all[last].depth > 0 || all[last].text != ")") {
		last++
	}
	if list, err = splitTerms(text[all[first].to:all[last].from]); err != nil {
		return nil, "", err
	}
	if rest := all[last+1:]; len(rest) > 1 && rest[0].is("WHERE") {
		where = text[rest[0].to:]
	}
	return list, where, nil
}
