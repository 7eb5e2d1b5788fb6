package audit

import (
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkComputed refuses a reference in a generated column whose keys change: no value can be written there, and what it is computed from says nothing about
// keys. One that is another column over again follows with it.
func (a *auditor) checkComputed(r *reference) {
	for part, c := range r.From {
		column, s := a.schema.Column(c), r.spaces[part]
		if !column.Generated || s == nil || a.mirrors(r, part, column) {
			continue
		}
		var rows int64
		for i, n := range r.counts {
			switch {
			case n == nil:
			case len(r.From) > 1 && s.result != nil && s.result.Maps[i].Len() > 0:
				rows += n.Rows
			case len(r.From) == 1:
				rows += n.Moving
				for _, d := range n.Dead {
					if k, ok := d.Value[0].(int64); ok && s.result != nil {
						if _, changed := s.result.Maps[i].Lookup(k); changed {
							rows += d.Rows
						}
					}
				}
			}
		}
		if rows > 0 {
			a.find(merge.Finding{
				Rule: "computed", Severity: merge.Block, Table: c.Table, Column: c.Name, Rows: rows,
				Text: fmt.Sprintf("refers to %s and is computed as (%s): %s to keys that change, and a computed value cannot follow", r.To[part], column.Formula, counted(rows, "row refers", "rows refer")),
				Next: "put the key into a column of its own in copies of the shards, or say as: keep if it is no reference",
			})
		}
	}
}

// mirrors tells whether a generated column is another column as it stands, which refers to the same key.
func (a *auditor) mirrors(r *reference, part int, column *merge.Column) bool {
	name := strings.Trim(column.Formula, "() \t\"`[]")
	for _, o := range a.plain() {
		for i, c := range o.From {
			if c.Table == r.table() && a.schema.Equal(c.Name, name) && o.When == r.When && o.spaces[i] == r.spaces[part] && !a.schema.Column(c).Generated {
				return true
			}
		}
	}
	key := merge.Col{Table: r.table(), Name: name}
	return r.When == "" && a.schema.Column(key) != nil && a.spaces[a.top(key)] == r.spaces[part]
}
