package audit

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// remade tells whether old values say nothing about a unique key, so that only the rows in their final form are compared: it is over something computed from
// values that the merge changes, over keys of which a condition tells what they refer to, or over values of which a union makes one.
func (a *auditor) remade(u *merge.Unique) bool {
	return slices.ContainsFunc(a.schema.Table(u.Table).Columns, func(column *merge.Column) bool {
		c := merge.Col{Table: u.Table, Name: column.Name}
		if !slices.Contains(u.Columns, c.Name) {
			return slices.Contains(u.Columns, "") && merge.MayName(u.SQL, c.Name) && a.changes(c)
		}
		return column.Generated && a.changes(c) || a.combined(c) || a.repeats(c) || a.meets(c) && !a.ledPlainly(c, u) ||
			a.spaceOf(c) == nil && a.partOf(c, u) == nil && slices.ContainsFunc(a.plain(), func(r *reference) bool { return slices.Contains(r.From, c) && r.remaps() })
	})
}

// meets tells whether a column refers to rows that fold by value, so that different values become one.
func (a *auditor) meets(c merge.Col) bool {
	return slices.ContainsFunc(a.plain(), func(r *reference) bool {
		i := slices.Index(r.From, c)
		return i >= 0 && i < len(r.spaces) && r.spaces[i] != nil && r.spaces[i].folds != nil
	})
}

// ledPlainly tells whether what a column becomes is known of its numbers alone: they follow one key in every row.
func (a *auditor) ledPlainly(c merge.Col, u *merge.Unique) bool {
	if s := a.ledInto(c, u); s == nil || s.result == nil {
		return false
	}
	return !slices.ContainsFunc(a.plain(), func(r *reference) bool {
		return slices.Contains(r.From, c) && (r.Orphans == merge.ByClear || slices.ContainsFunc(r.counts, func(n *merge.RefCount) bool { return n != nil && n.AsText > 0 }))
	})
}

// images are, by shard, what the columns of a unique key become that refer to rows which fold by value, for a search for clashes: different numbers become one there. nil where no column
// does.
func (a *auditor) images(u *merge.Unique) (list [][]merge.Case) {
	for part, c := range u.Cols() {
		if c.Name == "" || !a.meets(c) || !a.ledPlainly(c, u) {
			continue
		}
		if list == nil {
			list = make([][]merge.Case, len(a.shards))
		}
		for i, m := range a.ledInto(c, u).result.Maps {
			if list[i] == nil {
				list[i] = make([]merge.Case, len(u.Columns))
			}
			list[i][part] = merge.Case{Map: m, None: a.nobodys(c)}
		}
	}
	return list
}

// repeats tells whether a column follows renames, or gets tombstones, in a form, or as a condition or a key in the row says.
func (a *auditor) repeats(c merge.Col) bool {
	return slices.ContainsFunc(a.refs, func(r *reference) bool {
		return repeating(r, c) && !copied(r, c) && (a.mayRename(r.To[0]) || r.When != "" && a.buries(r))
	})
}

// repeated tells whether a column is a copy of another, in any form, or holds its keys as a condition says.
func (a *auditor) repeated(c, of merge.Col) bool {
	return slices.ContainsFunc(a.refs, func(r *reference) bool { return repeating(r, c) && r.To[0] == of })
}

// repeating tells whether a reference says that a column is a copy of another, in any form, or holds its keys as a condition says.
func repeating(r *reference, c merge.Col) bool {
	return slices.Contains(r.From, c) && (r.As == merge.Copy || r.As == merge.Plain && r.When != "" && len(r.From) == 1)
}

// computed tells whether a unique key holds something that no line of a plan can change: an expression or a generated column.
func (a *auditor) computed(u *merge.Unique) bool {
	return slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return c.Name == "" || a.schema.Column(c).Generated })
}

// changes tells whether the values of a column may change in some row.
func (a *auditor) changes(c merge.Col) bool {
	column, line := a.schema.Column(c), a.tables[c.Table]
	if column.Generated {
		return slices.ContainsFunc(line.Columns, func(o *merge.Column) bool {
			return o != column && (column.Formula == "" || merge.MayName(column.Formula, o.Name)) && a.changes(merge.Col{Table: c.Table, Name: o.Name})
		})
	}
	if s := a.spaces[c]; s != nil && s.moves() > 0 || a.mayRename(c) {
		return true
	}
	if _, missing := lookupFold(a.schema, line.plan.Missing, c.Name); missing {
		return true
	}
	return a.combined(c) || slices.ContainsFunc(a.refs, func(r *reference) bool {
		return slices.Contains(r.From, c) && (r.As == merge.Plain && r.remaps() || r.As == merge.Copy && a.mayRename(r.To[0]))
	}) || slices.ContainsFunc(a.sources(c), a.mayRename)
}

// remaps tells whether a reference's values may change, alive ones by a key map and dead ones by a tombstone or because they are cleared.
func (r *reference) remaps() bool {
	return r.Orphans == merge.ByClear || slices.ContainsFunc(r.spaces, func(s *space) bool {
		return s != nil && (s.plan.New != merge.Static || s.result != nil && s.result.Tombstones > 0)
	})
}

// combined tells whether a union makes a column's values from those of several rows.
func (a *auditor) combined(c merge.Col) bool {
	line := a.tables[c.Table]
	how, ok := lookupFold(a.schema, line.plan.Columns, c.Name)
	return ok && how.How != "first"
}

// mayRename tells whether the plan renames values of a column, or marks renamed rows in it.
func (a *auditor) mayRename(c merge.Col) bool {
	return slices.ContainsFunc(a.given.Uniques, func(p merge.UniquePlan) bool {
		if p.OnConflict != "rename" || !a.schema.Equal(p.Unique[0].Table, c.Table) {
			return false
		}
		_, marked := lookupFold(a.schema, p.Mark, c.Name)
		return marked || slices.Contains(p.Unique, c)
	})
}
