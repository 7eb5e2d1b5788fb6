package worlds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// rows checks that a table holds the rows that it must, each with its own values.
func (a *answer) rows(x *table) {
	var want []string
	var got []string
	n := x.find(tag)
	for s, rows := range x.source {
		for i, row := range rows {
			if !x.takes(s) || a.left[x][s][i] {
				continue
			}
			if (x.rows == merge.FirstRows || x.rows == merge.UnionRows) && a.stays(x, row)[n] != row[n] {
				continue
			}
			if x.rows == merge.UnionRows {
				row = a.combined(x, row)
			}
			if n < 0 {
				want = append(want, a.line(x, s, i, row, nil))
				continue
			}
			m := a.image(x, row)
			if m == nil {
				a.fail("%s: row %v is lost", x.name, row[n])
				continue
			}
			want, got = append(want, a.line(x, s, i, row, nil)), append(got, a.line(x, s, i, row, m))
			if c := x.find(name); c >= 0 && a.loser[x][s][i] && !a.fits(x, c, row[c], m[c]) {
				a.fail("%s: row %v got the name %v instead of %v", x.name, row[n], m[c], row[c])
			}
		}
	}
	if len(a.merged[x]) != len(want) {
		a.fail("%s: %d rows, want %d", x.name, len(a.merged[x]), len(want))
	}
	if n < 0 {
		for _, m := range a.merged[x] {
			got = append(got, a.bare(x, m))
		}
		slices.Sort(want)
		slices.Sort(got)
	}
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			a.fail("%s:\n got %s\nwant %s", x.name, got[i], want[i])
		}
	}
}

// line is a row of a shard as it must be; with m, as it is.
func (a *answer) line(x *table, shard, i int, row, m []any) string {
	var words []string
	for c := range x.columns {
		v, known := a.want(x, shard, i, row, c)
		switch {
		case !known:
			words = append(words, "?")
			continue
		case m != nil:
			v = m[c]
		}
		words = append(words, show(v))
	}
	return strings.Join(words, " | ")
}

// bare is a merged row of a table without a tag, its dead references left open.
func (a *answer) bare(x *table, m []any) string {
	var words []string
	for c := range x.columns {
		word := show(m[c])
		for _, r := range a.w.refs {
			if r.table == x && slices.Contains(r.from, c) && r.speaks(m) && find(r, a.merged[r.to], m) == nil {
				word = "?"
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, " | ")
}

// combined is a row of a union: what its columns make of all shards' rows.
func (a *answer) combined(x *table, first []any) []any {
	out := slices.Clone(first)
	var group [][]any
	for _, rows := range x.source {
		for _, row := range rows {
			if same(row[x.pk[0]], first[x.pk[0]], x.columns[x.pk[0]]) {
				group = append(group, row)
			}
		}
	}
	for c, col := range x.columns {
		if col.combine.How == "" {
			continue
		}
		var best any
		by := slices.IndexFunc(x.columns, func(o *column) bool { return o.name == col.combine.By })
		var newest any
		set := false
		for i, row := range group {
			v, ok := row[c].(int64)
			b, have := best.(int64)
			switch col.combine.How {
			case "sum":
				if ok {
					best = b + v
				}
			case "max", "min":
				if ok && (!have || (v > b) == (col.combine.How == "max")) {
					best = v
				}
			case "latest", "lowest":
				at, dated := row[by].(int64)
				top, known := newest.(int64)
				if i == 0 || dated && (!known || col.combine.How == "latest" && at > top || col.combine.How == "lowest" && at < top) {
					best, newest = row[c], row[by]
				}
			case "set":
				n, number := row[by].(int64)
				if holds := row[by] != nil && (!number || n != 0 && n != -1); i == 0 || holds && !set {
					best, set = row[c], holds
				}
			}
		}
		if limit := col.combine.Cap; limit != nil && len(group) > 1 {
			if b, ok := best.(int64); ok {
				best = min(b, *limit)
			}
		}
		out[c] = best
	}
	return out
}

// keys checks that keys change only where they must, and into values that nobody held.
func (a *answer) keys(x *table, k int) {
	n := x.find(tag)
	if x.folds() || x.rows == merge.EmptyRows {
		return
	}
	held, seen := map[int64]bool{}, map[int64]bool{}
	for s, rows := range x.source {
		for i, row := range rows {
			if v, ok := row[k].(int64); ok && !a.left[x][s][i] {
				held[v] = true
			}
		}
	}
	for s, rows := range x.source {
		var own []int64
		for i, row := range rows {
			m := a.image(x, row)
			if m == nil || a.left[x][s][i] {
				continue
			}
			old, ok := row[k].(int64)
			if !ok {
				if m[k] != row[k] {
					a.fail("%s: the key %v became %v", x.name, row[k], m[k])
				}
				continue
			}
			fresh, ok := m[k].(int64)
			must := seen[old] || x.columns[k].all
			if !ok || !a.w.again && must == (old == fresh) || must && old == fresh && !a.w.again || must && held[fresh] && !a.w.again {
				a.fail("%s: the key of %v was %d in shard %d and is %v", x.name, row[n], old, s+1, m[k])
			}
			if span := x.columns[k].span; span != nil && fresh != old && (fresh < span[0] || fresh > span[1]) {
				a.fail("%s: the new key %d of %v lies outside %v", x.name, fresh, row[n], *span)
			}
			own = append(own, old)
		}
		for _, v := range own {
			seen[v] = true
		}
	}
}

// graves checks dead values: one of one shard stays one, those of two shards stay two, and none is anybody's key.
func (a *answer) graves() {
	type grave struct {
		at    cell
		shard int
		value int64
	}
	became := map[grave]int64{}
	owner := map[cell]map[int64]grave{}
	for _, r := range a.w.refs {
		if len(r.from) > 1 || r.orphans != merge.ByTombstone || r.table.find(tag) < 0 || r.to.columns[r.at[0]].role == name || r.table.rows != merge.MergeRows {
			continue
		}
		for s, rows := range r.table.source {
			for i, row := range rows {
				if a.left[r.table][s][i] || !r.speaks(row) {
					continue
				}
				if _, _, ok := a.target(r, s, row); ok {
					continue
				}
				old, isInt := integer(row[r.from[0]])
				m := a.image(r.table, row)
				if !isInt || m == nil {
					continue
				}
				v, isInt := integer(m[r.from[0]])
				if !isInt || fmt.Sprintf("%T", m[r.from[0]]) != fmt.Sprintf("%T", row[r.from[0]]) {
					a.fail("%s: the dead value %v became %v", r.table.name, row[r.from[0]], m[r.from[0]])
					continue
				}
				if find(r, a.merged[r.to], m) != nil {
					a.fail("%s: %s of %s was dead (%d in shard %d) and is somebody's key, %d", r.table.name, r.table.columns[r.from[0]].name, r.to.name, old, s+1, v)
				}
				root := a.root(cell{r.to, r.at[0]})
				if v == old && !a.w.again && a.again(root, v) { // a second merge knows nothing of rows that the first one left out
					a.fail("%s: %s of %s was dead (%d in shard %d), and the next row gets that number", r.table.name, r.table.columns[r.from[0]].name, r.to.name, old, s+1)
				}
				lives := slices.ContainsFunc(a.merged[root.table], func(row []any) bool { return row[root.column] == v }) // it lacks a detail alone
				if v != old && !lives {
					if a.dug[root] == nil {
						a.dug[root] = map[int64]bool{}
					}
					a.dug[root][v] = true
				}
				g := grave{root, s, old}
				if b, ok := became[g]; ok && b != v {
					a.fail("%s: the dead value %d of shard %d became %d and %d", r.table.name, old, s+1, b, v)
				}
				became[g] = v
				if owner[root] == nil {
					owner[root] = map[int64]grave{}
				}
				if o, ok := owner[root][v]; ok && o != g && (!r.to.static(r.at[0]) || o.value != g.value) {
					a.fail("%s: the dead values %d of shard %d and %d of shard %d are both %d now", root.table.name, o.value, o.shard+1, old, s+1, v)
				}
				owner[root][v] = g
			}
		}
	}
}

// cell is a column of a table.
type cell struct {
	table  *table
	column int
}

// root is the key that a key which is a reference belongs to.
func (a *answer) root(c cell) cell {
	for _, r := range a.w.refs {
		if r.table == c.table && len(r.from) == 1 && r.when == "" && r.from[0] == c.column && slices.Contains(c.table.pk, c.column) {
			return a.root(cell{r.to, r.at[0]})
		}
	}
	return c
}
