package mapping

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Lookup answers what became of a key, and what a key was. The question is a decimal key or a name, as it stood in any input or stands in the merged
// database; "players.id=4711" asks about one key space alone, "s2:4711" and "s2:players.id=4711" about the input s2 alone, of whichever merge, and
// "m/s1:" about what input m had from s1. A name that reads like one of these is looked up as it is, too. Where others may have had the same, the answer is about them, too.
// No answer means that nobody recorded it and no row has it. The error is an *UnknownError or the database's.
func (m *Map) Lookup(ctx context.Context, key string) ([]Answer, error) {
	readings, unknown := m.readings(key)
	var once []Answer
	for _, q := range readings {
		list, err := m.answers(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, a := range list {
			if !slices.ContainsFunc(once, func(b Answer) bool {
				return a.Key == b.Key && a.Shard == b.Shard && a.Old == b.Old && a.New == b.New && a.Rule == b.Rule && slices.Equal(a.Of, b.Of)
			}) {
				once = append(once, a)
			}
		}
	}
	if len(once) == 0 && unknown != nil {
		return nil, unknown
	}
	return once, nil
}

// answers are those to one reading of a key.
func (m *Map) answers(ctx context.Context, q *question) (list []Answer, err error) {
	if v, err := strconv.ParseInt(q.value, 10, 64); err == nil {
		for _, col := range m.columns() {
			if q.col != nil && col != *q.col {
				continue
			}
			old, err := m.asOld(ctx, q, col, v)
			if err != nil {
				return nil, err
			}
			list = append(list, old...)
			m.trace(q, "", col, v, v, Unchanged, &list)
		}
	}
	for _, r := range slices.Concat(m.Renames(), m.Buried()) {
		if (q.col == nil || r.Key == *q.col) && q.asks(r.Shard) && (same(r.Old, q.value) || same(r.New, q.value)) {
			list = append(list, r)
		}
	}
	for _, r := range m.renames {
		if q.col != nil && r.Column != *q.col || !same(r.Old, q.value) && !same(r.name, q.value) {
			continue
		}
		if of := m.before(r); slices.ContainsFunc(of, q.asks) {
			a := r.answer()
			a.Shard = ""
			list = append(list, q.answer(a, of))
		}
	}
	kept, err := m.kept(ctx, q)
	return append(list, kept...), err
}

// same compares names as a person types them.
func same(a, b string) bool { return strings.EqualFold(a, b) }

// question is a parsed key.
type question struct {
	shard *string
	col   *merge.Col
	value string
}

// asks tells whether a question is about an input. A bare name stands for the inputs of that name in every merge.
func (q *question) asks(origin string) bool { return q.shard == nil || named(origin, *q.shard) }

func named(origin, name string) bool { return origin == name || strings.HasSuffix(origin, "/"+name) }

// readings are what a key may mean, the narrowest first, and what else it would mean if the record knew a word of it.
func (m *Map) readings(key string) (list []*question, unknown error) {
	if name, rest, ok := strings.Cut(key, ":"); ok {
		if known := m.origins(); slices.ContainsFunc(known, func(o string) bool { return named(o, name) }) {
			list, unknown = m.inSpace(&name, rest)
		} else if _, _, ok := cutSpace(rest, nil); ok || number(rest) {
			unknown = &UnknownError{"the input " + name, known}
		}
	}
	whole, space := m.inSpace(nil, key)
	return append(list, whole...), cmp.Or(unknown, space)
}

// number tells whether a value is a whole number, as keys are.
func number(value string) bool {
	_, err := strconv.ParseInt(value, 10, 64)
	return err == nil
}

// inSpace reads what stands behind a shard: a value of one key space, and a value that is all of it.
func (m *Map) inSpace(shard *string, value string) (list []*question, unknown error) {
	known, fold := m.known(), m.merged.Schema()
	own := func(c merge.Col) int {
		return slices.IndexFunc(known, func(k merge.Col) bool { return fold.Equal(k.Table, c.Table) && fold.Equal(k.Name, c.Name) })
	}
	if col, rest, ok := cutSpace(value, func(c merge.Col) bool { return own(c) >= 0 }); ok {
		list = append(list, &question{shard, &known[own(col)], rest})
	} else if col, _, ok := cutSpace(value, nil); ok {
		var names []string
		for _, k := range known {
			names = append(names, k.String())
		}
		unknown = &UnknownError{"the key " + col.String(), names}
	}
	return append(list, &question{shard, nil, value}), unknown
}

// cutSpace cuts "players.id=4711" at the first equals sign before which a column stands that is taken; nil takes any.
func cutSpace(s string, take func(c merge.Col) bool) (col merge.Col, value string, ok bool) {
	for at := range len(s) {
		if s[at] != '=' {
			continue
		}
		if c, err := merge.ParseCol(s[:at]); err == nil && (take == nil || take(c)) {
			return c, s[at+1:], true
		}
	}
	return merge.Col{}, "", false
}

// known are the columns that can be asked about: key spaces, and what names and dead texts stand in.
func (m *Map) known() []merge.Col {
	list := append(m.columns(), m.names...)
	for _, r := range m.mem.Renames {
		list = append(list, r.Column)
	}
	for _, b := range m.mem.Buried {
		list = append(list, b.Key)
	}
	var once []merge.Col
	for _, c := range list {
		if !slices.Contains(once, c) {
			once = append(once, c)
		}
	}
	return once
}

// origins are the inputs that the record knows, those of earlier merges too.
func (m *Map) origins() []string {
	var list []string
	for _, s := range m.mem.Shards {
		list = append(list, s.Name)
	}
	for _, e := range m.mem.Earlier {
		list = append(list, e.Via+e.Source.Name)
	}
	for i := range m.levels {
		if o := m.levels[i].origin(); !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

// columns are the key spaces of the record, in its order.
func (m *Map) columns() []merge.Col {
	var list []merge.Col
	for _, l := range m.levels {
		if !slices.Contains(list, l.key) {
			list = append(list, l.key)
		}
	}
	return list
}

// asOld answers what became of a key of the inputs.
func (m *Map) asOld(ctx context.Context, q *question, col merge.Col, v int64) (list []Answer, err error) {
	told := map[string]bool{}
	for i := range m.levels {
		l := &m.levels[i]
		if l.key != col || !q.asks(l.origin()) {
			continue
		}
		now, rule := m.forward(l.via, l.shard, col, v)
		if _, own := l.m.Lookup(v); own {
			list = append(list, Answer{Key: col, Shard: l.origin(), Old: text(v), New: text(now), Rule: rule})
			continue
		}
		within := m.stayedIn(l, v)
		origins := origins(m.holders(within, col, v), v)
		if told[within] || !slices.Contains(origins, l.origin()) {
			continue
		}
		told[within] = true
		here := rule == merge.Tombstone // where no row stands
		if !here {
			if here, err = m.stands(ctx, col, now); err != nil {
				return nil, err
			}
		}
		if here {
			list = append(list, q.answer(Answer{Key: col, Old: text(v), New: text(now), Rule: rule}, origins))
		}
	}
	return list, nil
}

// stayedIn is the via of the input within which a key stayed from its own merge on, before a later one changed it; "" when none did.
func (m *Map) stayedIn(l *level, v int64) (via string) {
	for via = l.via; via != ""; {
		up, shard := parent(via)
		if above := m.level(up, shard, l.key); above != nil {
			if _, changed := above.m.Lookup(v); changed {
				return via
			}
		}
		via = up
	}
	return ""
}

// holder is an input that had a row under a key.
type holder struct {
	origin string
	old    int64
}

// holders are the inputs, those of earlier merges too, that may have had a row that stood under a key in the database that recorded via. The record tells which
// inputs' keys changed, not which inputs had one: with several left, each may have had it. Not even a key that an earlier merge gave to a row tells whose it is: that row may be
// gone, and another input's kept the key.
func (m *Map) holders(via string, col merge.Col, v int64) (list []holder) {
	for i := range m.levels {
		if l := &m.levels[i]; l.via == via && l.key == col {
			old, by, changed := l.m.Origin(v)
			if !changed || by.Rule == merge.Tombstone { // no row stands at a tombstone
				continue
			}
			list = append(append(list, holder{l.origin(), old}), m.holders(l.origin()+"/", col, old)...)
			if by.Rule != merge.Fold { // what folded into a row stands there besides
				return list
			}
		}
	}
	for i := range m.levels {
		l := &m.levels[i]
		if l.via != via || l.key != col {
			continue
		}
		if _, left := l.m.Lookup(v); left {
			continue // this input's own v went elsewhere
		}
		if _, _, folded := l.m.Origin(v); folded {
			continue
		}
		list = append(append(list, holder{l.origin(), v}), m.holders(l.origin()+"/", col, v)...)
	}
	return list
}

// origins are the inputs of holders that had a row under just this key.
func origins(holders []holder, v int64) (list []string) {
	for _, h := range holders {
		if h.old == v {
			list = append(list, h.origin)
		}
	}
	return list
}

// answer puts into an answer whose it is: the input that was asked about where no other may have had it, and else all of them.
func (q *question) answer(a Answer, origins []string) Answer {
	if asked := slices.DeleteFunc(slices.Clone(origins), func(o string) bool { return !q.asks(o) }); !slices.ContainsFunc(origins, func(o string) bool {
		return !slices.ContainsFunc(asked, func(p string) bool { return inLine(o, p) })
	}) {
		origins = asked
	}
	if a.Of = origins; len(origins) == 1 {
		a.Shard, a.Of = origins[0], nil
	}
	return a
}

// inLine tells whether two inputs are one, or one of them is a merge that took in the other.
func inLine(a, b string) bool {
	return within(a, b) || within(b, a)
}

// trace goes back from a value of the database that recorded via to the inputs whose map made it, and on into their own earlier merges: to those that gave them their
// old value, and those that may have had it already.
func (m *Map) trace(q *question, via string, col merge.Col, v, now int64, rule merge.Rule, list *[]Answer) {
	for i := range m.levels {
		l := &m.levels[i]
		if l.via != via || l.key != col {
			continue
		}
		old, by, changed := l.m.Origin(v)
		if !changed {
			if _, left := l.m.Lookup(v); left {
				continue // this input's own v went elsewhere
			}
			m.trace(q, l.via+l.shard+"/", col, v, now, rule, list)
			continue
		}
		last := rule
		if last == Unchanged {
			last = by.Rule
		}
		if q.asks(l.origin()) {
			*list = append(*list, Answer{Key: col, Shard: l.origin(), Old: text(old), New: text(now), Rule: last})
		}
		if stayed := origins(m.holders(l.origin()+"/", col, old), old); slices.ContainsFunc(stayed, q.asks) {
			*list = append(*list, q.answer(Answer{Key: col, Old: text(old), New: text(now), Rule: last}, stayed))
		}
		m.trace(q, l.via+l.shard+"/", col, old, now, last, list)
	}
}
