package audit

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/gameid/gameid/merge"
)

// A unique key over an expression or a generated column takes no new value itself. Where it is a text column in another shape, as lower(name) is, a rename of that
// column gives it one.

// functions matches what may be a function in an SQL text, and reshaping are those that leave a text what it is but for its case and its outer spaces.
var (
	functions = regexp.MustCompile(`(\w+)\s*\(`)
	reshaping = []string{"lower", "upper", "trim", "ltrim", "rtrim"}
	caseFolds = regexp.MustCompile(`(?i)\b(lower|upper)\b`)
)

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
	cols, text := a.columnsBehind(u)
	if text == "" {
		return nil, nil
	}
	line := &merge.UniquePlan{Unique: cols, OnConflict: "rename", Template: a.template()}
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
	if e, ok := a.engine.(interface{ FoldCollation() string }); ok {
		list = append(list, e.FoldCollation())
	}
	if e, ok := a.engine.(interface{ TrimCollation() string }); ok {
		list = append(list, e.TrimCollation())
	}
	if !slices.ContainsFunc(a.formulas(u), func(f string) bool { return caseFolds.MatchString(f) }) {
		slices.Reverse(list)
	}
	return append(list, "")
}

// formulas are the SQL texts by which a unique key's columns are computed.
func (a *auditor) formulas(u *merge.Unique) (list []string) {
	for _, name := range u.Columns {
		if column := a.schema.Column(merge.Col{Table: u.Table, Name: name}); column == nil {
			list = append(list, u.SQL)
		} else if column.Generated {
			list = append(list, column.Formula)
		}
	}
	return list
}

// columnsBehind are the columns of a unique key with the text column in place of what is computed from it, and that column; "" when it is not one alone, or not only
// reshaped.
func (a *auditor) columnsBehind(u *merge.Unique) (cols []merge.Col, text string) {
	formulas := a.formulas(u)
	var names []string
	for _, formula := range formulas {
		for _, f := range functions.FindAllStringSubmatch(merge.FoldASCII(formula), -1) {
			if f[1] != merge.FoldASCII(u.Table) && !slices.Contains(reshaping, f[1]) {
				return nil, ""
			}
		}
		all, _ := merge.SQLNames(formula)
		names = append(names, all...)
	}
	for _, c := range a.schema.Table(u.Table).Columns {
		switch {
		case c.Generated:
		case slices.Contains(u.Columns, c.Name):
			cols = append(cols, merge.Col{Table: u.Table, Name: c.Name})
		case a.schema.Holds(merge.Col{Table: u.Table, Name: c.Name}) == merge.Text && slices.Contains(names, merge.FoldASCII(c.Name)):
			if text != "" || len(formulas) > 1 {
				return nil, ""
			}
			text = c.Name
			cols = append(cols, merge.Col{Table: u.Table, Name: text})
		}
	}
	return cols, text
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
