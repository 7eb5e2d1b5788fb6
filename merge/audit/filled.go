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
			for _, shard := range a.without(from) {
				if err := a.filled(ctx, r, i, value, shard); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkFilledKeys refuses a plan that fills what other columns refer to or repeat, or what numbers a server's own things: it is compared with no other server's.
func (a *auditor) checkFilledKeys(ctx context.Context) error {
	for _, known := range a.schema.Tables {
		t := a.tables[known.Name]
		for _, c := range known.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			value, given := lookupFold(a.schema, t.plan.Missing, c.Name)
			led := func(r *reference) bool { return r.As != merge.Keep && slices.Contains(r.To, col) }
			if !given || a.sameEverywhere(col) || a.spaces[col] == nil && !slices.ContainsFunc(a.refs, led) {
				continue
			}
			none := []any{int64(0), ""}
			if s := a.spaces[col]; s != nil {
				for _, v := range s.plan.None {
					none = append(none, v)
				}
			}
			for _, shard := range a.without(col) {
				rows, err := a.shards[shard].Count(ctx, t.Name, (&merge.Reference{None: none}).Somebody(value, a.engine.Literal))
				if err != nil {
					return err
				}
				if rows > 0 {
					a.find(merge.Finding{
						Rule: "missing", Severity: merge.Block, Table: t.Name, Column: c.Name, Shard: a.name(shard), Rows: rows,
						Text: fmt.Sprintf("%s lacks it and the plan fills it with %s: others are found by it, and nothing compares what is filled in with other servers' values", a.name(shard), value),
						Next: "add the column to a copy of " + a.name(shard) + ", declared as elsewhere, and fill it there",
					})
				}
			}
		}
	}
	return nil
}

// without are the shards with rows that a table takes but without a column of it.
func (a *auditor) without(c merge.Col) (list []int) {
	for i, s := range a.shards {
		if own := s.Schema().Table(c.Table); own != nil && a.tables[c.Table].takes(a.name(i)) && own.Column(c.Name, a.schema.Fold) == nil {
			list = append(list, i)
		}
	}
	return list
}

// sameEverywhere tells whether a key means the same thing on every server.
func (a *auditor) sameEverywhere(key merge.Col) bool {
	s := a.spaces[a.top(key)]
	return a.tables[key.Table].folds() || s != nil && s.plan.New == merge.Static
}

// filled looks at the rows of one shard.
func (a *auditor) filled(ctx context.Context, r *reference, i int, value string, shard int) error {
	s, t := a.shards[shard], a.tables[r.table()]
	rows, err := s.Count(ctx, t.Name, r.Somebody(value, a.engine.Literal))
	if err != nil {
		return err
	}
	why := fmt.Sprintf("it refers to %s, and no row of that shard ever referred to that key", r.To[i])
	elsewhere := "add the column to a copy of " + a.name(shard) + ", declared as elsewhere, and fill it there"
	next := "a value that means nobody, or " + elsewhere
	bound := a.bound(r.From[i])
	if rows == 0 && bound { // what means nobody is no key either
		why = fmt.Sprintf("it is declared to refer to %s, and no row has that key", r.To[i])
		if rows, err = s.Count(ctx, t.Name, (&merge.Reference{}).Somebody(value, a.engine.Literal)); err != nil {
			return err
		}
	}
	switch {
	case rows == 0:
		return nil
	case bound:
		next = elsewhere
	case len(r.None) == 0:
		line := merge.Reference{From: []merge.Col{r.From[i]}, To: []merge.Col{r.To[i]}, None: []any{int64(0)}}
		next = "say what means nobody: " + planfile.ReferenceLine(&line)
	}
	if a.schema.TakesNull(r.From[i]) {
		line := merge.TablePlan{Table: t.Name, Missing: map[string]string{r.From[i].Name: "NULL"}}
		next = "give those rows null, as " + planfile.TableLine(&line) + " does, or " + next
	} else if len(r.None) > 0 && !bound {
		next = "give those rows " + next
	}
	if !slices.ContainsFunc(a.res.Findings, func(f merge.Finding) bool {
		return f.Rule == "missing" && f.Table == t.Name && f.Column == r.From[i].Name && f.Shard == a.name(shard)
	}) {
		a.find(merge.Finding{
			Rule: "missing", Severity: merge.Block, Table: t.Name, Column: r.From[i].Name, Shard: a.name(shard), Rows: rows,
			Text: fmt.Sprintf("%s lacks it and the plan fills it with %s: %s", a.name(shard), value, why), Next: next,
		})
	}
	return nil
}
