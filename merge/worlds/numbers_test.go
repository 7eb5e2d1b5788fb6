package worlds

import (
	"database/sql"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// number checks what the engine would number next: no key of the past, and no grave that the merge dug.
func (a *answer) number(db *sql.DB, x *table) {
	k := x.find(key)
	if k < 0 || !strings.HasPrefix(x.columns[k].decl, "INTEGER PRIMARY KEY") || strings.HasSuffix(x.columns[k].decl, "DESC") || len(a.merged[x]) == 0 {
		return
	}
	var seq, top int64
	for _, row := range a.merged[x] {
		top = max(top, row[k].(int64))
	}
	if x.auto {
		if err := db.QueryRow("SELECT seq FROM sqlite_sequence WHERE name = ? COLLATE NOCASE", x.name).Scan(&seq); err != nil {
			a.fail("%s: no counter: %v", x.name, err)
		}
		if seq < top {
			a.fail("%s: the counter stands at %d, below the key %d", x.name, seq, top)
		}
	}
	if top = max(seq, top); top < math.MaxInt64 && a.dug[cell{x, k}][top+1] {
		a.fail("%s: the next row gets %d, which is a grave", x.name, top+1)
	}
}

// counter checks one of the game's own counters: it passes every key by its margin, is never set back, is not moved for nothing, and its next number is no grave.
func (a *answer) counter(c counting) {
	n, k := c.table.find(counts), c.table.find(key)
	var before, after any
	for _, rows := range c.table.source {
		for _, row := range rows {
			if v, ok := row[n].(int64); row[k] == c.name && ok && (before == nil || v > before.(int64)) {
				before = v
			}
		}
	}
	found := false
	for _, row := range a.merged[c.table] {
		if row[k] == c.name {
			after, found = row[n], true
		}
	}
	if !found {
		return // no server counted it
	}
	var top any
	for _, row := range a.merged[c.of] {
		if v, ok := row[c.column].(int64); ok && (top == nil || v > top.(int64)) {
			top = v
		}
	}
	if top == nil {
		if after != before {
			a.fail("%s: the counter %s was %v, counts nothing and is %v", c.table.name, c.name, before, after)
		}
		return
	}
	v, ok := after.(int64)
	b, had := before.(int64)
	graves := a.dug[a.root(cell{c.of, c.column})]
	switch want := top.(int64) + c.margin; {
	case !ok || v < want || had && v < b:
		a.fail("%s: the counter %s was %v and is %v, want %d at least", c.table.name, c.name, before, after, want)
	case v > want && (!had || v != b) && !slices.ContainsFunc(sorted(graves), func(g int64) bool { return g+c.margin >= v }):
		a.fail("%s: the counter %s was %v and is %d, want %d", c.table.name, c.name, before, v, want)
	case (graves[v] || graves[v+1]) && c.of.columns[c.column].rule != merge.GameID: // a counter after IDs walks into others' IDs, and the audit says so
		a.fail("%s: the counter %s is %d, and a grave stands there", c.table.name, c.name, v)
	}
}

func sorted(set map[int64]bool) (list []int64) {
	for v := range set {
		list = append(list, v)
	}
	slices.Sort(list)
	return list
}

// declared checks that widened columns are declared 8 bytes wide, that the others are declared as before, and what generated columns say.
func (a *answer) declared(db *sql.DB, x *table) {
	wide := map[int]bool{}
	for i, c := range x.columns {
		if c.widen {
			wide[i] = true
		}
	}
	for _, r := range a.w.refs {
		for i, f := range r.from {
			root := a.root(cell{r.to, r.at[i]})
			if r.table == x && root.table.columns[root.column].widen {
				wide[f] = true
			}
		}
	}
	for i, c := range x.columns {
		var got string
		if err := db.QueryRow("SELECT type FROM pragma_table_xinfo(?) WHERE name = ? COLLATE NOCASE", x.name, c.name).Scan(&got); err != nil {
			a.fail("%s: %s: %v", x.name, c.name, err)
			continue
		}
		first, _, _ := strings.Cut(c.decl, " ")
		if narrow := strings.HasPrefix(strings.ToUpper(got), "INT") && !strings.HasPrefix(strings.ToUpper(got), "INTEGER") || strings.HasPrefix(got, "smallint"); wide[i] && narrow {
			a.fail("%s: %s is %s, want 8 bytes", x.name, c.name, got)
		} else if !wide[i] && !strings.HasPrefix(got, strings.TrimSuffix(first, ",")) && first != "COLLATE" {
			a.fail("%s: %s is declared as %s, want %s", x.name, c.name, got, c.decl)
		}
	}
	if x.generated[0] != "" {
		var n int
		if err := db.QueryRow("SELECT count(*) FROM " + quoted(x.name) + " WHERE " + quoted(x.generated[0]) + " IS NOT (" + x.generated[1] + ")").Scan(&n); err != nil || n > 0 {
			a.fail("%s: %d generated values are wrong, %v", x.name, n, err)
		}
	}
}

// again tells whether a number that no merged row has would be given to a next one, although a row of some server had one as high.
func (a *answer) again(c cell, v int64) bool {
	x := c.table
	remembers := strings.HasPrefix(x.columns[c.column].decl, "INTEGER PRIMARY KEY") && x.auto
	game := slices.ContainsFunc(a.w.counters, func(k counting) bool { return k.of == x && k.column == c.column })
	if remembers && !game || x.columns[c.column].rule == merge.Static && !x.folds() {
		return false
	}
	highest := func(lists ...[][]any) (top int64) {
		for _, rows := range lists {
			for _, row := range rows {
				if k, ok := row[c.column].(int64); ok {
					top = max(top, k)
				}
			}
		}
		return top
	}
	const far = 1 << 52 // nobody gets there row by row
	return v > highest(a.merged[x]) && v <= far && (x.rows == merge.EmptyRows || v <= highest(x.source...))
}
