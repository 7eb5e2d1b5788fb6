package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// A key that is itself a reference, in each row to what a condition says, has no map of its own: its values go where those rows' references go. What refers to such a key goes
// along only where the plan says the same of it.

// byCondition is the first reference that a column follows in some of its rows, as a condition says; nil when there is none.
func (a *auditor) byCondition(c merge.Col) *reference {
	if list := a.ledInSome(c); len(list) > 0 {
		return list[0]
	}
	return nil
}

// ledInSome are the references that a column follows in some of its rows.
func (a *auditor) ledInSome(c merge.Col) (list []*reference) {
	for _, r := range a.plain() {
		if r.When != "" && slices.Contains(r.From, c) {
			list = append(list, r)
		}
	}
	return list
}

// renumberedInRows tells whether the values of a key change in some rows as a condition says.
func (a *auditor) renumberedInRows(c merge.Col) bool {
	return slices.ContainsFunc(a.ledInSome(c), func(r *reference) bool { return r.renumbers(c) })
}

// renumbers tells whether a reference changes values of one of its columns: living ones, dead ones, or those that it clears.
func (r *reference) renumbers(c merge.Col) bool {
	i := slices.Index(r.From, c)
	if i < len(r.spaces) && r.spaces[i].changes() {
		return true
	}
	return r.Orphans == merge.ByClear && slices.ContainsFunc(r.cleared, func(s *merge.ValueSet) bool { return s != nil && s.Len() > 0 })
}

// checkByRow refuses a reference to a key that changes in some rows as a condition says, unless its own columns change so in the rows that refer to those.
func (a *auditor) checkByRow(ctx context.Context, r *reference) error {
	if r.held() == 0 {
		return nil
	}
	for i, to := range r.To {
		var rows int64
		var by *reference
		for _, k := range a.ledInSome(to) {
			if !k.renumbers(to) || i < len(r.spaces) && r.spaces[i] != nil && r.spaces[i] == k.spaces[slices.Index(k.From, to)] {
				continue
			}
			n, err := a.leftFrom(ctx, r, i, k)
			if err != nil {
				return err
			}
			if rows += n; n > 0 && by == nil {
				by = k
			}
		}
		if by == nil {
			continue
		}
		where := "in place of what the plan says of it"
		if len(r.From) > 1 {
			where = "beside that reference"
		}
		a.find(merge.Finding{
			Rule: "follow", Severity: merge.Block, Table: r.table(), Column: r.From[i].Name, Rows: rows,
			Text: fmt.Sprintf("refers to %s, of which each row follows another key as a condition says (%s): what refers to it would not follow", to, by.String()),
			Next: fmt.Sprintf("say, %s, where %s itself leads: %s", where, r.From[i], a.sameWays(r, i)),
		})
	}
	return nil
}

// sameWays are the lines by which a column of a reference leads, in each row, where the key that it holds leads.
func (a *auditor) sameWays(r *reference, part int) string {
	var lines []string
	for _, k := range a.ledInSome(r.To[part]) {
		line := k.Reference
		line.From, line.To = r.From[part:part+1], k.To[slices.Index(k.From, r.To[part]):][:1]
		line.When = a.reaching(r, k.When)
		lines = append(lines, planfile.ReferenceLine(&line))
	}
	return strings.Join(lines, " and ")
}

// leftFrom counts the rows that refer by a reference to rows in which a part of the key follows another one, and do not follow that themselves.
func (a *auditor) leftFrom(ctx context.Context, r *reference, part int, by *reference) (rows int64, err error) {
	for i, s := range a.shards {
		if r.counts[i] == nil || !a.has(i, r.To[0].Table) {
			continue
		}
		condition := a.reaching(r, by.When)
		for _, own := range a.ledInSome(r.From[part]) {
			if slices.Equal(own.To, by.To) {
				condition += " AND " + bracketed(own.When) + " IS NOT TRUE"
			}
		}
		n, err := s.Count(ctx, r.table(), condition)
		if err != nil {
			return 0, err
		}
		rows += n
	}
	return rows, nil
}

// reaching is an SQL condition on the rows that refer by a reference to rows of which a condition holds.
func (a *auditor) reaching(r *reference, when string) string {
	names := func(cols []merge.Col) string {
		list := make([]string, len(cols))
		for i, c := range cols {
			list[i] = a.engine.Quote(c.Name)
		}
		return strings.Join(list, ", ")
	}
	from := names(r.From)
	if len(r.From) > 1 {
		from = "(" + from + ")"
	}
	condition := fmt.Sprintf("%s IN (SELECT %s FROM %s WHERE %s)", from, names(r.To), a.engine.Quote(r.To[0].Table), bracketed(when))
	if r.When != "" {
		condition += " AND " + bracketed(r.When)
	}
	return condition
}
