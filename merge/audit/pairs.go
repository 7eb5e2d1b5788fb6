package audit

import (
	"regexp"
	"strings"

	"github.com/gameid/gameid/merge"
)

// pairTerm is the smaller or the greater of two columns, as an index over pairs without an order has it.
var pairTerm = regexp.MustCompile(`(?i)[(,]\s*(?:min|max)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)\s*[,)]`)

// pairApart tells whether an index over expressions keeps the rows of two shards apart: one of its terms is the smaller or the greater of two references
// under one key space, so it is one of the two keys, and no two shards share one.
func (a *auditor) pairApart(u *merge.Unique) bool {
	if strings.ContainsAny(u.SQL, "'\"`[") || strings.Contains(u.SQL, "--") || strings.Contains(u.SQL, "/*") {
		return false
	}
	sql, _, _ := strings.Cut(merge.FoldASCII(u.SQL), "where")
	open := strings.Index(sql, "(")
	if open < 0 {
		return false
	}
	for _, m := range pairTerm.FindAllStringSubmatchIndex(sql, -1) {
		if depth := strings.Count(sql[:m[0]+1], "(") - strings.Count(sql[:m[0]+1], ")"); depth != 1 {
			continue
		}
		x, y := a.separated(u.Table, sql[m[2]:m[3]]), a.separated(u.Table, sql[m[4]:m[5]])
		if x != nil && x == y {
			return true
		}
	}
	return false
}

// separated is the key space that keeps the values of two shards in a column apart, whatever the row; nil when there is none.
func (a *auditor) separated(table, column string) *space {
	c, ok := a.schema.Resolve(merge.Col{Table: table, Name: column})
	if !ok {
		return nil
	}
	for _, r := range a.plain() {
		if len(r.None) == 0 && a.separates(r, c) {
			return r.spaces[0]
		}
	}
	return nil
}
