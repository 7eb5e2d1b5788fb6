package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// ledTo are the columns of other tables that lead to a text of two columns by which its rows are told apart: the plan or a question says so, or nearly all of their texts are there. What was
// asked about the names or numbers in these is taken back, as they have them from there.
func (a *auditor) ledTo(ctx context.Context, c merge.Col) (led []merge.Col, err error) {
	if !slices.Equal(a.schema.Table(c.Table).PrimaryKey, []string{c.Name}) && !a.uniqueAlone(c) {
		return nil, nil
	}
	held, err := a.textHolders(ctx, []merge.Col{c})
	if err != nil {
		return nil, err
	}
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || t.Name == c.Table || line.plan.Rows == merge.EmptyRows {
			continue
		}
		for _, column := range t.Columns {
			from := merge.Col{Table: t.Name, Name: column.Name}
			if column.Generated || a.schema.Holds(from) != merge.Text {
				continue
			}
			known := a.knownOrAsked(func(r *merge.Reference) bool {
				return r.As != merge.Keep && r.Via == "" && r.When == "" && slices.Equal(r.From, []merge.Col{from}) && slices.Equal(r.To, []merge.Col{c})
			})
			if !known && (a.decided(from) || a.follows(from) && !a.askedInForm(from)) {
				continue
			}
			if !known {
				if known, err = a.nearlyAllAmong(ctx, held, line, from, c); err != nil {
					return nil, err
				}
			}
			if known {
				a.withdrawForms(from)
				led = append(led, from)
			}
		}
	}
	return led, nil
}

// nearlyAllAmong tells whether nearly all of a column's texts are another's, and enough of them.
func (a *auditor) nearlyAllAmong(ctx context.Context, held *holders, t *table, from, c merge.Col) (bool, error) {
	u, err := a.sampled(ctx, t, from)
	if err != nil || len(held.near(u.samples)) == 0 {
		return false, err
	}
	there, err := a.lieAmong(ctx, u.samples, c, a.laxer(from, c))
	return there.hits >= namesLeast && there.share() >= composedShare, err
}

// askedInForm tells whether an open question is about the names or numbers inside a column's texts.
func (a *auditor) askedInForm(c merge.Col) bool {
	return a.askedOf(func(r *merge.Reference) bool { return inForm(r, c) })
}

// withdrawForms takes back what was asked about the names or numbers inside a column's texts.
func (a *auditor) withdrawForms(c merge.Col) {
	a.res.Undecided = slices.DeleteFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Reference != nil && inForm(u.Reference, c) })
}

// inForm tells whether a reference is one of the names or numbers inside a column's texts.
func inForm(r *merge.Reference, c merge.Col) bool {
	return slices.Equal(r.From, []merge.Col{c}) && (r.Via != "" || r.As == merge.InText)
}

// followMade sets what leads to a made text to what that is set to: as long as that is as it was, the text finds its row.
func (a *auditor) followMade(from, c merge.Col, made *composed) string {
	q := a.engine.Quote
	as := "m"
	for a.schema.Equal(as, from.Table) {
		as += "m"
	}
	part := func(name string) string { return as + "." + q(name) }
	return fmt.Sprintf("UPDATE %[1]s SET %[2]s = (SELECT %[3]s || %[4]s || %[5]s FROM %[6]s %[8]s WHERE %[8]s.%[7]s = %[1]s.%[2]s) WHERE %[2]s IN (SELECT %[7]s FROM %[6]s)",
		q(from.Table), q(from.Name), part(made.first), a.engine.Literal(made.sign), part(made.second), q(c.Table), q(c.Name), as)
}
