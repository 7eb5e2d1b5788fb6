package cmd_test

import (
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// exits is the script command "exits CODE PROGRAM ARG...": it runs a program and demands exactly this exit code, and of what the program left behind what tidy
// demands. stdout and stderr can be looked at afterwards.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	before := standing(ts)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%v: exit code %d, want %d", args[1:], got, want)
	}
	tidy(ts, args[1:], got, before, standing(ts))
}

// stood is what is compared of a file or folder.
type stood struct {
	size int64
	time time.Time
	mode fs.FileMode
}

// standing are the files and folders of a script, its home, its state and its temporary folder included, by their paths.
func standing(ts *testscript.TestScript) map[string]stood {
	root, found := ts.Getenv("WORK"), map[string]stood{}
	ts.Check(filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if found[name] = (stood{info.Size(), info.ModTime(), info.Mode()}); info.IsDir() {
			found[name] = stood{mode: info.Mode()}
		}
		return err
	}))
	return found
}

// tidy demands that a program left no unfinished work: nothing in the temporary folder, no folder or file to work in, no log and no journal; what it removed was such work
// of one that was killed. One that refused, or had trouble, has changed nothing at all.
func tidy(ts *testscript.TestScript, args []string, code int, before, after map[string]stood) {
	for name, is := range after {
		was, stood := before[name]
		unfinished := strings.Contains(name, ".gameid-") || strings.HasPrefix(name, ".tmp/") ||
			slices.Contains([]string{"-journal", "-shm", "-wal"}, name[max(0, strings.LastIndexByte(name, '-')):])
		switch {
		case !stood && (unfinished && !slices.Contains(args, name) || code >= 2):
			ts.Fatalf("%v: exit code %d, and left %s behind", args, code, name)
		case stood && is != was && code == 3:
			ts.Fatalf("%v: exit code %d, and changed %s", args, code, name)
		}
	}
	for name := range before {
		if _, stands := after[name]; !stands && !strings.Contains(name, ".gameid-") {
			ts.Fatalf("%v: exit code %d, and removed %s", args, code, name)
		}
	}
}
