package audit_test

import (
	"fmt"
	"strings"
	"testing"
)

// Tables that all refer to each other are looked at once each: there are more ways through 60 of them than anybody can walk.
func TestTablesThatAllReferToEachOther(t *testing.T) {
	const tables = 60
	var schema, rows strings.Builder
	for i := range tables {
		fmt.Fprintf(&schema, "CREATE TABLE t%d(id INTEGER PRIMARY KEY, memo TEXT", i)
		for _, to := range []int{1, 7, 23} {
			fmt.Fprintf(&schema, ", t%[1]d_id INT REFERENCES t%[1]d(id)", (i*3+to)%tables)
		}
		schema.WriteString(");\n")
		fmt.Fprintf(&rows, "INSERT INTO t%d VALUES (1, 'x', 1, 1, 1), (2, 'y', 2, 1, 2);\n", i)
	}
	res := check(t, "tables: [{table: 't*', rows: merge}]", schema.String()+rows.String(), schema.String()+strings.ReplaceAll(rows.String(), "'x'", "'z'"))
	if len(res.Tables) != tables {
		t.Errorf("%d tables were audited, want %d", len(res.Tables), tables)
	}
}
