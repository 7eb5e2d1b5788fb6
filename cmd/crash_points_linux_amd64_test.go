package cmd_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// everything tells whether every point is tried, not a sample.
func everything() bool { return os.Getenv("GAMEID_CRASHES") == "all" }

// point is a call that every run makes: one of a kind, counted from 1.
type point struct {
	kind string
	at   int
}

// pointsOf are the points of a run. A number alone would not name a call: databases are copied and read at once, so that the n-th call is another one each time.
func pointsOf(calls []call) (list []point) {
	counted := map[string]int{}
	for _, c := range calls {
		counted[c.kind()]++
		list = append(list, point{c.kind(), counted[c.kind()]})
	}
	return list
}

// steady runs a few times and returns the run with the fewest calls, and of each kind as many as every run makes: of two copies that begin at once, one may have to begin
// anew, and which of two comes first to a file is not said.
func steady(run func() ended) (best ended) {
	best = run()
	least := countsOf(best.calls)
	for range 3 {
		end := run()
		if len(end.calls) < len(best.calls) {
			best = end
		}
		counts := countsOf(end.calls)
		for kind, n := range least {
			least[kind] = min(n, counts[kind])
		}
	}
	best.calls = slices.DeleteFunc(best.calls, func(c call) bool {
		least[c.kind()]--
		return least[c.kind()] < 0
	})
	return best
}

// countsOf is how many calls there are of each kind.
func countsOf(calls []call) map[string]int {
	counts := map[string]int{}
	for _, p := range pointsOf(calls) {
		counts[p.kind] = p.at
	}
	return counts
}

// sample are the points of a quick run: the first call of each name, in rooms, or about each file beside them, and the last three, around the moment when the
// output gets its name.
func sample(list []point) (few []point) {
	seen := map[string]bool{}
	for i, p := range list {
		name, _, _ := strings.Cut(p.kind, "-room")
		if !seen[name] || i >= len(list)-3 {
			few = append(few, p)
		}
		seen[name] = true
	}
	return few
}

// tryPoints tries a fault at points, each as a test of its own. try tells which call it met.
func tryPoints(t *testing.T, list []point, f fault, try func(t *testing.T, f fault) *call) {
	t.Helper()
	tried := tally{}
	for _, p := range list {
		f.kind, f.at = p.kind, p.at
		ok := t.Run(f.String(), func(t *testing.T) {
			var hit *call
			for tries := 0; hit == nil && tries < 5; tries++ {
				hit = try(t, f)
			}
			if tried.add(p, hit); t.Failed() {
				t.Errorf("that was %v; to repeat it: GAMEID_CRASHES=all go test -count=1 -run '^%s$' ./cmd", hit, strings.ReplaceAll(t.Name(), "/", "$/^"))
			}
		})
		if !ok {
			t.FailNow()
		}
	}
	tried.log(t, f)
}

// tally is how many calls of each name were spoilt, and how many were not met again.
type tally struct {
	met    map[string]int
	missed []point
}

func (y *tally) add(p point, hit *call) {
	if hit == nil {
		y.missed = append(y.missed, p)
		return
	}
	if y.met == nil {
		y.met = map[string]int{}
	}
	y.met[hit.name]++
}

// log says it for scripts/crashes.
func (y *tally) log(t *testing.T, f fault) {
	t.Helper()
	var counts []string
	total := 0
	for _, name := range slices.Sorted(maps.Keys(y.met)) {
		counts = append(counts, fmt.Sprintf("%d %s", y.met[name], name))
		total += y.met[name]
	}
	f.kind, f.at = "", 0
	t.Logf("%s: %d points: %s", f, total, strings.Join(counts, ", "))
	if len(y.missed) > 0 {
		t.Logf("%s: not met again: %v", f, y.missed)
	}
	if len(y.missed) > max(1, total/20) {
		t.Errorf("%s: %d calls were not met again", f, len(y.missed))
	}
}
