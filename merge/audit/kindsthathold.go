package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// What makes the values of another column tell which rows of a column of texts hold a name: nearly all of some kinds, and of the others half at most, which others may be called like.
const (
	kindHolds   = 0.9
	kindHoldsNo = 0.5
	kindLeast   = 8         // rows for each kind, on the average
	kindRows    = 2_000_000 // of a larger table
	kindColumns = 8         // columns that are looked at
)

// kindWords end the name of a column that says what a row is about.
var kindWords = wordSet("kind", "type", "typ", "category", "sort", "scope", "what")

// kindsThatHold is the condition under which a column's texts are names, by the kinds that a column beside it holds, and words for it; "" where nearly all are such and the others are no words of the game, or none tells.
func (a *auditor) kindsThatHold(ctx context.Context, u *unexplained, best *copying) (when, evidence string, err error) {
	nearly := best.share >= copyShare // then only words of the game, which every server has, are no dead names
	if best.gone || nearly && len(best.twice)+len(best.none) == 0 || a.tables[u.table.Name].total() > kindRows {
		return "", "", nil
	}
	looked := 0
	for _, column := range u.table.Columns {
		by := merge.Col{Table: u.table.Name, Name: column.Name}
		if by == u.col || column.Generated || a.spaces[by] != nil || a.follows(by) || a.schema.Holds(by) == merge.Real || looked == kindColumns || nearly && !kindWords[lastWord(column.Name)] {
			continue
		}
		kinds, err := a.kindsOf(ctx, by, "")
		if err != nil {
			return "", "", err
		}
		if len(kinds) < 2 || len(kinds) > kindsMost || int64(len(kinds))*kindLeast > u.table.total() {
			continue
		}
		looked++
		var words, others []string
		in, of, left, out := 0, 0, 0, 0
		texts := map[string]int{} // of the other kinds, and on how many servers
		for _, k := range kinds {
			word := a.engine.Literal(k.Value[0])
			samples, err := a.ofKind(ctx, u, a.engine.Quote(by.Name)+" = "+word)
			if err != nil {
				return "", "", err
			}
			n, err := a.lieAmong(ctx, samples, best.target, a.laxer(u.col, best.target))
			if err != nil {
				return "", "", err
			}
			switch {
			case n.texts > 0 && float64(n.hits) >= kindHolds*float64(n.texts):
				words, in, of = append(words, word), in+n.hits, of+n.texts
			case float64(n.hits) <= kindHoldsNo*float64(n.texts):
				others, left, out = append(others, word), left+n.hits, out+n.texts
				for _, text := range textsOf(samples) {
					texts[text]++
				}
			}
		}
		if nearly && (left > 0 || !mostlyTwice(texts)) {
			continue
		}
		// A word or two beside the names are told by themselves.
		if len(words) > 0 && len(words)+len(others) == len(kinds) && in >= fewCopies && out >= fewCopies && float64(left) <= kindHoldsNo*float64(in) {
			when = amongKinds(a.engine.Quote(by.Name), words, false)
			return when, fmt.Sprintf("%d of %d different texts are one when %s, and %d where it is not", in, of, when, left), nil
		}
	}
	return "", "", nil
}

// mostlyTwice tells whether most of some texts stand on more servers than one.
func mostlyTwice(texts map[string]int) bool {
	twice := 0
	for _, servers := range texts {
		twice += oneIf(servers > 1)
	}
	return 2*twice > len(texts)
}

// ofKind are the texts of a column under a condition, of each shard.
func (a *auditor) ofKind(ctx context.Context, u *unexplained, when string) ([]*merge.Sample, error) {
	samples := make([]*merge.Sample, len(a.shards))
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(u.col)
		if !ok || !a.has(i, own.Table) || slices.ContainsFunc(u.table.Columns, func(c *merge.Column) bool {
			return s.Schema().Column(merge.Col{Table: u.table.Name, Name: c.Name}) == nil
		}) {
			continue
		}
		list, err := s.Values(ctx, own, when+" AND "+a.engine.Quote(own.Name)+" <> ''", restTexts)
		if err != nil {
			return nil, err
		}
		samples[i] = &merge.Sample{}
		for _, v := range list {
			if text, ok := v.Value[0].(string); ok {
				samples[i].Texts = append(samples[i].Texts, text)
			}
		}
	}
	return samples, nil
}
