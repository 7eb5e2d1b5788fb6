package audit

import (
	"fmt"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// mostPeople is the share of a column that is called like somebody, or as another table's rows are, from which its values are these, of whom some are gone.
const mostPeople = 0.7

// askPerson asks whether a column that is called like somebody holds the people, of whom most of its values are, or one that is called as another table's rows are holds these.
func (a *auditor) askPerson(p part) {
	why := "it is called like somebody"
	if p.called {
		why = "it is called as these are"
	}
	a.askWhether(p, "", why)
}

// askUse asks whether a column that alone holds none but the numbers of a list refers to that.
func (a *auditor) askUse(p part) {
	a.askWhether(p, " These number the words of a list to which nothing else refers.", "no other column holds none but these")
}

// askWhether asks whether a column that is left over holds a key, of which most of its values are.
func (a *auditor) askWhether(p part, of, why string) {
	kept := &merge.Reference{From: []merge.Col{p.col}, As: merge.Keep}
	a.ask(merge.Undecided{
		Question:  fmt.Sprintf("does %s hold %s?%s If it refers to nothing: %s%s", p.col, p.of, of, planfile.ReferenceLine(kept), orOneCounts([]part{p})),
		Rows:      a.tables[p.col.Table].total(),
		Evidence:  fmt.Sprintf("%s of %s%s are %s, and %s", shareOf(p.share), p.col, p.but, p.of, why),
		Reference: p.line,
	})
}
