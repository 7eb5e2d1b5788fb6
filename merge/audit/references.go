package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// reference is one reference that takes effect.
type reference struct {
	merge.Reference
	grade    merge.Grade
	evidence string
	spaces   []*space // by column; nil where the target never changes
	counts   []*merge.RefCount
	cleared  []*merge.ValueSet
	byPlan   bool
	found    int64       // rows whose dead text is a row of another shard, where rows of equal keys fold
	where    []string    // in words
	rivals   []merge.Col // further keys that the schema declares for the same column
}

func (r *reference) table() string { return r.From[0].Table }

// dead counts the rows that point at nobody.
func (r *reference) dead() int64 {
	var n int64
	for _, c := range r.counts {
		if c != nil {
			n += c.Rows - c.Alive
		}
	}
	return n
}

// knownReferences takes the references that the schemas declare and those that the plan names. The plan's word about a declared one wins.
func (a *auditor) knownReferences(ctx context.Context) error {
	for i := range a.given.References {
		r := a.given.References[i]
		if !a.resolveReference(&r) {
			continue
		}
		if err := a.tryCondition(ctx, r.From[0].Table, r.When); err != nil {
			a.problem("references: %s: when %q: %v", merge.JoinCols(r.From), r.When, err)
			continue
		}
		if strings.Contains(r.Via, "{}") {
			form := strings.ReplaceAll(r.Via, "{}", a.engine.Quote(r.To[0].Name))
			if err := a.tryCondition(ctx, r.To[0].Table, form); err != nil {
				a.problem("references: %s: via %q: %v", merge.JoinCols(r.From), r.Via, err)
				continue
			}
		}
		switch r.As {
		case merge.Plain, merge.Keep, merge.Copy:
		default:
			a.problem("references: %s: the form %q is not carried out by this version; put the keys into columns of their own in copies of the shards, or say as: keep if they may point elsewhere", merge.JoinCols(r.From), r.As)
			continue
		}
		a.refs = append(a.refs, &reference{Reference: r, grade: merge.Declared, evidence: "named by the plan", byPlan: true})
	}
	for _, t := range a.schema.Tables {
		for _, f := range a.foreignKeys(t) {
			r := merge.Reference{}
			to := a.targetColumns(f)
			for i := range f.Columns {
				r.From = append(r.From, merge.Col{Table: t.Name, Name: f.Columns[i]})
				if i < len(to) {
					r.To = append(r.To, merge.Col{Table: f.ToTable, Name: to[i]})
				}
			}
			if from, ok := a.spelled(r.From); ok {
				r.From = from
			}
			if a.covered(r.From) {
				a.keptDeclared(r)
				if first := a.firstFor(r.From); first != nil && len(r.To) == 1 && !slices.Equal(first.To, r.To) {
					first.rivals = append(first.rivals, r.To[0])
				}
				continue
			}
			if a.schema.Table(f.ToTable) == nil {
				a.find(merge.Finding{
					Rule: "dangling", Severity: merge.Info, Table: t.Name, Column: strings.Join(f.Columns, ", "),
					Text: fmt.Sprintf("declared as a reference to %s, which no shard has; kept as it is", f.ToTable),
				})
				continue
			}
			if len(r.To) != len(r.From) {
				a.find(merge.Finding{
					Rule: "dangling", Severity: merge.Block, Table: t.Name, Column: strings.Join(f.Columns, ", "), Text: fmt.Sprintf("declared as a reference to the key of %s, which has other columns", f.ToTable),
					Next: "repair the foreign key, or say under references what the columns hold",
				})
				continue
			}
			if _, ok := a.spelled(r.To); !ok {
				a.askDangling(t, r)
				continue
			}
			if !a.resolveReference(&r) {
				continue
			}
			a.refs = append(a.refs, &reference{Reference: r, grade: merge.Declared, evidence: "declared by the schema"})
		}
	}
	return nil
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
			Evidence: "{from: " + from.String() + ", as: keep} says that it holds no key", Reference: &line,
		})
	}
}

// firstFor is the reference, of the plan or declared before, that one column follows in every row.
func (a *auditor) firstFor(from []merge.Col) *reference {
	i := slices.IndexFunc(a.refs, func(r *reference) bool {
		return r.As == merge.Plain && r.When == "" && len(from) == 1 && slices.Equal(r.From, from)
	})
	if i < 0 {
		return nil
	}
	return a.refs[i]
}

// checkRivals refuses a column that is declared as a reference to one key and follows another, whose values change apart. Where the plan says what the column
// holds, a declaration that no row keeps hurts nobody.
func (a *auditor) checkRivals(ctx context.Context, r *reference) error {
	for _, to := range r.rivals {
		own, ok := a.schema.Resolve(to)
		if !ok || a.top(own) == a.top(r.To[0]) {
			continue
		}
		f := merge.Finding{
			Rule: "condition", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name,
			Text: fmt.Sprintf("declared as a reference to %s and to %s: one value cannot follow two keys", r.To[0], to), Next: "say under references which of the two it holds, and drop the other foreign key in copies of the shards",
		}
		if r.byPlan {
			var err error
			if f.Rows, err = a.kept(ctx, r.From[0], own); err != nil {
				return err
			}
			if f.Rows == 0 {
				continue
			}
			f.Text = fmt.Sprintf("the plan says that it refers to %s, and the schema declares that it refers to %s, which %s: one value cannot follow two keys", r.To[0], own, counted(f.Rows, "row keeps", "rows keep"))
			f.Next = fmt.Sprintf("change that line of the plan to to: %s, or drop the foreign key in copies of the shards", own)
		}
		a.find(f)
	}
	return nil
}

// kept counts the rows whose value is a key of the table that a foreign key names.
func (a *auditor) kept(ctx context.Context, from, to merge.Col) (rows int64, err error) {
	for _, s := range a.shards {
		own, ok := s.Schema().Resolve(from)
		target, found := s.Schema().Resolve(to)
		if !ok || !found {
			continue
		}
		n, err := s.Count(ctx, own.Table, fmt.Sprintf("%s IN (SELECT %s FROM %s)", a.engine.Quote(own.Name), a.engine.Quote(target.Name), a.engine.Quote(target.Table)))
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

// targetColumns are what a declared reference refers to: the key, where it names no columns. The table may stand in another shard only.
func (a *auditor) targetColumns(f *merge.ForeignKey) []string {
	if t := a.schema.Table(f.ToTable); len(f.ToColumns) == 0 && t != nil {
		return t.PrimaryKey
	}
	return f.ToColumns
}

// spelled is columns as the output spells them.
func (a *auditor) spelled(cols []merge.Col) (list []merge.Col, ok bool) {
	for _, c := range cols {
		col, found := a.schema.Resolve(c)
		if !found {
			return nil, false
		}
		list = append(list, col)
	}
	return list, true
}

// resolveReference spells a reference's columns as the schema does; it notes a problem and is false when a column does not exist.
func (a *auditor) resolveReference(r *merge.Reference) bool {
	fix := func(cols []merge.Col) ([]merge.Col, bool) {
		out := make([]merge.Col, len(cols))
		for i, c := range cols {
			col, ok := a.schema.Resolve(c)
			if !ok {
				a.problem("references: %s: %s", merge.JoinCols(r.From), a.noColumn(c))
				return nil, false
			}
			out[i] = col
		}
		return out, true
	}
	if r.As == merge.Keep && strings.Contains(r.From[0].Table+r.From[0].Name, "*") {
		if c, ok := a.schema.Resolve(r.From[0]); ok { // a column whose own name has a star
			r.From = []merge.Col{c}
		}
		return true
	}
	var ok bool
	if r.From, ok = fix(r.From); !ok {
		return false
	}
	if r.As == merge.Keep {
		return a.resolveRowNumbers(r)
	}
	if r.To, ok = fix(r.To); !ok {
		return false
	}
	if len(r.From) != len(r.To) {
		a.problem("references: %s names %d columns and %s %d", merge.JoinCols(r.From), len(r.From), merge.JoinCols(r.To), len(r.To))
		return false
	}
	if r.By != nil {
		by, found := a.schema.Resolve(*r.By)
		if !found || by.Table != r.From[0].Table {
			a.problem("references: %s: by %s is not a column of the same table", merge.JoinCols(r.From), r.By)
			return false
		}
		r.By = &by
	}
	return true
}

// coversAny tells whether a pattern names any column at all.
func (a *auditor) coversAny(pattern merge.Col) bool {
	return slices.ContainsFunc(a.schema.Tables, func(t *merge.Table) bool {
		return a.namesTable(pattern.Table, t) && slices.ContainsFunc(t.Columns, func(c *merge.Column) bool {
			return a.schema.Equal(pattern.Name, c.Name) || merge.MatchName(a.schema, pattern.Name, c.Name)
		})
	})
}

// covered tells whether the known references say something about exactly these columns. A pattern says nothing about what the schema declares.
func (a *auditor) covered(from []merge.Col) bool {
	return slices.ContainsFunc(a.refs, func(r *reference) bool {
		return slices.Equal(r.From, from)
	})
}

// keeps tells whether a kept pattern covers a column.
func (a *auditor) keeps(r *reference, c merge.Col) bool {
	return merge.MatchName(a.schema, r.From[0].Table, c.Table) && merge.MatchName(a.schema, r.From[0].Name, c.Name)
}

// decided tells whether a column stands in a known reference, alone, as a part, or as kept, or is one of the plan's counters.
func (a *auditor) decided(c merge.Col) bool {
	if slices.ContainsFunc(a.given.Counters, func(k merge.Counter) bool {
		return a.schema.Equal(k.Column.Table, c.Table) && a.schema.Equal(k.Column.Name, c.Name)
	}) {
		return true
	}
	return slices.ContainsFunc(a.refs, func(r *reference) bool {
		return slices.Contains(r.From, c)
	}) || len(a.keptBy(c)) > 0
}

// keptBy are the plan's lines that keep a column, by its name or by a pattern.
func (a *auditor) keptBy(c merge.Col) (list []*reference) {
	for _, r := range a.refs {
		if r.As == merge.Keep && a.keeps(r, c) {
			list = append(list, r)
		}
	}
	return list
}

// plain yields the references whose columns hold whole keys.
func (a *auditor) plain() []*reference {
	var list []*reference
	for _, r := range a.refs {
		if r.As == merge.Plain {
			list = append(list, r)
		}
	}
	return list
}
