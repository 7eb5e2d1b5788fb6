package discover

import (
	"cmp"
	"slices"

	"github.com/gameid/gameid/merge"
)

// explaining are the keys of other tables that all or nearly all values of a column are among, and not the lowest of them only: that a few
// values, which are called somebody, lie low is a chance.
func (s *search) explaining(c *column) []*key {
	return s.among(c, func(k *key) bool { return s.names(c, k) || k.Root && !s.alike[k.table.Name] })
}

// among are the keys, of some, that explain a column's values, the likeliest first; of its own table only where its name says that it holds somebody, or it avoids the holes
// between them.
func (s *search) among(c *column, some func(k *key) bool) (list []*key) {
	staff := s.words.onStaff(c.name)
	few := c.least() < fewValues && (c.name.has(s.words.roles) || s.words.agent(c.name)) || c.least() < someValues && staff
	own := c.self == nil && (s.called(c) || s.calledPeer(c) || s.amongGroups(c)) && !staff
	list, fits := s.fitting(c, func(k *key) bool { return (k.table != c.table || c.self == nil) && some(k) }, func(f *fit) bool {
		return f.nearly() && f.verdict >= mute && (f.reach >= reaches || few)
	})
	list = slices.DeleteFunc(list, func(k *key) bool {
		return k.table == c.table && !own && !fits[k].heeds() && k.byChance(c.shards) > sparedChance
	})
	slices.SortStableFunc(list, func(a, b *key) int {
		return cmp.Or(cmp.Compare(fits[b].verdict, fits[a].verdict), cmp.Compare(yes(fits[b].heeds()), yes(fits[a].heeds())), cmp.Compare(yes(fits[b].inclusion >= includesSure), yes(fits[a].inclusion >= includesSure)), cmp.Compare(yes(b.byChance(c.shards) <= sparedChance), yes(a.byChance(c.shards) <= sparedChance)), cmp.Compare(fits[b].reach, fits[a].reach), byCol(a.Col, b.Col))
	})
	return list[:min(len(list), othersMost)]
}

// peopleBefore puts the key of a game's likeliest people before others that explain a column's values, where it does so, too, if by its lowest numbers alone: bots and those who serve a server came first.
func (s *search) peopleBefore(c *column, fits []*key) []*key {
	at := slices.IndexFunc(s.hubs, func(k *key) bool { return s.person(k.table) })
	if at < 0 || s.hubs[at].table == c.table || slices.Contains(fits, s.hubs[at]) || s.onto(s.hubs[at], c) {
		return fits
	}
	if f := measure(c.shards, s.hubs[at]); !f.nearly() || f.verdict < mute {
		return fits
	}
	return slices.Insert(slices.Clone(fits), 0, s.hubs[at])
}

// calledPeer tells whether a column's last word is what one row may be to another, as the rival of a guild is a guild. By whom or to whom something is done is anybody.
func (s *search) calledPeer(c *column) bool {
	last := c.name.last()
	return !c.amount && s.words.roles[last] && last != "by" && last != "to" && last != "from"
}

// amongGroups tells whether a column of a table of groups is called like a group: a union of guilds goes by one of them.
func (s *search) amongGroups(c *column) bool {
	return !c.amount && s.words.groups[c.name.last()] && slices.ContainsFunc(c.table.bare, func(w string) bool { return s.words.groups[w] })
}

// ofOwnTable tells whether a column that is named like no amount holds none but keys of its own table, and avoids the holes between them: guilds have enemies and unions among
// the guilds.
func (s *search) ofOwnTable(c *column) bool {
	return c.self == nil && !c.amount && slices.ContainsFunc(s.explaining(c), func(k *key) bool { return k.table == c.table })
}

// ownLowest is the key of a column's own table whose lowest numbers all or nearly all of its values are, as those of the first rooms among a game's objects.
func (s *search) ownLowest(c *column) (list []merge.Col) {
	for _, k := range c.table.keys {
		if k.Root && k.sole && c.self == nil && !c.name.has(s.words.things) && !s.alike[c.table.Name] && maybe(c.shards, k) {
			if f := measure(c.shards, k); f.nearly() && f.verdict >= mute {
				list = append(list, k.Col)
			}
		}
	}
	return list
}

// names tells whether a column is called by the name of a key's table.
func (s *search) names(c *column, k *key) bool {
	return !c.amount && slices.Contains(k.table.stems, c.name.stem)
}

// meaning is the key, of those that explain a column's values, that its name says: its table's name, or somebody where the key is that of the game's people or the only
// one; nil when it says none.
func (s *search) meaning(c *column, fits []*key) *pick {
	at := slices.IndexFunc(fits, func(k *key) bool { return s.names(c, k) })
	somebody := s.meansPerson(c.name)
	if at < 0 && (somebody || s.words.agent(c.name) || s.words.onStaff(c.name)) {
		at = slices.IndexFunc(fits, s.peoples)
	}
	if at < 0 && (somebody && len(fits) == 1 || c.name.has(s.words.roles) && len(fits) > 0) {
		at = 0
	}
	if at < 0 {
		return nil
	}
	if own := slices.IndexFunc(fits, func(k *key) bool { return k.table == c.table }); own >= 0 && !s.names(c, fits[at]) && measure(c.shards, fits[at]).reach < reaches {
		if f := measure(c.shards, fits[own]); f.inclusion == 1 && f.reach >= reaches {
			at = own // the allies of a guild are guilds: that they are the lowest of the people, too, is a chance
		}
	}
	p := &pick{column: c, key: fits[at], hint: s.hint(c, fits[at]), shards: c.shards, fit: measure(c.shards, fits[at]), grade: merge.Doubtful}
	p.others = colsOf(slices.Delete(slices.Clone(fits), at, at+1))
	return p
}

// peopleLeast is how many columns with the names of roles refer at least to the key of a game's people.
const peopleLeast = 2

// peoples tells whether a key is that of a game's people: a hub, or what several columns that are called somebody plainly hold.
func (s *search) peoples(k *key) bool {
	n := 0
	for _, p := range s.picks {
		n += int(yes(p.key == k && p.when == "" && p.column.name.has(s.words.roles) && sureness(p.grade) >= sureness(merge.Likely)))
	}
	return n >= peopleLeast || slices.Contains(s.hubs, k)
}
