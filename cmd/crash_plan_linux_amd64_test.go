package cmd_test

import (
	"crypto/sha256"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestM1UpdatedPlan kills and fails an update of a plan at every call: the plan is the old one or the new one, and the old one is never lost.
func TestM1UpdatedPlan(t *testing.T) {
	s := newStage(t, tool(t), leave("wal"))
	plan := filepath.Join(s.dir, "rules.yaml")
	delete(s.inputs, "rules.yaml")
	args := []string{"merge-check", "a.db", "b.db", "--update-plan", "rules.yaml", "--quiet"}
	reset := func(t *testing.T) {
		t.Helper()
		if err := os.WriteFile(plan, []byte(smallRules), 0o600); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(plan + ".bak")
	}
	undisturbed := steady(func() ended {
		reset(t)
		return s.fault(t, fault{}, args...)
	})
	fresh := marks(t, s.dir)["rules.yaml"].sum
	old := sha256.Sum256([]byte(smallRules))
	if undisturbed.code != 0 || fresh == old {
		t.Fatalf("undisturbed: exit code %d, new plan %v: %s", undisturbed.code, fresh != old, undisturbed.stderr)
	}
	begin := slices.IndexFunc(undisturbed.calls, func(c call) bool { return strings.HasSuffix(c.path, "/text") })
	if begin < 0 {
		t.Fatalf("no call writes the plan: %v", undisturbed.calls)
	}
	update := func(t *testing.T, f fault) *call {
		reset(t)
		end := s.fault(t, f, args...)
		now := marks(t, s.dir)
		was, kept := now["rules.yaml.bak"]
		if got := now["rules.yaml"].sum; got != old && got != fresh || got == fresh && !kept || kept && was.sum != old {
			t.Errorf("%v: the plan is the old one: %v, the new one: %v; a copy of the old one is kept: %v", end.hit, got == old, got == fresh, kept && was.sum == old)
		}
		if f.errno != 0 && end.code != 2 && !(end.code == 0 && now["rules.yaml"].sum == fresh) { //nolint:staticcheck // as one says it
			t.Errorf("%v: exit code %d, want 2: %s", end.hit, end.code, end.stderr)
		}
		if code, said := s.run(t, args...); code != 0 {
			t.Errorf("%v: once more: exit code %d: %s", end.hit, code, said)
		}
		if list := s.changed(t, "rules.yaml", "rules.yaml.bak"); list != nil {
			t.Errorf("%v: after running it once more: %q", end.hit, list)
		}
		if now := marks(t, s.dir); now["rules.yaml"].sum != fresh {
			t.Errorf("%v: after running it once more the plan is not the new one; there are %v", end.hit, slices.Sorted(maps.Keys(now)))
		}
		return end.hit
	}
	list := pointsOf(undisturbed.calls)
	if !everything() {
		list = list[begin:]
	}
	for _, f := range []fault{{signal: unix.SIGKILL}, {errno: unix.ENOSPC, on: true}, {errno: unix.EIO}} {
		tryPoints(t, list, f, update)
	}
}
