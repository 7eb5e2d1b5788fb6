package merge

import (
	"regexp"
	"strings"
)

// sqlTokens are what an SQL text's names stand among: comments, texts, quoted names and words. A text may hold what looks like a name, and a name like a comment.
var sqlTokens = regexp.MustCompile("--[^\\n]*|(?s:/\\*.*?\\*/)|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\\[[^\\]]*\\]|[\\w$\\x{80}-\\x{10FFFF}]+")

// SQLNames are the words and the quoted names in an SQL text, without their quotes and in lower case; words are those that stand without.
func SQLNames(sql string) (names, words []string) {
	for _, token := range sqlTokens.FindAllString(FoldASCII(sql), -1) {
		switch token[0] {
		case '-', '/', '\'':
		case '"', '`':
			quote := token[:1]
			names = append(names, strings.ReplaceAll(token[1:len(token)-1], quote+quote, quote))
		case '[':
			names = append(names, token[1:len(token)-1])
		default:
			names, words = append(names, token), append(words, token)
		}
	}
	return names, words
}

// MayName tells whether an SQL text may name a column. Not every text in which it stands does, but no other names it: within quotes, those that are part of the name are doubled.
func MayName(sql, name string) bool {
	sql, name = FoldASCII(sql), FoldASCII(name)
	return strings.Contains(sql, name) || strings.Contains(sql, strings.ReplaceAll(name, `"`, `""`)) || strings.Contains(sql, strings.ReplaceAll(name, "`", "``"))
}
