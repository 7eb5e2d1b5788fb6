package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gameid/gameid/merge"
)

// How many rows must have a name in one frame, however many others there are; how many are enough where they are such a share of all; and of how many words a name is there.
const (
	frequentRows  = 20
	frequentLeast = 10
	frequentShare = 0.1
	wordsOfName   = 3
	lineCut       = 200 // characters from which a sampled text is not all
)

// line is a text of a column, and how many rows were seen with it.
type line struct {
	text string
	rows int64
}

// linesOf are the texts of a sample: those of several rows, and others.
func linesOf(s *merge.Sample) (list []line) {
	known := make(map[string]bool, len(s.Frequent))
	for i, text := range s.Frequent {
		known[text] = true
		list = append(list, line{text, s.FrequentRows[i]})
	}
	for _, text := range s.Texts {
		if !known[text] {
			list = append(list, line{text, 1})
		}
	}
	return list
}

// spans are the words of a text that may be a name, each with its frame.
func spans(text string, found func(f frame, name string)) {
	if utf8.RuneCountInString(text) >= lineCut || strings.ContainsAny(text, "{}") {
		return
	}
	words := wordsAt(text)
	for i := range words {
		for _, last := range words[i:min(len(words), i+wordsOfName)] {
			f, name := frame{text[:words[i][0]], text[last[1]:]}, text[words[i][0]:last[1]]
			if f.some() && mayName(name) && !ofMail(f.after) {
				found(f, name)
			}
		}
	}
}

// tally is which names may stand in a frame, and in how many rows.
type tally struct {
	rows  int64
	names map[string]bool
}

// count adds rows that have a name in a frame.
func count(tallies map[frame]*tally, f frame, name string, rows int64) {
	t := tallies[f]
	if t == nil {
		t = &tally{names: map[string]bool{}}
		tallies[f] = t
	}
	t.rows, t.names[name] = t.rows+rows, true
}

// findFrequent are the frames that many rows share and in which most different texts are names of some targets: in a log that is read again and again the names repeat, and what else it tells does
// not, so that of the different texts they are few.
func (a *auditor) findFrequent(ctx context.Context, u *unexplained, known []framed, targets *holders, from, to int) (list []framed, err error) {
	all, tallies := int64(0), map[frame]*tally{}
	for _, one := range u.samples {
		all += one.Other
		for _, l := range linesOf(one) {
			spans(l.text, func(f frame, name string) {
				if targets.may(name, from, to) {
					count(tallies, f, name, l.rows)
				}
			})
		}
	}
	enough := func(t *tally) bool {
		return len(t.names) >= fewCopies && (t.rows >= frequentRows || t.rows >= frequentLeast && float64(t.rows) >= frequentShare*float64(all))
	}
	for _, f := range byRows(tallies) {
		if !enough(tallies[f]) || slices.ContainsFunc(slices.Concat(known, list), func(o framed) bool { return f.within(o.frame) }) {
			continue
		}
		found, err := a.framedIn(ctx, u, f, targets, from, to, namedCopyShare)
		if err != nil {
			return nil, err
		}
		if found.hits > 0 {
			found.rows = tallies[f].rows
			list = append(list, found)
		}
	}
	return list, nil
}

// ofTalk tells whether frames are those of what players say: several, each in some rows, and all together in no large part of them.
func ofTalk(list []framed, samples []*merge.Sample) bool {
	rows, all := int64(0), int64(0)
	for _, one := range samples {
		all += one.Other
	}
	for _, f := range list {
		rows += f.rows
	}
	most := slices.ContainsFunc(list, func(f framed) bool { return f.rows == 0 }) // found by the different texts
	return !most && len(list) >= namesLeast && float64(rows) < listedShare*float64(all)
}

// byRows are frames, those of most rows first.
func byRows(tallies map[frame]*tally) []frame {
	return slices.SortedFunc(maps.Keys(tallies), func(x, y frame) int {
		return cmp.Or(cmp.Compare(tallies[y].rows, tallies[x].rows), strings.Compare(x.before, y.before), strings.Compare(x.after, y.after))
	})
}

// besides are names that stand in none of a column's frames.
type besides struct {
	rows  int64
	texts []merge.ValueCount
}

// String tells of them.
func (b *besides) String() string {
	if b == nil || b.rows == 0 {
		return ""
	}
	return fmt.Sprintf(". %s one in other words (%s), and stay", counted(b.rows, "row has", "rows have"), sampleValues(b.texts))
}

// withFew adds the frames of few different names, such as one that tells of the king alone, where several rows have them and nothing but names stands there, and notes what stands in none.
func (a *auditor) withFew(ctx context.Context, u *unexplained, list []framed) ([]framed, error) {
	var others [][]line
	for _, one := range u.samples {
		others = append(others, slices.DeleteFunc(linesOf(one), func(l line) bool { return inFrames(list, l.text) }))
	}
	all := make([]map[string]bool, len(others)) // whoever's they are
	for i := range all {
		all[i] = map[string]bool{}
	}
	for _, target := range targetsOf(list) {
		own, err := a.ownAmong(ctx, others, target)
		if err != nil {
			return nil, err
		}
		list = fewIn(others, own, target, list)
		for i := range all {
			maps.Copy(all[i], own[i])
		}
	}
	list[0].beside = besidesOf(others, all, list)
	return list, nil
}

// targetsOf are whose names stand in some frames, each once.
func targetsOf(list []framed) (targets []merge.Col) {
	for _, f := range list {
		if !slices.Contains(targets, f.target) {
			targets = append(targets, f.target)
		}
	}
	return targets
}

// ownAmong are the names of a target in some lines of every shard, those of its own rows.
func (a *auditor) ownAmong(ctx context.Context, others [][]line, target merge.Col) (own []map[string]bool, err error) {
	own = make([]map[string]bool, len(others))
	for i, lines := range others {
		var names []string
		for _, l := range lines {
			spans(l.text, func(_ frame, name string) { names = append(names, name) })
		}
		if own[i], err = a.ownTexts(ctx, i, target, names); err != nil {
			return nil, err
		}
	}
	return own, nil
}

// fewIn adds the frames of few different names of a target among lines that stand in none.
func fewIn(others [][]line, own []map[string]bool, target merge.Col, list []framed) []framed {
	tallies := map[frame]*tally{}
	for i, lines := range others {
		for _, l := range lines {
			spans(l.text, func(f frame, name string) {
				if own[i][name] {
					count(tallies, f, name, l.rows)
				}
			})
		}
	}
	for _, f := range byRows(tallies) {
		if len(list) >= framesMost || tallies[f].rows < fewCopies {
			break
		}
		if !hasLetter(f.before+f.after) || slices.ContainsFunc(list, func(o framed) bool { return f.within(o.frame) }) {
			continue
		}
		n, all := among{}, true
		for i, lines := range others {
			for _, l := range lines {
				if name := f.inner(l.text); name != "" {
					n.texts++
					if own[i][name] {
						n.hits++
					} else {
						all = false
					}
				}
			}
		}
		if all {
			list = append(list, framed{frame: f, target: target, form: "%s", among: n, rows: tallies[f].rows})
		}
	}
	return list
}

// besidesOf are the lines that have names in no frame.
func besidesOf(others [][]line, own []map[string]bool, list []framed) *besides {
	b, told := &besides{}, map[string]bool{}
	for i, lines := range others {
		for _, l := range lines {
			named := false
			spans(l.text, func(_ frame, name string) { named = named || own[i][name] })
			if named && !inFrames(list, l.text) {
				b.rows += l.rows
				if !told[l.text] {
					b.texts = append(b.texts, merge.ValueCount{Value: []any{l.text}, Rows: l.rows})
				}
				told[l.text] = true
			}
		}
	}
	return b
}

// ownTexts are those of some texts that a shard's rows have in a column, letter by letter.
func (a *auditor) ownTexts(ctx context.Context, shard int, target merge.Col, texts []string) (map[string]bool, error) {
	found, err := a.lookUp(ctx, shard, target, texts, "")
	if err != nil {
		return nil, err
	}
	own, ok := a.shards[shard].Schema().Resolve(target)
	texts = slices.DeleteFunc(texts, func(text string) bool { return !found[folded(text)] })
	exact := map[string]bool{}
	if !ok {
		return exact, nil
	}
	slices.Sort(texts)
	for some := range slices.Chunk(slices.Compact(texts), lookedUp) {
		words := make([]string, len(some))
		for i, text := range some {
			words[i] = a.engine.Literal(text)
		}
		list, err := a.shards[shard].Values(ctx, own, a.engine.Quote(own.Name)+" COLLATE BINARY IN ("+strings.Join(words, ", ")+")", 0)
		if err != nil {
			return nil, err
		}
		for _, v := range list {
			exact[valueText(v.Value[0])] = true
		}
	}
	return exact, nil
}
