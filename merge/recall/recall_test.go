// Package recall measures discovery and audit against games whose columns' meaning is known.
package recall

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// measured is how many games are looked at without GAMEID_SEEDS.
const measured = 20

// seeds are those of GAMEID_SEEDS, which is FROM-TO, or the first ones.
func seeds(t *testing.T) (list []uint64) {
	from, to := uint64(1), uint64(measured)
	if s := os.Getenv("GAMEID_SEEDS"); s != "" {
		if _, err := fmt.Sscanf(s, "%d-%d", &from, &to); err != nil {
			t.Fatalf("GAMEID_SEEDS=%s: want FROM-TO", s)
		}
	}
	for seed := from; seed <= to; seed++ {
		list = append(list, seed)
	}
	return list
}

// verdict is what an audit does about a column: "found", "asked", "misled" for a question whose line is not true, "blocked", "missed", or "wrong" for a decision that is not
// true and that nobody is asked about.
func (g *guessing) verdict(c *truth, res *audit.Result) string {
	is := func(x merge.Col) bool { return x == c.col }
	for _, u := range res.Undecided {
		if c.what == anOwnKey && u.Reference != nil && slices.ContainsFunc(u.Reference.To, is) && slices.Contains(u.Reference.From, c.key) {
			return "asked"
		}
		if u.Reference != nil && slices.ContainsFunc(u.Reference.From, is) {
			if x := u.Reference; c.fixed && x.As == merge.Keep {
				return "asked" // it may stay as it is
			} else if x.As == merge.Keep != c.stays() || x.As != merge.Keep && (len(x.To) != 1 || !g.sameKey(x.To, c.key)) {
				return "misled"
			}
			return "asked"
		}
		if u.Key != nil && is(u.Key.Key) || u.Unique != nil && slices.ContainsFunc(u.Unique.Unique, is) {
			return "asked"
		}
	}
	for _, f := range res.Findings {
		if f.Severity == merge.Block && f.Table == c.col.Table && f.Column == c.col.Name {
			return "blocked"
		}
	}
	for _, x := range res.Plan.References {
		if c.what == anOwnKey && slices.ContainsFunc(x.To, is) && slices.Contains(x.From, c.key) {
			return "found" // two keys that are one may lead either way
		}
		if !slices.ContainsFunc(x.From, is) {
			continue
		}
		if x.As == merge.Keep && c.stays() || x.As == merge.Keep && c.fixed {
			return "found"
		}
		if x.As == merge.Keep || c.what == plainColumn || c.what == itsNumbers && !g.sameKey(x.To, c.key) || !slices.Contains(x.To, c.key) && !g.sameKey(x.To, c.key) {
			return "wrong"
		}
		return "found"
	}
	return "missed"
}

// sameKey tells whether a reference leads to a column that holds a key itself.
func (g *guessing) sameKey(to []merge.Col, key merge.Col) bool {
	return slices.Contains(to, key) || slices.ContainsFunc(g.columns, func(c *truth) bool { return slices.Contains(to, c.col) && c.key == key })
}

// verdicts are what an audit may make of a column, as verdict names them.
var verdicts = []string{"found", "asked", "misled", "blocked", "missed", "wrong"}

// TestRecall measures what an audit makes of the columns of games that declare nothing. Of the first games no column that leads to somebody else is missed, and nothing
// untrue is decided unasked; with GAMEID_SEEDS those are only told, and the databases of these games copied to the folder GAMEID_KEEP.
func TestRecall(t *testing.T) {
	tell := t.Errorf
	if os.Getenv("GAMEID_SEEDS") != "" {
		tell = t.Logf
	}
	total, questions, games := map[string]map[string]int{}, 0, 0
	for _, seed := range seeds(t) {
		g, dir := game(seed, false), t.TempDir()
		sources := g.build(t, dir)
		res := check(t, sources)
		games, questions = games+1, questions+len(res.Undecided)
		keep := false
		for _, c := range g.columns {
			if c.refers() && !g.matters(c) {
				continue
			}
			v := g.verdict(c, res)
			if total[c.what] == nil {
				total[c.what] = map[string]int{}
			}
			total[c.what][v]++
			if v == "wrong" || v == "missed" && c.refers() {
				keep = true
				tell("game %d: %s, %s of %s, is %s", seed, c.col, c.what, c.key, v)
			}
		}
		if folder := os.Getenv("GAMEID_KEEP"); keep && folder != "" {
			keepGame(t, fmt.Sprintf("game%d", seed), sources, folder)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d games, %.1f questions each\n%-24s%8s", games, float64(questions)/float64(games), "a column that is", "all")
	for _, v := range verdicts {
		fmt.Fprintf(&b, "%8s", v)
	}
	for _, what := range slices.Sorted(maps.Keys(total)) {
		all := 0
		for _, n := range total[what] {
			all += n
		}
		fmt.Fprintf(&b, "\n%-24s%8d", what, all)
		for _, v := range verdicts {
			fmt.Fprintf(&b, "%8d", total[what][v])
		}
	}
	t.Log("\n" + b.String())
}

// keepGame copies a game's databases to a folder.
func keepGame(t *testing.T, name string, sources []merge.Source, folder string) {
	t.Helper()
	for _, s := range sources {
		data, err := os.ReadFile(s.Source)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name+"-"+s.Name+".db"), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// open opens databases, until they are done with.
func open(t *testing.T, e merge.Engine, sources []merge.Source) (shards []merge.Shard, done func()) {
	t.Helper()
	for _, src := range sources {
		s, err := e.Open(t.Context(), src, merge.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		shards = append(shards, s)
	}
	return shards, func() {
		for _, s := range shards {
			_ = s.Close()
		}
	}
}

// check audits two databases without a plan, as merge-check does.
func check(t *testing.T, sources []merge.Source) *audit.Result {
	t.Helper()
	e := sqlite.New()
	shards, done := open(t, e, sources)
	defer done()
	res, err := audit.Run(t.Context(), e, shards, nil, audit.Options{Present: merge.IDCursorNow(time.Now()), Assume: []merge.Grade{merge.Certain}})
	if err != nil {
		t.Fatal(err)
	}
	return res
}
