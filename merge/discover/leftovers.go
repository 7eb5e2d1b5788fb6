package discover

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Leftover is a column of numbers about which nothing is proposed and nobody is asked, though some of what it holds are keys: levels and amounts are, by chance. So is
// a reference that no rule knows.
type Leftover struct {
	Col  merge.Col
	Keys []merge.Col // whose numbers some of its values are, the likeliest first
	Most []merge.Col // of these, the keys that half of the rows or more hold, in every shard
	// Share of the rows that hold the first of Keys, and how far up these the values reach, both the lowest of the shards.
	Share, Reach float64
	// Captured tells that some values are dead in their own shard and keys of another one.
	Captured bool
	// Told tells that something speaks against a reference: the game counts in other rows of a column that is called a counter, it is named by a word for an amount, holds a few
	// classes or a catalogue's numbers or mostly fractions, or has a few rows that hold mostly others.
	Told bool
	// Counts is the key at whose highest number, or above it, its table's one row stands on every server: the game may count there.
	Counts merge.Col
	// Groups tells that another table has a column of the same name and none issues its numbers: they may be those of groups.
	Groups bool
	// But is a number that stands in many rows of every shard and is no key anywhere, and was left out of Share; nil when there is none. ButRows are its rows.
	But     *int64
	ButRows int64
	// Somebody tells that the column is called like somebody, by more than a letter, and that the first of Keys is that of a table of people.
	Somebody bool
	// Called tells that the column is called as the rows of the first of Keys' table are.
	Called bool
	// World tells that all rows of every shard hold the number of the row or two of Keys' tables: it may say to which world, season or the like they belong.
	World bool
}

// A column of fewer rows in every shard is asked about only where this share of them, in every shard, hold keys: a few numbers are keys by chance.
const (
	leftRows  = 10
	leftShare = 0.5
)

// How many different values a column holds that is asked about though it is named like an amount, where nearly all of them are keys, and how far up these they reach: amounts
// end anywhere.
const (
	wholeLeast   = 20
	wholeReach   = 0.9
	amountChance = 0.01 // of a few that are all keys, and any number might be none
)

// shownLeast is the share of some shard's rows that hold keys from which a column is asked about: what is written as 0 % is a chance.
const shownLeast = 0.005

// leftKeys is how many keys a column is compared with whose numbers some of its values are: those first of which two shards hold some, and that others refer to. Beside them it is
// compared with all by whose tables it is called, and that hold all of its values, not among their lowest only.
const leftKeys = 6

// leftovers are the columns that are not placed and whose values are keys, some of them. Columns of flags are none, those of moments of which few are keys, and those that
// hold numbers inside texts.
func (s *search) leftovers(placed, holding map[merge.Col]bool) (list []Leftover) {
	issued := slices.DeleteFunc(slices.Clone(s.keys), func(k *key) bool { return !k.Root || s.alike[k.table.Name] })
	clash := map[*key]bool{}
	for _, k := range issued {
		clash[k] = k.clashes()
	}
	slices.SortStableFunc(issued, func(a, b *key) int {
		return cmp.Or(cmp.Compare(yes(a.Undeclared), yes(b.Undeclared)), cmp.Compare(yes(clash[b]), yes(clash[a])), cmp.Compare(s.rank(a), s.rank(b)), cmp.Compare(b.size, a.size), byCol(a.Col, b.Col))
	})
	for _, c := range s.columns {
		if rest := s.rests[c.col]; rest != nil {
			c = rest
		}
		if c.known || c.self != nil && c.self.heads() || placed[c.col] || s.alike[c.table.Name] && !s.differ[c.table.Name] || s.embeds(c) {
			continue
		}
		if worlds := colsOf(s.worldsOf(c)); len(worlds) > 0 {
			list = append(list, Leftover{Col: c.col, Keys: worlds, Most: worlds, Share: 1, Reach: 1, World: true})
			continue
		}
		if c.flag() == 1 && !s.soleActor(c) {
			continue
		}
		fits := map[*key]*fit{}
		shards, but, butRows := c.withoutFiller(issued)
		called := func(k *key) bool {
			return c.callsTable(k) || k.table != c.table && k.kin(c.table, c.name.tokens) > 0 || k.table == c.table && s.amongGroups(c)
		}
		var keys []*key
		for _, k := range issued {
			if len(keys) >= leftKeys && !called(k) && !k.explains(shards) {
				continue
			}
			if c.flag() == 1 && (k.table == c.table || !s.peopled(k.table)) {
				continue
			}
			if (k.table != c.table || c.least() >= holdsLeast || c.single() || !c.low() || s.amongGroups(c)) && k.hasSome(shards) { // two or three low numbers of many rows mean little beside their row's own
				fits[k] = measure(shards, k)
				keys = append(keys, k)
			}
		}
		if len(keys) == 0 {
			continue
		}
		somebody := s.calledSomebody(c) && (s.meansPerson(c.name) || s.words.agent(c.name))
		people := func(k *key) int64 { return yes(somebody && s.person(k.table)) } // whatever others explain by chance
		slices.SortStableFunc(keys, func(a, b *key) int {
			return cmp.Or(cmp.Compare(yes(a.Undeclared), yes(b.Undeclared)), cmp.Compare(yes(fits[b].inclusion >= leftShare), yes(fits[a].inclusion >= leftShare)), cmp.Compare(yes(called(b)), yes(called(a))), cmp.Compare(people(b), people(a)), cmp.Compare(fits[b].verdict, fits[a].verdict), cmp.Compare(fits[b].inclusion, fits[a].inclusion), cmp.Compare(yes(b.byChance(shards) <= lentChance), yes(a.byChance(shards) <= lentChance)), cmp.Compare(yes(a.table == c.table), yes(b.table == c.table)))
		})
		best, integers := fits[keys[0]], c.integers()
		if c.times() && best.inclusion < leftShare { // a moment is a key's number now and then
			continue
		}
		most := slices.DeleteFunc(slices.Clone(keys), func(k *key) bool { return fits[k].inclusion*integers < leftShare })
		whole := c.mostly() && slices.ContainsFunc(keys, func(k *key) bool {
			return k.table != c.table && (fits[k].inclusion >= includesSure && (c.least() >= wholeLeast && fits[k].reach >= wholeReach || k.anybody(shards) <= amountChance) || k.topped(fits[k], shards))
		})
		groups := s.sharedGroups(c)
		list = append(list, Leftover{
			Groups: groups, Counts: s.mayCount(c), But: but, ButRows: butRows, Called: called(keys[0]), Somebody: s.peopled(keys[0].table) && somebody && len(c.name.stem) > 1 && !c.saysYes(),
			Col: c.col, Keys: colsOf(keys), Most: colsOf(most), Share: best.inclusion * integers, Reach: best.reach, Captured: slices.ContainsFunc(keys, func(k *key) bool { return k.captures(c.shards) }),
			Told: integers < leftShare || c == s.rests[c.col] && (s.counts(c) || c.name.has(s.words.issues) || c.table.name.has(s.words.issues)) || c.flag() == 1 && c.saysNo() || c.saysDone() || !s.soleActor(c) && !holding[c.col] && !groups && !slices.ContainsFunc(most, c.callsTable) && !slices.ContainsFunc(keys, func(k *key) bool { return k.farOff(shards) }) && (c.amount && s.words.gauges(c.name) && !whole || s.classifies(c) || s.enumerates(c) || best.inclusion < leftShare && best.verdict < pro && mostRows(c.shards) < leftRows || best.most() < shownLeast),
		})
	}
	slices.SortStableFunc(list, func(a, b Leftover) int { return byCol(a.Col, b.Col) })
	return list
}

// explains tells whether all values are a key's, and not the lowest of them only: of two keys that hold them all, those of a far larger one are any small numbers.
func (k *key) explains(shards []values) bool {
	some := false
	for i, v := range shards {
		n := len(v.list)
		if n == 0 || k.wiped[i] {
			continue
		}
		share := func(one int64) float64 { return float64(k.set(i).Rank(one)) / float64(max(1, k.set(i).Len())) }
		if some = true; share(v.list[int(quantile*float64(n))]) < reaches && math.Pow(min(1, share(v.list[n-1])), float64(n)) < lentChance {
			return false
		}
		if slices.ContainsFunc(v.list, func(one int64) bool { return !k.has(i, one) }) {
			return false
		}
	}
	return some
}

// integers is the share of the rows of a column of numbers that hold whole ones, the lowest of the shards: most of what was measured in fractions is no key.
func (c *column) integers() float64 {
	least := 1.0
	for _, v := range c.shards {
		if _, fraction := v.such.(float64); fraction && !c.text {
			rows := max(v.rows+v.other, 1)
			least = min(least, float64(v.rows)/float64(rows))
		}
	}
	return least
}

// most is the share of the rows that hold keys in the shard where it is the highest.
func (f *fit) most() (share float64) {
	for i, rows := range f.rows {
		if rows > 0 {
			share = max(share, float64(f.in[i])/float64(rows))
		}
	}
	return share
}

// callsTable tells whether a column is called as another table's rows are: the level of a score is one of the levels, where that is a table.
func (c *column) callsTable(k *key) bool {
	return k.table != c.table && slices.Contains(k.table.stems, c.name.stem)
}

// soleActor tells whether a column holds nothing but ones and is named like somebody, outside the tables of people, where that is a yes: the first player of a server is
// the one who runs it.
func (s *search) soleActor(c *column) bool {
	for _, v := range c.shards {
		if len(v.list) > 1 || len(v.list) == 1 && v.list[0] != 1 {
			return false
		}
	}
	return c.distinct() > 0 && !s.peopled(c.table) && s.calledSomebody(c)
}

// calledSomebody tells whether a column is named like somebody, also by an office or as whom something is done by.
func (s *search) calledSomebody(c *column) bool {
	return !c.amount && (s.somebody(c.name) || s.words.agent(c.name) || s.words.offices[c.name.last()])
}

// peopled tells whether a table is called like people, or a column that is called like somebody refers to it.
func (s *search) peopled(t *table) bool {
	return s.person(t) || slices.ContainsFunc(s.picks, func(p *pick) bool { return p.key.table == t && s.meansPerson(p.column.name) })
}

// saysNo tells whether a column that is not called an id, nor like whom something is done to or by, has zeros, too, as one of yes and no has.
func (c *column) saysNo() bool {
	return !c.name.id && c.name.last() != "to" && c.name.last() != "by" && slices.ContainsFunc(c.shards, func(v values) bool {
		return slices.ContainsFunc(v.nobody, func(m meant) bool { return m.number == 0 })
	})
}

// saysDone tells whether a column of zeros and ones alone is named by one word for what was done to its row, as banned is: a yes or no, though it may be a word for somebody as well.
func (c *column) saysDone() bool {
	return len(c.name.tokens) == 1 && strings.HasSuffix(c.name.whole, "ed") && c.saysYes()
}

// saysYes tells whether a column that is not called an id, nor like whom something is done to or by, holds nothing but zeros and ones, some of both at least.
func (c *column) saysYes() bool {
	other := func(v values) bool { return len(v.list) > 1 || len(v.list) == 1 && v.list[0] != 1 }
	return !slices.ContainsFunc(c.shards, other) && c.saysNo()
}

// embeds tells whether a column holds numbers inside its texts, which are told of or asked about by themselves.
func (s *search) embeds(c *column) bool {
	return slices.ContainsFunc(s.embedded, func(e Embedded) bool { return e.Col == c.col })
}

// fillerRows is the share of the rows in which a number stands that may mean nobody, though it is none of those that usually do.
const fillerRows = 0.1

// withoutFiller are a column's values without the most frequent one, where that stands in many rows of every shard that has any and is no key anywhere, and that number, with its rows.
func (c *column) withoutFiller(keys []*key) (shards []values, filler *int64, rows int64) {
	shards = slices.Clone(c.shards)
	for i := range shards {
		v := &shards[i]
		if len(v.list) < 2 {
			continue
		}
		at := slices.Index(v.weights, slices.Max(v.weights))
		n := v.list[at]
		if filler != nil && *filler != n || float64(v.weights[at]) < fillerRows*float64(v.rows) ||
			slices.ContainsFunc(keys, func(k *key) bool { return k.anywhere(n) }) {
			return c.shards, nil, 0
		}
		filler = &n
		rows += v.weights[at]
		v.rows -= v.weights[at]
		v.list, v.weights = slices.Delete(slices.Clone(v.list), at, at+1), slices.Delete(slices.Clone(v.weights), at, at+1)
		v.middle = 0
	}
	return shards, filler, rows
}

// low tells whether some shard's values are low ones, as those of classes are.
func (c *column) low() bool {
	return slices.ContainsFunc(c.shards, func(v values) bool { return len(v.list) > 0 && v.list[0] <= classMost })
}

// single tells whether a column's values mostly stand in a row each.
func (c *column) single() bool {
	return !slices.ContainsFunc(c.shards, func(v values) bool { return v.rows > singleMost*int64(len(v.list)) })
}

// singleMost is in how many rows, on average, values stand that are no classes of their rows.
const singleMost = 2

// clashes tells whether two shards hold some of the same keys.
func (k *key) clashes() bool {
	for i := range k.Columns {
		for j := range i {
			if k.set(i).Shared(k.set(j)) > 0 {
				return true
			}
		}
	}
	return false
}

// captures tells whether some values are no keys of their own shard, and keys of another one.
func (k *key) captures(shards []values) bool {
	for i, v := range shards {
		if slices.ContainsFunc(v.list, func(n int64) bool {
			return !k.has(i, n) && k.anywhere(n)
		}) {
			return true
		}
	}
	return false
}

// farChance is how likely numbers that know nothing of a key may be its numbers, to be taken for some.
const farChance = 1e-3

// farOff tells whether some values are a key's that begins far above where numbers usually do, so that chance hardly ever puts any there.
func (k *key) farOff(shards []values) bool {
	chance := 0.0 // its logarithm
	for i, v := range shards {
		if len(v.list) == 0 || k.set(i).Len() == 0 {
			continue
		}
		if k.low[i] < 1 {
			return false
		}
		n := 0
		for _, one := range v.list {
			if k.has(i, one) {
				n++
			}
		}
		span := float64(k.high[i]-k.low[i]) + 1
		chance += merge.LogChoices(float64(len(v.list)), float64(n)) + float64(n)*math.Log(span/float64(k.high[i]))
	}
	return chance < math.Log(farChance)
}

// hasSome tells whether some values are keys of their own shard.
func (k *key) hasSome(shards []values) bool {
	for i, v := range shards {
		if n := len(v.list); n == 0 || v.list[0] > k.high[i] || v.list[n-1] < k.low[i] {
			continue
		}
		if slices.ContainsFunc(v.list, func(n int64) bool { return k.has(i, n) }) {
			return true
		}
	}
	return false
}

// topped tells whether values, keys but for a few, end as near to the last key of every shard as those of a reference do, and as hardly any others would.
func (k *key) topped(f *fit, shards []values) bool {
	chance, ok := (&pick{key: k, fit: f, shards: shards}).tops()
	return ok && (f.nearly() && chance <= endedChance || f.inclusion >= includes && chance <= endedStrays)
}
