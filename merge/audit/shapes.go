package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// shapes are the forms besides its plain text in which a column may repeat a name. fold is SQL that brings the name into the shape in which text writes a
// value of the column.
var shapes = []struct {
	via, fold string
	text      func(*merge.Sample) []string
}{
	{"lower", "lower(%s)", sampledTexts},
	{"upper", "upper(%s)", sampledTexts},
	{"base37", "substr(replace(lower(%s), ' ', '_'), 1, 12)", sampledNumbers},
}

// shapedLeast is the lowest number that counts as a name in base 37: below it are names of three letters, and amounts.
const shapedLeast = 37 * 37 * 37

func sampledTexts(s *merge.Sample) []string { return s.Texts }

// sampledNumbers reads integers as names in base 37; none when an integer is too small for one.
func sampledNumbers(s *merge.Sample) []string {
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

// findShape finds the target of which a column that no key explains repeats the values in another shape, and asks whether it follows their renames.
func (a *auditor) findShape(ctx context.Context, t *table, col merge.Col, targets []merge.Col) (err error) {
	open := slices.IndexFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Reference != nil && slices.Contains(u.Reference.From, col) })
	if open >= 0 && a.res.Undecided[open].Reference.As != merge.Keep {
		return nil
	}
	var samples []*merge.Sample
	for i, s := range a.shards {
		sample := &merge.Sample{}
		if own, ok := s.Schema().Resolve(col); ok && t.rows[i] > 0 && t.takes(a.name(i)) {
			if sample, err = s.Sample(ctx, own, shapedSample); err != nil {
				return err
			}
		}
		samples = append(samples, sample)
	}
	for _, shape := range shapes {
		for _, target := range targets {
			evidence, err := a.shaped(ctx, samples, shape.fold, shape.text, target)
			if err != nil {
				return err
			}
			if evidence == nil {
				continue
			}
			u := merge.Undecided{
				Question: fmt.Sprintf("does %s repeat %s in the form %s, so that it follows when that is renamed?", col, target, shape.via), Evidence: strings.Join(evidence, "; "),
				Rows: t.total(), Reference: &merge.Reference{From: []merge.Col{col}, To: []merge.Col{target}, As: merge.Copy, Via: shape.via},
			}
			if open >= 0 {
				a.res.Undecided[open] = u
			} else {
				a.ask(u)
			}
			return nil
		}
	}
	return nil
}

// shapedSample is how many values of a column are looked up among the names.
const shapedSample = 64

// shaped looks samples of a column up among a target's values; nil when too few of them are there in some shard.
func (a *auditor) shaped(ctx context.Context, samples []*merge.Sample, fold string, text func(*merge.Sample) []string, target merge.Col) (evidence []string, err error) {
	for i, s := range a.shards {
		texts := text(samples[i])
		own, ok := s.Schema().Resolve(target)
		if len(texts) == 0 || !ok {
			if len(samples[i].Values)+len(samples[i].Texts) > 0 {
				return nil, nil
			}
			continue
		}
		words := make([]string, len(texts))
		for k, w := range texts {
			words[k] = a.engine.Literal(w)
		}
		n, err := s.Count(ctx, own.Table, fmt.Sprintf(fold, a.engine.Quote(own.Name))+" IN ("+strings.Join(words, ", ")+")")
		if err != nil {
			return nil, err
		}
		if n = min(n, int64(len(texts))); n < fewCopies || float64(n) < copyShare*float64(len(texts)) {
			return nil, nil
		}
		evidence = append(evidence, fmt.Sprintf("%d of %d sampled values are one in %s", n, len(texts), a.name(i)))
	}
	return evidence, nil
}
