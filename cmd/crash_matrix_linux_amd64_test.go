package cmd_test

import (
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
	undisturbed := steady(func() ended {
		end := tr.fault(t, fault{}, d.args...)
		if end.code > 1 {
			t.Fatalf("undisturbed: exit code %d: %s", end.code, end.stderr)
		}
		if list := tr.changed(t, tr.outputs()...); list != nil {
			t.Fatalf("undisturbed: %q", list)
		}
		if d.out != "" {
			tr.made = marks(t, tr.dir)[d.out]
			tr.clear(t)
		}
		return end
	})
	tr.code, tr.calls = undisturbed.code, undisturbed.calls
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

// tryPoints tries a fault at the points of an undisturbed run.
func (tr *trial) tryPoints(t *testing.T, f fault, try func(t *testing.T, end ended)) {
	t.Helper()
	list := pointsOf(tr.calls)
	if !everything() {
		list = sample(list)
	}
	tryPoints(t, list, f, func(t *testing.T, f fault) *call {
		end := tr.fault(t, f, tr.args...)
		try(t, end)
		return end.hit
	})
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
		tr.tryPoints(t, fault{signal: unix.SIGKILL}, func(t *testing.T, end ended) {
			if end.hit != nil && end.code != 137 {
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
			tr.tryPoints(t, f, func(t *testing.T, end ended) {
				complete := tr.complete(t)
				var beside []string
				if complete {
					beside = tr.outputs()
				}
				if list := tr.changed(t, beside...); list != nil && (f.on || end.hit == nil || !end.hit.removes()) {
					t.Errorf("right after it: %q", list)
				}
				switch {
				case end.code == tr.code && (complete || tr.out == ""):
				case end.code != 2:
					t.Errorf("exit code %d, want 2: %s", end.code, end.stderr)
				default:
					tr.told(t, *end.hit, f, end.stderr)
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
		all := pointsOf(tr.fault(t, f, tr.args...).calls)
		if tr.out != "" {
			tr.clear(t)
		}
		var list []point
		some := map[bool]int{false: 20, true: 400}[everything()]
		for i := range some {
			list = append(list, all[i*len(all)/some])
		}
		tryPoints(t, list, f, func(t *testing.T, f fault) *call {
			end := tr.fault(t, f, tr.args...)
			complete := tr.complete(t)
			if list := tr.changed(t, map[bool][]string{true: tr.outputs()}[complete]...); list != nil {
				t.Errorf("right after it: %q", list)
			}
			if said := end.stderr; end.code != tr.code && (end.code != 2 || strings.Contains(said, "backup") || !strings.Contains(said, "\nnext: ")) {
				t.Errorf("exit code %d, want 2 and the disk as the trouble: %s", end.code, said)
			}
			tr.again(t, complete)
			return end.hit
		})
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
