package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

var (
	rowNumber      = regexp.MustCompile(`(?i)\b(rowid|_rowid_|oid)\b`)
	rowNumberNamed = regexp.MustCompile(`(?i)(^|_)(row_?id|oid)$|RowId$|RowID$`)
	rowNumberOf    = regexp.MustCompile(`(?i)[^_]_(row_?id|oid)$`)
)

// checkRowNumbers looks for uses of the hidden numbers by which an engine tells rows of a table without a key apart: a merge gives them anew, and nothing can follow.
func (a *auditor) checkRowNumbers(ctx context.Context) error {
	var keyless []string
	for _, t := range a.schema.Tables {
		if line := a.tables[t.Name]; len(t.PrimaryKey) == 0 && t.Opaque == "" && line.plan.Rows != merge.EmptyRows && line.total() > 0 {
			keyless = append(keyless, t.Name)
		}
	}
	if len(keyless) == 0 {
		return nil
	}
	for _, o := range a.schema.Objects {
		sql := comments.ReplaceAllString(o.SQL, " ")
		hit := rowNumber.FindString(sql)
		for _, name := range keyless {
			if hit != "" && regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(name)+`\b`).MatchString(sql) {
				a.find(merge.Finding{
					Rule: "row-number", Severity: merge.Info, Table: name,
					Text: fmt.Sprintf("%s %s uses %s, and rows of %s, which has no key, get new row numbers", o.Kind, o.Name, hit, name),
					Next: "give the table an INTEGER PRIMARY KEY in copies of the shards, where anything keeps such numbers",
				})
			}
		}
	}
	for _, t := range a.schema.Tables {
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if t.Opaque != "" || c.Generated || a.spaces[col] != nil || a.decided(col) || a.openlyAsked(col) || !rowNumberNamed.MatchString(c.Name) || a.tables[t.Name].total() == 0 {
				continue
			}
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("%s is named like a hidden row number, and rows without a key get new ones: does it hold none?", col), Rows: a.tables[t.Name].total(),
				Evidence:  "tables without a key: " + strings.Join(keyless[:min(len(keyless), listed)], ", ") + "; to keep their numbers, give them an INTEGER PRIMARY KEY in copies of the shards",
				Reference: &merge.Reference{From: []merge.Col{col}, As: merge.Keep},
			})
		}
	}
	return a.matchRowNumbers(ctx, keyless)
}

// rowNumberer is an engine's shard that knows its hidden row numbers.
type rowNumberer interface {
	RowNumbers(ctx context.Context, c merge.Col, table string) (values, hits int64, gaps bool, err error)
}

// matchRowNumbers looks whether a column that is named like a row number, or that no key explains, holds those of a table without a key. A name and numbers
// that fit with their gaps are no chance: the column cannot be kept.
func (a *auditor) matchRowNumbers(ctx context.Context, keyless []string) error {
	for _, t := range a.schema.Tables {
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			open := slices.IndexFunc(a.res.Undecided, func(u merge.Undecided) bool {
				return u.Reference != nil && u.Reference.As == merge.Keep && slices.Equal(u.Reference.From, []merge.Col{col})
			})
			named := rowNumberOf.MatchString(c.Name) // plain "rowid" numbers the game's own rows, and small numbers fit anybody's by chance
			if t.Opaque != "" || c.Generated || a.spaces[col] != nil || a.tables[t.Name].plan.Rows == merge.EmptyRows || open < 0 && !named {
				continue
			}
			for _, table := range keyless {
				fits, gaps, err := a.holdsRowNumbers(ctx, col, table)
				if err != nil {
					return err
				}
				if !fits {
					continue
				}
				text := fmt.Sprintf("every value of %s is a row number of %s, which has no key: its rows get new numbers, also the first shard's, and kept values would point elsewhere", col, table)
				next := "give " + table + " an INTEGER PRIMARY KEY in copies of the shards"
				if named && gaps {
					a.find(merge.Finding{Rule: "row-number", Severity: merge.Block, Table: t.Name, Column: c.Name, Rows: a.tables[t.Name].total(), Text: text, Next: next})
				}
				if open >= 0 {
					a.res.Undecided[open].Question = text + "; " + next + ", or say keep if the numbers are others"
				}
				break
			}
		}
	}
	return nil
}

// holdsRowNumbers tells whether every value of a column is a row number of a table in every shard, and whether those have gaps.
func (a *auditor) holdsRowNumbers(ctx context.Context, col merge.Col, table string) (fits, gaps bool, err error) {
	var all int64
	for i, s := range a.raw {
		r, ok := s.(rowNumberer)
		own, has := s.Schema().Resolve(col)
		if !ok {
			return false, false, nil
		}
		if !has || !a.has(i, table) {
			continue
		}
		values, hits, holes, err := r.RowNumbers(ctx, own, table)
		if err != nil || hits < values {
			return false, false, err
		}
		all, gaps = all+values, gaps || holes
	}
	return all > 0, gaps, nil
}

// openlyAsked tells whether an open question is about a column already.
func (a *auditor) openlyAsked(c merge.Col) bool {
	return slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Reference != nil && slices.Contains(u.Reference.From, c) })
}
