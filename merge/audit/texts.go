package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkTexts looks at references to text keys, which get new values by renames alone, and which only a reference straight to the renamed column follows; and gives
// their dead values tombstones.
func (a *auditor) checkTexts(ctx context.Context) error {
	for _, r := range a.refs {
		if r.As == merge.Plain {
			a.checkComputed(r)
			a.askFound(r)
			if err := a.askOneCase(ctx, r); err != nil {
				return err
			}
		}
		if r.As == merge.Copy || a.namesKey(r) && !a.keyTable(r).folds() {
			if err := a.checkTextNone(ctx, r); err != nil {
				return err
			}
		}
	}
	if err := a.chooseTombstones(ctx); err != nil {
		return err
	}
	if err := a.checkListed(ctx); err != nil {
		return err
	}
	if err := a.checkNumbered(ctx); err != nil {
		return err
	}
	for _, r := range a.refs {
		if err := a.checkPartCopied(ctx, r); err != nil {
			return err
		}
	}
	for _, r := range a.refs {
		a.checkChanging(r)
	}
	return nil
}

// checkPartCopied refuses a copy of a column of a key of several, of which some rows get another text and others of the same text do not: it does not say which are meant.
func (a *auditor) checkPartCopied(ctx context.Context, r *reference) error {
	for _, n := range a.rename {
		col := merge.Col{Table: n.Unique.Table, Name: n.Column}
		if r.As != merge.Copy || r.To[0] != col || len(n.Unique.Columns) == 1 {
			continue
		}
		for i, rows := range n.Shards {
			own, ok := a.shards[i].Schema().Resolve(col)
			if !ok || len(rows) == 0 {
				continue
			}
			lost := map[any]int64{}
			for _, row := range rows {
				lost[row.Old]++
			}
			list, err := a.shards[i].Values(ctx, own, "", 0)
			if err != nil {
				return err
			}
			list = slices.DeleteFunc(list, func(v merge.ValueCount) bool {
				text, is := v.Value[0].(string)
				return !is || lost[text] == 0 || lost[text] == v.Rows
			})
			if len(list) == 0 {
				continue
			}
			a.find(merge.Finding{
				Rule: "rename", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Shard: a.name(i), Samples: []string{tupleText(list[0].Value)},
				Text: fmt.Sprintf("repeats %s alone, and rows of %s with the same text get different ones, for %s tells them apart together: it does not say which row is meant", col, a.name(i), merge.JoinCols(n.Unique.Cols())),
				Next: "take the rename out of the plan, and " + a.byHand(col) + a.orFoldKey(col),
			})
		}
	}
	return nil
}

// byHand is the advice to change a text where no rename carries it out, in all tables that hold it.
func (a *auditor) byHand(c merge.Col) string {
	var tables []string
	a.knownOrAsked(func(r *merge.Reference) bool {
		if r.As != merge.Keep && slices.Contains(r.To, c) && !slices.Contains(tables, r.Table()) {
			tables = append(tables, r.Table())
		}
		return false
	})
	as := ""
	if len(tables) > 0 {
		as = ", as " + strings.Join(tables, " and ")
	}
	return fmt.Sprintf("give such rows of the later shards another %s in copies of these, in %s and in all that holds it%s", c.Name, c.Table, as)
}

// orFoldKey is the advice to fold a table by its primary key, where a column is a part of it.
func (a *auditor) orFoldKey(c merge.Col) string {
	if slices.Contains(a.schema.Table(c.Table).PrimaryKey, c.Name) {
		return fmt.Sprintf("; or, if they are the same thing on every server, say %s", rowsLine(c.Table, merge.UnionRows))
	}
	return ""
}

// checkTextNone refuses a text that means nobody by the plan and is somebody's: a rename of that row would change it. What copies names may have a word of the game beside somebody's name in other
// letters, where it tells the two apart.
func (a *auditor) checkTextNone(ctx context.Context, r *reference) error {
	var none []merge.ValueCount
	for _, v := range r.None {
		none = append(none, merge.ValueCount{Value: []any{v}})
	}
	for i, s := range a.shards {
		if len(none) == 0 || s.Schema().Column(r.To[0]) == nil {
			continue
		}
		held, err := a.captured(ctx, r, r.To, i, none, nil)
		if err != nil {
			return err
		}
		for _, v := range held {
			f := merge.Finding{
				Rule: "nobody", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Shard: a.name(i),
				Text: fmt.Sprintf("%s means nobody by the plan, but %s has a row whose %s it is", tupleText(v.Value), a.name(i), r.To[0]), Next: "take it out of none, or rename that row first",
			}
			if name, err := a.inOtherLetters(ctx, r, i, v.Value[0]); err != nil {
				return err
			} else if name != "" {
				f.Severity, f.Next = merge.Info, "take it out of none where it is that row's name"
				f.Text = fmt.Sprintf("%s means nobody by the plan, and %s has a row whose %s it is in other letters (%q): what spells it as the plan does stays", tupleText(v.Value), a.name(i), r.To[0], name)
			}
			a.find(f)
		}
	}
	return nil
}

// inOtherLetters is a name that a copy's target calls equal to a text and the copy itself does not; "" where it calls one equal, too, or what it holds is no copy of names.
func (a *auditor) inOtherLetters(ctx context.Context, r *reference, shard int, v any) (name string, err error) {
	text, ok := v.(string)
	to, there := a.shards[shard].Schema().Resolve(r.To[0])
	if !ok || !there || r.As != merge.Copy || r.Via != "" || len(r.From) > 1 {
		return "", nil
	}
	list, err := a.shards[shard].Values(ctx, to, a.engine.Quote(to.Name)+" = "+a.engine.Literal(text), 0)
	if err != nil {
		return "", err
	}
	for _, v := range list {
		own := a.schema.Column(r.From[0]).Collation
		if name, ok = v.Value[0].(string); !ok || merge.Collated(name, own) == merge.Collated(text, own) {
			return "", nil
		}
	}
	return name, nil
}

// captured are those of some dead values that a shard's rows have as their key, as the key compares them or, where one is given, by a collation for each column.
func (a *auditor) captured(ctx context.Context, r *reference, to []merge.Col, shard int, dead []merge.ValueCount, collations []string) ([]merge.ValueCount, error) {
	if r != nil && r.Via != "" {
		if e, ok := a.engine.(former); ok {
			return e.Formed(ctx, a.raw[shard], r.To[0], r.Via, dead)
		}
		return nil, nil
	}
	if len(to) == 1 && len(collations) == 1 && collations[0] != "" {
		return a.capturedBy(ctx, to[0], shard, dead, collations[0])
	}
	words := make([]string, len(dead))
	for i, d := range dead {
		var parts []string
		for k, c := range to {
			part := a.engine.Quote(c.Name) + " = " + a.engine.Literal(d.Value[k])
			if k < len(collations) {
				part += a.collateBy(collations[k])
			}
			parts = append(parts, part)
		}
		words[i] = strings.Join(parts, " AND ")
	}
	n, err := a.shards[shard].Count(ctx, to[0].Table, a.staying(to[0].Table, shard, strings.Join(words, " OR ")))
	if err != nil || n == 0 || len(dead) == 1 {
		return dead[:min(int(n), len(dead))], err
	}
	first, err := a.captured(ctx, r, to, shard, dead[:len(dead)/2], collations)
	if err != nil {
		return nil, err
	}
	second, err := a.captured(ctx, r, to, shard, dead[len(dead)/2:], collations)
	return slices.Concat(first, second), err
}

// former is an engine that knows the forms in which copies repeat a text.
type former interface {
	// Formed returns those of some values that are the form of a text that a row of the shard has in the column.
	Formed(ctx context.Context, s merge.Shard, to merge.Col, via string, values []merge.ValueCount) ([]merge.ValueCount, error)
	// Forms are texts in the form via.
	Forms(ctx context.Context, s merge.Shard, via string, texts []string) ([]any, error)
}

// namesNobody tells whether the form of a new name is a copied value that names nobody: it must not begin to name the renamed row.
func (a *auditor) namesNobody(ctx context.Context, col merge.Col, name string) (bool, error) {
	e, ok := a.engine.(former)
	if !ok {
		return false, nil
	}
	for _, r := range a.refs {
		if r.As != merge.Copy || r.Via == "" || r.To[0] != col || r.dead() == 0 {
			continue
		}
		forms, err := e.Forms(ctx, a.raw[0], r.Via, []string{name})
		if err != nil {
			return false, err
		}
		if forms[0] == int64(0) {
			continue // base37 of a name without Latin letters and digits: it names nobody, whoever is called so
		}
		for _, c := range r.counts {
			if c != nil && slices.ContainsFunc(c.Dead, func(v merge.ValueCount) bool { return folded(valueText(v.Value[0])) == folded(valueText(forms[0])) }) {
				return true, nil
			}
		}
	}
	return false, nil
}
