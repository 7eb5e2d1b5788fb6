package cmd_test

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gameid/gameid/cmd"
)

// What runs how, when the tests run under the race detector:
//
//   - run and cmd.Main, in this process: under it.
//   - process and the scripts: the tool as people get it, built once, for a race-built process starts and merges many times slower. The packages below have
//     race tests of their own.
//   - racedProcess and the scripts underRace: under it. They are those where goroutines, signals and other processes meet, and one whole merge.
//   - the crash tests: the built tool, always, since they count its calls.
//
// With -cover all but the crash tests run this test's binary, so that what processes execute is counted.

// underRace are the scripts whose processes run under the race detector.
var underRace = []string{"gen", "merge_rewrite"}

// TestMain makes this test binary the program itself when it is started under the name gameid.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"gameid": func() { os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// process returns a command that runs gameid with a home folder of its own.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return command(t, program(t), args)
}

// racedProcess is process with this test's binary for the tool, so that the race detector watches it too.
func racedProcess(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return command(t, self(t), args)
}

func command(t *testing.T, path string, args []string) *exec.Cmd {
	t.Helper()
	return &exec.Cmd{
		Path: path,
		Args: append([]string{"gameid"}, args...),
		Env:  append(os.Environ(), "HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir()),
	}
}

// program is the tool of most processes: the built one, except where coverage is counted.
func program(t *testing.T) string {
	t.Helper()
	if testing.CoverMode() == "" {
		return tool(t)
	}
	path, err := exec.LookPath("gameid") // TestMain has put it there
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// tool builds gameid as people get it, without the race detector, once. It stands in a folder beside this test's own binary, which the go command removes.
func tool(t *testing.T) string {
	t.Helper()
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var buildOnce = sync.OnceValues(func() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(self), "tool", "gameid")
	if text, err := exec.Command("go", "build", "-race=false", "-buildvcs=false", "-o", path, "..").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build gameid, which the tests start: go build: %w\n%s", err, text)
	}
	return path, nil
})

// TestWhatRunsUnderRace: the built tool is without the race detector, and the scripts that are to run under it are there.
func TestWhatRunsUnderRace(t *testing.T) {
	info, err := buildinfo.ReadFile(tool(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range info.Settings {
		if s.Key == "-race" && s.Value == "true" {
			t.Error("got a tool under the race detector, want it as people get it")
		}
	}
	for _, name := range underRace {
		if _, err := os.Stat(filepath.Join("testdata", "script", name+".txtar")); err != nil {
			t.Errorf("a script of underRace: %v", err)
		}
	}
}
