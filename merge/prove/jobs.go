package prove

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// jobs are what the record says the rows of a table became, one for each shard whose rows take part.
func (p *proof) jobs(t *merge.Table) ([]merge.TableJob, error) {
	rule := p.rule(t.Name)
	var list []merge.TableJob
	for i, s := range p.shards {
		own := s.Schema().Table(t.Name)
		if own == nil || !p.takes(t.Name, i) {
			continue
		}
		job := merge.TableJob{Table: t, Shard: i, Rows: rule.Rows}
		switch {
		case rule.Rows == merge.FromRows:
			job.Rows = merge.MergeRows
		case rule.Rows == merge.ByValue && len(rule.Columns) > 0:
			job.Rows = merge.UnionRows
		case rule.Rows == merge.ByValue:
			job.Rows = merge.FirstRows
		}
		if job.Rows == merge.FirstRows || job.Rows == merge.UnionRows {
			job.Key = p.foldKey(t)
		}
		for _, c := range t.Columns {
			if c.Generated {
				continue
			}
			col := merge.ColumnJob{Name: c.Name, Combine: lookup(p.schema, rule.Columns, c.Name)}
			if src := own.Column(c.Name, p.schema.Fold); src != nil {
				col.Source = src.Name
			} else if col.Missing = lookup(p.schema, rule.Missing, c.Name); col.Missing == "" {
				if col.Missing = c.Default; col.Missing == "" {
					col.Missing = "NULL"
				}
			}
			if col.Source != "" { // what a lacking column was given is no old key
				if err := p.follow(&job, &col, merge.Col{Table: t.Name, Name: c.Name}); err != nil {
					return nil, err
				}
			}
			job.Columns = append(job.Columns, col)
		}
		for _, r := range p.rename {
			if p.schema.Equal(r.Unique.Table, t.Name) && len(r.Shards[i]) > 0 {
				job.Renames = append(job.Renames, merge.RenameJob{Rename: r})
			}
		}
		list = append(list, job)
	}
	return list, nil
}

// follow adds what the references of a column and its own key space make of its values. Where the record has both, the references are what the game reads.
func (p *proof) follow(job *merge.TableJob, col *merge.ColumnJob, name merge.Col) error {
	own := p.spaces[name]
	if own != nil && p.leadsElsewhere(name, own) == nil {
		col.Cases = []merge.Case{{Map: own.maps[job.Shard]}}
	} else {
		own = nil
	}
	for _, r := range p.refs {
		ref := r.Reference
		at := slices.Index(ref.From, name)
		if at < 0 {
			continue
		}
		switch ref.As {
		case merge.Copy:
			col.Copies, col.Buried = append(col.Copies, p.copies(ref)...), append(col.Buried, p.tombstones(ref)...)
		case merge.Plain:
			one := merge.Case{When: ref.When, None: ref.None, AsText: p.converts(ref.To[at]) || len(ref.From) > 1 && p.repeats(ref.To[at])}
			for i, other := range ref.From {
				if i != at {
					one.NotNull = append(one.NotNull, other.Name)
				}
			}
			if s := p.spaceOf(r, at); s != nil {
				one.Map = s.maps[job.Shard]
			} else if len(ref.From) == 1 {
				col.Copies, col.Buried = append(col.Copies, p.copies(ref)...), append(col.Buried, p.tombstones(ref)...)
			}
			dead := r.dead[job.Shard]
			if dead.Len() > 0 && len(ref.From) == 1 {
				switch ref.Orphans {
				case merge.ByClear:
					one.Clear = dead
					if !p.schema.TakesNull(name) {
						if len(ref.None) == 0 {
							return fmt.Errorf("%s: dead values were cleared, but the column refuses null and no value means nobody", name)
						}
						one.Cleared = ref.None[0]
					}
				case merge.ByDrop:
					job.Drop = append(job.Drop, merge.Drop{Column: name.Name, When: ref.When, None: ref.None, Values: dead})
				}
			}
			if own == nil && (one.Map != nil || one.Clear != nil || ref.When != "") {
				col.Cases = append(col.Cases, one)
			}
		}
	}
	return nil
}

// leadsElsewhere is a recorded reference by which a column with keys of its own follows other ones; nil when there is none.
func (p *proof) leadsElsewhere(name merge.Col, own *space) *reference {
	for _, r := range p.refs {
		if at := slices.Index(r.Reference.From, name); r.Reference.As == merge.Plain && at >= 0 && p.spaceOf(r, at) != own {
			return r
		}
	}
	return nil
}

// converts tells whether a key is equal to its decimal text in a column that refers to it: SQL converts the text unless the key has no affinity.
func (p *proof) converts(key merge.Col) bool {
	c := p.schema.Column(key)
	return c == nil || c.Affinity != merge.Blob
}

// repeats tells whether a key's values are those of another one that compares texts of digits as numbers.
func (p *proof) repeats(key merge.Col) bool {
	for range p.refs {
		at := slices.IndexFunc(p.refs, func(r *reference) bool {
			return r.Reference.As == merge.Plain && r.Reference.When == "" && len(r.Reference.From) == 1 && p.sameCol(r.Reference.From[0], key)
		})
		if at < 0 {
			return false
		}
		if key = p.refs[at].Reference.To[0]; p.converts(key) {
			return true
		}
	}
	return false
}

// copies are the renames that a copy follows.
func (p *proof) copies(ref merge.Reference) (list []merge.CopyJob) {
	if len(ref.To) != 1 {
		return nil
	}
	for _, r := range p.rename {
		if !p.schema.Equal(r.Unique.Table, ref.To[0].Table) || !p.schema.Equal(r.Column, ref.To[0].Name) {
			continue
		}
		job := merge.CopyJob{Rename: r, When: ref.When, Via: ref.Via, None: ref.None}
		if ref.By != nil {
			job.By = ref.By.Name
			for _, other := range p.mem.References {
				if other.Reference.As == merge.Plain && len(other.Reference.From) == 1 && other.Reference.From[0] == *ref.By {
					job.To = other.Reference.To[0]
				}
			}
		}
		list = append(list, job)
	}
	return list
}

// foldKey is by which columns rows fold: the primary key, the number of rows that fold by value, or every column of a table without any.
func (p *proof) foldKey(t *merge.Table) []string {
	if len(t.PrimaryKey) > 0 {
		return t.PrimaryKey
	}
	if p.rule(t.Name).Rows == merge.ByValue {
		return p.numberedBy(t)
	}
	var all []string
	for _, c := range t.Columns {
		if !c.Generated {
			all = append(all, c.Name)
		}
	}
	return all
}

// numberedBy are the columns of a table whose numbers are keys by the plan.
func (p *proof) numberedBy(t *merge.Table) (list []string) {
	for _, k := range p.plan.Keys {
		if p.schema.Equal(k.Key.Table, t.Name) {
			list = append(list, k.Key.Name)
		}
	}
	return list
}

// lookup finds a column's entry, spelled as the schema compares names.
func lookup[T any](s *merge.Schema, m map[string]T, name string) (v T) {
	for k, v := range m {
		if s.Equal(k, name) {
			return v
		}
	}
	return v
}
