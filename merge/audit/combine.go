package audit

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkCombined refuses arithmetic on keys: a sum of two keys, or the larger of two that change, is a stranger's.
func (a *auditor) checkCombined(t *table) {
	if t.plan.Rows != merge.UnionRows {
		return
	}
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		how, ok := lookupFold(a.schema, t.plan.Columns, c.Name)
		if !ok || !slices.Contains([]string{"sum", "max", "min"}, how.How) {
			continue
		}
		if what := a.keyWord(t, col, how.How); what != "" {
			a.find(merge.Finding{
				Rule: "combine", Severity: merge.Block, Table: t.Name, Column: c.Name,
				Text: fmt.Sprintf("%s is arithmetic on keys: the column %s, and the result would be somebody else's", how.How, what), Next: "choose first or latest for this column",
			})
		}
	}
}

// keyWord says how a column holds keys with which one must not count; "" when it holds none.
func (a *auditor) keyWord(t *table, c merge.Col, how string) string {
	if slices.Contains(t.PrimaryKey, c.Name) {
		return "is the table's key"
	}
	for _, r := range a.plain() {
		if slices.Contains(r.To, c) {
			return "is a key of " + merge.JoinCols(r.From)
		}
		i := slices.Index(r.From, c)
		if i < 0 {
			continue
		}
		// The larger of two keys that stay the same on every server is one of them.
		if how == "sum" || r.spaces[i] != nil && r.spaces[i].plan.New != merge.Static {
			return "refers to " + r.To[i].String()
		}
	}
	return ""
}
