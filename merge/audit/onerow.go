package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// askOneRow asks about tables of which every shard has one row, as of the world's state or its settings: the game expects one there, and would find either of two. What
// something refers to is no such row, nor is a player.
func (a *auditor) askOneRow(context.Context) error {
	for _, known := range a.schema.Tables {
		t := a.tables[known.Name]
		if t.Opaque != "" || t.decided || t.plan.Rows != merge.MergeRows || !t.oneEach() || !a.allStay(t) || a.referredTo(t) || a.personalTable(t.Name) || a.tableAsked(t.Name) || a.keyTableAsked(t.Name) {
			continue
		}
		one := oneServersLine(t.Name, a.name(0))
		if len(t.PrimaryKey) > 0 {
			one = rowsLine(t.Name, merge.FirstRows)
		}
		line := t.plan
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("every shard has one row in %s: is it the state or the settings of the world, of which the game expects one? Then take the first shard's: %s. As the line below stands, all come, each beside the others", t.Name, one),
			Rows:     t.total(), Table: &line,
		})
	}
	return nil
}

// oneEach tells whether every shard has one row.
func (t *table) oneEach() bool {
	return len(t.rows) > 1 && !slices.ContainsFunc(t.rows, func(n int64) bool { return n != 1 })
}

// allStay tells whether all of a table's rows come, one of each shard, and nothing tells the game which is its own: they have no key, or one number, of which the later ones
// get another.
func (a *auditor) allStay(t *table) bool {
	if len(t.PrimaryKey) == 0 {
		return true
	}
	s := a.spaces[t.KeyCols()[0]]
	return len(t.PrimaryKey) == 1 && s != nil && !s.byPlan && !a.referenceAsked(s.key) && s.both() == int64(len(a.shards)-1)
}
