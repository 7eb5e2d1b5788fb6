package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// What an earlier merge decided and nothing in the new databases speaks of is asked about, too: else it would be decided otherwise in silence.

// earlierLines is all that earlier merges said about a reference's columns and that the schema still has, and whose it is.
func (a *auditor) earlierLines(from []merge.Col) ([]merge.Reference, string) {
	lines, by := recall(a, func(p *merge.Plan) *[]merge.Reference {
		var list []merge.Reference
		for _, r := range p.References {
			if r.Pattern.Any() {
				continue
			}
			own, ok := a.spelled(r.From)
			to, found := a.spelled(r.To)
			if !ok || !slices.Equal(own, from) || !found || r.As == merge.Keep && len(r.To) > 0 {
				continue
			}
			r.From, r.To = own, to
			list = append(list, r)
		}
		if len(list) == 0 {
			return nil
		}
		return &list
	})
	if lines == nil {
		return nil, ""
	}
	return *lines, by
}

// remembered tells whether earlier merges said under other conditions what a proposal says of rows: then their lines are what is asked. A line without a condition tells no kinds
// apart, and gives way where some kind likely is something else now; lines with conditions say nothing of the kinds for which none holds.
func (a *auditor) remembered(ctx context.Context, p *merge.Proposal) (bool, error) {
	lines, _ := a.earlierLines(p.From)
	if len(lines) == 0 || slices.ContainsFunc(lines, func(r merge.Reference) bool { return r.When == p.When }) || a.saidOf(p.From) {
		return false, nil
	}
	if p.When == "" {
		return true, nil
	}
	var said []string
	for _, r := range lines {
		if r.When == "" {
			return !slices.ContainsFunc(a.proposed[p.From[0]], func(o merge.Proposal) bool {
				return o.When != "" && o.Grade != merge.Doubtful && (o.As != r.As || !slices.Equal(o.To, r.To))
			}), nil
		}
		if a.tryCondition(ctx, p.Table(), r.When) == nil {
			said = append(said, r.When)
		}
	}
	more, err := a.rowsBeyond(ctx, &p.Reference, said)
	return more == 0, err
}

// passedOver are the proposals about columns in place of which earlier lines are asked.
func (a *auditor) passedOver(from []merge.Col) (list []merge.Proposal) {
	for _, p := range a.passed {
		if slices.ContainsFunc(from, func(c merge.Col) bool { return c == p.From[0] }) {
			list = append(list, p)
		}
	}
	return list
}

// saidOf tells whether the plan says what columns hold: together, or each of them.
func (a *auditor) saidOf(from []merge.Col) bool {
	told := func(c merge.Col) bool {
		said, _ := a.decidedKey(c)
		return said || slices.ContainsFunc(a.refs, func(r *reference) bool { return r.byPlan && r.Covers(a.schema, c) }) ||
			slices.ContainsFunc(a.given.Counters, func(k merge.Counter) bool { return a.oneSpelling(k.Column) == a.oneSpelling(c) })
	}
	return slices.ContainsFunc(a.refs, func(r *reference) bool { return r.byPlan && r.Names(from) }) ||
		!slices.ContainsFunc(from, func(c merge.Col) bool { return !told(c) })
}

// askEarlierReferences asks about the references of earlier merges that nothing has found again, each in its own conditions. Copies are asked about where names change.
func (a *auditor) askEarlierReferences(ctx context.Context, copies bool) error {
	renamed := a.renamedColumns()
	var done [][]merge.Col
	for _, e := range a.earlier {
		for _, r := range e.plan.References {
			from, ok := a.spelled(r.From)
			if !ok || r.Pattern.Any() || slices.ContainsFunc(done, func(d []merge.Col) bool { return slices.Equal(d, from) }) {
				continue
			}
			done = append(done, from)
			if t := a.tables[from[0].Table]; a.saidOf(from) || t.Opaque != "" || t.plan.Rows == merge.EmptyRows || t.total() == 0 {
				continue
			}
			for _, line := range a.forgotten(from) {
				if (line.As == merge.Copy) != copies || copies && !slices.Contains(renamed, line.To[0]) || a.tryCondition(ctx, line.Table(), line.When) != nil {
					continue
				}
				if err := a.askEarlierReference(ctx, line); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// forgotten are the lines of earlier merges about columns that are neither in force nor asked about. That a column was kept is forgotten where it is none now.
func (a *auditor) forgotten(from []merge.Col) (list []merge.Reference) {
	lines, _ := a.earlierLines(from)
	split := len(lines) == 1 && a.knownOrAsked(func(r *merge.Reference) bool { return r.When != "" && r.Names(from) })
	for _, line := range lines {
		if line.When == "" && split {
			continue // the conditions say more
		}
		otherwise := line.As != merge.Keep || slices.ContainsFunc(lines, func(r merge.Reference) bool { return r.As != merge.Keep }) || len(a.passedOver(from)) > 0
		stands := false
		for _, r := range a.refs {
			if !r.Names(from) || r.When != line.When {
				continue
			}
			same := r.As == line.As && slices.Equal(r.To, line.To)
			stands, otherwise = stands || same, otherwise || !same
		}
		if stands || !otherwise || line.As == merge.Plain && a.foldsAll(line.To) || a.askedOf(func(r *merge.Reference) bool { return slices.Equal(r.From, from) && r.When == line.When }) {
			continue
		}
		list = append(list, line)
	}
	if len(a.passedOver(from)) == 0 && !slices.ContainsFunc(list, func(r merge.Reference) bool { return r.As != merge.Keep }) && !slices.ContainsFunc(lines, func(r merge.Reference) bool { return r.As == merge.Keep && r.When == "" }) {
		return nil // the rows for which no condition holds are asked about by themselves
	}
	return list
}

// foldsAll tells whether columns are of a table whose rows are the same on every server, so that nothing that refers to it changes.
func (a *auditor) foldsAll(to []merge.Col) bool { return len(to) > 0 && a.tables[to[0].Table].folds() }

func (a *auditor) askEarlierReference(ctx context.Context, line merge.Reference) error {
	when := ""
	if line.When != "" {
		when = " when " + line.When
	}
	passed := a.passedOver(line.From)
	question, evidence := fmt.Sprintf("does %s hold no key%s?", merge.JoinCols(line.From), when), ""
	if line.As != merge.Keep {
		r := &reference{Reference: line, byPlan: true, counts: make([]*merge.RefCount, len(a.shards))}
		alive := int64(0)
		for i, s := range a.shards {
			lacks := func(c merge.Col) bool { return s.Schema().Column(c) == nil }
			if slices.ContainsFunc(line.From, lacks) || slices.ContainsFunc(line.To, lacks) {
				continue
			}
			var err error
			if r.counts[i], err = s.Measure(ctx, merge.RefQuery{Reference: &r.Reference}); err != nil {
				return err
			}
			alive += r.counts[i].Alive
		}
		verb, also := "hold", len(passed) > 0
		if line.As == merge.Copy {
			verb, also = "repeat", alive > 0
		}
		question, evidence = fmt.Sprintf("does %s %s %s%s?", merge.JoinCols(line.From), verb, merge.JoinCols(line.To), when), r.why(a.shards)
		if !also {
			question += " Nothing else says so now"
		}
	}
	for _, p := range passed {
		if p.When != "" {
			evidence = joinWords(evidence, fmt.Sprintf("its values by themselves would say %s: %s, %s", planfile.ReferenceLine(&p.Reference), p.Grade, p.Evidence))
		}
	}
	a.ask(merge.Undecided{Question: question, Evidence: evidence, Rows: a.tables[line.Table()].total(), Reference: &line})
	return nil
}

// askEarlierTables asks about tables of which an earlier merge left rows out, as nothing else would now. Rows that fold are asked about where their keys stand in two shards.
func (a *auditor) askEarlierTables(ctx context.Context) error {
	for _, known := range a.schema.Tables {
		t := a.tables[known.Name]
		if t.Opaque != "" || t.decided || t.plan.Rows != merge.MergeRows || t.total() == 0 || a.tableAsked(t.Name) {
			continue
		}
		old, by := a.earlierTable(t.Name)
		switch {
		case old == nil:
		case old.Rows == merge.EmptyRows:
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("the merge that made %s left the rows of %s out, and now %s: leave them out again (rows: empty), or do they all come (rows: merge)?",
					by, t.Name, counted(t.total(), "row stands there", "rows stand there")), Rows: t.total(), Table: old,
			})
		case old.Rows == merge.FromRows:
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("the merge that made %s took the rows of %s from one server alone: do all come now (rows: merge), or one server's again, such as %s?", by, t.Name, oneServersLine(t.Name, a.name(0))),
				Rows:     t.total(), Table: &merge.TablePlan{Table: t.Name, Rows: merge.MergeRows},
			})
		case old.Rows == merge.ByValue && a.secondShard(t):
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("the merge that made %s made one row of each two of %s with the same %s: the same again, or does every row come (rows: merge)?", by, t.Name, strings.Join(old.By, " and ")),
				Rows:     t.total(), Table: old,
			})
		case len(t.PrimaryKey) == 0:
			if err := a.askEarlierFold(ctx, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// secondShard tells whether two shards have rows of a table.
func (a *auditor) secondShard(t *table) bool { return t.secondMost() < t.total() }

// askEarlierFold asks about a table whose rows of equal keys an earlier merge made one, where two shards have a key.
func (a *auditor) askEarlierFold(ctx context.Context, t *table) error {
	line, by := a.earlierTable(t.Name)
	if line == nil || line.Rows != merge.FirstRows && line.Rows != merge.UnionRows {
		return nil
	}
	shared, equal, err := a.sharedRows(ctx, t)
	if err != nil || shared == 0 {
		return err
	}
	question := fmt.Sprintf("the merge that made %s made one row of each two of %s with the same key (rows: %s), and %s in two shards: the same again, or does every row come (rows: merge)?",
		by, t.Name, line.Rows, counted(shared, "key stands", "keys stand"))
	if line.Rows == merge.FirstRows && equal < shared { // whoever takes the line as it stands must not lose a row by it
		question += fmt.Sprintf(" %s, which rows: first would leave out", counted(shared-equal, "row of the later shards differs", "rows of the later shards differ"))
		if !t.oneEach() {
			line = &merge.TablePlan{Table: t.Name, Rows: merge.MergeRows}
		}
	}
	a.ask(merge.Undecided{Question: question, Rows: t.total(), Table: line})
	return nil
}

// sharedRows counts the rows of later shards whose keys an earlier one has, and those of them that equal the first row of their key.
func (a *auditor) sharedRows(ctx context.Context, t *table) (shared, equal int64, err error) {
	err = a.eachFold(ctx, t, sameKeyed, func(stays, folds int, pairs []merge.KeyPair) error {
		n, same, err := a.engine.SameRows(ctx, a.raw[stays], a.raw[folds], t.Name, pairs, 0)
		shared, equal = shared+n, equal+same
		return err
	})
	return shared, equal, err
}

// askEarlierCounters asks about the game's counters that an earlier merge knew.
func (a *auditor) askEarlierCounters(ctx context.Context) {
	for _, e := range a.earlier {
		for _, c := range e.plan.Counters {
			cols, ok := a.spelled([]merge.Col{c.Column, c.Key})
			if !ok || a.tryCondition(ctx, cols[0].Table, c.Where) != nil {
				continue
			}
			if c.Column, c.Key = cols[0], cols[1]; a.noCounter(&c) {
				continue
			}
			same := func(k *merge.Counter) bool {
				return a.oneSpelling(k.Column) == a.oneSpelling(c.Column) && (k.Where == c.Where || k.Where == "" || c.Where == "")
			}
			if slices.ContainsFunc(a.given.Counters, func(k merge.Counter) bool { return same(&k) }) ||
				slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
					return u.Counter != nil && same(u.Counter) && u.Counter.Key == c.Key
				}) {
				continue
			}
			a.askCounter(&c, "If it does not, say so under references: ", "nothing else says so now")
		}
	}
}

// earlierUniques are the keys that only the plans of earlier merges declared, and this one says nothing of.
func (a *auditor) earlierUniques() (list []*merge.Unique) {
	for _, e := range a.earlier {
		for _, p := range e.plan.Uniques {
			own, ok := a.spelled(p.Unique)
			if !ok || p.OnConflict == "keep" || p.OnConflict == "" {
				continue
			}
			u := &merge.Unique{Table: own[0].Table}
			for _, c := range own {
				u.Columns = append(u.Columns, c.Name)
				u.Collations = append(u.Collations, a.schema.Column(c).Collation)
			}
			if a.uniquePlan(u) == nil {
				list = append(list, u)
			}
		}
	}
	return list
}

// forbids tells whether a key of the schema lets no two rows have equal values in columns.
func (a *auditor) forbids(cols []merge.Col) bool {
	t := a.schema.Table(cols[0].Table)
	return t != nil && slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool { return slices.Equal(u.Cols(), cols) })
}

// saysMore tells whether what an earlier merge said of a reference makes other values dead or nobody's than a proposal does.
func saysMore(old *merge.Reference, p *merge.Reference) bool {
	return cmp.Or(old.Orphans, merge.ByTombstone) != cmp.Or(p.Orphans, merge.ByTombstone) ||
		slices.ContainsFunc(old.None, func(v any) bool { return !slices.Contains(p.None, v) })
}

// standing is a table's rule without the columns that the schema lost.
func (a *auditor) standing(t *merge.TablePlan) map[string]merge.Combine {
	columns := maps.Clone(t.Columns)
	maps.DeleteFunc(columns, func(name string, how merge.Combine) bool {
		own := func(c string) bool { return a.schema.Column(merge.Col{Table: t.Table, Name: c}) != nil }
		return !own(name) || how.By != "" && !own(how.By)
	})
	return columns
}

// rowsWord is a table's policy as the plan writes it.
func rowsWord(t *merge.TablePlan) string {
	switch t.Rows {
	case merge.FromRows:
		return "{from: " + t.From + "}"
	case merge.ByValue:
		return "by-value, by: [" + strings.Join(t.By, ", ") + "]"
	}
	return string(t.Rows)
}
