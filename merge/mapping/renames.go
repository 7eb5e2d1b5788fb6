package mapping

import (
	"reflect"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// renamed is a rename of one merge, and what later merges made of it.
type renamed struct {
	*merge.MemoryRename
	next *renamed // the later merge's that took its name away again
	name string   // in the merged database
	row  []any    // there; nil where the record does not tell it
}

func (r *renamed) origin() string { return r.Via + r.Shard }

func (r *renamed) answer() Answer {
	return Answer{Key: r.Column, Shard: r.origin(), Old: r.Old, New: r.name, Rule: Rename, Row: r.row}
}

// becomes tells whether a later rename is about the same row.
func (r *renamed) becomes(later *renamed) bool {
	for r = r.next; r != nil && r != later; r = r.next {
	}
	return r != nil
}

// within tells whether an input is another one, or one that it took in by an earlier merge.
func within(origin, other string) bool {
	return origin == other || strings.HasPrefix(origin, other+"/")
}

// followRenames follows every recorded rename to the present.
func (m *Map) followRenames() {
	type place struct {
		origin string
		col    merge.Col
		old    string
	}
	losers := map[place][]*renamed{}
	for i := range m.mem.Renames {
		r := &renamed{MemoryRename: &m.mem.Renames[i]}
		m.renames = append(m.renames, r)
		at := place{r.origin(), r.Column, r.Old}
		losers[at] = append(losers[at], r)
	}
	for _, r := range m.renames {
		r.name, r.row = r.New, r.Row
		for via := r.Via; via != ""; {
			up, shard := parent(via)
			row, sure := m.moveRow(up, shard, r.Column, r.row)
			r.row = row
			if later := m.sameRow(losers[place{up + shard, r.Column, r.name}], row, sure); later != nil {
				if r.name, r.row = later.New, later.Row; r.next == nil {
					r.next = later
				}
			}
			via = up
		}
	}
}

// sameRow is the rename, of those of one name, that is about a row.
func (m *Map) sameRow(list []*renamed, row []any, sure bool) *renamed {
	for _, r := range list {
		t := m.merged.Schema().Table(r.Column.Table)
		if t == nil || len(row) != len(r.Row) || len(row) == 0 {
			continue
		}
		same := true
		for i, key := range t.KeyCols() {
			same = same && (key == r.Column || reflect.DeepEqual(row[i], r.Row[i]))
		}
		if same {
			return r
		}
	}
	for _, r := range list {
		if !sure && len(r.Unique) == 1 || len(r.Row) == 0 {
			return r
		}
	}
	return nil
}

// moveRow follows a row's key through one merge. Parts that are numbers of other rows are followed as the last plan says; sure is false where that is a guess.
func (m *Map) moveRow(via, shard string, name merge.Col, row []any) (to []any, sure bool) {
	t := m.merged.Schema().Table(name.Table)
	if t == nil || len(row) == 0 || len(row) != len(t.PrimaryKey) {
		return nil, false
	}
	to, sure = slices.Clone(row), true
	for i, key := range t.KeyCols() {
		old, number := row[i].(int64)
		if !number {
			continue
		}
		if !slices.Contains(m.columns(), key) {
			sure = false
			of := slices.IndexFunc(m.mem.References, func(r merge.MemoryReference) bool {
				return r.Reference.As == merge.Plain && slices.Contains(r.Reference.From, key)
			})
			if of < 0 {
				continue
			}
			r := m.mem.References[of]
			if r.Reference.When != "" {
				return nil, false
			}
			key = r.Spaces[slices.Index(r.Reference.From, key)]
		}
		if l := m.level(via, shard, key); l != nil {
			to[i], _ = l.m.Lookup(old)
		}
	}
	return to, sure
}

// before lists the inputs of an input that had a renamed row under just the name that the rename took away.
func (m *Map) before(r *renamed) []string {
	var of []string
	t := m.merged.Schema().Table(r.Column.Table)
	if key, ok := m.keyOf(t); ok && len(r.Row) == 1 {
		if v, number := r.Row[0].(int64); number {
			for _, h := range m.holders(r.Via, key, v) {
				of = append(of, h.origin)
			}
		}
	} else {
		of = m.origins()
	}
	of = slices.DeleteFunc(of, func(o string) bool { return o == r.origin() || !within(o, r.origin()) })
	return m.bore(of, r.Column, func(earlier *renamed) (made, lost bool) {
		return earlier.becomes(r), earlier.origin() != r.origin() && within(earlier.origin(), r.origin()) && len(earlier.Unique) == 1 && earlier.Old == r.Old
	})
}

// bore leaves of inputs that may have had a row those where it may have had a certain name already: not those whose rows of that name got another one, and of a
// row that got it by a rename those that took it in later.
func (m *Map) bore(of []string, col merge.Col, about func(r *renamed) (made, lost bool)) []string {
	for _, r := range m.renames {
		if r.Column != col {
			continue
		}
		made, lost := about(r)
		folded := made && m.foldedInto(r)
		of = slices.DeleteFunc(of, func(o string) bool {
			return lost && within(o, r.origin()) || made && (within(o, r.origin()) || !folded && !within(r.origin(), o))
		})
	}
	return of
}

// foldedInto tells whether a renamed row became one with another input's, whose name it took.
func (m *Map) foldedInto(r *renamed) bool {
	key, ok := m.keyOf(m.merged.Schema().Table(r.Column.Table))
	if !ok || len(r.Row) != 1 {
		return false
	}
	v, number := r.Row[0].(int64)
	l := m.level(r.Via, r.Shard, key)
	if !number || l == nil {
		return false
	}
	_, by, changed := l.m.Origin(v)
	return changed && by.Rule == merge.Fold
}
