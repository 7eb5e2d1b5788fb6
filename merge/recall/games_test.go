package recall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// guessing is a game of two servers without a declared reference, whose columns' meaning is known.
type guessing struct {
	r        *rand.Rand
	columns  []*truth
	tables   []*gameTable
	capitals bool
	alive    map[merge.Col][2][]int64
	names    [2][]string
	taken    map[string]bool
}

// pick is one of a pool.
func pick[T any](r *rand.Rand, pool ...T) T { return pool[r.IntN(len(pool))] }

// free is a name of a pool that a table has not.
func (g *guessing) free(table string, pool ...string) string {
	for i := 0; ; i++ {
		name := pick(g.r, pool...)
		if i > 20 {
			name += fmt.Sprint(i)
		}
		if at := strings.ToLower(table + "." + name); !g.taken[at] {
			g.taken[at] = true
			return name
		}
	}
}

// numbers are the keys that a server has given out and still has.
func (g *guessing) numbers(n int, from int64, gone float64) (list []int64) {
	for v := from; len(list) < n; v++ {
		if g.r.Float64() >= gone {
			list = append(list, v)
		}
	}
	return list
}

// table adds a table of columns, of which each has its values by shard.
func (g *guessing) table(name, key string, columns []*truth, types []string) {
	g.add(&gameTable{name: name, key: key, columns: columns, types: types})
}

// add adds a table.
func (g *guessing) add(x *gameTable) {
	for _, c := range x.columns {
		for _, o := range c.others {
			o.values = c.values
		}
	}
	g.columns = append(g.columns, x.columns...)
	g.tables = append(g.tables, x)
}

// tagSome gives the rows of tables tags, of all to whose rows others lead, and of most others.
func (g *guessing) tagSome() {
	for _, x := range g.tables {
		led := slices.ContainsFunc(g.columns, func(c *truth) bool {
			leads := func(one *truth) bool { return one.key.Table == x.name && (one.refers() || one.col.Table != x.name) }
			return leads(c) || slices.ContainsFunc(c.others, leads)
		})
		x.tagged = led || x.same || g.r.IntN(3) > 0
	}
}

// holder is a table whose rows have keys that others hold.
func (g *guessing) holder(name, key string, sizes [2]int, named bool) merge.Col {
	at := merge.Col{Table: name, Name: key}
	from, gone := pick[int64](g.r, 1, 1, 1, 100, 1000, 268435456), pick(g.r, 0, 0.05, 0.3)
	var alive [2][]int64
	k, level, note := &truth{col: at, what: itsNumbers, key: at}, &truth{col: merge.Col{Table: name, Name: "level"}, what: plainColumn}, &truth{col: merge.Col{Table: name, Name: "name"}}
	for s, n := range sizes {
		alive[s] = g.numbers(n, from, gone)
		for _, v := range alive[s] {
			k.values[s] = append(k.values[s], v)
			level.values[s] = append(level.values[s], 1+g.r.IntN(80))
			text := word(g.r) + word(g.r)
			if g.capitals {
				text = strings.ToUpper(text[:1]) + text[1:]
			}
			for named && slices.Contains(g.names[s], text) {
				text += word(g.r)
			}
			if named {
				if s == 1 && g.r.Float64() < 0.2 {
					if old := pick(g.r, g.names[0]...); !slices.Contains(g.names[1], old) {
						text = old
					}
				}
				g.names[s] = append(g.names[s], text)
			}
			note.values[s] = append(note.values[s], text)
		}
	}
	g.alive[at] = alive
	unique := "TEXT"
	if note.what = someWords; named {
		note.what = aName
		unique = "TEXT UNIQUE"
	}
	g.table(name, key, []*truth{k, level, note}, []string{pick(g.r, "INTEGER", "INT", "BIGINT"), "INT", unique})
	return at
}

// word is a syllable or three.
func word(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		b.WriteString(pick(r, "ka", "ri", "do", "mel", "shu", "tan", "vex", "lor", "bi", "qu", "zen", "fa", "gor", "un", "ith"))
	}
	return b.String()
}

// reference is a column that holds keys: of all rows or few, some of them dead, and something for nobody.
func (g *guessing) reference(table string, of merge.Col, rows [2]int, few bool) *truth {
	name := g.free(table, "owner", of.Name, of.Table+"_id", "holder", "target", "who", "by_id", "a1", "f3", "value", "data", "extra", "param1", "x_ref", "leader", "ref", "sender", "last", "parent")
	c := &truth{col: merge.Col{Table: table, Name: name}, what: aReference, key: of}
	full := 1.0
	if few {
		c.what, full = sparseReference, pick(g.r, 0.05, 0.2, 0.5)
	}
	nobody, dead := pick[any](g.r, 0, nil, -1), pick(g.r, 0, 0, 0.1, 0.4)
	for s, n := range rows {
		alive := g.alive[of][s]
		for range n {
			switch {
			case g.r.Float64() >= full:
				c.values[s] = append(c.values[s], nobody)
			case g.r.Float64() < dead:
				c.values[s] = append(c.values[s], alive[0]+g.r.Int64N(alive[len(alive)-1]-alive[0]+1))
			default:
				c.values[s] = append(c.values[s], pick(g.r, alive...))
			}
		}
	}
	return c
}

// plain is a column that holds no key.
func (g *guessing) plain(table string, rows [2]int) *truth {
	name := g.free(table, "amount", "x", "y", "level", "gold", "state", "count", "slot", "kind", "exp", "hp", "time", "p2", "v7", "misc", "score", "template", "flags")
	c := &truth{col: merge.Col{Table: table, Name: name}, what: plainColumn}
	top := pick(g.r, 2, 10, 100, 5000, 1000000)
	for s, n := range rows {
		for range n {
			c.values[s] = append(c.values[s], g.r.IntN(top))
		}
	}
	return c
}

// counted is a table's own key, which says nothing.
func (g *guessing) counted(table string, rows [2]int) *truth {
	at := merge.Col{Table: table, Name: g.free(table, "id", "no", "uid", table+"_id")}
	c := &truth{col: at, what: itsNumbers, key: at}
	gone := pick(g.r, 0, 0.2)
	for s, n := range rows {
		for _, v := range g.numbers(n, 1, gone) {
			c.values[s] = append(c.values[s], v)
		}
	}
	return c
}

// game makes a game from a seed, and one that has lived with more in it.
func game(seed uint64, lived bool) *guessing {
	r := rand.New(rand.NewPCG(seed, 77))
	g := &guessing{r: r, alive: map[merge.Col][2][]int64{}, taken: map[string]bool{}}
	sizes := [2]int{30 + r.IntN(300), 5 + r.IntN(200)}
	if lived {
		if r.IntN(6) == 0 {
			sizes = [2]int{3 + r.IntN(12), 3 + r.IntN(12)}
		}
		g.capitals = r.IntN(2) == 0
	}
	holders := []merge.Col{g.holder(pick(r, "players", "characters", "users", "avatars"), pick(r, "id", "guid", "char_id", "playerID", "uin"), sizes, true)}
	for _, name := range []string{"guilds", "pets", "houses"}[:1+r.IntN(3)] {
		holders = append(holders, g.holder(name, pick(r, "id", name[:len(name)-1]+"_id", "no"), [2]int{3 + r.IntN(60), 3 + r.IntN(30)}, false))
	}
	players := holders[0]
	for i := range 6 + r.IntN(8) {
		table := fmt.Sprintf("%s%d", pick(r, "stock", "mail", "log", "deal", "quest", "skill", "vault", "duel"), i)
		rows := [2]int{4 + r.IntN(400), 4 + r.IntN(200)}
		var columns []*truth
		key := ""
		switch r.IntN(4) {
		case 0: // a row per player
			of := g.alive[players]
			c := &truth{col: merge.Col{Table: table, Name: g.free(table, "id", players.Name, "no", "idx", "owner")}, what: anOwnKey, key: players}
			part := pick(r, 0.1, 0.5, 1)
			for s := range of {
				rows[s] = 0
				for _, v := range of[s] {
					if r.Float64() < part {
						c.values[s] = append(c.values[s], v)
						rows[s]++
					}
				}
			}
			columns, key = append(columns, c), c.col.Name
		case 1: // none
		default:
			c := g.counted(table, rows)
			columns, key = append(columns, c), c.col.Name
		}
		for range 1 + r.IntN(2) {
			columns = append(columns, g.reference(table, pick(r, holders...), rows, r.IntN(3) == 0))
		}
		for range 1 + r.IntN(3) {
			columns = append(columns, g.plain(table, rows))
		}
		if r.IntN(3) == 0 {
			columns = append(columns, g.copied(table, players, rows))
		}
		if r.IntN(3) == 0 {
			columns = append(columns, g.ofKinds(table, holders, rows)...)
		}
		if rows[0] == 0 {
			continue
		}
		var types []string
		for _, c := range columns {
			kind := "INT"
			if c.what == aNameCopy {
				kind = "TEXT"
			}
			types = append(types, kind)
		}
		g.table(table, key, columns, types)
	}
	if lived {
		for i, add := range slices.Concat(lives, more) {
			if r.IntN(3) == 0 {
				add(g, fmt.Sprint(20+i), players, holders)
			}
		}
		g.tagSome()
	}
	return g
}

// copied is a column that repeats players' names.
func (g *guessing) copied(table string, players merge.Col, rows [2]int) *truth {
	name := g.free(table, "author", "seller", "name", "who_name", "t1", "text1", "killer")
	c := &truth{col: merge.Col{Table: table, Name: name}, what: aNameCopy, key: merge.Col{Table: players.Table, Name: "name"}}
	empty := pick(g.r, 0, 0.5, 0.9)
	for s, n := range rows {
		for range n {
			if g.r.Float64() < empty {
				c.values[s] = append(c.values[s], "")
			} else {
				c.values[s] = append(c.values[s], pick(g.r, g.names[s]...))
			}
		}
	}
	return c
}

// ofKinds is a column of kinds and one that refers under one of them, and holds amounts or another table's keys under the others.
func (g *guessing) ofKinds(table string, holders []merge.Col, rows [2]int) []*truth {
	kind := &truth{col: merge.Col{Table: table, Name: g.free(table, "type", "kind", "class", "sort")}, what: plainColumn}
	of := pick(g.r, holders...)
	c := &truth{col: merge.Col{Table: table, Name: g.free(table, "object", "value", "arg", "ref_id", "target_no")}, what: kindReference, key: of}
	kinds := 2 + g.r.IntN(4)
	for s, n := range rows {
		for range n {
			k := g.r.IntN(kinds)
			kind.values[s] = append(kind.values[s], k)
			if k == 1 {
				c.values[s] = append(c.values[s], pick(g.r, g.alive[of][s]...))
			} else {
				c.values[s] = append(c.values[s], g.r.IntN(1000))
			}
		}
	}
	c.when, c.under = kind.col.Name+" = 1", func(shard, row int) bool { return kind.values[shard][row] == 1 }
	return []*truth{kind, c}
}

// matters tells whether a column that stays as it is leads to somebody else: a value on the second server is a key, or a name, of both.
func (g *guessing) matters(c *truth) bool {
	for _, one := range append([]*truth{c}, c.others...) {
		i := slices.IndexFunc(g.columns, func(k *truth) bool { return k.col == one.key })
		if i < 0 || one.fixed || one.what == plainColumn {
			continue
		}
		var alive [servers]map[any]bool
		for s := range servers {
			alive[s] = map[any]bool{}
			for _, v := range g.columns[i].values[s] {
				switch text, ok := v.(string); {
				case one.what == aTextID:
					v = fmt.Sprint(v)
				case ok && one.what == smallLetters:
					v = strings.ToLower(text)
				}
				alive[s][v] = true
			}
		}
		for row, v := range c.values[1] {
			if one.speaks(1, row) && !nobody(v) && alive[0][v] && alive[1][v] {
				return true
			}
		}
	}
	return false
}
