package recall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// nameOf is the column of the players' names.
func nameOf(players merge.Col) merge.Col { return merge.Col{Table: players.Table, Name: "name"} }

// called is a word as a player's name is written.
func (g *guessing) called() string {
	text := word(g.r) + word(g.r)
	if g.capitals {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}

// dead is a name that nobody of a server bears, and now and then somebody of the other one.
func (g *guessing) dead(shard int) string {
	if old := pick(g.r, g.names[1-shard]...); g.r.IntN(3) == 0 && !g.borne(shard, old) {
		return old
	}
	for {
		if text := g.called(); !g.borne(shard, text) {
			return text
		}
	}
}

// borne tells whether somebody of a server has a name.
func (g *guessing) borne(shard int, text string) bool {
	return slices.ContainsFunc(g.names[shard], func(n string) bool { return strings.EqualFold(n, text) })
}

// byName is a table that has a row for some players, under their names.
func (g *guessing) byName(n string, players merge.Col, _ []merge.Col) {
	table := pick(g.r, "auth", "stash", "settings") + n
	name, level := column(table, pick(g.r, "name", "player", "username", "owner"), aNameCopy, nameOf(players)), column(table, "privs", plainColumn, merge.Col{})
	part := pick(g.r, 0.2, 0.7, 1)
	for s, names := range g.names {
		for _, text := range names {
			if g.r.Float64() < part {
				name.values[s], level.values[s] = append(name.values[s], text), append(level.values[s], g.r.IntN(9))
			}
		}
	}
	g.table(table, name.col.Name, []*truth{name, level}, []string{"TEXT", "INT"})
}

// history is a table of the names that players had.
func (g *guessing) history(n string, players merge.Col, _ []merge.Col) {
	table := "name_history" + n
	old, fresh, who := column(table, "old_name", aNameCopy, nameOf(players)), column(table, "new_name", aNameCopy, nameOf(players)), column(table, "player", aReference, players)
	for s, names := range g.names {
		for i, text := range names {
			if g.r.IntN(4) == 0 {
				old.values[s], fresh.values[s], who.values[s] = append(old.values[s], g.dead(s)), append(fresh.values[s], text), append(who.values[s], g.alive[players][s][i])
			}
		}
	}
	g.table(table, "", []*truth{old, fresh, who}, []string{"TEXT", "TEXT", "INT"})
}

// deadNames is a table of names that are alive or dead.
func (g *guessing) deadNames(n string, players merge.Col, _ []merge.Col) {
	table := pick(g.r, "letters", "bans", "trades") + n
	id, name := column(table, "id", itsNumbers, merge.Col{Table: table, Name: "id"}), column(table, pick(g.r, "sender", "name", "who", "from_name"), aNameCopy, nameOf(players))
	gone := pick(g.r, 0.05, 0.3, 0.6)
	for s := range g.names {
		for i := range 10 + g.r.IntN(100) {
			text := pick(g.r, g.names[s]...)
			if g.r.Float64() < gone {
				text = g.dead(s)
			}
			id.values[s], name.values[s] = append(id.values[s], int64(i+1)), append(name.values[s], text)
		}
	}
	g.table(table, "id", []*truth{id, name}, []string{"INTEGER", "TEXT"})
}

// small is a table of names in small letters.
func (g *guessing) small(n string, players merge.Col, _ []merge.Col) {
	if !g.capitals {
		return
	}
	table := pick(g.r, "posts", "shops", "homes") + n
	id, name := column(table, "id", itsNumbers, merge.Col{Table: table, Name: "id"}), column(table, pick(g.r, "author", "login", "key", "user"), smallLetters, nameOf(players))
	for s := range g.names {
		for i := range 20 + g.r.IntN(100) {
			id.values[s], name.values[s] = append(id.values[s], int64(i+1)), append(name.values[s], strings.ToLower(pick(g.r, g.names[s]...)))
		}
	}
	g.table(table, "id", []*truth{id, name}, []string{"INTEGER", "TEXT"})
}

// owners are the names of players, or of the clans of a table of their own.
func (g *guessing) owners(n string, players merge.Col, _ []merge.Col) {
	table, lands := "factions"+n, pick(g.r, "claims", "lands", "banks")+n
	name, power := column(table, "name", aName, merge.Col{}), column(table, "power", plainColumn, merge.Col{})
	for s := range g.names {
		for i := range 5 + g.r.IntN(20) {
			text := strings.ToUpper(word(g.r)) + fmt.Sprint(i)
			if s == 1 && i < len(name.values[0]) && g.r.IntN(3) == 0 {
				text = name.values[0][i].(string)
			}
			name.values[s], power.values[s] = append(name.values[s], text), append(power.values[s], g.r.IntN(500))
		}
	}
	g.table(table, "name", []*truth{name, power}, []string{"TEXT", "INT"})
	kind, c := column(lands, pick(g.r, "kind", "owner_type"), plainColumn, merge.Col{}), column(lands, "owner", aNameCopy, nameOf(players))
	c.when, c.under = kind.col.Name+" = 1", func(shard, row int) bool { return kind.values[shard][row] == 1 }
	other := *c
	other.key, other.when, other.under = name.col, kind.col.Name+" = 2", func(shard, row int) bool { return kind.values[shard][row] == 2 }
	for s := range servers {
		for range 20 + g.r.IntN(100) {
			k := 1 + g.r.IntN(2)
			kind.values[s] = append(kind.values[s], k)
			if k == 1 {
				c.values[s] = append(c.values[s], pick(g.r, g.names[s]...))
			} else {
				c.values[s] = append(c.values[s], pick(g.r, name.values[s]...))
			}
		}
	}
	c.others = []*truth{&other}
	g.table(lands, "", []*truth{kind, c}, []string{"INT", "TEXT"})
}

// loginNames are names in small letters beside the same as they are written, as AuthMe keeps them.
func (g *guessing) loginNames(n string, players merge.Col, _ []merge.Col) {
	if !g.capitals {
		return
	}
	table := "authme" + n
	small, typed, pass := column(table, "username", smallLetters, nameOf(players)), column(table, "realname", aNameCopy, nameOf(players)), column(table, "password", someWords, merge.Col{})
	for s, names := range g.names {
		for _, text := range names {
			small.values[s], typed.values[s], pass.values[s] = append(small.values[s], strings.ToLower(text)), append(typed.values[s], text), append(pass.values[s], fmt.Sprintf("$SHA$%016x", g.r.Uint64()))
		}
	}
	g.table(table, "username", []*truth{small, typed, pass}, []string{"TEXT", "TEXT", "TEXT"})
}
