package cmd_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// genStage is a stage on which IDs are issued again and again, and which of them were.
type genStage struct {
	*stage
	printed map[string]bool
}

func newGenStage(t *testing.T) *genStage {
	return &genStage{newStage(t, tool(t), func(*testing.T, string) {}), map[string]bool{}}
}

func genArgs() []string { return []string{"gen", "--server", "7", "-n", "3", "--state", "7.ceiling"} }

// note remembers the whole lines of a run, and finds IDs that stood there before.
func (g *genStage) note(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		id, whole := strings.CutSuffix(line, "\n")
		if !whole || strings.HasPrefix(id, "gameid: ") {
			continue
		}
		if g.printed[id] {
			t.Errorf("%s was printed twice", id)
		}
		g.printed[id] = true
	}
}

// again issues IDs undisturbed; nothing but the ceiling and its lock may stand there then.
func (g *genStage) again(t *testing.T) {
	t.Helper()
	code, said := g.run(t, genArgs()...)
	if code != 0 {
		t.Errorf("undisturbed: exit code %d: %s", code, said)
	}
	g.note(t, said)
	if got := folder(t, g.dir); !slices.Equal(got, []string{"7.ceiling", "7.ceiling.lock"}) {
		t.Errorf("there are %v, want the ceiling and its lock", got)
	}
}

// upTo runs gen with a fault at its first call, its second and so on, until one completes without it; first with no ceiling, then with one.
func (g *genStage) upTo(t *testing.T, f fault, look func(t *testing.T, n int, c call, end ended)) {
	t.Helper()
	f.output = true
	tried := tally{}
	defer tried.log(t, f)
	for f.at = 1; ; f.at++ {
		end := g.fault(t, f, genArgs()...)
		g.note(t, end.stdout)
		if end.hit == nil {
			if end.code != 0 {
				t.Errorf("undisturbed: exit code %d: %s", end.code, end.stderr)
			}
			if f.at < 5 {
				t.Errorf("only %d calls were tried, want the lock, the ceiling and the output at least", f.at-1)
			}
			return
		}
		tried.add(point{at: f.at}, end.hit)
		look(t, f.at, *end.hit, end)
		g.again(t)
	}
}

// TestG25GenKilledAtEveryCall kills gen before each call that changes something on a disk, its output included: no ID is ever printed twice.
func TestG25GenKilledAtEveryCall(t *testing.T) {
	g := newGenStage(t)
	g.upTo(t, fault{signal: unix.SIGKILL}, func(t *testing.T, n int, c call, end ended) {
		if end.code != 137 {
			t.Errorf("call %d, %s: exit code %d, want a kill", n, c, end.code)
		}
	})
}

// TestG5GenEveryCallFails lets each of these calls fail, that of the output included (G28): exit code 2, the reason and the next step, and no ID twice.
func TestG5GenEveryCallFails(t *testing.T) {
	g := newGenStage(t)
	for _, f := range []fault{{errno: unix.ENOSPC, on: true}, {errno: unix.ENOSPC}, {errno: unix.EIO}} {
		g.upTo(t, f, func(t *testing.T, n int, c call, end ended) {
			said := strings.Contains(end.stderr, "no space left") || strings.Contains(end.stderr, "input/output error")
			harmless := end.code == 0 && c.removes() // there was nothing to remove
			if !harmless && (end.code != 2 || !said || !strings.Contains(end.stderr, "\nnext: ")) {
				t.Errorf("%v at call %d, %s: exit code %d, it says %q; want 2, the reason and the next step", f, n, c, end.code, end.stderr)
			}
		})
	}
}
