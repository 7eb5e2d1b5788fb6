package discover

import "slices"

// siblings is how many rows of a table count keys, at least, where another one does by the next number alone.
const siblings = 2

// nextBeside are the counters among a column's other rows, where some are known: they stand at the very next number of one key alone, which none of the known ones counts. A few
// guilds' next number would be chance by itself.
func (s *search) nextBeside(c *column, open []counterRow, known []Counter) (list []Counter) {
	if len(known) == 0 {
		return nil
	}
	if len(known) >= siblings {
		open = slices.DeleteFunc(slices.Clone(open), func(r counterRow) bool {
			k := s.keyAt(c, r, 1, known)
			if k != nil {
				list = append(list, *s.counterAt(k, c, r))
			}
			return k != nil
		})
	}
	for {
		at, k := s.nearestAbove(c, open, slices.Concat(known, list))
		if k == nil {
			return list
		}
		list = append(list, *s.counterAt(k, c, open[at]))
		open = slices.Delete(slices.Clone(open), at, at+1)
	}
}

// nearestAbove is the row of a table of counters, and the key that none of the known ones counts, of which it stands nearest above the highest number in every shard, whatever the row is called:
// in a table that says of all its rows that they count, an item need not be called like the table of all that is carried, and the youngest of them are used up. A nil key where no row does.
func (s *search) nearestAbove(c *column, open []counterRow, known []Counter) (at int, nearest *key) {
	best := 0.0
	for i, r := range open {
		label := s.words.label(r.label)
		if !r.counts || !r.issues || r.numbered || !r.varies() || r.times() || s.words.gauges(label) {
			continue
		}
		for _, k := range s.keys {
			if !s.countable(k, c) || k.Undeclared || k.lone() || s.thing(k) != "" || s.countsNone(label, k.table) || s.namesAnother(label, k) || slices.ContainsFunc(known, func(o Counter) bool { return o.Key == k.Col }) {
				continue
			}
			above, near := 0.0, true
			for j, v := range r.values {
				high := k.high[r.at(j)]
				near = near && v > high && float64(v) <= youngestGone*float64(high)
				above += float64(v - high)
			}
			if near && (nearest == nil || above < best) {
				at, nearest, best = i, k, above
			}
		}
	}
	return at, nearest
}

// youngestGone is how many times as high as a key's highest number its counter stands at most, where only its table says that it counts: half of all may be gone.
const youngestGone = 2

// namesAnother tells whether a row is called like another table than a key's.
func (s *search) namesAnother(label name, k *key) bool {
	return slices.ContainsFunc(s.keys, func(o *key) bool { return o.table != k.table && s.issuesOf(label, o) })
}
