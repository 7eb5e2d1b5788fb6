package planfile

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gameid/gameid/merge"
)

// col reads table.column. A bare '*' is a pattern and may stand only where patterns do.
func (r *reader) col(n ast.Node, key string, pattern bool) (merge.Col, bool) {
	s, ok := r.str(n, key)
	if !ok {
		return merge.Col{}, false
	}
	c, err := merge.ParseCol(s)
	if err != nil {
		r.fail(n, key+": "+err.Error(), `write table.column, odd names as '"odd name"."owner id"'`)
		return merge.Col{}, false
	}
	return c, pattern || r.noPattern(n, key, s)
}

// noPattern refuses a '*' outside of double quotes.
func (r *reader) noPattern(n ast.Node, key, s string) bool {
	if isPattern(s) {
		r.fail(n, key+": a pattern is no name of a column", "name the column, or put the name in double quotes when it holds a star")
		return false
	}
	return true
}

func isPattern(s string) bool {
	quoted := false
	for _, c := range s {
		if c == '"' {
			quoted = !quoted
		}
		if c == '*' && !quoted {
			return true
		}
	}
	return false
}

// anyPattern tells whether a column, or one of a list, is a pattern.
func anyPattern(n ast.Node) bool {
	if seq, ok := n.(*ast.SequenceNode); ok {
		return slices.ContainsFunc(seq.Values, anyPattern)
	}
	s, ok := n.(*ast.StringNode)
	return ok && isPattern(s.Value)
}

// cols reads table.column or a list of columns: of one table, but for a list of kept ones, which may also be patterns.
func (r *reader) cols(n ast.Node, key string, kept bool) ([]merge.Col, bool) {
	items := []ast.Node{n}
	if seq, ok := n.(*ast.SequenceNode); ok {
		items = seq.Values
		if len(items) == 0 {
			r.fail(n, key+": the list is empty", "name the columns")
			return nil, false
		}
	}
	list := make([]merge.Col, 0, len(items))
	for _, item := range items {
		c, ok := r.col(item, key, kept)
		if !ok {
			return nil, false
		}
		for _, other := range list {
			if other == c {
				r.fail(item, key+": "+c.String()+" stands twice", "keep one of them")
				return nil, false
			}
			if other.Table != c.Table && !kept {
				r.fail(item, key+": "+c.String()+" is of another table than "+other.String(), "columns that belong together are of one table")
				return nil, false
			}
		}
		list = append(list, c)
	}
	return list, true
}

// name reads the name of one table or column.
func (r *reader) name(n ast.Node, key string, pattern bool) (string, bool) {
	s, ok := r.str(n, key)
	if !ok {
		return "", false
	}
	name, ok := r.nameText(n, key, s)
	return name, ok && (pattern || r.noPattern(n, key, s))
}

func (r *reader) nameText(n ast.Node, key, s string) (string, bool) {
	c, err := merge.ParseCol("t." + s)
	if err != nil {
		r.fail(n, key+": "+strings.Replace(err.Error(), `"t.`, `"`, 1), `write one name, an odd one as '"odd name"'`)
		return "", false
	}
	return c.Name, true
}

// names reads one name or a list of names.
func (r *reader) names(n ast.Node, key string) []string {
	items := []ast.Node{n}
	if seq, ok := n.(*ast.SequenceNode); ok {
		items = seq.Values
		if len(items) == 0 {
			r.fail(n, key+": the list is empty", "name the columns, or remove `"+key+"`")
		}
	}
	var list []string
	for _, item := range items {
		if name, ok := r.name(item, key, false); ok {
			list = append(list, name)
		}
	}
	return list
}

// nameKey reads the keys of a mapping.
func (r *reader) nameKey(key string) func(ast.Node, string) (string, bool) {
	return func(n ast.Node, _ string) (string, bool) { return r.name(n, key, false) }
}

func plainKey(_ ast.Node, s string) (string, bool) { return s, true }
