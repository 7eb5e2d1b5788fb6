package planfile

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"github.com/gameid/gameid/merge"
)

// table reads an entry of the section tables.
func (r *reader) table(e *mapping) *merge.TablePlan {
	t := &merge.TablePlan{}
	ok := false
	if n := e.must("table"); n != nil {
		t.Table, ok = r.name(n, "table", &t.Pattern)
	}
	if n := e.take("rows"); n != nil {
		r.rows(n, t)
	}
	if n := e.take("while"); n != nil {
		r.while(n, t)
	}
	by := e.take("by")
	switch {
	case by != nil && t.Rows == merge.ByValue:
		t.By = r.names(by, "by")
	case by != nil:
		r.fail(by, "tables: `by` has no meaning unless rows is by-value", "remove `by`")
	case t.Rows == merge.ByValue:
		r.fail(e.node, "tables: rows: by-value needs `by`", "name the column that tells two rows the same, as in `by: name`")
	}
	if n := e.take("columns"); n != nil {
		if t.Rows != merge.UnionRows && t.Rows != merge.ByValue {
			r.fail(n, "tables: `columns` has no meaning unless rows is union or by-value", "remove `columns`, or write rows: union")
		} else {
			t.Columns = r.combines(n)
		}
	}
	if t.Rows == merge.EmptyRows {
		e.refuse("for `rows: empty`, which takes no rows", "missing", "purge")
	}
	t.Missing = e.texts("missing", `write {column: "SQL value"}`, r.nameKey("missing"), r.sqlValue)
	t.Purge = e.texts("purge", `write {default: "SQL condition"}`, plainKey, r.str)
	if n := e.take("on"); n != nil {
		if t.Purge == nil {
			r.fail(n, "tables: `on` has no meaning without `purge`", "remove `on`")
		} else {
			t.On = r.on(n)
		}
	}
	if !ok {
		return nil
	}
	return t
}

// while reads what an entry supposes.
func (r *reader) while(n ast.Node, t *merge.TablePlan) {
	w, ok := r.word(n, "while", string(merge.WhileEqual), string(merge.WhileEmpty), string(merge.WhileApart))
	switch t.While = merge.While(w); {
	case !ok:
	case t.Pattern:
		r.fail(n, "tables: `while` has no meaning beside a pattern", "name the table, or remove `while`")
	case t.While == merge.WhileEqual && t.Rows != merge.FirstRows:
		r.fail(n, "tables: `while: equal` has no meaning unless rows is first", "remove `while`")
	case t.While != merge.WhileEqual && t.Rows != "" && t.Rows != merge.MergeRows:
		r.fail(n, "tables: `while: "+w+"` has no meaning unless rows is merge", "remove `while`")
	}
}

func (r *reader) rows(n ast.Node, t *merge.TablePlan) {
	if isMapping(n) {
		m := r.mapping(n, "rows")
		if from := m.must("from"); from != nil {
			t.Rows = merge.FromRows
			t.From, _ = r.str(from, "from")
		}
		m.done()
		return
	}
	w, _ := r.wordOr(n, "rows", "{from: shard}",
		string(merge.MergeRows), string(merge.FirstRows), string(merge.UnionRows), string(merge.ByValue), string(merge.EmptyRows))
	t.Rows = merge.Rows(w)
}

func isMapping(n ast.Node) bool {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return true
	}
	return false
}

// combines reads how columns combine under union.
func (r *reader) combines(n ast.Node) map[string]merge.Combine {
	m := r.mapping(n, "columns")
	if m == nil {
		return nil
	}
	if len(m.fields) == 0 {
		r.fail(n, "columns: the mapping is empty", "remove `columns`")
	}
	out := map[string]merge.Combine{}
	for _, f := range m.fields {
		name, ok := r.name(f.key, "columns", nil)
		if !ok {
			continue
		}
		if _, twice := out[name]; twice {
			r.fail(f.key, fmt.Sprintf("columns: %q stands twice", name), "keep one of them")
		}
		if c, ok := r.combine(f.value, "columns."+f.name); ok {
			out[name] = c
		}
	}
	return out
}

func (r *reader) combine(n ast.Node, key string) (merge.Combine, bool) {
	if !isMapping(n) {
		w, ok := r.wordOr(n, key, "{sum: cap}, {latest: column}, {lowest: column}, {set: column}", "first", "sum", "max", "min")
		return merge.Combine{How: w}, ok
	}
	m := r.mapping(n, key)
	before := len(r.errs)
	var c merge.Combine
	sum := m.take("sum")
	given := 0
	for _, how := range []string{"latest", "lowest", "set"} {
		if by := m.take(how); by != nil {
			given, c.How = given+1, how
			c.By, _ = r.name(by, how, nil)
		}
	}
	switch {
	case (given == 1) == (sum != nil) || given > 1:
		r.fail(n, key+": want one of sum, latest, lowest and set", "write {sum: cap}, {latest: column}, {lowest: column} or {set: column}")
	case sum != nil:
		v, ok := r.integer(sum, "sum")
		if ok && v < 1 {
			r.fail(sum, fmt.Sprintf("%s: a cap of %d leaves nobody anything of what is summed", key, v), "write a cap above 0, or sum without one")
		}
		c = merge.Combine{How: "sum", Cap: &v}
	}
	m.done()
	return c, len(r.errs) == before
}

// on reads what a purge does to references.
func (r *reader) on(n ast.Node) map[string]string {
	m := r.mapping(n, "on")
	if m == nil {
		return nil
	}
	if len(m.fields) == 0 {
		r.fail(n, "on: the mapping is empty", "remove `on`")
	}
	out := map[string]string{}
	for _, f := range m.fields {
		c, ok := r.col(f.key, "on", nil)
		if !ok {
			continue
		}
		if _, twice := out[c.String()]; twice {
			r.fail(f.key, "on: "+c.String()+" stands twice", "keep one of them")
		}
		if isMapping(f.value) {
			if set := r.mapping(f.value, "on."+f.name); set != nil {
				if e := set.must("set"); e != nil {
					s, _ := r.str(e, "set")
					out[c.String()] = SetPrefix + s
				}
				set.done()
			}
			continue
		}
		if w, ok := r.wordOr(f.value, "on."+f.name, "{set: expression}", "delete", "clear", "spare"); ok {
			out[c.String()] = w
		}
	}
	return out
}
