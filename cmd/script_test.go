package cmd_test

import (
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs testdata/script. Each script has a home folder of its own; its gameid is the built tool, or this test's binary for those underRace.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_STATE_HOME", env.WorkDir+"/state")
			if !slices.Contains(underRace, strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")) {
				env.Setenv("PATH", filepath.Dir(program(t))+string(filepath.ListSeparator)+env.Getenv("PATH"))
			}
			game, err := filepath.Abs("testdata/game")
			env.Setenv("GAME", game)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "sql": sqlFiles, "rows": rowsOf, "game": game},
	})
}

// exits is the script command "exits CODE PROGRAM ARG...": it runs a program and
// demands exactly this exit code, and that no unfinished work stays in the folder. stdout and stderr can be looked at afterwards.
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
	left, err := filepath.Glob(filepath.Join(ts.MkAbs("."), ".gameid-????????*")) // shorter ones are a stranger's, which scripts put there
	if err != nil || len(left) > 0 {
		ts.Fatalf("%v: left %v behind, %v", args[1:], left, err)
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
