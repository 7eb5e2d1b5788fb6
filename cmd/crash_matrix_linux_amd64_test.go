package cmd_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// deed is one command that is stopped at every call that changes something on a disk.
type deed struct {
	fill   func(t *testing.T, dir string)
	args   []string
	out    string   // the file that it makes; "" when it makes none
	proof  []string // the command that proves that file; nil: its bytes alone tell
	redone int      // the exit code of the same command when the file is complete
}

func rewriting(state string) deed {
	return deed{
		fill: leave(state), args: []string{"merge-rewrite", "a.db", "b.db", "--plan", "rules.yaml", "-o", "m.db", "--quiet"},
		out: "m.db", proof: []string{"merge-verify", "a.db", "b.db", "--merged", "m.db", "--quiet"}, redone: 3,
	}
}

// deeds are the commands, by name.
func deeds(program string) map[string]deed {
	verifying := deed{args: []string{"merge-verify", "a.db", "b.db", "--merged", "m.db", "--quiet"}}
	verifying.fill = func(t *testing.T, dir string) {
		leave("wal")(t, dir)
		s := &stage{program: program, dir: dir, temp: t.TempDir()}
		if code, said := s.run(t, "merge-rewrite", "a.db", "b.db", "--plan", "rules.yaml", "-o", "m.db", "--quiet"); code != 0 {
			t.Fatalf("merge: exit code %d: %s", code, said)
		}
	}
	return map[string]deed{
		"rewrite-rollback": rewriting("rollback"),
		"rewrite-wal":      rewriting("wal"),
		"rewrite-journal":  rewriting("journal"),
		"write-plan":       {fill: leave("wal"), args: []string{"merge-check", "a.db", "b.db", "--write-plan", "plan.yaml", "--quiet"}, out: "plan.yaml", redone: 3},
		"verify":           verifying,
	}
}

// everything tells whether every point is tried, not a sample.
func everything() bool { return os.Getenv("GAMEID_CRASHES") == "all" }

// sample are the points of a quick run: the first call of each kind, and the last three, around the moment when the output gets its name.
func sample(calls []call) (points []int) {
	seen := map[string]bool{}
	for i, c := range calls {
		if !seen[kind(c)] || i >= len(calls)-3 {
			points = append(points, i+1)
		}
		seen[kind(c)] = true
	}
	return points
}

// upwards are 1, 2, 3 and so on, for as long as anybody asks.
func upwards(yield func(int) bool) {
	for n := 1; yield(n); n++ {
	}
}

// kind is a call without the numbers of temporary names. Calls inside rooms count as one kind each.
func kind(c call) string {
	if strings.Contains(c.path, "/.gameid-") || strings.HasPrefix(c.path, ".gameid-") {
		return c.name + " in a room"
	}
	return c.name + " " + filepath.Base(c.path)
}

// trial is a deed on its stage, with what an undisturbed run does.
type trial struct {
	deed
	*stage
	code  int      // the exit code of an undisturbed run
	made  fileMark // the output of one
	calls []call
}

func newTrial(t *testing.T, program string, d deed) *trial {
	t.Helper()
	tr := &trial{deed: d, stage: newStage(t, program, d.fill)}
	undisturbed := tr.fault(t, fault{}, d.args...)
	tr.code, tr.calls = undisturbed.code, undisturbed.calls
	if tr.code > 1 {
		t.Fatalf("undisturbed: exit code %d: %s", tr.code, undisturbed.stderr)
	}
	if list := tr.changed(t, tr.outputs()...); list != nil {
		t.Fatalf("undisturbed: %q", list)
	}
	if d.out != "" {
		tr.made = marks(t, tr.dir)[d.out]
		tr.clear(t)
	}
	return tr
}

func (tr *trial) outputs() []string {
	if tr.out == "" {
		return nil
	}
	return []string{tr.out}
}

func (tr *trial) clear(t *testing.T) {
	t.Helper()
	if err := os.Remove(filepath.Join(tr.dir, tr.out)); err != nil {
		t.Fatal(err)
	}
}

// complete tells whether the output stands there, and that it is whole.
func (tr *trial) complete(t *testing.T) bool {
	t.Helper()
	got, ok := marks(t, tr.dir)[tr.out]
	if !ok {
		return false
	}
	if got.sum != tr.made.sum {
		t.Errorf("%s is not what an undisturbed run makes", tr.out)
	}
	if tr.proof != nil {
		if code, said := tr.run(t, tr.proof...); code != 0 {
			t.Errorf("the proof of %s: exit code %d, want 0: %s", tr.out, code, said)
		}
	}
	return true
}

// again runs the command once more: it needs nobody to clean up, and leaves nothing but its output.
func (tr *trial) again(t *testing.T, complete bool) {
	t.Helper()
	want := tr.code
	if complete {
		want = tr.redone
	}
	if code, said := tr.run(t, tr.args...); code != want {
		t.Errorf("once more: exit code %d, want %d: %s", code, want, said)
	}
	if list := tr.changed(t, tr.outputs()...); list != nil {
		t.Errorf("after running it once more: %q", list)
	}
	if tr.out != "" && tr.complete(t) {
		tr.clear(t)
	}
}

// points are how many calls of each name were spoilt.
type points map[string]int

// log says them for scripts/crashes.
func (p points) log(t *testing.T, f fault) {
	t.Helper()
	var counts []string
	total := 0
	for _, name := range slices.Sorted(maps.Keys(p)) {
		counts = append(counts, fmt.Sprintf("%d %s", p[name], name))
		total += p[name]
	}
	f.at = 0
	t.Logf("%s: %d points: %s", strings.Replace(f.String(), "-0", "", 1), total, strings.Join(counts, ", "))
}

// tryPoints tries a fault at every call, until a run completes without it, or at a sample of them; each is a test of its own.
func (tr *trial) tryPoints(t *testing.T, f fault, try func(t *testing.T, c call, end ended)) {
	t.Helper()
	list, tried := slices.Values(sample(tr.calls)), points{}
	if everything() {
		list = upwards
	}
	for n := range list {
		f.at = n
		hit := false
		ok := t.Run(f.String(), func(t *testing.T) {
			end := tr.fault(t, f, tr.args...)
			if hit = end.hit; !hit {
				try(t, call{}, end)
				return
			}
			c := end.calls[n-1]
			tried[c.name]++
			try(t, c, end)
			if t.Failed() {
				t.Errorf("that was call %d, %s; to repeat it: GAMEID_CRASHES=all go test -count=1 -run '^%s$' ./cmd", n, c, strings.ReplaceAll(t.Name(), "/", "$/^"))
			}
		})
		if !ok {
			t.FailNow()
		}
		if !hit && everything() {
			break
		}
	}
	tried.log(t, f)
}

// eachDeed runs a test for every deed, or for a few in a quick run.
func eachDeed(t *testing.T, quick []string, test func(t *testing.T, tr *trial)) {
	t.Helper()
	program := tool(t)
	list := deeds(program)
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if !everything() && !slices.Contains(quick, name) {
			continue
		}
		t.Run(name, func(t *testing.T) { test(t, newTrial(t, program, list[name])) })
	}
}

// TestM1KilledAtEveryCall kills every command before each of its calls that change something on a disk.
func TestM1KilledAtEveryCall(t *testing.T) {
	eachDeed(t, []string{"rewrite-wal", "write-plan"}, func(t *testing.T, tr *trial) {
		tr.tryPoints(t, fault{signal: unix.SIGKILL}, func(t *testing.T, _ call, end ended) {
			if end.hit && end.code != 137 {
				t.Fatalf("exit code %d, want a kill: %s", end.code, end.stderr)
			}
			for _, what := range tr.changed(t) {
				if strings.HasPrefix(what, "input ") {
					t.Error(what)
				}
			}
			tr.again(t, tr.complete(t))
		})
	})
}

// TestM2EveryCallFails lets each of these calls fail: alone with each error, and with all that follow as on a full disk.
func TestM2EveryCallFails(t *testing.T) {
	eachDeed(t, []string{"rewrite-wal"}, func(t *testing.T, tr *trial) {
		for _, f := range []fault{{errno: unix.ENOSPC, on: true}, {errno: unix.EIO}, {errno: unix.ENOSPC}} {
			if !everything() && f.errno == unix.ENOSPC && !f.on {
				continue
			}
			tr.tryPoints(t, f, func(t *testing.T, c call, end ended) {
				complete := tr.complete(t)
				var beside []string
				if complete {
					beside = tr.outputs()
				}
				if list := tr.changed(t, beside...); list != nil && (f.on || !c.removes()) {
					t.Errorf("right after it: %q", list)
				}
				switch {
				case end.code == tr.code && (complete || tr.out == ""):
				case end.code != 2:
					t.Errorf("exit code %d, want 2: %s", end.code, end.stderr)
				default:
					tr.told(t, c, f, end.stderr)
				}
				tr.again(t, complete)
			})
		}
	})
}

// TestM2AReadFails lets one read of a database fail, at points all over a run: no next step asks for a backup of a database that is in order.
func TestM2AReadFails(t *testing.T) {
	eachDeed(t, []string{"rewrite-wal"}, func(t *testing.T, tr *trial) {
		f := fault{errno: unix.EIO, reads: true}
		total := len(tr.fault(t, f, tr.args...).calls)
		if tr.out != "" {
			tr.clear(t)
		}
		points := map[bool]int{false: 20, true: 400}[everything()]
		for i := range points {
			f.at = 1 + i*total/points
			t.Run(f.String(), func(t *testing.T) {
				end := tr.fault(t, f, tr.args...)
				complete := tr.complete(t)
				if list := tr.changed(t, map[bool][]string{true: tr.outputs()}[complete]...); list != nil {
					t.Errorf("right after it: %q", list)
				}
				if said := end.stderr; end.code != tr.code && (end.code != 2 || strings.Contains(said, "backup") || !strings.Contains(said, "\nnext: ")) {
					t.Errorf("exit code %d, want 2 and the disk as the trouble: %s", end.code, said)
				}
				tr.again(t, complete)
			})
		}
	})
}

// told checks that a person learns which file it was, why, and what to do.
func (tr *trial) told(t *testing.T, c call, f fault, said string) {
	t.Helper()
	said, _, _ = strings.Cut(said, "\ngoroutine ")
	named := false
	for _, name := range []string{filepath.Base(c.path), tr.dir, tr.temp, "m.db", "plan.yaml", "a.db", "b.db"} {
		named = named || strings.Contains(said, name)
	}
	reason := false
	for _, text := range map[unix.Errno][]string{unix.ENOSPC: {"no space left", "disk is full", "disk I/O error", "unable to open", "readonly database"}, unix.EIO: {"input/output error", "disk I/O error", "unable to open", "readonly database"}}[f.errno] {
		reason = reason || strings.Contains(said, text)
	}
	if !named || !reason || !strings.Contains(said, "\nnext: ") {
		t.Errorf("it says %q; want the file, the reason and the next step", said)
	}
}
