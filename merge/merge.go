// Package merge holds the words of a merge: what a shard's database looks like, which columns refer to
// which keys, what a plan decides, which old key became which new one, and what an engine must be able to do.
//
// A shard is one game server's database. A key space is the set of values of one key that other columns may refer
// to. A reference is a column, or several, whose value is a key of a key space. The image of a row is the row it
// became. The verbs live in the packages below this one: audit, rewrite and prove.
package merge

import (
	"fmt"
	"strings"
)

// Col names a column of a table, both exactly as the database spells them.
type Col struct{ Table, Name string }

// String writes the column as a plan does: table.column, each part in double quotes where SQL would need them.
func (c Col) String() string { return quoteWord(c.Table) + "." + quoteWord(c.Name) }

// ParseCol reads table.column as String writes it: a part that holds a dot, a quote, a space or another character
// outside letters, digits, '_', '$' and '-' stands in double quotes with inner quotes doubled. A star may do without.
func ParseCol(s string) (Col, error) {
	c, _, err := ParsePattern(s)
	return c, err
}

// JoinCols writes columns for a message: "a.x" or "(a.x, a.y)".
func JoinCols(cols []Col) string {
	if len(cols) == 1 {
		return cols[0].String()
	}
	words := make([]string, len(cols))
	for i, c := range cols {
		words[i] = c.String()
	}
	return "(" + strings.Join(words, ", ") + ")"
}

func quoteWord(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plainRune(r) }) < 0 {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

func plainRune(r rune) bool {
	return r == '_' || r == '$' || r == '-' || r >= 0x80 ||
		r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// word is a part of a name; pattern tells that it has a star outside of double quotes.
type word struct {
	text    string
	pattern bool
}

// splitName cuts a dotted name into its parts, each plain or in double quotes.
func splitName(s string) ([]word, error) {
	var parts []word
	for rest := s; ; {
		if rest == "" {
			return nil, fmt.Errorf("name %q: a part is empty", s)
		}
		var part word
		if rest[0] == '"' {
			var b strings.Builder
			i := 1
			for {
				j := strings.IndexByte(rest[i:], '"')
				if j < 0 {
					return nil, fmt.Errorf("name %q: a double quote is not closed", s)
				}
				b.WriteString(rest[i : i+j])
				i += j + 1
				if i >= len(rest) || rest[i] != '"' {
					break
				}
				b.WriteByte('"')
				i++
			}
			part.text, rest = b.String(), rest[i:]
		} else {
			end := strings.IndexFunc(rest, func(r rune) bool { return r != '*' && !plainRune(r) })
			if end < 0 {
				end = len(rest)
			}
			part.text, rest = rest[:end], rest[end:]
			part.pattern = strings.Contains(part.text, "*")
		}
		if part.text == "" {
			return nil, fmt.Errorf("name %q: %q must stand in double quotes, as in SQL", s, rest)
		}
		parts = append(parts, part)
		if rest == "" {
			return parts, nil
		}
		if rest[0] != '.' {
			return nil, fmt.Errorf("name %q: unexpected %q; write names with odd characters in double quotes, as in SQL", s, rest)
		}
		rest = rest[1:]
	}
}
