package discover

import (
	"slices"
	"strings"
)

// rootKeys tells the keys that number their rows themselves from those that repeat another key: both player_stats.player_id and players.id are
// keys, and only one of them is what a player_id elsewhere means.
func (s *search) rootKeys() error {
	s.commonNames()
	for _, k := range s.keys {
		k.own = k.own || !k.Generic && endsIn(k.table.bare, k.name.tokens) && ((k.auto && k.table.Counted) || !s.lends(k))
	}
	for _, k := range s.keys {
		to, known := s.pointsAt(k.Col)
		switch {
		case k.decl, k.own && !known:
			k.Root = true
		case known && s.key(to) != nil:
		case k.beside() && s.visits(k):
		case k.Generic:
			k.Root = k.sole && s.continues(k) == nil
		default:
			k.Root = k.sole && !s.repeats(k)
		}
	}
	return nil
}

// lends tells whether a key's name is that of another table, whose keys it may hold: online_players.player_id is a player, though its own
// table ends in that word too.
func (s *search) lends(k *key) bool {
	return slices.ContainsFunc(s.keys, func(o *key) bool {
		return o != k && o.sole && o.table != k.table && len(o.table.bare) < len(k.table.bare) && slices.Contains(o.table.stems, k.name.stem) &&
			among(k, o, repeatsLeast)
	})
}

// repeats tells whether a key's name names another key, one with more right to the name, whose values it has.
func (s *search) repeats(k *key) bool {
	for _, o := range s.keys {
		if o == k || o.table == k.table {
			continue
		}
		named := k.name.id && slices.Contains(o.table.stems, k.name.stem)
		same := !k.Generic && o.name.whole == k.name.whole && s.better(o, k) && !s.apart(k, o) && (!s.common[k.name.whole] || twins(k, o) || !s.numbersUp(k, o)) && (!s.words.sorts[k.name.whole] || twins(k, o) || measure(k.spread(), o).verdict >= pro)
		if (named || same) && among(k, o, repeatsLeast) {
			return true
		}
	}
	return false
}

// continues is the key that a bare id repeats, in a table that belongs with its own by name: character_stats.id is a character. The values must
// be nearly the same on every server, or avoid the holes of the other key. An id that the engine counts up by itself repeats nothing.
func (s *search) continues(k *key) *key {
	if found, known := s.continued[k]; known {
		return found
	}
	var found *key
	if k.Generic && k.sole && (!k.auto || !k.table.Counted) {
		for _, o := range s.keys {
			if o == k || !o.Generic || !o.sole || o.table == k.table || !related(o, k) {
				continue
			}
			if twins(o, k) && before(o, k) || beginsWith(k.table.bare, o.table.bare) && s.within(k, o) {
				found = o
				break
			}
		}
	}
	s.continued[k] = found
	return found
}

// within tells whether a key's values lie in another key's and avoid its holes.
func (s *search) within(k, o *key) bool {
	if !among(k, o, sameKeys) {
		return false
	}
	f := measure(k.spread(), o)
	return f.verdict == proof && f.holes.share() <= copyShare
}

// copyShare is the share of another key's holes that a copy of it may hit.
const copyShare = 0.1

// related tells whether two tables' names begin with the same word.
func related(a, b *key) bool {
	return len(a.table.bare) > 0 && len(b.table.bare) > 0 && a.table.bare[0] == b.table.bare[0]
}

// better tells whether a has more right than b to a name that both bear: the table's own word, a number by the engine, people's rows, more rows.
func (s *search) better(a, b *key) bool {
	for _, right := range []func(k, o *key) int64{
		func(k, _ *key) int64 { return yes(k.decl) },
		func(k, _ *key) int64 { return yes(k.own) },
		func(k, _ *key) int64 { return yes(k.auto && k.table.Counted) },
		func(k, _ *key) int64 { return yes(s.person(k.table)) },
		func(k, o *key) int64 { return yes(beginsWith(o.table.bare, k.table.bare)) },
		func(k, o *key) int64 { return yes(k.beside() && k.holds(o)) }, // a purse's primary key is its player's number
		func(k, _ *key) int64 { return yes(k.auto && k.sole) },
		func(k, _ *key) int64 { return yes(k.sole) },
		func(k, _ *key) int64 { return k.size },
		func(k, _ *key) int64 { return int64(len(k.table.Columns)) },
	} {
		if x, y := right(a, b), right(b, a); x != y {
			return x > y
		}
	}
	return a.Col.Table < b.Col.Table
}

// leads tells which of two keys with the same values the other one repeats: that of a table which is called like people alone, the one that the other is called like, else
// the one with more right to its numbers.
func (s *search) leads(a, b *key) bool {
	if x, y := yes(s.people(a.table)), yes(s.people(b.table)); x != y {
		return x > y
	}
	if x, y := s.level(b, a), s.level(a, b); x != y {
		return x > y
	}
	return s.better(a, b)
}

// level is what a key's name says about another one.
func (s *search) level(k, o *key) int {
	i := slices.IndexFunc(k.table.columns, func(c *column) bool { return c.self == k })
	if i < 0 {
		return 0
	}
	return s.hint(k.table.columns[i], o).level
}

// beside tells whether the schema holds the key unique beside a primary key that is another one.
func (k *key) beside() bool {
	return k.sole && !k.Undeclared && !slices.Contains(k.table.PrimaryKey, k.Col.Name)
}

// visits tells whether a key beside the primary one is rather another table's: a member's guid, a house's owner.
func (s *search) visits(k *key) bool {
	return s.words.roles[k.name.stem] || slices.ContainsFunc(s.keys, func(o *key) bool {
		if o == k || !o.sole || o.table == k.table || !among(k, o, includes) || k.holds(o) || twins(k, o) {
			return false
		}
		return slices.Contains(o.table.stems, k.name.stem) || s.calledLike(k, o) && !s.numbersUp(k, o) || measure(k.spread(), o).verdict >= pro
	})
}

// holds tells whether nearly all values of another key are among the key's, which has more.
func (k *key) holds(o *key) bool {
	return among(o, k, sameKeys) && !among(k, o, inside(o, k))
}

func yes(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// inside is the share of a key's values that another key has too, the lowest of the shards.
func inside(k, o *key) float64 {
	least, some := 1.0, false
	for i := range k.Columns {
		if n := k.set(i).Len(); n > 0 {
			least, some = min(least, float64(k.set(i).Shared(o.set(i)))/float64(n)), true
		}
	}
	if !some {
		return 1
	}
	return least
}

// among tells whether at least a share of a key's values are another's too, in every shard. Most pairs of keys have not even enough values for it.
func among(k, o *key, share float64) bool {
	for i := range k.Columns {
		n := float64(k.set(i).Len())
		if n == 0 {
			continue
		}
		if float64(o.set(i).Len())/n < share || k.low[i] > o.high[i] || k.high[i] < o.low[i] || float64(k.set(i).Shared(o.set(i)))/n < share {
			return false
		}
	}
	return true
}

// twins tells whether two keys have nearly the same values in every shard, as the id of a table and that of the table that continues its rows.
func twins(a, b *key) bool {
	return a.size > 0 && among(a, b, sameKeys) && among(b, a, sameKeys)
}

// repeatsLeast is the share of values from which a name that names another key is believed.
const repeatsLeast = 0.6

// endsIn tells whether a list of words ends in another.
func endsIn(words, end []string) bool {
	return len(end) > 0 && len(words) >= len(end) && slices.Equal(words[len(words)-len(end):], end)
}

// beginsWith tells whether a list of words begins with another, shorter one.
func beginsWith(words, head []string) bool {
	return len(head) > 0 && len(words) > len(head) && slices.Equal(words[:len(head)], head)
}

// before orders two twins with bare ids: the one whose name the other continues is the root, else the one with more columns.
func before(a, b *key) bool {
	if x, y := beginsWith(b.table.bare, a.table.bare), beginsWith(a.table.bare, b.table.bare); x != y {
		return x
	}
	if x, y := len(a.table.Columns), len(b.table.Columns); x != y {
		return x > y
	}
	return strings.Compare(a.Col.Table, b.Col.Table) < 0
}
