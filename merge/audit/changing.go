package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// A reference to texts follows the renames of its target. Where the target gets other texts because it repeats, or refers to, yet another column, it would be left behind.

// checkChanging refuses a reference to texts that change in another way than by renames of their own, and one by several columns to texts that change at all.
func (a *auditor) checkChanging(r *reference) {
	if r.As != merge.Plain && r.As != merge.Copy {
		return
	}
	for _, to := range r.To {
		f := merge.Finding{Rule: "rename", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name}
		if a.renamed(to) && len(r.From) > 1 {
			f.Text = fmt.Sprintf("refers to %s by several columns, and renames of %s are followed by one column only", r.To[0].Table, to)
			f.Next = "take the rename out of the plan, and " + a.byHand(to) + a.orFoldKey(to)
			a.find(f)
		}
		by, key := a.changedBy(to, nil)
		switch {
		case by == nil:
			continue
		case !a.renamed(key):
			if a.keyOf(r) == key {
				continue
			}
			f.Text = fmt.Sprintf("refers to %s, of which dead texts change as those of %s do", to, key)
		default:
			f.Text = fmt.Sprintf("refers to %s, which follows the renames of %s", to, key)
		}
		f.Next = "take the rename out of the plan, and " + a.byHand(key) + a.orFoldKey(key)
		if line := past(&r.Reference, &by.Reference); by.To[0] == key && line != nil && !a.renamed(to) {
			f.Next = fmt.Sprintf("say in the plan that it refers to %s itself: %s", key, planfile.ReferenceLine(line))
		}
		a.find(f)
	}
}

// changedBy is the reference by which a column gets other texts, and the column whose renames or tombstones these are; nil when it gets none.
func (a *auditor) changedBy(c merge.Col, seen []merge.Col) (*reference, merge.Col) {
	for _, r := range a.refs {
		at := slices.Index(r.From, c)
		if r.As != merge.Plain && r.As != merge.Copy || at < 0 || at >= len(r.To) || slices.Contains(append(seen, c), r.To[at]) {
			continue
		}
		if a.renamed(r.To[at]) {
			return r, r.To[at]
		}
		if a.buries(r) {
			return r, a.keyOf(r)
		}
		if by, key := a.changedBy(r.To[at], append(seen, c)); by != nil {
			return r, key
		}
	}
	return nil, merge.Col{}
}

// buries tells whether some dead text of a reference gets a tombstone.
func (a *auditor) buries(r *reference) bool {
	if !a.tombs(r) {
		return false
	}
	b := a.burials[a.keyOf(r)]
	for i, c := range r.counts {
		if c != nil && slices.ContainsFunc(c.Dead, func(v merge.ValueCount) bool {
			text, ok := v.Value[0].(string)
			return ok && b.holds(i, text)
		}) {
			return true
		}
	}
	return false
}

// past is a reference that leads straight to where its target leads; nil where no line says so: the target's rows are not all led there in one way.
func past(r, by *merge.Reference) *merge.Reference {
	if len(r.From) > 1 || len(by.From) > 1 || by.When != "" || r.By != nil || by.By != nil || r.Via != "" && by.Via != "" {
		return nil
	}
	line := *r
	line.To, line.Via = by.To, cmp.Or(r.Via, by.Via)
	if by.As == merge.Copy {
		line.As = merge.Copy
		if r.Orphans == merge.ByClear || r.Orphans == merge.ByDrop { // of a copied text these say nothing
			line.Orphans = merge.ByTombstone
		}
	}
	return &line
}

// leadChanging leads what is asked about a reference straight to where its target leads by another open question: that one cannot be followed itself. The target may hold names of
// further tables in frames; then so does what repeats it, where it has some there.
func (a *auditor) leadChanging(ctx context.Context) error {
	for i := range a.res.Undecided {
		u := &a.res.Undecided[i]
		if u.Reference == nil || len(u.Reference.To) != 1 || len(u.Reference.From) != 1 || u.Reference.As != merge.Plain && u.Reference.As != merge.Copy {
			continue
		}
		to, from := u.Reference.To[0], u.Reference.From[0]
		at := a.askedAs(to)
		if at < 0 || a.res.Undecided[at].Reference.As != merge.Copy {
			continue
		}
		by, frames := *a.res.Undecided[at].Reference, a.framedBy[to]
		beside := len(frames) > 0 && by.When == otherwise(a.conditionsOf(to, frames))
		if beside {
			by.When = ""
		}
		line := past(u.Reference, &by)
		if line == nil || by.To[0] == from {
			continue
		}
		u.Question += fmt.Sprintf(" As the line below stands, it repeats %s as %s does; where %s repeats nothing, say %s instead", by.To[0], to, to, planfile.ReferenceLine(u.Reference))
		u.Reference = line
		if !beside || line.When != "" {
			continue
		}
		own, err := a.sampled(ctx, a.tables[from.Table], from)
		if err != nil {
			return err
		}
		a.askBeside(from, slices.DeleteFunc(slices.Clone(frames), func(f framed) bool {
			return !slices.ContainsFunc(textsOf(own.samples), func(text string) bool { return f.inner(text) != "" })
		}))
	}
	return nil
}

// conditionsOf are the conditions on rows of which a column's text stands in each of some frames.
func (a *auditor) conditionsOf(c merge.Col, list []framed) (conditions []string) {
	for _, f := range list {
		conditions = append(conditions, a.inFrame(c, f.frame))
	}
	return conditions
}
