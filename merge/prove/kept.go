package prove

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkKept checks that columns which the plan keeps in every row, and of which the schema declares together what they refer to, hold no key that changed or that
// another input's row has: what they name would be somebody else.
func (p *proof) checkKept(ctx context.Context) error {
	for _, r := range p.plan.References {
		if to := p.declaredTo(r.From); r.As == merge.Keep && r.When == "" && !r.Pattern.Any() && to != nil {
			if err := p.keeps(ctx, r, to); err != nil {
				return err
			}
		}
	}
	return nil
}

// keeps looks at every part of a kept reference that follows nothing else.
func (p *proof) keeps(ctx context.Context, ref merge.Reference, to []merge.Col) error {
	check := Check{Name: CheckReferences, Table: ref.Table()}
	for part, from := range ref.From {
		s := p.columnSpace(to[part])
		if s == nil || p.columnSpace(from) == s || !moves(s) {
			continue
		}
		one := merge.Reference{From: []merge.Col{from}, To: []merge.Col{to[part]}}
		for _, other := range ref.From { // with a null among them they refer to nothing
			if other == from {
				continue
			}
			if one.When != "" {
				one.When += " AND "
			}
			one.When += p.engine.Quote(other.Name) + " IS NOT NULL"
		}
		for i := range p.shards {
			rows, err := p.strangers(ctx, s, i, &one)
			if err != nil {
				return err
			}
			if rows > 0 {
				check.Column, check.Shard = from.Name, p.name(i)
				p.fail(check, "%d rows hold a key of %s that changed or is somebody else's, and the schema declares that they refer to %s", rows, s.key, merge.JoinCols(to))
			}
		}
	}
	return nil
}

// strangers counts an input's rows whose values, as they are, would name others in the output than in the input.
func (p *proof) strangers(ctx context.Context, s *space, shard int, ref *merge.Reference) (rows int64, err error) {
	if _, ok := p.shards[shard].Schema().Resolve(ref.From[0]); !ok || !p.takes(ref.Table(), shard) {
		return 0, nil
	}
	alive, err := p.alive(ctx, shard, s.key)
	if err != nil {
		return 0, err
	}
	here, err := p.keysOf(ctx, -1, s.key)
	if err != nil {
		return 0, err
	}
	n, err := p.shards[shard].Measure(ctx, merge.RefQuery{Reference: ref, Alive: alive, Moving: merge.OldKeys(s.runs[shard])})
	if err != nil {
		return 0, err
	}
	rows = n.Moving
	for _, d := range n.Dead {
		if v, ok := integer(d.Value[0]); ok && here.Set.Has(v) {
			rows += d.Rows
		}
	}
	return rows, nil
}

// declaredTo is what an input declares that columns refer to together; nil where none does.
func (p *proof) declaredTo(from []merge.Col) []merge.Col {
	for _, s := range p.shards {
		t := s.Schema().Table(from[0].Table)
		if t == nil {
			continue
		}
		for _, f := range t.ForeignKeys {
			target, names := p.schema.Table(f.ToTable), f.ToColumns
			if target == nil || !slices.EqualFunc(f.Columns, from, func(name string, c merge.Col) bool { return p.schema.Equal(name, c.Name) }) {
				continue
			}
			if len(names) == 0 {
				names = target.PrimaryKey
			}
			var to []merge.Col
			for _, name := range names {
				if c, ok := p.schema.Resolve(merge.Col{Table: target.Name, Name: name}); ok {
					to = append(to, c)
				}
			}
			if len(to) == len(from) {
				return to
			}
		}
	}
	return nil
}
