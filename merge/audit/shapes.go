package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// shapes are the forms besides its plain text in which a column may repeat a name.
var shapes = []struct {
	via     string
	numbers bool   // a column holds it as numbers
	plain   string // what a name without a space is in that shape, which must explain fewer texts; "" where such a name differs, too
}{
	{via: "lower"},
	{via: "upper"},
	{via: "replace(lower({}), ' ', '_')"},
	{via: "replace(lower({}), ' ', '')", plain: "lower"},
	{via: "replace({}, ' ', '_')", plain: "{}"},
	{via: "replace({}, ' ', '')", plain: "{}"},
	{via: "replace({}, '_', ' ')", plain: "{}"},
	{via: "base37", numbers: true},
}

// foldOf is SQL that brings a name into a shape, in which the samples of a column are read.
func foldOf(via string) string {
	switch via {
	case "":
		return "%s"
	case "lower", "upper":
		return via + "(%s)"
	case "base37":
		return "substr(replace(lower(%s), ' ', '_'), 1, 12)"
	}
	return strings.ReplaceAll(strings.ReplaceAll(via, "%", "%%"), "{}", "%s")
}

// shapedLeast is the lowest number that counts as a name in base 37: below it are names of three letters, and amounts.
const shapedLeast = 37 * 37 * 37

// sampledIn are a sample's texts, or its integers read as names in base 37; none when an integer is too small for one.
func sampledIn(s *merge.Sample, numbers bool) []string {
	if !numbers {
		return s.Texts
	}
	var list []string
	for _, n := range s.Values {
		switch {
		case n >= shapedLeast:
			list = append(list, nameOf(n))
		case n != 0 && n != -1:
			return nil
		}
	}
	return list
}

// nameOf is the name that a number in base 37 stands for, with _ for what is neither a letter nor a digit.
func nameOf(n int64) string {
	const digits = "_abcdefghijklmnopqrstuvwxyz0123456789"
	var name []byte
	for ; n > 0; n /= 37 {
		name = append(name, digits[n%37])
	}
	slices.Reverse(name)
	return string(name)
}

// unexplained is a column that nobody has explained, with a sample of every shard.
type unexplained struct {
	table   *table
	col     merge.Col
	samples []*merge.Sample
}

// How many values of a column are looked up among the names in base 37, and how many rows of one that may hold texts are looked at.
const (
	shapedSample = 64
	copiedSample = 2000
)

// sampled takes a column's samples.
func (a *auditor) sampled(ctx context.Context, t *table, col merge.Col) (*unexplained, error) {
	u := &unexplained{t, col, make([]*merge.Sample, len(a.shards))}
	for i, s := range a.shards {
		u.samples[i] = &merge.Sample{}
		own, ok := s.Schema().Resolve(col)
		if !ok || t.rows[i] == 0 || !t.takes(a.name(i)) {
			continue
		}
		limit := shapedSample
		if kind := a.schema.Holds(col); kind != merge.Integer && kind != merge.Real {
			limit = copiedSample
		}
		var err error
		if u.samples[i], err = s.Sample(ctx, own, limit); err != nil {
			return nil, err
		}
		u.samples[i].Values = u.samples[i].Values[:min(len(u.samples[i].Values), shapedSample)]
	}
	return u, nil
}

// findShapes asks about columns that repeat a target in another shape: that of which they repeat most. Reading a target's names is dear: first all columns are looked up at once.
func (a *auditor) findShapes(ctx context.Context, all []*unexplained, targets []merge.Col) error {
	list := make([]*unexplained, len(all))
	for i, u := range all { // what stands in frames beside is asked about
		list[i] = &unexplained{u.table, u.col, unframed(u.samples, a.framedBy[u.col])}
	}
	read := map[bool]*shapedTexts{false: readShaped(list, len(a.shards), false), true: readShaped(list, len(a.shards), true)}
	for _, shape := range shapes {
		for _, target := range targets {
			if some, err := a.someShaped(ctx, read[shape.numbers], foldOf(shape.via), target); err != nil {
				return err
			} else if !some {
				continue
			}
			for _, u := range list {
				if u.col == target {
					continue
				}
				if twice, err := a.namesTwice(ctx, u.col, target); err != nil {
					return err
				} else if twice {
					continue
				}
				evidence, share, err := a.shaped(ctx, u, shape.via, shape.numbers, target)
				if err != nil {
					return err
				}
				if share > a.inShape[u.col] && shape.plain != "" {
					_, plain, err := a.shaped(ctx, u, shape.plain, shape.numbers, target)
					if err != nil {
						return err
					}
					if share <= plain {
						continue
					}
				}
				if share > a.inShape[u.col] {
					a.inShape[u.col] = share
					a.askShape(u, target, shape.via, evidence)
				}
			}
		}
	}
	return nil
}

// namesTwice tells whether a column that the schema holds unique would follow one in which a text stands in several rows of a shard, as those of a log do: the log rather follows it.
func (a *auditor) namesTwice(ctx context.Context, c, target merge.Col) (bool, error) {
	if !a.uniqueAlone(c) || a.uniqueAlone(target) {
		return false, nil
	}
	alone, err := a.uniqueEverywhere(ctx, a.tables[target.Table], target, "")
	return !alone, err
}

// shapedWords are texts in a shape, by what they have in common with every text that may have that shape.
type shapedWords map[string][]string

// common is what remains of a text in any of the shapes, and of the text itself: base 37 has its first twelve letters, and others have no spaces.
func common(text string) string {
	return firstOf(spaceless.Replace(firstOf(folded(text), 12)), 8)
}

var spaceless = strings.NewReplacer(" ", "", "_", "")

// firstOf is a text's first characters.
func firstOf(text string, most int) string {
	for i := range text {
		if most--; most < 0 {
			return text[:i]
		}
	}
	return text
}

// shapedTexts are the texts of several columns, or their numbers read as such, by shard, and which of them may be a target's.
type shapedTexts struct {
	words  []shapedWords
	likely map[likelyOf][]string
}

// likelyOf names a target in a shard.
type likelyOf struct {
	shard  int
	target merge.Col
}

// readShaped reads the texts of some columns, or their numbers as texts, which every shape is looked for among.
func readShaped(list []*unexplained, shards int, numbers bool) *shapedTexts {
	read := &shapedTexts{make([]shapedWords, shards), map[likelyOf][]string{}}
	for i := range read.words {
		read.words[i] = shapedWords{}
		for _, u := range list {
			for _, text := range sampledIn(u.samples[i], numbers) {
				word := common(text)
				read.words[i][word] = append(read.words[i][word], text)
			}
		}
	}
	return read
}

// someShaped tells whether, in every shard, enough values of all columns together are a target's.
func (a *auditor) someShaped(ctx context.Context, read *shapedTexts, fold string, target merge.Col) (bool, error) {
	some := false
	for i := range a.shards {
		if len(read.words[i]) == 0 {
			continue
		}
		at := likelyOf{i, target}
		if _, known := read.likely[at]; !known {
			list, err := a.likely(ctx, i, read.words[i], target)
			if err != nil {
				return false, err
			}
			read.likely[at] = list
		}
		n, err := a.folded(ctx, i, target, fold, read.likely[at])
		if err != nil || n < fewCopies {
			return false, err
		}
		some = true
	}
	return some, nil
}

// likely are those of some words that may be a target's texts in a shape; all where it is too large to be read as a whole.
func (a *auditor) likely(ctx context.Context, shard int, words shapedWords, target merge.Col) (list []string, err error) {
	own, ok := a.shards[shard].Schema().Resolve(target)
	if !ok || a.tables[target.Table].rows[shard] > readWhole || !a.plainly(target) {
		return slices.Concat(slices.Collect(maps.Values(words))...), nil
	}
	texts, err := a.wholeTexts(ctx, shard, own, "")
	if err != nil {
		return nil, err
	}
	near := map[string]bool{}
	for text := range texts {
		if word := common(text); words[word] != nil && !near[word] {
			near[word] = true
			list = append(list, words[word]...)
		}
	}
	return list, nil
}

// askShape asks whether a column follows the renames of a target in a shape, instead of what was asked about it before.
func (a *auditor) askShape(u *unexplained, target merge.Col, via string, evidence []string) {
	form := "in the form " + via
	if via == "" {
		form = "in whatever letters"
	}
	question := merge.Undecided{
		Question: fmt.Sprintf("does %s repeat %s %s, so that it follows when that is renamed?", u.col, target, form), Evidence: strings.Join(evidence, "; "),
		Rows: u.table.total(), Reference: &merge.Reference{From: []merge.Col{u.col}, To: []merge.Col{target}, As: merge.Copy, Via: via},
	}
	switch open, frames := a.askedAs(u.col), a.framedBy[u.col]; {
	case open >= 0 && len(frames) > 0: // which are asked about again, beside this
		a.res.Undecided = slices.DeleteFunc(a.res.Undecided, func(q merge.Undecided) bool {
			return q.Reference != nil && slices.Equal(q.Reference.From, []merge.Col{u.col})
		})
		a.ask(question)
		a.askBeside(u.col, frames)
	case open >= 0:
		a.res.Undecided[open] = question
	default:
		a.ask(question)
	}
	a.withdraw(u.col, "follows renames")
}

// folded counts a target's names in a shard that are one of some texts when they are folded.
func (a *auditor) folded(ctx context.Context, shard int, target merge.Col, fold string, texts []string) (int64, error) {
	s := a.shards[shard]
	own, ok := s.Schema().Resolve(target)
	if !ok || len(texts) == 0 {
		return 0, nil
	}
	words := make([]string, len(texts))
	for i, w := range texts {
		words[i] = a.engine.Literal(w)
	}
	among := fmt.Sprintf(fold, a.engine.Quote(own.Name)) + " IN (" + strings.Join(words, ", ") + ")"
	if a.uniqueAlone(target) {
		return s.Count(ctx, own.Table, among)
	}
	list, err := s.Values(ctx, own, among, 0) // several rows may bear one name
	return int64(len(list)), err
}

// shaped looks samples of a column up among a target's values, and says what share of them is there; 0 when too few of them are in some shard that says something.
func (a *auditor) shaped(ctx context.Context, u *unexplained, via string, numbers bool, target merge.Col) (evidence []string, share float64, err error) {
	some, found, looked := false, int64(0), int64(0)
	for i, sample := range u.samples {
		if len(sample.Values)+len(sample.Texts) == 0 {
			continue
		}
		texts := sampledIn(sample, numbers)
		n, err := a.folded(ctx, i, target, foldOf(via), texts)
		if err != nil {
			return nil, 0, err
		}
		all := int64(len(texts))
		n = min(n, all)
		found, looked = found+n, looked+all
		if a.says(i, u.table, target, n, all) {
			least := copyShare
			if len(sample.Texts) > 0 { // some may name the deleted; numbers are names by chance sooner
				least = partlyLeast
			}
			if n < fewCopies || float64(n) < least*float64(all) {
				return nil, 0, nil
			}
			some = true
		}
		evidence = append(evidence, fmt.Sprintf("%d of %d sampled values are one in %s", n, all, a.where(i, target)))
	}
	if !some {
		return nil, 0, nil
	}
	return evidence, float64(found) / float64(looked), nil
}
