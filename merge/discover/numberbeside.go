package discover

import (
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// numberBeside finds the numbers by which a game knows the rows of a table although the schema declares another key there: no value stands twice in a shard, chance would
// repeat some, they are no other key's, and somebody uses them. A column of another table holds them, which no other key explains, or one sequence numbers that table, too. Small
// numbers are also another key's; there some column has to avoid those that the rows leave out.
func (s *search) numberBeside() error {
	for _, c := range s.columns {
		if c.self != nil || c.known || c.kept || c.text || c.fraction || c.least() < fewValues || c.repeats() || !s.mayNumber(c) && (!c.amount || s.words.refers(c.name)) {
			continue
		}
		beside := slices.ContainsFunc(c.table.keys, func(k *key) bool { return k.sole && !k.text })
		k, err := s.readNumbering(c.table, c.meta)
		if err != nil {
			return err
		}
		if k == nil {
			continue
		}
		k.Reason = ""
		if s.mayNumber(c) && !slices.ContainsFunc(s.keys, func(o *key) bool { return among(k, o, includes) }) {
			if k.Reason = s.namedNumbers(k, false); k.Reason == "" && beside {
				k.Reason = s.usedNumbers(k)
			}
			if k.Reason == "" {
				k.Reason = s.namedNumbers(k, true)
			}
		}
		if k.Reason == "" {
			k.Reason = s.avoidedGaps(k)
			k.own, k.used = k.Reason != "", k.Reason != ""
		}
		if k.Reason != "" {
			s.keys, k.table.keys = append(s.keys, k), append(k.table.keys, k)
			c.self, c.shards = k, k.spread()
		}
	}
	return s.ctx.Err()
}

// mayNumber tells whether a column's name does not say that it measures, or that it holds somebody else: role.role_id, player.card_number.
func (s *search) mayNumber(c *column) bool {
	own := slices.Contains(c.table.stems, c.name.stem) || endsIn(c.name.tokens, c.table.bare) || s.person(c.table) && s.words.natural[c.name.last()] // people have telephones
	return (!c.amount || c.name.last() == "number") && (own || !s.words.refers(c.name) && !s.words.roles[c.name.stem])
}

// repeats tells whether a value of a sample stands in two rows.
func (c *column) repeats() bool {
	return slices.ContainsFunc(c.shards, func(v values) bool {
		return slices.ContainsFunc(v.weights, func(w int64) bool { return w > 1 })
	})
}

// usedNumbers says who uses the numbers of a key that no schema declares; "" when nobody does.
func (s *search) usedNumbers(k *key) string {
	chance := k.chanceApart()
	apart := chance <= numberingChance
	for _, c := range s.columns {
		if chance <= usedChance && s.usesNumbers(c, k) && (apart || chance*measure(c.shards, k).luck <= usedLuck) {
			return "no value stands twice in a shard, and " + c.col.String() + " holds these numbers, which are no other key's"
		}
	}
	for _, o := range s.keys {
		if o.table != k.table && o.sole && !o.text && (apart || o.name.whole == k.name.whole) && k.meets(o) && merge.OneSequence(o.Sets(), k.Sets()) {
			s.sequence[[2]*key{k, o}], s.sequence[[2]*key{o, k}] = true, true
			return "no value stands twice in a shard, and they lie in the gaps of " + o.Col.String() + " everywhere, as numbers of one sequence do"
		}
	}
	return ""
}

// avoidedGaps says which column holds a key's numbers, also one of its own table, and avoids the others so well that these are no other key's, whatever its numbers are among; "" when none
// does, or the key's own numbers avoid those that another key leaves out: they repeat that one.
func (s *search) avoidedGaps(k *key) string {
	if k.chanceApart() > numberingChance || slices.ContainsFunc(s.keys, func(o *key) bool { return o.avoidsGaps(k.spread()) }) {
		return ""
	}
	var by []string
	luck := 1.0
	for _, c := range s.columns {
		if c.col == k.Col || c.known || c.self != nil || c.text || c.least() < fewValues || c.flag() > 0 || c.times() {
			continue
		}
		f := measure(c.shards, k)
		if f.verdict >= pro && f.inclusion >= includesSure && f.reach >= reaches && !slices.ContainsFunc(s.keys, func(o *key) bool { return o.avoidsGaps(c.shards) }) {
			by, luck = append(by, c.col.String()), luck*f.luck
		}
	}
	if luck > sureChance {
		return ""
	}
	holds := "holds these numbers and avoids"
	if len(by) > 1 {
		holds = "hold these numbers and avoid"
	}
	return "no value stands twice in a shard, and " + strings.Join(by[:min(len(by), 3)], ", ") + " " + holds + " those that they leave out"
}

// keepUsed drops guesses that numbers which others use are another key's, where nothing but the range of its numbers says so: neither those that it leaves out, nor that they begin far up.
func (s *search) keepUsed() error {
	s.picks = slices.DeleteFunc(s.picks, func(p *pick) bool {
		return p.column.self != nil && p.column.self.used && p.hint.level == 0 && p.fit.verdict < pro && !s.lies(p.column.self, p.key)
	})
	return nil
}

// avoidsGaps tells whether values are a key's and avoid the numbers that it leaves out.
func (k *key) avoidsGaps(shards []values) bool {
	f := measure(shards, k)
	return f.verdict >= pro && f.inclusion >= includes
}

// namedNumbers says which column of another table is named after a key that no schema declares, or plainly avoids the numbers that it leaves out where that is enough, and holds its numbers, where each server has
// mostly others of its own, so far apart that nothing else holds them by chance: public numbers, such as the codes by which friends find each other; "" when none does, or no number means two rows.
func (s *search) namedNumbers(k *key, plainly bool) string {
	if k.Generic || k.mostlyShared() {
		return ""
	}
	for _, c := range s.columns {
		if k.spanChance(c.shards) <= math.Log(togetherChance) && (endsIn(c.name.tokens, k.name.tokens) || plainly && s.plainlyUses(c, k)) && (k.clashes() || k.captures(c.shards)) && s.usesNumbers(c, k) {
			return "no value stands twice in a shard, and " + c.col.String() + " holds these numbers, which lie far apart and are no other key's"
		}
	}
	return ""
}

// mostlyShared tells whether two shards share half of the numbers that the one of them has, or more.
func (k *key) mostlyShared() bool {
	for j := range k.Columns {
		for i := range j {
			if fewer := min(k.set(i).Len(), k.set(j).Len()); fewer > 0 && 2*k.set(i).Shared(k.set(j)) >= fewer {
				return true
			}
		}
	}
	return false
}

// Where a column holds a key's numbers and avoids the others so well, fewer need to differ.
const (
	usedChance = 0.1  // of all to differ
	usedLuck   = 1e-9 // of this and of so much favour together
)

// usesNumbers tells whether a column of another table holds numbers of a key, all or nearly all of them, that no other key explains. Small numbers are among those of every
// table that counts from one up: there its name has to say so, or the numbers that the key leaves out.
func (s *search) usesNumbers(c *column, k *key) bool {
	if c.table == k.table || c.known || c.self != nil || c.least() < fewValues || c.flag() > 0 || c.times() || s.enumerates(c) || s.classifies(c) {
		return false
	}
	f, same := measure(c.shards, k), !k.Generic && c.name.whole == k.name.whole
	switch {
	case s.plainlyUses(c, k):
	case f.verdict == against || f.inclusion < includes || !same && (c.amount && c.name.last() != "number" || !f.nearly()):
		return false
	case !same && f.verdict < pro && (k.countsUp() || f.reach < reaches):
		return false
	}
	return !slices.ContainsFunc(s.keys, func(o *key) bool {
		f := measure(c.shards, o)
		return f.verdict != against && f.inclusion >= includes
	})
}

// plainlyUses tells whether most values of a column are a key's, and so few lie between its numbers or are another server's that they are those of rows that are gone, however many these are: the
// telephones of deleted players stand in the messages that they sent.
func (s *search) plainlyUses(c *column, k *key) bool {
	f := measure(c.shards, k)
	return f.inclusion >= goneLeast && outlives(f)
}

// goneLeast is the share of a column's rows that hold numbers of rows that are left, from which its others are numbers of rows that are gone.
const goneLeast = 0.5

// countsUp tells whether a key's numbers go from one up, with few left out.
func (k *key) countsUp() bool {
	return !slices.ContainsFunc(k.Columns, func(c *merge.KeyColumn) bool {
		low, some := c.Set.Min()
		high, _ := c.Set.Max()
		return some && (low < 0 || float64(high) > countedMost*float64(c.Set.Len()))
	})
}

// meets tells whether the numbers of two keys lie in one range, in every shard that has both.
func (k *key) meets(o *key) bool {
	for i := range k.Columns {
		if k.set(i).Len() > 0 && o.set(i).Len() > 0 && (k.low[i] > o.high[i] || o.low[i] > k.high[i]) {
			return false
		}
	}
	return true
}
