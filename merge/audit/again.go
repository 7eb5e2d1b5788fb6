package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// A game may hold other things in a column since the plan was written: what the plan says of all of its rows is compared with what their values say.

// decidedPlainly lists the columns of which the plan says one thing for every row that it names no condition for, and the schema nothing.
func (a *auditor) decidedPlainly() (list []merge.Col) {
	for _, r := range a.refs {
		if !r.byPlan || r.When != "" || len(r.From) != 1 || r.Pattern.Any() || r.As != merge.Plain && r.As != merge.Keep {
			continue
		}
		if from, ok := a.spelled(r.From); ok && !a.declares(from[0]) {
			list = append(list, from[0])
		}
	}
	return list
}

// declares tells whether the schema says what a column refers to.
func (a *auditor) declares(c merge.Col) bool {
	return slices.ContainsFunc(a.foreignKeys(a.schema.Table(c.Table)), func(f *merge.ForeignKey) bool {
		return slices.ContainsFunc(f.Columns, func(name string) bool { return a.schema.Equal(name, c.Name) })
	})
}

// checkDecided says where the values of a column speak against the plan. It asks where some kind of rows holds another key and the plan's by chance alone.
func (a *auditor) checkDecided(ctx context.Context) error {
	moves := func(key merge.Col) bool { s := a.spaces[key]; return s != nil && s.moves() > 0 }
	kinds, asked := map[merge.Col][]string{}, map[merge.Col]bool{}
	for _, o := range a.otherwise {
		from := o.From[0]
		if asked[from] = a.askedAs(from) >= 0; o.Chance && o.When != "" {
			kinds[from] = append(kinds[from], bracketed(o.When)+" IS NOT TRUE")
		}
	}
	for _, o := range a.otherwise {
		from, evidence := o.From[0], string(o.Grade)+": "+o.Evidence
		line := a.about(from)[0].Reference // the plan says nothing else of it
		if asked[from] || !moves(o.To[0]) && (line.As == merge.Keep || !moves(line.To[0])) {
			continue
		}
		rows, err := a.rowsBeyond(ctx, &o.Reference, nil)
		if err != nil {
			return err
		}
		if o.When != "" && o.Chance {
			own := o.Reference
			rest := line
			rest.When = strings.Join(kinds[from], " AND ")
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("does %s hold %s when %s? The plan says %s of every row, which fits these by chance alone: make its line %s, and if it is right, say to: %[4]s here as well",
					from, o.To[0], o.When, line.To[0], planfile.ReferenceLine(&rest)),
				Evidence: evidence, Rows: rows, Reference: &own,
			})
			continue
		}
		f := merge.Finding{Rule: "against-plan", Severity: merge.Info, Table: from.Table, Column: from.Name, Rows: rows}
		f.Text, f.Next = "the plan keeps it", "if it does, say in place of the plan's line: "+planfile.ReferenceLine(&o.Reference)
		if line.As != merge.Keep {
			f.Text = fmt.Sprintf("the plan says that it holds %s", line.To[0])
		}
		f.Text += fmt.Sprintf(", but it seems to hold %s; %s", o.To[0], evidence)
		if o.When != "" {
			f.Next += ", and a line for the other rows"
		}
		a.find(f)
	}
	return nil
}

// tellKeptKinds says where the rows that the plan keeps under a condition hold keys or names that change: the game may have begun to name somebody there.
func (a *auditor) tellKeptKinds(ctx context.Context) error {
	for _, r := range a.refs {
		if !r.byPlan || r.As != merge.Keep || r.When == "" || len(r.From) != 1 || a.askedAgain(r) {
			continue
		}
		rest, err := a.readRest(ctx, r, bracketed(r.When), append(slices.Clone(r.None), int64(0), ""))
		if err != nil {
			return err
		}
		if rest.rows == 0 || len(rest.samples) < fewCopies {
			continue
		}
		line, what := merge.Reference{From: r.From, When: r.When}, ""
		if key, unlikely := a.restHolds(r.From[0], rest.numbers); key != nil && unlikely >= pairsByChance {
			line.To, what = []merge.Col{key.key}, fmt.Sprintf("all of them are %s, and none lies between its keys", key.key)
		} else if key, share, chance := a.restMostly(r.From[0], rest.numbers); key != nil {
			line.To, line.Orphans = []merge.Col{key.key}, merge.ByTombstone
			what = fmt.Sprintf("%.0f %% of them are %s, where chance would put %.0f %%", 100*share, key.key, 100*chance)
		} else if target, evidence, err := a.restNames(ctx, r.From[0], rest, kindHolds); err != nil {
			return err
		} else if target.Name != "" {
			line.To, line.As, what = []merge.Col{target}, merge.Copy, strings.TrimPrefix(evidence, "; ")
		}
		if what == "" {
			continue
		}
		a.find(merge.Finding{
			Rule: "against-plan", Severity: merge.Info, Table: r.table(), Column: r.From[0].Name, Rows: rest.rows, Samples: []string{sampleValues(rest.samples)},
			Text: fmt.Sprintf("the plan keeps it where %s, but it seems to hold %s there; %s", r.When, line.To[0], what),
			Next: "if it does, say in place of the plan's line: " + planfile.ReferenceLine(&line),
		})
	}
	return nil
}

// askFruitless asks about a copy of names, by the plan, of which no row of any shard holds one: its texts are dead by every comparison. Of keys a few dead ones are asked
// about.
func (a *auditor) askFruitless(r *reference, dead [][]merge.ValueCount) {
	if r.As != merge.Copy || !r.byPlan || r.Orphans != "" {
		return
	}
	var rows int64
	var parts []string
	texts := 0
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		alive, lost := c.Rows, int64(0)
		for _, v := range dead[i] {
			if alive -= v.Rows; !a.sentinel(r, v.Value[0]) {
				lost, texts = lost+v.Rows, texts+1
			}
		}
		if alive > 0 {
			return
		}
		if rows += lost; lost > 0 {
			parts = append(parts, fmt.Sprintf("none of %s in %s is one (%s)", counted(lost, "row", "rows"), a.name(i), sampleValues(dead[i])))
		}
	}
	if texts < namesLeast {
		return
	}
	line := r.Reference
	line.Orphans = merge.ByTombstone
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("no row of %s repeats %s, as the plan says: does it hold something else now? As the line below stands, all its texts are those of the deleted", r.From[0], r.To[0]),
		Evidence: strings.Join(parts, "; "), Rows: rows, Reference: &line,
	})
}

// rowsBeyond counts the rows with a value that a reference means and no other condition does.
func (a *auditor) rowsBeyond(ctx context.Context, r *merge.Reference, others []string) (rows int64, err error) {
	where := a.engine.Quote(r.From[0].Name) + " IS NOT NULL"
	if r.When != "" {
		where += " AND " + bracketed(r.When)
	}
	for _, o := range others {
		where += " AND " + bracketed(o) + " IS NOT TRUE"
	}
	for i, s := range a.shards {
		if !a.has(i, r.Table()) || s.Schema().Column(r.From[0]) == nil {
			continue
		}
		n, err := s.Count(ctx, r.Table(), where)
		if err != nil {
			return 0, err
		}
		rows += n
	}
	return rows, nil
}
