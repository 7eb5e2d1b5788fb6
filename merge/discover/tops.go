package discover

import (
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// How near to a key's highest number something stands that counts it, and from where a highest number is met by chance.
const (
	counterAbove  = 64    // keys
	counterShare  = 0.05  // of the highest key
	counterLeast  = 16    // highest keys below this meet small numbers by chance
	counterFar    = 100   // times the highest key, where the names say what is counted
	counterChance = 0.005 // that one of a column's numbers stands so near by chance, where no name says that it counts
)

// countable tells whether a column may count a key's numbers. A shard may have none yet.
func (s *search) countable(k *key, c *column) bool {
	return k.Root && !k.text && !s.alike[k.table.Name] && k.size > 0 && (c == nil || k.table != c.table)
}

// countsNone tells whether a name says that a number counts no rows of a table, but versions of the game or days in it: schema_version, season_no. It may count the rows of a table that is
// called so.
func (s *search) countsNone(label name, t *table) bool {
	words := slices.DeleteFunc(s.countedWords(label), func(w string) bool { return s.words.sorts[w] })
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return s.words.editions[last] && !slices.ContainsFunc(t.name.tokens, func(w string) bool { return strings.HasPrefix(w, last) })
}

// rowless tells whether no row bears a key as yet, which the game may have counted up all the same.
func (k *key) rowless() bool { return k.Root && !k.text && k.size == 0 }

// meetsTop tells whether some value of a column stands at or above the top of one and the same key in every shard, or is called like what counts one of no row: otherwise no row needs a look.
func (s *search) meetsTop(c *column) bool {
	return slices.ContainsFunc(s.keys, func(k *key) bool {
		if !s.countable(k, c) {
			return k.rowless() && s.issuesOf(c.name, k)
		}
		for i, v := range c.shards {
			if len(v.list) == 0 || v.list[len(v.list)-1] < k.high[i] {
				return false
			}
		}
		return true
	})
}

// atTop tells whether a value stands at a shard's highest key or a little above it: of low keys, on it or one above.
func (k *key) atTop(shard int, v int64) bool {
	high := k.high[shard]
	above := 1.0
	if high >= counterLeast {
		above = max(counterAbove, counterShare*float64(high))
	}
	return v >= high && float64(v-high) <= above
}

// shallow tells whether a key's highest values are so low that small numbers meet them by chance.
func (k *key) shallow() bool {
	return slices.Min(k.high) < counterLeast
}

// shallowFor tells the same of the shards that have a row.
func (k *key) shallowFor(r counterRow) bool {
	for i := range r.values {
		if k.high[r.at(i)] < counterLeast {
			return true
		}
	}
	return false
}

// farAbove tells whether a row's values stand above the highest keys of every shard, however many of the youngest rows were deleted, and are no times.
func (k *key) farAbove(r counterRow) bool {
	for i, v := range r.values {
		if high := k.high[r.at(i)]; v <= high || float64(v) > counterFar*float64(max(high, counterLeast)) {
			return false
		}
	}
	return !r.times() && k.low[r.at(0)] >= 0
}

// allEver tells whether what counts some rows in a table's one row, above their highest key, counts all that there ever were: those that live are fewer. A limit, too, stands above, and is
// a round number.
func (r counterRow) allEver() bool {
	return r.where == "" && r.varies() && slices.ContainsFunc(r.values, func(v int64) bool { return v%10 != 0 })
}

// countedBy tells whether a row's values are the very next keys, or the very last ones, of every shard, where these differ and some name says that it counts: then no name
// has to say what. A few keys of every shard are met by chance.
func (k *key) countedBy(r counterRow) bool {
	if !r.counts && !r.issues || r.numbered || r.where == "" && !r.counts || len(r.values) > 1 && !r.varies() {
		return false
	}
	next, room := r.values[0]-k.high[r.at(0)], 1.0
	for i, v := range r.values {
		if v-k.high[r.at(i)] != next {
			return false
		}
		room *= float64(max(k.high[r.at(i)], 1)) / counterLeast
	}
	return room >= 1 && (next == 1 || next == 0 && r.counts && r.in == nil)
}

// shows tells whether a row's values alone show that they count a key: they stand too near above its highest number, in every shard, for chance. Where nothing but the last
// number stands on every server, it may as well be somebody, and the next day, or the next place of a map, is no new row's number.
func (s *search) shows(k *key, r counterRow) bool {
	above := false
	for i, v := range r.values {
		above = above || v > k.high[r.at(i)]
	}
	return above && (len(r.values) == 1 || r.varies()) && s.tooNear(k, r)
}

// tooNear tells whether a row's values stand at or above a key's highest number in every shard, too near for chance.
func (s *search) tooNear(k *key, r counterRow) bool {
	if r.tries == 0 || r.times() {
		return false
	}
	tries := r.tries
	for i, v := range r.values {
		if v < k.high[r.at(i)] {
			return false
		}
		tries *= k.nearness(r.at(i), v)
	}
	return tries <= counterChance && s.thing(k) == ""
}

// tries is how often values of a column may meet a key by chance: those that are not the same on every server, and every key that something may count. 0 where the column
// likely holds keys of a table, or all of its values are some and avoid the numbers in between.
func (s *search) tries(c *column) float64 {
	own := 0
	for _, n := range c.shards[0].list {
		own += int(yes(len(c.shards) == 1 || slices.ContainsFunc(c.shards, func(v values) bool { return !slices.Contains(v.list, n) })))
	}
	return s.triesOf(c, own)
}

// triesOf is the same of so many values.
func (s *search) triesOf(c *column, own int) float64 {
	if slices.ContainsFunc(s.picks, func(p *pick) bool {
		return p.column.col == c.col && (sureness(p.grade) >= sureness(merge.Likely) || p.when == "" && p.fit.nearly() && p.fit.verdict >= pro)
	}) {
		return 0
	}
	keys := 0
	for _, k := range s.keys {
		keys += int(yes(s.countable(k, c)))
	}
	return float64(own) * float64(keys)
}

// chance is how likely a number of every shard stands by chance as near above a key's highest one as the nearest of these does: the very next one is the nearest, then the
// highest one itself, then those beyond. Other tables' numbers may begin where its own do.
func (k *key) chance(shards []values) float64 {
	all := 1.0
	for i, v := range shards {
		at, _ := slices.BinarySearch(v.list, k.high[i])
		best := 1.0
		for _, n := range v.list[at:min(at+2, len(v.list))] {
			best = min(best, k.nearness(i, n))
		}
		all *= best
	}
	return all
}

// nearness is how likely chance puts a number so near above a shard's highest key, the next number above being nearest.
func (k *key) nearness(shard int, n int64) float64 {
	high := k.high[shard]
	nearer := max(n-high+1, 2)
	if n == high+1 {
		nearer = 1
	}
	return min(1, float64(nearer)/float64(max(high-k.low[shard], 1)))
}

// mayCount is the key that a table's one row may count where nothing else tells: in every shard it stands at the highest number or above. The nearest one, or none.
func (s *search) mayCount(c *column) (found merge.Col) {
	if slices.Max(c.table.rows) > 1 || s.tries(c) == 0 || c.times() {
		return found
	}
	best := 0.0
	for _, k := range s.keys {
		if !s.countable(k, c) || k.shallow() || s.thing(k) != "" || s.countsNone(c.name, k.table) {
			continue
		}
		above := 0.0
		for i, v := range c.shards {
			if len(v.list) != 1 || v.list[0] < k.high[i] || v.list[0] > counterFar*k.high[i] {
				above = -1
				break
			}
			above += float64(v.list[0] - k.high[i])
		}
		if above >= 0 && (found.Table == "" || above < best) {
			found, best = k.Col, above
		}
	}
	return found
}
