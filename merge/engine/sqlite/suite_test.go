package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	_ "github.com/mattn/go-sqlite3" // the suite's worlds are plain SQL

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/engine/suite"
)

func TestSuite(t *testing.T) {
	n := 0
	path := func(t *testing.T) string {
		n++
		return filepath.Join(t.TempDir(), fmt.Sprintf("%d.db", n))
	}
	change := func(t *testing.T, source, script string) {
		t.Helper()
		db, err := sql.Open("sqlite3", source)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		if _, err := db.Exec(script); err != nil {
			t.Fatal(err)
		}
	}
	suite.Run(t, suite.Harness{
		New: func() merge.Engine { return sqlite.New() },
		Make: func(t *testing.T, script string) string {
			file := path(t)
			change(t, file, script)
			return file
		},
		Out: path, Change: change,
	})
}
