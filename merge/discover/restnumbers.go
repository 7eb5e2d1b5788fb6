package discover

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gameid/gameid/merge"
)

// momentIn finds the dates and times within a text, and yearIn the year that a date has.
var (
	momentIn = regexp.MustCompile(`(?i)` + date + `|` + clock + zone)
	yearIn   = regexp.MustCompile(year)
)

// restOf are where the numbers of a text stand that are no part of a date or a time, and where all stand.
func restOf(text string) (rest, all [][]int) {
	for at := 0; at < len(text); at++ {
		if start := at; digitAt(text, at) {
			for digitAt(text, at) {
				at++
			}
			all = append(all, []int{start, at})
		}
	}
	if len(all) < 2 || !timed(text, all) {
		return all, all
	}
	var moments [][]int
	for _, m := range momentIn.FindAllStringIndex(text, -1) {
		if digitAt(text, m[0]-1) || digitAt(text, m[1]) { // 2024-05-122 and 1:223 are none
			continue
		}
		moments = append(moments, m)
	}
	for _, n := range all {
		if !slices.ContainsFunc(moments, func(m []int) bool { return m[0] <= n[0] && n[1] <= m[1] }) {
			rest = append(rest, n)
		}
	}
	return rest, all
}

// timed tells whether a text may hold a date, which has a year, or a time, which has a colon between two numbers: momentIn is slow.
func timed(text string, numbers [][]int) bool {
	return slices.ContainsFunc(numbers, func(n []int) bool {
		return digitAt(text, n[1]+1) && text[n[1]] == ':' || n[1]-n[0] == 4 && yearIn.MatchString(text[n[0]:n[1]])
	})
}

func digitAt(text string, at int) bool {
	return at >= 0 && at < len(text) && text[at] >= '0' && text[at] <= '9'
}

// restPlaces are the first and the last number of a text that are no part of a date or a time, wherever the words beside them differ from row to row: INV/2024-05-01/122, Rusty (122),
// 17:09 user 122 logged in. Documents, lists and pairs without dates have places of their own.
func restPlaces(text, column string, found func(place, string)) {
	rest, all := restOf(text)
	if len(rest) == 0 || len(all) > insidePlaces || serialized.MatchString(text) || whole.MatchString(text) {
		return
	}
	if dates := len(rest) < len(all); !dates && (list.MatchString(text) || json.MatchString(text) || pairs.MatchString(text)) || underName.MatchString(text) {
		return
	}
	if len(rest) == len(all) && !strings.ContainsAny(text, " -#([/:") {
		return // clan_1_122 is one word, as names are
	}
	rest = slices.DeleteFunc(rest, func(n []int) bool { // Anna12 is called so
		before, _ := utf8.DecodeLastRuneInString(text[:n[0]])
		return n[0] > 0 && unicode.IsLetter(before)
	})
	if len(rest) == 0 {
		return
	}
	last := rest[len(rest)-1]
	found(restPlace(text, column, "last", last, countAfter(all, last), false), text[last[0]:last[1]])
	if first := rest[0]; len(rest) > 1 {
		found(restPlace(text, column, "first", first, slices.IndexFunc(all, func(n []int) bool { return n[0] == first[0] }), true), text[first[0]:first[1]])
	}
}

func countAfter(all [][]int, n []int) int {
	return len(all) - 1 - slices.IndexFunc(all, func(o []int) bool { return o[0] == n[0] })
}

// restPlace is the place of a number that is counted among a text's, with so many others before it, or behind it.
func restPlace(text, column, which string, n []int, others int, before bool) place {
	p := place{words: "the " + which + " numbers of the texts, without dates and times", hint: column, alone: true, rest: true}
	sign, _ := utf8.DecodeLastRuneInString(text[:n[0]])
	p.sign = n[0] > 0 && !unicode.IsLetter(sign) && !unicode.IsSpace(sign)
	between := ""
	switch {
	case before && others > 0:
		between = fmt.Sprintf(`(?:[0-9]+[^0-9]+){%d}`, others)
	case others > 0:
		between = fmt.Sprintf(`(?:[^0-9]+[0-9]+){%d}`, others)
	}
	if before {
		p.match = `^[^0-9]*` + between + `0*(\d+)`
	} else {
		p.match = `0*(\d+)` + between + `[^0-9]*$`
	}
	return p
}

// hasRest tells whether most texts of some shard have numbers that are no part of a date or a time.
func hasRest(samples []*merge.Sample) bool {
	return slices.ContainsFunc(samples, func(one *merge.Sample) bool {
		hits := 0
		for _, text := range one.Texts {
			rest, _ := restOf(text)
			hits += int(yes(len(rest) > 0))
		}
		return hits > 0 && float64(hits) >= embeddedShare*float64(len(one.Texts))
	})
}

// inMost tells whether numbers stand at one place in most rows of some shard.
func (c *column) inMost(rows []int64) bool {
	for i, v := range c.shards {
		if v.rows > 0 && float64(v.rows) >= embeddedShare*float64(rows[i]) {
			return true
		}
	}
	return false
}
