package planfile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// flow is a flow mapping under construction.
type flow []string

// raw adds a key of the format, named one that the database or the operator named.
func (f *flow) raw(key, value string) { *f = append(*f, key+": "+value) }

func (f *flow) named(key, value string) { f.raw(quote(key), value) }

func (f *flow) text(key, value string) {
	if value != "" {
		f.raw(key, quote(value))
	}
}

func (f flow) String() string { return "{" + strings.Join(f, ", ") + "}" }

// KeyLine writes a decision as the one-line mapping that stands in the section keys, without the dash.
func KeyLine(k *merge.KeyPlan) string {
	var f flow
	f.text("key", k.Key.String())
	f.text("new", string(k.New))
	switch {
	case k.All:
		f.raw("change", "all")
	case k.Conflicts:
		f.raw("change", "conflicts")
	}
	if k.Range != nil {
		f.raw("range", "["+strconv.FormatInt(k.Range[0], 10)+", "+strconv.FormatInt(k.Range[1], 10)+"]")
	}
	if k.Widen {
		f.raw("widen", "true")
	}
	f.text("sequence", k.Sequence)
	if k.None != nil {
		words := make([]string, len(k.None))
		for i, v := range k.None {
			words[i] = strconv.FormatInt(v, 10)
		}
		f.raw("none", "["+strings.Join(words, ", ")+"]")
	}
	f.text("role", k.Role)
	return f.String()
}

// ReferenceLine is KeyLine for the section references.
func ReferenceLine(r *merge.Reference) string {
	var f flow
	if r.Pattern.Any() {
		f.text("from", r.Pattern.Write(r.From[0]))
	} else {
		f.raw("from", writeCols(r.From))
	}
	if len(r.To) > 0 {
		f.raw("to", writeCols(r.To))
	}
	f.text("as", string(r.As))
	f.text("when", r.When)
	f.text("separator", r.Separator)
	f.text("path", r.Path)
	f.text("match", r.Match)
	if len(r.Bits) > 0 {
		bits := make([]string, len(r.Bits))
		for i, b := range r.Bits {
			var one flow
			one.text("column", writeName(b.Column))
			one.raw("at", strconv.Itoa(b.At))
			one.raw("width", strconv.Itoa(b.Width))
			one.raw("key", strconv.Itoa(b.Key))
			bits[i] = one.String()
		}
		f.raw("bits", "["+strings.Join(bits, ", ")+"]")
	}
	if r.By != nil {
		f.text("by", r.By.String())
	}
	f.text("via", r.Via)
	if r.None != nil {
		values := make([]string, len(r.None))
		for i, v := range r.None {
			values[i] = quoteValue(v)
		}
		f.raw("none", "["+strings.Join(values, ", ")+"]")
	}
	f.text("orphans", string(r.Orphans))
	return f.String()
}

// TableLine is KeyLine for the section tables.
func TableLine(t *merge.TablePlan) string {
	var f flow
	f.text("table", t.Name())
	if t.Rows == merge.FromRows {
		f.raw("rows", flow{"from: " + quote(t.From)}.String())
	} else {
		f.text("rows", string(t.Rows))
	}
	f.text("while", string(t.While))
	if len(t.By) > 0 {
		f.raw("by", writeNames(t.By))
	}
	if len(t.Columns) > 0 {
		var columns flow
		for _, name := range sortedKeys(t.Columns) {
			columns.named(writeName(name), combineText(t.Columns[name]))
		}
		f.raw("columns", columns.String())
	}
	f.texts("missing", t.Missing, writeName)
	f.texts("purge", t.Purge, func(s string) string { return s })
	if len(t.On) > 0 {
		var on flow
		for _, name := range sortedKeys(t.On) {
			if set, ok := strings.CutPrefix(t.On[name], SetPrefix); ok {
				on.named(writeOn(name), flow{"set: " + quote(set)}.String())
			} else {
				on.named(writeOn(name), quote(t.On[name]))
			}
		}
		f.raw("on", on.String())
	}
	return f.String()
}

// UniqueLine is KeyLine for the section uniques.
func UniqueLine(u *merge.UniquePlan) string {
	var f flow
	f.raw("unique", writeCols(u.Unique))
	f.text("on_conflict", u.OnConflict)
	f.text("template", u.Template)
	if u.Column != "" {
		f.text("column", writeName(u.Column))
	}
	f.text("winner", u.Winner)
	f.texts("mark", u.Mark, writeName)
	f.text("collate", u.Collate)
	return f.String()
}

// CounterLine is KeyLine for the section counters.
func CounterLine(c *merge.Counter) string {
	var f flow
	f.text("column", c.Column.String())
	f.text("where", c.Where)
	f.text("key", c.Key.String())
	if c.Margin != 0 {
		f.raw("margin", strconv.FormatInt(c.Margin, 10))
	}
	return f.String()
}

// UndecidedLine is the line that an undecided entry would become, and the section that it belongs to; both "" when it has none.
func UndecidedLine(u *merge.Undecided) (section, line string) {
	switch {
	case u.Reference != nil:
		return "references", ReferenceLine(u.Reference)
	case u.Table != nil:
		return "tables", TableLine(u.Table)
	case u.Key != nil:
		return "keys", KeyLine(u.Key)
	case u.Unique != nil:
		return "uniques", UniqueLine(u.Unique)
	case u.Counter != nil:
		return "counters", CounterLine(u.Counter)
	}
	return "", ""
}

// Standing names what a question is about when the plan has a line about it; "" when it has none.
func Standing(plan *merge.Plan, u *merge.Undecided) string {
	same := func(x, y merge.Col) bool { return strings.EqualFold(x.String(), y.String()) }
	switch {
	case plan == nil:
	case u.Reference != nil:
		for i := range plan.References {
			if r := &plan.References[i]; slices.EqualFunc(r.From, u.Reference.From, same) && (r.When == u.Reference.When || r.When == "") { // one in every row leaves room for no other
				return merge.JoinCols(r.From)
			}
		}
	case u.Table != nil:
		for _, t := range plan.Tables {
			if strings.EqualFold(t.Table, u.Table.Table) {
				return t.Table
			}
		}
	case u.Key != nil:
		for _, k := range plan.Keys {
			if same(k.Key, u.Key.Key) {
				return k.Key.String()
			}
		}
	case u.Unique != nil:
		for _, k := range plan.Uniques {
			if slices.EqualFunc(k.Unique, u.Unique.Unique, same) {
				return merge.JoinCols(k.Unique)
			}
		}
	case u.Counter != nil:
		for _, c := range plan.Counters {
			if same(c.Column, u.Counter.Column) && c.Where == u.Counter.Where {
				return c.Column.String()
			}
		}
	}
	return ""
}

func (f *flow) texts(key string, values map[string]string, name func(string) string) {
	if len(values) == 0 {
		return
	}
	var in flow
	for _, k := range sortedKeys(values) {
		in.named(name(k), quote(values[k]))
	}
	f.raw(key, in.String())
}

func combineText(c merge.Combine) string {
	switch {
	case c.How == "sum" && c.Cap != nil:
		return "{sum: " + strconv.FormatInt(*c.Cap, 10) + "}"
	case c.By != "":
		return flow{c.How + ": " + quote(writeName(c.By))}.String()
	}
	return quote(c.How)
}

// writeOn writes a column that stands as text in a plan.
func writeOn(s string) string {
	if c, err := merge.ParseCol(s); err == nil {
		return c.String()
	}
	return s
}

func writeCols(cols []merge.Col) string {
	words := make([]string, len(cols))
	for i, c := range cols {
		words[i] = quote(c.String())
	}
	return oneOrList(words)
}

func writeNames(names []string) string {
	words := make([]string, len(names))
	for i, n := range names {
		words[i] = quote(writeName(n))
	}
	return oneOrList(words)
}

func oneOrList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return "[" + strings.Join(words, ", ") + "]"
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
