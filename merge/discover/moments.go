package discover

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// What texts of dates and times are made of, as https://www.rfc-editor.org/rfc/rfc3339, SQL and the dates of mail and of C write them.
const (
	clock   = `[0-9]{1,3}:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?(?:\s?[ap]\.?m\.?)?`
	zone    = `(?:\s?(?:z|utc|gmt|[+-][0-9]{2}:?(?:[0-9]{2})?))?`
	weekday = `(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?`
	month   = `(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`
	day     = `(?:[0-2][0-9]|3[01]|[0-9])`
	numeral = `(?:0[0-9]|1[0-2]|[0-9])` // of a month
	year    = `(?:19[0-9]{2}|20[0-9]{2}|0000|9999)`
)

// date is one, with or without a time. 1/5/12 and 3-7-1045 may be paths of numbers, 2024-05-12 and 12.5.2024 are none.
var date = weekday + `(?:` + strings.Join([]string{
	year + `-` + numeral + `-` + day, year + `/` + numeral + `/` + day, year + `\.` + numeral + `\.` + day,
	day + `-` + day + `-` + year, day + `/` + day + `/` + year, day + `\.\s?` + day + `\.\s?` + year,
	day + `[\s-]` + month + `[\s-]` + year, month + `\s+` + day + `,?\s+(?:` + clock + zone + `\s+)?` + year,
}, "|") + `)(?:(?:[t_,]\s?|\s+|\s+-\s+)` + clock + zone + `)?`

// moment is a text that is a date, with or without a time.
var moment = regexp.MustCompile(`(?i)^\s*` + date + `\s*$`)

// ofDay is a text that is a time without a date. Some are told from pairs of numbers by the zeros of their minutes.
var (
	ofDay      = regexp.MustCompile(`(?i)^\s*` + clock + zone + `\s*$`)
	earlyOfDay = regexp.MustCompile(`:0[0-9]`)
)

// momentsAlone tells whether all texts are dates, or all times of a day.
func momentsAlone(samples []*merge.Sample) bool {
	dates, times, early, all := 0, 0, false, 0
	for _, one := range samples {
		for _, text := range slices.Concat(one.Texts, one.Frequent) {
			if strings.TrimSpace(text) == "" {
				continue
			}
			all++
			if moment.MatchString(text) {
				dates++
			} else if ofDay.MatchString(text) {
				times++
				early = early || earlyOfDay.MatchString(text)
			}
		}
	}
	return all > 0 && dates+times == all && (early || times == 0)
}
