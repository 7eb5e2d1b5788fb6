package planfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gameid/gameid/merge"
)

// decisions finds what is decided twice.
type decisions struct {
	r     *reader
	lines map[string]int // what was decided to the line that did it
	forms map[string]merge.Form
}

func newDecisions(r *reader) *decisions {
	return &decisions{r: r, lines: map[string]int{}, forms: map[string]merge.Form{}}
}

func (d *decisions) key(n ast.Node, k *merge.KeyPlan) {
	d.once(n, keyOf(k), "key "+k.Key.String())
	if k.Role != "" {
		d.once(n, "role\x00"+k.Role, "which key has the role "+k.Role)
	}
}

// table finds a second entry for a table. One that supposes something gives way to another.
func (d *decisions) table(n ast.Node, t *merge.TablePlan) {
	d.once(n, tableOf(t)+"\x00"+string(t.While), "table "+t.Name())
}

func (d *decisions) unique(n ast.Node, u *merge.UniquePlan) {
	d.once(n, uniqueOf(u), "unique "+merge.JoinCols(u.Unique))
}

func (d *decisions) counter(n ast.Node, c *merge.Counter) {
	d.once(n, counterOf(c), fmt.Sprintf("counter %s of %s", c.Column, c.Key))
}

// reference finds a second decision about the same columns under the same condition. One column may hold several keys at different places.
func (d *decisions) reference(n ast.Node, ref *merge.Reference) {
	columns := columnsOf(ref)
	if form, ok := d.forms[columns]; ok && form != ref.As {
		d.twice(n, ref.Columns(), d.lines[columns])
		return
	}
	if _, ok := d.lines[columns]; !ok {
		d.lines[columns] = line(n)
		d.forms[columns] = ref.As
	}
	d.once(n, referenceOf(ref), ref.Columns())
	d.always(n, ref)
}

// always finds a reference under a condition beside one that holds in every row: whichever the engine took, the other would do nothing.
func (d *decisions) always(n ast.Node, ref *merge.Reference) {
	if ref.As != merge.Plain && ref.As != merge.Copy {
		return
	}
	from := string(ref.As) + "\x00" + sorted(ref.From)
	every, some := "every\x00"+from, "some\x00"+from
	own, other, word := every, some, "under a condition"
	if ref.When != "" {
		own, other, word = some, every, "in every row"
	}
	if at, ok := d.lines[other]; ok {
		d.r.fail(n, fmt.Sprintf("%s is decided already %s, in line %d", merge.JoinCols(ref.From), word, at), "give every entry for the column a `when`, and let the conditions exclude each other")
	} else if _, ok := d.lines[own]; !ok {
		d.lines[own] = line(n)
	}
}

func (d *decisions) once(n ast.Node, id, what string) {
	if at, ok := d.lines[id]; ok {
		d.twice(n, what, at)
		return
	}
	d.lines[id] = line(n)
}

func (d *decisions) twice(n ast.Node, what string, at int) {
	d.r.fail(n, fmt.Sprintf("%s is decided already, in line %d", what, at), "keep one of the two entries")
}

func line(n ast.Node) int {
	if t := start(n); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

func keyOf(k *merge.KeyPlan) string     { return "key\x00" + k.Key.String() }
func tableOf(t *merge.TablePlan) string { return "table\x00" + t.Name() }

func uniqueOf(u *merge.UniquePlan) string { return "unique\x00" + sorted(u.Unique) }

// counterOf is a counter's identity: one place may count several keys, each in an entry of its own.
func counterOf(c *merge.Counter) string {
	return "counter\x00" + c.Column.String() + "\x00" + c.Where + "\x00" + c.Key.String()
}

// columnsOf is the same for references from the same columns under the same condition, in whatever order the columns are named.
func columnsOf(r *merge.Reference) string {
	if r.Pattern.Any() {
		return "from\x00" + r.Columns()
	}
	return "from\x00" + sorted(r.From) + "\x00" + r.When
}

// referenceOf also tells the places inside a column apart.
func referenceOf(r *merge.Reference) string {
	return "place\x00" + columnsOf(r) + "\x00" + string(r.As) + "\x00" + r.Path + "\x00" + r.Match + "\x00" + fmt.Sprint(r.Bits)
}

func sorted(cols []merge.Col) string {
	words := make([]string, len(cols))
	for i, c := range cols {
		words[i] = c.String()
	}
	slices.Sort(words)
	return strings.Join(words, "\x00")
}
