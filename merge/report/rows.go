package report

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// FindingColumns names the columns of FindingRows. They are promised to programs.
func FindingColumns() []string {
	return []string{"rule", "severity", "table", "column", "shard", "rows", "what", "next", "samples"}
}

// FindingRows is one row for every finding, sorted, with one cell for every column: strings, nil where there is nothing to say (a finding about
// the whole table has no column), rows as int64, and samples as []string, never nil.
func FindingRows(list []merge.Finding) [][]any {
	rows := make([][]any, 0, len(list))
	for _, f := range SortFindings(list) {
		rows = append(rows, []any{
			f.Rule, string(f.Severity), some(f.Table), some(f.Column), some(f.Shard), f.Rows, f.Text, some(f.Next), texts(f.Samples),
		})
	}
	return rows
}

// TableColumns names the columns of TableRows: one column of rows for every shard.
func (a *Audit) TableColumns() []string {
	columns := []string{"table"}
	for _, shard := range a.Shards {
		columns = append(columns, "rows_"+shard)
	}
	return append(columns, "policy", "conflicts", "new_keys", "orphans", "notes")
}

// TableRows is one row for every table, sorted by name, in the columns of TableColumns.
func (a *Audit) TableRows() [][]any {
	rows := make([][]any, 0, len(a.Tables))
	for _, t := range SortTables(a.Tables) {
		row := []any{t.Table}
		for i := range a.Shards {
			if i < len(t.Rows) && t.Rows[i] != NoTable {
				row = append(row, t.Rows[i])
			} else {
				row = append(row, nil)
			}
		}
		rows = append(rows, append(row, some(t.Policy), t.Conflicts, some(t.NewKeys), t.Orphans, texts(t.Notes)))
	}
	return rows
}

func some(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func texts(list []string) []string {
	if list == nil {
		return []string{}
	}
	return slices.Clone(list)
}
