package audit

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/gameid/gameid/merge"
)

// place matches a place on the map in one text: two numbers or more, as an array or behind the name of a world.
var place = regexp.MustCompile(`^[\[({]?\s*(?:["']?\pL[\pL\pN_-]*["']?\s*[,;:|/ ]\s*)?-?\d+(?:\.\d+)?(?:\s*[,;| ]\s*-?\d+(?:\.\d+)?)+\s*[\])}]?$`)

// placeLike tells whether nearly all texts of a column may be places.
func (u *unexplained) placeLike() bool {
	texts, places := 0, 0
	for _, one := range u.samples {
		for _, text := range one.Texts {
			texts++
			if place.MatchString(text) {
				places++
			}
		}
	}
	return texts > 0 && float64(places) >= copyShare*float64(texts)
}

// askPlace asks about places in one text that tell the rows of every shard apart, of which some stand in two shards: what is somebody's there would be two players' afterwards.
func (a *auditor) askPlace(n *bearing) {
	if !n.unique || !n.placeLike() || !a.somebodysRows(n.table, n.col) {
		return
	}
	one := ""
	if line := a.byValueLine(&merge.Unique{Table: n.col.Table, Columns: []string{n.col.Name}}, n.table); line != "" {
		one = fmt.Sprintf("; and where each two are one thing, %s makes one of them", line)
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("no two rows of a shard share a text of %s, which seems a place on the map, and %s in two shards: must no two rows be at one place, so that one of each two goes or moves in copies of the shards before the merge? The line below stops it until then. Where several may be there, keep them: %s%s",
			n.col, counted(n.total, "stands", "stand"), keepLine(n.col), one),
		Evidence: strings.Join(n.listed[:min(len(n.listed), listed)], ", "), Rows: n.table.total(), Unique: &merge.UniquePlan{Unique: []merge.Col{n.col}, OnConflict: "fail"},
	})
}
