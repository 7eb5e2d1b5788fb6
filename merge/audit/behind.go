package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// A unique key over an expression or a generated column takes no new value itself. Where it is a text column in another shape, as lower(name) is, a rename of that
// column gives it one.

// judgeComputed asks whether a rename of the text behind such a key settles its clashes, and blocks where no line of a plan does.
func (a *auditor) judgeComputed(ctx context.Context, u *merge.Unique, t *table, list []merge.Clash, f merge.Finding) error {
	line, err := a.renameBehind(ctx, u, list)
	if err != nil {
		return err
	}
	fold := a.orFold(u, t, list)
	switch {
	case line == nil:
		f.Severity, f.Next = merge.Block, "repair the rows of one shard in a copy of it"+fold
		a.find(f)
	case a.decidedUnique(line.Unique):
		f.Severity, f.Next = merge.Block, fmt.Sprintf("say under uniques of %s: on_conflict: rename", merge.JoinCols(line.Unique))
		if line.Collate != "" {
			f.Next += ", collate: " + line.Collate
		}
		f.Next += fold
		a.find(f)
	default:
		a.res.Verdict.NameClash += int64(len(list))
		a.askRename(f, fmt.Sprintf("%s: rename the later shards' rows by their %s?", f.Text, cmp.Or(line.Column, line.Unique[0].Name)), line)
	}
	return nil
}

// decidedUnique tells whether the plan says what becomes of clashes in some columns.
func (a *auditor) decidedUnique(cols []merge.Col) bool {
	u := &merge.Unique{Table: cols[0].Table}
	for _, c := range cols {
		u.Columns = append(u.Columns, c.Name)
	}
	return a.uniquePlan(u) != nil
}

// renameBehind is the line that renames the losers of such a key's clashes; nil when none finds them all.
func (a *auditor) renameBehind(ctx context.Context, u *merge.Unique, list []merge.Clash) (*merge.UniquePlan, error) {
	cols, text := a.schema.Behind(u)
	if text == "" {
		return nil, nil
	}
	line := &merge.UniquePlan{Unique: cols, OnConflict: "rename", Template: a.template(merge.Col{Table: u.Table, Name: text})}
	if len(cols) > 1 {
		line.Column = text
	}
	behind := merge.Unique{Table: u.Table}
	for _, c := range cols {
		behind.Columns = append(behind.Columns, c.Name)
		behind.Collations = append(behind.Collations, a.schema.Column(c).Collation)
	}
	for _, collate := range a.collations(u) {
		found, _, err := a.engine.Clashes(ctx, a.raw, behind, collate, "", a.opt.ClashLimit)
		if err != nil {
			return nil, fmt.Errorf("unique key %s: %w", merge.JoinCols(cols), err)
		}
		if coversClashes(found, list) {
			line.Collate = collate
			return line, nil
		}
	}
	return nil, nil
}

// collations are the comparisons by which names may clash, first the one that makes of them what the key does: a new name must be free by it, too.
func (a *auditor) collations(u *merge.Unique) (list []string) {
	if fold := a.foldCollation(); fold != "" {
		list = append(list, fold)
	}
	if e, ok := a.engine.(interface{ TrimCollation() string }); ok {
		list = append(list, e.TrimCollation())
	}
	if !a.schema.FoldsCase(u) {
		slices.Reverse(list)
	}
	return append(list, "")
}

// coversClashes tells whether the rows of every clash of one key hold one value of the other key, too, so that it keeps one of them and renames the rest.
func coversClashes(found, list []merge.Clash) bool {
	group := map[string]int{}
	id := func(r merge.ClashRow) string { return fmt.Sprint(r.Shard, " ", tupleText(r.Key)) }
	for i, c := range found {
		for _, r := range c.Rows {
			group[id(r)] = i + 1
		}
	}
	for _, c := range list {
		for _, r := range c.Rows {
			if g := group[id(r)]; g == 0 || g != group[id(c.Rows[0])] || len(r.Key) == 0 {
				return false
			}
		}
	}
	return true
}
