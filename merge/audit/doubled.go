package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// askDoubled asks about rows that nothing tells apart and that belong to what folds: where a player is on both servers, and both have the same row of his, it would stand twice.
// An entry that the tool fills in supposes that this is not so.
func (a *auditor) askDoubled(ctx context.Context) error {
	for _, known := range a.schema.Tables {
		t := a.tables[known.Name]
		if t.Opaque != "" || t.plan.Rows != merge.MergeRows || len(t.PrimaryKey) > 0 || slices.ContainsFunc(t.Uniques, (*merge.Unique).Plain) || !a.inTwoShards(t) || a.tableAsked(t.Name) ||
			slices.ContainsFunc(t.Columns, func(c *merge.Column) bool { return a.mayMove(merge.Col{Table: t.Name, Name: c.Name}) }) {
			continue
		}
		owner, folds := a.foldingOwner(t)
		if owner == nil || t.decided && t.plan.While != merge.WhileApart && !folds {
			continue
		}
		rows, err := a.equalRows(ctx, t)
		if err != nil {
			return err
		}
		if rows == 0 {
			continue
		}
		text := fmt.Sprintf("%s of %s, which no key tells apart, equal in every column one of another shard", counted(rows, "row", "rows"), t.Name)
		switch {
		case !folds:
			if !t.decided {
				t.plan.While = merge.WhileApart
			}
		case t.decided && t.plan.While != merge.WhileApart:
			a.find(merge.Finding{
				Rule: "fold", Severity: merge.Info, Table: t.Name, Rows: rows,
				Text: fmt.Sprintf("%s, and %s leads to rows that fold: each such row stands twice, as the plan says (rows: merge)", text, owner),
				Next: rowsLine(t.Name, merge.FirstRows) + " keeps one of each two",
			})
		default:
			line := t.plan
			line.While = ""
			fate := "both stay, as things of which one may have several"
			if !slices.ContainsFunc(t.Columns, func(c *merge.Column) bool { return amountWord(c.Name) }) {
				line.Rows, fate = merge.FirstRows, "one of each two stays"
			}
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("%s, and %s leads to rows that fold into one: are these the same row, or two of one player? As the line below stands, %s; rows: first keeps one of each two, rows: merge both", text, owner, fate),
				Rows:     rows, Table: &line,
			})
		}
	}
	return nil
}

// foldingOwner is a column by which a table's rows refer to a key that stays, of rows that fold, or that an open question proposes to fold, if there is one.
func (a *auditor) foldingOwner(t *table) (owner *merge.Col, folds bool) {
	for _, r := range a.plain() {
		if r.table() != t.Name || len(r.From) > 1 {
			continue
		}
		if owner == nil {
			owner = &r.From[0]
		}
		if to := r.To[0].Table; a.tables[to].folds() || a.mayFold(to) {
			return &r.From[0], true
		}
	}
	return owner, false
}

// equalRows counts the rows of a table without a key that equal one of a shard before theirs.
func (a *auditor) equalRows(ctx context.Context, t *table) (rows int64, err error) {
	for i := range a.shards {
		for j := range i {
			if t.rows[i] == 0 || t.rows[j] == 0 {
				continue
			}
			_, equal, err := a.engine.SameRows(ctx, a.raw[j], a.raw[i], t.Name, nil, 0)
			if err != nil {
				return 0, err
			}
			rows += equal
		}
	}
	return rows, nil
}
