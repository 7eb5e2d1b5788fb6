package cmd_test

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gameid/gameid/fixtures"
)

// A reader that leaves early, as head does, is no trouble and not worth a word.
func TestG27ReaderLeaves(t *testing.T) {
	p := process(t, "gen", "--server", "1", "-n", "3000000", "--state", filepath.Join(t.TempDir(), "state"))
	var stderr strings.Builder
	p.Stderr = &stderr
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || len(line) < 20 {
		t.Errorf("first line %q, %v", line, err)
	}
	_ = out.Close()
	if err := p.Wait(); err != nil {
		t.Errorf("gen with a closed pipe: %v", err)
	}
	if got := stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "created ceiling") {
		t.Errorf("stderr: %q, want the created ceiling alone", got)
	}
}

func TestG28FullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("this system has no /dev/full: %v", err)
	}
	defer full.Close()
	gen := []string{"gen", "--server", "1", "--state", filepath.Join(t.TempDir(), "state")}
	for _, args := range [][]string{gen, append(slices.Clone(gen), "--format", "json"), {"layouts"}} {
		p := process(t, args...)
		p.Stdout = full
		var stderr strings.Builder
		p.Stderr = &stderr
		next := "\nnext: the IDs that were not written are lost"
		if args[0] == "layouts" {
			next = "\nnext: free space where the answer goes"
		}
		if code := exitCode(p.Run()); code != 2 || !strings.Contains(stderr.String(), "no space left") || !strings.Contains(stderr.String(), next) {
			t.Errorf("%v to a full disk: exit code %d, %q, want 2, the reason and the next step", args, code, stderr.String())
		}
	}
}

// Whoever starts a command without a stdout gets no answer, and no exit code 0; whoever throws the answer away has asked for that.
func TestG28ClosedOutput(t *testing.T) {
	dir := t.TempDir()
	game := filepath.Join(dir, "a.db")
	if err := fixtures.Write(t.Context(), game, fixtures.World{Seed: 1, Server: 1, Rows: 1000}); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--version"},
		{"gen", "--server", "1"},
		{"decode", "255795006608058548224"},
		{"encode", "server=1", "seq=0", "time=2026-01-01T00:00:00Z"},
		{"layouts"},
		{"merge-check", game, "--write-plan", filepath.Join(dir, "plan.yaml")},
		{"merge-rewrite", game, "-o", filepath.Join(dir, "m.db")},
	} {
		for redirection, want := range map[string]int{">&-": 2, "> /dev/null": 0, "1<> /dev/null": 0} {
			if want == 0 && strings.HasPrefix(args[0], "merge-") {
				continue
			}
			p := process(t, args...)
			p.Args = append([]string{"sh", "-c", `exec "$0" "$@" ` + redirection, p.Path}, args...)
			p.Path = "/bin/sh"
			said, err := p.CombinedOutput()
			if code := exitCode(err); code != want || want != 0 && string(said) != "gameid: stdout is closed: nobody would get the answer\nnext: leave it open, or throw the answer away with > /dev/null\n" {
				t.Errorf("%v %s: exit code %d, %q, want %d", args, redirection, code, said, want)
			}
		}
	}
	if got := folder(t, dir); !slices.Equal(got, []string{"a.db"}) {
		t.Errorf("there are %v, want nothing written", got)
	}
}

// hearHangups lets processes that this one starts hear SIGHUP, also when the tests run under nohup.
func hearHangups(t *testing.T) {
	t.Helper()
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(c) })
}

// SIGINT, SIGTERM and SIGHUP end a run that waits for its input, or for the clock.
func TestSignals(t *testing.T) {
	hearHangups(t)
	for _, test := range []struct {
		signal syscall.Signal
		code   int
		args   []string
	}{
		{syscall.SIGINT, 130, []string{"decode"}},
		{syscall.SIGTERM, 143, []string{"decode"}},
		{syscall.SIGHUP, 129, []string{"decode"}},
		{syscall.SIGTERM, 143, []string{"gen", "--server", "1", "-n", "1000", "--layout", "time=30@1s,server=10,seq=1,epoch=2025-01-01"}},
		{syscall.SIGINT, 130, []string{"gen", "--server", "2", "-n", "100000000000"}},
	} {
		p := racedProcess(t, test.args...)
		in, err := p.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		if test.args[0] == "decode" {
			_, _ = io.WriteString(in, "255795006608058548224\n")
			_, _ = bufio.NewReader(out).ReadString('\n') // it runs
		} else {
			time.Sleep(300 * time.Millisecond)
		}
		if err := p.Process.Signal(test.signal); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, out)
		if code := exitCode(p.Wait()); code != test.code {
			t.Errorf("%v after %v: exit code %d, want %d", test.args, test.signal, code, test.code)
		}
		_ = in.Close()
	}
}

// exitCode is that of a process that has ended, or -1.
func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}
