package mapping

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// readNames finds the columns by which people call rows: texts that are unique by themselves. What those store that are neither of texts nor keys that a merge
// recorded has to be looked at.
func (m *Map) readNames(ctx context.Context) error {
	schema := m.merged.Schema().Copy()
	var alone []merge.Col
	schema.Tables = slices.DeleteFunc(slices.Clone(schema.Tables), func(t *merge.Table) bool {
		sure := true
		for _, u := range t.Uniques {
			c := u.Cols()
			if len(c) != 1 || !u.Plain() || c[0].Name == t.AutoColumn || slices.Contains(m.columns(), c[0]) || slices.Contains(alone, c[0]) {
				continue
			}
			alone = append(alone, c[0])
			sure = sure && schema.Holds(c[0]) == merge.Text
		}
		return sure
	})
	if err := merge.FindTexts(ctx, schema, []merge.Shard{m.merged}); err != nil {
		return err
	}
	schema.Tables = m.merged.Schema().Tables
	m.names = slices.DeleteFunc(alone, func(c merge.Col) bool { return schema.Holds(c) != merge.Text })
	return nil
}

// fewNames is how many rows one name finds in a column at the most: a unique key over some rows alone may leave several.
const fewNames = 16

// kept answers about names that stand in the merged database and that no rename made: which inputs may have had them.
func (m *Map) kept(ctx context.Context, q *question) (list []Answer, err error) {
	for _, col := range m.names {
		if q.col != nil && col != *q.col {
			continue
		}
		found, err := m.merged.Values(ctx, col, m.quoter.Quote(col.Name)+" = "+m.quoter.Literal(q.value), fewNames)
		if err != nil {
			return nil, err
		}
		for _, v := range found {
			name, ok := v.Value[0].(string)
			if !ok {
				continue
			}
			of, err := m.bearers(ctx, col, name)
			if err != nil {
				return nil, err
			}
			of = m.bore(of, col, func(r *renamed) (made, lost bool) { return r.name == name, same(r.Old, name) })
			if !slices.ContainsFunc(of, q.asks) {
				continue
			}
			list = append(list, q.answer(Answer{Key: col, Old: name, New: name, Rule: Unchanged}, of))
		}
	}
	return list, nil
}

// bearers are the inputs that may have had the rows of a name: by their keys, where the record knows those, and otherwise all.
func (m *Map) bearers(ctx context.Context, col merge.Col, name string) (list []string, err error) {
	key, ok := m.keyOf(m.merged.Schema().Table(col.Table))
	if !ok {
		return m.origins(), nil
	}
	rows, err := m.merged.Values(ctx, key, m.quoter.Quote(col.Name)+" = "+m.quoter.Literal(name), fewNames)
	for _, r := range rows {
		if v, ok := r.Value[0].(int64); ok {
			for _, h := range m.holders("", key, v) {
				if !slices.Contains(list, h.origin) {
					list = append(list, h.origin)
				}
			}
		}
	}
	return list, err
}

// keyOf is the column by whose values the record knows a table's rows.
func (m *Map) keyOf(t *merge.Table) (key merge.Col, ok bool) {
	if t == nil || len(t.PrimaryKey) != 1 {
		return merge.Col{}, false
	}
	key = t.KeyCols()[0]
	return key, slices.Contains(m.columns(), key)
}
