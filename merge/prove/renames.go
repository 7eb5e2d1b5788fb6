package prove

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkRenames groups the recorded renames, finds the rows that they were before, and checks that new names are new. That the names stand in the
// rows, and nowhere else, is the comparison's business.
func (p *proof) checkRenames(ctx context.Context) error {
	given, known, fresh := map[string]string{}, map[string]bool{}, map[merge.Col][]merge.MemoryRename{}
	var columns []merge.Col // of fresh, in the record's order
	var count int64
	failed := false
	called := map[calledSo][][]any{}
	for _, m := range p.mem.Renames {
		if m.Via == "" {
			at := calledSo{m.Column, m.Shard, m.New}
			called[at] = append(called[at], m.Row)
		}
	}
	for _, m := range p.mem.Renames {
		if m.Via != "" {
			continue
		}
		count++
		check := Check{Name: CheckRenames, Table: m.Column.Table, Column: m.Column.Name, Shard: m.Shard}
		wrong := func(format string, args ...any) {
			failed = true
			p.fail(check, format, args...)
		}
		shard := slices.IndexFunc(p.shards, func(s merge.Shard) bool { return s.Source().Name == m.Shard })
		t := p.schema.Table(m.Column.Table)
		if shard < 0 || t == nil || len(m.Unique) == 0 {
			wrong("%q is recorded as renamed in an input or a table that does not exist", m.Old)
			continue
		}
		if m.Old == m.New {
			wrong("%q is recorded as renamed to itself", m.Old)
		}
		r := p.renameOf(m)
		row, err := p.before(t, m, shard)
		if err != nil {
			wrong("%v", err)
			continue
		}
		into, err := p.foldsInto(ctx, t, m, shard, row, called)
		if err != nil {
			return err
		}
		id := rowOf(r, shard, row.Row, row.Old)
		p.folded[id] = into
		if why := p.checkTemplate(m, shard); why != "" && !into {
			wrong("%s", why)
		}
		if id := m.Column.String() + "\x00" + m.New; len(m.Unique) == 1 && !into {
			who := m.Shard + "\x00" + m.Old // rows of one shard may share a name before and after
			if before, again := given[id]; again && before != who {
				wrong("%q was given to two rows", m.New)
			}
			given[id] = who
			if fresh[m.Column] == nil {
				columns = append(columns, m.Column)
			}
			fresh[m.Column] = append(fresh[m.Column], m)
		}
		if known[id] {
			wrong("the row of %q is recorded as renamed twice", m.Old)
		}
		known[id] = true
		r.Shards[shard] = append(r.Shards[shard], row)
	}
	for _, c := range columns {
		for batch := range slices.Chunk(fresh[c], namesAtOnce) {
			taken, err := p.taken(ctx, batch)
			if err != nil {
				return err
			}
			failed = failed || taken
		}
	}
	if count > 0 && !failed {
		p.pass(Check{Name: CheckRenames, Rows: count, Detail: fmt.Sprintf("%d rows renamed", count)})
	}
	return nil
}

// calledSo is a name that the merge gave to rows of an input.
type calledSo struct {
	column      merge.Col
	shard, name string
}

// foldsInto tells whether a renamed row folds, by the plan, into another input's row of its key that is called so, or was renamed so itself.
func (p *proof) foldsInto(ctx context.Context, t *merge.Table, m merge.MemoryRename, shard int, row merge.Renamed, called map[calledSo][][]any) (bool, error) {
	rule := p.rule(t.Name)
	if len(row.Row) == 0 || rule.Rows == merge.MergeRows || rule.Rows == merge.EmptyRows {
		return false, nil
	}
input:
	for i, s := range p.shards {
		own, ok := s.Schema().Resolve(m.Column)
		if i == shard || !ok || rule.Rows == merge.FromRows && p.name(i) != rule.From {
			continue
		}
		var terms []string
		var args []any
		for k, name := range t.PrimaryKey {
			c, ok := s.Schema().Resolve(merge.Col{Table: t.Name, Name: name})
			if !ok {
				return false, nil
			}
			v, ok := p.origin(merge.Col{Table: t.Name, Name: name}, i, m.Row[k], row.Row[k])
			if !ok {
				continue input
			}
			terms, args = append(terms, p.engine.Quote(c.Name)+" = ?"), append(args, v)
		}
		if !slices.ContainsFunc(called[calledSo{m.Column, p.name(i), m.New}], func(row []any) bool { return reflect.DeepEqual(row, m.Row) }) {
			terms, args = append(terms, p.engine.Quote(own.Name)+" = ?"), append(args, m.New)
		}
		if n, err := s.Count(ctx, own.Table, strings.Join(terms, " AND "), args...); err != nil || n > 0 {
			return n > 0, err
		}
	}
	return false, nil
}

// origin is what a row of an input held in a column of its key that became a value of the output; ok is false when none did. old is what a row of another input held that
// became the same.
func (p *proof) origin(c merge.Col, shard int, now, old any) (v any, ok bool) {
	k, number := now.(int64)
	s := p.columnSpace(c)
	if !number || s == nil {
		return old, true
	}
	if was, _, made := s.maps[shard].Origin(k); made {
		return was, true
	}
	_, moved := s.maps[shard].Lookup(k)
	return k, !moved
}

// namesAtOnce is how many names are looked for together.
const namesAtOnce = 200

// taken tells whether rows of an input have new names of a column already, and notes which.
func (p *proof) taken(ctx context.Context, list []merge.MemoryRename) (found bool, err error) {
	words := make([]string, len(list))
	for i, m := range list {
		words[i] = p.engine.Literal(m.New)
	}
	for i, s := range p.shards {
		own, ok := s.Schema().Resolve(list[0].Column)
		if !ok {
			continue
		}
		n, err := s.Count(ctx, own.Table, p.engine.Quote(own.Name)+" IN ("+strings.Join(words, ", ")+")")
		switch {
		case err != nil:
			return false, err
		case n == 0:
			continue
		case len(list) > 1: // which of them?
			for k := range list {
				if _, err := p.taken(ctx, list[k:k+1]); err != nil {
					return false, err
				}
			}
			return true, nil
		}
		found = true
		check := Check{Name: CheckRenames, Table: list[0].Column.Table, Column: list[0].Column.Name, Shard: list[0].Shard}
		p.fail(check, "%q was renamed to %q, which a row of %s has already", list[0].Old, list[0].New, p.name(i))
	}
	return found, nil
}

// renameOf is the group of the renames of one column under one unique key.
func (p *proof) renameOf(m merge.MemoryRename) *merge.Rename {
	var names []string
	for _, c := range m.Unique {
		names = append(names, c.Name)
	}
	for _, r := range p.rename {
		if r.Unique.Table == m.Column.Table && r.Column == m.Column.Name && slices.Equal(r.Unique.Columns, names) {
			return r
		}
	}
	r := &merge.Rename{Unique: merge.Unique{Table: m.Column.Table, Columns: names}, Column: m.Column.Name, Shards: make([][]merge.Renamed, len(p.shards))}
	if t := p.schema.Table(m.Column.Table); t != nil {
		for _, c := range names {
			collation := ""
			if col := t.Column(c, p.schema.Fold); col != nil {
				collation = col.Collation
			}
			r.Unique.Collations = append(r.Unique.Collations, collation)
		}
		for _, u := range t.Uniques {
			if slices.Equal(u.Columns, names) {
				r.Unique.Collations = u.Collations
				if !slices.ContainsFunc(u.Collations, func(c string) bool { return c == "" || c == "BINARY" }) { // of several, the one that calls most texts equal
					break
				}
			}
		}
	}
	for _, u := range p.plan.Uniques {
		if slices.Equal(u.Unique, m.Unique) {
			r.Mark, r.Collate = u.Mark, u.Collate
		}
	}
	p.rename = append(p.rename, r)
	return r
}

// before is a renamed row as it stood in its shard: the record names it by its key after the merge.
func (p *proof) before(t *merge.Table, m merge.MemoryRename, shard int) (merge.Renamed, error) {
	row := merge.Renamed{Old: m.Old, New: m.New}
	if len(m.Unique) == 1 {
		row.Values = []any{m.Old}
	}
	if len(m.Row) == 0 {
		if len(m.Unique) != 1 {
			return row, fmt.Errorf("%q was renamed in a table without a key, under several columns: the row cannot be found again", m.Old)
		}
		return row, nil
	}
	if len(m.Row) != len(t.PrimaryKey) {
		return row, fmt.Errorf("%q is recorded with %d key values for %d columns", m.Old, len(m.Row), len(t.PrimaryKey))
	}
	for i, name := range t.PrimaryKey {
		v, right := m.Row[i], true
		if p.schema.Equal(name, m.Column.Name) {
			v, right = m.Old, v == any(m.New)
		} else if k, ok := v.(int64); ok {
			if s := p.columnSpace(merge.Col{Table: t.Name, Name: name}); s != nil {
				old, _, _ := s.maps[shard].Origin(k)
				now, _ := s.maps[shard].Lookup(old)
				v, right = old, now == k
			}
		}
		if !right {
			return row, fmt.Errorf("%q was renamed in the row %v by the record, and no row of %s became that one", m.Old, m.Row[i], m.Shard)
		}
		row.Row = append(row.Row, v)
	}
	return row, nil
}
