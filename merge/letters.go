package merge

import (
	"regexp"
	"strings"
)

// lettered is the formula of a column that is another one in small or in capital letters.
var lettered = regexp.MustCompile("(?i)^[( ]*(lower|upper) *[(] *[\"`\\[]?([^\"`\\[\\]()]+?)[\"`\\]]? *[)][ )]*$")

// InLetters is a reference to a text that is computed as another one of its table in small or capital letters, as a copy of that one in these letters, which follows its renames;
// nil where it is none.
func (s *Schema) InLetters(r *Reference) *Reference {
	if r.As != Plain || len(r.From) != 1 || len(r.To) != 1 {
		return nil
	}
	to, ok := s.Resolve(r.To[0])
	if !ok || !s.Column(to).Generated {
		return nil
	}
	m := lettered.FindStringSubmatch(s.Column(to).Formula)
	if m == nil {
		return nil
	}
	name, ok := s.Resolve(Col{Table: to.Table, Name: m[2]})
	if !ok || s.Column(name).Generated || s.Holds(name) != Text {
		return nil
	}
	named := *r
	named.To, named.As, named.Via = []Col{name}, Copy, strings.ToLower(m[1])
	return &named
}

// Drawn tells whether a text has digits and both small and large letters, as those have that are drawn or coded, and hardly any word.
func Drawn(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.ToLower(text) != text && strings.ToUpper(text) != text
}

// Collated is a text in a form in which the bytes of texts are equal that a collation calls equal: NOCASE and RTRIM, in any letters; for any other, BINARY too, as it is.
func Collated(text, collation string) string {
	switch strings.ToUpper(collation) {
	case "NOCASE":
		return FoldASCII(text)
	case "RTRIM":
		return strings.TrimRight(text, " ")
	}
	return text
}
