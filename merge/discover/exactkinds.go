package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// exactly are a column's keys by the kinds of a sibling that tells without a slip which of several keys its rows hold, of which no two share a number, as where one sequence
// numbers players and clans: under some kinds no value is a key of the plain pick's, and all or nearly all are another one's, and under the rest none is. Empty where it does not.
func (s *search) exactly(c *column, by *merge.Column, plain *pick) ([]*pick, error) {
	if plain == nil || plain.fit.inclusion >= includesSure || plain.column.amount {
		return nil, nil
	}
	strangers := slices.DeleteFunc(s.sharing(c, 0), func(k *key) bool { return !k.apartEverywhere(plain.key) })
	if len(strangers) == 0 {
		return nil, nil
	}
	d, err := s.divide(c, by)
	if d == nil {
		return nil, err
	}
	of, order := map[*key][]string{}, []*key{plain.key}
	for _, kind := range d.kinds {
		k, shards := plain.key, d.held[kind]
		if !slices.ContainsFunc(shards, func(v values) bool { return len(v.list) > 0 }) {
			continue // words alone
		}
		if k.partOf(shards) == 0 && (&column{shards: shards}).least() >= whenValues {
			if k = holder(strangers, shards); k == nil {
				continue // what it holds is none of these
			}
		}
		if of[k] = append(of[k], kind); !slices.Contains(order, k) {
			order = append(order, k)
		}
	}
	if len(of) < 2 || len(of[plain.key]) == 0 {
		return nil, nil
	}
	slices.SortFunc(order[1:], func(a, b *key) int { return byCol(a.Col, b.Col) })
	var list []*pick
	for _, k := range order {
		p, err := s.blendPick(c, k, amongKinds(s.quote(by.Name), of[k]))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(order, func(o *key) bool { return o != k && o.partOf(p.shards) > 0 }) || k == plain.key && p.fit.inclusion < includesPro {
			return nil, nil
		}
		p.hint, p.note = plain.hint, "when "+p.when+", as none of the rest are"
		if k != plain.key {
			p.hint = s.hint(c, k)
		}
		list = append(list, p)
	}
	return list, nil
}

// holder is the key, of some, that all or nearly all of some values are: of several the one with the fewest numbers; nil when none is.
func holder(some []*key, shards []values) (best *key) {
	for _, k := range some {
		if _, few := orphansOf(shards, []*key{k}); few && (best == nil || k.size < best.size) {
			best = k
		}
	}
	return best
}
