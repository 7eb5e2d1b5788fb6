package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A column that tells rows apart may hold names of two tables: those of players as they are, whose accounts these rows are, and those of towns behind "town-". What follows towns
// there cannot be followed itself: whoever repeats the players' names follows their own table, and so do these rows.

// findBehind finds, of some columns of texts that others may repeat, the frames in which they have names of others of them, of which two shards share some, so that these may be renamed.
func (a *auditor) findBehind(ctx context.Context, columns []merge.Col, held *holders) error {
	a.behind = map[merge.Col][]framed{}
	shared := map[merge.Col]bool{}
	for _, c := range columns {
		u, err := a.sampled(ctx, a.tables[c.Table], c)
		if err != nil {
			return err
		}
		list, err := a.findFramed(ctx, u, held, 0, len(columns))
		if err != nil {
			return err
		}
		if len(list) == 0 || len(list) > framesMost {
			continue
		}
		if in, err := a.holdSeveral(ctx, u, list[0].target); err != nil {
			return err
		} else if list[0].hits <= in.several {
			continue
		}
		for _, f := range list {
			if f.target.Table == c.Table {
				continue
			}
			both, known := shared[f.target]
			if !known {
				if both, err = a.sharesTexts(ctx, f.target); err != nil {
					return err
				}
				shared[f.target] = both
			}
			if both {
				a.behind[c] = append(a.behind[c], f)
			}
		}
	}
	return nil
}

// sharesTexts tells whether two shards have rows of one text in a column, and these do not fold.
func (a *auditor) sharesTexts(ctx context.Context, c merge.Col) (bool, error) {
	if t := a.tables[c.Table]; !t.mixes() || t.folds() || a.foldsByText(c) {
		return false, nil
	}
	seen := map[string]bool{}
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(c)
		if !ok || a.tables[c.Table].rows[i] == 0 {
			continue
		}
		texts, err := a.wholeTexts(ctx, i, own, "")
		if err != nil {
			return false, err
		}
		for text := range texts {
			if seen[text] && text != "" {
				return true, nil
			}
		}
		for text := range texts {
			seen[text] = true
		}
	}
	return false, nil
}

// unframed are samples without the texts that stand in one of some frames.
func unframed(samples []*merge.Sample, list []framed) []*merge.Sample {
	if len(list) == 0 {
		return samples
	}
	rest := make([]*merge.Sample, len(samples))
	for i, one := range samples {
		if one != nil {
			own := *one
			own.Texts = slices.DeleteFunc(slices.Clone(one.Texts), func(text string) bool { return inFrames(list, text) })
			rest[i] = &own
		}
	}
	return rest
}

// namesAside tells whether a column has names that change beside those in some frames, its own or others', so that what is left is no frame's.
func (a *auditor) namesAside(ctx context.Context, u *unexplained, list []framed) (bool, error) {
	rest, least := unframed(u.samples, list), max(fewCopies, (1-copyShare)*float64(len(textsOf(u.samples))))
	for _, of := range a.renamedColumns() {
		n, err := a.lieAmong(ctx, rest, of, "")
		if err != nil || float64(n.hits) >= least {
			return err == nil, err
		}
	}
	return false, nil
}

// holdsMore tells whether a column holds names of a further table in frames beside those of another one, which has none in these: it is not where they are at home.
func (a *auditor) holdsMore(ctx context.Context, c, other merge.Col) (bool, error) {
	list := a.behind[c]
	if len(list) == 0 || slices.ContainsFunc(list, func(f framed) bool { return f.target == other }) {
		return false, nil
	}
	samples, err := a.keySamples(ctx, other)
	return err == nil && !slices.ContainsFunc(textsOf(samples), func(text string) bool { return inFrames(list, text) }), err
}

// throughOthers tells whether nearly all of a column's texts are those of another one that leads to a target, as the accounts of players do who are not all in the target's table.
func (a *auditor) throughOthers(ctx context.Context, u *unexplained, target merge.Col) (bool, error) {
	var through []merge.Col
	a.knownOrAsked(func(r *merge.Reference) bool {
		if leads(r, target) && r.From[0].Table != u.col.Table && r.From[0].Table != target.Table && a.uniqueAlone(r.From[0]) {
			through = append(through, r.From[0])
		}
		return false
	})
	for _, c := range through {
		n, err := a.lieAmong(ctx, u.samples, c, a.laxer(u.col, c))
		if err != nil || n.hits >= fewCopies && float64(n.hits) >= copyShare*float64(n.texts) {
			return err == nil, err
		}
	}
	return false, nil
}

// framesThrough are the frames in which columns that lead to a target, too, have names of further tables, and some of a column's texts stand, if few.
func (a *auditor) framesThrough(target merge.Col, samples []*merge.Sample, known []framed) (list []framed) {
	for _, t := range a.schema.Tables {
		for _, column := range t.Columns {
			c := merge.Col{Table: t.Name, Name: column.Name}
			for _, f := range a.behind[c] {
				again := slices.ContainsFunc(slices.Concat(known, list), func(o framed) bool { return f.within(o.frame) || o.within(f.frame) })
				if !again && a.leadsTo(c, target) && slices.ContainsFunc(textsOf(samples), func(text string) bool { return f.inner(text) != "" }) {
					list = append(list, f)
				}
			}
		}
	}
	return list
}

// askBeside asks about the names in frames beside those which a column is asked to hold as they are, each frame by a line of its own, and leaves the other rows to the line that is
// asked about already.
func (a *auditor) askBeside(col merge.Col, list []framed) {
	open := a.askedAs(col)
	if open < 0 || len(list) == 0 {
		return
	}
	var frames, words []string
	for _, f := range list {
		line := a.framedLine(col, f)
		frames, words = append(frames, line.When), append(words, f.words())
		a.ask(a.framedQuestion(&unexplained{a.tables[col.Table], col, nil}, f, line))
	}
	u := &a.res.Undecided[open]
	u.Reference.When = otherwise(frames)
	u.Question += fmt.Sprintf(" Others stand %s, each with a line of its own", strings.Join(words, ", and "))
}
