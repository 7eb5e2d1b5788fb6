package recall

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// lives are what a game that has lived may have beside numbers of players.
var lives = []func(g *guessing, n string, players merge.Col, holders []merge.Col){
	(*guessing).byName, (*guessing).history, (*guessing).deadNames, (*guessing).small, (*guessing).slots, (*guessing).friends,
	(*guessing).parties, (*guessing).counts, (*guessing).templates, (*guessing).twoKinds, (*guessing).clans, (*guessing).deadLog,
}

// column is one of a table, without its values.
func column(table, name, what string, key merge.Col) *truth {
	return &truth{col: merge.Col{Table: table, Name: name}, what: what, key: key}
}

// slots is a table whose rows are told apart by a player and a number.
func (g *guessing) slots(n string, players merge.Col, _ []merge.Col) {
	table := pick(g.r, "inventory", "skills", "quests") + n
	who, slot, amount := column(table, pick(g.r, "owner", "cid", players.Name), aReference, players), column(table, pick(g.r, "slot", "skill", "idx"), plainColumn, merge.Col{}), column(table, "amount", plainColumn, merge.Col{})
	for s, alive := range g.alive[players] {
		for _, v := range alive {
			for i := range g.r.IntN(4) {
				who.values[s], slot.values[s], amount.values[s] = append(who.values[s], v), append(slot.values[s], i), append(amount.values[s], 1+g.r.IntN(99))
			}
		}
	}
	g.table(table, who.col.Name+", "+slot.col.Name, []*truth{who, slot, amount}, []string{"INT", "INT", "INT"})
}

// friends is a table of pairs of players.
func (g *guessing) friends(n string, players merge.Col, _ []merge.Col) {
	table := pick(g.r, "friends", "ignores") + n
	one, two := column(table, pick(g.r, "a", "player"), aReference, players), column(table, pick(g.r, "b", "friend"), aReference, players)
	for s, alive := range g.alive[players] {
		for i, v := range alive {
			for j := range min(g.r.IntN(3), len(alive)/8) {
				one.values[s], two.values[s] = append(one.values[s], v), append(two.values[s], alive[(i+1+7*j)%len(alive)])
			}
		}
	}
	g.table(table, one.col.Name+", "+two.col.Name, []*truth{one, two}, []string{"INT", "INT"})
}

// parties are groups whose numbers two tables hold and none lists.
func (g *guessing) parties(n string, players merge.Col, _ []merge.Col) {
	members, loot := "party_member"+n, "party_loot"+n
	key := merge.Col{Table: members, Name: "party"}
	party, who := column(members, "party", aGroup, key), column(members, "member", aReference, players)
	of, amount := column(loot, "party", aGroup, key), column(loot, "amount", plainColumn, merge.Col{})
	for s, alive := range g.alive[players] {
		for i, v := range alive {
			party.values[s], who.values[s] = append(party.values[s], int64(1+i/4)), append(who.values[s], v)
			if i%5 == 0 {
				of.values[s], amount.values[s] = append(of.values[s], int64(1+i/4)), append(amount.values[s], g.r.IntN(500))
			}
		}
	}
	g.table(members, "member", []*truth{party, who}, []string{"INT", "INT"})
	g.table(loot, "", []*truth{of, amount}, []string{"INT", "INT"})
}

// counts is where the game counts its keys: a row for each of them.
func (g *guessing) counts(n string, _ merge.Col, holders []merge.Col) {
	table := pick(g.r, "sequences", "counters", "globals") + n
	name, value := column(table, "name", plainColumn, merge.Col{}), column(table, "value", aCounter, merge.Col{})
	ahead := pick[int64](g.r, 0, 1, 1)
	for s := range servers {
		for _, h := range holders {
			name.values[s], value.values[s] = append(name.values[s], "last_"+h.Table), append(value.values[s], slices.Max(g.alive[h][s])+ahead)
		}
	}
	for i, h := range holders {
		value.others = append(value.others, &truth{col: value.col, what: aCounter, key: h, when: fmt.Sprintf("name = 'last_%s'", h.Table), under: func(_, row int) bool { return row == i }})
	}
	g.add(&gameTable{name: table, key: "name", columns: []*truth{name, value}, types: []string{"TEXT", "INT"}, same: true})
}

// templates are the game's own rows, the same on every server, and a table of things made after them.
func (g *guessing) templates(n string, players merge.Col, _ []merge.Col) {
	table, things := pick(g.r, "item_template", "spells", "maps")+n, "things"+n
	key := merge.Col{Table: table, Name: "id"}
	id, name, price := column(table, "id", itsNumbers, key), column(table, "name", someWords, merge.Col{}), column(table, "price", plainColumn, merge.Col{})
	for i := range 20 + g.r.IntN(50) {
		text, cost := word(g.r)+" "+word(g.r), g.r.IntN(1000)
		for s := range servers {
			id.values[s], name.values[s], price.values[s] = append(id.values[s], int64(i+1)), append(name.values[s], text), append(price.values[s], cost)
		}
	}
	g.add(&gameTable{name: table, key: "id", columns: []*truth{id, name, price}, types: []string{"INTEGER", "TEXT", "INT"}, same: true})
	no, what, who := column(things, "id", itsNumbers, merge.Col{Table: things, Name: "id"}), column(things, pick(g.r, "template", "entry", "item_id"), plainColumn, key), column(things, "owner", aReference, players)
	for s, alive := range g.alive[players] {
		for i := range 30 + g.r.IntN(200) {
			no.values[s], what.values[s], who.values[s] = append(no.values[s], int64(i+1)), append(what.values[s], pick(g.r, id.values[s]...)), append(who.values[s], pick(g.r, alive...))
		}
	}
	g.table(things, "id", []*truth{no, what, who}, []string{"INTEGER", "INT", "INT"})
}

// twoKinds is a column that refers to one table or another.
func (g *guessing) twoKinds(n string, players merge.Col, holders []merge.Col) {
	table := pick(g.r, "events", "claims", "titles") + n
	kind, c := column(table, pick(g.r, "kind", "owner_type"), plainColumn, merge.Col{}), column(table, pick(g.r, "object", "owner", "target"), kindReference, players)
	c.when, c.under = kind.col.Name+" = 1", func(shard, row int) bool { return kind.values[shard][row] == 1 }
	other := *c
	other.key, other.when, other.under = pick(g.r, holders[1:]...), kind.col.Name+" = 2", func(shard, row int) bool { return kind.values[shard][row] == 2 }
	for s := range servers {
		for range 20 + g.r.IntN(150) {
			k := 1 + g.r.IntN(2)
			of := []merge.Col{players, other.key}[k-1]
			kind.values[s], c.values[s] = append(kind.values[s], k), append(c.values[s], pick(g.r, g.alive[of][s]...))
		}
	}
	c.others = []*truth{&other}
	g.table(table, "", []*truth{kind, c}, []string{"INT", "INT"})
}

// clans are led by players and have members, who are in one each.
func (g *guessing) clans(n string, players merge.Col, _ []merge.Col) {
	table, members := "clans"+n, "clan_members"+n
	key := merge.Col{Table: table, Name: pick(g.r, "id", "clan_id")}
	id, name, leader := column(table, key.Name, itsNumbers, key), column(table, "tag", someWords, merge.Col{}), column(table, pick(g.r, "leader", "master"), aReference, players)
	who, of, rank := column(members, pick(g.r, "player", "id", "member"), anOwnKey, players), column(members, pick(g.r, "clan", "clan_id"), aReference, key), column(members, "rank", plainColumn, merge.Col{})
	for s, alive := range g.alive[players] {
		for i, v := range alive {
			if i%6 == 0 {
				id.values[s], name.values[s], leader.values[s] = append(id.values[s], int64(i/6+1)), append(name.values[s], word(g.r)), append(leader.values[s], v)
			}
			who.values[s], of.values[s], rank.values[s] = append(who.values[s], v), append(of.values[s], int64(i/6+1)), append(rank.values[s], g.r.IntN(5))
		}
	}
	g.table(table, key.Name, []*truth{id, name, leader}, []string{"INTEGER", "TEXT", "INT"})
	g.table(members, who.col.Name, []*truth{who, of, rank}, []string{"INT", "INT", "INT"})
}

// deadLog is a log most of whose players are gone.
func (g *guessing) deadLog(n string, players merge.Col, _ []merge.Col) {
	table := "log_" + pick(g.r, "kill", "chat", "login") + n
	who, at := column(table, pick(g.r, "killer", "uid", "cid"), aReference, players), column(table, "at", plainColumn, merge.Col{})
	for s, alive := range g.alive[players] {
		low, high := alive[0], alive[len(alive)-1]
		for i := range 50 + g.r.IntN(200) {
			who.values[s], at.values[s] = append(who.values[s], low+g.r.Int64N(2*(high-low)+1)), append(at.values[s], 1700000000+i*37)
		}
	}
	g.table(table, "", []*truth{who, at}, []string{"INT", "INT"})
}

// more are further things of a game that has lived.
var more = []func(g *guessing, n string, players merge.Col, holders []merge.Col){
	(*guessing).accounts, (*guessing).parents, (*guessing).owners, (*guessing).textIDs, (*guessing).serials, (*guessing).negative, (*guessing).marriages, (*guessing).loginNames,
	(*guessing).starters, (*guessing).keyless, (*guessing).ownNames, (*guessing).prices,
}

// accounts are people of whom players are characters, with a name each and a table about some of them.
func (g *guessing) accounts(n string, players merge.Col, _ []merge.Col) {
	table, chars := pick(g.r, "accounts", "login", "userbase")+n, "char_slots"+n
	key := merge.Col{Table: table, Name: pick(g.r, "id", "account_id", "uid")}
	id, login, gold := column(table, key.Name, itsNumbers, key), column(table, pick(g.r, "login", "email", "userid"), aName, merge.Col{}), column(table, "gold", plainColumn, merge.Col{})
	who, of := column(chars, "character", anOwnKey, players), column(chars, pick(g.r, "account", "owner", "account_id"), aReference, key)
	for s, alive := range g.alive[players] {
		for i := range len(alive)/2 + 1 {
			id.values[s], gold.values[s] = append(id.values[s], int64(i+1)), append(gold.values[s], g.r.IntN(1000))
			text := fmt.Sprintf("%s%d", word(g.r), i)
			if s == 1 && i < len(login.values[0]) && g.r.IntN(4) == 0 {
				text = login.values[0][i].(string)
			}
			login.values[s] = append(login.values[s], text)
		}
		for i, v := range alive {
			who.values[s], of.values[s] = append(who.values[s], v), append(of.values[s], int64(i/2+1))
		}
	}
	g.table(table, key.Name, []*truth{id, login, gold}, []string{"INTEGER", "TEXT UNIQUE", "INT"})
	g.table(chars, who.col.Name, []*truth{who, of}, []string{"INT", "INT"})
}

// parents are rows that refer to others of their own table.
func (g *guessing) parents(n string, players merge.Col, _ []merge.Col) {
	table := pick(g.r, "threads", "containers", "quest_steps") + n
	key := merge.Col{Table: table, Name: "id"}
	id, parent, owner := column(table, "id", itsNumbers, key), column(table, pick(g.r, "parent", "parent_id", "inside", "prev"), aReference, key), column(table, "owner", aReference, players)
	for s, alive := range g.alive[players] {
		for i := range 20 + g.r.IntN(100) {
			id.values[s], owner.values[s] = append(id.values[s], int64(i+1)), append(owner.values[s], pick(g.r, alive...))
			if i == 0 || g.r.IntN(3) == 0 {
				parent.values[s] = append(parent.values[s], int64(0))
			} else {
				parent.values[s] = append(parent.values[s], 1+g.r.Int64N(int64(i)))
			}
		}
	}
	g.table(table, "id", []*truth{id, parent, owner}, []string{"INTEGER", "INT", "INT"})
}

// textIDs are numbers of players in texts.
func (g *guessing) textIDs(n string, players merge.Col, _ []merge.Col) {
	table := pick(g.r, "kv", "orders", "profiles") + n
	id, who := column(table, "id", itsNumbers, merge.Col{Table: table, Name: "id"}), column(table, pick(g.r, "owner", "identifier", "citizen"), aTextID, players)
	for s, alive := range g.alive[players] {
		for i := range 20 + g.r.IntN(100) {
			id.values[s], who.values[s] = append(id.values[s], int64(i+1)), append(who.values[s], fmt.Sprint(pick(g.r, alive...)))
		}
	}
	g.table(table, "id", []*truth{id, who}, []string{"INTEGER", pick(g.r, "TEXT", "VARCHAR(20)")})
}

// serials are numbered from far up, and are in containers that are others of them or players.
func (g *guessing) serials(n string, players merge.Col, _ []merge.Col) {
	table := pick(g.r, "items", "objects") + n
	key := merge.Col{Table: table, Name: pick(g.r, "serial", "guid", "item_guid")}
	id, owner, amount := column(table, key.Name, itsNumbers, key), column(table, pick(g.r, "owner", "owner_guid"), aReference, players), column(table, "amount", plainColumn, merge.Col{})
	worn := "worn" + n
	who, slot, what := column(worn, "guid", aReference, players), column(worn, "slot", plainColumn, merge.Col{}), column(worn, pick(g.r, "item", "thing"), aReference, key)
	for s, alive := range g.alive[players] {
		at := int64(0x40000000)
		for _, v := range alive {
			for i := range g.r.IntN(4) {
				at += 1 + g.r.Int64N(3)
				id.values[s], owner.values[s], amount.values[s] = append(id.values[s], at), append(owner.values[s], v), append(amount.values[s], 1+g.r.IntN(20))
				if i < 2 {
					who.values[s], slot.values[s], what.values[s] = append(who.values[s], v), append(slot.values[s], i), append(what.values[s], at)
				}
			}
		}
	}
	if len(who.values[0]) == 0 || len(who.values[1]) == 0 {
		return
	}
	g.table(table, key.Name, []*truth{id, owner, amount}, []string{"INT", "INT", "INT"})
	g.table(worn, "guid, slot", []*truth{who, slot, what}, []string{"INT", "INT", "INT"})
}

// negative is a table of players' numbers among which those below 0 are other things of the game.
func (g *guessing) negative(n string, players merge.Col, _ []merge.Col) {
	table := pick(g.r, "ranks", "marks") + n
	who, points := column(table, pick(g.r, "cid", "who"), aReference, players), column(table, "points", plainColumn, merge.Col{})
	for s, alive := range g.alive[players] {
		for range 20 + g.r.IntN(60) {
			v := pick(g.r, alive...)
			if g.r.IntN(5) == 0 {
				v = -1
			}
			who.values[s], points.values[s] = append(who.values[s], v), append(points.values[s], g.r.IntN(3000))
		}
	}
	g.table(table, "", []*truth{who, points}, []string{"INT", "INT"})
}

// marriages are pairs, with a number of their own.
func (g *guessing) marriages(n string, players merge.Col, _ []merge.Col) {
	table := "marriages" + n
	id, one, two := column(table, "id", itsNumbers, merge.Col{Table: table, Name: "id"}), column(table, pick(g.r, "husband", "player1", "p1"), aReference, players), column(table, pick(g.r, "wife", "player2", "p2"), aReference, players)
	for s, alive := range g.alive[players] {
		for i := range len(alive) / 4 {
			id.values[s], one.values[s], two.values[s] = append(id.values[s], int64(i+1)), append(one.values[s], alive[2*i]), append(two.values[s], alive[2*i+1])
		}
	}
	g.table(table, "id", []*truth{id, one, two}, []string{"INTEGER", "INT", "INT"})
}

// starters are what every new player gets, so that the rows of the first ones are alike on every server.
func (g *guessing) starters(n string, players merge.Col, _ []merge.Col) {
	table := pick(g.r, "bag", "spellbook", "starter_items") + n
	key := merge.Col{Table: table, Name: "id"}
	id, owner, what, amount := column(table, "id", itsNumbers, key), column(table, pick(g.r, "owner", "player_id", "cid"), aReference, players), column(table, "item", plainColumn, merge.Col{}), column(table, "amount", plainColumn, merge.Col{})
	each := 1 + g.r.IntN(3)
	for s, alive := range g.alive[players] {
		for i, v := range alive {
			for j := range each {
				id.values[s], owner.values[s] = append(id.values[s], int64(each*i+j+1)), append(owner.values[s], v)
				what.values[s], amount.values[s] = append(what.values[s], 100+50*j), append(amount.values[s], 1)
			}
		}
	}
	g.table(table, "id", []*truth{id, owner, what, amount}, []string{"INTEGER", "INT", "INT", "INT"})
}

// keyless are what every new player gets, in rows without a key.
func (g *guessing) keyless(n string, players merge.Col, _ []merge.Col) {
	table := pick(g.r, "flags", "quest_state", "tutorial") + n
	owner, what, state := column(table, pick(g.r, "player", "char", "pid"), aReference, players), column(table, "quest", plainColumn, merge.Col{}), column(table, "state", plainColumn, merge.Col{})
	for s, alive := range g.alive[players] {
		for _, v := range alive {
			for j := range 1 + g.r.IntN(2) {
				owner.values[s], what.values[s], state.values[s] = append(owner.values[s], v), append(what.values[s], 10*j), append(state.values[s], g.r.IntN(2))
			}
		}
	}
	g.table(table, "", []*truth{owner, what, state}, []string{"INT", "INT", "INT"})
}

// ownNames are names of pets or ships, which two may share, beside their owner.
func (g *guessing) ownNames(n string, players merge.Col, _ []merge.Col) {
	table := pick(g.r, "ships", "mounts") + n
	key := merge.Col{Table: table, Name: pick(g.r, "id", table[:4]+"_id")}
	id, name, owner := column(table, key.Name, itsNumbers, key), column(table, "name", someWords, merge.Col{}), column(table, pick(g.r, "captain", "owner_id", "rider"), aReference, players)
	crew := "crew" + n
	on, who := column(crew, pick(g.r, "on_board", table[:4]), aReference, key), column(crew, "sailor", aReference, players)
	for s, alive := range g.alive[players] {
		for i := range 5 + g.r.IntN(30) {
			id.values[s], name.values[s], owner.values[s] = append(id.values[s], int64(i+1)), append(name.values[s], word(g.r)), append(owner.values[s], pick(g.r, alive...))
			for range g.r.IntN(6) {
				on.values[s], who.values[s] = append(on.values[s], int64(i+1)), append(who.values[s], pick(g.r, alive...))
			}
		}
	}
	if len(on.values[0]) == 0 || len(on.values[1]) == 0 {
		return
	}
	g.table(table, key.Name, []*truth{id, name, owner}, []string{"INTEGER", "TEXT", "INT"})
	g.table(crew, "", []*truth{on, who}, []string{"INT", "INT"})
}

// prices are offers of players, for which others have bid or not.
func (g *guessing) prices(n string, players merge.Col, _ []merge.Col) {
	table := pick(g.r, "auction", "market", "offers") + n
	id, seller, bidder, price, at := column(table, pick(g.r, "id", "lot"), itsNumbers, merge.Col{Table: table, Name: "id"}), column(table, pick(g.r, "seller", "owner_guid", "itemowner"), aReference, players),
		column(table, pick(g.r, "bidder", "buyguid", "last_bid_by"), sparseReference, players), column(table, "price", plainColumn, merge.Col{}), column(table, "ends", plainColumn, merge.Col{})
	nobody := pick[any](g.r, 0, nil)
	for s, alive := range g.alive[players] {
		for i := range 10 + g.r.IntN(80) {
			id.values[s], seller.values[s], price.values[s], at.values[s] = append(id.values[s], int64(i*2+1)), append(seller.values[s], pick(g.r, alive...)), append(price.values[s], g.r.IntN(100000)), append(at.values[s], 1700000000+g.r.IntN(1000000))
			if g.r.IntN(3) == 0 {
				bidder.values[s] = append(bidder.values[s], pick(g.r, alive...))
			} else {
				bidder.values[s] = append(bidder.values[s], nobody)
			}
		}
	}
	g.table(table, id.col.Name, []*truth{id, seller, bidder, price, at}, []string{"INT", "INT", "INT", "INT", "INT"})
}
