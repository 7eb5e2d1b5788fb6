package audit

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// unfillable says of a column that a shard lacks, and for which nothing can be proposed, why that is and what to do.
func (a *auditor) unfillable(shard int, t *table, c *merge.Column, unique bool) {
	col := merge.Col{Table: t.Name, Name: c.Name}
	text := a.schema.Holds(col) == merge.Text
	why, like := "takes no null and has no default", "0"
	if text {
		like = "''"
	}
	if c.Default != "" {
		why = fmt.Sprintf("takes no null, and its default %s is not the same in every run", c.Default)
	}
	if unique {
		why, like = "is unique and takes no null, so that each row needs a value of its own", ""
		if key := a.schema.Table(t.Name).PrimaryKey; len(key) == 1 {
			if like = a.engine.Quote(key[0]); text {
				like = a.engine.Literal(a.name(shard)+"-") + " || " + like
			}
		}
	}
	next := fmt.Sprintf("add the column to a copy of %s, declared as elsewhere, and fill it there", a.name(shard))
	switch {
	case a.bound(col):
		why = "takes no null and is declared to refer to a key"
	case like != "":
		next = fmt.Sprintf("write into the plan what they get, an expression over the row, such as %s; or %s",
			planfile.TableLine(&merge.TablePlan{Table: t.Name, Missing: map[string]string{c.Name: like}}), next)
	}
	a.find(merge.Finding{
		Rule: "missing", Severity: merge.Block, Table: t.Name, Column: c.Name, Shard: a.name(shard), Rows: t.rows[shard],
		Text: fmt.Sprintf("%s lacks it, and it %s: nothing tells what %s would get", a.name(shard), why, counted(t.rows[shard], "row", "rows")), Next: next,
	})
}

// bound tells whether a foreign key of the output holds a column by itself: nothing but keys and null may stand in it.
func (a *auditor) bound(c merge.Col) bool {
	return slices.ContainsFunc(a.schema.Table(c.Table).ForeignKeys, func(f *merge.ForeignKey) bool { return len(f.Columns) == 1 && a.schema.Equal(f.Columns[0], c.Name) })
}
