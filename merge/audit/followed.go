package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// declaredKey is a foreign key of the schema whose column the plan keeps as it is.
type declaredKey struct {
	from, to merge.Col
}

// keptDeclared notes a foreign key of one column that the plan says to keep in every row.
func (a *auditor) keptDeclared(r merge.Reference) {
	if len(r.From) != 1 || len(r.To) != 1 || !slices.ContainsFunc(a.keptBy(r.From[0]), func(k *reference) bool { return k.When == "" }) {
		return
	}
	if to, ok := a.schema.Resolve(r.To[0]); ok {
		a.kepts = append(a.kepts, declaredKey{r.From[0], to})
	}
}

// checkFollowed refuses references that nothing can carry to where their rows went: to a column that the engine computes from values that change, as a copy of a
// key that gets new values, and those that the schema declares and the plan keeps as they are.
func (a *auditor) checkFollowed(ctx context.Context) error {
	for _, r := range a.refs {
		if r.As != merge.Plain && r.As != merge.Copy {
			continue
		}
		for _, to := range r.To {
			column := a.schema.Column(to)
			f := merge.Finding{Rule: "follow", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Rows: r.held()}
			switch s := a.spaceOf(to); {
			case f.Rows == 0 || column == nil:
				continue
			case column.Generated && a.changes(to):
				f.Text = fmt.Sprintf("refers to %s, which is computed from values that change: what refers to it cannot follow", to)
				f.Next = "refer to the key itself in copies of the shards, or keep the values from changing (new: static, on_conflict: fail)"
			case r.As == merge.Copy && s != nil && s.moves() > 0:
				f.Text = fmt.Sprintf("is kept as a copy of %s, which gets new values as a key, and copies follow renames alone", to)
				f.Next = fmt.Sprintf("say that it refers to it: {from: %s, to: %s}", r.From[0], to)
			default:
				continue
			}
			a.find(f)
		}
	}
	for _, k := range a.kepts {
		if err := a.checkKept(ctx, k); err != nil {
			return err
		}
	}
	return nil
}

// held counts the rows that refer to something.
func (r *reference) held() (n int64) {
	for _, c := range r.counts {
		if c != nil {
			n += c.Rows
		}
	}
	return n
}

// checkKept refuses to keep a column that the schema declares as a reference where rows of it hold keys that change: they would belong to somebody else.
func (a *auditor) checkKept(ctx context.Context, k declaredKey) error {
	s := a.spaces[a.top(k.to)]
	if s == nil || s.moves() == 0 {
		return nil
	}
	var rows int64
	var where []string
	for i, sh := range a.shards {
		if !a.has(i, k.from.Table) || !a.tables[k.from.Table].takes(a.name(i)) || sh.Schema().Column(k.from) == nil {
			continue
		}
		c, err := sh.Measure(ctx, merge.RefQuery{Reference: &merge.Reference{From: []merge.Col{k.from}, To: []merge.Col{k.to}}, Alive: s.alive[i], Moving: s.moving[i]})
		if err != nil {
			return err
		}
		if c.Moving > 0 {
			rows += c.Moving
			where = append(where, fmt.Sprintf("%d of %s", c.Moving, a.name(i)))
		}
	}
	if rows > 0 {
		a.res.Verdict.WrongRows += rows
		a.find(merge.Finding{
			Rule: "follow", Severity: merge.Block, Table: k.from.Table, Column: k.from.Name, Rows: rows,
			Text: fmt.Sprintf("the plan keeps it, and the schema declares that it refers to %s: %s (%s) would belong to somebody else", k.to, counted(rows, "row", "rows"), strings.Join(where, ", ")),
			Next: "take it out of as: keep, or drop the foreign key in copies of the shards",
		})
	}
	return nil
}
