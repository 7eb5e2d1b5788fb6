package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// tellBreaking tells of rows that break a foreign key of the output which their own shard does not declare, so that nothing has held them to it.
func (a *auditor) tellBreaking(ctx context.Context, r *reference) error {
	t := a.schema.Table(r.table())
	at := slices.IndexFunc(t.ForeignKeys, func(f *merge.ForeignKey) bool {
		return slices.EqualFunc(f.Columns, r.From, func(name string, c merge.Col) bool { return a.schema.Equal(name, c.Name) }) && a.schema.Equal(f.ToTable, r.To[0].Table)
	})
	if at < 0 || r.Orphans == merge.ByClear || r.Orphans == merge.ByDrop || r.Orphans == merge.ByFail {
		return nil
	}
	var rows int64
	var where []string
	for i, s := range a.shards {
		broken := a.schema.Breaking(a.engine, t, t.ForeignKeys[at], s.Schema())
		if broken == "" || r.counts[i] == nil {
			continue
		}
		n, err := s.Count(ctx, t.Name, broken)
		if err != nil {
			return err
		}
		if n > 0 {
			rows, where = rows+n, append(where, counted(n, "row", "rows")+" of "+a.name(i))
		}
	}
	if rows == 0 {
		return nil
	}
	line := r.Reference
	line.Orphans = merge.ByClear
	a.find(merge.Finding{
		Rule: "foreign-key", Severity: merge.Info, Table: t.Name, Column: strings.Join(t.ForeignKeys[at].Columns, ", "), Rows: rows,
		Text: fmt.Sprintf("%s hold no key of %s, and no foreign key forbids them to: they break the one that %s declares and the output, too", strings.Join(where, ", "), r.To[0].Table, a.name(a.origin[t.Name])),
		Next: fmt.Sprintf("where the game enforces foreign keys, say %s, or orphans: drop", planfile.ReferenceLine(&line)),
	})
	return nil
}
