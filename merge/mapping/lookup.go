package mapping

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Lookup answers what became of a key, and what a key was. The question is a decimal key or a name, as it stood in any input or stands in the merged
// database; "players.id=4711" asks about one key space alone, "s2:4711" and "s2:players.id=4711" about the input s2 alone, of whichever merge, and
// "m/s1:" about what input m had from s1. No answer means that nobody recorded it and no row has it. The error is an *UnknownError or the database's.
func (m *Map) Lookup(ctx context.Context, key string) ([]Answer, error) {
	q, err := m.parse(key)
	if err != nil {
		return nil, err
	}
	var list []Answer
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
		asked := (q.col == nil || r.Key == *q.col) && q.asks(r.Shard) && (same(r.Old, q.value) || same(r.New, q.value))
		if asked || same(r.Old, key) || same(r.New, key) { // a name may begin as a shard's does
			list = append(list, r)
		}
	}
	kept, err := m.kept(ctx, q)
	if err != nil {
		return nil, err
	}
	list = append(list, kept...)
	var once []Answer
	for _, a := range list {
		if !slices.ContainsFunc(once, func(b Answer) bool {
			return a.Key == b.Key && a.Shard == b.Shard && a.Old == b.Old && a.New == b.New && a.Rule == b.Rule && slices.Equal(a.Of, b.Of)
		}) {
			once = append(once, a)
		}
	}
	return once, nil
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

func (m *Map) parse(key string) (*question, error) {
	q := &question{value: key}
	if name, rest, ok := strings.Cut(key, ":"); ok {
		if known := m.origins(); slices.ContainsFunc(known, func(o string) bool { return named(o, name) }) {
			q.shard, q.value = &name, rest
		} else if _, err := merge.ParseCol(firstPart(rest)); err == nil {
			return nil, &UnknownError{"the input " + name, known}
		}
	}
	if at := strings.LastIndexByte(q.value, '='); at > 0 {
		col, err := merge.ParseCol(q.value[:at])
		if err == nil {
			known := append(m.columns(), m.names()...)
			for _, r := range m.mem.Renames {
				known = append(known, r.Column)
			}
			for _, b := range m.mem.Buried {
				known = append(known, b.Key)
			}
			fold := m.merged.Schema()
			for _, k := range known {
				if fold.Equal(k.Table, col.Table) && fold.Equal(k.Name, col.Name) {
					k := k
					q.col, q.value = &k, q.value[at+1:]
					return q, nil
				}
			}
			var names []string
			for _, k := range m.columns() {
				names = append(names, k.String())
			}
			return nil, &UnknownError{"the key " + col.String(), names}
		}
	}
	return q, nil
}

func firstPart(s string) string {
	if at := strings.LastIndexByte(s, '='); at > 0 {
		return s[:at]
	}
	return ""
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
	var stayed []string
	for i := range m.levels {
		l := &m.levels[i]
		if l.key != col || !q.asks(l.origin()) {
			continue
		}
		now, rule := m.forward(l.via, l.shard, col, v)
		if _, own := l.m.Lookup(v); !own && !m.mayHave(l, v) {
			continue
		} else if !own && now != v { // it changed later: whether this very input had it, the later one's answer says
			if here, err := m.stands(ctx, col, now); err != nil {
				return nil, err
			} else if !here {
				continue
			}
		}
		if now == v {
			stayed = append(stayed, l.origin())
			continue
		}
		list = append(list, Answer{Key: col, Shard: l.origin(), Old: text(v), New: text(now), Rule: rule})
	}
	if len(stayed) == 0 {
		return list, nil
	}
	here, err := m.stands(ctx, col, v)
	if err != nil || !here {
		return list, err
	}
	return append(list, unchanged(col, v, stayed)), nil
}

// mayHave tells whether an input may have had a key that its own merge left as it was: not when that merge, or a later one that left it too, gave the key
// to a row of another input.
func (m *Map) mayHave(l *level, v int64) bool {
	for via, shard := l.via, l.shard; ; via, shard = parent(via) {
		if owners, _ := m.owners(via, l.key, v); !slices.Contains(owners, via+shard) {
			return false
		}
		if via == "" {
			return true
		}
		up, next := parent(via)
		if above := m.level(up, next, l.key); above != nil {
			if _, changed := above.m.Lookup(v); changed {
				return true
			}
		}
	}
}

// owners are the inputs of the merge that recorded via which may have had a key and kept it. It is sure when the key was given out, by this merge or by an
// earlier one of one input: then that input alone has the row.
func (m *Map) owners(via string, col merge.Col, v int64) (origins []string, sure bool) {
	for i := range m.levels {
		l := &m.levels[i]
		if l.via != via || l.key != col {
			continue
		}
		if _, by, changed := l.m.Origin(v); changed && by.Rule != merge.Tombstone { // no row stands at a tombstone
			return nil, true
		}
		if _, left := l.m.Lookup(v); left {
			continue // this input's own v went elsewhere
		}
		if _, given := m.owners(l.via+l.shard+"/", col, v); given {
			return []string{l.origin()}, true
		}
		origins = append(origins, l.origin())
	}
	return origins, false
}

// unchanged is the answer about a key that stayed. The record tells which inputs' keys changed, not which inputs had one: with several left, each may
// have had it.
func unchanged(col merge.Col, v int64, origins []string) Answer {
	a := Answer{Key: col, Old: text(v), New: text(v), Rule: Unchanged}
	if len(origins) == 1 {
		a.Shard = origins[0]
	} else {
		a.Of = origins
	}
	return a
}

// trace goes back from a value of the database that recorded via to the inputs whose map made it, and on into their own earlier merges.
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
		m.trace(q, l.via+l.shard+"/", col, old, now, last, list)
	}
}
