package rewrite

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// planner turns a settled plan into jobs.
type planner struct {
	settled *merge.Settled
	shards  []merge.Shard
}

// Jobs are the jobs of one table, in shard order, for the shards that have it and whose rows take part.
func (p *planner) jobs(t merge.SettledTable) ([]merge.TableJob, error) {
	var list []merge.TableJob
	for i, s := range p.shards {
		if t.Plan.Rows == merge.EmptyRows || t.Plan.Rows == merge.FromRows && p.settled.Shards[i].Name != t.Plan.From {
			continue
		}
		table := s.Schema().Table(t.Table.Name)
		if table == nil {
			continue
		}
		job, err := p.job(t, i, table)
		if err != nil {
			return nil, err
		}
		list = append(list, job)
	}
	return list, nil
}

func (p *planner) job(t merge.SettledTable, shard int, source *merge.Table) (merge.TableJob, error) {
	fold := p.settled.Schema.Fold
	job := merge.TableJob{Table: t.Table, Shard: shard, Rows: t.Plan.Rows, Key: t.Key}
	switch job.Rows {
	case "", merge.FromRows:
		job.Rows = merge.MergeRows
	case merge.ByValue: // rows of equal values have got one key
		if job.Rows = merge.FirstRows; len(t.Plan.Columns) > 0 {
			job.Rows = merge.UnionRows
		}
	}
	for _, c := range t.Table.Columns {
		if c.Generated {
			continue
		}
		col := merge.ColumnJob{Name: c.Name}
		if job.Rows == merge.UnionRows {
			col.Combine = p.combine(t, c.Name)
		}
		if from := source.Column(c.Name, fold); from != nil {
			col.Source = from.Name
			col.Cases = p.cases(t.Table, c, source, shard)
			col.Copies = p.copies(t.Table, c, shard)
			col.Buried = p.buried(t.Table, c, shard)
		} else {
			value, ok := p.missing(t, c.Name)
			if !ok {
				return job, refuse("table "+t.Table.Name+", missing: {"+c.Name+": ...}", "shard %s lacks the column, and nothing says what its rows get", p.settled.Shards[shard].Name)
			}
			col.Missing = value
		}
		job.Columns = append(job.Columns, col)
	}
	for i := range p.settled.References {
		r := &p.settled.References[i]
		if dead := cleared(r, shard); r.As == merge.Plain && r.Orphans == merge.ByDrop && dead != nil && p.settled.Schema.Equal(r.Table(), t.Table.Name) {
			job.Drop = append(job.Drop, merge.Drop{Column: r.From[0].Name, When: r.When, None: r.None, Values: dead})
		}
	}
	for _, r := range p.settled.Renames {
		if p.settled.Schema.Equal(r.Unique.Table, t.Table.Name) && shard < len(r.Shards) && len(r.Shards[shard]) > 0 {
			job.Renames = append(job.Renames, merge.RenameJob{Rename: r})
		}
	}
	return job, nil
}

// cases are how a column's keys change: by its own key space when it has one whose keys change, otherwise by its references in the plan's order.
func (p *planner) cases(t *merge.Table, c *merge.Column, source *merge.Table, shard int) []merge.Case {
	col := merge.Col{Table: t.Name, Name: c.Name}
	if sp := p.space(col); sp != nil && p.changes(sp) {
		if m := mapOf(sp, shard); m != nil {
			return []merge.Case{{Map: m}}
		}
		return nil
	}
	var list []merge.Case
	for i := range p.settled.References {
		r := &p.settled.References[i]
		at := slices.IndexFunc(r.From, func(f merge.Col) bool { return p.same(f, col) })
		if r.As != merge.Plain || at < 0 {
			continue
		}
		k := merge.Case{When: r.When, None: r.None, AsText: r.AsText || len(r.From) > 1 && p.digits(r.To[at])}
		if at < len(r.Spaces) {
			k.Map = mapOf(r.Spaces[at], shard)
		}
		if len(r.From) > 1 && k.Map == nil { // what else the plan says of the column decides
			continue
		}
		for j, f := range r.From {
			if j != at {
				if other := source.Column(f.Name, p.settled.Schema.Fold); other != nil {
					k.NotNull = append(k.NotNull, other.Name)
				}
			}
		}
		if r.Orphans == merge.ByClear {
			k.Clear = cleared(r, shard)
			if !p.settled.Schema.TakesNull(col) && len(r.None) > 0 {
				k.Cleared = r.None[0]
			}
		}
		if slices.ContainsFunc(list, func(o merge.Case) bool { return o.When == k.When && slices.Equal(o.NotNull, k.NotNull) }) {
			continue // the same condition: the first has decided already
		}
		list = append(list, k)
		if k.When == "" && len(k.NotNull) == 0 {
			break
		}
	}
	for len(list) > 0 && list[len(list)-1].Map == nil && list[len(list)-1].Clear == nil {
		list = list[:len(list)-1]
	}
	return list
}

// digits tells whether texts of digits are a key's numbers: where it, or a key that it repeats, compares them as numbers. What a reference of one column holds was
// measured.
func (p *planner) digits(key merge.Col) bool {
	for range p.settled.References {
		if c := p.settled.Schema.Column(key); c == nil || c.Affinity != merge.Blob {
			return true
		}
		next := slices.IndexFunc(p.settled.References, func(r merge.SettledReference) bool {
			return r.As == merge.Plain && r.When == "" && len(r.From) == 1 && p.same(r.From[0], key)
		})
		if next < 0 {
			return false
		}
		key = p.settled.References[next].To[0]
	}
	return false
}

// follows tells whether a reference holds texts, which follow the renames of what they refer to.
func follows(r *merge.SettledReference) bool {
	return r.As == merge.Copy || r.As == merge.Plain && len(r.From) == 1 && r.Spaces[0] == nil
}

// buried are the tombstones that the dead texts of a column get.
func (p *planner) buried(t *merge.Table, c *merge.Column, shard int) (list []merge.BuryJob) {
	for i := range p.settled.References {
		r := &p.settled.References[i]
		if r.Buried != nil && len(r.Buried.Shards[shard]) > 0 && p.same(r.From[0], merge.Col{Table: t.Name, Name: c.Name}) {
			list = append(list, merge.BuryJob{Burial: r.Buried, When: r.When, None: r.None})
		}
	}
	return list
}

// copies are the renames that a column follows.
func (p *planner) copies(t *merge.Table, c *merge.Column, shard int) []merge.CopyJob {
	var list []merge.CopyJob
	for i := range p.settled.References {
		r := &p.settled.References[i]
		if !follows(r) || !p.same(r.From[0], merge.Col{Table: t.Name, Name: c.Name}) {
			continue
		}
		for _, rename := range p.settled.Renames {
			if !p.same(r.To[0], merge.Col{Table: rename.Unique.Table, Name: rename.Column}) || shard >= len(rename.Shards) || len(rename.Shards[shard]) == 0 {
				continue
			}
			k := merge.CopyJob{Rename: rename, When: r.When, Via: r.Via, None: r.None}
			if r.By != nil {
				k.By, k.To = r.By.Name, p.target(*r.By)
			}
			list = append(list, k)
		}
	}
	return list
}

// target is the key that a plain reference of one column refers to; a zero Col when there is no such reference.
func (p *planner) target(from merge.Col) merge.Col {
	for _, r := range p.settled.References {
		if r.As == merge.Plain && len(r.From) == 1 && p.same(r.From[0], from) {
			return r.To[0]
		}
	}
	return merge.Col{}
}

func (p *planner) same(a, b merge.Col) bool {
	return p.settled.Schema.Equal(a.Table, b.Table) && p.settled.Schema.Equal(a.Name, b.Name)
}

func (p *planner) space(key merge.Col) *merge.Space {
	for _, sp := range p.settled.Spaces {
		if p.same(sp.Key, key) {
			return sp
		}
	}
	return nil
}

func (p *planner) combine(t merge.SettledTable, column string) merge.Combine {
	for name, c := range t.Plan.Columns {
		if p.settled.Schema.Equal(name, column) {
			return c
		}
	}
	return merge.Combine{How: "first"}
}

func (p *planner) missing(t merge.SettledTable, column string) (string, bool) {
	for name, v := range t.Plan.Missing {
		if p.settled.Schema.Equal(name, column) {
			return v, true
		}
	}
	return "", false
}

// mapOf is a space's map for a shard; nil when nothing changes.
func mapOf(sp *merge.Space, shard int) *merge.KeyMap {
	if sp == nil || shard >= len(sp.Maps) || sp.Maps[shard] == nil || len(sp.Maps[shard].Runs()) == 0 {
		return nil
	}
	return sp.Maps[shard]
}

// cleared are the dead values of a shard that a reference removes; nil when there are none.
func cleared(r *merge.SettledReference, shard int) *merge.ValueSet {
	if shard >= len(r.Cleared) || r.Cleared[shard].Len() == 0 {
		return nil
	}
	return r.Cleared[shard]
}

// changes tells whether a space's keys change in any shard.
func (p *planner) changes(sp *merge.Space) bool {
	for i := range sp.Maps {
		if mapOf(sp, i) != nil {
			return true
		}
	}
	return false
}
