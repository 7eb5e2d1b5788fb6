package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// askUnreferred asks before a key gets new numbers to which no reference is known, while columns of other tables hold none but its numbers: one of them may be what refers
// to it, and its rows would then belong to another server's.
func (a *auditor) askUnreferred(s *space) {
	columns := a.holding[s.key]
	if len(columns) == 0 || len(s.users) > 0 || s.byPlan || s.moves() == 0 || a.keyAsked(s.key) || a.referenceAsked(s.key) || a.tableAsked(s.key.Table) || a.countedByGame(s) {
		return
	}
	var rows int64
	for _, c := range columns {
		rows += a.tables[c.Table].total()
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s: does nothing refer to %s?%s", counted(s.moves(), "key gets a new number", "keys get new numbers"), s.key, a.held(s.key)),
		Evidence: "whatever they are called, all of their values are keys of their own server's, up to the last ones", Rows: rows, Key: &merge.KeyPlan{Key: s.key, New: s.plan.New, Role: s.plan.Role},
	})
}

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
	return fmt.Sprintf(" %s %s none but its numbers: what refers to it needs a line under references first, such as {from: %s, to: %s}", strings.Join(words, ", "), verb, columns[0], key)
}

// askUnsaid asks before a key gets new numbers while columns about which nobody is asked hold none but its numbers. Most of them count something; names do not tell.
func (a *auditor) askUnsaid(s *space) {
	columns := slices.DeleteFunc(slices.Clone(a.unsaid[s.key]), a.decided)
	if len(columns) == 0 || s.byPlan || s.moves() == 0 || a.keyAsked(s.key) || a.tableAsked(s.key.Table) {
		return
	}
	var words []string
	var rows int64
	for _, c := range columns {
		words, rows = append(words, c.String()), rows+a.tables[c.Table].total()
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s, and nothing says whether %s to %s: does none? What does needs a line under references first, such as {from: %s, to: %[3]s}",
			counted(s.moves(), "key gets a new number", "keys get new numbers"), counted(int64(len(columns)), "column refers", "columns refer"), s.key, columns[0]),
		Evidence: "all values of " + strings.Join(words, ", ") + " are keys of their own server's, as levels and kinds may be by chance", Rows: rows,
		Key: &merge.KeyPlan{Key: s.key, New: s.plan.New, Role: s.plan.Role},
	})
}

// heldMost is how many columns a question names.
const heldMost = 6
