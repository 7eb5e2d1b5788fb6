package cmd_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// rowsOf is the script command "rows DB QUERY ROW...": the query has to answer with exactly these rows. A row is written as its values with '|' between
// them: a null as NULL, bytes as x'00', a real with its point.
func rowsOf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: rows DB QUERY ROW...")
	}
	db, err := sql.Open("sqlite3", "file:"+ts.MkAbs(args[0])+"?mode=rw")
	ts.Check(err)
	defer func() { ts.Check(db.Close()) }()
	rows, err := db.Query(args[1])
	ts.Check(err)
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	ts.Check(err)
	var got []string
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		ts.Check(rows.Scan(into...))
		words := make([]string, len(values))
		for i, v := range values {
			words[i] = valueWord(v)
		}
		got = append(got, strings.Join(words, "|"))
	}
	ts.Check(rows.Err())
	if want := args[2:]; !slices.Equal(got, want) {
		ts.Fatalf("%s of %s: got rows %q, want %q", args[1], args[0], got, want)
	}
}

func valueWord(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case []byte:
		return fmt.Sprintf("x'%x'", v)
	case float64:
		word := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(word, ".eIN") {
			word += ".0"
		}
		return word
	}
	return fmt.Sprint(v)
}
