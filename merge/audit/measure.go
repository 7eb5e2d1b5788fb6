package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// manyOrphans is the share of dead references above which the reference itself is in doubt.
const manyOrphans = 0.05

// listed is how many values a message names.
const listed = 8

// measureReferences counts what every reference holds, repeats while rows are dropped, and asks about what nobody has decided.
func (a *auditor) measureReferences(ctx context.Context) error {
	for _, r := range a.refs {
		if r.As == merge.Keep {
			continue
		}
		if err := a.measure(ctx, r); err != nil {
			return err
		}
	}
	// Rows that are dropped take their keys with them; what referred to those is dead now, and may be dropped in turn.
	for changed := true; changed; {
		changed = false
		for _, r := range a.plain() {
			if r.Orphans != merge.ByDrop {
				continue
			}
			again, err := a.dropRows(ctx, r)
			if err != nil {
				return err
			}
			changed = changed || again
		}
	}
	for _, r := range a.refs { // a name of such a row is nobody's
		if r.As == merge.Copy && a.leavesOut(r.To[0].Table) {
			if err := a.measure(ctx, r); err != nil {
				return err
			}
		}
	}
	for _, r := range a.plain() { // a copy may be out of date; only renames concern it
		a.buryAll(r) // a value that was a dropped row's key when the reference was measured is dead, too
		if err := a.judge(ctx, r); err != nil {
			return err
		}
	}
	a.askSameNobodies()
	a.checkCleared()
	if err := a.nameNobodies(ctx); err != nil {
		return err
	}
	return a.checkConditions(ctx)
}

// alive is the set of keys of a target column that come into the output with a shard's rows.
func (a *auditor) alive(ctx context.Context, to merge.Col, shard int) (*merge.KeySet, error) {
	if s := a.spaces[to]; s != nil {
		return s.alive[shard], nil
	}
	t := a.tables[to.Table]
	if t.plan.Rows == merge.EmptyRows {
		return merge.NewKeySet(), nil
	}
	source := shard
	if t.plan.Rows == merge.FromRows {
		source = slices.IndexFunc(a.shards, func(x merge.Shard) bool { return x.Source().Name == t.plan.From })
	}
	k, err := a.shards[source].Keys(ctx, to)
	if err != nil {
		return nil, err
	}
	keys := k.Set
	if lost := a.lost[to]; lost != nil && lost[source] != nil {
		keys = keys.Without(lost[source])
	}
	return a.shared(ctx, to, keys, source, shard)
}

// shared is which keys of the shard whose rows stay a shard's own rows have as well: what was dead in it does not come alive because another shard's rows
// stay. A shard without rows of its own has lent all of them from the start.
func (a *auditor) shared(ctx context.Context, key merge.Col, stays *merge.KeySet, source, shard int) (*merge.KeySet, error) {
	if source == shard || a.tables[key.Table].rows[shard] == 0 {
		return stays, nil
	}
	own, err := a.shards[shard].Keys(ctx, key)
	if err != nil {
		return nil, err
	}
	return stays.Both(own.Set), nil
}

func (a *auditor) measure(ctx context.Context, r *reference) error {
	r.counts = make([]*merge.RefCount, len(a.shards))
	cleared := make([]*merge.ValueSet, len(a.shards))
	t := a.tables[r.table()]
	queries := make([]*merge.RefQuery, len(a.shards))
	for i, s := range a.shards {
		cleared[i] = merge.NewValueSet()
		if !a.has(i, t.Name) || !t.takes(a.name(i)) || s.Schema().Column(r.From[0]) == nil {
			continue
		}
		left, err := a.leaving(ctx, r, i)
		if err != nil {
			return err
		}
		q := merge.RefQuery{Reference: &r.Reference, Left: left}
		single := len(r.From) == 1 && r.As == merge.Plain && r.spaces[0] != nil
		if single {
			if q.Alive, err = a.alive(ctx, r.To[0], i); err != nil {
				return err
			}
			q.Moving = r.spaces[0].moving[i]
		} else if r.As != merge.Plain && r.By != nil && s.Schema().Column(r.To[0]) == nil {
			continue // no row to repeat the name of
		}
		queries[i] = &q
	}
	r.cleared = cleared
	err := a.sideBySide(func(i int) (err error) {
		if queries[i] == nil {
			return nil
		}
		if r.counts[i], err = a.shards[i].Measure(ctx, *queries[i]); err != nil {
			return fmt.Errorf("%s in %s: %w", r.String(), a.name(i), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.written, r.writtenRows = nil, 0
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		if err := a.findWritten(ctx, r, i); err != nil {
			return err
		}
	}
	a.buryAll(r)
	return nil
}

func (a *auditor) buryAll(r *reference) {
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		for _, dead := range c.Dead {
			a.bury(r, i, dead)
		}
	}
}

// bury notes a dead value for the key spaces it would be a key of.
func (a *auditor) bury(r *reference, shard int, dead merge.ValueCount) {
	if a.namesKey(r) && (r.Orphans == merge.ByClear || r.Orphans == merge.ByDrop) {
		r.cleared[shard].Add(dead.Value[0])
		return
	}
	for part, s := range r.spaces {
		if s == nil || part >= len(dead.Value) {
			continue
		}
		v, ok := dead.Value[part].(int64)
		if !ok {
			continue
		}
		if len(r.From) == 1 && (r.Orphans == merge.ByClear || r.Orphans == merge.ByDrop) {
			r.cleared[shard].Add(v)
			continue
		}
		if !s.alive[shard].Has(v) {
			s.dead[shard].Add(v)
		}
	}
}
