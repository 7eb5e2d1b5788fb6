package recall

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge/planfile"
)

// TestRealSchemas measures what an audit makes of real games' schemas, in worlds of two servers made after testdata/real, and merges them as an operator would who knows what
// is true. It fails where a figure is above the bound that the game's description gives. With GAMEID_REAL, names of games, only these are looked at and every line that is wrong
// is told, with its evidence; with GAMEID_SEEDS what is above a bound is only told, and so it is with
// GAMEID_DRAW, a number above 1, which makes other worlds; to the folder GAMEID_KEEP go the databases of games that do not come out true, and the plans.
func TestRealSchemas(t *testing.T) {
	tell := t.Errorf
	draw, _ := strconv.ParseUint(os.Getenv("GAMEID_DRAW"), 10, 64)
	if draw > 1 || os.Getenv("GAMEID_SEEDS") != "" {
		tell = t.Logf
	}
	total := map[string]int{}
	var table strings.Builder
	fmt.Fprintf(&table, "%-14s%10s%10s", "game", "columns", "leading")
	for _, f := range figures {
		fmt.Fprintf(&table, "%10s", f)
	}
	row := func(name string, count map[string]int) {
		fmt.Fprintf(&table, "\n%-14s%10d%10d", name, count["columns"], count["leading"])
		for _, f := range figures {
			fmt.Fprintf(&table, "%10d", count[f])
		}
	}
	for _, d := range describedGames(t) {
		d.draw = max(draw, 1)
		g, err := d.populate()
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		sources := g.build(t, dir)
		o, out := &operator{g: g}, filepath.Join(dir, "out.db")
		why := o.play(t, sources, out)
		first := g.judge(o.first, o.asked)
		if why != "" {
			first.add("untrue", "does not merge: %s", why)
		} else if wrong := g.unlike(g.mergedBeings(t, out)); len(wrong) > 0 {
			first.add("untrue", "merged, is not what it was:\n  %s", strings.Join(wrong, "\n  "))
		}
		for _, c := range g.columns {
			if first.count["columns"]++; c.refers() && g.matters(c) {
				first.count["leading"]++
			}
		}
		row(d.name, first.count)
		for f, n := range first.count {
			total[f] += n
		}
		over := false
		for _, f := range figures {
			if n, most := first.count[f], d.bound[f]; n > most {
				over = true
				tell("%s: %d %s, and at most %d are known", d.name, n, f, most)
			}
		}
		if over || os.Getenv("GAMEID_REAL") != "" {
			t.Logf("%s:\n%s", d.name, strings.Join(first.lines, "\n"))
		}
		if folder := os.Getenv("GAMEID_KEEP"); folder != "" && first.count["untrue"] > 0 {
			keepGame(t, d.name, sources, folder)
			if err := os.WriteFile(filepath.Join(folder, d.name+".yaml"), planfile.Format(&o.plan, planfile.Notes{}), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	row("all", total)
	t.Log("\n" + table.String())
}
