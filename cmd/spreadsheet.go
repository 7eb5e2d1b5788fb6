package cmd

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gameid/gameid/merge/report"
)

// byteOrderMark makes a spreadsheet read a CSV file as UTF-8; without it Excel takes the system's code page.
const byteOrderMark = "\ufeff"

// longestFormulaText is what Excel takes inside ="...".
const longestFormulaText = 255

// spreadsheetCell is a value as CSV shows it. Numbers that a spreadsheet keeps, truth values and times are no texts.
func spreadsheetCell(value any) string {
	text := cellText(value)
	switch value.(type) {
	case bool, time.Time:
		return text
	case int, int32, int64, uint32, uint64, float64:
		if len(text) <= 15 {
			return text
		}
	}
	return spreadsheetText(text)
}

// spreadsheetText is a text as a cell of CSV, written so that a spreadsheet neither computes nor changes it:
//
//   - ="..." around what it would turn into another number or a date: digits that begin with 0 or are more than 15, 12E5, 1-2, MARCH1.
//   - ' before what it would run as a formula (= + - @, their full-width forms, a tab or a line break in front) and before another '. Names are
//     chosen by players, and a formula can send a file away.
//
// A plain number of at most 15 digits stays a number. Line breaks and tabs stay; other control characters and bytes that are no UTF-8 are shown as escapes.
func spreadsheetText(s string) string {
	switch {
	case isPlainNumber(s):
		return s
	case looksConverted(s) && len(s) <= longestFormulaText:
		return `="` + s + `"`
	case looksConverted(s):
		return "'" + s
	}
	s = sheetLines(s)
	if c, _ := utf8.DecodeRuneInString(s); strings.ContainsRune("=+-@'＝＋－＠\t\n", c) {
		return "'" + s
	}
	return s
}

// sheetValue is the text that spreadsheetText wrote as a cell, save for what it escaped.
func sheetValue(cell string) string {
	if strings.HasPrefix(cell, `="`) && strings.HasSuffix(cell, `"`) && len(cell) > 2 {
		return cell[2 : len(cell)-1]
	}
	return strings.TrimPrefix(cell, "'")
}

// sheetLines is report.Visible for a text whose tabs and line breaks stay.
func sheetLines(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(s, "\t\n")
		if i < 0 {
			return b.String() + report.Escape(s, unicode.IsControl)
		}
		b.WriteString(report.Escape(s[:i], unicode.IsControl) + s[i:i+1])
		s = s[i+1:]
	}
}

// isPlainNumber tells whether a spreadsheet shows a text of digits as it is: it keeps 15 of them.
func isPlainNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits != "" && len(digits) <= 15 && strings.Trim(digits, "0123456789") == "" && (digits[0] != '0' || s == "0")
}

// numberWords are the letters in what a spreadsheet takes for a number, a truth value or a date.
var numberWords = strings.Fields(`e am pm a p true false jan feb mar apr may jun jul aug sep sept oct nov dec
	january february march april june july august september october november december`)

// looksConverted tells whether a spreadsheet may take a text for a number, a truth value or a date. Such a text has no quote in it and no first character
// that begins a formula, so it is safe inside ="...".
func looksConverted(s string) bool {
	if s == "" || strings.ContainsRune("=+-@", rune(s[0])) {
		return false
	}
	word, words, digits := "", 0, false
	for _, c := range strings.ToLower(s) + " " {
		switch {
		case c >= 'a' && c <= 'z':
			word += string(c)
			continue
		case c >= '0' && c <= '9':
			digits = true
		case !strings.ContainsRune(" .,:/-+%$()年月日", c):
			return false
		}
		if word == "" {
			continue
		}
		known := false
		for _, w := range numberWords {
			known = known || w == word
		}
		if !known {
			return false
		}
		word, words = "", words+1
	}
	return digits || words == 1 && (strings.EqualFold(s, "true") || strings.EqualFold(s, "false"))
}
