package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/gameid/gameid/merge"
)

// chooseTombstones gives every dead text that needs one a fresh text in the form of a new name: nobody has it, nothing names it in vain, and every column that has to
// hold it can.
func (a *auditor) chooseTombstones(ctx context.Context) error {
	for _, b := range a.sortedBurials() {
		b.settled = &merge.Burial{Key: b.key}
		for range a.shards {
			b.settled.Shards = append(b.settled.Shards, map[string]string{})
		}
		plan := &merge.UniquePlan{Template: a.template()}
		if given := a.uniquePlan(&merge.Unique{Table: b.key.Table, Columns: []string{b.key.Name}}); given != nil && given.Template != "" {
			plan = given
		}
		todo, spellings := a.deadTexts(b, plan)
		given, bad, err := a.freshNames(ctx, todo, b.key, plan)
		if err != nil {
			return err
		}
		if bad != nil {
			a.find(merge.Finding{
				Rule: "orphan", Severity: merge.Block, Table: b.key.Table, Column: b.key.Name, Shard: a.name(bad.shard), Rows: 1, Samples: []string{bad.row.Old},
				Text: fmt.Sprintf("%q is a dead value of %s, in %s, and gets no tombstone: %v", bad.row.Old, a.name(bad.shard), merge.JoinCols(bad.also), bad.why),
				Next: "say orphans: clear or drop for that reference, use a shorter template, or change the value in copies of " + a.name(bad.shard),
			})
			continue
		}
		for _, c := range given {
			for _, text := range spellings[c] {
				b.settled.Shards[c.shard][text] = c.row.New
			}
		}
	}
	return nil
}

// deadTexts are the dead texts of a burial, those that the key calls equal as one, with all their spellings.
func (a *auditor) deadTexts(b *burial, plan *merge.UniquePlan) (list []*candidate, spellings map[*candidate][]string) {
	var also []merge.Col
	for _, r := range a.refs {
		if a.tombs(r) && a.keyOf(r) == b.key && !slices.Contains(also, r.From[0]) {
			also = append(also, r.From[0])
		}
	}
	collation := a.nameCollation(b.key, plan)
	spellings = map[*candidate][]string{}
	for i, texts := range b.texts {
		seen := map[string]*candidate{}
		for _, text := range slices.Sorted(maps.Keys(texts)) {
			fold := collated(text, collation)
			if seen[fold] == nil {
				seen[fold] = &candidate{shard: i, row: merge.Renamed{Old: text}, also: also}
				list = append(list, seen[fold])
			}
			spellings[seen[fold]] = append(spellings[seen[fold]], text)
		}
	}
	return list, spellings
}
