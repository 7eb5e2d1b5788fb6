package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// besideCounters reads columns in some rows of which the game counts without these: that it does says nothing of what the other rows hold.
func (s *search) besideCounters() error {
	counters := slices.Clone(s.opt.Counters)
	for _, c := range s.counters {
		counters = append(counters, c.Counter)
	}
	for _, c := range s.columns {
		where := merge.BesideCounters(s.schema, c.col, counters)
		if c.known || where == "" {
			continue
		}
		rest := *c
		rest.shards = make([]values, len(s.shards))
		if err := s.everyShard(func(i int, shard merge.Shard) error {
			own, ok := shard.Schema().Resolve(c.col)
			if !ok {
				return nil
			}
			list, err := shard.Values(s.ctx, own, where, sampled)
			rest.shards[i] = s.clean(c, list)
			return err
		}); err != nil {
			return err
		}
		rest.mixed = !rest.mostly()
		if rest.distinct() > 0 {
			s.rests[c.col] = &rest
		}
	}
	return nil
}

// inCounters tells whether the game counts in some row that a pick is about.
func (s *search) inCounters(p *pick) bool {
	return slices.ContainsFunc(s.counters, func(c Counter) bool {
		if c.Column != p.column.col || p.when == "" || c.Where == "" {
			return c.Column == p.column.col
		}
		return slices.ContainsFunc(s.shards, func(shard merge.Shard) bool {
			own, ok := shard.Schema().Resolve(c.Column)
			if !ok {
				return false
			}
			list, err := shard.Values(s.ctx, own, "("+c.Where+") AND ("+p.when+")", 1)
			if err != nil {
				s.failed = err
			}
			return len(list) > 0
		})
	})
}
