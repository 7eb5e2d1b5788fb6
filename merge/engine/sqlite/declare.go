package sqlite

import (
	"strings"

	"github.com/gameid/gameid/merge"
)

// declarations reads from a table's own SQL what no pragma tells: its checks and the formulas of its generated columns.
func declarations(t *merge.Table) {
	all, err := tokens(t.SQL)
	if err != nil {
		return // SQLite has parsed it: what this reader does not know, it leaves out
	}
	var column *merge.Column
	first := false // the next token starts a column or a constraint
	for i, k := range all {
		switch {
		case k.text == "(" && k.depth == 0 && column == nil && !first, k.text == "," && k.depth == 1:
			first = true
			continue
		case k.depth != 1:
			continue
		case first:
			column, first = t.Column(unquoted(k.text), true), false
		}
		if i+1 >= len(all) || all[i+1].text != "(" || all[i+1].depth != 1 {
			continue
		}
		switch {
		case k.is("CHECK"):
			t.Checks = append(t.Checks, inside(all, i+1))
		case k.is("AS") && column != nil && column.Generated:
			column.Formula = inside(all, i+1)
		}
	}
}

// inside is what stands between a parenthesis and its end, spelled so that differences of space, comments and case do not show.
func inside(all []token, open int) string {
	var b strings.Builder
	for i := open + 1; all[i].text != ")" || all[i].depth != all[open].depth; i++ {
		word := all[i].text
		if strings.IndexByte("'\"`[", word[0]) < 0 {
			word = merge.FoldASCII(word)
		}
		if last := all[i-1]; i > open+1 && last.to < all[i].from && (spoken(last.text) && spoken(word) || last.text == word) { // - - is no comment
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

// spoken tells whether a token is a word or stands in quotes: two of them need a space between them.
func spoken(word string) bool { return wordByte(word[0]) || strings.IndexByte("'\"`[", word[0]) >= 0 }
