package audit

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// What is open so far: later steps ask nothing twice, and decide nothing that an answer may change.

// askedOf tells whether an open question is about a reference of some kind.
func (a *auditor) askedOf(kind func(r *merge.Reference) bool) bool {
	return slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Reference != nil && kind(u.Reference) })
}

// askedAgain tells whether an open question is about a known reference's line.
func (a *auditor) askedAgain(r *reference) bool {
	return a.askedOf(func(q *merge.Reference) bool { return slices.Equal(q.From, r.From) && q.When == r.When })
}

// knownOrAsked tells whether there is a reference of some kind, known or asked about.
func (a *auditor) knownOrAsked(kind func(r *merge.Reference) bool) bool {
	return slices.ContainsFunc(a.refs, func(r *reference) bool { return kind(&r.Reference) }) || a.askedOf(kind)
}

// askedAs is the open question about a reference from a column; -1 when there is none.
func (a *auditor) askedAs(col merge.Col) int {
	return slices.IndexFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Reference != nil && slices.Contains(u.Reference.From, col) })
}

// withdrawLine takes back what was asked about the same rows as by a line.
func (a *auditor) withdrawLine(line *merge.Reference) {
	a.res.Undecided = slices.DeleteFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Reference != nil && slices.Equal(u.Reference.From, line.From) && u.Reference.When == line.When
	})
}

// counterAsked tells whether an open question is whether the game counts in every row of a column.
func (a *auditor) counterAsked(c merge.Col) bool {
	return slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Counter != nil && u.Counter.Column == c && u.Counter.Where == ""
	})
}

// askedToFollow tells whether an open question is about whether a column refers to something or repeats it as a whole.
func (a *auditor) askedToFollow(c merge.Col) bool {
	open := a.askedAs(c)
	return open >= 0 && a.res.Undecided[open].Reference.As != merge.Keep && a.res.Undecided[open].Reference.As != merge.InText
}

// follows tells whether what a column holds is known or asked to be another one's. That it is kept says that it is not, and nothing of what becomes of equal names; so
// does a question of which most values speak against it.
func (a *auditor) follows(c merge.Col) bool {
	if a.askedToFollow(c) {
		if a.barely[c] {
			return false
		}
		if a.res.Undecided[a.askedAs(c)].Reference.When != "" {
			return true
		}
		asked := a.askedCopies[c]
		return len(asked) == 0 || asked[0].gone || float64(asked[0].alive) >= partlyLeast*float64(asked[0].rows)
	}
	return slices.ContainsFunc(a.refs, func(r *reference) bool { return r.As != merge.Keep && slices.Contains(r.From, c) })
}

// referenceAsked tells whether an open question is whether a column holds another table's keys.
func (a *auditor) referenceAsked(c merge.Col) bool {
	return a.askedOf(func(r *merge.Reference) bool { return r.As == merge.Plain && slices.Equal(r.From, []merge.Col{c}) })
}

// keyAsked tells whether an open question is about what becomes of a key.
func (a *auditor) keyAsked(c merge.Col) bool {
	return slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Key != nil && u.Key.Key == c })
}

// tableAsked tells whether an open question is about what becomes of a table's rows.
func (a *auditor) tableAsked(name string) bool {
	return slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Table != nil && u.Table.Table == name })
}

// foldAsked tells whether an open question proposes to fold a table's rows, so that no two of them share a name.
func (a *auditor) foldAsked(name string) bool {
	return slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Table != nil && u.Table.Table == name && u.Table.Rows == merge.FirstRows
	})
}
