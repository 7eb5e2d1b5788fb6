package planfile

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gameid/gameid/merge"
)

// quote writes a text so that every YAML reader, also one of version 1.1, reads the same text: plain where nothing can be meant by it, in single
// quotes where that saves backslashes, in double quotes otherwise. Bytes that are not UTF-8, which no YAML text can hold, become U+FFFD.
func quote(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if plain(s) {
		return s
	}
	if strings.ContainsAny(s, `\"`) && strings.IndexFunc(s, hidden) < 0 {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case !hidden(c):
			b.WriteRune(c)
		case c > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, c)
		default:
			fmt.Fprintf(&b, `\u%04X`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// hidden tells whether a character would not be seen as what it is.
func hidden(c rune) bool { return !unicode.IsPrint(c) || c == utf8.RuneError }

// plain tells whether a text needs no quotes: a word that begins with a letter and that no version of YAML takes for something else.
func plain(s string) bool {
	for i, c := range s {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '.' && c != '-' && c != '*' && c != '/' && (c < '0' || c > '9')) {
			return false
		}
	}
	switch strings.ToLower(s) {
	case "", "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf":
		return false
	}
	return true
}

// quoteValue writes a value of none.
func quoteValue(v any) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case int:
		return strconv.Itoa(v)
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if math.IsInf(v, 0) || math.IsNaN(v) || strings.Contains(s, ".") {
			return s
		}
		if i := strings.IndexByte(s, 'e'); i >= 0 {
			return s[:i] + ".0" + s[i:]
		}
		return s + ".0"
	case string:
		return quote(v)
	}
	return quote(fmt.Sprint(v))
}

// writeName writes the name of a column as Parse reads it: as in SQL.
func writeName(name string) string { return merge.Col{Table: "t", Name: name}.String()[len("t."):] }
