package discover

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Numbers stand at places inside texts: after a word, at a position of a list, under a name of JSON. A place is looked at in so many texts, has so
// many different numbers at least in some shard, unless they can hardly be anything but keys, and a column has so many places at most.
const (
	insideTexts  = 1000
	insideLeast  = 8
	insidePlaces = 24
	insideChance = 0.01 // that any numbers up to the highest would all be keys
)

var (
	afterWord = regexp.MustCompile(`^(\pL[^0-9]{0,39}|[^0-9\s{\[][^0-9]{0,9})([0-9]+)([^0-9]|$)`)
	// A number may stand before a word, too, or behind the word that follows the first one.
	beforeWord = regexp.MustCompile(`^([0-9]+)[^0-9\pL\s]{1,3}\pL`)
	apartFirst = regexp.MustCompile(`^([0-9]+)[^0-9\pL]{0,2}\s\pL`)
	afterNext  = regexp.MustCompile(`^[^0-9]{0,40}[0-9]+([^0-9]{0,20}\pL[^0-9]{0,20})([0-9]+)([^0-9]|$)`)

	underName = regexp.MustCompile(`"(\w*[^\W0-9]\w*)"\s*:\s*"?([0-9]+)`)
	inPHP     = regexp.MustCompile(`"(\w*[^\W0-9]\w*)";(?:i:|s:[0-9]+:")([0-9]+)`)
	behind    = regexp.MustCompile(`(?:^|[?&;,|\s\[])(\w*[^\W0-9]\w*)=([0-9]+)`)
	element   = regexp.MustCompile(`<([A-Za-z_][\w.-]*)([^<>]*)>\s*([0-9]*)`) // https://www.w3.org/TR/xml
	attribute = regexp.MustCompile(`\s([A-Za-z_][\w.-]*)\s*=\s*["']([0-9]+)["']`)
	separator = regexp.MustCompile(`[;|:,\t]`)
	dashes    = regexp.MustCompile(`^[^\s_-]+([_-])[0-9]+[_-]`)
	dayAhead  = regexp.MustCompile(`^(?:[0-9]{4}[_-][0-9]{1,2}|[0-9]{1,2}[_-][0-9]{1,2}[_-][0-9]{4})(?:[^0-9]|$)`)
	digitsRun = regexp.MustCompile(`[0-9]+`)
)

// place is where in a column's texts a number stands.
type place struct {
	match string // the pattern that finds it
	words string // where it is, for people
	hint  string // what its words say about it
	alone bool   // it is the text's first number, beside a word
	any   bool   // it is wherever one stands
	next  bool   // it stands behind another number and a word, as one does in a few of any random codes
	rest  bool   // it is counted among the text's numbers that are no date, whatever words stand there
	sign  bool   // of such a number: it stands right behind a sign
}

// places are the numbers of a column's text by their place.
func places(text, column string, found func(place, string)) {
	unnamedPlaces(text, column, found)
	restPlaces(text, column, found)
	switch {
	case list.MatchString(text), whole.MatchString(text):
		for i, n := range digitsRun.FindAllString(text, insidePlaces) {
			skip := ""
			if i > 0 {
				skip = fmt.Sprintf(`(?:[0-9]+[^0-9]+){%d}`, i)
			}
			found(place{match: `^[^0-9]*` + skip + `(\d+)`, words: fmt.Sprintf("number %d of each list", i+1)}, n)
			found(place{match: `(\d+)`, words: "the numbers of each list", hint: column, any: true}, n)
		}
	case json.MatchString(text) && (underName.MatchString(text) || !behind.MatchString(text)):
		for _, m := range underName.FindAllStringSubmatch(text, insidePlaces) {
			found(place{match: `"` + m[1] + `"\s*:\s*"?(\d+)`, words: fmt.Sprintf("the numbers under %q", m[1]), hint: m[1]}, m[2])
		}
	case serialized.MatchString(text):
		for _, m := range inPHP.FindAllStringSubmatch(text, insidePlaces) {
			found(place{match: `"` + m[1] + `";(?:i:|s:\d+:")(\d+)`, words: fmt.Sprintf("the numbers under %q", m[1]), hint: m[1]}, m[2])
		}
	case element.MatchString(text):
		for _, m := range element.FindAllStringSubmatch(text, insidePlaces) {
			if m[3] != "" {
				found(place{match: `<` + regexp.QuoteMeta(m[1]) + `\b[^<>]*>\s*(\d+)`, words: fmt.Sprintf("the numbers in <%s>", m[1]), hint: m[1]}, m[3])
			}
			for _, a := range attribute.FindAllStringSubmatch(m[2], insidePlaces) {
				found(place{match: `<` + regexp.QuoteMeta(m[1]) + `\b[^<>]*\s` + regexp.QuoteMeta(a[1]) + `\s*=\s*["'](\d+)`, words: fmt.Sprintf("the numbers of <%s %s>", m[1], a[1]), hint: m[1] + "_" + a[1]}, a[2])
			}
		}
	case behind.MatchString(text):
		for _, m := range behind.FindAllStringSubmatch(text, insidePlaces) {
			found(place{match: `(?:^|[?&;,|\s\[])` + m[1] + `=(\d+)`, words: fmt.Sprintf("the numbers behind %q", m[1]), hint: m[1]}, m[2])
		}
	default:
		if m := afterWord.FindStringSubmatch(text); m != nil {
			found(place{match: "^" + regexp.QuoteMeta(m[1]) + `0*(\d+)`, words: fmt.Sprintf("the numbers after %q", m[1]), hint: m[1], alone: true}, m[2])
		} else if m := beforeWord.FindStringSubmatch(text); m != nil {
			found(place{match: beforeWord.String(), words: "the numbers before a word", hint: column, alone: true}, m[1])
		} else if m := apartFirst.FindStringSubmatch(text); m != nil { // many amounts are written like this
			found(place{match: apartFirst.String(), words: "the numbers before a word", hint: column}, m[1])
		}
		if sign := signBetween(text); sign != "" {
			for i, field := range strings.Split(text, sign)[:min(strings.Count(text, sign)+1, insidePlaces)] {
				if whole.MatchString(field) {
					one := fmt.Sprintf(`[^%s]*%[1]s`, regexp.QuoteMeta(sign))
					found(place{match: fmt.Sprintf(`^(?:%s){%d}(\d+)`, one, i), words: fmt.Sprintf("number %d of what stands between %q", i+1, sign)}, field)
				}
			}
		}
		if m := afterNext.FindStringSubmatch(text); m != nil {
			found(place{match: "^[^0-9]*[0-9]+" + regexp.QuoteMeta(m[1]) + `(\d+)`, words: fmt.Sprintf("the numbers after %q", m[1]), hint: m[1], next: true}, m[2])
		}
	}
}

// signBetween is the sign between the fields of a text: 3;4711;Sword, or of three or more, 1692625200_4711_8645.dem and 20210301-4711-86; "" where it has none.
func signBetween(text string) string {
	if sign := separator.FindString(text); sign != "" {
		return sign
	}
	if m := dashes.FindStringSubmatch(text); m != nil && !dayAhead.MatchString(text) {
		return m[1]
	}
	return ""
}

// written is a number in a text.
type written struct {
	place  place
	digits string
}

// placesIn are the numbers of a column's text by their place. They are asked for under every key.
func (s *search) placesIn(col merge.Col, text string) []written {
	if s.reading != col {
		s.reading, s.written = col, map[string][]written{}
	}
	list, known := s.written[text]
	if !known {
		places(text, col.Name, func(p place, digits string) { list = append(list, written{p, digits}) })
		s.written[text] = list
	}
	return list
}

// inside looks for keys among the numbers in a column's texts; nil when no key explains those of any place.
func (s *search) inside(col merge.Col) (*Embedded, error) {
	at, all, rows := map[place][]map[int64]int64{}, make([]int, len(s.shards)), make([]int64, len(s.shards))
	coded := slices.ContainsFunc(s.tables[col.Table].Uniques, func(u *merge.Unique) bool { return u.Plain() && slices.Equal(u.Cols(), []merge.Col{col}) })
	var samples []string
	zeros := false
	for i, shard := range s.shards {
		own, ok := shard.Schema().Resolve(col)
		if !ok {
			continue
		}
		texts, err := shard.Values(s.ctx, own, "", insideTexts)
		if err != nil {
			return nil, err
		}
		all[i] = len(texts)
		for _, one := range texts {
			text, _ := one.Value[0].(string)
			rows[i] += one.Rows
			if zeros = zeros || padded.MatchString(text); len(samples) < 3 {
				samples = append(samples, text)
			}
			for _, w := range s.placesIn(col, text) {
				p, digits := w.place, w.digits
				if p.alone && !coded { // codes that tell their own rows apart are counted by themselves
					digits = strings.TrimLeft(digits, "0")
				}
				n, ok := integer(digits)
				if !ok || n == 0 {
					continue
				}
				if at[p] == nil {
					if len(at) >= insidePlaces && !p.rest {
						continue
					}
					at[p] = make([]map[int64]int64, len(s.shards))
				}
				if at[p][i] == nil {
					at[p][i] = map[int64]int64{}
				}
				at[p][i][n] += one.Rows
			}
		}
	}
	var best, low *pick // by what the values show, and where small numbers show nothing
	var where, lowAt place
	each := map[place]*pick{} // what the values of every place show
	ofOwn := map[*key]*rowPlaces{}
	var err error
	for p, counts := range at {
		c := s.columnInside(col, p, counts)
		if p.next && !c.usual(all) || p.rest && !c.inMost(rows) {
			continue
		}
		few := !slices.ContainsFunc(c.shards, func(v values) bool { return len(v.list) >= insideLeast })
		for _, k := range s.keys {
			if !k.Root || k.Col == col || s.alike[k.table.Name] {
				continue
			}
			lost := !few && meets(c.shards, k) && met(c.shards, k) <= bareChance
			if !lost && !maybe(c.shards, k) {
				continue
			}
			one := &pick{column: c, key: k, hint: s.hint(c, k), shards: c.shards, fit: measure(c.shards, k), fits: true, grade: merge.Likely}
			if k.table.Name == col.Table && (k.auto || k.Undeclared) { // somebody may be called by a word and his own number
				if ofOwn[k] == nil {
					if ofOwn[k], err = s.rowsInside(col, k, coded); err != nil {
						return nil, err
					}
				}
				if ofOwn[k].called(p) || k.auto && one.fit.verdict < pro && !lost && !p.signed() {
					continue
				}
			}
			named := one.hint.level >= 3 && one.fit.verdict == mute && one.fit.inclusion >= includesSure && one.fit.reach >= reachesSure
			better := func(than *pick, at place) bool {
				switch {
				case than != nil && p.rest != at.rest: // words say more
					return at.rest
				case than == nil || p.any != at.any:
					return than == nil || at.any
				}
				return s.order(one, than) < 0 || s.order(one, than) == 0 && p.match < at.match
			}
			if lost && one.fit.verdict < pro || p.rest && !p.sign { // names may end so
				one.grade = merge.Doubtful
			}
			switch {
			case one.fit.inclusion < includes && !lost && (few || one.fit.verdict < pro || one.fit.inclusion < includesPro): // texts outlive the rows that they name
			case named, lost, !few && one.fit.verdict >= pro, !p.alone && (k.anybody(c.shards) <= insideChance || !few && (!p.next || !c.amount) && k.topped(one.fit, c.shards)):
				if better(best, where) {
					best, where = one, p
				}
				if !p.rest && (each[p] == nil || s.order(one, each[p]) < 0) {
					each[p] = one
				}
			case p.alone && !p.rest && !c.amount && c.recurs() && c.usual(all) && one.fit.verdict == mute && one.fit.reach >= reaches:
				if better(low, lowAt) {
					low, lowAt = one, p
				}
			}
		}
	}
	slices.Sort(samples)
	if best == nil || best.fit.verdict < pro {
		if own, err := s.ownInside(col, samples); own != nil || err != nil {
			return own, err
		}
	}
	if best == nil && low != nil {
		best, where = low, lowAt
		best.grade = merge.Doubtful
	}
	if best == nil {
		return nil, nil
	}
	e := &Embedded{
		Col: col, What: "words with numbers", Samples: samples, Match: where.match, To: best.key.Col, Grade: best.grade,
		Evidence: where.said(zeros) + ": " + s.evidence(best),
	}
	for p, other := range each {
		if other.key != best.key && p.match != where.match && !p.any && !where.any {
			e.Also = append(e.Also, fmt.Sprintf("%s as %s", other.key.Col, p.said(zeros)))
		}
	}
	slices.Sort(e.Also)
	return e, nil
}

// usual tells whether the numbers at one place are several, and in no small part of a shard's texts: some of any random letters and digits, and of people's names, end so.
func (c *column) usual(texts []int) bool {
	for i, v := range c.shards {
		if c.distinct() >= whenValues && len(v.list) > 0 && float64(len(v.list)) > strayShare*float64(texts[i]) {
			return true
		}
	}
	return false
}

// recurs tells whether numbers stand in more rows than one, in every shard: those of names that a program made stand in one each.
func (c *column) recurs() bool {
	return !slices.ContainsFunc(c.shards, func(v values) bool { return v.rows > 0 && v.rows <= int64(len(v.list)) })
}

// columnInside makes a column of the numbers at one place.
func (s *search) columnInside(col merge.Col, p place, counts []map[int64]int64) *column {
	c := s.newColumn(s.tables[col.Table], s.schema.Column(col), strings.Trim(p.hint, ".:/#-_ "))
	for i, m := range counts {
		v := values{}
		for _, n := range slices.Sorted(maps.Keys(m)) {
			v.list, v.weights = append(v.list, n), append(v.weights, m[n])
			v.rows += m[n]
		}
		c.shards[i] = v
	}
	return c
}
