package planfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// mapping is a mapping whose keys are taken one by one; what is left over is unknown.
type mapping struct {
	r      *reader
	node   ast.Node
	what   string // of what: "a key entry"
	fields []field
	asked  []string
}

type field struct {
	name  string
	key   ast.Node
	value ast.Node
	taken bool
}

// mapping reads a mapping whose keys are text and stand once; nil when there is none.
func (r *reader) mapping(n ast.Node, what string) *mapping {
	m := &mapping{r: r, node: n, what: what}
	var pairs []*ast.MappingValueNode
	switch v := n.(type) {
	case *ast.MappingNode:
		pairs = v.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{v}
	default:
		r.wrong(n, what, "a mapping", "write `{key: value, ...}`")
		return nil
	}
	seen := map[string]bool{}
	for _, p := range pairs {
		key, ok := p.Key.(*ast.StringNode)
		if !ok {
			r.fail(p.Key, fmt.Sprintf("%s: the key is %s, not a text", what, describe(p.Key)), "put the key in quotes")
			continue
		}
		if seen[key.Value] {
			r.fail(key, fmt.Sprintf("%s: %q stands twice", what, key.Value), "keep one of them")
			continue
		}
		seen[key.Value] = true
		if p.Value == nil {
			r.wrong(nil, what+"."+key.Value, "a value", "")
			continue
		}
		m.fields = append(m.fields, field{name: key.Value, key: key, value: p.Value})
	}
	return m
}

// take is the value of a key; nil when the mapping lacks it.
func (m *mapping) take(name string) ast.Node {
	if !slices.Contains(m.asked, name) {
		m.asked = append(m.asked, name)
	}
	for i := range m.fields {
		if m.fields[i].name == name {
			m.fields[i].taken = true
			return m.fields[i].value
		}
	}
	return nil
}

// must is the value of a key that may not be missing.
func (m *mapping) must(name string) ast.Node {
	n := m.take(name)
	if n == nil {
		m.r.fail(m.node, m.what+": `"+name+"` is missing", "add `"+name+": ...`")
	}
	return n
}

// refuse reports keys that the rest of the entry gives no meaning.
func (m *mapping) refuse(why string, names ...string) {
	for _, name := range names {
		if n := m.take(name); n != nil {
			m.r.fail(n, fmt.Sprintf("%s: `%s` has no meaning %s", m.what, name, why), "remove `"+name+"`")
		}
	}
}

// done reports the keys that nobody took.
func (m *mapping) done() {
	for _, f := range m.fields {
		if !f.taken {
			m.r.fail(f.key, fmt.Sprintf("%s: unknown key %q", m.what, f.name), "it has the keys "+strings.Join(m.asked, ", "))
		}
	}
}

// str takes a text; "" when it is missing.
func (m *mapping) str(name string) string {
	if n := m.take(name); n != nil {
		s, _ := m.r.str(n, name)
		return s
	}
	return ""
}

// word takes one of some words; "" when it is missing.
func (m *mapping) word(name string, words ...string) string {
	if n := m.take(name); n != nil {
		s, _ := m.r.word(n, name, words...)
		return s
	}
	return ""
}

// texts takes a mapping of names to texts that may not be empty; nil when it is missing.
func (m *mapping) texts(name, next string, key func(n ast.Node, s string) (string, bool), value func(n ast.Node, key string) (string, bool)) map[string]string {
	n := m.take(name)
	if n == nil {
		return nil
	}
	in := m.r.mapping(n, name)
	if in == nil {
		return nil
	}
	if len(in.fields) == 0 {
		m.r.fail(n, name+": the mapping is empty", next)
	}
	out := map[string]string{}
	for _, f := range in.fields {
		k, ok := key(f.key, f.name)
		if !ok {
			continue
		}
		if _, twice := out[k]; twice {
			m.r.fail(f.key, fmt.Sprintf("%s: %q stands twice", name, k), "keep one of them")
		}
		if v, ok := value(f.value, name+"."+f.name); ok {
			out[k] = v
		}
	}
	return out
}
