package discover

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/gameid/gameid/merge"
)

var (
	json = regexp.MustCompile(`^\s*(?:return\s*)?[\[{][^0-9]*[0-9]`)
	list = regexp.MustCompile(`^[\s,;|]*-?[0-9]+(\s*[,;|]\s*|\s+)(-?[0-9]+(\s*[,;|]\s*|\s+))*(-?[0-9]*)$`)
)

// shapes are the forms of text in which games keep keys, as https://www.rfc-editor.org/rfc/rfc8259 and operators' own schemas show them. A date, a version and an
// address are none of them.
var shapes = []struct {
	what  string
	match *regexp.Regexp
	also  *regexp.Regexp // a text of the form when others show it: a list of one
}{
	{"JSON", json, nil},
	{"serialized PHP", serialized, nil},
	{"a list", list, whole},
	{"words with numbers", regexp.MustCompile(`^\pL[\pL_]*[.:/#][0-9]+([.:/#]|$)`), nil},
}

// embeddedShare is how much of a column's texts must have one form, in a shard that has any.
const embeddedShare = 0.5

// codedShare is the share of texts in base64 from which a column is of such.
const codedShare = 0.9

// fewTexts is how many values of a text column are looked at, at least.
const fewTexts = 100

// findEmbedded looks at a few values of every text column that nobody has decided.
func (s *search) findEmbedded() error {
	for _, t := range s.schema.Tables {
		if t.Opaque != "" {
			continue
		}
		for _, m := range t.Columns {
			col := merge.Col{Table: t.Name, Name: m.Name}
			if kind := s.schema.Holds(col); m.Generated || kind == merge.Integer || kind == merge.Real || m.Chars == 1 || s.binary(col) {
				continue
			}
			if _, known := s.pointsAt(col); known {
				continue
			}
			samples, err := s.texts(col)
			if err != nil {
				return err
			}
			if what := hiding(samples); what != "" && !slices.Contains(secrets, s.words.parse(m.Name).last()) {
				s.opaque[col] = what
				continue
			}
			if momentsAlone(samples) {
				continue // their numbers are days, hours and minutes
			}
			e, ok := embedded(col, samples)
			often := behindWords(samples)
			if ok || numbered(samples) || disguised(samples) || hasRest(samples) || often != nil {
				found, err := s.inside(col)
				if err != nil {
					return err
				}
				bare := found != nil && found.Match == wholeText // a text that is nothing but a number is a number stored as text
				asked := func(p *pick) bool { return p.column.col == col && found != nil && (bare || p.key.Col == found.To) }
				switch {
				case ok: // a list of one is a list
					s.picks = slices.DeleteFunc(s.picks, func(p *pick) bool { return asked(p) && (p.column.mixed || p.column.text) && p.when == "" })
				case slices.ContainsFunc(s.picks, asked):
					continue
				}
				if found != nil {
					if ok {
						found.What = e.What
					}
					e, ok = *found, true
				}
			}
			often = slices.DeleteFunc(often, func(text string) bool { return !signed.MatchString(text) })
			if !ok && len(often) > 0 {
				e, ok = Embedded{Col: col, What: "words with numbers", Samples: often[:min(len(often), 3)]}, true
			}
			if ok {
				s.embedded = append(s.embedded, e)
			} else if unread, err := s.unread(col, samples); err != nil {
				return err
			} else if unread {
				s.unreadable = append(s.unreadable, Unplaced{Col: col, Evidence: fmt.Sprintf("numbers with zeros before them, such as %q", samples[0].Texts[:min(len(samples[0].Texts), 1)])})
			}
		}
	}
	slices.SortFunc(s.embedded, func(a, b Embedded) int { return byCol(a.Col, b.Col) })
	return nil
}

// base64Form matches texts in base64 (https://www.rfc-editor.org/rfc/rfc4648) that are long enough to hold more than a number.
var base64Form = regexp.MustCompile(`^[A-Za-z0-9+/_-]{20,}={0,2}$`)

// hiding is what a column's values are in which nobody sees keys: bytes, or texts in base64, which have small and large letters and digits; "" where most are neither.
func hiding(samples []*merge.Sample) string {
	texts, coded, others := 0, 0, false
	for _, one := range samples {
		if len(one.Values) > 0 {
			return ""
		}
		for _, text := range one.Texts {
			texts++
			coded += int(yes(base64Form.MatchString(text) && merge.Drawn(text)))
		}
		others = others || one.Others == 1 && one.Other > 1 // all blobs are taken as one
	}
	switch {
	case texts == 0 && others:
		return "bytes"
	case texts >= insideLeast && float64(coded) >= codedShare*float64(texts):
		return "texts in base64"
	}
	return ""
}

// numbered tells whether texts of some shard mostly are words and a number: p4711, player:4711, 4711-player, 3;4711;Sword, <player id="4711"/>.
func numbered(samples []*merge.Sample) bool {
	return slices.ContainsFunc(samples, func(one *merge.Sample) bool {
		hits := 0
		for _, text := range one.Texts {
			hits += int(yes(afterWord.MatchString(text) || beforeWord.MatchString(text) || apartFirst.MatchString(text) || element.MatchString(text) || behind.MatchString(text) || signBetween(text) != ""))
		}
		return hits > 0 && float64(hits) >= embeddedShare*float64(len(one.Texts))
	})
}

// How many rows of some shard must have numbers behind the same words, whatever else the column tells: those of a log repeat, and its other lines do not.
const oftenRows = 20

// signed finds a number behind a sign, as in player:4711 and slain by #4711.
var signed = regexp.MustCompile(`^\pL[^0-9]*[.:/#][0-9]+([^0-9]|$)`)

// behindWords are a few texts of the kind that many rows of some shard have, the same words with several different numbers behind them; nil where there is none.
func behindWords(samples []*merge.Sample) (list []string) {
	for _, one := range samples {
		rows, numbers := map[string]int64{}, map[string][]string{}
		for i, text := range one.Frequent {
			if m := afterWord.FindStringSubmatch(text); m != nil {
				rows[m[1]], numbers[m[1]] = rows[m[1]]+one.FrequentRows[i], append(numbers[m[1]], text)
			}
		}
		for _, words := range slices.Sorted(maps.Keys(rows)) {
			if rows[words] >= oftenRows && len(numbers[words]) >= insideLeast {
				list = append(list, numbers[words][:min(len(numbers[words]), 3)]...)
			}
		}
	}
	return list
}

// embedded tells which form the texts of some shard mostly have.
func embedded(col merge.Col, samples []*merge.Sample) (Embedded, bool) {
	for _, shape := range shapes {
		for _, one := range samples {
			var hits []string
			also := 0
			for _, text := range one.Texts {
				if shape.match.MatchString(text) {
					hits = append(hits, text)
				} else if shape.also != nil && shape.also.MatchString(text) {
					also++
				}
			}
			if all := float64(len(one.Texts)); float64(len(hits)) > strayShare*all && float64(len(hits)+also) >= embeddedShare*all {
				return Embedded{Col: col, What: shape.what, Samples: hits[:min(len(hits), 3)]}, true
			}
		}
	}
	return Embedded{}, false
}
