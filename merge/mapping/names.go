package mapping

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// names are the columns by which people call rows: texts that are unique by themselves.
func (m *Map) names() []merge.Col {
	var list []merge.Col
	for _, t := range m.merged.Schema().Tables {
		for _, u := range t.Uniques {
			if c := u.Cols(); len(c) == 1 && u.Plain() && m.merged.Schema().Column(c[0]).Affinity == merge.Text && !slices.Contains(list, c[0]) {
				list = append(list, c[0])
			}
		}
	}
	return list
}

// fewNames is how many rows one name finds in a column at the most: a unique key over some rows alone may leave several.
const fewNames = 16

// kept answers about names that stand in the merged database and that no rename made: which inputs may have had them.
func (m *Map) kept(ctx context.Context, q *question) (list []Answer, err error) {
	for _, col := range m.names() {
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
			made, of := false, []string(nil)
			for _, s := range m.mem.Shards {
				if q.asks(s.Name) {
					of = append(of, s.Name)
				}
			}
			for _, r := range m.Renames() {
				if r.Key == col {
					made = made || r.New == name
					of = slices.DeleteFunc(of, func(o string) bool { return o == r.Shard && same(r.Old, name) })
				}
			}
			if made || len(of) == 0 {
				continue
			}
			a := Answer{Key: col, Old: name, New: name, Rule: Unchanged, Of: of}
			if len(of) == 1 {
				a.Shard, a.Of = of[0], nil
			}
			list = append(list, a)
		}
	}
	return list, nil
}
