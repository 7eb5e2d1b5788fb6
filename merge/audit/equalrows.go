package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// From how many equal rows two servers seem to have one part of their world in common, and the share of different values from which a column tells rows apart, as a name and a moment do.
const (
	equalLeast = 10
	apartShare = 0.9
)

// tellEqual tells of rows that two servers have under one key, equal in every column, as those of a world that was once one: by the plan each comes, and whoever they are of stands
// there twice. Rows of which others may have the same by chance are not meant.
func (a *auditor) tellEqual(ctx context.Context) error {
	for _, s := range a.order {
		t := a.tables[s.key.Table]
		if !slices.Equal(t.PrimaryKey, []string{s.key.Name}) || t.plan.Rows != merge.MergeRows || a.tableAsked(t.Name) || s.plan.New == merge.Static || s.moves() == 0 {
			continue
		}
		equal, err := a.equalUnderOneKey(ctx, t)
		if err != nil {
			return err
		}
		if equal < equalLeast {
			continue
		}
		if apart, err := a.anyApart(ctx, t); err != nil {
			return err
		} else if apart {
			a.find(merge.Finding{
				Rule: "equal-rows", Severity: merge.Info, Table: t.Name, Column: s.key.Name, Rows: equal,
				Text: fmt.Sprintf("%d rows of %s stand in two shards under one key, equal in every column, as if both servers had begun with one world; each comes, and what they say stands there twice", equal, t.Name),
				Next: "where both are one player or one thing, take one of each two out in copies of the shards, or make them one by what names them (rows: by-value)",
			})
		}
	}
	return nil
}

// equalUnderOneKey counts the rows of later shards that equal the first one of their key; where the first ones are all others, the rest is not read.
func (a *auditor) equalUnderOneKey(ctx context.Context, t *table) (rows int64, err error) {
	for i := range a.shards {
		for j := range i {
			if t.rows[i] == 0 || t.rows[j] == 0 {
				continue
			}
			_, equal, err := a.engine.SameRows(ctx, a.raw[j], a.raw[i], t.Name, nil, sampled)
			if err != nil {
				return 0, err
			}
			if equal < equalLeast {
				continue
			}
			if _, equal, err = a.engine.SameRows(ctx, a.raw[j], a.raw[i], t.Name, nil, 0); err != nil {
				return 0, err
			}
			rows += equal
		}
	}
	return rows, nil
}

// anyApart tells whether some column beside the key and what refers to others tells a table's rows apart.
func (a *auditor) anyApart(ctx context.Context, t *table) (bool, error) {
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		if slices.Contains(t.PrimaryKey, c.Name) || c.Generated || slices.ContainsFunc(a.refs, func(r *reference) bool { return slices.Contains(r.From, col) }) {
			continue
		}
		apart := true
		for i, s := range a.shards {
			own, ok := s.Schema().Resolve(col)
			if !ok || t.rows[i] == 0 {
				continue
			}
			one, err := s.Sample(ctx, own, copiedSample)
			if err != nil {
				return false, err
			}
			seen, values := one.Other, int64(one.Others+len(one.Values))
			for _, n := range one.Weights {
				seen += n
			}
			apart = apart && values > 0 && float64(values) >= apartShare*float64(seen)
		}
		if apart {
			return true, nil
		}
	}
	return false, nil
}
