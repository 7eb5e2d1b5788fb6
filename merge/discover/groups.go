package discover

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// Groups are columns that seem to number groups of rows which no table lists, as parties of players, and do it for the same groups: every server has others under the same
// numbers.
type Groups struct {
	Cols     []merge.Col // that of most rows first
	Keys     []merge.Col // whose numbers all or nearly all of its values are as well, the likeliest first
	Evidence string
}

// groupRows is in how many rows, on average, a number stands at least that those of a group share.
const groupRows = 1.25

// findGroups are the groups that columns number of which nothing else tells what they hold, by the word for such a group in their names, or by their names.
func (s *search) findGroups(placed map[merge.Col]bool) (list []Groups) {
	by, words := map[string][]*column{}, []string{}
	for _, c := range s.columns {
		if c.known || c.kept || placed[c.col] {
			continue
		}
		if word := s.grouping(c); word != "" {
			if by[word] == nil {
				words = append(words, word)
			}
			by[word] = append(by[word], c)
		}
	}
	for _, word := range words {
		columns := by[word]
		slices.SortStableFunc(columns, func(a, b *column) int {
			return cmp.Or(cmp.Compare(mostRows(b.shards), mostRows(a.shards)), byCol(a.col, b.col))
		})
		g := Groups{Keys: colsOf(s.explaining(columns[0])), Evidence: s.unplaced(columns[0])}
		if n := columns[0].inTwo(); n > 0 {
			g.Evidence += fmt.Sprintf(", %s of them in two shards", count(int64(n)))
		}
		for _, c := range columns {
			placed[c.col] = true
			g.Cols = append(g.Cols, c.col)
		}
		list = append(list, g)
	}
	return list
}

// grouping is by what word a column seems to number groups; "" when it does not. Its name says so, or its numbers: each server has its own, of which rows share some.
func (s *search) grouping(c *column) string {
	if !s.mayGroup(c) || c.amount || c.flag() > 0 || s.equalRows(c.table) || s.alike[c.table.Name] || s.enumerates(c) || s.catalogued(c.shards, groupsByChance) {
		return ""
	}
	tokens := c.name.tokens
	if n := len(tokens); n > 1 && s.words.generic[tokens[n-1]] {
		tokens = tokens[:n-1]
	}
	if len(tokens) > 0 {
		if word := tokens[len(tokens)-1]; s.words.groups[word] || s.words.made[word] && !s.words.things[word] && !s.classifies(c) {
			return word
		}
	}
	if !c.name.plural && !s.meansPerson(c.name) && !c.name.has(s.words.abroad) && !c.name.has(s.words.outside) && !s.words.natural[c.name.last()] && !c.dates() && !s.someKeys(c) && (c.ownNumbers() || c.countsUp() || c.dealsEvenly()) {
		return c.name.whole
	}
	return ""
}

// groupsByChance is up to which chance numbers of groups are not a list's that is the same on every server.
const groupsByChance = 1e-3

// mayGroup tells whether rows share a column's numbers, and shards some of these, so that they may be those of groups.
func (s *search) mayGroup(c *column) bool {
	if c.self != nil || c.text || c.fraction || c.mixed || c.times() {
		return false
	}
	rows, values, whole := int64(0), 0, true
	for _, v := range c.shards {
		rows, values, whole = rows+v.rows, values+len(v.list), whole && v.complete
	}
	return values > 0 && (float64(rows) >= groupRows*float64(values) || !whole) && (c.inTwo() > 0 || !whole)
}

// someKeys tells whether some of a column's numbers are keys: what each server has its own of may then be these.
func (s *search) someKeys(c *column) bool {
	return slices.ContainsFunc(s.keys, func(k *key) bool { return k.Root && k.hasSome(c.shards) })
}

// inTwo counts the numbers that a shard has as another one before it.
func (c *column) inTwo() (n int) {
	seen := map[int64]bool{}
	for _, v := range c.shards {
		for _, one := range v.list {
			n += int(yes(seen[one]))
		}
		for _, one := range v.list {
			seen[one] = true
		}
	}
	return n
}

// dates tells whether all values are days, written as year, month and day.
func (c *column) dates() bool {
	return !slices.ContainsFunc(c.shards, func(v values) bool {
		return slices.ContainsFunc(v.list, func(n int64) bool { return !isDate(n) })
	})
}

// countsUp tells whether every server's numbers, part of its table's key, go on without a gap from one start, far up, and end elsewhere, as what each of them counts does and no list of things.
func (c *column) countsUp() bool {
	if len(c.table.PrimaryKey) < 2 || !slices.Contains(c.table.PrimaryKey, c.col.Name) {
		return false
	}
	low, ends := int64(0), map[int64]bool{}
	for _, v := range c.shards {
		n := len(v.list)
		if n == 0 {
			continue
		}
		if n < fewValues || !v.complete || v.list[0] < farLow || low > 0 && v.list[0] != low || v.list[n-1]-v.list[0]+1 != int64(n) || ends[v.list[n-1]] {
			return false
		}
		low, ends[v.list[n-1]] = v.list[0], true
	}
	return len(ends) > 1
}

// Numbers that a game deals out to groups one after the other are this many at least, fill so much of what lies between them, and stand in as many rows each: none in more than evenMost
// times as many as one of them on average.
const (
	evenLeast = 40
	evenFills = 0.5
	evenMost  = 3
)

// dealsEvenly tells whether every server's numbers go up from near one with few left out and end elsewhere, and much the same number of rows has each, as the members of matches, trips and
// hunts that every server counts. Amounts, levels and places lie thicker here than there, or end alike.
func (c *column) dealsEvenly() bool {
	ends, servers := map[int64]bool{}, 0
	for _, v := range c.shards {
		n := len(v.list)
		if n == 0 {
			continue
		}
		low, high, mean := v.list[0], v.list[n-1], float64(v.rows)/float64(n)
		if n < evenLeast || !v.complete || low < 0 || low > nearOne || float64(n) < evenFills*float64(high-low+1) || mean < groupRows || float64(slices.Max(v.weights)) > evenMost*mean {
			return false
		}
		servers++
		ends[high] = true
	}
	return servers > 1 && len(ends) == servers
}

// ownNumbers tells whether every two shards share far fewer of a column's numbers than rows would that draw from the same ones: what many rows of one hold, none of the
// other does.
func (c *column) ownNumbers() bool {
	some := false
	for j := range c.shards {
		for i := range j {
			a, b := c.shards[i], c.shards[j]
			if len(a.list) == 0 || len(b.list) == 0 {
				continue
			}
			both, chance := 0.0, 0.0
			part := float64(a.rows) / float64(a.rows+b.rows)
			add := func(weight int64) {
				chance += 1 - math.Pow(part, float64(weight)) - math.Pow(1-part, float64(weight))
			}
			for at, n := range a.list {
				weight := a.weights[at]
				if to, ok := slices.BinarySearch(b.list, n); ok {
					both++
					weight += b.weights[to]
				}
				add(weight)
			}
			for at, n := range b.list {
				if _, ok := slices.BinarySearch(a.list, n); !ok {
					add(b.weights[at])
				}
			}
			if both > proShare*chance || poisson(both, chance) > proChance {
				return false
			}
			some = true
		}
	}
	return some
}
