package worlds

import (
	"database/sql"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"github.com/gameid/gameid/merge"
)

// decide writes the plan's remaining sections.
func (w *world) decide() {
	for i := range w.shards {
		n := int64(i*7 + 3)
		w.plan.Shards = append(w.plan.Shards, merge.Source{Name: fmt.Sprintf("s%d", i+1), Server: &n})
	}
	for _, t := range w.tables {
		line := merge.TablePlan{Table: t.name, Rows: t.rows, Missing: map[string]string{}, Columns: map[string]merge.Combine{}}
		if t.rows == merge.FromRows {
			line.From = w.plan.Shards[t.from].Name
		}
		for i, c := range t.columns {
			if c.lacks >= 0 {
				line.Missing[c.name] = "'none'"
			}
			if c.combine.How != "" {
				line.Columns[c.name] = c.combine
			} else if t.rows == merge.UnionRows && !slices.Contains(t.pk, i) {
				line.Columns[c.name] = merge.Combine{How: "first"}
			}
			if c.role == payload || c.role == tag || c.role == name || c.role == note || c.role == key && t.find(tag) >= 0 {
				w.plan.References = append(w.plan.References, merge.Reference{From: t.cols([]int{i}), As: merge.Keep})
			}
		}
		w.plan.Tables = append(w.plan.Tables, line)
		for _, k := range t.keys() {
			if c := t.columns[k]; c.rule != "" && !t.folds() {
				w.plan.Keys = append(w.plan.Keys, merge.KeyPlan{Key: t.col(k), New: c.rule, All: c.all, Range: c.span, Widen: c.widen})
			}
		}
	}
	for _, r := range w.refs {
		w.plan.References = append(w.plan.References, merge.Reference{From: r.table.cols(r.from), To: r.to.cols(r.at), When: r.when, None: r.none, Orphans: r.orphans})
	}
	for _, c := range w.copies {
		r := merge.Reference{From: c.table.cols([]int{c.column}), To: c.of.cols([]int{c.ofColumn}), As: merge.Copy, Via: c.via}
		if c.looked() {
			r.Orphans = merge.ByTombstone
		}
		if c.by != nil {
			by := c.by.table.col(c.by.from[0])
			r.By = &by
		}
		w.plan.References = append(w.plan.References, r)
	}
	if w.one(20) {
		w.loud = true
		w.shout()
	}
}

// shout writes the plan's names as somebody does who does not look: ASCII letters in another case are the same name.
func (w *world) shout() {
	cols := func(list []merge.Col) []merge.Col {
		var out []merge.Col
		for _, c := range list {
			out = append(out, merge.Col{Table: shouted(c.Table), Name: shouted(c.Name)})
		}
		return out
	}
	for i := range w.plan.References {
		r := &w.plan.References[i]
		r.From, r.To = cols(r.From), cols(r.To)
		if r.By != nil {
			r.By = &cols([]merge.Col{*r.By})[0]
		}
	}
	for i := range w.plan.Keys {
		w.plan.Keys[i].Key = cols([]merge.Col{w.plan.Keys[i].Key})[0]
	}
	for i := range w.plan.Uniques {
		w.plan.Uniques[i].Unique, w.plan.Uniques[i].Column = cols(w.plan.Uniques[i].Unique), shouted(w.plan.Uniques[i].Column)
	}
	for i := range w.plan.Counters {
		c := &w.plan.Counters[i]
		c.Column, c.Key = cols([]merge.Col{c.Column})[0], cols([]merge.Col{c.Key})[0]
	}
	for i := range w.plan.Tables {
		w.plan.Tables[i].Table = shouted(w.plan.Tables[i].Table)
	}
}

// build writes the shards and reads them back: what SQLite stored is what the answer starts from.
func (w *world) build(t *testing.T, dir string) {
	for i := range w.shards {
		path := filepath.Join(dir, fmt.Sprintf("%d.db", i+1))
		w.plan.Shards[i].Source = path
		db, err := sql.Open("sqlite3", path)
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		do := func(q string, args ...any) {
			if _, err := db.Exec(q, args...); err != nil && !strings.Contains(err.Error(), "UNIQUE constraint") {
				t.Fatalf("%s: %v", q, err)
			}
		}
		do("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
		for _, x := range w.order() {
			x.source = append(x.source, nil)
			if x.absent == i {
				continue
			}
			ddl := w.ddl(x, i)
			for _, q := range append([]string{ddl}, w.indexes[x]...) {
				do(q)
				w.built = append(w.built, q)
			}
			w.fillTable(do, x, i)
			x.source[i] = read(t, db, x, i)
			for tries := 0; i == 0 && x.nameless() && tries < 99; tries++ { // a column of any type is one of names by what it holds
				w.insert(do, x, i)
				x.source[i] = read(t, db, x, i)
			}
			for _, row := range x.source[i] {
				w.home[&row[0]] = i
			}
			if x.auto && w.one(50) {
				do("UPDATE sqlite_sequence SET seq = seq + 40 WHERE seq < 1 << 60 AND name = ? COLLATE NOCASE", x.name)
			}
		}
		for _, o := range w.objects {
			if _, err := db.Exec(o); err != nil && !strings.Contains(err.Error(), "no such table") {
				t.Fatalf("%s: %v", o, err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// nameless tells whether a column of names without a type for texts holds no text yet.
func (t *table) nameless() bool {
	n := t.find(name)
	if n < 0 || !strings.HasPrefix(t.columns[n].decl, "BLOB") && strings.TrimSpace(strings.ReplaceAll(t.columns[n].decl, "COLLATE NOCASE", "")) != "" {
		return false
	}
	return !slices.ContainsFunc(slices.Concat(t.source...), func(row []any) bool {
		text, ok := row[n].(string)
		return ok && text != ""
	})
}

// order puts every table behind those it refers to, as far as there is an order.
func (w *world) order() []*table { return w.tables }

// fillTable gives a shard's table its rows.
func (w *world) fillTable(do func(string, ...any), t *table, shard int) {
	for i, c := range w.counters {
		if c.table != t || w.one(20) && shard > 0 { // a counter that no server has is refused
			continue
		}
		row := make([]any, len(t.columns))
		row[t.find(key)], row[t.find(counts)] = c.name, pick[any](w, nil, int64(1), int64(w.IntN(30)), int64(5000+i))
		row[t.find(tag)] = t.columns[t.find(tag)].fill(w, shard)
		w.write(do, t, row, shard)
	}
	if t.find(counts) >= 0 {
		return
	}
	if t.owner != nil && shard > 0 { // every server has the same
		for _, row := range t.rowsOf(0) {
			if _, text := row[t.find(key)].(string); !text && find(t.owner, t.owner.to.rowsOf(shard), row) != nil && w.one(80) {
				w.write(do, t, row, shard)
			}
		}
	}
	for range w.IntN(9) {
		w.insert(do, t, shard)
	}
}

// number is a key: mostly a small one that other shards hold, too.
func (w *world) number(c *column) any {
	switch {
	case c.edge && w.one(25):
		list := []any{int64(math.MaxInt64 - 1), int64(math.MaxInt64 - 2), int64(math.MinInt64), int64(math.MinInt64 + 1), int64(math.MaxInt64 - 1000), int64(-1 << 62)}
		if !strings.Contains(c.decl, "AUTOINCREMENT") {
			list = append(list, int64(math.MaxInt64))
		}
		return pick(w, list...)
	case w.wide && c.span == nil && w.one(15):
		return pick[any](w, int64(-3), int64(1<<31), int64(1)<<53+1, int64(500))
	case strings.HasPrefix(w.sized(c.decl), w.sized("INT PRIMARY KEY")) && w.one(15): // such a key takes anything
		w.tags++
		return pick[any](w, nil, nil, fmt.Sprintf("k%d", w.tags))
	}
	return int64(1 + w.IntN(9))
}

func (w *world) insert(do func(string, ...any), t *table, shard int) {
	row := make([]any, len(t.columns))
	for i, c := range t.columns {
		switch {
		case c.fill != nil:
			row[i] = c.fill(w, shard)
		case c.role == key && c.text:
			row[i] = pick[any](w, "a", "A", "b", "B", "ä", "Ä", "c")
		case c.role == key:
			row[i] = w.number(c)
		case c.role == name:
			row[i] = pick[any](w, "Bob", "bob", "Ann", "李小龙", "李小龙二世很长名字呢", "Maximilian12", "x", "Zoe", "12", "", "a'b", `a"b`, "👨‍👩‍👧‍👦 fam", "nul\x00name", nil)
			if row[i] == nil && strings.Contains(c.decl, "NOT NULL") || row[i] == "👨‍👩‍👧‍👦 fam" && strings.Contains(c.decl, "(12)") || row[i] == "nul\x00name" && w.shards > 4 { // too long, or too many that end for NOCASE at NUL, for any new name
				row[i] = "Eve"
			}
		}
	}
	for _, r := range w.refs {
		if r.table == t && (r.holds == nil || r.holds(row)) {
			w.point(r, row, shard)
		}
	}
	for _, c := range w.copies {
		if c.table == t {
			row[c.column] = pick[any](w, "Bob", "BOB", "李小龙", "other", nil)
			if c.by != nil {
				if target := find(c.by, c.of.rowsOf(shard), row); target != nil && w.one(80) {
					row[c.column] = target[c.ofColumn]
				}
			}
			row[c.column] = through(c.via, row[c.column])
		}
	}
	if t.owner != nil && find(t.owner, t.owner.to.rowsOf(shard), row) == nil {
		return
	}
	w.write(do, t, row, shard)
}

// write inserts a row; one without a tag may come twice.
func (w *world) write(do func(string, ...any), t *table, row []any, shard int) {
	var names, marks []string
	var args []any
	for i, c := range t.columns {
		if c.lacks != shard {
			names, marks, args = append(names, quoted(c.name)), append(marks, "?"), append(args, row[i])
		}
	}
	for range 1 + w.IntN(2)*btoi(t.find(tag) < 0) {
		do("INSERT INTO "+quoted(t.name)+"("+strings.Join(names, ", ")+") VALUES("+strings.Join(marks, ", ")+")", args...)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *table) rowsOf(shard int) [][]any {
	if shard < len(t.source) {
		return t.source[shard]
	}
	return nil
}

// point fills a reference: mostly with a key that exists, sometimes with one that does not.
func (w *world) point(r *reference, row []any, shard int) {
	rows := r.to.rowsOf(shard)
	solid := slices.ContainsFunc(r.from, func(i int) bool {
		return strings.Contains(r.table.columns[i].decl, "KEY") || strings.Contains(r.table.columns[i].decl, "NOT NULL")
	})
	switch {
	case len(rows) > 0 && (w.one(75) || r.orphans == merge.ByFail):
		target := rows[w.IntN(len(rows))]
		for i, f := range r.from {
			row[f] = target[r.at[i]]
			if text, ok := row[f].(string); ok && r.to.columns[r.at[i]].role != name {
				row[f] = nil // a number is referred to, or nobody
			} else if ok && strings.Contains(r.to.columns[r.at[i]].decl, "NOCASE") && w.one(30) {
				row[f] = shouted(text)
			}
		}
	case r.orphans == merge.ByFail:
		row[r.from[0]] = nil
	default:
		for i, f := range r.from {
			row[f] = any(int64(1 + w.IntN(12)))
			if w.one(15) {
				row[f] = pick[any](w, int64(-5), int64(-6), int64(70000), int64(1)<<40, int64(math.MaxInt64), int64(math.MaxInt64-1), int64(math.MinInt64), int64(1)<<53+1)
			}
			if r.to.columns[r.at[i]].role == name {
				row[f] = pick[any](w, "nobody", "S10.Bob", "Nemo", "Bob", "Ann", "x", "Zoe")
				if w.again { // a name that the first merge gives must not be somebody's lost one
					row[f] = "nobody"
				}
			}
			if !solid && w.one(20) {
				row[f] = pick(w, append(slices.Clone(r.none), nil)...)
			}
		}
		if len(r.from) > 1 && w.one(30) {
			row[r.from[0]] = nil
		}
	}
	for i, f := range r.from {
		if n, ok := row[f].(int64); ok && r.table.columns[f].decl == "" && r.to.columns[r.at[i]].role != name && w.one(40) {
			row[f] = strconv.FormatInt(n, 10)
		}
		if row[f] == nil && solid {
			row[f] = int64(1 + w.IntN(12))
		}
	}
}
