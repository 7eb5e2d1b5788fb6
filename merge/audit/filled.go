package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// checkFilled refuses a plan that fills a reference that a shard lacks with somebody's key: no row of that shard ever pointed there, and the key may be another
// server's player. Where all servers mean the same thing by a key, it may stand.
func (a *auditor) checkFilled(ctx context.Context) error {
	for _, r := range a.refs {
		if r.As != merge.Plain && r.As != merge.Copy {
			continue
		}
		for i, from := range r.From {
			value, given := lookupFold(a.schema, a.tables[from.Table].plan.Missing, from.Name)
			if !given || a.sameEverywhere(r.To[i]) {
				continue
			}
			for shard := range a.shards {
				if err := a.filled(ctx, r, i, value, shard); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sameEverywhere tells whether a key means the same thing on every server.
func (a *auditor) sameEverywhere(key merge.Col) bool {
	s := a.spaces[a.top(key)]
	return a.tables[key.Table].folds() || s != nil && s.plan.New == merge.Static
}

// filled looks at the rows of one shard.
func (a *auditor) filled(ctx context.Context, r *reference, i int, value string, shard int) error {
	s, t := a.shards[shard], a.tables[r.table()]
	own := s.Schema().Table(t.Name)
	if own == nil || !t.takes(a.name(shard)) || own.Column(r.From[i].Name, a.schema.Fold) != nil {
		return nil
	}
	rows, err := s.Count(ctx, own.Name, r.Somebody(value, a.engine.Literal))
	if err != nil || rows == 0 {
		return err
	}
	next := "a value that means nobody, or add the column to a copy of " + a.name(shard) + " and fill it there"
	if len(r.None) == 0 {
		line := merge.Reference{From: []merge.Col{r.From[i]}, To: []merge.Col{r.To[i]}, None: []any{int64(0)}}
		next = "say what means nobody: " + planfile.ReferenceLine(&line)
	}
	if !a.schema.Column(r.From[i]).NotNull {
		line := merge.TablePlan{Table: t.Name, Missing: map[string]string{r.From[i].Name: "NULL"}}
		next = "give those rows null, as " + planfile.TableLine(&line) + " does, or " + next
	} else if len(r.None) > 0 {
		next = "give those rows " + next
	}
	if !slices.ContainsFunc(a.res.Findings, func(f merge.Finding) bool {
		return f.Rule == "missing" && f.Table == t.Name && f.Column == r.From[i].Name && f.Shard == a.name(shard)
	}) {
		a.find(merge.Finding{
			Rule: "missing", Severity: merge.Block, Table: t.Name, Column: r.From[i].Name, Shard: a.name(shard), Rows: rows,
			Text: fmt.Sprintf("%s lacks it and the plan fills it with %s: it refers to %s, and no row of that shard ever referred to that key", a.name(shard), value, r.To[i]), Next: next,
		})
	}
	return nil
}
