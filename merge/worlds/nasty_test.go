package worlds

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// lasting makes a table one that no reference drops rows of.
func (w *world) lasting(t *table) {
	for _, r := range w.refs {
		if r.table == t && r.orphans == merge.ByDrop {
			r.orphans = merge.ByTombstone
		}
	}
}

// renames plans what happens to a name that two shards hold.
func (w *world) renames(t *table, n int) {
	c := t.columns[n]
	u := merge.UniquePlan{Unique: t.cols([]int{n}), OnConflict: "rename", Template: pick(w, "S{server}.{value}", "{value}#{n}", "{shard}{value}")}
	if c.beside >= 0 {
		u.Unique, u.Column = t.cols([]int{c.beside, n}), c.name
	}
	if c.worth == nil && w.one(40) {
		level := t.add(&column{name: w.fresh("level"), decl: "INT", fill: func(w *world, _ int) any { return pick[any](w, nil, int64(w.IntN(4)), int64(w.IntN(40))) }})
		c.winner = quoted(t.columns[level].name) + " DESC"
		c.worth = func(_ *world, _ int, row []any) any { return row[level] }
	}
	if w.one(50) {
		c.mark = t.add(&column{name: w.fresh("card"), decl: "INT", fill: func(*world, int) any { return int64(0) }})
		u.Mark = map[string]string{t.columns[c.mark].name: "1"}
	}
	u.Winner = c.winner
	w.plan.Uniques = append(w.plan.Uniques, u)
}

// starters is a table of which every server has the same rows: the same key, the same things, an owner of the same number.
func (w *world) starters(owner *table) *table {
	w.lasting(owner)
	t := w.entity("starter")
	t.columns = slices.DeleteFunc(t.columns, func(c *column) bool { return c.role == payload })
	t.generated = [2]string{}
	t.columns[t.find(tag)].fill = func(w *world, _ int) any { return pick(w, "sword", "shield", "boots") }
	r := w.link(t, owner, plainOnly)
	c := t.columns[r.from[0]]
	c.decl, r.none = "INTEGER NOT NULL", nil
	if t.suffix != " STRICT" && !w.wide {
		c.decl = "INT NOT NULL"
	}
	t.owner = r
	t.uniques = append(t.uniques, []int{r.from[0], t.find(tag)})
	if w.one(50) {
		w.indexes[t] = append(w.indexes[t], "CREATE UNIQUE INDEX "+quoted(w.fresh("expr"))+" ON "+quoted(t.name)+"("+quoted(c.name)+", lower("+quoted(t.columns[t.find(tag)].name)+"))")
	}
	if w.one(50) {
		main := t.add(&column{name: w.fresh("main"), decl: "INT", fill: func(w *world, _ int) any { return int64(w.IntN(3)) }})
		w.indexes[t] = append(w.indexes[t], "CREATE UNIQUE INDEX "+quoted(w.fresh("main"))+" ON "+quoted(t.name)+"("+quoted(c.name)+") WHERE "+quoted(t.columns[main].name)+" = 1")
	}
	return t
}

// friends is a table keyed by two references to the same table.
func (w *world) friends(of *table) {
	if w.one(50) {
		return
	}
	t := w.table("friend")
	t.suffix = pick(w, "", " WITHOUT ROWID")
	at := w.target(of)
	for range 2 {
		r := &reference{table: t, to: of, at: at, orphans: merge.ByTombstone, declared: w.one(50)}
		r.from = []int{t.add(&column{name: w.fresh("friend"), decl: w.sized("INT NOT NULL"), role: refers})}
		t.pk = append(t.pk, r.from[0])
		w.refs = append(w.refs, r)
	}
	w.tagged(t)
}

// clans are keyed by their names, in any case, and the one with the most members keeps a name.
func (w *world) clans() {
	if w.one(50) {
		return
	}
	t := w.table("clan")
	t.suffix = pick(w, "", " WITHOUT ROWID")
	c := &column{name: w.fresh("name"), decl: "TEXT" + pick(w, "", " COLLATE NOCASE") + " NOT NULL PRIMARY KEY", role: name, renaming: renaming{beside: -1, mark: -1}}
	t.pk = []int{t.add(c)}
	w.tagged(t)
	w.payloads(t)
	m := w.table("member")
	w.tagged(m)
	r := &reference{table: m, to: t, from: []int{m.add(&column{name: w.fresh("clan"), decl: "TEXT", role: refers})}, at: t.pk, orphans: pick(w, merge.ByTombstone, merge.ByTombstone, merge.ByClear, merge.ByDrop), declared: w.one(50)}
	if r.orphans == merge.ByClear && w.one(50) {
		m.columns[r.from[0]].decl, r.none = "TEXT NOT NULL", []any{"-"}
	}
	w.refs = append(w.refs, r)
	if w.one(60) {
		own, theirs := quoted(t.name)+"."+quoted(c.name), quoted(m.name)+"."+quoted(m.columns[r.from[0]].name)
		c.winner = "(SELECT count(*) FROM " + quoted(m.name) + " WHERE " + own + " = " + theirs + ") DESC"
		c.worth = func(_ *world, shard int, row []any) any {
			n := int64(0)
			for _, member := range m.rowsOf(shard) {
				if index(r, [][]any{row}, member) == 0 {
					n++
				}
			}
			return n
		}
	}
	w.renames(t, t.pk[0])
}

// realms holds names that are unique within a realm.
func (w *world) realms() {
	if w.one(50) {
		return
	}
	t := w.table("realm")
	t.pk = []int{t.add(&column{name: w.fresh("id"), decl: w.sized(pick(w, "INTEGER PRIMARY KEY", "INT NOT NULL PRIMARY KEY")), role: key})}
	w.tagged(t)
	realm := t.add(&column{name: w.fresh("realm"), decl: "INT", fill: func(w *world, _ int) any { return pick[any](w, int64(1), int64(1), int64(2), nil) }})
	n := t.add(&column{name: w.fresh("nick"), decl: "TEXT", role: name, renaming: renaming{beside: realm, mark: -1}, fill: func(w *world, _ int) any { return pick(w, "Bob", "bob", "Ann", "Eve") }})
	t.uniques = append(t.uniques, []int{realm, n})
	w.renames(t, n)
}

// fixed is a table whose keys never change and never meet, and a reference to it that holds no dead value.
func (w *world) fixed() {
	if w.one(50) {
		return
	}
	t := w.table("template")
	t.pk = []int{t.add(&column{name: w.fresh("id"), decl: "INTEGER PRIMARY KEY", role: key, keying: keying{rule: merge.Static}, fill: func(w *world, shard int) any { return int64(1000*shard + 1 + w.IntN(9)) }})}
	w.tagged(t)
	u := w.table("drop")
	w.tagged(u)
	r := w.link(u, t, plainOnly)
	r.orphans = merge.ByFail
}

// counted is a table in which the game counts its own keys.
func (w *world) counted(roots []*table) {
	if w.one(40) {
		return
	}
	t := w.table("counter")
	t.rows = merge.UnionRows
	t.pk = []int{t.add(&column{name: w.fresh("what"), decl: "TEXT NOT NULL PRIMARY KEY", role: key, keying: keying{}, text: true})}
	w.tagged(t)
	next := t.add(&column{name: w.fresh("next"), decl: "BIGINT", role: counts, combine: merge.Combine{How: "max"}})
	for i, of := range roots {
		for _, k := range of.keys() {
			if of.columns[k].edge || of.columns[k].span != nil {
				continue
			}
			c := counting{table: t, name: fmt.Sprintf("%d.%d", i, k), of: of, column: k, margin: pick(w, int64(0), int64(1), int64(100))}
			w.counters = append(w.counters, c)
			w.plan.Counters = append(w.plan.Counters, merge.Counter{Column: t.col(next), Where: quoted(t.columns[0].name) + " = '" + c.name + "'", Key: of.col(k), Margin: c.margin})
		}
	}
	if len(w.counters) == 0 {
		w.plan.References = append(w.plan.References, merge.Reference{From: t.cols([]int{next}), As: merge.Keep})
	}
}

// guarded puts a view, an index and triggers that would spoil a merge on a table.
func (w *world) guarded() {
	if w.one(30) {
		return
	}
	t := pick(w, w.tables...)
	q := quoted(t.name)
	w.triggers, w.views = append(w.triggers, w.fresh("trg")), append(w.views, w.fresh("view"))
	w.objects = append(w.objects, "CREATE TRIGGER "+quoted(w.triggers[0])+" BEFORE INSERT ON "+q+" BEGIN SELECT RAISE(ABORT, 'no'); END",
		"CREATE VIEW "+quoted(w.views[0])+" AS SELECT * FROM "+q, "CREATE INDEX "+quoted(w.fresh("idx"))+" ON "+q+"("+quoted(t.columns[0].name)+") WHERE "+quoted(t.columns[0].name)+" IS NOT NULL")
	for _, log := range w.tables {
		if n := log.find(note); n >= 0 && t != log {
			w.writes = "INSERT INTO " + quoted(log.name) + "(" + quoted(log.columns[n].name) + ") VALUES('fired')"
			w.objects = append(w.objects, "CREATE TRIGGER "+quoted(w.fresh("trg"))+" AFTER INSERT ON "+q+" BEGIN "+w.writes+"; END")
		}
	}
}
