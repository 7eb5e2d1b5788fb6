package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// LeftOut is a table that the output lacks, to be built again before the game uses it.
type LeftOut struct {
	Table string
	SQL   string   // that builds it, as a shard stores it
	Needs []string // the output's triggers and views that fail without it: "trigger t on players"
}

// findLeftOut tells which triggers and views of the output fail until a table that is left out is built again: an engine looks into them only when they run.
func (a *auditor) findLeftOut() {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque == "" || shadowed(t) {
			continue
		}
		out := LeftOut{Table: t.Name, SQL: t.SQL}
		missing := []string{merge.FoldASCII(t.Name)}
		for found := true; found; { // views may read views
			found = false
			for _, o := range a.schema.Objects {
				what := o.Kind + " " + o.Name
				if o.Table != "" {
					what += " on " + o.Table
				}
				names, _ := merge.SQLNames(o.SQL)
				if o.Kind == "index" || a.schema.Equal(o.Table, t.Name) || slices.Contains(out.Needs, what) || !slices.ContainsFunc(missing, func(n string) bool { return slices.Contains(names, n) }) {
					continue
				}
				out.Needs, found = append(out.Needs, what), true
				if o.Kind == "view" {
					missing = append(missing, merge.FoldASCII(o.Name))
				}
			}
		}
		if line.dropped {
			a.res.LeftOut = append(a.res.LeftOut, out)
		}
		if len(out.Needs) > 0 {
			a.find(merge.Finding{
				Rule: "opaque", Severity: merge.Info, Table: t.Name,
				Text: fmt.Sprintf("when it is left out, whatever uses %s fails in the output until it is built again", strings.Join(out.Needs, ", ")),
				Next: "build it before the game starts: " + t.SQL,
			})
		}
	}
}

// shadowed tells whether another table's module makes a table: it comes with that one.
func shadowed(t *merge.Table) bool { return strings.HasPrefix(t.Opaque, "shadow table") }
