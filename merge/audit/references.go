package audit

import (
	"context"
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

	written     []string // values by which SQL finds rows whose keys are texts in another form, in words
	writtenRows int64    // that hold them
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

// alive counts the rows that point at somebody.
func (r *reference) alive() int64 {
	var n int64
	for _, c := range r.counts {
		if c != nil {
			n += c.Alive
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
			a.takeDeclared(t, f)
		}
	}
	return nil
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
	if r.Pattern.Any() {
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

// coversAny tells whether a reference is from any column at all.
func (a *auditor) coversAny(r *merge.Reference) bool {
	return slices.ContainsFunc(a.schema.Tables, func(t *merge.Table) bool {
		return slices.ContainsFunc(t.Columns, func(c *merge.Column) bool { return r.Covers(a.schema, merge.Col{Table: t.Name, Name: c.Name}) })
	})
}

// covered tells whether the known references say something about exactly these columns. A pattern says nothing about what the schema declares.
func (a *auditor) covered(from []merge.Col) bool {
	return slices.ContainsFunc(a.refs, func(r *reference) bool {
		return r.Names(from)
	})
}

// decided tells whether a column stands in a known reference, alone, as a part, or as kept, or is one of the plan's counters in every row.
func (a *auditor) decided(c merge.Col) bool { return a.named(c) || len(a.keptBy(c)) > 0 }

// named tells whether a column is decided by its own name.
func (a *auditor) named(c merge.Col) bool {
	return !a.partCounts[c] && slices.ContainsFunc(a.given.Counters, func(k merge.Counter) bool {
		return a.schema.Equal(k.Column.Table, c.Table) && a.schema.Equal(k.Column.Name, c.Name)
	}) || slices.ContainsFunc(a.refs, func(r *reference) bool {
		return !r.Pattern.Any() && slices.Contains(r.From, c)
	})
}

// keptBy are the plan's lines that keep a column, by its name or by a pattern.
func (a *auditor) keptBy(c merge.Col) (list []*reference) {
	for _, r := range a.refs {
		if r.As == merge.Keep && r.Covers(a.schema, c) {
			list = append(list, r)
		}
	}
	return list
}

// keptLike is the first line whose pattern keeps a column that no line names; nil when there is none.
func (a *auditor) keptLike(c merge.Col) *reference {
	if list := a.keptBy(c); len(list) > 0 && !a.named(c) {
		return list[0]
	}
	return nil
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
