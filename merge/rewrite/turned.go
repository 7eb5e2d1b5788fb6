package rewrite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// turner is an engine that can tell which references' conditions hold of other rows in their final form.
type turner interface {
	Turned(ctx context.Context, shards []merge.Shard, draft *merge.Draft, table string, refs []merge.Reference) ([]merge.Misfit, error)
}

// turned finds the rows of a table of which the condition of a reference says something else in the output than in their shard: the game would read them as
// somebody else's. What another table says of a row may change with every row of that table.
func (p *planner) turned(ctx context.Context, engine merge.Engine, t *merge.Table, draft *merge.Draft) (list []merge.Finding, err error) {
	judge, ok := engine.(turner)
	if !ok {
		return nil, nil
	}
	fresh := madeColumns(t, draft.Jobs[t.Name]).fresh
	var near, far []merge.Reference // those that look at their own row, and those that look at others
	for _, r := range p.settled.References {
		if r.When == "" || len(r.From) != 1 || r.Table() != t.Name {
			continue
		}
		names, _ := merge.SQLNames(r.When)
		has := func(c string) bool { return slices.Contains(names, merge.FoldASCII(c)) }
		number := slices.ContainsFunc([]string{"rowid", "_rowid_", "oid"}, func(n string) bool { return has(n) && t.Column(n, true) == nil })
		computed := slices.ContainsFunc(t.Columns, func(c *merge.Column) bool {
			return c.Generated && c.Formula == "" && has(c.Name) && slices.Contains(fresh, c.Name)
		})
		number = number && (t.AutoColumn == "" || slices.Contains(fresh, t.AutoColumn))
		others := asksOthers(r.When)
		switch {
		case others && (number || computed): // whose number it means only the proof can tell, in the output itself
		case number, computed:
			list = append(list, merge.Finding{
				Rule: "condition", Severity: merge.Block, Table: t.Name, Column: r.From[0].Name,
				Text: fmt.Sprintf("the condition %q of its reference to %s names a number that the engine makes anew: in the output it may hold of other rows", r.When, merge.JoinCols(r.To)), Next: turnedNext,
			})
		case others:
			far = append(far, r.Reference)
		case slices.ContainsFunc(fresh, has):
			near = append(near, r.Reference)
		}
	}
	for _, refs := range [][]merge.Reference{near, far} {
		if len(refs) == 0 {
			continue
		}
		misfits, err := judge.Turned(ctx, p.shards, draft, t.Name, refs)
		if err != nil {
			return nil, err
		}
		for _, m := range misfits {
			list = append(list, p.finding(t, m))
		}
	}
	return list, nil
}

const turnedNext = "tell the rows apart by a column that stays, or keep new keys on their side of the condition (new: dense, range: [from, to])"

// turnedByOthers is what helps where a condition asks which key space has a value: keys that stay are then as much in the way as new ones.
const turnedByOthers = turnedNext + "; where that is not enough, because a key that stays is one of another key space on another server, change every key (--change all, with a range that no other key space reaches into)"

// turnedText says what a condition does.
func turnedText(m merge.Misfit, whose string) string {
	looks := "names a column whose values change"
	if asksOthers(m.What) {
		looks = "looks at other rows, which are others in the output"
	}
	return fmt.Sprintf("the condition %q of the reference in %s %s: of %d of %s it says something else there, and the game would read them as somebody else's", m.What, strings.Join(m.Columns, ", "), looks, m.Rows, whose)
}

// asksOthers tells whether a condition looks at other rows.
func asksOthers(condition string) bool {
	_, words := merge.SQLNames(condition)
	return slices.Contains(words, "select")
}
