package planfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gameid/gameid/merge"
)

// reference reads an entry of the section references.
func (r *reader) reference(e *mapping) *merge.Reference {
	ref := &merge.Reference{}
	from := e.must("from")
	ref.As = merge.Form(e.word("as", string(merge.Keep), string(merge.Copy), string(merge.List), string(merge.JSON), string(merge.Bits), string(merge.InText)))
	ok := false
	if from != nil {
		var pattern *merge.Pattern
		if ref.As == merge.Keep {
			pattern = &ref.Pattern
		}
		ref.From, ok = r.cols(from, "from", pattern)
	}
	ok = r.target(e, ref) && ok
	ref.When = e.str("when")
	r.orphans(e, ref)
	if ok {
		ok = r.effect(e, ref)
	}
	if !ok {
		for i := range e.fields { // the form's keys are checked once the columns are known
			e.fields[i].taken = e.fields[i].taken || formKey(e.fields[i].name)
		}
		return nil
	}
	r.form(e, ref)
	return ref
}

// orphans reads what becomes of values that point at nobody. A copied text is left alone only where nobody is looked up by it, and neither cleared nor dropped for being
// out of date; beside an id it names that row whatever it says.
func (r *reader) orphans(e *mapping, ref *merge.Reference) {
	if ref.As == merge.Keep {
		e.refuse("for a column that is kept", "none", "orphans")
		return
	}
	r.none(e, ref)
	ref.Orphans = merge.OrphanRule(e.word("orphans", string(merge.ByTombstone), string(merge.ByClear), string(merge.ByDrop), string(merge.ByFail), string(merge.ByKeep)))
	word := "orphans: " + string(ref.Orphans)
	switch n := e.take("orphans"); {
	case ref.Orphans == "" || ref.Orphans == merge.ByFail:
	case ref.As != merge.Copy && ref.Orphans == merge.ByKeep:
		r.fail(n, word+" is for `as: copy`: what is kept here could become somebody else's", "say tombstone, clear, drop or fail")
	case ref.As == merge.Copy && (ref.Orphans == merge.ByClear || ref.Orphans == merge.ByDrop):
		r.fail(n, word+" has no meaning for `as: copy`: a copied text is no reference", "say keep where nobody is looked up by it, tombstone (the default), or fail")
	case ref.As == merge.Copy && e.take("by") != nil:
		r.fail(n, word+" has no meaning beside `by`, which decides whom the text names", "say orphans: fail to refuse texts of nobody, or remove `orphans`")
	}
}

// effect refuses a reference of which a part would be read and do nothing.
func (r *reader) effect(e *mapping, ref *merge.Reference) bool {
	switch {
	case slices.Equal(ref.From, ref.To):
		r.fail(e.take("to"), "to: "+merge.JoinCols(ref.To)+" refers to itself", "name the key that it refers to")
	case ref.When != "" && slices.ContainsFunc(ref.From, func(c merge.Col) bool { return c.Table != ref.From[0].Table }):
		r.fail(e.take("when"), "when: a list of columns of several tables has no condition", "write one entry for each column, or remove `when`")
	case ref.Pattern.Any() && ref.When != "":
		r.fail(e.take("when"), "when: a pattern has no condition", "name the column, or remove `when`")
	default:
		return true
	}
	return false
}

// target reads to.
func (r *reader) target(e *mapping, ref *merge.Reference) bool {
	if ref.As == merge.Keep {
		return r.rowNumbers(e, ref)
	}
	n := e.must("to")
	if n == nil {
		return false
	}
	var ok bool
	if ref.To, ok = r.cols(n, "to", nil); !ok || ref.From == nil {
		return false
	}
	if len(ref.To) != len(ref.From) {
		r.fail(n, fmt.Sprintf("to: %d column(s) for %d under from", len(ref.To), len(ref.From)), "name as many columns under `to` as under `from`")
		return false
	}
	if ref.As != merge.Plain && len(ref.From) != 1 {
		r.fail(n, "as: "+string(ref.As)+" is for one column", "write one entry for each column")
		return false
	}
	return true
}

// rowNumbers reads the one target that a kept column may name: the row numbers of a table without a key.
func (r *reader) rowNumbers(e *mapping, ref *merge.Reference) bool {
	n := e.take("to")
	if n == nil {
		return true
	}
	to, ok := r.cols(n, "to", nil)
	if !ok {
		return false
	}
	if len(to) != 1 || len(ref.From) != 1 || to[0].Name != merge.RowNumber {
		r.fail(n, "`to` has no meaning for a column that is kept, but for row numbers (TABLE."+merge.RowNumber+")", "leave it out")
		return false
	}
	ref.To = to
	return true
}

func (r *reader) none(e *mapping, ref *merge.Reference) {
	n := e.take("none")
	if n == nil {
		return
	}
	items := r.list(n, "none")
	ref.None = []any{} // an empty list says that every value is somebody's key, also a lost one
	for _, item := range items {
		if v, ok := r.scalar(item, "none"); ok {
			if slices.Contains(ref.None, v) {
				r.fail(item, "none: the value stands twice", "keep one of them")
			}
			ref.None = append(ref.None, v)
		}
	}
}

// formKey tells whether a key belongs to one form only.
func formKey(name string) bool {
	switch name {
	case "by", "via", "separator", "path", "match", "bits":
		return true
	}
	return false
}

// form reads what one form needs, and refuses what belongs to another.
func (r *reader) form(e *mapping, ref *merge.Reference) {
	own := map[merge.Form][]string{
		merge.Copy: {"by", "via"}, merge.List: {"separator"}, merge.JSON: {"path"}, merge.InText: {"match"}, merge.Bits: {"bits"},
	}
	why := "without `as`"
	if ref.As != merge.Plain {
		why = "for `as: " + string(ref.As) + "`"
	}
	for _, form := range []merge.Form{merge.Copy, merge.List, merge.JSON, merge.InText, merge.Bits} {
		if form != ref.As {
			e.refuse(why, own[form]...)
		}
	}
	switch ref.As {
	case merge.Copy:
		r.copied(e, ref)
	case merge.List:
		if n := e.must("separator"); n != nil {
			ref.Separator, _ = r.str(n, "separator")
		}
	case merge.JSON:
		if n := e.must("path"); n != nil {
			ref.Path, _ = r.str(n, "path")
			r.jsonPath(n, ref.Path)
		}
	case merge.InText:
		if n := e.must("match"); n != nil {
			ref.Match, _ = r.str(n, "match")
			r.match(n, ref.Match)
		}
	case merge.Bits:
		if n := e.must("bits"); n != nil {
			r.bits(n, ref)
		}
	}
}

func (r *reader) copied(e *mapping, ref *merge.Reference) {
	if n := e.take("by"); n != nil {
		if c, ok := r.col(n, "by", nil); ok {
			if c.Table != ref.Table() {
				r.fail(n, "by: "+c.String()+" is of another table than "+ref.From[0].String(), "name the column of the same row that refers to the copied row")
			}
			ref.By = &c
		}
	}
	if n := e.take("via"); n != nil {
		var ok bool
		ref.Via, ok = r.str(n, "via")
		if ok && ref.Via != "lower" && ref.Via != "upper" && ref.Via != "base37" && !strings.Contains(ref.Via, "{}") {
			r.fail(n, fmt.Sprintf("via: %q is neither lower, upper, base37 nor an expression over {}", short(ref.Via)), "write for example via: \"substr({}, 1, 12)\"")
		}
	}
}

// bits reads where the parts of a key lie.
func (r *reader) bits(n ast.Node, ref *merge.Reference) {
	var inKey [64]bool
	inColumn := map[string]*[64]bool{}
	for _, item := range r.list(n, "bits") {
		e := r.mapping(item, "bits")
		if e == nil {
			continue
		}
		var b merge.Bit
		if c := e.must("column"); c != nil {
			b.Column, _ = r.name(c, "column", nil)
		}
		b.At = r.bit(e, "at", 0, 63)
		b.Width = r.bit(e, "width", 1, 64)
		b.Key = r.bit(e, "key", 0, 63)
		e.done()
		if b.At+b.Width > 64 || b.Key+b.Width > 64 {
			r.fail(item, "bits: the part reaches beyond bit 63", "at + width and key + width are at most 64")
			continue
		}
		if inColumn[b.Column] == nil {
			inColumn[b.Column] = new([64]bool)
		}
		twice := false
		for i := range b.Width {
			twice = twice || inKey[b.Key+i] || inColumn[b.Column][b.At+i]
			inKey[b.Key+i], inColumn[b.Column][b.At+i] = true, true
		}
		if twice {
			r.fail(item, "bits: the part overlaps another one", "every bit of a key, and of a column, has one place")
		}
		ref.Bits = append(ref.Bits, b)
	}
	if len(ref.Bits) > 0 && inColumn[ref.From[0].Name] == nil {
		r.fail(n, "bits: no part lies in "+ref.From[0].String(), "name one of the bits' columns under `from`")
	}
	if seq, ok := n.(*ast.SequenceNode); ok && len(seq.Values) == 0 {
		r.fail(n, "bits: the list is empty", "write [{column: c, at: 0, width: 32, key: 0}]")
	}
}

func (r *reader) bit(e *mapping, name string, lo, hi int64) int {
	n := e.must(name)
	if n == nil {
		return int(lo)
	}
	v, ok := r.integer(n, name)
	if ok && (v < lo || v > hi) {
		r.fail(n, fmt.Sprintf("%s: %d is not between %d and %d", name, v, lo, hi), "bits are counted from 0, the lowest, to 63")
		ok = false
	}
	if !ok {
		return int(lo)
	}
	return int(v)
}
