//go:build unix

// Package dbtest_test stores IDs in real databases, and reads them back.
package dbtest_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/gameid/gameid/fixtures/dbserver"
	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/mattn/go-sqlite3"
)

// shared is one server for all tests, started by the first that needs it.
type shared struct {
	start  func() (*dbserver.Server, error)
	once   sync.Once
	server *dbserver.Server
	err    error
}

var (
	mariadb  = &shared{start: dbserver.MariaDB}
	postgres = &shared{start: dbserver.Postgres}
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, s := range []*shared{mariadb, postgres} {
		if s.server == nil {
			continue
		}
		if err := s.server.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// open connects to a database of the server, which it starts when it must.
func (s *shared) open(t *testing.T, driver, database, options string) *sql.DB {
	t.Helper()
	s.once.Do(func() { s.server, s.err = s.start() })
	switch {
	case errors.Is(s.err, dbserver.ErrMissing) && os.Getenv("GAMEID_REQUIRE_ALL") != "1":
		t.Skip(s.err)
	case s.err != nil:
		t.Fatal(s.err)
	}
	return connect(t, driver, s.server.DSN(database)+options)
}

// openMariaDB connects to an empty database.
func openMariaDB(t *testing.T, options string) *sql.DB {
	t.Helper()
	admin := mariadb.open(t, "mysql", "", "")
	exec(t, admin, "DROP DATABASE IF EXISTS ids")
	exec(t, admin, "CREATE DATABASE ids")
	return mariadb.open(t, "mysql", "ids", options)
}

// openPostgres connects to a database with an empty schema.
func openPostgres(t *testing.T, options string) *sql.DB {
	t.Helper()
	db := postgres.open(t, "pgx", "postgres", options)
	exec(t, db, "DROP SCHEMA IF EXISTS public CASCADE")
	exec(t, db, "CREATE SCHEMA public")
	return db
}

// openSQLite connects to an empty database file.
func openSQLite(t *testing.T) *sql.DB {
	t.Helper()
	return connect(t, "sqlite3", filepath.Join(t.TempDir(), "ids.db"))
}

func connect(t *testing.T, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	return db
}

func exec(t *testing.T, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}
