package audit

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// askNatural asks before a key gets new numbers by default that may be no number which the game gave out: an address, a day, a level, an account elsewhere.
// A reference is taken as a sign that it is one, but not against a key that seems to be a thing by itself: who plays on two servers has one Steam account.
func (a *auditor) askNatural(s *space) {
	n, known := a.nature[s.key]
	referred := len(s.users) > 0 || slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Reference != nil && slices.Contains(u.Reference.To, s.key)
	})
	if !known || s.byPlan || s.moves() == 0 || a.countedByGame(s) || n.Thing == "" && n.Places == "" && (n.Counted || referred) {
		return
	}
	if a.referenceAsked(s.key) {
		return // whether it is a number of its own at all is asked
	}
	if slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Table != nil && u.Table.Table == s.key.Table }) {
		return // where its rows are the same on every server, so is the key
	}
	line, why := merge.KeyPlan{Key: s.key, New: merge.Static, Role: s.plan.Role}, n.Thing
	if why == "" { // a guess, if that: new numbers keep every row
		line.New, why = s.plan.New, n.Places
	}
	if why == "" {
		why = "no reference leads to it, its name does not say that it is a number of rows, and its values are not counted up from one"
	}
	table := merge.Col{Table: "t", Name: s.key.Table}.String()[len("t."):]
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s in two shards: is %s a number that the game gives out, so that the later ones get new ones (new: %s), or a thing by itself, such as a place on the map, a day, an address, a level or an account elsewhere, that must not change (new: static)? "+
			"Then {table: %s, rows: union} makes one row of each two, and rows: first leaves the later ones out",
			counted(s.moves(), "key stands", "keys stand"), s.key, s.plan.New, table),
		Evidence: why + a.sharedKeys(s), Rows: s.moves(), Key: &line,
	})
}

// sharedKeys are some of the keys that would change.
func (a *auditor) sharedKeys(s *space) string {
	text := ""
	for _, m := range s.moving {
		for k := range m.All() {
			if text != "" {
				text += ","
			} else {
				text = "; such as"
			}
			if text += fmt.Sprintf(" %d", k); len(text) > 80 {
				return text
			}
		}
	}
	return text
}
