package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// framesMost is in how many frames names of one column are asked about one by one.
const framesMost = 6

// houseOfMail is what stands behind a name in a mail address, which does not change with what its owner is called.
var houseOfMail = regexp.MustCompile(`^@[^@\s]+\.\pL+$`)

func ofMail(after string) bool {
	return strings.HasPrefix(after, "@") && houseOfMail.MatchString(after)
}

// shortShare is the share of texts in a frame of signs that must be names where most have one or two characters, which many words have.
const shortShare = 0.9

// frame is what texts begin and end with, up to a sign: those of @Rusty, u_Rusty, inbox.Rusty.new, "Rusty" and killed by Rusty. A document in JSON has none.
type frame struct{ before, after string }

// frameOf is the frame that some texts have in common.
func frameOf(texts []string) (f frame) {
	if len(texts) < fewCopies {
		return frame{}
	}
	f = sharedBy(texts)
	sign := func(r rune) bool { return r != utf8.RuneError && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if at := strings.LastIndexFunc(f.before, sign); at < 0 {
		f.before = ""
	} else {
		_, size := utf8.DecodeRuneInString(f.before[at:])
		f.before = f.before[:at+size]
	}
	if at := strings.IndexFunc(f.after, sign); at < 0 {
		f.after = ""
	} else {
		f.after = f.after[at:]
	}
	if strings.ContainsAny(f.before+f.after, "{}") || ofMail(f.after) {
		return frame{}
	}
	return f
}

// framesOf are the frames in which a column's names may stand: what all its texts have in common, and what enough of them do, the most frequent first.
func framesOf(samples []*merge.Sample) (list []frame) {
	texts := textsOf(samples)
	all := frameOf(texts)
	list = append(list, all)
	for _, group := range wordGroups(texts, all) {
		list = append(list, frameOf(group))
	}
	return slices.DeleteFunc(list, func(f frame) bool { return !f.some() })
}

// textsOf are all texts of some samples that say something.
func textsOf(samples []*merge.Sample) (texts []string) {
	for _, one := range samples {
		if one != nil {
			texts = append(texts, slices.DeleteFunc(slices.Clone(one.Texts), func(text string) bool { return text == "" })...)
		}
	}
	return texts
}

// wordGroups are the texts that begin or end with the same word in a frame, the largest groups of each.
func wordGroups(texts []string, all frame) (list [][]string) {
	for _, end := range []func(string) string{headOf, tailOf} {
		groups := map[string][]string{}
		for _, text := range texts {
			if word := end(all.inner(text)); word != "" {
				groups[word] = append(groups[word], text)
			}
		}
		words := slices.SortedFunc(maps.Keys(groups), func(x, y string) int { return cmp.Or(len(groups[y])-len(groups[x]), strings.Compare(x, y)) })
		for _, word := range words[:min(len(words), 2*framesMost)] {
			list = append(list, groups[word])
		}
	}
	return list
}

func (f frame) some() bool { return f.before+f.after != "" }

// within tells whether whatever stands in a frame stands in another one, too.
func (f frame) within(o frame) bool {
	return strings.HasPrefix(f.before, o.before) && strings.HasSuffix(f.after, o.after)
}

// inner is what a text has in the frame; "" when it has none.
func (f frame) inner(text string) string {
	if len(text) <= len(f.before)+len(f.after) || !strings.HasPrefix(text, f.before) || !strings.HasSuffix(text, f.after) {
		return ""
	}
	return text[len(f.before) : len(text)-len(f.after)]
}

// words say where it is.
func (f frame) words() string {
	switch {
	case f.after == "":
		return fmt.Sprintf("behind %q", f.before)
	case f.before == "":
		return fmt.Sprintf("before %q", f.after)
	}
	return fmt.Sprintf("between %q and %q", f.before, f.after)
}

// framed is a frame in which a column has names of a target.
type framed struct {
	frame
	target merge.Col
	form   string // of the names there: "%s" as they are
	among
	beside *besides // names that stand in none of the frames; the first one of a column tells
	rows   int64    // that have one there, of a frame that was found by rows
	caught string   // which texts there are dead and another shard's, where no name changes
	also   string   // which names of others the frame itself has
}

// findFramed are the frames in which a column has names of some targets, those from a place up to another, enough of each.
func (a *auditor) findFramed(ctx context.Context, u *unexplained, targets *holders, from, to int) (list []framed, err error) {
	u = a.withoutRecorded(u)
	for _, f := range framesOf(u.samples) {
		if slices.ContainsFunc(list, func(o framed) bool { return f.within(o.frame) }) {
			continue
		}
		found, err := a.framedIn(ctx, u, f, targets, from, to, listedShare)
		if err != nil {
			return nil, err
		}
		if found.hits > 0 {
			list = append(list, found)
		}
	}
	cut, err := a.findCut(ctx, u, list, targets, from, to)
	if err != nil {
		return nil, err
	}
	list = withoutTalk(append(list, cut...), u.samples)
	frequent, err := a.findFrequent(ctx, u, list, targets, from, to)
	if err != nil {
		return nil, err
	}
	if list = append(list, frequent...); len(list) == 0 {
		return nil, nil
	}
	list, err = a.withFew(ctx, u, list)
	tellAlso(list, u.col, targets)
	return list, err
}

// framedIn is how names of some targets stand in a frame, those from a place up to another, of which so much of the texts there must be; no hits where they do not.
func (a *auditor) framedIn(ctx context.Context, u *unexplained, f frame, targets *holders, from, to int, share float64) (best framed, err error) {
	best.frame = f
	inner, short := innerOf(u.samples, f)
	if short {
		share = shortShare
	}
	for _, k := range targets.near(inner) {
		if k < from || k >= to || targets.columns[k] == u.col {
			continue
		}
		n, err := a.lieAmong(ctx, inner, targets.columns[k], "")
		if err != nil {
			return best, err
		}
		if n.hits < fewCopies || float64(n.hits) < share*float64(n.texts) || n.other > n.own || n.hits <= best.hits {
			continue
		}
		if each, err := a.inEach(ctx, u, f, inner, targets.columns[k]); err != nil {
			return best, err
		} else if each {
			best.target, best.among = targets.columns[k], n
		}
	}
	if best.hits > 0 {
		best.form, err = a.formIn(ctx, inner, best.target)
	}
	return best, err
}

// innerOf are what texts have in a frame, as far as it may be a name; short ones, as a clan's tag of two letters, where most are such and the frame is nothing but signs.
func innerOf(samples []*merge.Sample, f frame) (inner []*merge.Sample, short bool) {
	inner, tags := make([]*merge.Sample, len(samples)), make([]*merge.Sample, len(samples))
	names, all := 0, 0
	for i, one := range samples {
		inner[i], tags[i] = &merge.Sample{}, &merge.Sample{}
		for _, l := range linesOf(one) {
			w := f.inner(l.text)
			if mayName(w) {
				inner[i].Texts = append(inner[i].Texts, w)
			}
			if w != "" {
				tags[i].Texts, all = append(tags[i].Texts, w), all+1
				names += oneIf(mayName(w))
			}
		}
	}
	if 2*names >= all || strings.ContainsFunc(f.before+f.after, inWord) || strings.ContainsFunc(f.before+f.after, unicode.IsSpace) {
		return inner, false
	}
	return tags, true
}

// withoutTalk leaves out the frames of sentences, unless many of a column's texts are such: somebody's name now and then is talk, or what happened.
func withoutTalk(list []framed, samples []*merge.Sample) []framed {
	said := func(f framed) bool { return strings.ContainsFunc(f.before+f.after, unicode.IsSpace) }
	texts, hits := 0, 0
	for _, one := range samples {
		texts += len(linesOf(one))
	}
	for _, f := range list {
		if said(f) {
			hits += f.hits
		}
	}
	if float64(hits) >= listedShare*float64(texts) {
		return list
	}
	return slices.DeleteFunc(list, said)
}

// inEach tells whether every shard with other texts has names of a target in a frame, too, as where the game frames them. A frame with a word is none by chance, as a question mark may be.
func (a *auditor) inEach(ctx context.Context, u *unexplained, f frame, inner []*merge.Sample, target merge.Col) (bool, error) {
	if hasLetter(f.before + f.after) {
		return true, nil
	}
	for i, one := range u.samples {
		if slices.ContainsFunc(one.Texts, func(text string) bool { return text != "" && f.inner(text) == "" }) {
			alone := make([]*merge.Sample, len(inner))
			alone[i] = inner[i]
			if n, err := a.lieAmong(ctx, alone, target, ""); err != nil || n.hits == 0 {
				return false, err
			}
		}
	}
	return true, nil
}

// formIn is the form in which most names of a target are among some texts.
func (a *auditor) formIn(ctx context.Context, samples []*merge.Sample, target merge.Col) (form string, err error) {
	most := int64(-1)
	for _, try := range []string{"%s", "lower(%s)", "upper(%s)"} {
		rows := int64(0)
		for i, one := range samples {
			n, err := a.folded(ctx, i, target, try+" COLLATE BINARY", one.Texts)
			if err != nil {
				return "", err
			}
			rows += n
		}
		if rows > most {
			form, most = try, rows
		}
	}
	return form, nil
}

// askFramed asks whether names in frames follow, each frame by a line of its own; where texts hold several, or the frames are many, as those of talk are, about all at once.
func (a *auditor) askFramed(ctx context.Context, u *unexplained, list []framed, in heldIn) error {
	if open := a.askedAs(u.col); len(list) > framesMost || ofTalk(list, u.samples) || in.several+in.documents > 0 || open >= 0 && a.res.Undecided[open].Reference.As == merge.InText {
		var words, evidence []string
		for _, f := range list {
			words, evidence = append(words, f.target.String()+" "+f.words()), append(evidence, f.evidence()+f.also)
		}
		one := list[0]
		a.askInside(u, one.target, strings.Join(words, ", and "), "^"+regexp.QuoteMeta(one.before)+"(.+)"+regexp.QuoteMeta(one.after)+"$", strings.Join(evidence, "; ")+"; names in a frame follow by a line of its own, such as "+planfile.ReferenceLine(a.framedLine(u.col, one)))
		return nil
	}
	more, err := a.namesAside(ctx, u, list)
	if err != nil {
		return err
	}
	var others []string
	for i, f := range list {
		line := a.framedLine(u.col, f)
		if i == len(list)-1 && !more { // the last one's is whatever is left
			line.When = ""
			if i > 0 {
				line.When = otherwise(others)
			}
		}
		others = append(others, line.When)
		question := a.framedQuestion(u, f, line)
		if open := a.askedAs(u.col); i == 0 && open >= 0 {
			a.res.Undecided[open] = question
		} else {
			a.ask(question)
		}
	}
	a.framedBy[u.col] = list
	a.withdraw(u.col, "follows renames")
	return nil
}

// framedLine is the line by which the names in a frame follow.
func (a *auditor) framedLine(col merge.Col, f framed) *merge.Reference {
	return &merge.Reference{From: []merge.Col{col}, To: []merge.Col{f.target}, As: merge.Copy, Via: a.viaFrame(f), When: a.inFrame(col, f.frame)}
}

// framedQuestion asks whether the names in a frame follow by a line.
func (a *auditor) framedQuestion(u *unexplained, f framed, line *merge.Reference) merge.Undecided {
	if f.caught != "" {
		return merge.Undecided{
			Question: fmt.Sprintf("does %s hold %s %s, so that what is dead stays dead? Kept, it leads to the other server's. A text in another form gets no tombstone: change these rows in copies of the shards, or say orphans: keep where nobody is looked up by it", u.col, f.target, f.words()),
			Evidence: f.evidence() + "; " + f.caught, Rows: u.table.total(), Reference: line,
		}
	}
	return merge.Undecided{
		Question: fmt.Sprintf("does %s hold %s %s, so that it follows when that is renamed? Kept, names which change will be somebody else's there%s%s", u.col, f.target, f.words(), f.beside, f.also),
		Evidence: f.evidence(), Rows: u.table.total(), Reference: line,
	}
}

// otherwise is an SQL condition on rows of which none of some conditions is true.
func otherwise(conditions []string) string {
	return "(" + strings.Join(conditions, " OR ") + ") IS NOT TRUE"
}

// evidence says how many of the texts in a frame are names.
func (f framed) evidence() string {
	return fmt.Sprintf("%d of %s there are names of their own server's", f.hits, counted(int64(f.texts), "text", "texts"))
}

// viaFrame is the form of a copy that has a name in a frame.
func (a *auditor) viaFrame(f framed) string {
	terms := []string{strings.ReplaceAll(f.form, "%s", "{}")}
	if f.before != "" {
		terms = append([]string{a.engine.Literal(f.before)}, terms...)
	}
	if f.after != "" {
		terms = append(terms, a.engine.Literal(f.after))
	}
	return strings.Join(terms, " || ")
}

// inFrame is an SQL condition on rows whose text in a column has a frame.
func (a *auditor) inFrame(c merge.Col, f frame) string {
	name, terms := a.engine.Quote(c.Name), []string{}
	if f.before != "" {
		terms = append(terms, fmt.Sprintf("substr(%s, 1, %d) = %s", name, utf8.RuneCountInString(f.before), a.engine.Literal(f.before)))
	}
	if f.after != "" {
		terms = append(terms, fmt.Sprintf("substr(%s, -%d) = %s", name, utf8.RuneCountInString(f.after), a.engine.Literal(f.after)))
	}
	return strings.Join(terms, " AND ")
}
