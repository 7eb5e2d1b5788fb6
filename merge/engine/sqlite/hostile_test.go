package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge/engine/sqlite"
)

// forged is a database whose catalogue was edited by hand: the SQL of its table t is text.
func forged(t *testing.T, create, text string) string {
	t.Helper()
	path := database(t, "forged.db", create)
	write(t, path, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '"+strings.ReplaceAll(text, "'", "''")+"' WHERE name = 't'")
	return path
}

func TestM45ConnectionsAreDefended(t *testing.T) {
	if ok, err := sqlite.Defended(fromSQL(t, "CREATE TABLE t(a)")); err != nil || !ok {
		t.Errorf("defensive mode and no triggers: %v, %v; want true", ok, err)
	}
}

// TestM45StatementsInTheCatalogue: SQLite reads one statement of a table's SQL, and what stands behind it must not be run either.
func TestM45StatementsInTheCatalogue(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim.db")
	path := forged(t, "CREATE TABLE t(a)", "CREATE TABLE t(a); ATTACH 'file:"+victim+"?mode=rwc' AS x; CREATE TABLE x.y(z)")
	s := fromFile(t, path)
	if s.Schema().Table("t") == nil {
		t.Error("no table t")
	}
	if _, err := os.Lstat(victim); err == nil {
		t.Error("opening a shard ran a statement of its catalogue: it wrote a file")
	}
}
