package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
	"github.com/gameid/gameid/merge/planfile"
)

// takeDeclared takes a foreign key of the schema, unless the plan says something about its columns or it leads nowhere.
func (a *auditor) takeDeclared(t *merge.Table, f *merge.ForeignKey) {
	r := merge.Reference{}
	to := a.schema.Targets(f)
	for i := range f.Columns {
		r.From = append(r.From, merge.Col{Table: t.Name, Name: f.Columns[i]})
		if i < len(to) {
			r.To = append(r.To, merge.Col{Table: f.ToTable, Name: to[i]})
		}
	}
	if from, ok := a.spelled(r.From); ok {
		r.From = from
	}
	_, found := a.spelled(r.To)
	switch {
	case a.covered(r.From):
		a.keptDeclared(r)
		for _, o := range a.linesFor(r.From) {
			if len(r.To) == 1 && !slices.Equal(o.To, r.To) {
				o.rivals = append(o.rivals, r.To[0])
			}
		}
	case a.schema.Table(f.ToTable) == nil:
		a.find(merge.Finding{
			Rule: "dangling", Severity: merge.Info, Table: t.Name, Column: strings.Join(f.Columns, ", "),
			Text: fmt.Sprintf("declared as a reference to %s, which no shard has: what it holds, its name and its values say", f.ToTable),
		})
	case len(r.To) != len(r.From):
		a.find(merge.Finding{
			Rule: "dangling", Severity: merge.Block, Table: t.Name, Column: strings.Join(f.Columns, ", "), Text: fmt.Sprintf("declared as a reference to the key of %s, which has other columns", f.ToTable),
			Next: "repair the foreign key, or say under references what the columns hold",
		})
	case !found:
		a.askDangling(t, r)
	case a.resolveReference(&r):
		evidence := "declared by the schema"
		if named := a.schema.InLetters(&r); named != nil {
			evidence += fmt.Sprintf(", to %s, which is %s(%s)", r.To[0], named.Via, named.To[0].Name)
			r = *named
		}
		a.refs = append(a.refs, &reference{Reference: r, grade: merge.Declared, evidence: evidence})
	}
}

// askDangling asks what columns hold whose declared reference leads to a column that no shard has, which an engine may take and a game never notice.
func (a *auditor) askDangling(t *merge.Table, r merge.Reference) {
	to := a.schema.Table(r.To[0].Table)
	a.find(merge.Finding{
		Rule: "dangling", Severity: merge.Decide, Table: t.Name, Column: r.From[0].Name, Rows: a.tables[t.Name].total(),
		Text: fmt.Sprintf("declared as a reference to %s, which no shard has", merge.JoinCols(r.To)), Next: "say under references what it holds, or as: keep",
	})
	for _, from := range r.From {
		line := merge.Reference{From: []merge.Col{from}, As: merge.Keep}
		if len(r.From) == 1 && len(to.PrimaryKey) == 1 {
			line = merge.Reference{From: r.From, To: to.KeyCols()}
		}
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s is declared as a reference to %s, which no shard has: what does it hold?", from, merge.JoinCols(r.To)), Rows: a.tables[t.Name].total(),
			Evidence: keepLine(from) + " says that it holds no key", Reference: &line,
		})
	}
}

// linesFor are the references that one column follows: the first, of the plan or declared before, that it follows in every row, or those of the plan under conditions.
func (a *auditor) linesFor(from []merge.Col) (list []*reference) {
	for _, r := range a.refs {
		switch {
		case r.As != merge.Plain || len(from) != 1 || !slices.Equal(r.From, from):
		case r.When == "":
			return []*reference{r}
		case r.byPlan:
			list = append(list, r)
		}
	}
	return list
}

// checkRivals refuses a column that is declared as a reference to one key and follows another, whose values change apart. Where the plan says what the column
// holds, a declaration that no row keeps hurts nobody.
func (a *auditor) checkRivals(ctx context.Context, r *reference) error {
	for _, to := range r.rivals {
		own, ok := a.schema.Resolve(to)
		if !ok || a.top(own) == a.top(r.To[0]) || r.When != "" && a.leadsOn(own, r.To[0]) {
			continue
		}
		f := merge.Finding{
			Rule: "condition", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name,
			Text: fmt.Sprintf("declared as a reference to %s and to %s: one value cannot follow two keys", r.To[0], to), Next: "say under references which of the two it holds, and drop the other foreign key in copies of the shards",
		}
		if r.byPlan {
			var err error
			if f.Rows, err = a.fulfilling(ctx, r, own); err != nil {
				return err
			}
			if f.Rows == 0 {
				continue
			}
			named := r.To[0].String()
			if r.When != "" {
				named += fmt.Sprintf(" when %s", r.When)
			}
			f.Text = fmt.Sprintf("the plan says that it refers to %s, and the schema declares that it refers to %s, which %s: one value cannot follow two keys", named, own, counted(f.Rows, "row keeps", "rows keep"))
			f.Next = fmt.Sprintf("change that line of the plan to to: %s, or drop the foreign key in copies of the shards", own)
		}
		a.find(f)
	}
	return nil
}

// leadsOn tells whether some rows of a column follow a key by a line of their own, as what refers to that column then does.
func (a *auditor) leadsOn(c, to merge.Col) bool {
	return slices.ContainsFunc(a.about(c), func(r *reference) bool {
		return r.As == merge.Plain && r.When != "" && a.top(r.To[0]) == a.top(to)
	})
}

// fulfilling counts the rows, of those that a reference means, whose value is a key of the table that a foreign key names.
func (a *auditor) fulfilling(ctx context.Context, r *reference, to merge.Col) (rows int64, err error) {
	for _, s := range a.shards {
		own, ok := s.Schema().Resolve(r.From[0])
		target, found := s.Schema().Resolve(to)
		if !ok || !found {
			continue
		}
		where := fmt.Sprintf("%s IN (SELECT %s FROM %s)", a.engine.Quote(own.Name), a.engine.Quote(target.Name), a.engine.Quote(target.Table))
		if r.When != "" {
			where += " AND " + bracketed(r.When)
		}
		n, err := s.Count(ctx, own.Table, where)
		if err != nil {
			return 0, err
		}
		rows += n
	}
	return rows, nil
}

// foreignKeys are a table's declared references, those of its declaration in the output first. Another shard may declare more.
func (a *auditor) foreignKeys(t *merge.Table) []*merge.ForeignKey {
	list := slices.Clone(t.ForeignKeys)
	for _, s := range a.shards {
		own := s.Schema().Table(t.Name)
		if own == nil {
			continue
		}
		for _, f := range own.ForeignKeys {
			if !slices.ContainsFunc(list, func(g *merge.ForeignKey) bool {
				return a.schema.Equal(f.ToTable, g.ToTable) && slices.EqualFunc(f.Columns, g.Columns, a.schema.Equal)
			}) {
				list = append(list, f)
			}
		}
	}
	return list
}

// contradicted tells whether the values of a column that the schema alone declares to refer to a key are another one instead, so that the declaration says nothing of it.
func (a *auditor) contradicted(r *reference) bool {
	return !r.byPlan && slices.ContainsFunc(a.doubted, func(d discover.Doubt) bool {
		return d.When == "" && d.To[0] != d.Declared && slices.Equal(d.From, r.From)
	})
}

// askDoubts asks about declared references whose values look as if rows held another table's keys. What the plan says of the column is not asked about.
func (a *auditor) askDoubts(context.Context) error {
	asked := map[merge.Col]bool{}
	for _, d := range a.doubted {
		asked[d.From[0]] = a.askedAs(d.From[0]) >= 0 || slices.ContainsFunc(a.refs, func(r *reference) bool { return r.byPlan && r.Covers(a.schema, d.From[0]) })
	}
	for _, d := range a.doubted {
		from, line := d.From[0], d.Reference
		if asked[from] {
			continue
		}
		question := fmt.Sprintf("%s is declared as a reference to %s, and some rows seem to hold another key: is it right for all of them? Where it is not, drop the foreign key in copies of the shards and write one line for each key, with when:", from, d.Declared)
		switch own := (merge.Reference{From: d.From, To: []merge.Col{d.Declared}}); {
		case d.When == "" && d.To[0] != d.Declared:
			own.Orphans = merge.ByTombstone
			question = fmt.Sprintf("does %s hold %s? It is declared as a reference to %s, which many of its rows are not: if it holds these, drop the foreign key in copies of the shards, too; if the schema is right, say %s",
				from, d.To[0], d.Declared, planfile.ReferenceLine(&own))
		case d.When != "":
			question = fmt.Sprintf("does %s hold %s when %s? It is declared as a reference to %s: if that is right for all rows, say so in place of these lines: %s; if not, drop the foreign key in copies of the shards, too",
				from, d.To[0], d.When, d.Declared, planfile.ReferenceLine(&own))
		}
		a.ask(merge.Undecided{Question: question, Evidence: d.Evidence, Rows: a.tables[from.Table].total(), Reference: &line})
	}
	return nil
}
