package discover

import (
	"fmt"
	"math"
	"time"

	"github.com/gameid/gameid/merge"
)

// Nature is what the numbers of a key of one column seem to be: those that a game or its engine gave out, or a thing of the world outside, which another number is not.
type Nature struct {
	Counted bool     // the engine never gives a number twice, the name says that it is one, or the values are counted up from one
	Thing   string   // why a value seems to mean a thing by itself: a day, an address, a person elsewhere; "" when nothing says so
	Person  bool     // its table is called like a player or an account
	Places  string   // why the same value seems to be the same thing on every server though the rows differ, as cells of a map are; "" when nothing says so
	Laid    bool     // columns say where each of these places lies, the same on every server
	About   string   // why it seems to say what a row is about, as the castle of its owner; "" when nothing says so
	Made    *Formula // how two columns make it in every row: the number of a place, under which no other one lies, or of one of somebody's things; nil when none do
	// Elsewhere tells that what its rows are about is somebody, or a thing that a game's client knows, of which no table lists all: another number is another one.
	Elsewhere bool
}

// nature judges a key of one column by the engine, its name and its values.
func (s *search) nature(k *key) Nature {
	return Nature{
		Counted: k.auto && k.table.Counted || k.name.id || k.Generic || k.own || k.countedUp(),
		Thing:   s.thing(k),
		Person:  s.person(k.table),
	}
}

// thing says why a key's values seem to mean things by themselves; "" when nothing says so.
func (s *search) thing(k *key) string {
	if of := s.archives[k]; of != nil {
		return s.thing(of)
	}
	switch last := k.name.last(); {
	case k.name.has(s.words.outside):
		return "its name says that another place issues it"
	case !k.ownName() && k.name.has(s.words.abroad):
		return "its name is not that of its own rows, and says that they come from elsewhere"
	case !k.name.id && !k.Generic && s.words.natural[last]:
		return "it is named " + last
	case k.table.name.has(s.words.migrations):
		return "its table lists which changes of the schema were made, and the game makes the others when it starts"
	case k.all(1, steamFirst, steamLast):
		return fmt.Sprintf("its values are in the range of Steam's accounts, %d to %d", int64(steamFirst), int64(steamLast))
	case k.all(datesLeast, 19700101, 21001231) && k.each(isDate):
		return "its values are dates, written as year, month and day"
	case !k.name.id && !k.Generic && k.moments():
		return "its values are moments, in seconds or thousandths of them since 1970"
	case k.scattered():
		return "its values are long and far apart, as numbers that another place gives out are: the same one is the same person or thing on every server"
	case k.metAgain():
		return "its values are far apart, and two servers share more of them than chance ever makes, as numbers that another place gives out: the same one is the same person or thing there"
	}
	return ""
}

const (
	steamFirst = 76561197960265728 // Valve's 64-bit number of an account: universe 1, type 1, instance 1, and the account in the lower 32 bits
	steamLast  = steamFirst + math.MaxUint32
	datesLeast = 3           // fewer numbers may look like dates by chance
	momentLow  = 946684800   // 2000-01-01 in seconds since 1970, before which no online game wrote one down
	momentHigh = 4102444800  // 2100-01-01
	longLeast  = 100_000_000 // nine digits, as accounts and telephones have; lower numbers may be what is left of many
	wideLeast  = 1 << 40     // numbers that a game counts up hardly get there
	wideShare  = 0.1         // of the lowest number: what counts up from a high one stays near it
	sparse     = 1000        // from one number to the next
	nearOne    = 100         // where a game begins to count
	apart      = 100         // places for each number, where they lie far apart
	metLeast   = 3           // numbers that two servers share
	metTimes   = 100         // times as many as chance makes
	meetLeast  = 20          // numbers that two servers share of what may be counted up
	meetTimes  = 2           // times as many as chance makes where each server's are as dense
	holey      = 8           // times as many numbers as rows: most of what was counted is gone
)

// all tells whether there are so many values, and all within bounds.
func (k *key) all(least, low, high int64) bool {
	for _, c := range k.Columns {
		a, some := c.Set.Min()
		b, _ := c.Set.Max()
		if some && (a < low || b > high) {
			return false
		}
	}
	return k.size >= least
}

// moments tells whether all values are points of time since 1970, in seconds or in thousandths of them, and reach over a day, as what a game only counts up from there on hardly does.
func (k *key) moments() bool {
	for _, unit := range []int64{1, 1000} {
		day := float64(unit * 24 * 60 * 60)
		if k.all(datesLeast, momentLow*unit, momentHigh*unit) && k.spans(func(n, span float64) bool { return n < datesLeast || span >= day && span >= holey*n }) {
			return true
		}
	}
	return false
}

// each tells whether a condition holds for every value.
func (k *key) each(holds func(int64) bool) bool {
	for _, c := range k.Columns {
		for v := range c.Set.All() {
			if !holds(v) {
				return false
			}
		}
	}
	return true
}

// scattered tells whether most values are long numbers, far from each other and all over the place, as nobody counts, also not in steps from the first one up. Other rows, as that of the console, may have short ones.
func (k *key) scattered() bool {
	var long, gaps, far int64
	low, high, step := int64(math.MaxInt64), int64(0), k.step()
	if !k.begins(nearOne * step) {
		step = 1
	}
	for i, c := range k.Columns {
		if k.high[i] < longLeast {
			continue
		}
		last := int64(0)
		for v := range c.Set.All() {
			if v < longLeast {
				continue
			}
			if long++; last > 0 {
				gaps++
				far += yes((v-last)/step >= sparse)
			}
			last = v
			low, high = min(low, v), max(high, v)
		}
	}
	return 2*long > k.size && 2*far > gaps && (low >= wideLeast || float64(high-low) >= wideShare*float64(low))
}

// metAgain tells whether two servers share more of the values than chance ever makes of numbers that lie so far apart.
func (k *key) metAgain() bool {
	for i, x := range k.Columns {
		for j, y := range k.Columns[:i] {
			n, m := float64(x.Set.Len()), float64(y.Set.Len())
			if n == 0 || m == 0 {
				continue
			}
			steps := float64(max(merge.Divisor(x.Set.Step(), y.Set.Step()), merge.RemaindersOf(x.Set, y.Set).Pace(), 1))
			span := (float64(max(k.high[i], k.high[j]))-float64(min(k.low[i], k.low[j])))/steps + 1
			if shared := float64(x.Set.Shared(y.Set)); farApart(x.Set, steps) && farApart(y.Set, steps) && span >= apart*(n+m) && shared >= metLeast && shared >= metTimes*n*m/span {
				return true
			}
		}
	}
	return false
}

// meetsMore tells whether two servers share far more of a key's numbers than chance makes where each server's are as
// dense, as they do of what a catalogue or a map numbers.
func (k *key) meetsMore() bool {
	for i, x := range k.Columns {
		for j, y := range k.Columns[:i] {
			shared, chance := float64(x.Set.Shared(y.Set)), max(k.chanceOf(i, y.Set), k.chanceOf(j, x.Set))
			if shared >= meetLeast && shared >= meetTimes*chance && 1-poisson(shared-1, chance) <= proofChance {
				return true
			}
		}
	}
	return false
}

// chanceOf is how many numbers of another server chance makes a shard's, too.
func (k *key) chanceOf(shard int, other *merge.KeySet) (sum float64) {
	for v := range other.All() {
		share, _ := k.rate[shard].at(v)
		sum += share
	}
	return sum
}

// farApart tells whether most numbers of a set are far from the one before: one of the console's own, far below the others, says nothing about these.
func farApart(set *merge.KeySet, steps float64) bool {
	far, last, first := int64(0), int64(0), true
	for v := range set.All() {
		far += yes(!first && float64(v)-float64(last) >= steps*apart/2)
		last, first = v, false
	}
	return 2*far >= set.Len()-1
}

// countedUp tells whether the values begin near one and fill most of what follows, in every shard.
func (k *key) countedUp() bool {
	return k.all(1, 0, math.MaxInt64) && k.spans(func(n, span float64) bool { return span <= holey*n }) && k.begins(nearOne)
}

// begins tells whether every shard's first value is at most so high.
func (k *key) begins(most int64) bool {
	for _, c := range k.Columns {
		if low, some := c.Set.Min(); some && low > most {
			return false
		}
	}
	return true
}

// spans tells whether a condition on the number of values and on how far they reach holds in every shard that has some.
func (k *key) spans(holds func(n, span float64) bool) bool {
	for _, c := range k.Columns {
		low, some := c.Set.Min()
		high, _ := c.Set.Max()
		if some && !holds(float64(c.Set.Len()), float64(high)-float64(low)+1) {
			return false
		}
	}
	return true
}

// isDate tells whether a number is a day written as year, month and day.
func isDate(v int64) bool {
	d := time.Date(int(v/10000), time.Month(v/100%100), int(v%100), 0, 0, 0, 0, time.UTC)
	return int64(d.Year())*10000+int64(d.Month())*100+int64(d.Day()) == v
}

// judgeNatures judges all keys of one column.
func (s *search) judgeNatures() (err error) {
	s.natures, s.whenCounted, s.cells, s.grows, s.titled, s.laid = map[merge.Col]Nature{}, map[*key]Nature{}, map[*key]bool{}, map[*table]bool{}, map[*table]bool{}, map[*table][]string{}
	for _, k := range s.keys {
		if !k.sole && !k.alone {
			continue
		}
		n := s.nature(k)
		if n.Thing == "" {
			if n.Thing, err = s.ranked(k); err != nil {
				return err
			}
		}
		if n.Thing == "" {
			if n.Thing, err = s.listed(k); err != nil {
				return err
			}
		}
		if err := s.samePlaces(k, &n); err != nil {
			return err
		}
		counted := n
		if s.cells[k] {
			counted.Places = ""
		}
		s.whenCounted[k] = counted
		if err := s.saysAbout(k, &n); err != nil {
			return err
		}
		s.natures[k.Col] = n
	}
	return nil
}
