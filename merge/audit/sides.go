package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
	"github.com/gameid/gameid/merge/planfile"
)

// held says which columns hold none but a key's numbers though no reference to it is known, and what to do then; "" when there are none.
func (a *auditor) held(key merge.Col) string {
	columns := slices.DeleteFunc(slices.Clone(a.holding[key]), a.decided)
	if len(columns) == 0 {
		return ""
	}
	var words []string
	for _, c := range columns[:min(len(columns), heldMost)] {
		words = append(words, c.String())
	}
	if n := len(columns) - heldMost; n > 0 {
		words = append(words, counted(int64(n), "more column", "more columns"))
	}
	verb := "hold"
	if len(columns) == 1 {
		verb = "holds"
	}
	return fmt.Sprintf(" %s %s none but its numbers: what refers to it needs a line under references first, such as %s", strings.Join(words, ", "), verb, refersLine(columns[:1], []merge.Col{key}))
}

// askSides asks before a key gets new numbers about the keys of other tables that could number their own rows, and rather hold some of its numbers, as those of a table
// with more about some of the players do.
func (a *auditor) askSides(s *space) {
	if s.moves() == 0 || a.tableAsked(s.key.Table) {
		return
	}
	for _, side := range a.sidesOf(s.key) {
		c := side.Col
		if own := a.spaces[c]; own == nil || c == s.key || own.byPlan || a.countedByGame(own) || a.decided(c) || a.keyAsked(c) || a.referenceAsked(c) || a.tableAsked(c.Table) || a.askedInTurn(s.key, c) {
			continue
		}
		if side.Own {
			line := &merge.KeyPlan{Key: c, New: a.spaces[c].plan.New}
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("does %s number its own rows? Most or all of its numbers are among those of %s, of which %s; if it holds these, say so under references: %s", c, s.key, counted(s.moves(), "gets a new number", "get new numbers"), refersLine([]merge.Col{c}, []merge.Col{s.key})),
				Evidence: side.Evidence, Rows: a.tables[c.Table].total(), Key: line,
			})
			continue
		}
		question := fmt.Sprintf("%s, and most or all numbers of %s are among them: does it hold %s? If it numbers its own rows, say so under keys: %s", counted(s.moves(), "key gets a new number", "keys get new numbers"), c, s.key, planfile.KeyLine(&merge.KeyPlan{Key: c, New: a.spaces[c].plan.New, All: a.spaces[c].plan.All}))
		if n := a.nature[c]; n.About != "" || n.Thing != "" {
			question += fmt.Sprintf("; if they are numbers of something that no table lists, as of a catalogue or of accounts elsewhere: %s", planfile.KeyLine(&merge.KeyPlan{Key: c, New: merge.Static}))
		}
		a.ask(merge.Undecided{ // as a reference it keeps every row, whatever it is
			Question: question,
			Evidence: side.Evidence, Rows: a.tables[c.Table].total(), Reference: &merge.Reference{From: []merge.Col{c}, To: []merge.Col{s.key}},
		})
	}
}

// askedInTurn tells whether an open question is whether the one of two keys holds the other, so that the same is not asked the other way round.
func (a *auditor) askedInTurn(from, to merge.Col) bool {
	return a.askedOf(func(r *merge.Reference) bool {
		return r.As == merge.Plain && slices.Equal(r.From, []merge.Col{from}) && slices.Equal(r.To, []merge.Col{to})
	})
}

// sidesOf are the sides of a key and of those that repeat it.
func (a *auditor) sidesOf(key merge.Col) (list []discover.Side) {
	for _, k := range a.found {
		if a.top(k.Col) == key {
			list = append(list, k.Sides...)
		}
	}
	return list
}

// heldMost is how many columns a question names.
const heldMost = 6
