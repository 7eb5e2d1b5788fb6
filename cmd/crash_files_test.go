package cmd_test

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// rewriteArgs merge the two small servers.
func rewriteArgs(out string, more ...string) []string {
	return append([]string{"merge-rewrite", "a.db", "b.db", "--plan", "rules.yaml", "-o", out, "--quiet"}, more...)
}

// nobody is the user that a test becomes when it runs as root, who may write everywhere.
const nobody = 65534

// TestM42ReadOnlyFolders merges from a folder in which nothing may be written, and refuses to write there.
func TestM42ReadOnlyFolders(t *testing.T) {
	binary, err := os.ReadFile(tool(t))
	program := filepath.Join(t.TempDir(), "gameid") // where others may run it
	if err == nil {
		err = os.WriteFile(program, binary, 0o755) //nolint:gosec // a program
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"rollback", "wal", "journal"} {
		t.Run(state, func(t *testing.T) {
			s := newStage(t, program, leave(state))
			work := t.TempDir()
			run := func(want int, args []string, say string) {
				t.Helper()
				p := exec.Cmd{Path: program, Args: append([]string{"gameid"}, args...), Dir: s.dir, Env: s.env()}
				if os.Geteuid() == 0 {
					p.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
				}
				text, err := p.CombinedOutput()
				if got := exitCode(err); got != want || !strings.Contains(string(text), say) {
					t.Errorf("%v: exit code %d, %s; want %d and %q", args, got, text, want, say)
				}
			}
			for name := range s.inputs {
				if err := os.Chmod(filepath.Join(s.dir, name), 0o444); err != nil {
					t.Fatal(err)
				}
			}
			if os.Geteuid() == 0 {
				for _, dir := range []string{filepath.Dir(filepath.Dir(program)), filepath.Dir(s.dir)} { // the test's own folder is closed to others
					if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // that is the purpose
						t.Fatal(err)
					}
				}
				for _, dir := range []string{work, s.temp} {
					if err := os.Chown(dir, nobody, nobody); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := os.Chmod(s.dir, 0o555); err != nil { //nolint:gosec // that is the test
				t.Fatal(err)
			}
			defer func() { _ = os.Chmod(s.dir, 0o755) }() //nolint:gosec // so that it can be removed
			s.inputs = marks(t, s.dir)

			run(3, rewriteArgs("m.db"), "cannot be written")
			run(0, rewriteArgs(filepath.Join(work, "m.db")), "")
			run(0, []string{"merge-verify", "a.db", "b.db", "--merged", filepath.Join(work, "m.db"), "--work-dir", work, "--quiet"}, "")
			run(0, []string{"merge-check", "a.db", "b.db", "--plan", "rules.yaml", "--work-dir", work, "--quiet"}, "")
			if state != "rollback" {
				run(2, []string{"merge-check", "a.db", "b.db", "--plan", "rules.yaml", "--quiet"}, "--work-dir")
			}
			if list := s.changed(t); list != nil {
				t.Errorf("%q", list)
			}
			if got := folder(t, work); !slices.Equal(got, []string{"m.db"}) {
				t.Errorf("the other folder holds %v, want m.db alone", got)
			}
		})
	}
}

// TestM43OwnerAndMode: the output belongs to whom the first input belongs and is as readable as that, within the umask.
func TestM43OwnerAndMode(t *testing.T) {
	program := tool(t)
	for _, c := range []struct {
		umask       string
		input, want os.FileMode
	}{{"022", 0o640, 0o640}, {"077", 0o664, 0o600}, {"000", 0o666, 0o666}, {"022", 0o400, 0o600}} {
		s := newStage(t, program, leave("wal"))
		first := filepath.Join(s.dir, "a.db")
		if err := os.Chmod(first, c.input); err != nil {
			t.Fatal(err)
		}
		owner, group := os.Getuid(), os.Getgid()
		if owner == 0 {
			owner, group = 1234, 4321
			if err := os.Chown(first, owner, group); err != nil {
				t.Fatal(err)
			}
		}
		p := exec.Cmd{Path: "/bin/sh", Args: append([]string{"sh", "-c", "umask " + c.umask + `; exec "$0" "$@"`, program}, rewriteArgs("m.db")...), Dir: s.dir, Env: s.env()}
		if text, err := p.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		info, err := os.Stat(filepath.Join(s.dir, "m.db"))
		if err != nil {
			t.Fatal(err)
		}
		is, ok := info.Sys().(*syscall.Stat_t)
		if !ok || info.Mode() != c.want || int(is.Uid) != owner || int(is.Gid) != group {
			t.Errorf("umask %s, input %v: the output is %v of %d:%d, want %v of %d:%d", c.umask, c.input, info.Mode(), is.Uid, is.Gid, c.want, owner, group)
		}
	}
}

// TestM46TwoMergesAtOnce starts merges into one output together: one writes it, the others refuse and touch nothing.
func TestM46TwoMergesAtOnce(t *testing.T) {
	s := newStage(t, tool(t), leave("wal"))
	for range 5 {
		var codes [3]int
		var said [3]string
		var all sync.WaitGroup
		for i := range codes {
			all.Go(func() { codes[i], said[i] = s.run(t, rewriteArgs("m.db")...) })
		}
		all.Wait()
		slices.Sort(codes[:])
		if codes != [3]int{0, 3, 3} {
			t.Fatalf("exit codes %v, want one 0 and two 3: %q", codes, said)
		}
		if list := s.changed(t, "m.db"); list != nil {
			t.Errorf("%q", list)
		}
		if code, said := s.run(t, "merge-verify", "a.db", "b.db", "--merged", "m.db", "--quiet"); code != 0 {
			t.Errorf("the proof: exit code %d: %s", code, said)
		}
		if err := os.Remove(filepath.Join(s.dir, "m.db")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestM5JournalIsPlayedBack: what a killed server had begun does not count, what stands in its log does.
func TestM5JournalIsPlayedBack(t *testing.T) {
	program := tool(t)
	for state, want := range map[string][2]int{"journal": {0, 120}, "wal": {600, 122}, "rollback": {0, 120}} {
		s := newStage(t, program, leave(state))
		if code, said := s.run(t, rewriteArgs("m.db")...); code != 0 {
			t.Fatalf("%s: exit code %d: %s", state, code, said)
		}
		db, err := sql.Open("sqlite3", filepath.Join(s.dir, "m.db"))
		if err != nil {
			t.Fatal(err)
		}
		var got [2]int
		err = db.QueryRow("SELECT (SELECT count(*) FROM item WHERE note LIKE '%!' OR note LIKE 'half%'), (SELECT count(*) FROM player)").Scan(&got[0], &got[1])
		_ = db.Close()
		if err != nil || got != want {
			t.Errorf("%s: %d changed items and %d players (%v), want %v", state, got[0], got[1], err, want)
		}
	}
}

// TestM2SmallLimits merges where files may not grow beyond a few sizes: the limit is told, and nothing is left.
func TestM2SmallLimits(t *testing.T) {
	s := newStage(t, tool(t), leave("wal"))
	complete := false
	for _, kib := range []string{"1", "4", "16", "40", "64", "100000"} {
		p := exec.Cmd{Path: "/bin/bash", Args: append([]string{"bash", "-c", "ulimit -f " + kib + ` && exec "$0" "$@"`, s.program}, rewriteArgs("m.db")...), Dir: s.dir, Env: s.env()}
		text, err := p.CombinedOutput()
		if complete = err == nil; complete {
			continue
		}
		if got := exitCode(err); got != 2 || !strings.Contains(string(text), "\nnext: ") {
			t.Errorf("%s KiB: exit code %d, %s; want 2 and the next step", kib, got, text)
		}
		if list := s.changed(t); list != nil {
			t.Errorf("%s KiB: %q", kib, list)
		}
	}
	if !complete {
		t.Error("no limit was large enough")
	}
}

// TestM2SmallDisks merges on disks of a few sizes, where this user may mount some.
func TestM2SmallDisks(t *testing.T) {
	program := tool(t)
	disk := t.TempDir()
	complete, told := false, false
	for _, size := range []string{"480k", "560k", "640k", "720k", "800k", "4m"} {
		if text, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", disk).CombinedOutput(); err != nil {
			t.Skipf("no small disk can be mounted here: %v: %s", err, text)
		}
		func() {
			defer func() {
				if text, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
					t.Fatalf("umount: %v: %s", err, text)
				}
			}()
			s := &stage{program: program, dir: disk, temp: t.TempDir()}
			leave("wal")(t, disk)
			s.inputs = marks(t, disk)
			code, said := s.run(t, rewriteArgs("m.db")...)
			var beside []string
			switch {
			case code == 0:
				beside, complete = []string{"m.db"}, true
			case code != 2 && code != 3 || !strings.Contains(said, "\nnext: "):
				t.Errorf("%s: exit code %d, %s; want 2 or 3, and the next step", size, code, said)
			default:
				told = true
			}
			if list := s.changed(t, beside...); list != nil {
				t.Errorf("%s, exit code %d: %q", size, code, list)
			}
		}()
	}
	if !complete || !told {
		t.Errorf("complete on one of the disks: %v, refused on another: %v; want both", complete, told)
	}
}
