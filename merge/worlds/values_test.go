package worlds

import (
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
)

// read reads a table with its columns in the world's order; a column that the shard lacks is null.
func read(t *testing.T, db *sql.DB, x *table, shard int) [][]any {
	t.Helper()
	var list []string
	for _, c := range x.columns {
		if c.lacks == shard && shard >= 0 {
			list = append(list, "'none'")
			continue
		}
		list = append(list, "+"+quoted(c.name))
	}
	rows, err := db.Query("SELECT " + strings.Join(list, ", ") + " FROM " + quoted(x.name) + " NOT INDEXED")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var out [][]any
	for rows.Next() {
		row, into := make([]any, len(list)), make([]any, len(list))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// integer is a key as it stands in a column, also as its decimal text.
func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil && strconv.FormatInt(n, 10) == v
	}
	return 0, false
}

// show is a value with its kind, so that 1, 1.0 and '1' differ.
func show(v any) string {
	if f, ok := v.(float64); ok {
		return fmt.Sprintf("float %x", math.Float64bits(f))
	}
	return fmt.Sprintf("%T %q", v, fmt.Sprint(v))
}

// through is a name in the form that a copy keeps.
func through(via string, v any) any {
	text, ok := v.(string)
	if !ok {
		return v
	}
	switch via {
	case "lower":
		return merge.FoldASCII(text)
	case "upper":
		return shouted(text)
	case "'@' || {}":
		return "@" + text
	case "base37": // the first twelve letters and digits, as old clients pack them
		var n int64
		for i := range min(len(text), 12) {
			n *= 37
			switch b := text[i]; {
			case b >= 'a' && b <= 'z':
				n += int64(b-'a') + 1
			case b >= 'A' && b <= 'Z':
				n += int64(b-'A') + 1
			case b >= '0' && b <= '9':
				n += int64(b-'0') + 27
			}
		}
		for n != 0 && n%37 == 0 {
			n /= 37
		}
		return n
	}
	return text
}
