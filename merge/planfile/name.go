package planfile

import (
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gameid/gameid/merge"
)

// col reads table.column. A star outside of double quotes makes a pattern, which may stand only where one is asked for.
func (r *reader) col(n ast.Node, key string, pattern *merge.Pattern) (merge.Col, bool) {
	s, ok := r.str(n, key)
	if !ok {
		return merge.Col{}, false
	}
	c, p, err := merge.ParsePattern(s)
	if err != nil {
		r.fail(n, key+": "+err.Error(), `write table.column, odd names as '"odd name"."owner id"'`)
		return merge.Col{}, false
	}
	if pattern == nil {
		return c, r.noPattern(n, key, p.Any())
	}
	*pattern = p
	return c, true
}

// noPattern refuses a pattern where a name belongs.
func (r *reader) noPattern(n ast.Node, key string, pattern bool) bool {
	if pattern {
		r.fail(n, key+": a pattern is no name of a column", "name the column, or put the name in double quotes when it holds a star")
	}
	return !pattern
}

// cols reads table.column or a list of columns: of one table, but for kept ones, of which one alone may be a pattern.
func (r *reader) cols(n ast.Node, key string, kept *merge.Pattern) ([]merge.Col, bool) {
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
		if kept != nil && kept.Any() && len(items) > 1 {
			r.fail(n, key+": a pattern stands alone", "write one entry for each pattern")
			return nil, false
		}
		for _, other := range list {
			if other == c {
				r.fail(item, key+": "+c.String()+" stands twice", "keep one of them")
				return nil, false
			}
			if other.Table != c.Table && kept == nil {
				r.fail(item, key+": "+c.String()+" is of another table than "+other.String(), "columns that belong together are of one table")
				return nil, false
			}
		}
		list = append(list, c)
	}
	return list, true
}

// name reads the name of one table or column, or a pattern where one is asked for.
func (r *reader) name(n ast.Node, key string, pattern *bool) (string, bool) {
	s, ok := r.str(n, key)
	if !ok {
		return "", false
	}
	c, p, err := merge.ParsePattern("t." + s)
	if err != nil {
		r.fail(n, key+": "+strings.Replace(err.Error(), `"t.`, `"`, 1), `write one name, an odd one as '"odd name"'`)
		return "", false
	}
	if pattern == nil {
		return c.Name, r.noPattern(n, key, p.Name)
	}
	*pattern = p.Name
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
		if name, ok := r.name(item, key, nil); ok {
			list = append(list, name)
		}
	}
	return list
}

// nameKey reads the keys of a mapping.
func (r *reader) nameKey(key string) func(ast.Node, string) (string, bool) {
	return func(n ast.Node, _ string) (string, bool) { return r.name(n, key, nil) }
}

func plainKey(_ ast.Node, s string) (string, bool) { return s, true }
