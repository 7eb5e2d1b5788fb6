package discover

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/gameid/gameid/merge"
)

// forms are texts that keep numbers at places without a name of their own, with those places: the pattern of a place finds all of a text's numbers there.
var forms = []struct {
	text   *regexp.Regexp
	places []nameless
}{
	{json, []nameless{
		at(`\[\s*"?(\d+)`, "the first numbers in brackets"),
		at(`[\[,]\s*"?(\d+)`, "the numbers in brackets"),
		at(`"(\d+)"\s*:`, "the names that are numbers"),
		at(`[{,]\s*(\d+)`, "the numbers in braces"),
		at(`\]\s*=\s*"?(\d+)`, "the numbers behind brackets"),
	}},
	{serialized, []nameless{
		at(`i:(\d+);[a-zA-Z]`, "the keys of its arrays"),
		at(`i:\d+;(?:i:|s:\d+:")(\d+)`, "the values of its arrays"),
	}},
	{pairs, []nameless{
		at(`(?:^|[;,|\s)\]}])(\d+) ?`+joint, "the first number of each pair"),
		at(joint+` ?(\d+)`, "the second number of each pair"),
	}},
	{whole, []nameless{at(wholeText, "the numbers behind zeros")}},
}

// wholeText finds the number that a text is, and zeros before it.
const wholeText = `^0*(\d+)$`

// said are the words of a place; where no text has zeros before its number, none are spoken of.
func (p place) said(zeros bool) string {
	if p.match == wholeText && !zeros {
		return "the texts that are one number"
	}
	return p.words
}

// joint is what stands between the numbers of a pair: 7:2, 7#2, 7->2, 7(2), 7 + 2.
const joint = `[:_*x=@/.#+~&^$!>({\[-]`

// group is a pair of numbers, or more of them, as between the signs of a path.
const group = `[0-9]+(?: ?` + joint + `{1,2} ?[0-9]+[)\]}]?)+`

// wrapped is the only number of such a path: /7/, 7#.
const wrapped = joint + `[0-9]+` + joint + `|[0-9]+[#/~^$&]`

var (
	serialized  = regexp.MustCompile(`^[aO]:[0-9]+:`) // https://www.php.net/manual/en/function.serialize.php
	pairs       = regexp.MustCompile(`^(?:` + joint + `?` + group + `(?:[;,|\s]*` + group + `)*(?:` + joint + `|[;,|\s])*|` + wrapped + `)$`)
	dated       = regexp.MustCompile(`^[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}\b`)
	whole       = regexp.MustCompile(`^[0-9]{1,20}$`) // no longer than the highest number of 64 bits
	padded      = regexp.MustCompile(`^0+[1-9][0-9]*$`)
	hexadecimal = regexp.MustCompile(`^(?:0x)?([0-9a-fA-F]{2,15})$`)
	lettered    = regexp.MustCompile(`[a-fA-F]`)
)

// nameless is a place without a name: the pattern that finds it, and where it is, for people.
type nameless struct {
	match *regexp.Regexp
	words string
}

func at(match, words string) nameless { return nameless{regexp.MustCompile(match), words} }

// unnamedPlaces are the numbers of a text at places without a name.
func unnamedPlaces(text, column string, found func(place, string)) {
	for _, form := range forms {
		if !form.text.MatchString(text) || dated.MatchString(text) {
			continue
		}
		for _, p := range form.places {
			for _, m := range p.match.FindAllStringSubmatch(text, insidePlaces) {
				found(place{match: p.match.String(), words: p.words, hint: column}, m[1])
			}
		}
	}
	if m := hexadecimal.FindStringSubmatch(text); m != nil {
		if n, err := strconv.ParseInt(m[1], 16, 64); err == nil {
			found(place{match: hexadecimal.String(), words: "the numbers in base 16", hint: column}, strconv.FormatInt(n, 10))
		}
	}
}

// disguised tells whether the texts of some shard are numbers in another spelling: with zeros before them, in base 16, or several joined in one.
func disguised(samples []*merge.Sample) bool {
	return slices.ContainsFunc(samples, func(one *merge.Sample) bool {
		joined, whole := 0, 0
		for _, text := range one.Texts {
			joined += int(yes(pairs.MatchString(text)))
			whole += int(yes(hexadecimal.MatchString(text)))
		}
		some := slices.ContainsFunc(one.Texts, func(text string) bool { return padded.MatchString(text) || lettered.MatchString(text) })
		return joined > 0 && float64(joined) >= embeddedShare*float64(len(one.Texts)) || some && float64(len(one.Texts)-whole) <= strayShare*float64(len(one.Texts))
	}) || zeroed(samples)
}

// zeroed tells whether texts are numbers, some of them with zeros before them.
func zeroed(samples []*merge.Sample) bool {
	some := false
	for _, one := range samples {
		for _, text := range one.Texts {
			if !whole.MatchString(text) {
				return false
			}
			some = some || padded.MatchString(text)
		}
	}
	return some
}

// unread tells whether a column that is named like a key holds numbers with zeros before them that no key explains, neither one of numbers nor one of such texts.
func (s *search) unread(col merge.Col, samples []*merge.Sample) (bool, error) {
	if !zeroed(samples) || !s.called(s.newColumn(s.tables[col.Table], s.schema.Column(col), col.Name)) {
		return false, nil
	}
	for _, t := range s.schema.Tables {
		for _, u := range t.Uniques {
			if !u.Plain() || len(u.Columns) != 1 || s.schema.Holds(u.Cols()[0]) != merge.Text {
				continue
			}
			if u.Cols()[0] == col {
				return false, nil
			}
			if explained, err := s.amongTexts(samples, u.Cols()[0]); err != nil || explained {
				return false, err
			}
		}
	}
	return true, nil
}

// amongTexts tells whether most of some texts are a key's.
func (s *search) amongTexts(samples []*merge.Sample, key merge.Col) (bool, error) {
	all, found := 0, int64(0)
	for i, shard := range s.shards {
		own, ok := shard.Schema().Resolve(key)
		if !ok {
			continue
		}
		var words []any
		condition := ""
		for _, text := range samples[i].Texts {
			words, condition = append(words, text), condition+", ?"
		}
		if len(words) == 0 {
			continue
		}
		n, err := shard.Count(s.ctx, own.Table, s.quote(own.Name)+" IN ("+condition[2:]+")", words...)
		if err != nil {
			return false, err
		}
		all, found = all+len(words), found+n
	}
	return float64(found) >= embeddedShare*float64(all), nil
}
