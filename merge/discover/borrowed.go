package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// lenders are the other tables' keys that a key may hold instead of numbering its own rows: a ban's guid is its character's. Its name alone says
// nothing, so it has to be the other key's very name; few different values are no sign that a column numbers its rows.
func (s *search) lenders(k *key) []*key {
	found, known := s.lending[k]
	if !known {
		for _, o := range s.keys {
			if o.Root && s.calledLike(k, o) && !s.numbersUp(k, o) {
				found = append(found, o)
			}
		}
		s.lending[k] = found
	}
	return found
}

// calledLike tells whether a key bears the name of another table's key, nearly all of its values are among that one's, and its table is named after
// the other's, or the name is one that not every table has.
func (s *search) calledLike(k, o *key) bool {
	switch {
	case !k.Generic || o == k || o.table == k.table || k.name.whole != o.name.whole || k.auto && k.table.Counted:
		return false
	case s.words.everyones[k.name.whole] && !beginsWith(k.table.bare, o.table.bare), o.Undeclared && o.size <= k.size:
		return false
	}
	return among(k, o, includes) && measure(k.spread(), o).verdict >= mute || s.mayBeDead(k, o)
}

// mayBeDead tells whether the values of a key that no schema holds unique are nearly all another key's wherever they are more than a few, and the few of some other shard are
// not: they may be left from rows that were deleted. Those that only another shard has would become its rows'.
func (s *search) mayBeDead(k, o *key) bool {
	shards := k.spread()
	if k.alone || !o.captures(shards) {
		return false
	}
	for i := range k.Columns {
		if n := k.set(i).Len(); n >= fewValues && float64(k.set(i).Shared(o.set(i))) < includes*float64(n) {
			return false
		}
	}
	return true
}

// numbersUp tells whether a key counts its rows from one up all the same. Where the primary key needs more than it, it does not; where the table is
// named after the other one, and the key's name is not everyone's, no count tells.
func (s *search) numbersUp(k, o *key) bool {
	if !k.alone && slices.Contains(k.table.PrimaryKey, k.Col.Name) || beginsWith(k.table.bare, o.table.bare) && !s.words.everyones[k.name.whole] {
		return false
	}
	return !slices.ContainsFunc(k.Columns, func(c *merge.KeyColumn) bool {
		low, some := c.Set.Min()
		high, _ := c.Set.Max()
		return some && (low < 1 || float64(high) > countedMost*float64(c.Set.Len()))
	})
}

// countedMost is how many times as high as many the numbers go that a table counted up from one, of which some were deleted.
const countedMost = 1.5

// lies tells whether the values of a key are nearly all another key's and rather avoid its holes: a corpse's guid may be its character's. A name that says
// something takes more, unless few values are spread far that no key of the schema holds unique by themselves, and a bare id, which says that it numbers the rows, takes a
// proof; less where few values are spread far, since nothing counted these. Such ones may be the cells of a map, too, which is the same everywhere and has no holes to avoid.
func (s *search) lies(k, o *key) bool {
	if o == k || !o.Root || o.table == k.table || k.auto && k.table.Counted || !among(k, o, includesPro) {
		return false
	}
	if s.scattered(k, o) {
		return true
	}
	bare, strewn, lent := k.name.whole == "id", k.strewn(), k.Undeclared && k.part() && !k.countsUp()
	if n := k.size; n < fewValues || n < someValues && !strewn && !lent {
		return false
	}
	f := measure(k.spread(), o)
	if !among(k, o, includes) { // where most players have a row, their own numbers may look like that table's
		return bare && s.person(o.table) && !s.person(k.table) && outlives(f)
	}
	switch {
	case f.verdict < mute:
		return false
	case strewn && f.inclusion >= includesSure && f.reach >= reaches && sameSets(o, staticRows):
		return true
	case bare && strewn:
		return f.verdict >= pro && f.reach >= reaches
	case bare:
		return f.verdict == proof && f.reach >= reachesSure && f.holes.share() <= lentShare || outlives(f)
	case strewn && k.part() && among(k, o, 1) && !s.alike[o.table.Name]: // so few may miss the holes by chance, and nothing says that they number the rows but the name
		return true
	case lent && f.inclusion >= includesSure && f.reach >= reaches && f.holes.chance >= lentHoles && !s.alike[o.table.Name]: // what refers to these rows knows them by the other's numbers
		return true
	case k.Generic:
		return f.avoids <= lentChance
	}
	return f.inclusion >= includesSure && f.avoids <= askChance
}

// part tells whether a key is at most a part of the keys that its table declares, or stands beside them, as the charter of a petition that its owner and its kind identify.
func (k *key) part() bool {
	return !k.alone && !k.auto && len(k.table.Uniques) > 0
}

// outlives tells whether the numbers of a bare id plainly are another key's, though many are of rows of that one that are gone: banks stay when their players are deleted. Between the
// keys chance never puts so few, and where two servers differ they are the own one's.
func outlives(f *fit) bool {
	return f.verdict == proof && f.reach >= reachesSure && f.holes.luck() <= bareChance && f.sister.verdict() >= pro
}

// lenderFirst puts that key first in which the first one plainly lies, where it explains hardly fewer of a key's numbers: what players have in two tables is theirs, and the one table's rows
// are not the other's. A name that says the first wins.
func (s *search) lenderFirst(list []*pick) {
	first := list[0]
	at := slices.IndexFunc(list, func(p *pick) bool {
		return p != first && p.fits && p.fit.verdict >= first.fit.verdict && p.fit.inclusion >= first.fit.inclusion-(1-includesSure) && s.lies(first.key, p.key) && s.outranks(p.key, first.key)
	})
	if first.hint.level > 0 || first.grade == merge.Certain || at < 0 {
		return
	}
	list[0], list[at] = list[at], first
}

// lentHoles is how many of the numbers that a key leaves out chance would hit at least, where it says something that hardly any is.
const lentHoles = 1

// lentShare is the share of another key's holes that a bare id may hit and still be worth a question: two tables' rows may be deleted in step.
const lentShare = 0.3

// strewn tells whether a key's values are spread wider, in every shard, than those of rows that were counted up: those in the middle, for a game may give its own characters numbers far
// above its players'.
func (k *key) strewn() bool {
	return !slices.ContainsFunc(k.Columns, func(c *merge.KeyColumn) bool {
		n := c.Set.Len()
		from, some := c.Set.At(n / 4)
		to, _ := c.Set.At(n - 1 - n/4)
		return some && float64(to)-float64(from)+1 <= strewnLeast*float64(n-2*(n/4))
	})
}

// strewnLeast is how many times as far as many such values go.
const strewnLeast = 3

// scattered tells whether a small table's numbers lie so far apart among another one's that they are rather some of these, whatever their name says: a table that counts its own rows leaves out
// few numbers, or only old ones.
func (s *search) scattered(k, o *key) bool {
	if k.Generic || !k.own && k.heads() || k.same || k.size < ownedLeast || k.size > farMost || s.alike[o.table.Name] || !k.farBetween() {
		return false
	}
	f := measure(k.spread(), o)
	return (f.inclusion >= includes || f.nearly()) && f.reach >= reaches && f.verdict >= mute
}

// Up to how many numbers, of all shards, do not show whose they are by those that they leave out, and from one to the next of which how far it is then: on average, and half as far at least in the middle.
const (
	farMost = 1000
	farGap  = 5
)

// farBetween tells whether a key's numbers lie far apart in every shard.
func (k *key) farBetween() bool {
	for _, c := range k.Columns {
		var gaps []int64
		last := int64(0)
		for v := range c.Set.All() {
			gaps, last = append(gaps, v-last), v
		}
		slices.Sort(gaps)
		if n := len(gaps); n > 0 && (2*gaps[n/2] < farGap || last < farGap*int64(n)) {
			return false
		}
	}
	return true
}

// like are the keys whose name a key bears that no schema declares.
func (s *search) like(k *key) (list []merge.Col) {
	if !k.Undeclared {
		return nil
	}
	for _, o := range s.keys {
		if o.Root && s.calledLike(k, o) {
			list = append(list, o.Col)
		}
	}
	return list
}
