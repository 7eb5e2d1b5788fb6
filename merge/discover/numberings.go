package discover

import (
	"cmp"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// numberingChance is how unlikely it is at most that as many numbers, taken anywhere between a column's lowest and highest, would all differ, where no name says that they
// should.
const numberingChance = 1e-6

// readNumberings finds the numbers that tell a table's rows apart though neither the schema nor a name says so, as the serials of items do in games that find their rows by
// the names of players: no value stands twice in a shard, chance would repeat some, and they are not another key's.
func (s *search) readNumberings() error {
	var found []*key
	for _, t := range s.schema.Tables {
		e := s.tables[t.Name]
		if t.Opaque != "" || slices.ContainsFunc(e.keys, func(k *key) bool { return k.sole && !k.text }) {
			continue
		}
		for _, c := range t.Columns {
			name := s.words.parse(c.Name)
			if s.words.refers(name) || s.words.roles[name.stem] {
				continue
			}
			k, err := s.readNumbering(e, c)
			if err != nil {
				return err
			}
			if k != nil && k.chanceApart() <= numberingChance && (!s.words.measures(name) || s.givenOut(k)) {
				found = append(found, k)
			}
		}
	}
	// What stands in a smaller table as well is what refers to the larger one.
	slices.SortStableFunc(found, func(a, b *key) int { return cmp.Compare(b.size, a.size) })
	for _, k := range found {
		if !slices.ContainsFunc(s.keys, func(o *key) bool {
			return o.table == k.table && o.Undeclared || among(k, o, includes) && measure(k.spread(), o).verdict >= pro
		}) {
			s.keys, k.table.keys = append(s.keys, k), append(k.table.keys, k)
		}
	}
	return nil
}

// readNumbering reads a column when its values may be such numbers; nil when they are not.
func (s *search) readNumbering(t *table, c *merge.Column) (*key, error) {
	col := merge.Col{Table: t.Name, Name: c.Name}
	if _, known := s.pointsAt(col); known || c.Generated || s.schema.Holds(col) != merge.Integer || s.key(col) != nil {
		return nil, nil
	}
	repeats, zeros, err := s.repeatsValues(col)
	if err != nil || repeats && !zeros {
		return nil, err
	}
	k := s.newKey(t, c)
	k.Zeros = zeros
	k.sole, k.Undeclared, k.Reason = true, true, "no value stands twice in a shard, where chance would repeat some"
	_, distinct, err := s.fill(k)
	if err != nil || !distinct || (&column{shards: k.spread()}).times() {
		return nil, err
	}
	return k, nil
}

// givenOut tells whether what is named like a number of something, such as a guild's number or index, rather numbers its rows one after the other: every row has one, they begin near one,
// and most that follow are in use. Places, levels and scores may be so, too, and say it by their names.
func (s *search) givenOut(k *key) bool {
	last, step := k.name.last(), k.step()
	if s.words.amounts[last] && !s.words.sorts[last] && !s.words.generic[last] {
		return false
	}
	for i, c := range k.Columns {
		if c.Nulls+c.Other > 0 || k.low[i] < 0 || k.low[i]/step > nearOne || (k.high[i]-k.low[i])/step >= holey*max(c.Set.Len(), 1) {
			return false
		}
	}
	return true
}

// step is how far apart a key's numbers may lie: what divides the distances between them in every shard, or what is between those that leave one of a few remainders, on average; at least 1.
func (k *key) step() (step int64) {
	var sets []*merge.KeySet
	for _, c := range k.Columns {
		step, sets = merge.Divisor(step, c.Set.Step()), append(sets, c.Set)
	}
	return max(step, merge.RemaindersOf(sets...).Pace(), 1)
}

// chanceApart is the chance that numbers taken anywhere between the lowest and the highest of each shard, in the steps in which these are, would all differ, roughly.
func (k *key) chanceApart() float64 {
	pairs, step := 0.0, float64(k.step())
	for i := range k.Columns {
		if n := float64(k.set(i).Len()); n > 0 {
			pairs += n * (n - 1) / 2 / ((float64(k.high[i])-float64(k.low[i]))/step + 1)
		}
	}
	return math.Exp(-pairs)
}
