package worlds

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

func (a *answer) alive(r *reference, m []any) bool { return find(r, a.merged[r.to], m) != nil }

func unshifted(a *answer, r *reference, before, after []any) (any, bool) {
	f := r.from[0]
	return before[f], before[f] != after[f] && a.alive(r, after)
}

func captured(a *answer, r *reference, _, after []any) (any, bool) {
	i := slices.IndexFunc(a.merged[r.to], func(m []any) bool { _, ok := m[r.at[0]].(int64); return ok })
	if i < 0 || a.alive(r, after) || r.to.folds() || r.to.columns[r.at[0]].rule == merge.Static {
		return nil, false
	}
	return a.merged[r.to][i][r.at[0]], true
}

func swapped(a *answer, r *reference, _, after []any) (any, bool) {
	if _, number := after[r.from[0]].(int64); !number || !a.alive(r, after) {
		return nil, false
	}
	for _, other := range a.merged[r.to] {
		if n, ok := other[r.at[0]].(int64); ok && n != after[r.from[0]] {
			return n, true
		}
	}
	return nil, false
}

func floated(a *answer, r *reference, _, after []any) (any, bool) {
	n, ok := after[r.from[0]].(int64)
	return float64(n), ok && r.table.columns[r.from[0]].decl == "" && a.alive(r, after)
}

func textLeft(a *answer, r *reference, before, after []any) (any, bool) {
	f := r.from[0]
	_, text := before[f].(string)
	return before[f], text && before[f] != after[f] && a.alive(r, after)
}

// reused gives a dead value of one shard to another shard's dead reference.
func reused(w *world, a *answer) (list []change) {
	for _, r := range w.refs {
		if len(r.from) > 1 || len(list) > 0 || r.orphans != merge.ByTombstone || r.to.folds() || r.to.columns[r.at[0]].role == name || r.to.columns[r.at[0]].rule == merge.Static {
			continue
		}
		first := map[int]any{}
		a.images(r.table, func(s int, row, m []any) bool {
			n, number := m[r.from[0]].(int64)
			if !number || !r.speaks(row) || !r.speaks(m) || a.alive(r, m) {
				return true
			}
			for other, v := range first {
				if other != s && v != n {
					list = []change{set(r.table, r.from[0], m, v)}
					return false
				}
			}
			first[s] = n
			return true
		})
	}
	return list
}

// foldedStarters makes one of two shards' equal rows, and points what referred to the second at the first.
func foldedStarters(w *world, a *answer) (list []change) {
	for _, x := range w.tables {
		if x.owner == nil || len(list) > 0 {
			continue
		}
		k, first := x.find(key), map[string][]any{}
		a.images(x, func(_ int, row, m []any) bool {
			words := ""
			for _, v := range row {
				words += show(v) + "|"
			}
			one, known := first[words]
			if !known {
				first[words] = m
				return true
			}
			list = []change{{"DELETE FROM " + quoted(x.name) + " WHERE " + quoted(x.columns[k].name) + " = ?", []any{m[k]}}}
			for _, r := range w.refs {
				if r.to != x || r.at[0] != k || r.when != "" {
					continue
				}
				a.images(r.table, func(_ int, _, user []any) bool {
					if user[r.from[0]] == m[k] {
						list = append(list, set(r.table, r.from[0], user, one[k]))
					}
					return true
				})
			}
			return false
		})
	}
	return list
}

func fired(w *world, _ *answer) []change {
	if w.writes == "" {
		return nil
	}
	return []change{{query: w.writes}}
}

func lostTrigger(w *world, _ *answer) (list []change) {
	for _, name := range w.triggers {
		list = append(list, change{query: "DROP TRIGGER " + quoted(name)})
	}
	return list
}

func lostView(w *world, _ *answer) (list []change) {
	for _, name := range w.views {
		list = append(list, change{query: "DROP VIEW " + quoted(name)})
	}
	return list
}

// swappedPair exchanges the two sides of a friendship.
func swappedPair(w *world, a *answer) (list []change) {
	for _, x := range w.tables {
		if len(x.pk) != 2 || x.columns[x.pk[0]].role != refers || x.columns[x.pk[1]].role != refers || len(list) > 0 {
			continue
		}
		p, q := quoted(x.columns[x.pk[0]].name), quoted(x.columns[x.pk[1]].name)
		a.images(x, func(_ int, _, m []any) bool {
			turned := func(o []any) bool { return o[x.pk[0]] == m[x.pk[1]] && o[x.pk[1]] == m[x.pk[0]] }
			dead := func(r *reference) bool { return r.table == x && !a.alive(r, m) }
			if m[x.pk[0]] == m[x.pk[1]] || slices.ContainsFunc(w.refs, dead) || slices.ContainsFunc(a.merged[x], turned) { // nobody's, or no room for what is turned round
				return true
			}
			n := x.find(tag)
			list = []change{{"UPDATE OR IGNORE " + quoted(x.name) + " SET " + p + " = " + q + ", " + q + " = " + p + " WHERE " + quoted(x.columns[n].name) + " = ?", []any{m[n]}}}
			return false
		})
	}
	return list
}

func staleCounter(w *world, a *answer) []change {
	for _, x := range w.tables {
		for _, row := range a.merged[x] {
			if x.auto && row[x.find(key)].(int64) > 1 {
				return []change{{"UPDATE sqlite_sequence SET seq = 1 WHERE name = ? COLLATE NOCASE", []any{x.name}}}
			}
		}
	}
	return nil
}

func staleGameCounter(w *world, a *answer) []change {
	for _, c := range w.counters {
		n, k := c.table.find(counts), c.table.find(key)
		for _, m := range a.merged[c.table] {
			for _, row := range a.merged[c.of] {
				if top, ok := row[c.column].(int64); ok && top > 1 && m[k] == c.name {
					return []change{{"UPDATE " + quoted(c.table.name) + " SET " + quoted(c.table.columns[n].name) + " = 1 WHERE " + quoted(c.table.columns[k].name) + " = ?", []any{c.name}}}
				}
			}
		}
	}
	return nil
}

func droppedRow(w *world, a *answer) []change {
	for _, x := range w.tables {
		if n := x.find(tag); n >= 0 && len(a.merged[x]) > 0 {
			return []change{{"DELETE FROM " + quoted(x.name) + " WHERE " + quoted(x.columns[n].name) + " = ?", []any{a.merged[x][0][n]}}}
		}
	}
	return nil
}

// foldedEqual takes one of the equal rows of a table without a key.
func foldedEqual(w *world, a *answer) []change {
	for _, x := range w.tables {
		if x.find(tag) >= 0 || slices.ContainsFunc(x.columns, func(c *column) bool { return c.name == "rowid" }) || len(a.merged[x]) == 0 {
			continue
		}
		return []change{{"DELETE FROM " + quoted(x.name) + " WHERE rowid IN (SELECT rowid FROM " + quoted(x.name) + " LIMIT 1)", nil}}
	}
	return nil
}

// changedInVain gives a row that keeps its key, and all that refers to it, another one that nobody has.
func changedInVain(w *world, a *answer) (list []change) {
	const fresh = 7_777_777
	for _, x := range w.tables {
		k := x.find(key)
		if k < 0 || x.columns[k].text || x.columns[k].edge || x.columns[k].all || len(list) > 0 {
			continue
		}
		a.images(x, func(_ int, row, m []any) bool {
			if _, number := row[k].(int64); !number || row[k] != m[k] {
				return true
			}
			list = []change{set(x, k, m, int64(fresh))}
			for _, r := range w.refs {
				if r.to == x && r.at[0] == k && len(r.from) == 1 {
					a.images(r.table, func(_ int, _, user []any) bool {
						if r.speaks(user) && index(r, [][]any{m}, user) == 0 && r.table != x {
							list = append(list, set(r.table, r.from[0], user, int64(fresh)))
						}
						return true
					})
				}
			}
			return false
		})
	}
	return list
}

func lostCell(w *world, a *answer) (list []change) {
	for _, x := range w.tables {
		a.images(x, func(_ int, _, m []any) bool {
			for c, col := range x.columns {
				if col.role == payload && m[c] == "" && len(list) == 0 {
					list = []change{set(x, c, m, nil)}
				}
			}
			return len(list) == 0
		})
	}
	return list
}

func oldName(w *world, a *answer) (list []change) {
	for _, c := range w.copies {
		a.images(c.table, func(_ int, row, m []any) bool {
			if m[c.column] != row[c.column] && len(list) == 0 {
				list = []change{set(c.table, c.column, m, row[c.column])}
			}
			return len(list) == 0
		})
	}
	return list
}

func lostMark(w *world, a *answer) (list []change) {
	for _, x := range w.tables {
		n := x.find(name)
		if n < 0 || x.columns[n].mark < 0 || len(list) > 0 {
			continue
		}
		mark := x.columns[n].mark
		a.images(x, func(_ int, _, m []any) bool {
			if m[mark] == int64(1) {
				list = []change{set(x, mark, m, int64(0))}
			}
			return len(list) == 0
		})
	}
	return list
}

// keyOnGrave gives a row a key that a dead reference holds.
func keyOnGrave(w *world, a *answer) (list []change) {
	for _, x := range w.tables {
		k := x.find(key)
		if k < 0 || len(list) > 0 {
			continue
		}
		for _, grave := range sorted(a.dug[cell{x, k}]) {
			a.images(x, func(_ int, _, m []any) bool {
				if _, number := m[k].(int64); number {
					list = []change{set(x, k, m, grave)}
				}
				return len(list) == 0
			})
		}
	}
	return list
}
