package cmd_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Eight real processes at a time, 1,000 in all, some killed half way: no ID is
// ever printed twice.
func TestGenNeverRepeats(t *testing.T) {
	runs := 1000
	if testing.Short() {
		runs = 100
	}
	state := filepath.Join(t.TempDir(), "state")
	base := process(t)
	const workers = 8
	outputs := make([]bytes.Buffer, workers)
	turns := make(chan int)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for turn := range turns {
				p := &exec.Cmd{Path: base.Path, Env: base.Env, Stdout: &outputs[w]}
				p.Args = []string{"gameid", "gen", "--server", "1042", "-n", "3", "--state", state}
				if turn%10 == 9 { // this one prints what it can until it is killed
					p.Args[5] = "200000"
					if err := p.Start(); err != nil {
						t.Error(err)
						return
					}
					time.Sleep(time.Duration(turn%50) * time.Millisecond)
					_ = p.Process.Kill()
					_ = p.Wait()
					// Its last line may be cut.
					text := outputs[w].Bytes()
					outputs[w].Truncate(bytes.LastIndexByte(text, '\n') + 1)
					continue
				}
				if err := p.Run(); err != nil {
					t.Errorf("gen: %v", err)
				}
			}
		})
	}
	for turn := range runs {
		turns <- turn
	}
	close(turns)
	wg.Wait()
	seen, total := map[string]bool{}, 0
	for i := range outputs {
		lines := bufio.NewScanner(&outputs[i])
		for lines.Scan() {
			if total++; seen[lines.Text()] {
				t.Fatalf("%s was printed twice", lines.Text())
			}
			seen[lines.Text()] = true
		}
	}
	if least := 3 * runs * 9 / 10; total < least {
		t.Errorf("%d IDs, want at least %d", total, least)
	}
}

// A reader that leaves early, as head does, is no trouble and not worth a word.
func TestGenClosedPipe(t *testing.T) {
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

func TestGenFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("this system has no /dev/full: %v", err)
	}
	defer full.Close()
	for _, format := range [][]string{nil, {"--format", "json"}} {
		p := process(t, append([]string{"gen", "--server", "1", "--state", filepath.Join(t.TempDir(), "state")}, format...)...)
		p.Stdout = full
		var stderr strings.Builder
		p.Stderr = &stderr
		if code := exitCode(p.Run()); code != 2 || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("gen %v to a full disk: exit code %d, %q, want 2 and the reason", format, code, stderr.String())
		}
	}
}

// SIGINT and SIGTERM end a run that waits for its input, or for the clock.
func TestSignals(t *testing.T) {
	for _, test := range []struct {
		signal syscall.Signal
		code   int
		args   []string
	}{
		{syscall.SIGINT, 130, []string{"decode"}},
		{syscall.SIGTERM, 143, []string{"decode"}},
		{syscall.SIGTERM, 143, []string{"gen", "--server", "1", "-n", "1000", "--layout", "time=30@1s,server=10,seq=1,epoch=2025-01-01"}},
	} {
		p := process(t, test.args...)
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
