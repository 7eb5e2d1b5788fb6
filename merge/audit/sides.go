package audit

import (
	"context"
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

// onlyUse tells whether a column alone holds none but the numbers of a list of words to which nothing is known to refer: somebody uses them.
func (a *auditor) onlyUse(ctx context.Context, p part) (bool, error) {
	t := a.tables[p.of.Table]
	if !slices.Equal(a.holding[p.of], []merge.Col{p.col}) || len(t.PrimaryKey) > 0 || a.knownOrAsked(func(r *merge.Reference) bool { return slices.Contains(r.To, p.of) }) {
		return false, nil
	}
	list, err := a.listed(ctx, t, p.of)
	return list != "" || t.plan.Rows == merge.ByValue, err
}

// askSides asks before a key gets new numbers about the keys of other tables that could number their own rows, and rather hold some of its numbers, as those of a table
// with more about some of the players do; after the others, where not asked yet, about those whose numbers these rather hold in their turn.
func (a *auditor) askSides(s *space, turned bool) {
	if a.tableAsked(s.key.Table) {
		return
	}
	for _, side := range a.sidesOf(s.key) {
		c, moves := side.Col, a.movesOf(s, side)
		if own := a.spaces[c]; own == nil || moves == 0 || c == s.key || own.byPlan || a.countedByGame(own) || a.decided(c) || a.keyAsked(c) || a.referenceAsked(c) || a.tableAsked(c.Table) || a.askedInTurn(s.key, c) || a.turned(side, s.key) != turned || turned && a.referenceAsked(s.key) {
			continue
		}
		if a.thingByItself(c) && a.spaces[c].moves() > 0 {
			continue // that is asked
		}
		if side.Own {
			line := &merge.KeyPlan{Key: c, New: a.spaces[c].plan.New}
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("does %s number its own rows? Most or all of its numbers are among those of %s, of which %s; if it holds these, say so under references: %s", c, s.key, counted(moves, "gets a new number", "get new numbers"), refersLine([]merge.Col{c}, []merge.Col{s.key})),
				Evidence: side.Evidence, Rows: a.tables[c.Table].total(), Key: line,
			})
			continue
		}
		holds, line := a.sideLines(side, s.key)
		question := fmt.Sprintf("%s, and most or all numbers of %s are among them: %s If it numbers its own rows, say so under keys: %s", counted(moves, "key gets a new number", "keys get new numbers"), c, holds, planfile.KeyLine(&merge.KeyPlan{Key: c, New: a.spaces[c].plan.New, All: a.spaces[c].plan.All}))
		if n := a.nature[c]; n.About != "" || n.Thing != "" {
			question += fmt.Sprintf("; if they are numbers of something that no table lists, as of a catalogue or of accounts elsewhere: %s", planfile.KeyLine(&merge.KeyPlan{Key: c, New: merge.Static}))
		}
		a.ask(merge.Undecided{ // as a reference it keeps every row, whatever it is
			Question: question,
			Evidence: side.Evidence, Rows: a.tables[c.Table].total(), Reference: line,
		})
	}
}

// movesOf counts the keys that get new numbers among all of which a side holds some: of the one, and of those that hold the rest of its numbers.
func (a *auditor) movesOf(s *space, side discover.Side) int64 {
	moves := s.moves()
	for _, o := range side.Others {
		if other := a.spaces[a.top(o)]; other != nil && other != s {
			moves += other.moves()
		}
	}
	return moves
}

// sideLines asks whether a side holds a key, or the keys of several tables, and says which lines it takes then, of which the first is given.
func (a *auditor) sideLines(side discover.Side, key merge.Col) (question string, line *merge.Reference) {
	line = &merge.Reference{From: []merge.Col{side.Col}, To: []merge.Col{key}}
	if len(side.Others) == 0 {
		return fmt.Sprintf("does it hold %s?", key), line
	}
	var conditions, lines []string
	for _, o := range side.Others {
		theirs := a.amongKeys(side.Col, o)
		conditions, lines = append(conditions, "NOT "+bracketed(theirs.When)), append(lines, planfile.ReferenceLine(theirs))
	}
	line.When = strings.Join(conditions, " AND ") // what is nobody's, too
	return fmt.Sprintf("does it hold %s? Then it takes one line for each, also %s.", eitherOf(append([]merge.Col{key}, side.Others...)), strings.Join(lines, " and ")), line
}

// askSide asks about numbers that no schema calls a key and that are rather another table's than those of their own rows; false where nothing says so.
func (a *auditor) askSide(k discover.Key) bool {
	shared := numbersShared(k)
	for _, o := range a.found {
		at := slices.IndexFunc(o.Sides, func(side discover.Side) bool { return side.Col == k.Col && !side.Own })
		if at < 0 || shared == 0 && numbersShared(o) == 0 || a.thingByItself(k.Col) {
			continue
		}
		t := a.tables[k.Col.Table]
		holds, line := a.sideLines(o.Sides[at], o.Col)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("no schema says that %s numbers the rows of %s (%s), and most or all of its numbers are another table's: %s If it numbers its own rows, say so under keys: %s; if the same number is the same thing on every server: %s",
				k.Col, t.Name, t.lack(k.Col), holds, shiftLine(k.Col), planfile.KeyLine(&merge.KeyPlan{Key: k.Col, New: merge.Static})),
			Evidence: o.Sides[at].Evidence, Rows: t.total(), Reference: line,
		})
		return true
	}
	return false
}

// thingByItself tells whether a key seems to be a place, a level or the like, by its name or its numbers.
func (a *auditor) thingByItself(c merge.Col) bool {
	return a.nature[c].Thing != "" || a.nature[c].Places != ""
}

// numbersShared counts the numbers of a key that stand in two shards.
func numbersShared(k discover.Key) (shared int64) {
	seen := merge.NewKeySet()
	for _, set := range k.Sets() {
		shared += seen.Shared(set)
		seen.Union(set)
	}
	return shared
}

// askedInTurn tells whether an open question is whether the one of two keys holds the other, so that the same is not asked the other way round.
func (a *auditor) askedInTurn(from, to merge.Col) bool {
	return a.askedOf(func(r *merge.Reference) bool {
		return r.As == merge.Plain && slices.Equal(r.From, []merge.Col{from}) && slices.Equal(r.To, []merge.Col{to})
	})
}

// turned tells whether the key whose numbers a side seems to hold rather holds the side's: its table is called so, or else fewer of its own are missing there.
func (a *auditor) turned(side discover.Side, key merge.Col) bool {
	return slices.ContainsFunc(a.found, func(k discover.Key) bool {
		return slices.ContainsFunc(k.Sides, func(o discover.Side) bool {
			return o.Col == key && (k.Col == side.Col || slices.Contains(o.Others, side.Col)) && (o.Called && !side.Called || o.Called == side.Called && o.Orphans < side.Orphans)
		})
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
