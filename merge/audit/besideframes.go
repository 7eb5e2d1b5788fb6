package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// framedBeside are the frames in which names of a target, or others that change, stand among texts of a column that are none of the target's by themselves, those of each shard.
func (a *auditor) framedBeside(ctx context.Context, t *table, col, target merge.Col, dead [][]merge.ValueCount) ([]framed, error) {
	others := &unexplained{t, col, make([]*merge.Sample, len(dead))}
	for i, list := range dead {
		others.samples[i] = &merge.Sample{}
		for _, v := range list[:min(len(list), copiedSample)] {
			if text, ok := v.Value[0].(string); ok {
				others.samples[i].Texts = append(others.samples[i].Texts, text)
				others.samples[i].Frequent, others.samples[i].FrequentRows = append(others.samples[i].Frequent, text), append(others.samples[i].FrequentRows, v.Rows)
				others.samples[i].Other += v.Rows
			}
		}
	}
	targets := a.renamedColumns()
	if !slices.Contains(targets, target) {
		targets = append(targets, target)
	}
	held, err := a.textHolders(ctx, targets)
	if err != nil {
		return nil, err
	}
	list, err := a.findFramed(ctx, others, held, 0, len(targets))
	return append(list, a.framesThrough(target, others.samples, list)...), err
}

// withoutFramed leaves out what a copy holds in frames: whom these name is found by the name in them.
func (c *copying) withoutFramed() {
	c.none = slices.DeleteFunc(c.none, func(v any) bool { return inFrames(c.framed, v) })
	maps.DeleteFunc(c.twice, func(_ string, v any) bool { return inFrames(c.framed, v) })
}

// inFrames tells whether a value stands in one of some frames.
func inFrames(list []framed, v any) bool {
	return slices.ContainsFunc(list, func(f framed) bool { return f.inner(valueText(v)) != "" })
}

// askBesideFrames asks about the names in frames that stand beside those which a column was found to repeat as they are, by lines of their own.
func (a *auditor) askBesideFrames() {
	for _, t := range a.schema.Tables {
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			found, open := a.askedCopies[col], a.askedAs(col)
			if len(found) == 0 || len(found[0].framed) == 0 || open < 0 {
				continue
			}
			line := a.res.Undecided[open].Reference
			if line.When != "" || len(line.To) != 1 || line.To[0] != found[0].target {
				continue
			}
			a.askBeside(col, found[0].framed)
		}
	}
}

// tellFramed tells of copies in the plan beside which names stand in frames: these follow no rename.
func (a *auditor) tellFramed(ctx context.Context) error {
	changing := a.renamedColumns()
	for _, r := range a.refs {
		if r.As == merge.Keep || r.Via != "" || len(r.From) != 1 || r.Pattern.Any() || r.dead() == 0 || !slices.Contains(changing, r.To[0]) {
			continue
		}
		dead := make([][]merge.ValueCount, len(a.shards))
		for i, c := range r.counts {
			if c != nil {
				dead[i] = c.Dead
			}
		}
		list, err := a.framedBeside(ctx, a.tables[r.table()], r.From[0], r.To[0], dead)
		if err != nil {
			return err
		}
		for _, f := range list {
			a.find(merge.Finding{
				Rule: "copy", Severity: merge.Info, Table: r.table(), Column: r.From[0].Name, Rows: int64(f.hits),
				Text: fmt.Sprintf("%s of %s %s stand beside those that the plan lets follow, and follow no rename", counted(int64(f.hits), "name", "names"), f.target, f.words()),
				Next: fmt.Sprintf("give them a line of their own, %s, and the other line the condition %q", planfile.ReferenceLine(a.framedLine(r.From[0], f)), otherwise([]string{a.inFrame(r.From[0], f.frame)})),
			})
		}
	}
	a.texts = nil
	return nil
}

// askDeadFramed asks whether a column holds, in frames, names of targets that stay, those from a place on, where some are dead in their own shard and alive in another.
func (a *auditor) askDeadFramed(ctx context.Context, u *unexplained, targets *holders, first int) (asked bool, err error) {
	found, err := a.findFramed(ctx, u, targets, first, len(targets.columns))
	if err != nil {
		return false, err
	}
	var list []framed
	for _, f := range found {
		if a.foldsByText(f.target) { // who is alive elsewhere is the same one
			continue
		}
		c := &copying{target: f.target, dead: make([][]merge.ValueCount, len(u.samples)), collations: []string{a.laxer(u.col, f.target)}}
		for i, one := range u.samples {
			var names []string
			rows := map[string]int64{}
			for _, l := range linesOf(one) {
				if name := f.inner(l.text); name != "" {
					names, rows[name] = append(names, name), l.rows
				}
			}
			has, err := a.lookUp(ctx, i, f.target, names, "")
			if err != nil {
				return false, err
			}
			for _, name := range names {
				if !has[folded(name)] {
					c.dead[i] = append(c.dead[i], merge.ValueCount{Value: []any{name}, Rows: rows[name]})
				}
			}
		}
		if f.caught, err = a.caught(ctx, c); err != nil {
			return false, err
		}
		if f.caught != "" {
			list = append(list, f)
		}
	}
	if len(list) > 0 {
		err = a.askFramed(ctx, u, list, heldIn{})
	}
	return len(list) > 0, err
}
