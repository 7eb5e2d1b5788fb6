package merge

import (
	"fmt"
	"strings"
)

// Pattern tells in which parts of a column's name in a plan a '*' stands for any run of characters. In the others it is a star of the name, as in double quotes.
type Pattern struct{ Table, Name bool }

// ParsePattern is ParseCol for names in which a star outside of double quotes makes a pattern.
func ParsePattern(s string) (Col, Pattern, error) {
	parts, err := splitName(s)
	if err != nil {
		return Col{}, Pattern{}, err
	}
	if len(parts) != 2 {
		return Col{}, Pattern{}, fmt.Errorf("column %q: want table.column, got %d part(s)", s, len(parts))
	}
	return Col{parts[0].text, parts[1].text}, Pattern{parts[0].pattern, parts[1].pattern}, nil
}

// Any tells whether a part is a pattern.
func (p Pattern) Any() bool { return p.Table || p.Name }

// Write writes a column as its String does, but for the parts that are patterns.
func (p Pattern) Write(c Col) string {
	return writePattern(p.Table, c.Table) + "." + writePattern(p.Name, c.Name)
}

// Covers tells whether a column is, or a pattern matches, another one.
func (p Pattern) Covers(s *Schema, c, other Col) bool {
	return covers(s, p.Table, c.Table, other.Table) && covers(s, p.Name, c.Name, other.Name)
}

func writePattern(pattern bool, name string) string {
	if pattern {
		return name
	}
	return quoteWord(name)
}

// covers tells whether a name is another one, or matches it as a pattern.
func covers(s *Schema, pattern bool, name, other string) bool {
	if !pattern {
		return s.Equal(name, other)
	}
	if s.Fold {
		name, other = FoldASCII(name), FoldASCII(other)
	}
	parts := strings.Split(name, "*")
	last := parts[len(parts)-1]
	other, ok := strings.CutPrefix(other, parts[0])
	for _, part := range parts[1 : len(parts)-1] {
		if ok {
			_, other, ok = strings.Cut(other, part)
		}
	}
	return ok && strings.HasSuffix(other, last)
}
