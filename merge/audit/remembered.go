package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
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
	question := fmt.Sprintf("does %s hold %s%s?", merge.JoinCols(line.From), merge.JoinCols(line.To), when)
	passed := a.passedOver(line.From)
	if len(passed) == 0 {
		question += " Nothing else says so now"
	}
	evidence := ""
	switch line.As {
	case merge.Keep:
		question = fmt.Sprintf("does %s hold no key%s?", merge.JoinCols(line.From), when)
	case merge.Copy:
		question = fmt.Sprintf("does %s repeat %s%s? Nothing else says so now", merge.JoinCols(line.From), merge.JoinCols(line.To), when)
	default:
		r := &reference{Reference: line, byPlan: true, counts: make([]*merge.RefCount, len(a.shards))}
		for i, s := range a.shards {
			lacks := func(c merge.Col) bool { return s.Schema().Column(c) == nil }
			if slices.ContainsFunc(line.From, lacks) || slices.ContainsFunc(line.To, lacks) {
				continue
			}
			var err error
			if r.counts[i], err = s.Measure(ctx, merge.RefQuery{Reference: &r.Reference}); err != nil {
				return err
			}
		}
		evidence = r.why(a.shards)
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

// askEarlierSpace asks before a key gets new numbers that an earlier merge left as they were, or by which its rows folded.
func (a *auditor) askEarlierSpace(ctx context.Context, s *space) error {
	t := a.tables[s.key.Table]
	if s.byPlan || s.plan.New == merge.Static || s.moves() == 0 && len(s.users) == 0 || !t.mixes() || a.tableAsked(t.Name) || a.keyAsked(s.key) {
		return nil
	}
	asked := a.referenceAsked(s.key)
	if asked && !a.heldNone(s.key) {
		return nil
	}
	if rows, _ := a.earlierTable(t.Name); rows != nil && rows.Rows != merge.MergeRows { // its keys stayed because of that
		if !slices.Equal(t.KeyCols(), []merge.Col{s.key}) || s.moves() == 0 {
			return nil
		}
		if !t.decided {
			return a.askEarlierFold(ctx, t)
		}
		if rows.Rows != merge.FirstRows && rows.Rows != merge.UnionRows {
			return nil
		}
	}
	old, by := a.stayedBefore(s.key)
	if old == nil || asked && a.saidByKey(s.key) {
		return nil // the line of what is asked is that one
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("the merge that made %s left the numbers of %s as they were: shall they stay again (new: static)? Else %s (new: %s)",
			by, s.key, counted(s.moves(), "row gets a new one", "rows get new ones"), s.plan.New),
		Rows: s.moves(), Key: old,
	})
	return nil
}

// stayedBefore is the line of earlier merges that left the numbers of a key as they were.
func (a *auditor) stayedBefore(c merge.Col) (*merge.KeyPlan, string) {
	line := merge.KeyPlan{Key: c}
	if s := a.spaces[c]; s != nil {
		line = s.plan
	}
	old, by := a.earlierKey(&line)
	if old == nil || old.New != merge.Static {
		return nil, ""
	}
	return old, by
}

// heldNone tells whether earlier merges said that a key holds no other one: in so many words, or because its own numbers stayed.
func (a *auditor) heldNone(c merge.Col) bool {
	if old, _ := a.earlierReference([]merge.Col{c}, ""); old != nil {
		return old.As == merge.Keep
	}
	lines, _ := a.earlierLines([]merge.Col{c})
	old, _ := a.stayedBefore(c)
	return len(lines) == 0 && old != nil
}

// saidByKey tells whether a line under keys alone answers what a key holds, and earlier merges said no more.
func (a *auditor) saidByKey(c merge.Col) bool {
	if old, _ := a.earlierReference([]merge.Col{c}, ""); old != nil {
		return false
	}
	return !a.uniqueAlone(c) || slices.ContainsFunc(a.proposed[c], func(p merge.Proposal) bool { return p.Own }) ||
		slices.ContainsFunc(a.found, func(k discover.Key) bool { return k.Col == c && k.Undeclared })
}

// remindOfStay makes of a question whether a key holds another one, of which earlier merges said nothing but that its numbers stay, one with that line.
func (a *auditor) remindOfStay(u *merge.Undecided) {
	r := u.Reference
	if r.As != merge.Plain || r.When != "" || len(r.From) != 1 {
		return
	}
	old, by := a.stayedBefore(r.From[0])
	switch {
	case old == nil:
	case a.saidByKey(r.From[0]) && !a.keyAsked(r.From[0]):
		u.Reference = nil
		remind(u, by, &u.Key, old)
	default:
		u.Reference = &merge.Reference{From: r.From, As: merge.Keep}
		u.Evidence = joinWords(u.Evidence, fmt.Sprintf("the merge that made %s left its numbers as they were (new: static)", by))
		a.keptAgain = append(a.keptAgain, r.From[0])
	}
}

// askEarlierKeys asks about numbers that an earlier merge made new and that no key space holds now, as a part of a key over several columns: what stays of them meets another server's.
func (a *auditor) askEarlierKeys(ctx context.Context) error {
	for _, e := range a.earlier {
		for _, k := range e.plan.Keys {
			cols, ok := a.spelled([]merge.Col{k.Key})
			if !ok || k.New == "" || k.New == merge.Static {
				continue
			}
			c, t := cols[0], a.tables[cols[0].Table]
			if a.spaces[a.top(c)] != nil || a.saidOf(cols) || a.keyAsked(c) || a.referenceAsked(c) || t.Opaque != "" || t.folds() || !t.mixes() || a.tableAsked(t.Name) {
				continue
			}
			old, by := a.earlierKey(&merge.KeyPlan{Key: c})
			if old == nil {
				continue
			}
			shared, seen := int64(0), merge.NewKeySet()
			for _, s := range a.shards {
				keys, err := s.Keys(ctx, c)
				if err != nil {
					return err
				}
				shared += seen.Shared(keys.Set)
				seen.Union(keys.Set)
			}
			if shared == 0 {
				continue
			}
			said, again := old.New, "again"
			if rule := cmp.Or(a.opt.NewKeys, old.New); rule != old.New {
				line := *old
				line.New, line.Range, line.Widen = rule, nil, false
				old, again = &line, fmt.Sprintf("again, now by new: %s", rule)
			}
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("the merge that made %s gave the later servers' %s new numbers (new: %s), and %s in two shards: %s? If they are a thing by themselves and stay, say so under references: %s",
					by, c, said, counted(shared, "number stands", "numbers stand"), again, keepLine(c)),
				Rows: t.total(), Key: old,
			})
		}
	}
	return nil
}

// madeNew tells whether earlier merges gave the numbers of a key new ones.
func (a *auditor) madeNew(line *merge.KeyPlan) bool {
	old, _ := a.earlierKey(line)
	return old != nil && old.New != merge.Static
}

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
			if !ok || len(a.keptBy(cols[0])) > 0 || a.tryCondition(ctx, cols[0].Table, c.Where) != nil {
				continue
			}
			same := func(k *merge.Counter) bool {
				return a.oneSpelling(k.Column) == a.oneSpelling(c.Column) && (k.Where == c.Where || k.Where == "" || c.Where == "")
			}
			if slices.ContainsFunc(a.given.Counters, func(k merge.Counter) bool { return same(&k) }) ||
				slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
					return u.Counter != nil && same(u.Counter) && u.Counter.Key == cols[1]
				}) {
				continue
			}
			c.Column, c.Key = cols[0], cols[1]
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("does the game itself count %s in %s? If it does not, say so under references: %s", c.Key, c.Column, keepLine(c.Column)),
				Evidence: "nothing else says so now", Rows: a.tables[c.Key.Table].total(), Counter: &c,
			})
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
