package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Refusal tells which line of a plan this version cannot carry out. Nothing has been written when it is returned.
type Refusal struct {
	Line string // the line, as a plan would name it
	Why  string
}

func (e *Refusal) Error() string { return e.Line + ": " + e.Why }

func refuse(line, why string, args ...any) error {
	return &Refusal{Line: line, Why: fmt.Sprintf(why, args...)}
}

// check refuses what no job can express.
func (p *planner) check() error {
	for _, t := range p.settled.Tables {
		if err := p.checkTable(t); err != nil {
			return err
		}
	}
	for i := range p.settled.References {
		if err := p.checkReference(&p.settled.References[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *planner) checkTable(t merge.SettledTable) error {
	line := "table " + t.Table.Name
	if t.Table.Opaque != "" && t.Plan.Rows != merge.EmptyRows {
		return refuse(line, "%s: its rows cannot be merged as rows; decide 'rows: empty'", t.Table.Opaque)
	}
	if len(t.Plan.Purge) > 0 {
		return refuse(line, "this version cannot purge; purge copies of the shards and merge those")
	}
	switch t.Plan.Rows {
	case "", merge.MergeRows, merge.FirstRows, merge.EmptyRows:
	case merge.FromRows:
		if !slices.ContainsFunc(p.settled.Shards, func(s merge.Source) bool { return s.Name == t.Plan.From }) {
			return refuse(line, "there is no shard %q to take the rows from", t.Plan.From)
		}
	case merge.UnionRows, merge.ByValue:
		return p.checkUnion(t)
	default:
		return refuse(line, "this version cannot merge rows by the policy %q", t.Plan.Rows)
	}
	return nil
}

// checkUnion refuses columns that the table lacks, and folds whose result would depend on more than two rows at once.
func (p *planner) checkUnion(t merge.SettledTable) error {
	for name, c := range t.Plan.Columns {
		line := "table " + t.Table.Name + ", column " + name
		column, by := t.Table.Column(name, p.settled.Schema.Fold), t.Table.Column(c.By, p.settled.Schema.Fold)
		switch {
		case column == nil:
			return refuse(line, "the table has no such column")
		case column.Generated:
			return refuse(line, "the engine computes the column from others, which the rule belongs to")
		case c.By == "":
			continue
		case by == nil:
			return refuse(line, "there is no column %q to be the %s by", c.By, c.How)
		case by.Generated:
			return refuse(line, "the engine computes %s from others; name one of these to be the %s by", c.By, c.How)
		}
		if c.How == "set" {
			if by := p.combine(t, c.By); by.How != "set" || !p.settled.Schema.Equal(by.By, c.By) {
				return refuse(line, "%s has to come from the same row: {set: %[1]s} for %[1]s, too", c.By)
			}
			continue
		}
		if by := p.combine(t, c.By); len(p.shards) > 2 && by.How != c.Ranked() && (by.How != c.How || !p.settled.Schema.Equal(by.By, c.By)) {
			return refuse(line, "with more than two shards, %s has to combine by %s, so that the %s row is known", c.By, c.Ranked(), c.How)
		}
	}
	return nil
}

func (p *planner) checkReference(r *merge.SettledReference) error {
	line := "reference " + r.String()
	switch r.As {
	case merge.Plain, merge.Keep, merge.Copy:
	default:
		return refuse(line, "this version cannot rewrite keys in the form %q", r.As)
	}
	if r.As == merge.Plain && len(r.From) > 1 && slices.ContainsFunc(r.Cleared, func(s *merge.ValueSet) bool { return s.Len() > 0 }) {
		return refuse(line, "orphans of a composite reference can be neither cleared nor dropped")
	}
	if r.As == merge.Copy && r.By != nil {
		switch to := p.target(*r.By); {
		case to == merge.Col{}:
			return refuse(line, "%s, by which the copy is known, is no plain reference of the plan", *r.By)
		case !p.settled.Schema.Equal(to.Table, r.To[0].Table):
			return refuse(line, "%s, by which the copy is known, leads to %s and not to %s, whose %s it repeats", *r.By, to.Table, r.To[0].Table, r.To[0].Name)
		}
	}
	if strings.EqualFold(string(r.Orphans), string(merge.ByClear)) && len(r.From) == 1 && len(r.None) == 0 {
		if p.settled.Schema.Column(r.From[0]) != nil && !p.settled.Schema.TakesNull(r.From[0]) {
			return refuse(line, "its orphans cannot become null, and no value means nobody; name one under 'none'")
		}
	}
	return nil
}
