package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// LeftOut is a table that the output lacks, to be built again before the game uses it.
type LeftOut struct {
	Table string
	SQL   []string // the statements that build it, as a shard stores it, and fill it from other tables
	Needs []string // the output's triggers and views that fail without it: "trigger t on players"
	Rows  int64    // that stand in no other table, so that building it again does not bring them back
}

// findLeftOut tells which triggers and views of the output fail until a table that is left out is built again: an engine looks into them only when they run.
func (a *auditor) findLeftOut() {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque == "" || t.MadeBy != "" {
			continue
		}
		out := LeftOut{Table: t.Name, SQL: []string{t.SQL}, Rows: line.total()}
		if t.Refill != "" {
			out.SQL = append(out.SQL, t.Refill)
		}
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
				Next: "build it before the game starts: " + strings.Join(out.SQL, "; "),
			})
		}
	}
}

// countOpaque asks what becomes of a table whose rows cannot be merged as rows, and of how many that stand nowhere else. Those are refused: no line of a plan brings
// them over, and none that loses them is proposed.
func (a *auditor) countOpaque(ctx context.Context, t *table) error {
	t.dropped = t.plan.Rows == merge.EmptyRows
	if t.MadeBy != "" { // it goes with the virtual table
		return nil
	}
	var parts []string
	for i, s := range a.shards {
		own := s.Schema().Table(t.Name)
		if own == nil || own.Source == "" {
			continue
		}
		n, err := s.Rows(ctx, own.Source)
		if err != nil {
			return err
		}
		if t.rows[i] = n; n > 0 {
			parts = append(parts, fmt.Sprintf("%d in %s", n, a.name(i)))
		}
	}
	f := merge.Finding{Rule: "opaque", Severity: merge.Info, Table: t.Name, Rows: t.total()}
	lost := fmt.Sprintf("%s, %s nowhere else", counted(f.Rows, "row", "rows"), map[bool]string{true: "which stands", false: "which stand"}[f.Rows == 1])
	if len(parts) > 1 {
		lost += " (" + strings.Join(parts, ", ") + ")"
	}
	switch {
	case t.dropped && f.Rows > 0:
		f.Text = t.Opaque + ": left out of the output, as the plan says, with its " + lost
		f.Next = "see that they are kept elsewhere, to fill it with after the merge"
	case t.dropped:
		f.Text = t.Opaque + ": left out of the output, as the plan says"
	case f.Rows > 0:
		f.Severity, f.Text = merge.Block, t.Opaque+": holds "+lost+", and they cannot be merged as rows"
		f.Next = fmt.Sprintf("copy them into an ordinary table in copies of the shards, to fill it from after the merge; then, or to lose them, say %s", rowsLine(t.Name, merge.EmptyRows))
	default:
		f.Severity, f.Text, f.Next = merge.Decide, t.Opaque+": its rows cannot be merged as rows", "leave it out of the output (rows: empty) and build it again afterwards"
		a.ask(merge.Undecided{
			Question: "leave " + t.Name + " out of the output, to be built again afterwards?", Evidence: t.Opaque,
			Table: &merge.TablePlan{Table: t.Name, Rows: merge.EmptyRows},
		})
	}
	a.find(f)
	return nil
}
