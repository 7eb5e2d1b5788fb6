package audit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// exact is the highest integer up to which a double holds every one (https://www.rfc-editor.org/rfc/rfc8259, section 6).
const exact = 1<<53 - 1

// checkTop looks at the highest key: an engine that counts past it must have a next number, and programs that read numbers as doubles must not round it.
func (a *auditor) checkTop(s *space, t *table) {
	if t.Counted && t.AutoColumn == s.key.Name && max(s.highest, s.result.Highest) == math.MaxInt64 {
		a.find(merge.Finding{
			Rule: "auto-number", Severity: merge.Block, Table: t.Name, Column: s.key.Name,
			Text: fmt.Sprintf("the engine's counter stands at the highest number, %d: every next row would be refused", int64(math.MaxInt64)),
			Next: "give the row with that key another one, or lower the counter, in a copy of the shard",
		})
	}
	if s.moves() == 0 || s.result.Highest <= exact {
		return
	}
	columns := []string{s.key.String()}
	for _, r := range s.users {
		for i, sp := range r.spaces {
			if sp == s && !slices.Contains(columns, r.From[i].String()) {
				columns = append(columns, r.From[i].String())
			}
		}
	}
	a.find(merge.Finding{
		Rule: "precision", Severity: merge.Info, Table: t.Name, Column: s.key.Name, Rows: s.moves(),
		Text: fmt.Sprintf("new keys reach %d, above 2^53-1: programs that read numbers as doubles (JavaScript, Lua 5.1, spreadsheets) round them in %s", s.result.Highest, strings.Join(columns, ", ")),
		Next: fmt.Sprintf("read those columns as integers or text, or keep new keys below: range: [1, %d]", int64(exact)),
	})
}
