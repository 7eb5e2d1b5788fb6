package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// How many rows with a copied name say whether the column that the plan names tells whose it is, and how many of each shard are looked at.
const (
	copiedLeast = 10
	copiedMost  = 2000
)

// tellBy tells of copies that mostly differ from what the rows hold to which the plan's by leads: then another column may tell whose they are.
func (a *auditor) tellBy(ctx context.Context) error {
	for _, r := range a.refs {
		if r.As != merge.Copy || r.By == nil || r.Via != "" || r.Pattern.Any() {
			continue
		}
		at := slices.IndexFunc(a.refs, func(o *reference) bool {
			return o.As == merge.Plain && len(o.From) == 1 && o.From[0] == *r.By && o.To[0].Table == r.To[0].Table
		})
		if at < 0 { // which is refused
			continue
		}
		q := a.engine.Quote
		own := func(c merge.Col) string { return q(c.Table) + "." + q(c.Name) }
		leads := fmt.Sprintf("EXISTS (SELECT 1 FROM %s AS gameid_whose WHERE gameid_whose.%s = %s", q(r.To[0].Table), q(a.refs[at].To[0].Name), own(*r.By))
		where := own(r.From[0]) + " <> '' AND " + leads
		if key := a.tables[r.table()].PrimaryKey; len(key) > 0 {
			names := make([]string, len(key))
			for i, k := range key {
				names[i] = q(k)
			}
			list := strings.Join(names, ", ")
			where = fmt.Sprintf("(%s) IN (SELECT %s FROM (SELECT %s FROM %s LIMIT %d) AS gameid_some) AND ", list, list, list, q(r.table()), copiedMost) + where
		}
		if r.When != "" {
			where = "(" + r.When + ") AND " + where
		}
		var rows, same int64
		for i, s := range a.shards {
			if !a.has(i, r.table()) || !a.has(i, r.To[0].Table) || s.Schema().Column(r.From[0]) == nil || s.Schema().Column(*r.By) == nil || s.Schema().Column(r.To[0]) == nil {
				continue
			}
			led, err := s.Count(ctx, r.table(), where+")")
			if err != nil {
				return err
			}
			equal, err := s.Count(ctx, r.table(), where+" AND gameid_whose."+q(r.To[0].Name)+" = "+own(r.From[0])+")")
			if err != nil {
				return err
			}
			rows, same = rows+led, same+equal
		}
		if rows >= copiedLeast && 2*same < rows {
			a.find(merge.Finding{
				Rule: "copy", Severity: merge.Info, Table: r.table(), Column: r.From[0].Name, Rows: rows - same,
				Text: fmt.Sprintf("%d of %d rows hold another %s than the row of %s that %s leads to, by which the plan knows whose it is: these follow no rename", rows-same, rows, r.To[0].Name, r.To[0].Table, r.By.Name),
				Next: "name under by the column that tells whose it is, if there is one, or remove by",
			})
		}
	}
	return nil
}
