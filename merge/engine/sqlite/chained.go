package sqlite

import (
	"fmt"
	"strings"
)

// chainLength is how many terms stand side by side: SQLite counts each as one step deeper, and takes 1,000 (https://sqlite.org/limits.html#max_expr_depth).
const chainLength = 64

// chained joins terms by an operator as a balanced tree, for a table may have 2,000 columns. Terms bind more tightly than the operator.
func chained(terms []string, operator string) string {
	if len(terms) <= chainLength {
		return strings.Join(terms, operator)
	}
	half := len(terms) / 2
	return "(" + chained(terms[:half], operator) + ")" + operator + "(" + chained(terms[half:], operator) + ")"
}

// every holds where all terms do, and some where one does.
func every(terms []string) string { return chained(terms, " AND ") }

func some(terms []string) string { return chained(terms, " OR ") }

// wideTerms is how many terms of a list leave room for a second list beside it: SQLite takes 2,000 columns in a table, a result, a group or an aggregate
// (https://sqlite.org/limits.html#max_column).
const wideTerms = 900

// classes are the storage classes of n columns, named by a pattern, as terms of a group: a term each, or one text of all where there are too many.
func classes(n int, pattern string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = "typeof(" + fmt.Sprintf(pattern, i) + ")"
	}
	if n > wideTerms {
		return []string{chained(list, " || ")}
	}
	return list
}
