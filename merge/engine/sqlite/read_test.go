package sqlite_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"

	_ "github.com/mattn/go-sqlite3" // the driver that makes the tests' databases
)

// database makes a file from SQL and returns its path.
func database(t *testing.T, name, statements string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	write(t, path, statements)
	return path
}

// write runs SQL on a file and closes it.
func write(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(statements); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// opened opens a shard and closes it when the test ends.
func opened(t *testing.T, e *sqlite.Engine, name, path string) merge.Shard {
	t.Helper()
	s, err := e.Open(context.Background(), merge.Source{Name: name, Source: path}, merge.OpenOptions{WorkDir: t.TempDir(), Check: true})
	if err != nil {
		t.Fatalf("open %s: %v", path, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close %s: %v", path, err)
		}
	})
	return s
}

// fromSQL makes a database and opens it.
func fromSQL(t *testing.T, statements string) merge.Shard {
	t.Helper()
	return opened(t, sqlite.New(), "s1", database(t, "shard.db", statements))
}

// fromFile opens a file of this test.
func fromFile(t *testing.T, path string) merge.Shard {
	t.Helper()
	return opened(t, sqlite.New(), "s1", path)
}

// several makes one database for each text and opens them as s1, s2 and so on.
func several(t *testing.T, e *sqlite.Engine, texts ...string) []merge.Shard {
	t.Helper()
	list := make([]merge.Shard, len(texts))
	for i, text := range texts {
		list[i] = opened(t, e, "s"+string(rune('1'+i)), database(t, "shard.db", text))
	}
	return list
}

// realGame copies a real game's database.
func realGame(t *testing.T, name string) string {
	t.Helper()
	cases := os.Getenv("GAMEID_CASES")
	if cases == "" {
		cases = filepath.Join("..", "..", "..", "..", "shared", "cases")
	}
	b, err := os.ReadFile(filepath.Join(cases, "openrsc", name))
	if err != nil {
		if os.Getenv("GAMEID_REQUIRE_ALL") == "1" {
			t.Fatalf("the openrsc case is required: %v", err)
		}
		t.Skipf("no openrsc case: %v", err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
