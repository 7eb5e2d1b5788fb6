package cmd_test

import (
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gameid/gameid/cmd"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary the program itself when it is started under the
// name gameid, so scripts and tests run real processes.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"gameid": func() { os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs testdata/script. Each script has a home folder of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_STATE_HOME", env.WorkDir+"/state")
			game, err := filepath.Abs("testdata/game")
			env.Setenv("GAME", game)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "sql": sqlFiles, "rows": rowsOf, "game": game},
	})
}

// exits is the script command "exits CODE PROGRAM ARG...": it runs a program and
// demands exactly this exit code. stdout and stderr can be looked at afterwards.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
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
}

// sqlFiles is the script command "sql DB FILE...": it runs SQL files on a database, which it creates when there is none. A file whose name ends in .sql is
// read, any other word is SQL itself.
func sqlFiles(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: sql DB FILE|SQL...")
	}
	db, err := sql.Open("sqlite3", ts.MkAbs(args[0]))
	ts.Check(err)
	defer func() { ts.Check(db.Close()) }()
	for _, text := range args[1:] {
		if strings.HasSuffix(text, ".sql") {
			text = ts.ReadFile(text)
		}
		_, err := db.Exec(text)
		ts.Check(err)
	}
}

// game is the script command "game DIR": it makes two worlds of a small game, DIR/s1.db and DIR/s2.db.
func game(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: game DIR")
	}
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o700))
	for _, name := range []string{"s1", "s2"} {
		from := ts.Getenv("GAME")
		sqlFiles(ts, false, []string{filepath.Join(args[0], name+".db"), filepath.Join(from, "schema.sql"), filepath.Join(from, name+".sql")})
	}
}

// process returns a command that runs this test binary as gameid, with a home
// folder of its own.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &exec.Cmd{
		Path: self,
		Args: append([]string{"gameid"}, args...),
		Env:  append(os.Environ(), "HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir()),
	}
}
