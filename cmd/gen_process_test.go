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
)

// A reader that leaves early, as head does, is not worth a word; the exit code tells whoever asks for it that not every line was taken.
func TestG27ReaderLeaves(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	if err := os.WriteFile(key, []byte(strings.Repeat("0123456789abcdef", 2)), 0o600); err != nil {
		t.Fatal(err)
	}
	many := strings.Repeat("255795006608058548224\n", 300_000)
	for _, test := range []struct {
		args   []string
		in     string
		stderr string
	}{
		{[]string{"gen", "--server", "1", "-n", "3000000", "--state", filepath.Join(dir, "state")}, "", "created ceiling"},
		{[]string{"gen", "--scheme", "uuid7", "-n", "3000000"}, "", ""},
		{[]string{"gen", "--scheme", "uuid7", "-n", "3000000", "--format", "json"}, "", ""},
		{[]string{"decode"}, many, ""},
		{[]string{"public", "--key-file", key}, many, ""},
	} {
		p := process(t, test.args...)
		p.Stdin = strings.NewReader(test.in)
		var stderr strings.Builder
		p.Stderr = &stderr
		out, err := p.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadByte(); err != nil {
			t.Errorf("%v: first byte: %v", test.args, err)
		}
		_ = out.Close()
		_ = p.Wait() // of a process that reads no more, the rest of its input cannot be written
		if code := p.ProcessState.ExitCode(); code != 2 {
			t.Errorf("%v with a closed pipe: exit code %d, want 2", test.args, code)
		}
		if got := stderr.String(); test.stderr == "" && got != "" || test.stderr != "" && (strings.Count(got, "\n") != 1 || !strings.Contains(got, test.stderr)) {
			t.Errorf("%v: stderr: %q, want %q alone", test.args, got, test.stderr)
		}
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
		{syscall.SIGTERM, 143, []string{"gen", "--server", "1", "-n", "1000", "--layout", "time=30@1s,server=10,seq=1,epoch=2025-01-01", "--state"}},
		{syscall.SIGINT, 130, []string{"gen", "--server", "2", "-n", "100000000000", "--state"}},
	} {
		state := filepath.Join(t.TempDir(), "state")
		if test.args[0] == "gen" {
			test.args = append(test.args, state)
		}
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
			awaitFile(t, state) // it issues
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

// awaitFile waits until a file is there.
func awaitFile(t *testing.T, path string) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		} else if time.Now().After(end) {
			t.Error(err)
			return
		}
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
