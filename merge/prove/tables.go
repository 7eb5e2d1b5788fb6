package prove

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/gameid/gameid/merge"
)

// compareTables proves the rows of every table, and that the output has the inputs' tables and no others.
func (p *proof) compareTables(ctx context.Context) error {
	var rows int64
	for _, t := range p.schema.Tables {
		if t.Opaque != "" {
			continue
		}
		n, err := p.merged.Rows(ctx, t.Name)
		if err != nil {
			return err
		}
		rows += n
	}
	p.opt.Progress.Phase("prove", rows)
	for i, s := range p.shards {
		for _, t := range s.Schema().Tables {
			if p.schema.Table(t.Name) != nil || p.rule(t.Name).Rows == merge.EmptyRows {
				continue
			}
			p.fail(Check{Name: CheckTables, Table: t.Name, Shard: p.name(i)}, "the output lacks this table")
		}
	}
	for _, t := range p.schema.Tables {
		if err := p.compareTable(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

func (p *proof) compareTable(ctx context.Context, t *merge.Table) error {
	check := Check{Name: CheckRows, Table: t.Name}
	known := false
	for _, s := range p.shards {
		known = known || s.Schema().Table(t.Name) != nil
	}
	rule := p.rule(t.Name)
	switch {
	case !known:
		p.fail(Check{Name: CheckTables, Table: t.Name}, "no input has this table")
		return nil
	case t.Opaque != "":
		p.fail(check, "%s: its rows cannot be compared", t.Opaque)
		return nil
	case len(rule.Purge) > 0:
		p.fail(check, "the plan purges rows, which this proof cannot follow")
		return nil
	}
	jobs, err := p.jobs(t)
	if err != nil {
		p.fail(check, "%v", err)
		return nil
	}
	if len(jobs) == 0 {
		n, err := p.merged.Rows(ctx, t.Name)
		if err != nil {
			return err
		}
		if n > 0 {
			p.fail(check, "the table must be empty, but has %d rows", n)
			p.bad(t.Name, merge.BadRow{Want: "no row", Got: fmt.Sprintf("%d rows", n)})
			return nil
		}
		check.Detail = "empty, as the plan says"
		p.pass(check)
		return nil
	}
	if p.lacks(t, jobs) {
		return nil
	}
	job := merge.CompareJob{Jobs: jobs, Names: p.repeated(t), Limit: p.opt.Limit}
	for _, c := range p.plan.Counters {
		if p.schema.Equal(c.Column.Table, t.Name) {
			if c.Texts = p.schema.Holds(c.Key) == merge.Text; c.Texts {
				err = p.countedTexts(ctx, t, &c)
			} else {
				c.Floor, err = p.counted(ctx, t, c)
			}
			if err != nil {
				return err
			}
			job.Counters = append(job.Counters, c)
		}
	}
	var conditional []*reference
	conditional, job.Held = p.conditions(t)
	got, err := p.engine.Compare(ctx, p.merged, p.shards, job)
	if err != nil {
		return err
	}
	p.failTurned(conditional, got.Turned)
	p.opt.Progress.Add(got.Merged)
	check.Rows = got.Merged
	if got.Bad > 0 {
		what := ""
		if len(got.Rows) > 0 {
			what = ": " + describe(got.Rows[0])
			check.Column = got.Rows[0].Column
		}
		words := "rows are not as they must be"
		if got.Bad == 1 {
			words = "row is not as it must be"
		}
		p.fail(check, "%d %s%s", got.Bad, words, what)
		p.bad(t.Name, got.Rows...)
		return nil
	}
	for i, n := range got.Shards {
		if i > 0 {
			check.Detail += " + "
		}
		check.Detail += fmt.Sprintf("%d of %s", n, p.name(jobs[i].Shard))
	}
	p.pass(check)
	return nil
}

// lacks tells whether the output's table lacks a column of an input whose rows come.
func (p *proof) lacks(t *merge.Table, jobs []merge.TableJob) (some bool) {
	for _, job := range jobs {
		own := p.shards[job.Shard].Schema().Table(t.Name)
		if own == nil {
			continue
		}
		for _, c := range own.Columns {
			if !c.Generated && t.Column(c.Name, p.schema.Fold) == nil {
				some = true
				p.fail(Check{Name: CheckTables, Table: t.Name, Column: c.Name, Shard: p.name(job.Shard)}, "the output lacks this column")
			}
		}
	}
	return some
}

// describe is one bad row in a sentence.
func describe(r merge.BadRow) string {
	s := ""
	if r.Key != "" {
		s = "row " + r.Key
	}
	if r.Shard != "" {
		s = cmp.Or(s, "a row") + " of " + r.Shard
	}
	if s != "" {
		s += ", "
	}
	if r.Column != "" {
		s += "column " + r.Column + ": "
	}
	return s + "want " + r.Want + ", got " + r.Got
}

// countedTexts reads what stands before the numbers of a counter of texts, and the highest number to which an input counted.
func (p *proof) countedTexts(ctx context.Context, t *merge.Table, c *merge.Counter) error {
	some := false
	return p.counts(ctx, t, *c, func(v any) {
		head, n, _, ok := merge.CounterText(v)
		if ok && !some {
			c.Head, some = head, true
		}
		if ok && head == c.Head {
			c.Floor = max(c.Floor, n)
		}
	})
}

// counted is the highest number to which an input counted, also in a row that does not come.
func (p *proof) counted(ctx context.Context, t *merge.Table, c merge.Counter) (top int64, err error) {
	err = p.counts(ctx, t, c, func(v any) {
		switch v := v.(type) {
		case int64:
			top = max(top, v)
		case float64:
			if f := math.Trunc(v); f == v && math.Abs(f) < 1<<62 {
				top = max(top, int64(f))
			}
		case string:
			if n, err := strconv.ParseInt(v, 10, 64); err == nil {
				top = max(top, n)
			}
		}
	})
	return top, err
}

// counts gives what stands in a counter of the inputs.
func (p *proof) counts(ctx context.Context, t *merge.Table, c merge.Counter, take func(v any)) error {
	for _, s := range p.shards {
		own := s.Schema().Table(t.Name)
		if own == nil || slices.ContainsFunc(t.Columns, func(col *merge.Column) bool { return own.Column(col.Name, p.schema.Fold) == nil }) {
			continue
		}
		column, ok := s.Schema().Resolve(c.Column)
		if !ok {
			continue
		}
		list, err := s.Values(ctx, column, c.Where, 0)
		if err != nil {
			return err
		}
		for _, v := range list {
			take(v.Value[0])
		}
	}
	return nil
}

// repeated are the columns of a table by whose texts others tell its rows apart, and of which no rule of the plan makes new ones where rows fold.
func (p *proof) repeated(t *merge.Table) (list []string) {
	rule := p.rule(t.Name)
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		alone := func(u *merge.Unique) bool { return u.Plain() && slices.Equal(u.Columns, []string{c.Name}) }
		given := func(u merge.UniquePlan) bool { return slices.EqualFunc(u.Unique, []merge.Col{col}, p.sameCol) }
		of := func(r merge.MemoryReference) bool {
			return r.Reference.As == merge.Copy && slices.EqualFunc(r.Reference.To, []merge.Col{col}, p.sameCol)
		}
		from := func(r merge.MemoryReference) bool {
			return r.Reference.As != merge.Keep && slices.Contains(r.Reference.From, col)
		}
		how := lookup(p.schema, rule.Columns, c.Name)
		if (how.How == "" || how.How == "first" || how.By != "") && !c.Generated && (slices.ContainsFunc(t.Uniques, alone) || slices.ContainsFunc(p.plan.Uniques, given)) &&
			slices.ContainsFunc(p.mem.References, of) && !slices.ContainsFunc(p.mem.References, from) {
			list = append(list, c.Name)
		}
	}
	return list
}
