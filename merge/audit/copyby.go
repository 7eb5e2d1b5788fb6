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
		var rows, same int64
		for i := range a.shards {
			led, equal, err := a.copiedBy(ctx, i, r, a.refs[at].To[0])
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

// copiedBy counts, among some rows of a shard with a copied name, those that lead to a row by its key, and those of them that hold its name.
func (a *auditor) copiedBy(ctx context.Context, shard int, r *reference, key merge.Col) (led, equal int64, err error) {
	s := a.shards[shard]
	for _, c := range []merge.Col{r.From[0], *r.By, r.To[0], key} {
		if s.Schema().Column(c) == nil {
			return 0, 0, nil
		}
	}
	q := a.engine.Quote
	own := func(c merge.Col) string { return q(c.Table) + "." + q(c.Name) }
	where := own(r.From[0]) + " <> ''"
	if names := slices.Clone(s.Schema().Table(r.table()).PrimaryKey); len(names) > 0 {
		for i := range names {
			names[i] = q(names[i])
		}
		list := strings.Join(names, ", ")
		where = fmt.Sprintf("(%s) IN (SELECT %s FROM (SELECT %s FROM %s LIMIT %d) AS gameid_some) AND ", list, list, list, q(r.table()), copiedMost) + where
	}
	if r.When != "" {
		where = "(" + r.When + ") AND " + where
	}
	where += fmt.Sprintf(" AND EXISTS (SELECT 1 FROM %s AS gameid_whose WHERE gameid_whose.%s = %s", q(key.Table), q(key.Name), own(*r.By))
	if led, err = s.Count(ctx, r.table(), where+")"); err != nil {
		return 0, 0, err
	}
	equal, err = s.Count(ctx, r.table(), where+" AND gameid_whose."+q(r.To[0].Name)+" = "+own(r.From[0])+")")
	return led, equal, err
}
