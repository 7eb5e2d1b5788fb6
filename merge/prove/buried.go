package prove

import (
	"context"
	"slices"
	"strconv"

	"github.com/gameid/gameid/merge"
)

// checkBuried checks that every recorded tombstone stands for a value that some reference of that input holds.
func (p *proof) checkBuried(ctx context.Context) error {
	for _, s := range p.sorted() {
		for i := range s.tombs {
			left := merge.OldKeys(s.tombs[i])
			for _, r := range p.refs {
				if p.spaceOf(r, 0) == s && r.dead[i] != nil {
					left = left.Without(r.dead[i])
				}
			}
			for v := range left.All() { // parts of composite references, and references of tables that stay behind
				held, err := p.holds(ctx, s, i, v)
				if err != nil {
					return err
				}
				if !held {
					p.fail(Check{Name: CheckMaps, Table: s.key.Table, Column: s.key.Name, Shard: p.name(i)}, "a tombstone is recorded for %d, which no reference of this input holds", v)
					break
				}
			}
		}
	}
	return nil
}

// holds tells whether a column that refers to a space holds a value in an input.
func (p *proof) holds(ctx context.Context, s *space, shard int, v int64) (bool, error) {
	db, text := p.shards[shard], strconv.FormatInt(v, 10)
	for _, user := range s.users[1:] {
		own, ok := db.Schema().Resolve(user)
		if !ok || slices.Contains(s.users[:1], user) {
			continue
		}
		n, err := db.Count(ctx, own.Table, p.engine.Quote(own.Name)+" IN ("+text+", "+p.engine.Literal(text)+")")
		if err != nil || n > 0 {
			return n > 0, err
		}
	}
	return false, nil
}
