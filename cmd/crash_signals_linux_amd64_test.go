package cmd_test

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestM47SignalAtEveryCall sends SIGINT, SIGTERM and SIGHUP before each call that changes something on a disk: the exit code says which, and nothing is left; a
// merge that was as good as done may complete.
func TestM47SignalAtEveryCall(t *testing.T) {
	eachDeed(t, []string{"rewrite-wal"}, func(t *testing.T, tr *trial) {
		hearHangups(t)
		for signal, want := range map[unix.Signal]int{unix.SIGINT: 130, unix.SIGTERM: 143, unix.SIGHUP: 129} {
			if !everything() && signal != unix.SIGTERM {
				continue
			}
			tr.tryPoints(t, fault{signal: signal}, func(t *testing.T, end ended) {
				complete := tr.complete(t)
				var beside []string
				if complete {
					beside = tr.outputs()
				}
				if list := tr.changed(t, beside...); list != nil {
					t.Errorf("right after it: %q", list)
				}
				done := end.code == tr.code && (complete || tr.out == "")
				stopped := end.code == want && strings.Contains(end.stderr, "gameid: stopped by ") && (!complete || tr.proof == nil)
				if !done && !stopped {
					t.Errorf("exit code %d, want %d: %s", end.code, want, end.stderr)
				}
				if complete {
					tr.clear(t)
				}
			})
		}
	})
}

// TestM47SignalAtAnyTime sends them after so many milliseconds, also while nothing is written.
func TestM47SignalAtAnyTime(t *testing.T) {
	s := newStage(t, tool(t), leave("wal"))
	hearHangups(t)
	for ms := 0; ms < 150; ms += 10 {
		for signal, want := range map[unix.Signal]int{unix.SIGINT: 130, unix.SIGTERM: 143, unix.SIGHUP: 129} {
			p := exec.Cmd{Path: s.program, Args: append([]string{"gameid"}, rewriteArgs("m.db")...), Dir: s.dir, Env: s.env()}
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(ms) * time.Millisecond)
			_ = p.Process.Signal(signal)
			_ = p.Wait()
			status, ok := p.ProcessState.Sys().(interface{ Signal() unix.Signal })
			deaf := ok && p.ProcessState.ExitCode() == -1 && status.Signal() == signal // before it could listen, or when it had done everything
			_, err := os.Stat(filepath.Join(s.dir, "m.db"))
			switch code := p.ProcessState.ExitCode(); {
			case code == 0, deaf && err == nil:
				if list := s.changed(t, "m.db"); list != nil {
					t.Errorf("%v after %d ms, exit code %d: %q", signal, ms, code, list)
				}
				if code, said := s.run(t, "merge-verify", "a.db", "b.db", "--merged", "m.db", "--quiet"); code != 0 {
					t.Errorf("%v after %d ms: the output stands there and is not proven: exit code %d: %s", signal, ms, code, said)
				}
				_ = os.Remove(filepath.Join(s.dir, "m.db"))
			case code != want && !deaf:
				t.Errorf("%v after %d ms: %v, want exit code %d", signal, ms, p.ProcessState, want)
			default:
				if list := s.changed(t); list != nil {
					t.Errorf("%v after %d ms: %q", signal, ms, list)
				}
			}
		}
	}
}

// TestM1TwentyKills kills a merge twenty times, each time later, and looks at what piles up.
func TestM1TwentyKills(t *testing.T) {
	tr := newTrial(t, tool(t), rewriting("wal"))
	for n := range 20 {
		tr.fault(t, fault{at: 1 + n*(len(tr.calls)-4)/20, signal: unix.SIGKILL}, tr.args...)
		if got := len(folder(t, tr.dir)) - len(tr.inputs); got > 6 {
			t.Errorf("after %d kills: %d files and folders beside the inputs, want those of one run: %v", n+1, got, folder(t, tr.dir))
		}
	}
	tr.again(t, tr.complete(t))
}

// standStill starts the deed and stops it, to be continued, while it writes its output.
func (tr *trial) standStill(t *testing.T) *exec.Cmd {
	t.Helper()
	for range 20 {
		p := exec.Cmd{Path: tr.program, Args: append([]string{"gameid"}, tr.args...), Dir: tr.dir, Env: tr.env()}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
			if writes(tr.dir) {
				break
			}
		}
		_ = p.Process.Signal(unix.SIGSTOP)
		if writes(tr.dir) {
			return &p
		}
		_ = p.Process.Signal(unix.SIGCONT)
		_ = p.Wait()
		tr.clear(t) // it was faster than this test
	}
	t.Fatal("the merge cannot be stopped while it writes")
	return nil
}

// TestM4WrittenDuringTheMerge: a server that writes while a merge reads waits when its database is read in place, and changes nothing of the merge when
// a copy is read.
func TestM4WrittenDuringTheMerge(t *testing.T) {
	for _, state := range []string{"rollback", "wal"} {
		t.Run(state, func(t *testing.T) {
			tr := newTrial(t, tool(t), rewriting(state))
			p := tr.standStill(t)
			db, err := sql.Open("sqlite3", filepath.Join(tr.dir, "a.db")+"?_busy_timeout=50")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			db.SetMaxOpenConns(1)
			_, err = db.Exec("UPDATE player SET gold = gold + 1")
			if locked := err != nil && strings.Contains(err.Error(), "locked"); locked != (state == "rollback") || err != nil && !locked {
				t.Errorf("a write during the merge: %v; want it to wait in rollback mode, to be done in WAL mode", err)
			}
			if err := p.Process.Signal(unix.SIGCONT); err != nil {
				t.Fatal(err)
			}
			if err := p.Wait(); err != nil {
				t.Fatalf("the merge: %v", err)
			}
			if got := marks(t, tr.dir)["m.db"].sum; got != tr.made.sum {
				t.Error("the output differs from that of an undisturbed merge")
			}
			// A merge of a server that went on is not the merge of what it has now: the proof says so.
			if code, said := tr.run(t, tr.proof...); state == "wal" && code != 1 {
				t.Errorf("the proof after a write: exit code %d, want 1: %s", code, said)
			}
		})
	}
}
