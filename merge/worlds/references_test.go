package worlds

import (
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// find is the row of a list that a reference of row points at; nil when it points at nobody.
func find(r *reference, rows [][]any, row []any) []any {
	if i := index(r, rows, row); i >= 0 {
		return rows[i]
	}
	return nil
}

func index(r *reference, rows [][]any, row []any) int {
	return slices.IndexFunc(rows, func(target []any) bool {
		for i, f := range r.from {
			if !same(row[f], target[r.at[i]], r.to.columns[r.at[i]]) {
				return false
			}
		}
		return true
	})
}

// same tells whether a value names a key, as the key's column compares.
func same(v, k any, c *column) bool {
	if v == nil || k == nil {
		return false
	}
	if c.role == name || c.text {
		x, ok1 := v.(string)
		y, ok2 := k.(string)
		return ok1 && ok2 && (x == y || strings.Contains(c.decl, "NOCASE") && merge.FoldASCII(x) == merge.FoldASCII(y))
	}
	x, ok1 := integer(v)
	y, ok2 := k.(int64)
	return ok1 && ok2 && x == y
}

// speaks tells whether a reference says something about a row: its condition holds and no part is null or means nobody.
func (r *reference) speaks(row []any) bool {
	if r.holds != nil && !r.holds(row) {
		return false
	}
	for _, f := range r.from {
		if row[f] == nil {
			return false
		}
		n, isInt := integer(row[f])
		for _, v := range r.none {
			if isInt && v == n || v == row[f] {
				return false
			}
		}
	}
	return true
}

// target is the row, of some shard, that a row of a shard points at; ok is false when it points at nobody.
func (a *answer) target(r *reference, shard int, row []any) (from, at int, ok bool) {
	if r.to.rows == merge.FromRows {
		if own := r.to.source[shard]; len(own) > 0 && find(r, own, row) == nil {
			return 0, 0, false // what was dead does not come alive with another shard's rows
		}
		shard = r.to.from
	}
	if r.to.rows == merge.EmptyRows {
		return 0, 0, false
	}
	for i, target := range r.to.source[shard] {
		if a.left[r.to][shard][i] {
			continue
		}
		if index(r, [][]any{target}, row) == 0 {
			return shard, i, true
		}
	}
	return 0, 0, false
}

// found tells whether a dead value of a key that stays is some row's in the merged database.
func (a *answer) found(r *reference, row []any) bool {
	return slices.ContainsFunc(a.merged[r.to], func(m []any) bool { return index(r, [][]any{m}, row) == 0 })
}

// drops follows rows that are left out until nothing changes.
func (a *answer) drops() {
	for changed := true; changed; {
		changed = false
		for _, r := range a.w.refs {
			if r.orphans != merge.ByDrop {
				continue
			}
			for s, rows := range r.table.source {
				for i, row := range rows {
					if a.left[r.table][s][i] || !r.speaks(row) {
						continue
					}
					if _, _, ok := a.target(r, s, row); !ok {
						a.left[r.table][s][i], changed = true, true
					}
				}
			}
		}
	}
}
