package report

import (
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// UndecidedText writes the questions for a terminal or stderr, the most rows at risk first: each question, its evidence, and the plan line that
// would answer it. It shows at most limit of them and says how many more there are; a limit of 0 shows all. It is "" when there is none.
func UndecidedText(list []merge.Undecided, limit int) string {
	list = SortUndecided(list)
	more := 0
	if limit > 0 && len(list) > limit {
		more = len(list) - limit
		list = list[:limit]
	}
	var b strings.Builder
	for i := range list {
		u := &list[i]
		fmt.Fprintf(&b, "%d. %s: %s", i+1, Visible(u.Subject()), Visible(u.Question))
		if u.Rows > 0 {
			fmt.Fprintf(&b, " (%s at risk)", Count(u.Rows, "row"))
		}
		b.WriteByte('\n')
		for line := range strings.SplitSeq(strings.TrimSpace(u.Evidence), "\n") {
			if line != "" {
				fmt.Fprintf(&b, "   %s\n", Visible(line))
			}
		}
		if section, line := planfile.UndecidedLine(u); line != "" {
			fmt.Fprintf(&b, "   %s:\n     - %s\n", section, line)
		}
	}
	if more > 0 {
		fmt.Fprintf(&b, "... and %s more.\n", Number(int64(more)))
	}
	return b.String()
}
