package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
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

// alsoSays adds a sentence to a question.
func alsoSays(u *merge.Undecided, sentence string) {
	if !strings.HasSuffix(u.Question, "?") {
		u.Question += "."
	}
	u.Question += " " + sentence
}

// askedAs is the open question about a reference from a column; -1 when there is none.
func (a *auditor) askedAs(col merge.Col) int {
	return slices.IndexFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Reference != nil && slices.Contains(u.Reference.From, col) })
}

// withdraw takes back what was asked about equal values of keys that hold a column which may change by renames, beside others or of some rows alone, and so tells the rows apart: that
// is asked first.
func (a *auditor) withdraw(col merge.Col, how string) {
	keys := a.partialKeys(col)
	formed := a.askedOf(func(r *merge.Reference) bool { return r.As == merge.Copy && r.Via != "" && r.From[0] == col }) // renamed by itself, it would be no form of a name
	part := func(u *merge.Undecided) bool {
		return u.Unique != nil && (len(u.Unique.Unique) > 1 || len(keys) > 0 || formed) && slices.Contains(u.Unique.Unique, col) ||
			u.Table != nil && a.asksSameKey(col.Table, u) && slices.Contains(a.schema.Table(col.Table).PrimaryKey, col.Name)
	}
	a.res.Undecided = slices.DeleteFunc(a.res.Undecided, func(u merge.Undecided) bool { return part(&u) })
	note := fmt.Sprintf(", unless %s %s (an open question)", col, how)
	for i := range a.res.Findings {
		f := &a.res.Findings[i]
		columns := strings.Split(f.Column, ", ")
		of := (len(columns) > 1 || formed) && slices.Contains(columns, col.Name) || slices.ContainsFunc(keys, func(u *merge.Unique) bool { return strings.Contains(f.Text, "the unique key "+keyName(u)+" stand") })
		if f.Rule == "unique-conflict" && f.Severity == merge.Decide && f.Table == col.Table && of && !strings.Contains(f.Text, note) {
			f.Text, f.Next = f.Text+note, "answer that first"
		}
	}
}

// withdrawLine takes back what was asked about the same rows as by a line.
func (a *auditor) withdrawLine(line *merge.Reference) {
	a.res.Undecided = slices.DeleteFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Reference != nil && slices.Equal(u.Reference.From, line.From) && u.Reference.When == line.When
	})
}

// withdrawHeld takes back the question whether a key of texts holds another one's, as part of its values are; what to write where it does, for the question in its place.
func (a *auditor) withdrawHeld(col merge.Col) string {
	open := a.askedAs(col)
	if a.partHeld[col] == 0 || open < 0 || len(a.res.Undecided[open].Reference.To) == 0 {
		return ""
	}
	line := a.res.Undecided[open].Reference
	a.withdrawLine(line)
	share := shareOf(a.partHeld[col])
	delete(a.partHeld, col)
	return fmt.Sprintf("; %s of its texts are %s: where it holds these, say so in place of the line below: %s", share, line.To[0], planfile.ReferenceLine(line))
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
		if share := a.partHeld[c]; share > 0 && share < partlyLeast {
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
