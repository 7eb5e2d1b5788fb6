package worlds

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// generate makes a world from a seed.
func generate(seed uint64) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 1))}
	w.shards = pick(w, 1, 2, 2, 2, 3, 3, 4)
	w.wide = w.one(40)
	if w.one(3) {
		w.shards = 12
	}
	var roots []*table
	for range 1 + w.IntN(3) {
		roots = append(roots, w.entity("player"))
	}
	for _, t := range roots { // they refer to each other, and to themselves
		if w.one(60) {
			w.link(t, pick(w, roots...), 0)
		}
	}
	var keyed []*table
	for range 1 + w.IntN(3) {
		parent := pick(w, append(keyed, roots...)...)
		keyed = append(keyed, w.detail(parent))
	}
	targets := slices.Concat(roots, keyed)
	for range 1 + w.IntN(3) {
		t := w.entity("item")
		for range 1 + w.IntN(3) {
			w.link(t, pick(w, targets...), 0)
		}
		if w.shards > 1 && w.one(20) {
			t.absent = w.IntN(w.shards)
			for _, c := range t.columns {
				c.lacks = -1
			}
		}
	}
	w.slots(pick(w, roots...))
	w.journal(roots)
	w.folded()
	w.named(roots)
	if w.one(40) {
		w.text()
	}
	w.decide()
	return w
}

// sized is a declaration in which INT, which MySQL reads as 4 bytes, holds the keys of a wide world.
func (w *world) sized(decl string) string {
	if w.wide && (decl == "INT" || strings.HasPrefix(decl, "INT ")) {
		return "BIGINT" + decl[3:]
	}
	return decl
}

func (w *world) table(base string) *table {
	t := &table{name: w.fresh(base), rows: merge.MergeRows, absent: -1}
	w.tables = append(w.tables, t)
	return t
}

func (w *world) tagged(t *table) {
	t.add(&column{name: w.fresh("tag"), decl: "TEXT", role: tag, fill: func(w *world, shard int) any {
		w.tags++
		return fmt.Sprintf("s%d-%d", shard+1, w.tags)
	}})
}

// hard are values that a careless copy would change.
func hard(w *world, _ int) any {
	return pick[any](w, nil, "", "a\x00b", "\xff\xfe", math.Copysign(0, -1), math.Inf(1), math.Inf(-1), int64(1)<<53+1, "007", "12", int64(12), 12.0, 1.5, []byte{}, []byte{0, 1, 255}, "名字", int64(math.MaxInt64), int64(math.MinInt64), " 1")
}

func (w *world) payloads(t *table) {
	for range 1 + w.IntN(2) {
		c := &column{name: w.fresh("data"), decl: pick(w, "", "TEXT", "REAL", "BLOB", "NUMERIC", "TEXT COLLATE NOCASE"), fill: hard, lacks: -1}
		if t.suffix == " STRICT" {
			c.decl = "ANY"
		}
		if w.shards > 1 && w.one(20) && t.rows == merge.MergeRows {
			c.lacks = w.IntN(w.shards)
		}
		t.add(c)
	}
	if t.suffix != " STRICT" && w.one(20) {
		t.generated = quoted(w.fresh("gen")) + " AS (1 + 1) " + pick(w, "VIRTUAL", "STORED")
	}
}

// entity is a table with an integer key of its own.
func (w *world) entity(base string) *table {
	t := w.table(base)
	decl := pick(w, "INTEGER PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT", "INT PRIMARY KEY", "INTEGER PRIMARY KEY DESC", "BIGINT NOT NULL PRIMARY KEY", "INT NOT NULL PRIMARY KEY", "INTEGER NOT NULL UNIQUE")
	t.auto = decl == "INTEGER PRIMARY KEY AUTOINCREMENT"
	if decl == "INT NOT NULL PRIMARY KEY" {
		t.suffix = pick(w, " WITHOUT ROWID", " STRICT", "")
	}
	strict := t.suffix == " STRICT"
	if strict && w.wide {
		decl = "INTEGER PRIMARY KEY DESC"
	}
	t.rule = pick(w, "", merge.Shift, merge.Dense, merge.GameID)
	if decl == "INTEGER NOT NULL UNIQUE" {
		t.rule = pick(w, merge.Shift, merge.Dense, merge.GameID)
	}
	if t.rule == merge.Dense && w.one(30) {
		t.span = &[2]int64{1, 60000}
	}
	t.all = t.rule != "" && w.one(25)
	k := t.add(&column{name: w.fresh("id"), decl: w.sized(decl), role: key})
	if decl != "INTEGER NOT NULL UNIQUE" {
		t.pk = []int{k}
	}
	w.tagged(t)
	w.payloads(t)
	return t
}

// link adds a reference column from one table to another.
func (w *world) link(t, to *table, flags int) *reference {
	target := to.pk
	if len(target) == 0 {
		target = []int{to.find(key)}
	}
	r := &reference{table: t, to: to, at: target, orphans: pick(w, merge.ByTombstone, merge.ByTombstone, merge.ByTombstone, merge.ByClear, merge.ByDrop)}
	if flags == plainOnly {
		r.orphans = merge.ByTombstone
	}
	c := &column{name: w.fresh("owner"), role: refers, decl: w.sized(pick(w, "INTEGER", "INT", "BIGINT", "", "NUMERIC", "TEXT", "INTEGER DEFAULT 0"))}
	if t.suffix == " STRICT" {
		c.decl = pick(w, "INTEGER", "ANY")
	}
	if to.span != nil && w.one(30) && t.suffix == "" {
		c.decl = "smallint unsigned"
	}
	r.declared = w.one(40)
	r.none = []any{int64(0), int64(-1)}
	r.from = []int{t.add(c)}
	w.refs = append(w.refs, r)
	return r
}

const plainOnly = 1

// detail is a table whose key is a reference.
func (w *world) detail(parent *table) *table {
	t := w.table("detail")
	t.suffix = pick(w, "", "", " WITHOUT ROWID")
	target := parent.pk
	if len(target) == 0 {
		target = []int{parent.find(key)}
	}
	r := &reference{table: t, to: parent, at: target, orphans: merge.ByTombstone, declared: w.one(50)}
	if w.one(30) {
		r.orphans = merge.ByDrop
	}
	r.from = []int{t.add(&column{name: w.fresh("pid"), decl: w.sized(pick(w, "INTEGER PRIMARY KEY", "INT NOT NULL PRIMARY KEY")), role: refers})}
	t.pk = r.from
	w.refs = append(w.refs, r)
	w.tagged(t)
	w.payloads(t)
	return t
}

// slots is a table keyed by a reference and a number, and one that refers to both.
func (w *world) slots(owner *table) {
	t := w.table("slot")
	r := w.link(t, owner, plainOnly)
	r.none = nil
	t.columns[r.from[0]].decl = w.sized("INT NOT NULL")
	n := t.add(&column{name: w.fresh("slot"), decl: "INT NOT NULL", fill: func(w *world, _ int) any { return int64(w.IntN(3)) }})
	t.pk = []int{r.from[0], n}
	t.suffix = pick(w, "", " WITHOUT ROWID")
	w.tagged(t)
	user := w.table("gem")
	w.tagged(user)
	a := user.add(&column{name: w.fresh("who"), decl: w.sized("INT"), role: refers})
	b := user.add(&column{name: w.fresh("at"), decl: w.sized("INT"), role: refers})
	w.refs = append(w.refs, &reference{table: user, to: t, from: []int{a, b}, at: t.pk, orphans: merge.ByTombstone, declared: w.one(50)})
}

// journal is a table without a key, with equal rows and a conditional reference.
func (w *world) journal(roots []*table) {
	t := w.table("log")
	kind := t.add(&column{name: w.fresh("kind"), decl: "INT", fill: func(w *world, _ int) any { return int64(w.IntN(len(roots) + 1)) }})
	c := t.add(&column{name: w.fresh("target"), decl: w.sized(pick(w, "INT", "TEXT", "")), role: refers})
	for i, to := range roots {
		target := to.pk
		if len(target) == 0 {
			target = []int{to.find(key)}
		}
		w.refs = append(w.refs, &reference{
			table: t, to: to, from: []int{c}, at: target, when: fmt.Sprintf("%s = %d", quoted(t.columns[kind].name), i), none: []any{int64(0), int64(-1)}, orphans: merge.ByTombstone,
			holds: func(row []any) bool { return row[kind] == int64(i) },
		})
	}
	w.plan.References = append(w.plan.References, merge.Reference{From: t.cols([]int{c}), As: merge.Keep, When: fmt.Sprintf("%s = %d", quoted(t.columns[kind].name), len(roots))})
	t.add(&column{name: w.fresh("note"), decl: "TEXT", fill: func(w *world, _ int) any { return pick[any](w, "x", nil) }})
}

// folded are tables whose rows of one key are one thing.
func (w *world) folded() {
	for _, rows := range []merge.Rows{merge.FirstRows, merge.UnionRows, merge.FromRows, merge.EmptyRows} {
		if w.one(50) {
			continue
		}
		t := w.table(string(rows))
		t.rows, t.from = rows, w.IntN(w.shards)
		if w.one(60) {
			t.pk = []int{t.add(&column{name: w.fresh("id"), decl: pick(w, "INTEGER PRIMARY KEY", "INT NOT NULL PRIMARY KEY"), role: key})}
		} else {
			t.pk = []int{t.add(&column{name: w.fresh("code"), decl: "TEXT COLLATE NOCASE NOT NULL PRIMARY KEY", fill: nil, role: key})}
			t.columns[0].constant = "text"
		}
		w.tagged(t)
		if rows == merge.UnionRows {
			small := func(w *world, _ int) any { return pick[any](w, nil, int64(w.IntN(20)-8), int64(w.IntN(20)-8)) }
			limit := int64(6)
			newest := t.add(&column{name: w.fresh("at"), decl: "INT", fill: small, combine: merge.Combine{How: "max"}})
			for _, how := range []merge.Combine{{How: "sum"}, {How: "sum", Cap: &limit}, {How: "min"}, {How: "max"}, {How: "latest", By: t.columns[newest].name}} {
				t.add(&column{name: w.fresh("val"), decl: "INT", fill: small, combine: how})
			}
		}
		if t.columns[0].constant == nil {
			user := w.entity("user")
			r := w.link(user, t, plainOnly)
			r.declared = false
		}
	}
}

// named gives names to entities, and copies of them to other tables.
func (w *world) named(roots []*table) {
	for _, t := range roots {
		if w.one(40) || t.suffix == " STRICT" {
			continue
		}
		for _, r := range w.refs { // a name outlives no row
			if r.table == t && r.orphans == merge.ByDrop {
				r.orphans = merge.ByTombstone
			}
		}
		collate := pick(w, "", " COLLATE NOCASE")
		n := t.add(&column{name: w.fresh("handle"), decl: pick(w, "TEXT", "varchar(12)") + collate, role: name})
		t.uniques = append(t.uniques, []int{n})
		w.plan.Uniques = append(w.plan.Uniques, merge.UniquePlan{Unique: t.cols([]int{n}), OnConflict: "rename", Template: pick(w, "S{server}.{value}", "{value}#{n}", "{shard}{value}")})
		for _, r := range w.refs {
			if r.to == t && len(r.from) == 1 && r.when == "" && r.table.suffix != " STRICT" && r.table.rows == merge.MergeRows && w.one(50) {
				w.copies = append(w.copies, copied{table: r.table, column: r.table.add(&column{name: w.fresh("copy"), decl: "TEXT", role: repeats}), by: r, of: t, ofColumn: n})
			}
		}
		if w.one(50) {
			u := w.table("mentions")
			w.tagged(u)
			w.copies = append(w.copies, copied{table: u, column: u.add(&column{name: w.fresh("copy"), decl: "TEXT", role: repeats}), of: t, ofColumn: n})
		}
		if w.one(40) { // a declared reference to the name
			u := w.table("fan")
			w.tagged(u)
			c := u.add(&column{name: w.fresh("idol"), decl: "TEXT", role: refers})
			w.refs = append(w.refs, &reference{table: u, to: t, from: []int{c}, at: []int{n}, orphans: merge.ByTombstone, declared: w.one(50)})
		}
	}
}

// text is a table without a primary key but with a number, a view and triggers that would spoil a merge.
func (w *world) text() {
	t := pick(w, w.tables...)
	q := quoted(t.name)
	w.triggers = append(w.triggers, w.fresh("trg"))
	w.objects = append(w.objects, "CREATE TRIGGER "+quoted(w.triggers[0])+" BEFORE INSERT ON "+q+" BEGIN SELECT RAISE(ABORT, 'no'); END",
		"CREATE VIEW "+quoted(w.fresh("view"))+" AS SELECT * FROM "+q, "CREATE INDEX "+quoted(w.fresh("idx"))+" ON "+q+"("+quoted(t.columns[0].name)+") WHERE "+quoted(t.columns[0].name)+" IS NOT NULL")
}
