package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible is a text as a terminal may show it: what would drive the terminal, turn the direction of the text or not be seen at all is written as a Go
// escape, and so are bytes that are no UTF-8. Joiners inside a text stay, since families of emoji and Persian words are made with them.
func Visible(s string) string {
	edge := func(c rune) bool { return c == zwnj || c == zwj }
	body := strings.TrimLeftFunc(s, edge)
	head := s[:len(s)-len(body)]
	tail := body[len(strings.TrimRightFunc(body, edge)):]
	body = body[:len(body)-len(tail)]
	return Escape(head, edge) + Escape(body, hidden) + Escape(tail, edge)
}

const (
	zwnj = '\u200c'
	zwj  = '\u200d'
)

// hidden tells what is not seen, or changes how other text is seen.
func hidden(c rune) bool {
	switch {
	case c < utf8.RuneSelf:
		return unicode.IsControl(c)
	case c == zwnj || c == zwj || c >= 0xe0020 && c <= 0xe007f: // tags spell the flags of regions
		return false
	case unicode.Is(unicode.Prepended_Concatenation_Mark, c): // Arabic number signs are seen
		return false
	}
	return unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point)
}

// Escape writes the characters of a text for which escaped is true, and the bytes that are no UTF-8, as Go escapes. It returns s itself when there are none.
func Escape(s string, escaped func(rune) bool) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, escaped) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		switch {
		case c == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case escaped(c):
			quoted := fmt.Sprintf("%+q", c)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}
