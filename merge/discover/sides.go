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
		if !k.heads() || k.text || placed[k.Col] || s.alike[k.table.Name] {
			continue
		}
		if n := s.natures[k.Col]; n.Thing != "" || n.Places != "" {
			continue // that is asked
		}
		if o := s.sideOf(k, false); o != nil {
			if p := s.sideOf(k, true); p != nil && !s.person(o.table) && !slices.Contains(s.hubs, o) {
				o = p // more of what players have is another's only because both are theirs
			}
			why := ", as hardly those of rows that it numbers itself would be"
			if k.few() {
				why = "; so few do not tell whose they are"
			}
			list[o.Col] = append(list[o.Col], Side{Col: k.Col, Evidence: s.inclusionWords(&pick{key: o, fit: measure(k.spread(), o)}) + why})
		} else if k.table.Counted || s.gameCounts(k) {
			continue
		} else if o := s.ownerOf(k); k.Root && o != nil {
			side := Side{Col: k.Col, Evidence: "its name is not that of its own rows, and nothing counts it"}
			if named := s.calledAfter(k, o); len(named) >= afterLeast {
				side.Evidence, side.Own = fmt.Sprintf("%s are named after it and hold its numbers, and nothing counts it", merge.JoinCols(named)), true
			}
			list[o.Col] = append(list[o.Col], side)
		} else if p := s.together(&column{table: k.table, col: k.Col, name: k.name, self: k, shards: k.spread()}); p != nil {
			list[p.key.Col] = append(list[p.key.Col], Side{Col: k.Col, Evidence: s.inclusionWords(p) + "; " + p.note})
		} else if o := s.sideOf(k, true); o != nil {
			list[o.Col] = append(list[o.Col], Side{Col: k.Col, Evidence: s.inclusionWords(&pick{key: o, fit: measure(k.spread(), o)}) + ", as hardly those of rows that it numbers itself would be"})
		}
	}
	return list
}

// How many times likelier a key's numbers must be as some of another table's than as counted up, to ask: of players and accounts, of whom many tables have a row each, and
// under a name that is not that of the own rows, less; where something says that it numbers its own rows, more.
const (
	sideLeast        = 30
	sideLeastPerson  = 1.0 / 30
	sideLeastGapless = 100
	sideLeastOwn     = 1000
	sideLeastCounted = 1e6 // an engine counts it, or a framework that declares all keys so
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
// there is none. With mostly, some of its numbers are none of that one's: what belonged to players may stay when they are gone, and more of it than there are players.
func (s *search) sideOf(k *key, mostly bool) (owner *key) {
	most, person := 0.0, false
	for _, o := range s.keys {
		people := s.person(o.table) || slices.Contains(s.hubs, o)
		if o == k || o.len() < k.len() && !mostly || s.person(k.table) && !people && !k.few() || !o.Root || !o.heads() && (!o.Undeclared || !o.sole) || o.text || o.table == k.table || s.alike[o.table.Name] || k.same && !o.same && !k.few() || twins(k, o) && !s.outranks(o, k) {
			continue
		}
		var likelier float64
		var enough bool
		if mostly {
			likelier = k.ratherMostly(o)
			enough = people && !s.person(k.table) && !slices.Contains(s.hubs, k) && likelier >= math.Log(sideLeast)
		} else {
			likelier = k.rather(o)
			enough = s.enough(k, o, likelier, people)
		}
		if !enough || person && !people || owner != nil && people == person && (likelier < most || likelier == most && !s.outranks(o, owner)) {
			continue
		}
		owner, most, person = o, likelier, people
	}
	return owner
}

// enough tells whether what speaks for a key's numbers being some of another table's is enough to ask. Of a few rows the numbers tell nothing, unless they are counted up
// without gaps or something else says that they number their own.
func (s *search) enough(k, o *key, likelier float64, people bool) bool {
	least := float64(sideLeast)
	switch {
	case k.table.Counted:
		least = sideLeastCounted
	case people && s.bearsAnother(k) && !math.IsInf(likelier, -1): // whatever its numbers look like
		return true
	case k.own || s.person(k.table) || s.meant(k):
		least = sideLeastOwn
	case s.untold(k, people) && mostly(k, o):
		return true
	case s.refersBeside(k, o):
		least = sideLeastOwn
	case k.gapless():
		least = sideLeastGapless
	case people, !k.ownName():
		least = sideLeastPerson
	}
	return likelier >= math.Log(least)
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
	return float64(in) > leftShare*float64(k.len())
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

// rather is the logarithm of how many times likelier a key's numbers are as some of another one's than as counted up for its own rows. Some of the other one's are as many
// as chance wants, end anywhere or where any so many would, and are any so many up to there. What is counted up ends anywhere, and is all of the numbers up to there as
// often as any so many of them.
func (k *key) rather(o *key) float64 {
	sum, some, far := 0.0, false, true
	for i := range k.Columns {
		n, all := float64(k.set(i).Len()), float64(o.set(i).Len())
		told := slices.ContainsFunc(k.Columns[:i], func(c *merge.KeyColumn) bool { return c.Set.Equal(k.set(i)) }) // servers with one past tell it once
		if n == 0 || told || k.wiped[i] && n < fewValues {
			continue
		}
		if k.set(i).Shared(o.set(i)) < k.set(i).Len() {
			if o.wiped[i] {
				continue
			}
			return math.Inf(-1)
		}
		some = true
		upTo, numbers := float64(o.set(i).Rank(k.high[i])), float64(k.high[i])-float64(o.low[i])+1
		ends := math.Exp(choices(upTo-1, n-1)-choices(all, n))/2 + 1/(2*all)
		other := math.Log(float64(yes(n == all))/2+1/(2*all)) + math.Log(ends) - choices(upTo-1, n-1)
		own := -math.Log(numbers) + math.Log(float64(yes(n == numbers))/2+1/(2*numbers)) - choices(numbers-1, n-1)
		sum += other - own
		far = far && o.low[i] >= farLow && k.low[i] >= farLow
	}
	if !some {
		return math.Inf(-1)
	}
	if far {
		sum += math.Log(farOwn)
	}
	return sum
}

// ratherMostly is rather for a key of which some numbers are none of the other one's, as those of rows that outlived their players: any so many of the numbers that the other one leaves out.
func (k *key) ratherMostly(o *key) float64 {
	sum, some := 0.0, false
	for i := range k.Columns {
		n, in := float64(k.set(i).Len()), float64(k.set(i).Shared(o.set(i)))
		told := slices.ContainsFunc(k.Columns[:i], func(c *merge.KeyColumn) bool { return c.Set.Equal(k.set(i)) })
		if n == 0 || told || k.wiped[i] && n < fewValues {
			continue
		}
		if o.wiped[i] || in < max(2, includesPro*n) {
			return math.Inf(-1)
		}
		low, high := min(k.low[i], o.low[i]), max(k.high[i], o.high[i])
		all, numbers := float64(o.set(i).Len()), float64(high)-float64(low)+1
		some = true
		other := -math.Log(all) - choices(all, in) - math.Log(numbers-all+1) - choices(numbers-all, n-in)
		own := -math.Log(numbers) - choices(numbers, n)
		if n == float64(k.high[i])-float64(k.low[i])+1 {
			own = max(own, -2*math.Log(numbers))
		}
		sum += other - own
	}
	if !some {
		return math.Inf(-1)
	}
	return sum
}

// Most tables count from 1: one that would begin where another's far numbers do is so many times rarer.
const (
	farLow = 100
	farOwn = 30
)

// choices is the logarithm of how many ways there are to choose some of so many.
func choices(of, some float64) float64 {
	a, _ := math.Lgamma(of + 1)
	b, _ := math.Lgamma(some + 1)
	c, _ := math.Lgamma(of - some + 1)
	return a - b - c
}

// ownerOf is the key of another table, among whose numbers most of a key's are, where that is called neither like its own table's rows nor like everybody's, and no engine
// counts it unless its name means somebody: whoever has a row there is one of the others. It is nil when there is none.
func (s *search) ownerOf(k *key) (owner *key) {
	n, named := k.name, false
	somebody := s.meansPerson(n)
	if k.own || s.meant(k) || slices.ContainsFunc(k.table.bare, func(word string) bool { return shortens(word, n.stem) }) || k.len() < ownedLeast || k.name.whole == "id" || s.words.natural[n.last()] || s.words.measures(n) || n.has(s.words.outside) || k.auto && !somebody {
		return nil
	}
	for _, o := range s.keys {
		if !s.besides(k, o, repeatsLeast) || o.len() < k.len() || k.same && !o.same || twins(k, o) && s.better(k, o) {
			continue
		}
		same := n.whole == o.name.whole && !s.common[n.whole]
		called := same || slices.Contains(o.table.stems, n.stem) || somebody && slices.Contains(s.hubs, o)
		p := &pick{key: o, shards: k.spread(), fit: measure(k.spread(), o)}
		if _, tops := p.tops(); !tops && (k.gapless() || p.fit.verdict == against) {
			continue // counted up for its own rows
		}
		if s.words.everyones[n.whole] && (!s.person(o.table) || !same && !s.common[n.whole]) || named && !called || owner != nil && named == called && cmp.Or(cmp.Compare(s.rank(owner), s.rank(o)), cmp.Compare(s.received(o), s.received(owner))) <= 0 {
			continue
		}
		owner, named = o, called
	}
	return owner
}

// afterLeast is how many columns named after a key say that its name is that of its own rows.
const afterLeast = 2

// ownedLeast is how many numbers of all shards say something.
const ownedLeast = 4

// besides tells whether at least a share of a key's values are another table's whole key's, too.
func (s *search) besides(k, o *key, share float64) bool {
	return o != k && o.Root && (o.heads() || o.Undeclared && o.sole) && !o.text && o.table != k.table && !s.alike[o.table.Name] && among(k, o, share)
}
