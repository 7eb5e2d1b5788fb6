package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// numberText is a text that is a whole number.
var numberText = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// numbersAsked tells whether the open question about a column of texts is whether it refers to a key of numbers, of every row or where it holds a whole number, so that nothing is asked about
// its other texts.
func (a *auditor) numbersAsked(c merge.Col) bool {
	open := a.askedAs(c)
	if open < 0 {
		return false
	}
	bare := func(condition string) string {
		return strings.ReplaceAll(condition, a.engine.Quote(c.Name), c.Name)
	}
	r := a.res.Undecided[open].Reference
	return r.As == merge.Plain && len(r.To) == 1 && a.schema.Holds(c) == merge.Text && a.schema.Holds(r.To[0]) == merge.Integer && (r.When == "" || bare(r.When) == bare(a.whole(c)))
}

// askBesideNumbers asks whether the texts beside a column's numbers are names, which follow by a line of their own. False where the few numbers mean nobody, as words among names do.
func (a *auditor) askBesideNumbers(u *unexplained, best *copying) bool {
	some, words := false, true
	for _, one := range u.samples {
		words = words && len(one.Values) == 0
		for _, text := range one.Texts {
			if numberText.MatchString(text) {
				some, words = true, words && slices.Contains(best.none, any(text))
			}
		}
	}
	if some && words {
		return false
	}
	numbers := a.res.Undecided[a.askedAs(u.col)].Reference
	if numbers.When == "" {
		numbers.When = a.whole(u.col)
	}
	line := &merge.Reference{From: []merge.Col{u.col}, To: []merge.Col{best.target}, As: merge.Copy, When: otherwise([]string{numbers.When})}
	if a.identifies(best.target) || a.referred(best.target) {
		line.As = merge.Plain
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("do the texts of %s that are no whole number repeat %s, so that they follow when that is renamed?", u.col, best.target),
		Evidence: strings.Join(best.evidence, "; "), Rows: u.table.total(), Reference: line,
	})
	return true
}

// besideLeast is the share of whole numbers from which they are no names of some who like numbers.
const besideLeast = 0.1

// keysBesideNumbers tells whether a column holds keys of several tables: many of its texts are whole numbers, and the others those by which another table's rows are told apart, but for those of
// the deleted.
func (a *auditor) keysBesideNumbers(ctx context.Context, own *bearing) (bool, error) {
	texts, numbers := 0, 0
	rest := make([]*merge.Sample, len(own.samples))
	for i, one := range own.samples {
		if one == nil {
			continue
		}
		some := *one
		some.Texts = slices.DeleteFunc(slices.Clone(one.Texts), numberText.MatchString)
		texts, numbers, rest[i] = texts+len(one.Texts), numbers+len(one.Texts)-len(some.Texts), &some
	}
	if float64(numbers) < besideLeast*float64(texts) {
		return false, nil
	}
	for _, key := range a.textKeys(nil) {
		if key.Table == own.col.Table {
			continue
		}
		n, err := a.lieAmong(ctx, rest, key, a.laxer(own.col, key))
		if err != nil || n.own >= fewCopies && n.own >= fallsShort*n.other && n.share() >= partlyLeast {
			return err == nil, err
		}
	}
	return false, nil
}
