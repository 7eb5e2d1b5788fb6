package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// declaredKey is a foreign key of the schema whose columns the plan keeps as they are.
type declaredKey struct {
	from, to []merge.Col
}

// keptDeclared notes a foreign key that the plan names, by all its columns, and says to keep in every row.
func (a *auditor) keptDeclared(r merge.Reference) {
	if len(r.From) != len(r.To) || !slices.ContainsFunc(a.refs, func(k *reference) bool { return k.As == merge.Keep && k.When == "" && k.Names(r.From) }) {
		return
	}
	if to, ok := a.spelled(r.To); ok {
		a.kepts = append(a.kepts, declaredKey{r.From, to})
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
				if named := a.schema.InLetters(&r.Reference); named != nil {
					f.Next = "say that it repeats the name itself: " + planfile.ReferenceLine(named)
				}
			case r.As == merge.Copy && (s != nil && s.plan.New != merge.Static || a.renumberedInRows(to)):
				f.Text = fmt.Sprintf("is kept as a copy of %s, which gets new values as a key, and copies follow renames alone: a copy of a key is a reference", to)
				f.Next = "say that it refers to it: " + refersLine(r.From[:1], []merge.Col{to})
			default:
				continue
			}
			a.find(f)
		}
	}
	for _, r := range a.plain() {
		if err := a.checkByRow(ctx, r); err != nil {
			return err
		}
		if err := a.checkParts(ctx, r); err != nil {
			return err
		}
	}
	for _, k := range a.kepts {
		if err := a.checkKept(ctx, k); err != nil {
			return err
		}
	}
	return nil
}

// checkParts refuses a reference of several columns of which the plan leads one to another key by another reference: one value cannot follow two keys.
func (a *auditor) checkParts(ctx context.Context, r *reference) error {
	for part, c := range r.From {
		if len(r.From) == 1 || part >= len(r.spaces) || len(a.ledInSome(r.To[part])) > 0 { // that is checkByRow's
			continue
		}
		seen := false
		for _, o := range a.plain() {
			seen = seen || o == r
			at := slices.Index(o.From, c)
			if o == r || at < 0 || at >= len(o.spaces) || len(o.From) > 1 && !seen || o.When != "" && o.When != r.When {
				continue
			}
			one, other := r.spaces[part], o.spaces[at]
			if one == other || !one.changes() && !other.changes() {
				continue
			}
			rows, err := a.referByBoth(ctx, r, o)
			if err != nil {
				return err
			}
			if rows == 0 {
				continue
			}
			next := fmt.Sprintf("take out the line of %s", merge.JoinCols(o.From))
			if !one.changes() {
				next = fmt.Sprintf("lead both the same way: %s; or %s", refersLine(r.To[part:part+1], o.To[at:at+1]), next)
			}
			a.find(merge.Finding{
				Rule: "follow", Severity: merge.Block, Table: c.Table, Column: c.Name, Rows: rows,
				Text: fmt.Sprintf("the plan leads it to %s, and as a part of %s to %s: one value cannot follow two keys", other.wayOf(o.To[at]), merge.JoinCols(r.From), one.wayOf(r.To[part])),
				Next: next,
			})
			break
		}
	}
	return nil
}

// referByBoth counts the rows that refer to something by each of two references of one table.
func (a *auditor) referByBoth(ctx context.Context, r, o *reference) (rows int64, err error) {
	for i, s := range a.shards {
		if r.counts[i] == nil || o.counts[i] == nil {
			continue
		}
		n, err := s.Count(ctx, r.table(), a.refers(r)+" AND "+a.refers(o))
		if err != nil {
			return 0, fmt.Errorf("%s in %s: %w", r.String(), a.name(i), err)
		}
		rows += n
	}
	return rows, nil
}

// refers is an SQL condition on the rows that refer to something by a reference.
func (a *auditor) refers(r *reference) string {
	var words []string
	for _, c := range r.From {
		name := a.engine.Quote(c.Name)
		words = append(words, name+" IS NOT NULL")
		for _, v := range r.None {
			words = append(words, name+" <> "+a.engine.Literal(v))
		}
	}
	if r.When != "" {
		words = append(words, bracketed(r.When))
	}
	return strings.Join(words, " AND ")
}

// changes tells whether any value of a key changes, a living or a dead one.
func (s *space) changes() bool {
	return s != nil && (s.moves() > 0 || s.result != nil && s.result.Tombstones > 0)
}

// wayOf says what becomes of the values of a column that follows a key.
func (s *space) wayOf(c merge.Col) string {
	switch {
	case !s.changes():
		return c.String() + ", which stays as it is"
	case s.key == c:
		return c.String() + ", which gets new values"
	}
	return fmt.Sprintf("%s, which follows %s", c, s.key)
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

// checkKept refuses to keep columns that the schema declares as a reference where rows of it hold what changes, or what only another shard has: they would
// belong to somebody else.
func (a *auditor) checkKept(ctx context.Context, k declaredKey) error {
	var rows int64
	var where []string
	for i, sh := range a.shards {
		if !a.has(i, k.from[0].Table) || !a.tables[k.from[0].Table].takes(a.name(i)) {
			continue
		}
		var most int64
		for part := range k.from {
			n, err := a.leftBehind(ctx, sh, i, k, part)
			if err != nil {
				return err
			}
			most = max(most, n)
		}
		if most > 0 {
			rows += most
			where = append(where, fmt.Sprintf("%d of %s", most, a.name(i)))
		}
	}
	if rows > 0 {
		var names []string
		for _, c := range k.from {
			names = append(names, c.Name)
		}
		a.res.Verdict.WrongRows += rows
		a.find(merge.Finding{
			Rule: "follow", Severity: merge.Block, Table: k.from[0].Table, Column: strings.Join(names, ", "), Rows: rows,
			Text: fmt.Sprintf("the plan keeps it, and the schema declares that it refers to %s: %s (%s) would belong to somebody else", merge.JoinCols(k.to), counted(rows, "row", "rows"), strings.Join(where, ", ")),
			Next: "take it out of as: keep, or drop the foreign key in copies of the shards",
		})
	}
	return nil
}

// leftBehind counts a shard's rows of which one part of a kept foreign key holds a key that changes, or one that only another shard has. A part that another
// reference follows in every row is not left behind.
func (a *auditor) leftBehind(ctx context.Context, sh merge.Shard, shard int, k declaredKey, part int) (int64, error) {
	from, to := k.from[part], k.to[part]
	s := a.spaces[a.top(to)]
	follows := slices.ContainsFunc(a.plain(), func(r *reference) bool {
		at := slices.Index(r.From, from)
		return r.When == "" && at >= 0 && r.spaces[at] == s
	})
	if follows || s == nil && !a.mayRename(to) || sh.Schema().Column(from) == nil {
		return 0, nil
	}
	ref := merge.Reference{From: []merge.Col{from}, To: []merge.Col{to}}
	for _, other := range k.from { // a null part makes it no reference
		if other == from {
			continue
		}
		if ref.When != "" {
			ref.When += " AND "
		}
		ref.When += a.engine.Quote(other.Name) + " IS NOT NULL"
	}
	q := merge.RefQuery{Reference: &ref}
	if s != nil {
		q.Alive, q.Moving = s.alive[shard], s.moving[shard]
	}
	c, err := sh.Measure(ctx, q)
	if err != nil {
		return 0, err
	}
	if s == nil {
		return c.Alive, nil // which of the names change is not known yet
	}
	return c.Moving + s.elsewhere(c.Dead), nil
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
