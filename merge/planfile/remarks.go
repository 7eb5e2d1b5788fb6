package planfile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"github.com/gameid/gameid/merge"
)

// ours begins every comment that Format writes, so that what a person wrote can be told from it and carried into a refreshed plan.
const ours = ":"

// Remarks are the comments that a person wrote into a plan file, by the line that they are about.
type Remarks struct {
	about map[string]*remark
	order []string // as in the file
	foot  []string // after the last entry
}

// remark is what stands above one line, at its end, and below it.
type remark struct {
	above, below []string
	tail         string
}

// anchor is where an entry, a section or a setting begins.
type anchor struct {
	id   string
	line int
	last int // the line on which it ends
}

// ReadRemarks finds the comments of a plan that Parse accepts, but for those that Format wrote. Each belongs to the entry on whose lines it stands, else to what
// follows it; an indented one that no entry of its section follows belongs to the entry before.
func ReadRemarks(data []byte) *Remarks {
	r := &reader{}
	m := &Remarks{about: map[string]*remark{}}
	data = plainText(data)
	root := r.source(data)
	if root == nil {
		return m
	}
	anchors := r.anchors(root)
	tokens := lexer.Tokenize(string(data))
	for _, t := range tokens {
		if t.Type == token.CommentType || t.Position == nil {
			continue
		}
		if at := before(anchors, t.Position.Line); at >= 0 {
			anchors[at].last = max(anchors[at].last, t.Position.Line)
		}
	}
	for _, t := range tokens {
		if t.Type == token.CommentType && t.Position != nil && !strings.HasPrefix(t.Value, ours) {
			m.add(anchors, t)
		}
	}
	return m
}

func (m *Remarks) add(anchors []anchor, t *token.Token) {
	at, text := before(anchors, t.Position.Line), t.Value
	inside := at >= 0 && t.Position.Line <= anchors[at].last
	indented := at >= 0 && t.Position.Column > 1
	switch {
	case inside && t.Position.Line == anchors[at].last && strings.TrimSpace(clean(text)) == "": // a bare hash behind an entry says nothing
	case inside && t.Position.Line == anchors[at].last && m.of(anchors[at].id).tail == "":
		m.of(anchors[at].id).tail = text
	case inside:
		m.of(anchors[at].id).above = append(m.of(anchors[at].id).above, text)
	case at+1 < len(anchors) && (!indented || section(anchors[at+1].id) == section(anchors[at].id)):
		next := m.of(anchors[at+1].id)
		next.above = append(next.above, text)
	case indented:
		m.of(anchors[at].id).below = append(m.of(anchors[at].id).below, text)
	default:
		m.foot = append(m.foot, text)
	}
}

// of is the remark on one line, which may be new.
func (m *Remarks) of(id string) *remark {
	if m.about[id] == nil {
		m.about[id] = &remark{}
		m.order = append(m.order, id)
	}
	return m.about[id]
}

// take returns the remark on one line and forgets it; one without words where there is none.
func (m *Remarks) take(id string) *remark {
	if m == nil || m.about[id] == nil {
		return &remark{}
	}
	r := m.about[id]
	delete(m.about, id)
	return r
}

// beside moves what stands below an entry above it where another entry follows: the next reader would take it for that one's.
func (r *remark) beside(last bool) *remark {
	if !last {
		r.above, r.below = append(r.above, r.below...), nil
	}
	return r
}

// rest are the remarks on lines that are gone, and those at the end.
func (m *Remarks) rest() (lines []string) {
	if m == nil {
		return nil
	}
	for _, id := range m.order {
		r := m.take(id)
		lines = append(lines, r.above...)
		if r.tail != "" {
			lines = append(lines, r.tail)
		}
		lines = append(lines, r.below...)
	}
	return append(lines, m.foot...)
}

// before is the last anchor that begins on a line or before it; -1 when there is none.
func before(anchors []anchor, line int) int {
	i, _ := slices.BinarySearchFunc(anchors, line+1, func(a anchor, line int) int { return cmp.Compare(a.line, line) })
	return i - 1
}

// entryID names an entry as the writer writes it; a shard by its name, for the rest of its line is today's.
func entryID(section, text string) string { return section + "\x00" + text }

func section(id string) string {
	name, _, _ := strings.Cut(id, "\x00")
	return name
}

// anchors are the settings, the sections and their entries, in the order of the file.
func (r *reader) anchors(root ast.Node) (list []anchor) {
	m := r.mapping(root, "plan")
	if m == nil {
		return nil
	}
	for _, f := range m.fields {
		list = append(list, anchor{id: f.name, line: line(f.key)})
		items, ok := f.value.(*ast.SequenceNode)
		if !ok || f.name == "accept" {
			continue
		}
		for _, item := range items.Values {
			if e := r.mapping(item, f.name); e != nil {
				list = append(list, anchor{id: entryID(f.name, r.written(f.name, e)), line: line(item)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b anchor) int { return cmp.Compare(a.line, b.line) })
	return list
}

// written is an entry as Format writes it.
func (r *reader) written(section string, e *mapping) string {
	var u merge.Undecided
	switch section {
	case "shards":
		var list []merge.Source
		r.shard(e, &list)
		return list[0].Name
	case "undecided":
		var list []merge.Undecided
		r.oneUndecided(e, &list)
		if len(list) == 1 {
			u = list[0]
		}
	case "keys":
		u.Key = r.key(e)
	case "references":
		u.Reference = r.reference(e)
	case "tables":
		u.Table = r.table(e)
	case "uniques":
		u.Unique = r.unique(e)
	case "counters":
		u.Counter = r.counter(e)
	}
	_, text := UndecidedLine(&u)
	return text
}
