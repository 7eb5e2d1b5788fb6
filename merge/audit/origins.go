package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// What makes an input look like a part of another one, which is itself a merge: a share of its rows, or of its unique names, and how many are enough to tell.
const (
	originShare = 0.9
	originLeast = 10
	originRows  = 100_000 // rows of a table that are looked at
)

// checkOrigins looks whether the players of an input stand in a merged input already: the record knows the names and numbers of what it was made of, and
// not every merge had numbers. Who gives the input a server number of its own says that it is another server.
func (a *auditor) checkOrigins(ctx context.Context) error {
	digests, err := a.digests(ctx)
	if err != nil {
		return err
	}
	a.checkShared()
	for i, m := range a.memory {
		if m == nil {
			continue
		}
		for j := range a.shards {
			if j == i {
				continue
			}
			what, err := a.standsIn(ctx, j, i)
			if err != nil {
				return err
			}
			if part := a.recorded(i, digests[j]); what == "" && part != nil {
				what = fmt.Sprintf("it holds what %s held when it was merged", part.Name)
			}
			if what == "" {
				continue
			}
			f := merge.Finding{
				Rule: "same-origin", Severity: merge.Block, Shard: a.name(j), Text: fmt.Sprintf("%s seems to be a part of %s, which is a merge: %s", a.name(j), a.name(i), what),
				Next: fmt.Sprintf("leave %s out, or its players would stand there twice; if it is another server, say so by its number: --server %[1]s=N", a.name(j)),
			}
			if a.shards[j].Source().Server != nil {
				f.Severity, f.Next = merge.Info, "look once more whether it is the server of this number"
			}
			a.find(f)
		}
	}
	return nil
}

// standsIn says how much of an input stands in a merged one under the same keys, or under the same names; "" when it is not nearly everything.
func (a *auditor) standsIn(ctx context.Context, part, whole int) (string, error) {
	var rows, equal, named, known int64
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows != merge.MergeRows || line.rows[part] == 0 || len(t.PrimaryKey) != 1 {
			continue
		}
		if s := a.spaces[t.KeyCols()[0]]; s != nil && s.plan.New != merge.Static {
			_, same, err := a.engine.SameRows(ctx, a.raw[part], a.raw[whole], t.Name, originRows)
			if err != nil {
				return "", err
			}
			rows, equal = rows+min(line.rows[part], originRows), equal+same
		}
		for _, u := range t.Uniques {
			if len(u.Columns) != 1 || u.Where || slices.Contains(t.PrimaryKey, u.Columns[0]) {
				continue
			}
			if c := t.Column(u.Columns[0], a.schema.Fold); c == nil || c.Affinity != merge.Text || !a.demands(part, u) {
				continue
			}
			n, err := a.shards[part].Count(ctx, t.Name, a.engine.Quote(u.Columns[0])+" IS NOT NULL")
			if err != nil {
				return "", err
			}
			_, shared, err := a.engine.Clashes(ctx, []merge.Shard{a.raw[part], a.raw[whole]}, *u, "", "", 1)
			if err != nil {
				return "", err
			}
			named, known = named+n, known+shared
		}
	}
	switch {
	case mostOf(equal, rows):
		return fmt.Sprintf("%d of %s stand there, equal, under their keys", equal, counted(rows, "row", "rows")), nil
	case mostOf(known, named):
		return fmt.Sprintf("%d of %s stand there", known, counted(named, "unique name", "unique names")), nil
	}
	return "", nil
}

func mostOf(n, all int64) bool { return all >= originLeast && float64(n) >= originShare*float64(all) }
