package discover

import "slices"

// everyKind are the keys of a column that is named like an amount, where a column beside it says that it tells kinds apart, and under every kind all values are keys of some table, of which one's numbers show that this is
// no chance: a thing's position is a player's number in one row and that of a room, which is the same everywhere, in the next. Empty where there are none.
func (s *search) everyKind(c *column) ([]*pick, error) {
	for _, by := range s.siblings(c, false, kindsMost) {
		d, err := s.divide(c, by)
		if err != nil {
			return nil, err
		}
		if d == nil || d.words > 0 {
			continue
		}
		strange := func(p *pick) bool { return p.fit.inclusion < includesSure }
		if slices.ContainsFunc(d.list, func(p *pick) bool { return p.fit.verdict >= pro }) && !slices.ContainsFunc(slices.Concat(d.list, d.few), strange) && !slices.ContainsFunc(d.unfit, s.ofNoTable) {
			return d.list, nil
		}
	}
	return nil, nil
}

// ofNoTable tells whether some values are keys of no table, be it one that is the same everywhere.
func (s *search) ofNoTable(shards []values) bool {
	return !slices.ContainsFunc(s.keys, func(k *key) bool { return k.Root && maybe(shards, k) && measure(shards, k).inclusion >= includesSure })
}
