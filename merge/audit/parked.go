package audit

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkParked refuses what stands undecided in the plan about what the databases do not have.
func (a *auditor) checkParked() {
	for i := range a.opt.Parked {
		u := &a.opt.Parked[i]
		if t := u.Table; t != nil && !slices.ContainsFunc(a.schema.Tables, func(known *merge.Table) bool { return t.Covers(a.schema, known.Name) }) {
			a.problem("undecided: no shard has a table %q; correct the entry, or delete it", t.Table)
		}
		if r := u.Reference; r != nil && r.Pattern.Any() {
			if !a.coversAny(r) {
				a.problem("undecided: %s: no shard has a column like it; correct the entry, or delete it", r.Columns())
			}
			continue
		}
		for _, c := range about(u) {
			if _, ok := a.schema.Resolve(c); !ok {
				a.problem("undecided: %s; correct the entry, or delete it", a.noColumn(c))
			}
		}
	}
}

// askParked keeps open what stands undecided in the plan, although nothing else asks about it, until a person says that it is none.
func (a *auditor) askParked() {
	asked := slices.Clone(a.res.Undecided)
	for _, u := range a.opt.Parked {
		if slices.ContainsFunc(asked, func(o merge.Undecided) bool { return a.sameSubject(&u, &o) }) || a.answered(&u) {
			continue
		}
		u.Question = u.Subject() + " stands under undecided in the plan, and nothing else asks about it: is it decided? Move the line to its section, or delete it"
		a.ask(u)
	}
}

// about lists the columns that an entry names; none of a table's.
func about(u *merge.Undecided) []merge.Col {
	switch {
	case u.Reference != nil:
		return slices.Concat(u.Reference.From, u.Reference.To)
	case u.Key != nil:
		return []merge.Col{u.Key.Key}
	case u.Unique != nil:
		return u.Unique.Unique
	case u.Counter != nil:
		return []merge.Col{u.Counter.Column, u.Counter.Key}
	}
	return nil
}

// sameSubject tells whether two entries are about the same table or columns.
func (a *auditor) sameSubject(u, o *merge.Undecided) bool {
	if u.Table != nil || o.Table != nil {
		return u.Table != nil && o.Table != nil && a.schema.Equal(u.Table.Table, o.Table.Table)
	}
	if u.Counter != nil || o.Counter != nil {
		return u.Counter != nil && o.Counter != nil && a.oneSpelling(u.Counter.Column) == a.oneSpelling(o.Counter.Column)
	}
	return a.oneSpelling(subject(u)...) == a.oneSpelling(subject(o)...)
}

// subject lists the columns of an entry for whose values it decides.
func subject(u *merge.Undecided) []merge.Col {
	if u.Reference != nil {
		return u.Reference.From
	}
	return about(u)
}

// answered tells whether the plan decides, elsewhere or by what it accepts, what an entry leaves open: what a person moved need not be deleted.
func (a *auditor) answered(u *merge.Undecided) bool {
	p := a.given
	switch {
	case u.Table != nil:
		return slices.ContainsFunc(p.Tables, func(t merge.TablePlan) bool {
			return t.Covers(a.schema, u.Table.Table) || a.schema.Equal(t.Table, u.Table.Table)
		}) ||
			slices.ContainsFunc(p.Keys, func(k merge.KeyPlan) bool { return k.New == merge.Static && a.schema.Equal(k.Key.Table, u.Table.Table) })
	case u.Counter != nil:
		return slices.ContainsFunc(p.Counters, func(c merge.Counter) bool {
			return a.oneSpelling(c.Column) == a.oneSpelling(u.Counter.Column) && (u.Counter.Where == "" || c.Where == u.Counter.Where)
		})
	}
	of := a.oneSpelling(subject(u)...)
	if slices.ContainsFunc(p.Keys, func(k merge.KeyPlan) bool {
		return (u.Key != nil || k.New == merge.Static) && a.oneSpelling(k.Key) == of
	}) ||
		u.Unique != nil && slices.ContainsFunc(p.Uniques, func(k merge.UniquePlan) bool { return a.oneSpelling(k.Unique...) == of }) {
		return true
	}
	when := ""
	if r := u.Reference; r != nil {
		when = r.When
		for _, known := range a.refs {
			if known.As == r.As && known.When == r.When && a.oneSpelling(known.From...) == of && a.oneSpelling(known.To...) == a.oneSpelling(r.To...) && r.Orphans == "" && r.None == nil {
				return true // accepted as it stands there
			}
		}
	}
	return slices.ContainsFunc(p.References, func(r merge.Reference) bool {
		if when != "" && r.When != "" && r.When != when {
			return false // it is about other rows
		}
		if r.As == merge.Keep {
			return !slices.ContainsFunc(subject(u), func(c merge.Col) bool { return !r.Covers(a.schema, c) })
		}
		return a.oneSpelling(r.From...) == of
	})
}
