package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// askWorlds asks, once for each key of a table of a row or two, about the columns all rows of which hold its numbers on every server, as they do where the table lists the worlds and
// the columns say to which one a row belongs, and returns the other columns.
func (a *auditor) askWorlds(open []part) (rest []part) {
	by := map[merge.Col][]merge.Col{}
	var keys []merge.Col
	for _, p := range open {
		if !p.world {
			rest = append(rest, p)
			continue
		}
		if by[p.of] == nil {
			keys = append(keys, p.of)
		}
		by[p.of] = append(by[p.of], p.col)
	}
	for _, key := range keys {
		cols, rows := by[key], int64(0)
		var names, lines []string
		for _, c := range cols {
			rows += a.tables[c.Table].total()
			names = append(names, c.String())
			lines = append(lines, refersLine([]merge.Col{c}, []merge.Col{key}))
		}
		do, stand := "does", "it stands"
		if len(cols) > 1 {
			do, stand = "do", "they stand"
		}
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s %s say to which of the rows of %s each row belongs, as of worlds, seasons or settings? Those get new numbers on later servers; under the old ones all would belong to the first server's. "+
				"Then say under references, in place of the line below: %s. As %s below, the numbers stay: they say something else, or the game expects one row in %[3]s",
				do, strings.Join(names, ", "), key.Table, strings.Join(lines, ", "), stand),
			Evidence: fmt.Sprintf("all rows hold %s on every server", key), Rows: rows, Reference: &merge.Reference{From: cols, As: merge.Keep},
		})
	}
	return rest
}

// worldsIn says which columns may hold the number of a table's one row; "" when none does.
func (a *auditor) worldsIn(t *table) string {
	var cols []merge.Col
	for _, l := range a.leftovers {
		if l.World && l.Keys[0].Table == t.Name && a.mayHold(l) >= 0 && !a.spokenOf(l.Col) {
			cols = append(cols, l.Col)
		}
	}
	if len(cols) == 0 {
		return ""
	}
	slices.SortStableFunc(cols, func(x, y merge.Col) int { return strings.Compare(x.String(), y.String()) })
	more := ""
	if n := len(cols) - 1; n > 0 {
		more = " and " + counted(int64(n), "other column", "other columns")
	}
	return fmt.Sprintf("; what may then hold its number, %s%s, is asked about", cols[0], more)
}
