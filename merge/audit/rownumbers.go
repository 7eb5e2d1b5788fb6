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
)

// checkRowNumbers looks for uses of the hidden numbers by which an engine tells rows of a table without a key apart: a merge gives them anew, and nothing can follow.
func (a *auditor) checkRowNumbers(context.Context) error {
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
	return nil
}

// openlyAsked tells whether an open question is about a column already.
func (a *auditor) openlyAsked(c merge.Col) bool {
	return slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Reference != nil && slices.Contains(u.Reference.From, c) })
}
