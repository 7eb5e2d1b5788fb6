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
	w.shards = pick(w, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4)
	w.wide = w.one(40)
	if w.one(3) {
		w.shards = 12
	}
	w.home, w.indexes, w.orders = map[*any]int{}, map[*table][]string{}, map[*table][]string{}
	for range w.shards {
		w.cased = append(w.cased, 0)
	}
	if w.one(40) {
		w.cased[w.shards-1] = 1 + w.IntN(2)
	}
	var roots []*table
	for range 1 + w.IntN(3) {
		roots = append(roots, w.entity("player"))
	}
	for _, t := range roots { // they refer to each other, and to themselves
		if w.one(75) {
			w.link(t, pick(w, roots...), 0)
		}
	}
	var keyed []*table
	for range 1 + w.IntN(3) {
		parent := pick(w, append(keyed, roots...)...)
		keyed = append(keyed, w.detail(parent))
	}
	targets := slices.Concat(roots, keyed)
	if w.one(75) {
		targets = append(targets, w.starters(pick(w, roots...)))
	}
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
	w.friends(pick(w, roots...))
	w.clans()
	w.realms()
	w.fixed()
	w.counted(roots)
	w.guarded()
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
		if w.one(8) { // hides the name of what it is not
			c.name = pick(w, "rowid", "OID", "_rowid_")
			if slices.ContainsFunc(t.columns, func(o *column) bool { return o.name == c.name }) {
				c.name = w.fresh("data")
			}
		}
		if w.shards > 1 && w.one(20) && t.rows == merge.MergeRows {
			c.lacks = w.IntN(w.shards)
		}
		t.add(c)
	}
	if w.one(20) && t.rows == merge.MergeRows {
		c := t.columns[w.IntN(len(t.columns))]
		if c.lacks < 0 {
			t.generated, t.stored = [2]string{w.fresh("gen"), "coalesce(" + quoted(c.name) + ", 1)"}, pick(w, "VIRTUAL", "STORED")
		}
		if t.suffix == " STRICT" {
			t.generated = [2]string{}
		}
	}
}

// entity is a table with an integer key of its own.
func (w *world) entity(base string) *table {
	t := w.table(base)
	c := &column{name: w.fresh("id"), role: key}
	decl := pick(w, "INTEGER PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT", "INT PRIMARY KEY", "INTEGER PRIMARY KEY DESC", "BIGINT NOT NULL PRIMARY KEY", "INT NOT NULL PRIMARY KEY", "INT NOT NULL PRIMARY KEY", "INTEGER NOT NULL UNIQUE", "INTEGER NOT NULL UNIQUE")
	t.auto = decl == "INTEGER PRIMARY KEY AUTOINCREMENT"
	if decl == "INT NOT NULL PRIMARY KEY" {
		t.suffix = pick(w, " WITHOUT ROWID", " STRICT", "")
	}
	if t.suffix == " STRICT" && w.wide {
		decl = "INTEGER PRIMARY KEY DESC"
	}
	c.rule = pick(w, "", merge.Shift, merge.Dense, merge.GameID)
	if decl == "INTEGER NOT NULL UNIQUE" {
		c.rule = pick(w, merge.Shift, merge.Dense, merge.GameID)
	}
	if c.rule == merge.Dense && w.one(30) {
		c.span = &[2]int64{1, 60000}
	}
	c.all = c.rule != "" && w.one(25)
	c.decl = w.sized(decl)
	if w.wide && c.span == nil && c.rule != merge.Shift && w.one(25) { // a shift has no room above the last numbers
		c.edge = true
	}
	if !w.wide && decl == "INT NOT NULL PRIMARY KEY" && t.suffix != " STRICT" && c.span == nil && w.one(50) {
		c.rule, c.widen = merge.GameID, true
	}
	k := t.add(c)
	if decl != "INTEGER NOT NULL UNIQUE" {
		t.pk = []int{k}
	}
	w.tagged(t)
	if w.one(20) { // a second number of its own
		decl := "INTEGER UNIQUE"
		if t.suffix != " STRICT" {
			decl = w.sized(pick(w, decl, "INT NOT NULL UNIQUE"))
		}
		t.add(&column{name: w.fresh("serial"), decl: decl, role: key, keying: keying{rule: pick(w, merge.Shift, merge.Dense, merge.GameID)}})
	}
	w.payloads(t)
	return t
}

// target is a column of a table that others may refer to.
func (w *world) target(t *table) []int {
	if list := t.keys(); len(list) > 0 {
		return []int{pick(w, list...)}
	}
	return t.pk
}

// link adds a reference column from one table to another.
func (w *world) link(t, to *table, flags int) *reference {
	target := w.target(to)
	goal := to.columns[target[0]]
	r := &reference{table: t, to: to, at: target, orphans: pick(w, merge.ByTombstone, merge.ByTombstone, merge.ByTombstone, merge.ByClear, merge.ByDrop)}
	if flags == plainOnly {
		r.orphans = merge.ByTombstone
	}
	c := &column{name: w.fresh("owner"), role: refers, decl: w.sized(pick(w, "INTEGER", "INT", "BIGINT", "", "NUMERIC", "TEXT", "INTEGER DEFAULT 0"))}
	if t.suffix == " STRICT" {
		c.decl = pick(w, "INTEGER", "ANY")
	}
	if goal.span != nil && w.one(70) && t.suffix == "" {
		c.decl = "smallint unsigned"
	}
	if flags != plainOnly && t.suffix != " STRICT" && w.one(10) {
		c.decl, r.orphans = w.sized("INT NOT NULL DEFAULT 0"), merge.ByClear
	}
	r.declared = w.one(40)
	r.none = []any{int64(0), int64(-1)}
	if c.decl == "TEXT" {
		r.none = append(r.none, "")
	}
	r.from = []int{t.add(c)}
	w.refs = append(w.refs, r)
	return r
}

const plainOnly = 1

// detail is a table whose key is a reference.
func (w *world) detail(parent *table) *table {
	t := w.table("detail")
	t.suffix = pick(w, "", "", " WITHOUT ROWID")
	r := &reference{table: t, to: parent, at: w.target(parent), orphans: merge.ByTombstone, declared: w.one(50)}
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
		w.refs = append(w.refs, &reference{
			table: t, to: to, from: []int{c}, at: w.target(to), when: fmt.Sprintf("%s = %d", quoted(t.columns[kind].name), i), none: []any{int64(0), int64(-1)}, orphans: merge.ByTombstone,
			holds: func(row []any) bool { return row[kind] == int64(i) },
		})
	}
	w.plan.References = append(w.plan.References, merge.Reference{From: t.cols([]int{c}), As: merge.Keep, When: fmt.Sprintf("%s = %d", quoted(t.columns[kind].name), len(roots))})
	if w.one(15) {
		for _, hidden := range []string{"rowid", "oid", "_rowid_"} {
			t.add(&column{name: hidden, decl: "INT", role: note, fill: func(w *world, _ int) any { return int64(w.IntN(3)) }})
		}
	}
	t.add(&column{name: w.fresh("note"), decl: "TEXT", role: note, fill: func(w *world, _ int) any { return pick[any](w, "x", nil) }})
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
			t.pk = []int{t.add(&column{name: w.fresh("code"), decl: pick(w, "TEXT", "BLOB", "") + " COLLATE NOCASE NOT NULL PRIMARY KEY", fill: nil, role: key})}
			t.columns[0].text = true
		}
		w.tagged(t)
		if rows == merge.UnionRows {
			small := func(w *world, _ int) any { return pick[any](w, nil, int64(w.IntN(20)-8), int64(w.IntN(20)-8)) }
			limit := int64(6)
			newest := t.add(&column{name: w.fresh("at"), decl: "INT", fill: small, combine: merge.Combine{How: "max"}})
			for _, how := range []merge.Combine{{How: "sum"}, {How: "sum", Cap: &limit}, {How: "min"}, {How: "max"}, {How: "latest", By: t.columns[newest].name}} {
				t.add(&column{name: w.fresh("val"), decl: "INT", fill: small, combine: how})
			}
			best := t.add(&column{name: w.fresh("best"), decl: "INT", fill: small, combine: merge.Combine{How: "min"}})
			t.add(&column{name: w.fresh("holder"), decl: "INT", fill: small, combine: merge.Combine{How: "lowest", By: t.columns[best].name}})
			owner := w.fresh("owner")
			few := func(w *world, _ int) any { return pick[any](w, nil, int64(0), int64(-1), int64(w.IntN(9)+1)) }
			t.add(&column{name: owner, decl: "INT", fill: few, combine: merge.Combine{How: "set", By: owner}})
			t.add(&column{name: w.fresh("rent"), decl: "INT", fill: small, combine: merge.Combine{How: "set", By: owner}})
		}
		if !t.columns[0].text {
			user := w.entity("user")
			r := w.link(user, t, plainOnly)
			r.declared = false
		}
	}
}

// named gives names to entities, and copies of them to other tables.
func (w *world) named(roots []*table) {
	for _, t := range roots {
		if w.one(20) || t.suffix == " STRICT" {
			continue
		}
		fans := w.one(40)
		if fans || w.one(50) {
			w.lasting(t) // a name that others refer to outlives no row
		}
		collate := pick(w, "", " COLLATE NOCASE")
		c := &column{name: w.fresh("handle"), decl: pick(w, "TEXT", "varchar(12)", "BLOB", "") + collate, role: name, renaming: renaming{beside: -1, mark: -1}}
		n := t.add(c)
		if len(t.pk) > 0 && (t.suffix != "" || strings.Contains(t.columns[t.pk[0]].decl, "NOT NULL") || strings.HasPrefix(t.columns[t.pk[0]].decl, "INTEGER PRIMARY KEY")) && w.one(50) { // the dead may share a name
			alive := t.add(&column{name: w.fresh("alive"), decl: "INT", fill: func(w *world, _ int) any { return int64(min(w.IntN(4), 1)) }})
			c.covers = func(row []any) bool { return row[alive] == int64(1) }
			w.indexes[t] = append(w.indexes[t], "CREATE UNIQUE INDEX "+quoted(w.fresh("part"))+" ON "+quoted(t.name)+"("+quoted(c.name)+") WHERE "+quoted(t.columns[alive].name)+" = 1")
		} else {
			t.uniques = append(t.uniques, []int{n})
			if collate == "" && w.one(50) { // a second unique key of the same column
				c.decl += " COLLATE NOCASE"
				w.indexes[t] = append(w.indexes[t], "CREATE UNIQUE INDEX "+quoted(w.fresh("twice"))+" ON "+quoted(t.name)+"("+quoted(c.name)+" COLLATE BINARY)")
			}
		}
		w.renames(t, n)
		for _, r := range w.refs {
			if r.to == t && len(r.from) == 1 && r.when == "" && r.table.suffix != " STRICT" && r.table.rows == merge.MergeRows && w.one(70) {
				via := pick(w, "", "lower", "upper", "base37", "'@' || {}")
				decl := pick(w, "TEXT", "", "BLOB")
				if via == "base37" {
					decl = "INTEGER"
				}
				w.copies = append(w.copies, copied{table: r.table, column: r.table.add(&column{name: w.fresh("copy"), decl: decl, role: repeats}), by: r, of: t, ofColumn: n, via: via})
			}
		}
		if c.covers == nil && w.one(75) {
			u := w.table("mentions")
			w.tagged(u)
			w.copies = append(w.copies, copied{table: u, column: u.add(&column{name: w.fresh("copy"), decl: pick(w, "TEXT", "BLOB", ""), role: repeats}), of: t, ofColumn: n})
		}
		if c.covers == nil && fans { // a declared reference to the name
			u := w.table("fan")
			w.tagged(u)
			c := u.add(&column{name: w.fresh("idol"), decl: pick(w, "TEXT", "BLOB", ""), role: refers})
			w.refs = append(w.refs, &reference{table: u, to: t, from: []int{c}, at: []int{n}, orphans: pick(w, merge.ByTombstone, merge.ByTombstone, merge.ByClear, merge.ByDrop), declared: w.one(50)})
		}
	}
}
