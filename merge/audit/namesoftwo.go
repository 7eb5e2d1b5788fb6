package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// What makes texts of nobody those of another table's rows: so many different ones, that share of a column's rows, and of what is dead in it.
const (
	twoLeast = 5
	twoShare = 0.02
)

// askNamesOfTwo asks about columns that the plan says to repeat one name in every row, and of which many rows repeat another one that changes as well: nothing would follow there.
func (a *auditor) askNamesOfTwo(ctx context.Context) error {
	renamed := a.renamedColumns()
	for _, r := range a.refs {
		if len(r.From) != 1 || !copied(r, r.From[0]) || r.Orphans != "" || a.referenceAsked(r.From[0]) {
			continue
		}
		for _, target := range renamed {
			if target == r.To[0] || target == r.From[0] || a.linked(target, r.To[0]) {
				continue
			}
			texts, rows, dead, all := 0, int64(0), int64(0), int64(0)
			for i, c := range r.counts {
				if c == nil {
					continue
				}
				all += c.Rows
				var words []string
				for _, v := range c.Dead {
					if text, ok := v.Value[0].(string); ok {
						words = append(words, text)
					}
				}
				has, err := a.lookUp(ctx, i, target, words, "")
				if err != nil {
					return err
				}
				for _, v := range c.Dead {
					dead += v.Rows
					if text, ok := v.Value[0].(string); ok && has[folded(text)] {
						texts, rows = texts+1, rows+v.Rows
					}
				}
			}
			if texts < twoLeast || float64(rows) < twoShare*float64(all) || 2*rows < dead {
				continue
			}
			line := r.Reference
			line.Orphans = merge.ByTombstone
			when := func(to merge.Col) string {
				return planfile.ReferenceLine(&merge.Reference{From: r.From, To: []merge.Col{to}, As: merge.Copy, When: "..."})
			}
			a.res.Undecided = slices.DeleteFunc(a.res.Undecided, func(u merge.Undecided) bool { // what names another is no word of the game
				return u.Reference != nil && u.Reference.As == merge.Copy && slices.Equal(u.Reference.From, r.From)
			})
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("%s no %s, and hold %s, which is renamed, too: do they repeat that? Then one line for each, with when: the condition under which a row holds it: %s and %s. As the line below stands, they are nobody's",
					counted(rows, "row of "+r.From[0].String()+" holds", "rows of "+r.From[0].String()+" hold"), r.To[0], target, when(r.To[0]), when(target)),
				Evidence: counted(int64(texts), "different text is one of "+target.String()+" in its own shard", "different texts are ones of "+target.String()+" in their own shards"),
				Rows:     rows, Reference: &line,
			})
			break
		}
	}
	return nil
}

// leadsTo tells whether a column is known or asked to hold or to repeat another one's texts, if only in some rows: whoever repeats these repeats that one's.
func (a *auditor) leadsTo(c, of merge.Col) bool {
	return a.knownOrAsked(func(r *merge.Reference) bool { return leads(r, of) && r.From[0] == c })
}

// leads tells whether a reference of one column takes it to another one by its value or its text.
func leads(r *merge.Reference, of merge.Col) bool {
	return (r.As == merge.Plain || r.As == merge.Copy) && len(r.From) == 1 && r.To[0] == of
}

// linked tells whether a column of texts is known to hold another one's.
func (a *auditor) linked(c, of merge.Col) bool {
	for _, r := range a.refs {
		if r.As != merge.Keep && len(r.From) == 1 && r.From[0] == c && r.To[0] == of {
			return true
		}
	}
	return false
}
