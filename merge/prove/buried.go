package prove

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/gameid/gameid/merge"
)

// checkBuried checks that every recorded tombstone stands for a value that some reference of that input holds.
func (p *proof) checkBuried(ctx context.Context) error {
	for _, s := range p.sorted() {
		if err := p.checkAside(ctx, s); err != nil {
			return err
		}
		for i := range s.tombs {
			left := merge.OldKeys(s.tombs[i])
			for _, r := range p.refs {
				if dead := r.dead[i].Integers(); p.spaceOf(r, 0) == s && dead != nil {
					left = left.Without(dead)
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

// checkAside checks that tombstones above the highest row of a key that is numbered row by row lie at the far end, no nearer than all dead values need.
func (p *proof) checkAside(ctx context.Context, s *space) error {
	t, key := p.schema.Table(s.key.Table), p.keyPlan(s)
	if t == nil || s.broken || key.New == merge.GameID || !p.numbers(t, s.key) { // who goes on counting after IDs walks into others', and the audit says so
		return nil
	}
	here, err := p.keysOf(ctx, -1, s.key)
	if err != nil {
		return err
	}
	top, _ := here.Set.Max()
	_, far, _ := p.limits(s, key)
	if top < exact {
		far = min(far, exact)
	}
	dead := int64(slack)
	for i := range s.tombs {
		dead += merge.OldKeys(s.tombs[i]).Len()
		for _, r := range p.refs {
			if p.spaceOf(r, 0) == s && r.dead[i] != nil {
				dead += r.dead[i].Len()
			}
		}
	}
	for i := range s.tombs {
		near := s.maps[i].Images(merge.OldKeys(s.tombs[i]))
		if top == math.MaxInt64 || far-dead <= top {
			return nil
		}
		if near = near.Between(top+1, min(far-dead, top+reach)); near.Len() > 0 {
			p.fail(Check{Name: CheckMaps, Table: s.key.Table, Column: s.key.Name, Shard: p.name(i)}, "the tombstone %s would be given to a new row", some(near))
		}
	}
	return nil
}

// exact is the highest whole number that programs without 64-bit integers still tell from its neighbours.
const exact = 1<<53 - 1

// reach is how far above the highest row a tombstone is too near, wherever the far end is: a column that is narrower than the record shows may end early.
const reach = 10_000

// slack is how many values of nobody may stand among the tombstones, too.
const slack = 1000

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
