package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// TestClashesOfSmallTables holds single values against each other, which are looked through without a workbench, and asks SQLite which of them are equal.
func TestClashesOfSmallTables(t *testing.T) {
	values := []string{`'a'`, `'A'`, `'a '`, `' a'`, `x'61'`, `'É'`, `'é'`, `1`, `1.0`, `'1'`, `0`, `-0.0`, `9223372036854775807`, `9223372036854775806`, `9.3e18`, `''`, `' '`, `x''`, `NULL`, `'a' || char(0)`, `'a' || char(0) || 'b'`, `'a' || char(0) || 'c'`}
	var one, two strings.Builder
	for i, v := range values {
		for j, w := range values {
			fmt.Fprintf(&one, "CREATE TABLE p_%d_%d(a); INSERT INTO p_%[1]d_%[2]d VALUES (%[3]s);", i, j, v)
			fmt.Fprintf(&two, "CREATE TABLE p_%d_%d(a); INSERT INTO p_%[1]d_%[2]d VALUES (%[3]s);", i, j, w)
		}
	}
	e := sqlite.New()
	shards := several(t, e, one.String(), two.String())
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for i, v := range values {
		for j, w := range values {
			for _, collation := range []string{"BINARY", "NOCASE", "RTRIM"} {
				var want int64
				if err := db.QueryRow(fmt.Sprintf("SELECT coalesce(+%s = +%s COLLATE %s, 0)", v, w, collation)).Scan(&want); err != nil {
					t.Fatal(err)
				}
				u := merge.Unique{Table: fmt.Sprintf("p_%d_%d", i, j), Columns: []string{"a"}}
				if _, got, err := e.Clashes(context.Background(), shards, u, collation, "", 9); err != nil || got != want {
					t.Errorf("%s and %s by %s: %d clashes, %v; want %d", v, w, collation, got, err, want)
				}
			}
		}
	}
}
