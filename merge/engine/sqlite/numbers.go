package sqlite

import "github.com/gameid/gameid/merge"

// Numbers is a condition that holds where a column holds a number, or a text of which a column that prefers another kind of value would make one: a comparison with a
// NUMERIC applies what storing there does (https://www.sqlite.org/datatype3.html, sections 3.4 and 4.2).
func (e *Engine) Numbers(column string, as merge.Affinity) string {
	sql := "typeof(" + column + ") IN ('integer', 'real')"
	if as == merge.Text || as == merge.Blob {
		return sql
	}
	return sql + " OR typeof(" + column + ") = 'text' AND CAST(" + column + " AS NUMERIC) = " + column
}
