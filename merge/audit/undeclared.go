package audit

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// askUndeclared asks about numbers that differ in every row though no schema holds them unique, as in dumps that lost their keys:
// copied as they are, two shards' rows would share one number, and nobody could tell them apart.
func (a *auditor) askUndeclared(k discover.Key) {
	t := a.tables[k.Col.Table]
	if a.decided(k.Col) || a.decidedKey(k.Col) || t.folds() || !t.mixes() || a.referenceAsked(k.Col) {
		return
	}
	if a.tableAsked(t.Name) {
		return // where its rows are the same on every server, so are the numbers
	}
	var shared int64
	for i := range k.Columns {
		seen := merge.NewKeySet()
		for _, before := range k.Columns[:i] {
			seen.Union(before.Set)
		}
		shared += seen.Shared(k.Columns[i].Set)
	}
	if shared == 0 && !a.opt.ChangeAll && len(k.Like) == 0 {
		return
	}
	line := merge.KeyPlan{Key: k.Col, New: merge.Shift}
	for _, given := range a.given.Keys {
		if given.Key == k.Col {
			line.Role = given.Role
		}
	}
	lack, like := "no PRIMARY KEY, no UNIQUE", ""
	if slices.Contains(t.PrimaryKey, k.Col.Name) {
		lack = "the PRIMARY KEY needs other columns, too"
	}
	if len(k.Like) > 0 {
		like = fmt.Sprintf(" Or does it hold %s? Then say so under references: {from: %s, to: %[1]s}", k.Like[0], k.Col)
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s numbers the rows of %s, but no schema says so (%s), and %s in two shards: do the later ones get new numbers (new: shift), or is the same number the same thing (new: static)?%s%s",
			k.Col, t.Name, lack, counted(shared, "number stands", "numbers stand"), like, a.held(k.Col)),
		Evidence: k.Reason, Rows: shared, Key: &line,
	})
}

// decidedKey tells whether the plan says what becomes of a key.
func (a *auditor) decidedKey(c merge.Col) bool {
	return slices.ContainsFunc(a.given.Keys, func(k merge.KeyPlan) bool { return k.Key == c && k.New != "" })
}
