package planfile

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/goccy/go-yaml/ast"

	"github.com/gameid/gameid/merge"
)

// unique reads an entry of the section uniques.
func (r *reader) unique(e *mapping) *merge.UniquePlan {
	u := &merge.UniquePlan{}
	ok := false
	if n := e.must("unique"); n != nil {
		u.Unique, ok = r.cols(n, "unique", nil)
	}
	if n := e.must("on_conflict"); n != nil {
		u.OnConflict, _ = r.word(n, "on_conflict", "rename", "fail", "keep")
	}
	u.Collate = e.str("collate")
	switch u.OnConflict {
	case "":
		e.take("template") // what it would mean is not known
	case "fail", "keep":
		e.refuse("for `on_conflict: "+u.OnConflict+"`", "template", "column", "winner", "mark")
	default:
		if n := e.must("template"); n != nil {
			u.Template, _ = r.str(n, "template")
			r.template(n, u.Template)
		}
		if n := e.take("column"); n != nil {
			u.Column, _ = r.name(n, "column", nil)
			if ok && u.Column != "" && !slices.ContainsFunc(u.Unique, func(c merge.Col) bool { return c.Name == u.Column }) {
				r.fail(n, fmt.Sprintf("column: %q is none of %s", u.Column, merge.JoinCols(u.Unique)), "name the column of the unique key that a rename changes")
			}
		}
		u.Winner = e.str("winner")
		u.Mark = e.texts("mark", `write {column: "SQL value"}`, r.nameKey("mark"), r.sqlValue)
	}
	if !ok {
		return nil
	}
	return u
}

// placeholder matches what a template may hold in braces, and a brace that holds none of it.
var placeholder = regexp.MustCompile(`\{(value|server|shard|n)\}|\{[a-zA-Z_]*\}?|\}`)

// template checks the placeholders of a template. A name without the old one tells nobody who it was, and a brace that is no placeholder's is a slip: a game's names
// hardly hold one.
func (r *reader) template(n ast.Node, s string) {
	old := false
	for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
		if m[1] == "" {
			r.fail(n, "template: "+m[0]+" is no placeholder", "it knows {value}, {server}, {shard} and {n}")
		}
		old = old || m[1] == "value"
	}
	if !old {
		r.fail(n, "template: it keeps nothing of the old name", "write {value} where the old name goes")
	}
}
