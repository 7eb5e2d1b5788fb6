package discover

import (
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// pairColumns is how many columns beside one are tried two at a time.
const pairColumns = 6

// pairTellers try every two columns of few kinds beside one.
func (s *search) pairTellers(c *column, try func(t *teller) (bool, error)) error {
	list, err := s.likeliest(c, s.siblings(c, slices.Max(c.table.rows) <= besideRows, kindsMost))
	if err != nil {
		return err
	}
	list = list[:min(len(list), pairColumns)]
	for i, a := range list {
		for _, b := range list[i+1:] {
			parts, err := s.valuesByTwo(c, a, b)
			if err != nil {
				return err
			}
			if told, err := try(&teller{parts, s.joinPairs(a, b)}); err != nil || told {
				return err
			}
		}
	}
	return nil
}

// valuesByTwo reads a column's values under every pair of kinds of two others. Rows without one of these are left out.
func (s *search) valuesByTwo(c *column, a, b *merge.Column) ([]tellerPart, error) {
	of := make([]map[[2]string][]merge.ValueCount, len(s.shards))
	err := s.everyShard(func(i int, shard merge.Shard) error {
		of[i] = map[[2]string][]merge.ValueCount{}
		var cols []merge.Col
		for _, name := range []string{a.Name, b.Name, c.col.Name} {
			own, ok := shard.Schema().Resolve(merge.Col{Table: c.col.Table, Name: name})
			if !ok {
				return nil
			}
			cols = append(cols, own)
		}
		list, err := shard.Tuples(s.ctx, cols, "", 0)
		for _, v := range list {
			x, first := s.literal(v.Value[0])
			y, second := s.literal(v.Value[1])
			if pair := [2]string{x, y}; first && second {
				of[i][pair] = append(of[i][pair], merge.ValueCount{Value: v.Value[2:], Rows: v.Rows})
			}
		}
		return err
	})
	var pairs [][2]string
	for _, m := range of {
		for pair := range m {
			pairs = append(pairs, pair)
		}
	}
	slices.SortFunc(pairs, func(x, y [2]string) int { return slices.Compare(x[:], y[:]) })
	var parts []tellerPart
	for _, pair := range slices.Compact(pairs) {
		part := tellerPart{kinds: pair[:], shards: make([]values, len(s.shards))}
		for i := range s.shards {
			part.shards[i] = s.clean(c, of[i][pair])
		}
		parts = append(parts, part)
	}
	return parts, err
}

// joinPairs is the condition that two columns hold one of some pairs of kinds.
func (s *search) joinPairs(a, b *merge.Column) func(some []tellerPart) string {
	return func(some []tellerPart) string {
		var firsts, lists, words []string
		seconds, alike := map[string][]string{}, map[string][]string{}
		for _, part := range some {
			first, second := part.kinds[0], part.kinds[1]
			if seconds[first] == nil {
				firsts = append(firsts, first)
			}
			seconds[first] = append(seconds[first], second)
		}
		for _, first := range firsts {
			list := amongKinds(s.quote(b.Name), seconds[first])
			if alike[list] == nil {
				lists = append(lists, list)
			}
			alike[list] = append(alike[list], first)
		}
		for _, list := range lists {
			words = append(words, amongKinds(s.quote(a.Name), alike[list])+" AND "+list)
		}
		return strings.Join(words, " OR ")
	}
}
