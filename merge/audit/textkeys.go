package audit

import (
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// textKey tells whether rows of equal keys cannot be kept apart by new keys: the key is a text.
func (a *auditor) textKey(t *merge.Table) bool {
	return len(t.PrimaryKey) == 1 && a.schema.Column(t.KeyCols()[0]).Affinity == merge.Text
}

// askTextKey asks what rows of equal text keys are, and says what every answer does. The line that stands keeps all of them.
func (a *auditor) askTextKey(u *merge.Unique, t *table, list []merge.Clash, samples []string) {
	var later int64
	for _, c := range list {
		later += int64(len(c.Rows) - 1)
	}
	evidence := "keys " + strings.Join(samples, ", ")
	if t.doubt != "" {
		evidence += "; " + t.doubt
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s: players of two servers, so that the later ones get new names and what refers to them follows? "+
			"If they are the same thing on every server, {table: %s, rows: first} leaves %s out and leads what refers to them to the first shard's; rows: union makes one row of each two",
			inTwo(len(list), "the key "+merge.JoinCols(u.Cols())), merge.Col{Table: "t", Name: t.Name}.String()[len("t."):], counted(later, "row of the later shards", "rows of the later shards")),
		Rows: later, Evidence: evidence, Unique: &merge.UniquePlan{Unique: u.Cols(), OnConflict: "rename", Template: a.template()},
	})
}

// allText tells whether every value that clashes is a text, which a rename can change.
func allText(list []merge.Clash) bool {
	for _, c := range list {
		for _, row := range c.Rows {
			if _, ok := row.Values[0].(string); !ok {
				return false
			}
		}
	}
	return true
}
