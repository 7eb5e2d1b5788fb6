package planfile

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"github.com/gameid/gameid/merge"
)

// plan reads the whole file.
func (r *reader) plan(root ast.Node) *Plan {
	m := r.mapping(root, "plan")
	if m == nil {
		return nil
	}
	p := &Plan{}
	if n := m.must("version"); n != nil {
		if v, ok := r.integer(n, "version"); ok && v != Version {
			r.fail(n, fmt.Sprintf("version %d of the plan format is not known", v), fmt.Sprintf("this program reads version %d", Version))
			return nil
		}
	}
	seen := newDecisions(r)
	r.entries(m, "shards", func(e *mapping) { r.shard(e, &p.Shards) })
	p.Schema = m.str("schema")
	r.accept(m, &p.Accept)
	r.undecided(m, &p.Undecided)
	r.entries(m, "keys", func(e *mapping) {
		if k := r.key(e); k != nil {
			seen.key(e.node, k)
			p.Keys = append(p.Keys, *k)
		}
	})
	r.entries(m, "references", func(e *mapping) {
		if ref := r.reference(e); ref != nil {
			seen.reference(e.node, ref)
			p.References = append(p.References, *ref)
		}
	})
	r.entries(m, "tables", func(e *mapping) {
		if t := r.table(e); t != nil {
			seen.table(e.node, t)
			p.Tables = append(p.Tables, *t)
		}
	})
	r.entries(m, "uniques", func(e *mapping) {
		if u := r.unique(e); u != nil {
			seen.unique(e.node, u)
			p.Uniques = append(p.Uniques, *u)
		}
	})
	r.entries(m, "counters", func(e *mapping) {
		if c := r.counter(e); c != nil {
			seen.counter(e.node, c)
			p.Counters = append(p.Counters, *c)
		}
	})
	m.done()
	return p
}

// entries reads a section: a list of mappings.
func (r *reader) entries(m *mapping, section string, read func(e *mapping)) {
	n := m.take(section)
	if n == nil {
		return
	}
	for _, item := range r.list(n, section) {
		if e := r.mapping(item, section); e != nil {
			read(e)
			e.done()
		}
	}
}

func (r *reader) shard(e *mapping, list *[]merge.Source) {
	var s merge.Source
	if n := e.must("name"); n != nil {
		name, ok := r.str(n, "name")
		for _, other := range *list {
			if ok && other.Name == name {
				r.fail(n, fmt.Sprintf("shards: two shards are named %q", name), "give every shard its own name")
			}
		}
		s.Name = name
	}
	if n := e.take("server"); n != nil {
		if v, ok := r.integer(n, "server"); ok {
			if v < 0 || v > merge.MaxServer {
				r.fail(n, fmt.Sprintf("server: %d is no server number", v), fmt.Sprintf("give a number from 0 to %d", merge.MaxServer))
			}
			s.Server = &v
		}
	}
	s.Source = e.str("source")
	*list = append(*list, s)
}

func (r *reader) accept(m *mapping, list *[]merge.Grade) {
	n := m.take("accept")
	if n == nil {
		return
	}
	items := []ast.Node{n}
	if _, one := n.(*ast.StringNode); !one {
		items = r.list(n, "accept")
	}
	for _, item := range items {
		w, ok := r.word(item, "accept", string(merge.Certain), string(merge.Likely), string(merge.Doubtful))
		if !ok {
			continue
		}
		for _, other := range *list {
			if string(other) == w {
				r.fail(item, "accept: "+w+" stands twice", "keep one of them")
			}
		}
		*list = append(*list, merge.Grade(w))
	}
}

// undecided reads entries of every section, told apart by their first key. They may repeat each other and what is decided: they settle nothing.
func (r *reader) undecided(m *mapping, list *[]merge.Undecided) {
	r.entries(m, "undecided", func(e *mapping) { r.oneUndecided(e, list) })
}

func (r *reader) oneUndecided(e *mapping, list *[]merge.Undecided) {
	if len(e.fields) == 0 {
		r.fail(e.node, "undecided: the entry is empty", "remove it")
		return
	}
	var u merge.Undecided
	first := e.fields[0]
	e.what += " " + first.name
	switch first.name {
	case "from":
		u.Reference = r.reference(e)
	case "table":
		u.Table = r.table(e)
	case "key":
		u.Key = r.key(e)
	case "unique":
		u.Unique = r.unique(e)
	case "column":
		u.Counter = r.counter(e)
	default:
		r.fail(first.key, fmt.Sprintf("undecided: an entry cannot begin with %q", first.name), "begin with from, table, key, unique or column")
		for i := range e.fields {
			e.fields[i].taken = true
		}
		return
	}
	*list = append(*list, u)
}
