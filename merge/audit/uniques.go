package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// clashLimit is how many clashing values are read where nothing else is said; more than that are counted, not listed.
const clashLimit = 1_000_000

// checkUniques looks for values of unique keys that two shards hold, by the engine's own comparison, and renames where the plan says so.
func (a *auditor) checkUniques(ctx context.Context) error {
	a.checkMarkedReferences()
	a.checkRenamedReferences()
	folds, err := a.findFoldedNames(ctx, false)
	if err != nil {
		return err
	}
	all := false
	for _, u := range a.uniques() {
		if a.depth(u) > 0 && !all { // what keys follow is renamed by now
			more, err := a.findFoldedNames(ctx, true)
			if err != nil {
				return err
			}
			folds, all = append(folds, more...), true
		}
		t, plan := a.tables[u.Table], a.uniquePlan(u)
		skip := t.dropped || !t.mixes() || a.apart(u) && a.everywhere(u)
		if !skip && a.remade(u) {
			a.unjudged, skip = append(a.unjudged, u.Table), true
		}
		if skip {
			if err := a.tryWinner(ctx, u, plan); err != nil {
				return err
			}
			continue
		}
		list, total, err := a.search(ctx, u, plan)
		if err != nil {
			return err
		}
		if !slices.Contains(t.Uniques, u) {
			listed := len(list)
			list = slices.DeleteFunc(list, func(c merge.Clash) bool { return nameless(c) || a.nobodysRows(u, c) })
			total -= int64(listed - len(list))
		}
		found := list
		list = a.ownTwins(u, a.realClashes(u, t, t.plan.Rows, list))
		if total > int64(a.opt.ClashLimit) && a.partOfComposite(u) { // those that were not listed cannot be told apart
			list = found
		}
		formed, err := a.clashesInForm(ctx, u, plan, list)
		if err != nil {
			return err
		}
		list, total, a.inForm[u] = append(list, formed...), total+int64(len(formed)), len(formed)
		if total > int64(a.opt.ClashLimit) && a.dependsOnAll(u, t, plan, list) {
			a.find(merge.Finding{
				Rule: "unique-conflict", Severity: merge.Block, Table: t.Name, Column: columnsOf(u), Rows: total,
				Text: fmt.Sprintf("%s, and at most %d are told apart", inTwo(int(total), "the unique key "+merge.JoinCols(u.Cols())), a.opt.ClashLimit),
				Next: "give one shard's rows other values in a copy of it, or take the key out of uniques",
			})
			continue
		}
		if len(list) == 0 || total == 0 {
			continue
		}
		if err := a.judgeClashes(ctx, u, t, plan, list, a.openQuestion(u, t, found)); err != nil {
			return err
		}
	}
	equal, err := a.foldEqualNames(ctx)
	if err != nil {
		return err
	}
	a.nameFolded(append(folds, equal...))
	return nil
}

// nameless tells whether a clash is one of texts that are empty, as the names of deleted players are. They are nobody's, and clash under a key of the schema alone.
func nameless(c merge.Clash) bool { return slices.Contains(c.Rows[0].Values, any("")) }

// search lists the clashes of a unique key under the plan's comparison and winner; words of the plan that do not compile are its problem.
func (a *auditor) search(ctx context.Context, u *merge.Unique, plan *merge.UniquePlan) (list []merge.Clash, total int64, err error) {
	collate, winner, among := "", "", *u
	if plan != nil {
		collate, winner = plan.Collate, plan.Winner
	}
	if own := slices.IndexFunc(u.Collations, func(c string) bool { return !sameCollation(c, "") && !sameCollation(c, collate) }); collate != "" && own >= 0 && u.Plain() && slices.Contains(a.tables[u.Table].Uniques, u) {
		a.problem("uniques: %s: collate %q: the schema holds the key unique by %s, which the plan cannot change; leave it out", merge.JoinCols(u.Cols()), collate, u.Collations[own])
		collate = ""
	}
	among.Among, among.Whole, among.Images = a.among(u), a.beyond(u), a.images(u)
	if t := a.tables[u.Table]; t.plan.Rows == merge.ByValue {
		among.Key = a.foldKey(t)
	}
	try := func(winner string) error {
		list, total, err = a.engine.Clashes(ctx, a.raw, among, collate, winner, a.opt.ClashLimit)
		return err
	}
	why := try(winner)
	switch {
	case why == nil:
		if collate == "" && among.Among == "" && !among.Whole && among.Images == nil && among.Key == nil && a.holdsNames(u) {
			a.underOneKey[u] = a.namesUnderOneKey(u, list, total)
		}
		return list, total, nil
	case winner != "" && try("") == nil:
		a.problem("uniques: %s: winner %q: %v", merge.JoinCols(u.Cols()), winner, why)
	default:
		return nil, 0, fmt.Errorf("unique key %s: %w", merge.JoinCols(u.Cols()), why)
	}
	return nil, 0, nil
}

// beyond tells whether the clashes of a unique key are looked for among the rows that it leaves out, too.
func (a *auditor) beyond(u *merge.Unique) bool {
	return slices.ContainsFunc(a.refs, func(r *reference) bool { return u.RepeatedBy(&r.Reference) })
}

// dependsOnAll tells whether clashes that were not told apart might go wrong unseen: losers that keep their names, or equal values under a key that only the plan
// demands. The engine itself refuses those under a key of the schema.
func (a *auditor) dependsOnAll(u *merge.Unique, t *table, plan *merge.UniquePlan, list []merge.Clash) bool {
	return len(list) > 0 && plan != nil && plan.OnConflict == "rename" || !slices.Contains(t.Uniques, u)
}

// tryWinner compiles the expression by which a row would keep its name, where no rows are compared.
func (a *auditor) tryWinner(ctx context.Context, u *merge.Unique, plan *merge.UniquePlan) error {
	if plan == nil || plan.Winner == "" {
		return nil
	}
	if _, _, err := a.engine.Clashes(ctx, a.raw, *u, "", plan.Winner, 0); err != nil {
		a.problem("uniques: %s: winner %q: %v", merge.JoinCols(u.Cols()), plan.Winner, err)
	}
	return ctx.Err()
}

// uniques are the unique keys of the schema and those that only the plan declares.
func (a *auditor) uniques() []*merge.Unique {
	var list []*merge.Unique
	for _, t := range a.schema.Tables {
		list = append(list, t.Uniques...)
	}
	said := a.earlierUniques()
	for _, p := range a.given.Uniques {
		if p.OnConflict == "keep" {
			continue // what a key of the schema forbids, it forbids all the same
		}
		u := &merge.Unique{Table: p.Unique[0].Table}
		for _, c := range p.Unique {
			column, ok := a.schema.Resolve(c)
			if !ok {
				continue
			}
			u.Table = column.Table
			u.Columns = append(u.Columns, column.Name)
			u.Collations = append(u.Collations, a.schema.Column(column).Collation)
		}
		said = append(said, u)
	}
	for _, u := range said {
		if !slices.ContainsFunc(list, func(v *merge.Unique) bool { // also a partial one: the rows that it leaves out may share a name
			return v.Table == u.Table && slices.Equal(v.Columns, u.Columns)
		}) {
			list = append(list, u)
		}
	}
	slices.SortStableFunc(list, func(u, v *merge.Unique) int { return a.depth(u) - a.depth(v) })
	return list
}

// depth is 1 for a unique key of which a column, or one of its table's key, refers to something or repeats it, whose renames have to be known first, and 2 for one of several columns of which one is
// renamed alone.
func (a *auditor) depth(u *merge.Unique) int {
	if len(u.Columns) > 1 && slices.ContainsFunc(u.Columns, func(c string) bool { return a.uniquePlan(&merge.Unique{Table: u.Table, Columns: []string{c}}) != nil }) {
		return 2
	}
	if a.keyFollows(a.tables[u.Table]) || slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return len(a.sources(c)) > 0 }) {
		return 1
	}
	return 0
}

func (a *auditor) uniquePlan(u *merge.Unique) *merge.UniquePlan {
	for i := range a.given.Uniques {
		p := &a.given.Uniques[i]
		if len(p.Unique) != len(u.Columns) {
			continue
		}
		same := true
		for j, c := range p.Unique {
			same = same && a.schema.Equal(c.Table, u.Table) && a.schema.Equal(c.Name, u.Columns[j])
		}
		if same {
			return p
		}
	}
	return nil
}

// answered is what an open question makes of the clashes of a unique key. The audit takes an open table as merged and an open column as kept, so that its conflicts
// show at once and not in the next round.
type answered struct {
	note string // when there is a clash at all; "" when always
	ask  bool   // the clash needs an answer of its own, even if the question's line is taken as it stands
}

// openQuestion looks for an open question about the table, or about a column of the key, whose answer may do away with all clashes that were found.
func (a *auditor) openQuestion(u *merge.Unique, t *table, found []merge.Clash) answered {
	for _, q := range a.res.Undecided {
		switch {
		case q.Table != nil && q.Table.Table == t.Name && q.Table.Rows == merge.FromRows:
			return answered{note: "unless one server's rows of " + t.Name + " alone come (an open question)"}
		case q.Table != nil && q.Table.Table == t.Name && q.Table.Rows == merge.ByValue && slices.Equal(q.Table.By, u.Columns):
			return answered{note: "unless the rows of " + t.Name + " fold by it (an open question)"}
		case q.Key != nil && q.Key.New != merge.Static && len(u.Columns) > 1 && slices.Contains(u.Cols(), q.Key.Key) && a.madeNew(q.Key):
			return answered{note: fmt.Sprintf("unless %s gets new numbers (an open question)", q.Key.Key)}
		case q.Table != nil && q.Table.Table == t.Name && len(q.Table.Missing) == 0 && !t.folds():
			if len(a.realClashes(u, t, merge.FirstRows, found)) > 0 {
				continue
			}
			if u.Primary && !a.textKey(t.Table) || q.Table.Rows != merge.MergeRows {
				return answered{note: "unless the rows of " + t.Name + " fold (an open question)"}
			}
			return answered{note: "as long as the rows of " + t.Name + " are merged (an open question)", ask: true}
		case q.Unique != nil && len(q.Unique.Unique) == 1:
			for _, c := range u.Cols() {
				if to := q.Unique.Unique[0]; slices.Contains(a.sources(c), to) || a.repeated(c, to) {
					return answered{note: fmt.Sprintf("unless they follow the renames of %s (an open question)", to)}
				}
			}
		case q.Reference != nil && q.Reference.As == merge.Plain:
			for _, c := range u.Cols() {
				if slices.Contains(q.Reference.From, c) {
					return answered{note: fmt.Sprintf("unless %s holds %s (an open question)", c, merge.JoinCols(q.Reference.To))}
				}
			}
		}
	}
	for _, c := range u.Cols() {
		if key, left := a.leftTo(c); left {
			return answered{note: fmt.Sprintf("unless %s holds %s (an open question)", c, key)}
		}
	}
	return answered{ask: true}
}
