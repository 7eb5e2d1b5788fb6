package discover

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/gameid/gameid/merge"
)

// Rows that a game adds one at a time show it: nearly every row has a text of its own, which no other server has, or something in them only rises with the key, as the
// time does at which they were made. Those that it laid out at its start, as the cells of a map, show neither, and are as many on every server.
const (
	namedRows   = 0.9  // rows with a text of their own
	namedShared = 0.5  // of the texts, at most, stand on another server too
	addedProbe  = 1000 // rows looked at for what rises
	addedRises  = 8
	addedFalls  = 0.02 // of the rises
	ownerless   = 0.1  // rows that nobody has, where others have somebody
	rankedLeast = 3    // rows of a shard that a ranking has
	rankedAll   = 8    // and of all shards: fewer may fall by chance
)

// samePlaces says why a key's numbers seem to be the same things on every server although their rows differ, where something says so. That two servers have equally
// many rows is a chance that fades with their number, where other tables show that the servers have lives of their own; unless their players are equally many: then
// only numbers that both leave out, and rows that belong to nobody, tell places from what players were given.
func (s *search) samePlaces(k *key, n *Nature) (err error) {
	t := k.table
	if len(s.shards) < 2 || s.alike[t.Name] || k.Undeclared || slices.ContainsFunc(s.picks, func(p *pick) bool { return p.column.self == k }) {
		return nil // whether it is another table's key is a question of its own
	}
	if n.Places, n.Laid, err = s.place(k); err != nil || n.Places != "" {
		return err
	}
	if n.Made, err = s.formula(k); err != nil || n.Made != nil {
		if n.Made != nil {
			n.Places, n.Laid = fmt.Sprintf("%s by one formula in every row (%s), as those of a place on a map do", n.Made.makes(), n.Made.Text), true
		}
		return err
	}
	if n.Places, err = s.someOfAll(k); err != nil || n.Places != "" {
		return err
	}
	if k.auto && t.Counted || !sameSets(k, leastPlaces(t)) && !scattered(k) && !begunFar(k) {
		return nil
	}
	n.Places, err = s.likeCells(k)
	s.cells[k] = n.Places != ""
	return err
}

// likeCells says why the very same keys of every shard may be places, whose rows say nothing of where they lie; "" when nothing says so.
func (s *search) likeCells(k *key) (string, error) {
	t := k.table
	if named, err := s.namesRows(t); err != nil || named {
		return "", err
	}
	added, err := s.added(t)
	if err != nil {
		return "", err
	}
	others, err := s.contrastOf(k)
	if err != nil {
		return "", err
	}
	why := fmt.Sprintf("every shard has the same %s keys, as a map has its cells", count(k.set(0).Len()))
	if added {
		return s.filledInOrder(k, why, others)
	}
	why += ", and nothing tells that their rows were added one by one, neither names nor times"
	switch {
	case holed(k) && (others.differ || others.dense):
		return why + "; all leave out the same numbers in between", nil
	case others.differ && !others.twins:
		return why, nil
	}
	if free, err := s.ownerless(t); err != nil || !free {
		return "", err
	}
	return why + "; some of them belong to nobody", nil
}

// filledInOrder says why the very same keys of every shard may be places although some number only rises with them, as one does that a script wrote while it filled the table:
// some rows belong to nobody, or there are no owners and the keys have holes that no two servers have by chance; "" when nothing says so.
func (s *search) filledInOrder(k *key, why string, others contrast) (string, error) {
	if !others.differ {
		return "", nil
	}
	owners, err := s.owners(k.table)
	if err != nil || len(owners) == 0 && !scattered(k) {
		return "", err
	}
	if len(owners) == 0 {
		return why + "; all leave out the same numbers in between", nil
	}
	if free, err := s.ownerless(k.table); err != nil || !free {
		return "", err
	}
	return why + ", and some of them belong to nobody", nil
}

// ownName tells whether a key is named after its table's rows, or like the keys of any table.
func (k *key) ownName() bool {
	return k.Generic || len([]rune(k.name.whole)) <= 2 || slices.ContainsFunc(k.table.stems, func(stem string) bool {
		return strings.HasPrefix(k.name.whole, stem) || len(k.table.bare) == 1 && shortens(k.name.stem, stem)
	})
}

// sameSets tells whether every shard has the very same keys, and so many at least.
func sameSets(k *key, least int64) bool {
	if k.set(0).Len() < least {
		return false
	}
	for i := range k.Columns[1:] {
		if !k.set(0).Equal(k.set(i + 1)) {
			return false
		}
	}
	return true
}

// placeWords are what games call parts of their world, and placesLeast is how many of them, the same on every server, say something.
var placeWords = []string{
	"arena", "base", "camp", "castle", "cell", "checkpoint", "city", "dock", "dungeon", "empire", "faction", "fort", "fortress", "gate", "hex", "island", "kingdom", "location", "mine", "nation", "outpost", "planet", "plot",
	"realm", "region", "sector", "stronghold", "territory", "tile", "tower", "town", "turf", "village", "zone",
}

const placesLeast = 2

// leastPlaces is from how many keys on that are the same on every server they may be places: fewer where the table is called after such, and nothing besides.
func leastPlaces(t *table) int64 {
	if t.places() {
		return placesLeast
	}
	return staticRows
}

// places tells whether a table is called after parts of a world, and nothing besides.
func (t *table) places() bool {
	place := func(w string) bool { return slices.Contains(placeWords, w) }
	return len(t.bare) == 1 && slices.ContainsFunc(t.stems, place) || len(t.bare) > 1 && !slices.ContainsFunc(t.bare, func(w string) bool { return !place(w) })
}

// sameEnd is how near the highest keys of all servers lie where all number the parts of one world, of which each has others: what is counted up ends where that server's life took it.
const sameEnd = 0.1

// endAlike tells whether every shard's highest key lies near that of all.
func (k *key) endAlike() bool {
	high := slices.Max(k.high)
	for i := range k.Columns {
		if k.set(i).Len() > 0 && float64(high-k.high[i]) > sameEnd*float64(high) {
			return false
		}
	}
	return true
}

// Few keys that are the very same on every server are no chance either where they leave out numbers in between in a way that so many others could have had, or those from one up to the first.
const (
	scatteredLeast = 4
	scatteredWays  = 10_000
)

// scattered tells whether every shard has the very same few keys, with holes that no two servers have by chance, as the bosses of a game do.
func scattered(k *key) bool {
	n := float64(k.set(0).Len())
	between := float64(k.high[0]) - float64(k.low[0]) - 1 // of which all but the first and the last key are some
	return sameSets(k, scatteredLeast) && merge.LogChoices(between, n-2) >= math.Log(scatteredWays)
}

// added tells whether a table's rows were added one at a time, as far as its name, its texts and its times tell.
func (s *search) added(t *table) (bool, error) {
	if known, ok := s.grows[t]; ok {
		return known, nil
	}
	added, err := s.namesRows(t)
	for _, c := range t.Columns {
		if err != nil || added {
			break
		}
		if c.Generated || len(t.PrimaryKey) != 1 || c.Name == t.PrimaryKey[0] {
			continue
		}
		if added, err = s.rises(t, merge.Col{Table: t.Name, Name: c.Name}); err == nil && added {
			laid, again := s.laidOut(t)
			added, err = !slices.Contains(laid, c.Name), again
		}
	}
	if err != nil {
		return false, err
	}
	s.grows[t] = added
	return added, nil
}

// namesRows tells whether a table is called like people, or gives nearly every row a text of its own.
func (s *search) namesRows(t *table) (named bool, err error) {
	if named, ok := s.titled[t]; ok {
		return named, nil
	}
	named = s.person(t) || s.hub(t)
	for _, c := range t.Columns {
		if named || err != nil {
			break
		}
		name := merge.Col{Table: t.Name, Name: c.Name}
		if !c.Generated && !slices.Contains(t.PrimaryKey, c.Name) && s.schema.Holds(name) == merge.Text && !s.words.measures(s.words.parse(c.Name)) {
			named, err = s.ownTexts(t, name)
		}
	}
	s.titled[t] = named
	return named, err
}

// ownTexts tells whether nearly every row of every shard has a text of its own, and few of them stand in another shard. What has no letters, as a day, is no name, and
// another table's name is not the row's own.
func (s *search) ownTexts(t *table, c merge.Col) (bool, error) {
	first := map[any]bool{}
	for i, shard := range s.shards {
		own, ok := shard.Schema().Resolve(c)
		if !ok {
			return false, nil
		}
		list, err := shard.Values(s.ctx, own, s.quote(own.Name)+" <> ''", addedProbe)
		if err != nil {
			return false, err
		}
		shared := 0
		for _, v := range list {
			if text, is := v.Value[0].(string); v.Rows > 1 || is && !strings.ContainsFunc(text, unicode.IsLetter) {
				return false, nil
			}
			shared += int(yes(first[v.Key()]))
			if i == 0 {
				first[v.Key()] = true
			}
		}
		if float64(len(list)) < namedRows*float64(min(t.rows[i], addedProbe)) || float64(shared) > namedShared*float64(len(list)) {
			return false, nil
		}
	}
	others, err := s.othersTexts(t, c)
	return !others, err
}

// rises tells whether a column's value hardly ever falls from a key to the next one, in every shard, and rises often.
func (s *search) rises(t *table, c merge.Col) (bool, error) {
	for i := range s.shards {
		ups, downs, err := s.steps(t, c, i)
		if err != nil || ups < addedRises || float64(downs) > addedFalls*float64(ups) {
			return false, err
		}
	}
	return true, nil
}

// steps counts among a shard's first keys how often a column's value rises from a key to the next one, and how often it falls. A shard that lacks the column has none.
func (s *search) steps(t *table, c merge.Col, shard int) (ups, downs int64, err error) {
	own, ok := s.shards[shard].Schema().Resolve(c)
	if !ok {
		return 0, 0, nil
	}
	key, name := s.quote(t.PrimaryKey[0]), s.quote(own.Name)
	here, table := s.quote(own.Table)+".", s.quote(own.Table)
	before := fmt.Sprintf("(SELECT gameid_b.%s FROM %s AS gameid_b WHERE gameid_b.%s < %s%s ORDER BY gameid_b.%[3]s DESC LIMIT 1)", name, table, key, here, key)
	upTo := ""
	if k := s.key(merge.Col{Table: t.Name, Name: t.PrimaryKey[0]}); k != nil {
		if last, ok := k.set(0).At(addedProbe); ok {
			upTo = fmt.Sprintf("%s%s < %d AND ", here, key, last)
		}
	}
	if ups, err = s.shards[shard].Count(s.ctx, own.Table, upTo+here+name+" > "+before); err != nil {
		return 0, 0, err
	}
	downs, err = s.shards[shard].Count(s.ctx, own.Table, upTo+here+name+" < "+before)
	return ups, downs, err
}

// ranked says why a key seems to be a rank: its values count up from one without a gap, nobody refers to it, no engine counts it, and some number beside it never rises from
// a key to the next one, as the points of a ranking; "" when it does not.
func (s *search) ranked(k *key) (string, error) {
	t := k.table
	if len(t.PrimaryKey) != 1 || !k.ranks() || s.person(t) || s.hub(t) || s.alike[t.Name] || k.Undeclared || k.auto && t.Counted || s.referred(k) {
		return "", nil
	}
next:
	for _, c := range t.Columns {
		name := merge.Col{Table: t.Name, Name: c.Name}
		if kind := s.schema.Holds(name); c.Generated || c.Name == t.PrimaryKey[0] || kind != merge.Integer && kind != merge.Numeric && kind != merge.Real || s.lacked(name) || s.refers(name, s.moves) {
			continue
		}
		for i := range s.shards {
			ups, downs, err := s.steps(t, name, i)
			if err != nil {
				return "", err
			}
			if ups > 0 || downs < min(addedRises, t.rows[i]/2+1) {
				continue next
			}
		}
		return "its values count up from one without a gap, and " + c.Name + " only falls with them, as the points of a ranking do", nil
	}
	return "", nil
}

// ranks tells whether a key's values count up from one without a gap in every shard, and far enough to tell anything.
func (k *key) ranks() bool {
	all := int64(0)
	for i := range k.Columns {
		low, _ := k.set(i).Min()
		high, _ := k.set(i).Max()
		n := k.set(i).Len()
		if n < rankedLeast || low != 1 || high != n {
			return false
		}
		all += n
	}
	return len(k.Columns) > 1 && all >= rankedAll
}

// owners are the keys of players and of other rows that were added one at a time to which a table's columns refer, as far as can be told.
func (s *search) owners(t *table) (map[*column]*key, error) {
	list := map[*column]*key{}
	for _, c := range s.columns {
		if c.table == t && c.fixed != nil && c.fixed.table != t {
			list[c] = c.fixed
		}
	}
	for _, p := range s.picks {
		if p.column.table == t && p.key.table != t && p.when == "" && p.hint.level >= 1 && p.grade != "" {
			list[p.column] = p.key
		}
	}
	for c, k := range list {
		if added, err := s.added(k.table); err != nil {
			return nil, err
		} else if !added {
			delete(list, c)
		}
	}
	return list, nil
}

// contrast is what other tables' keys say about two servers.
type contrast struct {
	differ bool // some are not the same: the servers have lives of their own
	dense  bool // some are the same and leave out none
	twins  bool // some of rows that were added one at a time are the same: the servers are equally young, or one script filled them
}

func (s *search) contrastOf(k *key) (c contrast, err error) {
	for _, o := range s.keys {
		switch {
		case o.table == k.table || !o.Root || !o.sole || s.alike[o.table.Name] || o.set(0).Len() < fewValues:
		case !sameSets(o, fewValues):
			c.differ = true
		default:
			c.dense = c.dense || !holed(o)
			added, err := s.added(o.table)
			if err != nil {
				return c, err
			}
			c.twins = c.twins || added
		}
	}
	return c, nil
}

// holed tells whether a key's values leave out numbers in between.
func holed(k *key) bool {
	low, _ := k.set(0).Min()
	high, _ := k.set(0).Max()
	return uint64(high)-uint64(low) >= uint64(k.set(0).Len()) //nolint:gosec // wraps, as the difference does
}

// ownerless tells whether some rows of every shard belong to nobody, in every column that says to whom: what players make has a maker.
func (s *search) ownerless(t *table) (bool, error) {
	owners, err := s.owners(t)
	if err != nil {
		return false, err
	}
	for c := range owners {
		for i, shard := range s.shards {
			own, ok := shard.Schema().Resolve(c.col)
			if !ok {
				continue
			}
			name := s.quote(own.Name)
			free, err := shard.Count(s.ctx, own.Table, fmt.Sprintf("%s IS NULL OR %[1]s IN (0, -1)", name))
			if err != nil || float64(free) < ownerless*float64(t.rows[i]) {
				return false, err
			}
		}
	}
	return len(owners) > 0, nil
}
