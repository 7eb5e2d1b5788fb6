//go:build unix

package cmd_test

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestG4SpecialFiles gives pipes and devices where a file is read: both may never end.
func TestG4SpecialFiles(t *testing.T) {
	dir := t.TempDir()
	pipe, settings := filepath.Join(dir, "pipe.yaml"), filepath.Join(dir, "gameid.yaml")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), syscall.Mkfifo(settings, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{
		{t.TempDir(), "gen", "--server", "1", "--state", pipe},
		{t.TempDir(), "gen", "--server", "1", "--state", "/dev/zero"},
		{t.TempDir(), "gen", "--show-state", "--state", "/dev/zero"},
		{t.TempDir(), "layouts", pipe},
		{t.TempDir(), "layouts", "/dev/zero"},
		{t.TempDir(), "merge-check", "a.db", "b.db", "--plan", pipe},
		{dir, "decode", "5"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		whole := process(t, line[1:]...)
		c := exec.CommandContext(ctx, whole.Path)
		c.Args, c.Env, c.Dir = whole.Args, whole.Env, line[0]
		out, _ := c.CombinedOutput()
		cancel()
		if code := c.ProcessState.ExitCode(); code != 2 || !strings.Contains(string(out), "no regular file") {
			t.Errorf("%v: got exit code %d and %q; want 2 and that it is no regular file", line[1:], code, out)
		}
	}
}
