package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// askScattered asks whether a column's texts hold names of some targets among words that are others in every text, as the amount in "406 gold to Bob" and the time in "09:41 Bob logged in" are. Only
// names of the own server's that are hardly ever another's show it.
func (a *auditor) askScattered(ctx context.Context, u *unexplained, targets *holders, first int) error {
	u = a.withoutRecorded(u)
	words := make([]*merge.Sample, len(u.samples))
	texts := 0
	for i, one := range u.samples {
		words[i] = &merge.Sample{}
		seen := map[string]bool{}
		for _, text := range one.Texts {
			if text != "" {
				texts++
			}
			spans(text, func(_ frame, name string) {
				if !seen[name] && targets.may(name, 0, first) {
					seen[name] = true
					words[i].Texts = append(words[i].Texts, name)
				}
			})
		}
	}
	for _, k := range targets.near(words) {
		if k >= first || targets.columns[k] == u.col {
			continue
		}
		target := targets.columns[k]
		held, own, others, err := a.scattered(ctx, u, words, target)
		if err != nil {
			return err
		}
		if own < fewCopies || own < fallsShort*others || float64(held) < listedShare*float64(texts) {
			continue
		}
		if open := a.askedAs(u.col); open >= 0 && a.res.Undecided[open].Reference.As == merge.Keep {
			a.res.Undecided = slices.Delete(a.res.Undecided, open, open+1)
		}
		a.askInside(u, target, target.String()+" among other words in its texts", `([\pL\pN_.'-]+)`, fmt.Sprintf("%d of %s have one of their own server's, %d one that no other server has", held, counted(int64(texts), "text", "texts"), own))
		a.withdraw(u.col, "follows renames")
		return nil
	}
	return nil
}

// scattered counts the texts of a column that hold a name of a target's rows in their own shard, those that hold one of their own shard's alone, and those that hold none but another's.
func (a *auditor) scattered(ctx context.Context, u *unexplained, words []*merge.Sample, target merge.Col) (held, own, others int, err error) {
	for i, one := range u.samples {
		has := make([]map[string]bool, len(a.shards))
		for j := range a.shards {
			if has[j], err = a.lookUp(ctx, j, target, words[i].Texts, ""); err != nil {
				return 0, 0, 0, err
			}
		}
		for _, text := range one.Texts {
			mine, alone, elsewhere := false, false, false
			spans(text, func(_ frame, name string) {
				there := false
				for j := range a.shards {
					there = there || j != i && has[j][folded(name)]
				}
				here := has[i][folded(name)]
				mine, alone, elsewhere = mine || here, alone || here && !there, elsewhere || there && !here
			})
			held, own, others = held+oneIf(mine), own+oneIf(alone), others+oneIf(elsewhere && !mine)
		}
	}
	return held, own, others, nil
}
