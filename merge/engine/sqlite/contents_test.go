package sqlite_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// A table may have more columns than a function of SQLite takes values.
func TestContentsOfWideTables(t *testing.T) {
	var columns, values, swaps []string
	for i := range 300 {
		columns, values = append(columns, fmt.Sprintf("c%d", i)), append(values, fmt.Sprintf("n * 1000 + %d", i))
		swaps = append(swaps, fmt.Sprintf("c%d = %d - c%[1]d", i, 3000+2*i))
	}
	path := filepath.Join(t.TempDir(), "wide.db")
	run(t, path, "CREATE TABLE w(id INTEGER PRIMARY KEY, "+strings.Join(columns, ", ")+"); WITH t(n) AS (VALUES (1), (2)) INSERT INTO w SELECT n, "+strings.Join(values, ", ")+" FROM t")
	before := contents(t, path)
	changed := func(what, sql string, want bool) {
		t.Helper()
		run(t, path, sql)
		if got := contents(t, path); (got.Rows != before.Rows) != want || (got.All != before.All) != want {
			t.Errorf("%s: got %+v, before %+v, want a change: %t", what, got, before, want)
		}
	}
	for from := 120; from < 130; from++ { // about as many as it takes
		what, swap := fmt.Sprintf("two rows change places from column %d on", from), "UPDATE w SET "+strings.Join(swaps[from:], ", ")
		changed(what, swap, true)
		changed(what+" and back", swap, false)
	}
	changed("a number becomes its text", "UPDATE w SET c299 = CAST(c299 AS TEXT) WHERE id = 2", true)
}

func contents(t *testing.T, path string) merge.Contents {
	t.Helper()
	s, err := sqlite.New().Open(t.Context(), merge.Source{Name: "s", Source: path}, merge.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	c, err := s.(merge.Digested).Contents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}
