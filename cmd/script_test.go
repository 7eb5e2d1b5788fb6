package cmd_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
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
