package recall

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
)

// What a column of a guessing game truly is.
const (
	plainColumn     = "plain"
	aReference      = "reference"
	sparseReference = "sparse reference"
	kindReference   = "reference of one kind"
	anOwnKey        = "key of a row per player"
	itsNumbers      = "number of its own rows"
	aNameCopy       = "copied name"
)

// truth is a column of a game that declares nothing, and what it holds.
type truth struct {
	col    merge.Col
	what   string
	key    merge.Col // that it holds
	values [2][]any  // by shard
}

// refers tells whether the column holds something of another table, so that an audit must not pass over it.
func (c *truth) refers() bool { return c.what != plainColumn && c.what != itsNumbers }

// guessing is a game of two servers without a declared reference, whose columns' meaning is known.
type guessing struct {
	r       *rand.Rand
	ddl     []string
	rows    [2][]string
	columns []*truth
	alive   map[merge.Col][2][]int64
	names   [2][]string
	taken   map[string]bool
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

// table writes a table of columns, of which each has its values by shard.
func (g *guessing) table(name, key string, columns []*truth, types []string) {
	var defs []string
	for i, c := range columns {
		def := c.col.Name + " " + types[i]
		if c.col.Name == key {
			def += " PRIMARY KEY"
		}
		defs = append(defs, def)
	}
	g.ddl = append(g.ddl, fmt.Sprintf("CREATE TABLE %s(%s);", name, strings.Join(defs, ", ")))
	for s := range g.rows {
		for i := range columns[0].values[s] {
			var values []string
			for _, c := range columns {
				switch v := c.values[s][i].(type) {
				case nil:
					values = append(values, "NULL")
				case string:
					values = append(values, "'"+v+"'")
				default:
					values = append(values, fmt.Sprint(v))
				}
			}
			g.rows[s] = append(g.rows[s], fmt.Sprintf("INSERT INTO %s VALUES (%s);", name, strings.Join(values, ", ")))
		}
	}
	g.columns = append(g.columns, columns...)
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
	if named {
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

// game makes a game from a seed.
func game(seed uint64) *guessing {
	r := rand.New(rand.NewPCG(seed, 77))
	g := &guessing{r: r, alive: map[merge.Col][2][]int64{}, taken: map[string]bool{}}
	sizes := [2]int{30 + r.IntN(300), 5 + r.IntN(200)}
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
	return []*truth{kind, c}
}

// matters tells whether a column that stays as it is leads to somebody else: a value on the second server is a key, or a name, of both.
func (g *guessing) matters(c *truth) bool {
	if c.what == aNameCopy {
		return slices.ContainsFunc(c.values[1], func(v any) bool {
			return slices.Contains(g.names[0], v.(string)) && slices.Contains(g.names[1], v.(string))
		})
	}
	alive := g.alive[c.key]
	return slices.ContainsFunc(c.values[1], func(v any) bool {
		n, ok := v.(int64)
		return ok && slices.Contains(alive[0], n) && slices.Contains(alive[1], n)
	})
}

// build writes a game's two databases.
func (g *guessing) build(t *testing.T, dir string) (list []merge.Source) {
	for s := range g.rows {
		path := filepath.Join(dir, fmt.Sprintf("s%d.db", s+1))
		db, err := sql.Open("sqlite3", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("BEGIN;" + strings.Join(g.ddl, "\n") + strings.Join(g.rows[s], "\n") + "COMMIT;"); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		list = append(list, merge.Source{Name: fmt.Sprintf("s%d", s+1), Source: path})
	}
	return list
}
