package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// askDoubles asks what becomes of rows that stand twice once those fold to whom they belong.
func (a *auditor) askDoubles(ctx context.Context, u *merge.Unique, t *table, list []merge.Clash) error {
	var rows int64
	var samples []string
	for _, c := range list {
		if rows += int64(len(c.Rows) - 1); len(samples) < listed {
			samples = append(samples, tupleText(c.Rows[0].Values))
		}
	}
	var owners []string
	for _, c := range u.Cols() {
		if to, folds := a.folding(c); folds && !slices.Contains(owners, tableName(to.Table)) {
			owners = append(owners, tableName(to.Table))
		}
	}
	way, err := a.orOneRow(ctx, u, t)
	switch {
	case err != nil:
		return err
	case way != "":
	case len(t.PrimaryKey) == 0 && within(a.foldKey(t), u.Columns):
		way = " " + rowsLine(t.Name, merge.FirstRows) + ", in place of the table's own line, makes one row of each two"
	case len(t.PrimaryKey) == 0:
		way = fmt.Sprintf(" To make one row of each two, declare PRIMARY KEY (%s) in copies of the shards, and choose rows: union", strings.Join(u.Columns, ", "))
	default:
		way = " To make one row of each two, add in copies of the shards what the later ones hold to the first's, and remove them"
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("no two rows of a shard share %s, but %s in two shards, because rows of %s fold: does the game expect one of each?%s. Where it takes several, say on_conflict: keep, and both stay. As the line below stands, nothing is merged until one of each two is left",
			merge.JoinCols(u.Cols()), counted(len(list), "value stands", "values stand"), strings.Join(owners, " and of "), way),
		Evidence: strings.Join(samples, ", "), Rows: rows, Unique: &merge.UniquePlan{Unique: u.Cols(), OnConflict: "fail"},
	})
	return nil
}

// orOneRow says by which line rows become one of which each belongs to a row that does; "" where none does.
func (a *auditor) orOneRow(ctx context.Context, u *merge.Unique, t *table) (string, error) {
	s := a.numberOf(t)
	if s == nil || s.plan.New == merge.Static || !u.Plain() || u.Primary || t.folds() || !a.foldsBy(u, t) {
		return "", nil
	}
	line := merge.TablePlan{Table: t.Name, Rows: merge.ByValue, By: u.Columns}
	differ := map[string]int64{}
	for _, c := range t.Columns {
		differ[c.Name] = 1
	}
	var fates, first []string
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		if c.Generated || col == s.key || slices.Contains(u.Columns, c.Name) || slices.Contains(t.PrimaryKey, c.Name) {
			continue
		}
		how, err := a.combining(ctx, t, c, differ)
		if err != nil {
			return "", err
		}
		if how == "first" || len(t.PrimaryKey) == 0 {
			first = append(first, c.Name)
			continue
		}
		if line.Columns == nil {
			line.Columns = map[string]merge.Combine{}
		}
		line.Columns[c.Name], fates = merge.Combine{How: how}, append(fates, fate(how, c.Name))
	}
	if len(first) > 0 {
		fates = append(fates, "keeps the first's "+strings.Join(first, ", "))
	}
	text := fmt.Sprintf(" %s, in place of the table's own line, makes one row of each two", planfile.TableLine(&line))
	if len(fates) > 0 {
		text += ": it " + strings.Join(fates, ", ")
	}
	return text, nil
}

// foldsBy tells whether rows may become one by the columns of a key because one of them leads to rows that do.
func (a *auditor) foldsBy(u *merge.Unique, t *table) bool {
	whose := false
	for _, c := range u.Cols() {
		if a.askedOf(func(r *merge.Reference) bool { return r.As != merge.Keep && slices.Contains(r.From, c) }) {
			return false
		}
		for _, r := range a.refs {
			if r.As == merge.Keep || !slices.Contains(r.From, c) {
				continue
			}
			if !a.saysWhose(r, t) {
				return false
			}
			whose = true
		}
	}
	return whose
}
