package audit

import (
	"strings"
	"unicode"
)

func hasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func besideWords(r rune) bool { return !inWord(r) }

// wordsAt are where the words of a text begin and end.
func wordsAt(text string) (list [][2]int) {
	from := -1
	for at, r := range text {
		switch in := inWord(r); {
		case in && from < 0:
			from = at
		case !in && from >= 0:
			list, from = append(list, [2]int{from, at}), -1
		}
	}
	if from >= 0 {
		list = append(list, [2]int{from, len(text)})
	}
	return list
}

// headOf is what a text may begin with before names in several frames, as trunk-PLATE and glovebox-PLATE do: its first word, with the signs beside it; those alone where the word is all that follows.
func headOf(text string) string {
	rest := strings.TrimLeftFunc(text, besideWords)
	signs := len(text) - len(rest)
	behind := strings.TrimLeftFunc(rest, inWord)
	if behind == "" {
		return text[:signs]
	}
	return text[:len(text)-len(strings.TrimLeftFunc(behind, besideWords))]
}

// tailOf is what it may end with.
func tailOf(text string) string {
	rest := strings.TrimRightFunc(text, besideWords)
	before := strings.TrimRightFunc(rest, inWord)
	if before == "" {
		return text[len(rest):]
	}
	return text[len(strings.TrimRightFunc(before, besideWords)):]
}
