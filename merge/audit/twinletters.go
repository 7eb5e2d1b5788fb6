package audit

import (
	"context"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// twinLetters is how many names of two shards differ by letters alone, at least, where no shard has two such: if the game took both, about as many would stand in one shard.
const twinLetters = 3

// askTwinLetters asks whether names that differ by letters alone are one to the game, though the schema tells them apart: its code may look them up in small letters, and a trigger or an index on these keep them
// apart.
func (a *auditor) askTwinLetters(ctx context.Context) error {
	fold := a.foldCollation()
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if fold == "" || t.Opaque != "" || line.folds() || line.plan.Rows == merge.ByValue {
			continue
		}
		for _, u := range t.Uniques {
			col := merge.Col{Table: t.Name}
			if u.Plain() && len(u.Columns) == 1 {
				col.Name = u.Columns[0]
			}
			if col.Name == "" || a.schema.Holds(col) != merge.Text || sameCollation(a.keyCollation(col), fold) || a.uniquePlanOf(col) != nil || a.follows(col) || a.decided(col) || a.askedAs(col) >= 0 {
				continue
			}
			if err := a.askTwinsOf(ctx, line, *u, col, fold); err != nil {
				return err
			}
		}
	}
	return nil
}

// askTwinsOf asks it about one column.
func (a *auditor) askTwinsOf(ctx context.Context, t *table, u merge.Unique, col merge.Col, fold string) error {
	u.Collations = []string{fold}
	list, _, err := a.engine.Clashes(ctx, a.raw, u, fold, "", a.opt.ClashLimit)
	if err != nil {
		return err
	}
	var twins []string
	for _, c := range list {
		if one, two := a.twoSpellings(col, c); one != "" {
			twins = append(twins, fmt.Sprintf("%q and %q", one, two))
		}
	}
	if len(twins) < twinLetters {
		return nil
	}
	if apart, err := a.uniqueEverywhere(ctx, t, col, fold); err != nil || !apart {
		return err
	}
	a.askLosers(merge.Undecided{
		Question: fmt.Sprintf("%d texts of %s stand in two shards in other letters, and no shard has two that differ by letters alone: does the game take such for one, so that those of later shards get other names, too? Where it tells them apart, leave collate out", len(twins), col),
		Evidence: strings.Join(twins[:min(len(twins), listed)], ", "), Rows: int64(len(twins)),
		Unique: &merge.UniquePlan{Unique: []merge.Col{col}, OnConflict: "rename", Template: a.template(col), Collate: fold},
	})
	return nil
}
