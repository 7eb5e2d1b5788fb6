package rewrite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// Rehearser is an engine that can load a table's rows in final form into a database that nobody keeps, and tell which rules of the table they break. With
// changed it looks only at rows that a job changes.
type Rehearser interface {
	Rehearse(ctx context.Context, shards []merge.Shard, jobs []merge.TableJob, changed bool) ([]merge.Misfit, error)
}

// Check tells why Run would refuse a settled plan, or could not write its rows: lines that this version cannot carry out, and rows that in their final form
// break a rule of their table. Nothing is written that lasts. unjudged are tables with a unique key whose values nobody could compare before they were final.
func Check(ctx context.Context, engine merge.Engine, shards []merge.Shard, s *merge.Settled, unjudged []string) ([]merge.Finding, error) {
	p := &planner{settled: s, shards: shards}
	var refusal *Refusal
	if err := p.check(); errors.As(err, &refusal) {
		return []merge.Finding{{Rule: "plan", Severity: merge.Block, Text: refusal.Error(), Next: "change that line of the plan"}}, nil
	} else if err != nil {
		return nil, err
	}
	rehearser, ok := engine.(Rehearser)
	if !ok {
		return nil, nil
	}
	draft, err := p.draft()
	if err != nil {
		return nil, err
	}
	var list []merge.Finding
	for _, t := range s.Tables {
		if t.Table.Opaque != "" {
			continue
		}
		jobs := draft.Jobs[t.Table.Name]
		turned, err := p.turned(ctx, engine, t.Table, draft)
		if err != nil {
			return nil, err
		}
		list = append(list, turned...)
		rows, pairs := doubtful(t.Table, jobs)
		pairs = pairs || slices.Contains(unjudged, t.Table.Name)
		if !rows && !pairs {
			continue
		}
		misfits, err := rehearser.Rehearse(ctx, shards, jobs, !pairs && !folds(jobs))
		if err != nil {
			return nil, err
		}
		for _, m := range misfits {
			f := p.finding(t.Table, m)
			if key := t.Table.PrimaryKey; m.Kind == merge.MisfitCheck && len(key) == 1 && merge.MayName(m.What, key[0]) && t.Plan.Rows == merge.MergeRows {
				f.Next = "choose rows: first, union or {from: SHARD} for the table, if equal keys are one thing on every server; else " + f.Next
			}
			list = append(list, f)
		}
	}
	return list, nil
}

// draft is the whole output as it is planned.
func (p *planner) draft() (*merge.Draft, error) {
	f := &merge.Draft{Schema: p.settled.Schema, Jobs: map[string][]merge.TableJob{}}
	for _, t := range p.settled.Tables {
		if t.Table.Opaque != "" {
			continue
		}
		jobs, err := p.jobs(t)
		if err != nil {
			return nil, err
		}
		f.Jobs[t.Table.Name] = jobs
	}
	return f, nil
}

// finding words a rule that rows break.
func (p *planner) finding(t *merge.Table, m merge.Misfit) merge.Finding {
	f := merge.Finding{Rule: "check", Severity: merge.Block, Table: t.Name, Column: strings.Join(m.Columns, ", "), Rows: m.Rows, Samples: m.Samples}
	whose := "the rows"
	if m.Shard >= 0 {
		f.Shard = p.settled.Shards[m.Shard].Name
		whose += " of " + f.Shard
	}
	switch m.Kind {
	case merge.MisfitCheck:
		f.Text = fmt.Sprintf("the check (%s) of %s names a column whose values change, and fails for %d of %s under the new ones", m.What, t.Name, m.Rows, whose)
		f.Next = "drop the check in copies of the shards, or correct those rows there; a check of keys' order passes when all keys change (change: all, new: shift)"
		if names := slices.DeleteFunc(slices.Clone(t.Columns), func(c *merge.Column) bool {
			return p.settled.Schema.Holds(merge.Col{Table: t.Name, Name: c.Name}) != merge.Text || !merge.MayName(m.What, c.Name)
		}); len(names) > 1 && len(p.settled.Renames) > 0 {
			f.Next = `drop the check in copies of the shards, or correct those rows there; a check of names' order passes with new names that begin with the old ones (template: "{value}_{shard}")`
		}
		if line := p.keepLine(t, m.What); line != "" {
			f.Next = "where that column refers to nothing, keep it: " + line + "; else " + f.Next
		}
	case merge.MisfitUnique:
		key := strings.Join(m.Columns, ", ")
		if slices.Contains(m.Columns, "") {
			key, f.Column = m.What, ""
		}
		f.Rule = "unique-conflict"
		f.Text = fmt.Sprintf("the values that the merge makes are not unique: %d rows share values of the unique key %s of %s", m.Rows, key, t.Name)
		f.Next = "change those rows in copies of the shards, or what the plan does with the key's columns"
		if slices.Equal(m.Columns, t.PrimaryKey) {
			f.Next = "choose rows: union or first for the table, where they are the same thing, or change those rows in copies of the shards"
		}
		if way := p.oneSequence(t, m.Columns); way != "" && !p.sameRows(m) {
			f.Next = way + "; else " + f.Next
		}
	case merge.MisfitNull:
		f.Rule = "null"
		f.Text = fmt.Sprintf("the column takes no null, and %d of %s get one", m.Rows, whose)
		f.Next = "name another value in the plan (missing, mark, none)"
	case merge.MisfitType:
		f.Rule = "type"
		f.Text = fmt.Sprintf("the column takes values of the type %s alone, and %d of %s get another", m.What, m.Rows, whose)
		f.Next = "name another value in the plan (missing, mark, none)"
	case merge.MisfitTurned:
		f.Rule, f.Text, f.Next = "condition", turnedText(m, whose), turnedNext
		if asksOthers(m.What) {
			f.Next = turnedByOthers
		}
	case merge.MisfitSum:
		f.Rule = "combine"
		f.Text = "the plan says sum, and the column cannot hold the sum of " + m.What
		f.Next = "give the sum a cap that fits the column, or combine it by max"
	case merge.MisfitText:
		f.Rule = "combine"
		f.Text = "the plan says sum, and the column holds what is no number to the engine, which adds none: " + m.What
		f.Next = "choose first for the column, or latest by a column of numbers; to add them up, make numbers of them in copies of the shards, in a column of a type for numbers"
	case merge.MisfitOrder:
		f.Rule = "combine"
		f.Text = "numbers that are written as texts do not compare as numbers: " + m.What
		f.Next = "choose first for what is combined by it, or latest by a column of numbers, or make numbers of them in copies of the shards, in a column of a type for numbers"
	case merge.MisfitCut:
		f.Rule, f.Severity = "combine", merge.Info
		f.Text = fmt.Sprintf("the plan's cap cuts sums of the column, by %s together", m.What)
		f.Next = "give the sum a higher cap, or none (sum), if nobody is to lose it"
	default:
		f.Text = "the engine refuses rows in their final form: " + m.What
		f.Next = "change the rule that it names in copies of the shards, or those rows there"
	}
	return f
}

// keepLine is the line that leaves a column alone where a check is about it and no other, and nothing but the plan says that it refers to something; "" where there is none.
func (p *planner) keepLine(t *merge.Table, check string) string {
	about := slices.DeleteFunc(slices.Clone(t.Columns), func(c *merge.Column) bool { return !merge.MayName(check, c.Name) })
	if len(about) != 1 || slices.ContainsFunc(t.ForeignKeys, func(f *merge.ForeignKey) bool { return slices.Contains(f.Columns, about[0].Name) }) {
		return ""
	}
	col := merge.Col{Table: t.Name, Name: about[0].Name}
	for _, r := range p.settled.References {
		if r.As == merge.Plain && len(r.From) == 1 && p.same(r.From[0], col) {
			return planfile.ReferenceLine(&merge.Reference{From: r.From, As: merge.Keep, When: r.When})
		}
	}
	return ""
}

// sameRows tells whether rows of several shards had one key before, and have one again: no numbers that their tables' rows get keep such apart.
func (p *planner) sameRows(m merge.Misfit) bool {
	rows := map[string]int{}
	for _, sample := range m.Samples {
		for _, shard := range p.settled.Shards {
			if key, ok := strings.CutPrefix(sample, shard.Name+" "); ok {
				rows[key]++
				break
			}
		}
	}
	for _, n := range rows {
		if n > 1 {
			return true
		}
	}
	return false
}

// oneSequence is the advice to number the keys that a column follows, each as a condition says, by one sequence: two of them never get the same number then. It is "" where
// no column of a unique key follows several.
func (p *planner) oneSequence(t *merge.Table, columns []string) string {
	for _, name := range columns {
		var keys, lines []string
		for _, r := range p.settled.References {
			if r.As != merge.Plain || r.When == "" || len(r.From) != 1 || !p.same(r.From[0], merge.Col{Table: t.Name, Name: name}) || r.Spaces[0] == nil || slices.Contains(keys, r.Spaces[0].Key.String()) {
				continue
			}
			keys = append(keys, r.Spaces[0].Key.String())
			lines = append(lines, planfile.KeyLine(&merge.KeyPlan{Key: r.Spaces[0].Key, Sequence: name}))
		}
		if len(keys) > 1 {
			return fmt.Sprintf("number %s by one sequence, such as %s, where no server has a number in two of them", strings.Join(keys, " and "), strings.Join(lines, " and "))
		}
	}
	return ""
}

func folds(jobs []merge.TableJob) bool {
	return slices.ContainsFunc(jobs, func(j merge.TableJob) bool { return j.Rows == merge.UnionRows || j.Rows == merge.FirstRows })
}

// doubtful tells whether values that the jobs make may break a rule of a row, or of several rows at once. What the jobs leave alone keeps the rules that the
// shards keep, and so does a unique key of which a column changes by one key map everywhere: no two keys get the same new one.
func doubtful(t *merge.Table, jobs []merge.TableJob) (rows, pairs bool) {
	m := madeColumns(t, jobs)
	for _, check := range t.Checks {
		rows = rows || mentions(check, m.fresh)
	}
	for _, c := range t.Columns {
		rows = rows || (c.NotNull || t.Strict) && slices.Contains(m.given, c.Name)
	}
	if len(jobs) > 1 {
		rows = rows || slices.ContainsFunc(jobs[0].Columns, func(c merge.ColumnJob) bool { return c.Combine.How == "sum" || comparesTexts(t, c) })
	}
	for _, u := range t.Uniques {
		_, condition, _ := strings.Cut(merge.FoldASCII(u.SQL), "where")
		pairs = pairs || mentions(condition, m.fresh) || slices.Contains(u.Columns, "") && mentions(u.SQL, m.fresh) ||
			slices.ContainsFunc(u.Columns, func(c string) bool { return slices.Contains(m.odd, c) && !renamedAlone(u, c, jobs) })
	}
	return rows, pairs
}

// comparesTexts tells whether a job combines a column by what may be the text of a number.
func comparesTexts(t *merge.Table, job merge.ColumnJob) bool {
	c := t.Column(job.Combine.Compared(job.Name), true)
	return c != nil && (c.Affinity == merge.Text || c.Affinity == merge.Blob)
}

// made are the columns in which jobs make values, by name.
type made struct {
	fresh []string // all
	odd   []string // of these, whose values are not keys under one map
	given []string // of these, whose values are the plan's own SQL, or computed from new ones: also a null or another type
}

func madeColumns(t *merge.Table, jobs []merge.TableJob) (m made) {
	for _, job := range jobs {
		for _, c := range job.Columns {
			name := t.Column(c.Name, true).Name
			given := c.Source == ""
			oneMap := len(c.Cases) == 1 && c.Cases[0].When == "" && len(c.Cases[0].NotNull) == 0 && c.Cases[0].Clear == nil
			odd := len(c.Copies)+len(c.Buried) > 0 || len(c.Cases) > 0 && !oneMap || c.Combine.How != "" && c.Combine.How != "first"
			for _, r := range job.Renames {
				odd = odd || merge.FoldASCII(r.Rename.Column) == merge.FoldASCII(name)
				for mark := range r.Rename.Mark {
					given = given || merge.FoldASCII(mark) == merge.FoldASCII(name)
				}
			}
			if given {
				m.given = append(m.given, name)
			}
			if given || odd {
				m.odd = append(m.odd, name)
			}
			if given || odd || oneMap {
				m.fresh = append(m.fresh, name)
			}
		}
	}
	for more := len(m.fresh) > 0; more; { // what is computed from them, and from that
		more = false
		for _, c := range t.Columns {
			if c.Generated && !slices.Contains(m.fresh, c.Name) && (c.Formula == "" || mentions(c.Formula, m.fresh)) {
				m.fresh, m.odd, m.given, more = append(m.fresh, c.Name), append(m.odd, c.Name), append(m.given, c.Name), true
			}
		}
	}
	return m
}

// renamedAlone tells whether a unique key is the renamed column by itself: the audit chose new names that nobody has.
func renamedAlone(u *merge.Unique, column string, jobs []merge.TableJob) bool {
	if len(u.Columns) > 1 {
		return false
	}
	for _, job := range jobs {
		for _, c := range job.Columns {
			if c.Name == column && (c.Source == "" || len(c.Cases)+len(c.Copies)+len(c.Buried) > 0 || c.Combine.How != "" && c.Combine.How != "first") {
				return false
			}
		}
		for _, r := range job.Renames {
			for mark := range r.Rename.Mark {
				if merge.FoldASCII(mark) == merge.FoldASCII(column) {
					return false
				}
			}
		}
	}
	for _, job := range jobs {
		if slices.ContainsFunc(job.Columns, func(c merge.ColumnJob) bool { return c.Name == column }) {
			return true
		}
	}
	return false // generated
}

// mentions tells whether an SQL text may name one of the columns.
func mentions(text string, columns []string) bool {
	return slices.ContainsFunc(columns, func(c string) bool { return merge.MayName(text, c) })
}
