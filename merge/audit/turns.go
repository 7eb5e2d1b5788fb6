package audit

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// sqlTokens are what an SQL text's names stand among: comments, texts, quoted names and words. A text may hold what looks like a name, and a name like a comment.
var sqlTokens = regexp.MustCompile("--[^\\n]*|(?s:/\\*.*?\\*/)|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\\[[^\\]]*\\]|[\\w$\\x{80}-\\x{10FFFF}]+")

// sqlNames are the words and the names in an SQL text, without their quotes and in lower case; words are those that stand without.
func sqlNames(sql string) (names, words []string) {
	for _, token := range sqlTokens.FindAllString(merge.FoldASCII(sql), -1) {
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

// turning lists what an SQL condition on a table names whose values the merge changes, so that it may hold of other rows in the output than in the shards: columns,
// row numbers that the engine gives anew, and "another table" for a subquery.
func (a *auditor) turning(t *merge.Table, condition string) (list []string) {
	names, words := sqlNames(condition)
	for _, c := range t.Columns {
		if slices.Contains(names, merge.FoldASCII(c.Name)) && a.changes(merge.Col{Table: t.Name, Name: c.Name}) {
			list = append(list, c.Name)
		}
	}
	for _, number := range []string{"rowid", "_rowid_", "oid"} {
		if slices.Contains(names, number) && t.Column(number, true) == nil && (t.AutoColumn == "" || a.changes(merge.Col{Table: t.Name, Name: t.AutoColumn})) {
			list = append(list, number)
		}
	}
	if slices.Contains(words, "select") {
		list = append(list, "another table")
	}
	return list
}
