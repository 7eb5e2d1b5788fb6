package audit

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// frameCuts is how many letters of what texts have in common may be the names' own.
const frameCuts = 12

// signedNumber is a name of digits and signs, as a phone's 555-0343 is.
var signedNumber = regexp.MustCompile(`^[0-9]+(?:[^\pL\pN\s]{1,2}[0-9]+)+$`)

// mayName tells whether a text in a frame may be a name.
func mayName(w string) bool {
	return utf8.RuneCountInString(w) >= listedChars && (hasLetter(w) || signedNumber.MatchString(w))
}

// cutFrames are the frames of some texts that end within a word, or before a sign that all their names have, the longest first: those of Bobs Raum, clanBob and trunk_555-0343.
func cutFrames(texts []string) (list []frame) {
	if len(texts) < fewCopies {
		return nil
	}
	whole := sharedBy(texts)
	if strings.ContainsAny(whole.before+whole.after, "{}") || ofMail(whole.after) {
		return nil
	}
	bySign := frameOf(texts)
	add := func(f frame) {
		if f.some() && f != bySign && !ofMail(f.after) && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	before := whole.before
	for range frameCuts {
		add(frame{before, bySign.after})
		if before == "" {
			break
		}
		_, size := utf8.DecodeLastRuneInString(before)
		before = before[:len(before)-size]
	}
	after := whole.after
	for range frameCuts {
		add(frame{bySign.before, after})
		if after == "" {
			break
		}
		_, size := utf8.DecodeRuneInString(after)
		after = after[size:]
	}
	return list
}

// sharedBy is what some texts, of which there is one at least, begin and end with alike.
func sharedBy(texts []string) frame {
	f := frame{texts[0], texts[0]}
	for _, text := range texts {
		f.before = f.before[:sharedStart(f.before, text)]
		f.after = f.after[len(f.after)-sharedEnd(f.after, text):]
	}
	return f
}

// sharedStart is how many bytes of whole characters two texts begin with alike.
func sharedStart(x, y string) (n int) {
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	for n > 0 && n < len(x) && !utf8.RuneStart(x[n]) {
		n--
	}
	return n
}

// sharedEnd is how many bytes of whole characters two texts end with alike.
func sharedEnd(x, y string) (n int) {
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(x[len(x)-n]) {
		n--
	}
	return n
}

// findCut are frames that end within a word, in which a column has names of some targets. What stands there must be theirs far more often than another server's.
func (a *auditor) findCut(ctx context.Context, u *unexplained, known []framed, targets *holders, from, to int) (list []framed, err error) {
	for _, group := range cutGroups(u.samples) {
		for _, f := range group.frames {
			if slices.ContainsFunc(slices.Concat(known, list), func(o framed) bool { return f.within(o.frame) || o.within(f) }) {
				continue
			}
			held, all := 0, 0
			for _, text := range group.texts {
				if w := f.inner(text); mayName(w) {
					all++
					held += oneIf(slices.ContainsFunc(targets.of(w), func(h heldBy) bool { return h.column >= from && h.column < to }))
				}
			}
			if held < fewCopies || float64(held) < partlyLeast*float64(all) {
				continue
			}
			found, err := a.framedIn(ctx, u, f, targets, from, to, partlyLeast)
			if err != nil {
				return nil, err
			}
			if found.hits > 0 && found.own >= fallsShort*found.other && (found.own > 0 || !f.cutsWord()) && (found.own >= fewCopies || !group.glued) {
				list = append(list, found)
				break
			}
		}
	}
	return list, nil
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// cutsWord tells whether a frame ends within a word.
func (f frame) cutsWord() bool {
	last, _ := utf8.DecodeLastRuneInString(f.before)
	first, _ := utf8.DecodeRuneInString(f.after)
	return f.before != "" && unicode.IsLetter(last) || f.after != "" && unicode.IsLetter(first)
}
