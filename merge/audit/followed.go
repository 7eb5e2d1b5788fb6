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

// keptDeclared notes a foreign key of one column that the plan names and says to keep in every row.
func (a *auditor) keptDeclared(r merge.Reference) {
	if len(r.From) != 1 || len(r.To) != 1 || !slices.ContainsFunc(a.refs, func(k *reference) bool { return k.As == merge.Keep && k.When == "" && slices.Equal(k.From, r.From) }) {
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
			case r.As == merge.Copy && s != nil && s.plan.New != merge.Static:
				f.Text = fmt.Sprintf("is kept as a copy of %s, which gets new values as a key, and copies follow renames alone: a copy of a key is a reference", to)
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

// checkKept refuses to keep a column that the schema declares as a reference where rows of it hold what changes, or what only another shard has: they would
// belong to somebody else.
func (a *auditor) checkKept(ctx context.Context, k declaredKey) error {
	s := a.spaces[a.top(k.to)]
	if s == nil && !a.mayRename(k.to) {
		return nil
	}
	var rows int64
	var where []string
	for i, sh := range a.shards {
		if !a.has(i, k.from.Table) || !a.tables[k.from.Table].takes(a.name(i)) || sh.Schema().Column(k.from) == nil {
			continue
		}
		q := merge.RefQuery{Reference: &merge.Reference{From: []merge.Col{k.from}, To: []merge.Col{k.to}}}
		if s != nil {
			q.Alive, q.Moving = s.alive[i], s.moving[i]
		}
		c, err := sh.Measure(ctx, q)
		if err != nil {
			return err
		}
		n := c.Moving
		if s == nil {
			n = c.Alive // which of the names change is not known yet
		} else {
			n += s.elsewhere(c.Dead)
		}
		if n > 0 {
			rows += n
			where = append(where, fmt.Sprintf("%d of %s", n, a.name(i)))
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

// elsewhere counts the rows whose dead value some shard has a row for.
func (s *space) elsewhere(dead []merge.ValueCount) (rows int64) {
	for _, d := range dead {
		if v, ok := d.Value[0].(int64); ok && slices.ContainsFunc(s.alive, func(k *merge.KeySet) bool { return k.Has(v) }) {
			rows += d.Rows
		}
	}
	return rows
}
