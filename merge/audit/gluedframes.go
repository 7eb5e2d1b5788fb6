package audit

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gameid/gameid/merge"
)

// gluedLetters is how many letters texts must end or begin with alike to be looked at together.
const gluedLetters = 3

// cutGroup are some texts, and the frames that may be cut out of words in them, the longest first.
type cutGroup struct {
	texts  []string
	frames []frame
	glued  bool // they are of letters that a part of the column's texts end or begin with
}

// cutGroups are the texts of a column, those that begin or end with the same word, and those that do with the same letters.
func cutGroups(samples []*merge.Sample) (list []cutGroup) {
	texts := textsOf(samples)
	for _, some := range append([][]string{texts}, wordGroups(texts, frame{})...) {
		list = append(list, cutGroup{texts: some, frames: cutFrames(some)})
	}
	for _, end := range []bool{true, false} {
		list = append(list, gluedGroups(texts, end)...)
	}
	return list
}

// gluedGroups are the largest groups of texts with the same last letters or number, as RustysBase and Rusty2 are, or the same first letters.
func gluedGroups(texts []string, end bool) (list []cutGroup) {
	groups := map[string][]string{}
	for _, text := range texts {
		if letters := lettersAt(text, end); letters != "" {
			groups[letters] = append(groups[letters], text)
		}
	}
	words := slices.SortedFunc(maps.Keys(groups), func(x, y string) int { return cmp.Or(len(groups[y])-len(groups[x]), strings.Compare(x, y)) })
	for _, word := range words[:min(len(words), 2*framesMost)] {
		if some := groups[word]; len(some) >= fewCopies {
			list = append(list, cutGroup{some, gluedFrames(some, word, end), true})
		}
	}
	return list
}

// lettersAt are the last letters of a text or the number behind its letters, or its first letters; "" where a sign stands among them, or nothing is left for a name.
func lettersAt(text string, end bool) string {
	word := strings.TrimRightFunc(text, unicode.IsDigit)
	last, _ := utf8.DecodeLastRuneInString(word)
	if end && word != text && unicode.IsLetter(last) {
		return text[len(word):]
	}
	at := 0
	for range gluedLetters {
		r, size := utf8.DecodeRuneInString(text[at:])
		if end {
			r, size = utf8.DecodeLastRuneInString(text[:len(text)-at])
		}
		if !unicode.IsLetter(r) {
			return ""
		}
		at += size
	}
	switch {
	case at == len(text):
		return ""
	case end:
		return text[len(text)-at:]
	}
	return text[:at]
}

// gluedFrames are the letters that most of some texts end or begin with, from as many as there may be down to those that all do.
func gluedFrames(texts []string, word string, end bool) (list []frame) {
	for {
		f := frame{before: word}
		if end {
			f = frame{after: word}
		}
		list = append(list, f)
		longer := map[string]int{}
		for _, text := range texts {
			if next := oneMore(text, word, end); next != "" {
				longer[next]++
			}
		}
		best := ""
		for next, n := range longer {
			if float64(n) > partlyLeast*float64(len(texts)) { // no other one can be as frequent
				best = next
			}
		}
		if best == "" || len(list) > frameCuts {
			slices.Reverse(list)
			return list
		}
		word = best
	}
}

// oneMore is a text's end or beginning that is one letter longer than a word; "" when the text is another.
func oneMore(text, word string, end bool) string {
	if end && strings.HasSuffix(text, word) {
		rest := text[:len(text)-len(word)]
		r, size := utf8.DecodeLastRuneInString(rest)
		if unicode.IsLetter(r) {
			return text[len(rest)-size:]
		}
	} else if !end && strings.HasPrefix(text, word) {
		r, size := utf8.DecodeRuneInString(text[len(word):])
		if unicode.IsLetter(r) {
			return text[:len(word)+size]
		}
	}
	return ""
}
