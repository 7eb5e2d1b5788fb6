package discover

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// sides are, by key, the keys of other tables that rather hold some of its numbers than number their own rows.
func (s *search) sides(placed map[merge.Col]bool) map[merge.Col][]Side {
	list := map[merge.Col][]Side{}
	for _, k := range s.keys {
		if !k.heads() && (!k.Undeclared || !k.sole) || k.text || placed[k.Col] || s.alike[k.table.Name] || s.archives[k] != nil {
			continue
		}
		if h := s.sideFor(k); h != nil {
			o := h.by[0]
			list[o.Col] = append(list[o.Col], Side{Col: k.Col, Others: colsOf(h.by[1:]), Orphans: 1 - inside(k, unite(h.by)), Evidence: h.evidence, Own: h.own, Called: s.calledFor(k, o)})
		}
	}
	return list
}

// calledFor tells whether the names of two tables say that the rows of the one are about the other's: ship_logs are about ships, and a purse is about a player.
func (s *search) calledFor(k, o *key) bool {
	if x, y := s.person(o.table), s.person(k.table); x != y {
		return x
	}
	return beginsWith(k.table.bare, o.table.bare)
}

// held tells which keys a key's numbers rather are some of.
type held struct {
	by       []*key // several where no number is one of two of these
	evidence string
	own      bool // it rather numbers its own rows, as columns that are named after it say
}

// sideFor tells which other keys a key rather holds numbers of; nil when it is none.
func (s *search) sideFor(k *key) *held {
	const others = ", as hardly those of rows that it numbers itself would be"
	counts := s.gameCounts(k)
	if h := s.partOfWhole(k); h != nil {
		return h
	}
	if o := s.oneToOne(k); o != nil {
		return s.heldBy(k, []*key{o}, ", which numbers its own rows, and hardly any number of that one is missing")
	}
	o := s.sideOf(k, false)
	if !counts && (o == nil || !among(k, o, 1) && !k.few()) {
		if p := s.together(k.column()); p != nil {
			return s.heldBy(k, p.group, "")
		}
	}
	if o != nil {
		if p := s.sideOf(k, true); p != nil && !s.person(o.table) && !slices.Contains(s.hubs, o) {
			o = p // more of what players have is another's only because both are theirs
		}
		if k.few() {
			return s.heldBy(k, []*key{o}, "; so few do not tell whose they are")
		}
		return s.heldBy(k, []*key{o}, others)
	}
	if counts || k.table.Counted {
		return nil
	}
	if by := s.ownerOf(k); k.Root && by != nil {
		if named := s.calledAfter(k, by[0]); len(named) >= afterLeast {
			return &held{by: by, evidence: fmt.Sprintf("%s are named after it and hold its numbers, and nothing counts it", merge.JoinCols(named)), own: true}
		}
		return s.heldBy(k, by, "; its name is not that of its own rows, and nothing counts it")
	}
	if o := s.sideOf(k, true); o != nil {
		return s.heldBy(k, []*key{o}, others)
	}
	return nil
}

// heldBy says which keys a key's numbers are some of, how many, and why.
func (s *search) heldBy(k *key, by []*key, why string) *held {
	p := &pick{column: k.column(), key: by[0], group: by, fit: measure(k.spread(), by[0])}
	evidence := s.inclusionWords(p)
	if len(by) > 1 {
		evidence += "; " + p.rest()
	}
	return &held{by: by, evidence: evidence + why}
}

// column is a key as a column that holds its numbers.
func (k *key) column() *column {
	return &column{table: k.table, col: k.Col, name: k.name, self: k, shards: k.spread()}
}

// How many times likelier a key's numbers must be as some of another table's than as counted up, to ask: of players and accounts, of whom many tables have a row each, and
// under a name that is not that of the own rows, less; where something says that it numbers its own rows, more.
const (
	sideLeast         = 30
	sideLeastPerson   = 1.0 / 30
	sideLeastMostly   = 1 // though some of its numbers are none of the other's
	sideLeastGapless  = 100
	sideLeastUnlinked = 20 // counted up, too, but nothing else could say whose its rows are
	sideLeastOwn      = 1000
	sideLeastCounted  = 1e6 // an engine counts it, or a framework that declares all keys so
)

// gameCounts tells whether the game itself seems to count a key.
func (s *search) gameCounts(k *key) bool {
	return slices.ContainsFunc(s.counters, func(c Counter) bool { return c.Key == k.Col })
}

// calledAfter are the columns of other tables that seem to refer to a key and bear its name, as gid_a and owner_gid do, where the other key that holds its numbers is no player's
// and not called so: then its name is that of its own rows after all.
func (s *search) calledAfter(k, o *key) (list []merge.Col) {
	if s.person(o.table) || slices.Contains(s.hubs, o) || s.words.everyones[k.name.whole] || s.common[k.name.whole] || o.name.whole == k.name.whole {
		return nil
	}
	for _, p := range s.picks {
		c := p.column.col
		if p.key == k && c.Table != k.table.Name && slices.Contains(split(c.Name), k.name.whole) && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// sideOf is the key of which another one, though it could number its own rows, rather holds some, as that of a table with more about some of the players does; nil when
// there is none. A few of its numbers may be orphans, where the others plainly leave out what that one leaves out; with mostly, many: what belonged to players may stay when they are
// gone, and more of it than there are players.
func (s *search) sideOf(k *key, mostly bool) (owner *key) {
	most, person := 0.0, false
	for _, o := range s.keys {
		people := s.person(o.table) || slices.Contains(s.hubs, o)
		if o == k || float64(o.size) < (1-orphaned)*float64(k.size) && !mostly || s.person(k.table) && !people && !k.few() || !s.issuesRows(o) || o.table == k.table || k.same && !o.same && !k.few() || twins(k, o) && !s.outranks(o, k) {
			continue
		}
		var likelier float64
		var enough bool
		if mostly {
			likelier = k.ratherMostly(o)
			enough = people && !s.person(k.table) && !slices.Contains(s.hubs, k) && s.enoughMostly(k, o, likelier, people)
		} else {
			share := orphaned
			if k.few() {
				share = 0
			}
			var strays bool
			likelier, strays = k.rather(o, share)
			enough = s.enough(k, o, likelier, people) && (!strays || !s.words.everyones[k.name.whole] && (likelier >= math.Log(sideLeast) && k.spares(o) <= lentChance || people && !k.table.Counted && s.bearsAnother(k) && k.endsWith(o)))
			if strays && !enough {
				likelier = k.ratherMostly(o)
				enough = (people || s.calledFor(k, o)) && s.enoughMostly(k, o, likelier, people) // two tables of a game's may have as many rows, with as few holes
			}
		}
		if !enough || person && !people || owner != nil && people == person && (likelier < most || likelier == most && !s.outranks(o, owner)) || s.listsAmong(o, k) {
			continue
		}
		owner, most, person = o, likelier, people
	}
	return owner
}

// enough tells whether what speaks for a key's numbers being some of another table's is enough to ask. Of a few rows the numbers tell nothing, unless they are counted up
// without gaps or something else says that they number their own.
func (s *search) enough(k, o *key, likelier float64, people bool) bool {
	switch {
	case k.table.Counted:
	case s.extends(k, o):
		return true
	case people && s.bearsAnother(k) && !math.IsInf(likelier, -1): // whatever its numbers look like
		return true
	case k.own || s.person(k.table) || s.meant(k):
	case s.untold(k, people) && mostly(k, o):
		return true
	}
	return likelier >= math.Log(s.sideNeeds(k, o, people))
}

// enoughMostly is enough where some of the key's numbers are none of the other table's: then neither the people nor a name are reason enough, and rows that say themselves whose they are hardly bear
// their owner's number, too. What an engine counts under a name that every table may give its key numbers its own rows, though those of two tables are deleted together.
func (s *search) enoughMostly(k, o *key, likelier float64, people bool) bool {
	if k.table.Counted && s.words.everyones[k.name.whole] {
		return false
	}
	least := max(sideLeastMostly, s.sideNeeds(k, o, people))
	if s.ownedBeside(k) {
		least = max(least, sideLeastOwn)
	}
	return likelier >= math.Log(least)
}

// sideNeeds is how many times likelier a key's numbers must be as some of another table's, to ask.
func (s *search) sideNeeds(k, o *key, people bool) float64 {
	switch {
	case k.table.Counted:
		return sideLeastCounted
	case s.unlinked(k):
		if k.gapless() {
			return sideLeastUnlinked
		}
		return sideLeastPerson
	case k.own || s.person(k.table) || s.meant(k) || s.refersBeside(k, o):
		return sideLeastOwn
	case k.gapless():
		return sideLeastGapless
	case people, !k.ownName():
		return sideLeastPerson
	}
	return sideLeast
}

// endsWith tells whether a key's highest number lies near another one's in every shard, as that of a row which everybody may have does.
func (k *key) endsWith(o *key) bool {
	for i := range k.Columns {
		if k.set(i).Len() > 0 && (o.set(i).Len() == 0 || math.Abs(float64(k.high[i])-float64(o.high[i])) > sameEnd*float64(max(k.high[i], o.high[i]))) {
			return false
		}
	}
	return true
}

// bearsAnother tells whether a key's name rather says whose numbers it holds than that it numbers its own rows: it means somebody, in a table that is not called so, or is what several
// tables call their keys.
func (s *search) bearsAnother(k *key) bool {
	if k.own || s.person(k.table) || s.meant(k) {
		return false
	}
	if k.Generic {
		return !s.words.everyones[k.name.whole]
	}
	return s.meansPerson(k.name) || k.name.has(s.words.offices) || !k.ownName() && !s.words.natural[k.name.last()] && !s.words.sorts[k.name.last()] && !s.words.measures(k.name)
}

// untold tells whether nothing says that a few rows number themselves, or rather hold some of another table's numbers: they are counted without gaps; or, under a name
// that every table may give its numbers, the others are no people, other columns say whose the rows are, or some may refer to them.
func (s *search) untold(k *key, people bool) bool {
	everyones := s.words.everyones[k.name.whole]
	switch {
	case !k.few() || k.decl, k.gapless() && (everyones || !s.words.generic[k.name.whole]):
		return false
	case everyones:
		return people && !s.ownedBeside(k) && !s.referred(k)
	}
	return true
}

// sideRows is how many rows of a table in each shard are too few for their numbers to tell whose they are.
const sideRows = 4

// few tells whether a key's table has few rows, in every shard.
func (k *key) few() bool {
	return !slices.ContainsFunc(k.Columns, func(c *merge.KeyColumn) bool { return c.Set.Len() > sideRows })
}

// mostly tells whether most of a key's numbers, of all shards together, are another one's.
func mostly(k, o *key) bool {
	in := int64(0)
	for i := range k.Columns {
		in += k.set(i).Shared(o.set(i))
	}
	return float64(in) > leftShare*float64(k.size)
}

// ownedBeside tells whether another column of a key's table says whose the rows are.
func (s *search) ownedBeside(k *key) bool {
	people := func(o *key) bool { return o != nil && (s.person(o.table) || slices.Contains(s.hubs, o)) }
	return slices.ContainsFunc(k.table.columns, func(c *column) bool {
		return c.self != k && (people(c.fixed) || c.distinct() > 0 && (c.name.has(s.words.roles) || c.name.has(s.words.characters) || c.name.has(s.words.accounts) || s.words.agent(c.name)))
	})
}

// outranks tells which of two keys with the same numbers is rather the one that issues them.
func (s *search) outranks(a, b *key) bool {
	if x, y := yes(s.person(a.table)), yes(s.person(b.table)); x != y {
		return x > y
	}
	if x, y := s.received(a), s.received(b); x != y {
		return x > y
	}
	return s.leads(a, b)
}

// refersBeside tells whether another column of a key's table refers to another one, by declaration or by its name.
func (s *search) refersBeside(k, o *key) bool {
	return slices.ContainsFunc(k.table.columns, func(c *column) bool { return c.self != k && (c.fixed == o || s.hint(c, o).level >= 3) })
}

// ownerOf is the key of another table, among whose numbers most of a key's are, where that is called neither like its own table's rows nor like everybody's, and no engine
// counts it unless its name means somebody: whoever has a row there is one of the others. With it come those that share no number with it and hold more of them. It is nil when
// there is none.
func (s *search) ownerOf(k *key) (owners []*key) {
	n, named, owner := k.name, false, (*key)(nil)
	somebody := s.meansPerson(n)
	if k.own || s.meant(k) || slices.ContainsFunc(k.table.bare, func(word string) bool { return shortens(word, n.stem) }) || k.size < ownedLeast || k.name.whole == "id" || s.words.natural[n.last()] || s.words.measures(n) || n.has(s.words.outside) || k.auto && !somebody {
		return nil
	}
	some := s.sharing(k.column(), togetherLeast)
	for _, o := range s.keys {
		if o == k || !s.issuesRows(o) || o.table == k.table {
			continue
		}
		group := []*key{o}
		if slices.Contains(some, o) {
			group = s.companions(o, some)
		}
		all := unite(group)
		if !among(k, all, repeatsLeast) || all.size < k.size || k.same && !o.same || twins(k, all) && s.better(k, o) {
			continue
		}
		same := n.whole == o.name.whole && !s.common[n.whole]
		called := same || slices.Contains(o.table.stems, n.stem) || somebody && slices.Contains(s.hubs, o)
		p := &pick{key: all, shards: k.spread(), fit: measure(k.spread(), all)}
		if _, tops := p.tops(); !tops && (k.gapless() || p.fit.verdict == against) {
			continue // counted up for its own rows
		}
		if s.words.everyones[n.whole] && (!s.person(o.table) || !same && !s.common[n.whole]) || named && !called || owner != nil && named == called && cmp.Or(cmp.Compare(s.rank(owner), s.rank(o)), cmp.Compare(s.received(o), s.received(owner))) <= 0 {
			continue
		}
		owner, owners, named = o, group, called
	}
	return owners
}

// afterLeast is how many columns named after a key say that its name is that of its own rows.
const afterLeast = 2

// ownedLeast is how many numbers of all shards say something.
const ownedLeast = 4

// issuesRows tells whether a key is the whole one of a table of which every server has its own rows.
func (s *search) issuesRows(k *key) bool {
	return k.Root && (k.heads() || k.Undeclared && k.sole) && !k.text && !s.alike[k.table.Name]
}
