package prove

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// checkGiven checks that the recorded plan took every decision of the operator's own plan, and no decision about rows that it did not take. The recorded plan
// holds more: what was declared, accepted or chosen by default.
func (p *proof) checkGiven(context.Context) error {
	if p.opt.Plan == nil {
		return nil
	}
	given := p.opt.Plan.Apart()
	good := true
	differs := func(table, column, format string, args ...any) {
		good = false
		p.fail(Check{Name: CheckGiven, Table: table, Column: column}, format, args...)
	}
	for i := range p.plan.Tables {
		got := p.plan.Tables[i]
		rule := given.TableRule(p.schema, p.ruledBy(got.Table))
		if rule == nil && len(given.Accept) > 0 && sameTable(got, merge.TablePlan{Rows: merge.FirstRows}) { // a plan accepts nothing else of a table
			p.pass(Check{Name: CheckAccepted, Table: got.Table, Detail: "rows: first is only accepted by the plan that was given: look whether its rows are the same on every server"})
			continue
		}
		want := merge.TablePlan{}
		if rule != nil {
			want = *rule
		}
		want.Table = got.Table
		for _, t := range []*merge.TablePlan{&got, &want} {
			if t.Rows == "" {
				t.Rows = merge.MergeRows
			}
			t.While = "" // what it supposed has been looked at
		}
		if !sameTable(got, want) {
			differs(got.Table, "", "the recorded plan says %s, the plan that was given says %s", planfile.TableLine(&got), planfile.TableLine(&want))
		}
	}
	for _, s := range p.schema.Tables {
		if !slices.ContainsFunc(p.plan.Tables, func(t merge.TablePlan) bool { return p.schema.Equal(t.Table, s.Name) }) {
			differs(s.Name, "", "the recorded plan does not name the table")
		}
	}
	for _, want := range given.Keys {
		at := slices.IndexFunc(p.plan.Keys, func(got merge.KeyPlan) bool { return p.sameCol(got.Key, want.Key) })
		mapped := slices.ContainsFunc(p.sorted(), func(s *space) bool { return p.sameCol(s.key, want.Key) })
		if at < 0 && mapped || at >= 0 && !p.sameKeyPlan(p.plan.Keys[at], want) {
			differs(want.Key.Table, want.Key.Name, "the key's decision is not the one of the plan that was given")
		}
	}
	for _, want := range given.References {
		if !p.tookReference(want, given) {
			differs(want.Table(), want.From[0].Name, "the reference %s of the plan that was given is not in the recorded plan, or differs", want.String())
		}
	}
	for _, got := range p.plan.References {
		if why := p.unexplained(got, given); why != "" {
			differs(got.Table(), got.From[0].Name, "the reference %s of the recorded plan %s", got.String(), why)
		}
	}
	if !slices.EqualFunc(p.plan.Uniques, given.Uniques, p.sameUniquePlan) {
		differs("", "", "the rules for unique keys are not those of the plan that was given")
	}
	if !p.sameCounters(given.Counters) {
		differs("", "", "the counters are not those of the plan that was given")
	}
	if good {
		p.pass(Check{Name: CheckGiven, Rows: int64(len(p.plan.Tables)), Detail: fmt.Sprintf("%d tables and %d references are decided as in the plan that was given", len(p.plan.Tables), len(given.References))})
	}
	return nil
}

// ruledBy names the table whose line in a plan is about a table of an input.
func (p *proof) ruledBy(table string) string {
	for _, s := range p.shards {
		if t := s.Schema().Table(table); t != nil {
			return t.RuledBy()
		}
	}
	return table
}

func sameTable(a, b merge.TablePlan) bool {
	return a.Rows == b.Rows && a.From == b.From && slices.Equal(a.By, b.By) && sameMap(a.Columns, b.Columns) && sameMap(a.Missing, b.Missing) && sameMap(a.Purge, b.Purge) && sameMap(a.On, b.On)
}

// sameMap compares maps of which an empty one may be nil.
func sameMap[V any](a, b map[string]V) bool {
	return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b)
}

func (p *proof) sameCol(a, b merge.Col) bool {
	return p.schema.Equal(a.Table, b.Table) && p.schema.Equal(a.Name, b.Name)
}

// sameKeyPlan leaves out a rule, and numbers of nobody, that the given plan leaves to the merge, and one by which nothing changes where the table's rows fold.
func (p *proof) sameKeyPlan(got, want merge.KeyPlan) bool {
	rule := want.New == "" || got.New == want.New || got.New == merge.Static && p.folds(got.Key.Table)
	return rule && (got.All || !want.All) && reflect.DeepEqual(got.Range, want.Range) && got.Widen == want.Widen && (want.Sequence == "" || got.Sequence == want.Sequence) &&
		(want.None == nil || slices.Equal(got.None, want.None))
}

// tookReference finds a decision about a reference in the recorded plan, whose names are those of the schema. What a plan keeps is in no other line of the record
// than the given plan's own: rows of one column may be kept under one condition and follow a key under another. A pattern keeps no declared one.
func (p *proof) tookReference(want merge.Reference, given *merge.Plan) bool {
	if want.As == merge.Keep {
		return !slices.ContainsFunc(p.plan.References, func(got merge.Reference) bool {
			return got.As != merge.Keep && len(want.From) == 1 && len(got.From) == 1 && want.Covers(p.schema, got.From[0]) && (!want.Pattern.Any() || !p.isForeignKey(got)) &&
				!slices.ContainsFunc(given.References, func(other merge.Reference) bool { return p.sameLine(got, other) })
		})
	}
	return slices.ContainsFunc(p.plan.References, func(got merge.Reference) bool { return p.sameLine(got, want) })
}

// unexplained says why a line of the recorded plan may not be there: the given plan lacks it, no schema declares it, and no grade that the given plan accepts can
// have brought it. What was accepted is told in a check of its own, since only another search could tell whether it was found.
func (p *proof) unexplained(got merge.Reference, given *merge.Plan) string {
	switch {
	case slices.ContainsFunc(given.References, func(want merge.Reference) bool { return p.sameLine(got, want) || p.sameKeep(got, want) }), p.isForeignKey(got):
		return ""
	case got.As != merge.Plain || orphans(got) != merge.ByTombstone || len(given.Accept) == 0: // a plan accepts nothing else
		return "is not in the plan that was given"
	}
	p.pass(Check{Name: CheckAccepted, Table: got.Table(), Column: got.From[0].Name, Detail: got.String() + " is only accepted by the plan that was given: look whether it is one"})
	return ""
}

// isForeignKey tells whether a reference is what a foreign key of the output or of a shard says, and nothing else. One to a name in small or capital letters says that it repeats
// the name in these.
func (p *proof) isForeignKey(r merge.Reference) bool {
	if r.As == merge.Copy && r.Via != "" && len(r.From) == 1 {
		t := p.schema.Table(r.Table())
		return t != nil && slices.ContainsFunc(t.ForeignKeys, func(f *merge.ForeignKey) bool {
			if len(f.Columns) != 1 || len(f.ToColumns) != 1 {
				return false
			}
			named := p.schema.InLetters(&merge.Reference{From: []merge.Col{{Table: t.Name, Name: f.Columns[0]}}, To: []merge.Col{{Table: f.ToTable, Name: f.ToColumns[0]}}})
			return named != nil && p.sameLine(r, *named)
		})
	}
	if r.As != merge.Plain || r.When != "" || len(r.None) > 0 || orphans(r) != merge.ByTombstone {
		return false
	}
	keyOf := func(table string) []string {
		for _, s := range p.shards {
			if t := s.Schema().Table(table); t != nil {
				return t.PrimaryKey
			}
		}
		return nil
	}
	says := func(s *merge.Schema) bool {
		t := s.Table(r.Table())
		return t != nil && slices.ContainsFunc(t.ForeignKeys, func(f *merge.ForeignKey) bool {
			to := f.ToColumns
			if len(to) == 0 {
				to = keyOf(f.ToTable)
			}
			same := func(table string) func(c merge.Col, name string) bool {
				return func(c merge.Col, name string) bool { return p.sameCol(c, merge.Col{Table: table, Name: name}) }
			}
			return slices.EqualFunc(r.From, f.Columns, same(t.Name)) && slices.EqualFunc(r.To, to, same(f.ToTable))
		})
	}
	return says(p.schema) || slices.ContainsFunc(p.shards, func(s merge.Shard) bool { return says(s.Schema()) })
}

// sameKeep compares two lines that keep a column: the record may say more of the row numbers that it holds.
func (p *proof) sameKeep(got, want merge.Reference) bool {
	return got.As == merge.Keep && want.As == merge.Keep && got.Pattern == want.Pattern && slices.EqualFunc(got.From, want.From, p.sameCol) && got.When == want.When
}

// sameLine compares a line of the recorded plan with one of the given plan.
func (p *proof) sameLine(got, want merge.Reference) bool {
	if !slices.EqualFunc(got.From, want.From, p.sameCol) || !slices.EqualFunc(got.To, want.To, p.sameCol) {
		return false
	}
	want.From, want.To = got.From, got.To
	return sameReference(got, want)
}

func (p *proof) sameUniquePlan(got, want merge.UniquePlan) bool {
	return slices.EqualFunc(got.Unique, want.Unique, p.sameCol) && got.OnConflict == want.OnConflict && got.Template == want.Template &&
		p.schema.Equal(got.Column, want.Column) && got.Winner == want.Winner && sameMap(got.Mark, want.Mark) && got.Collate == want.Collate
}

// sameCounters tells whether the recorded counters are those of the given plan, and what they count besides by the same sequence.
func (p *proof) sameCounters(given []merge.Counter) bool {
	n := len(given)
	if len(p.plan.Counters) < n || !slices.EqualFunc(p.plan.Counters[:n], given, p.sameCounter) {
		return false
	}
	for _, more := range p.plan.Counters[n:] {
		if !slices.ContainsFunc(p.plan.Counters[:n], func(c merge.Counter) bool {
			sequence := p.sequenceOf(c.Key)
			counts := c
			counts.Key = more.Key
			return p.sameCounter(more, counts) && sequence != "" && sequence == p.sequenceOf(more.Key)
		}) {
			return false
		}
	}
	return true
}

// sequenceOf is the sequence of a key by the recorded plan; "" when it has none of its own name.
func (p *proof) sequenceOf(key merge.Col) string {
	for _, k := range p.plan.Keys {
		if p.sameCol(k.Key, key) {
			return k.Sequence
		}
	}
	return ""
}

func (p *proof) sameCounter(got, want merge.Counter) bool {
	return p.sameCol(got.Column, want.Column) && p.sameCol(got.Key, want.Key) && got.Where == want.Where && got.Margin == want.Margin
}
