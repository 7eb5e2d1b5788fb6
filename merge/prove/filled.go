package prove

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkFilled checks that no row of a shard that lacks a reference was given somebody's key, unless that key means the same thing on every server.
func (p *proof) checkFilled(ctx context.Context) error {
	for _, m := range p.mem.References {
		r := m.Reference
		if r.As != merge.Plain && r.As != merge.Copy || len(r.To) != len(r.From) {
			continue
		}
		for i, from := range r.From {
			value := lookup(p.schema, p.rule(from.Table).Missing, from.Name)
			if value == "" || p.static(r.To[i]) || i < len(m.Spaces) && p.static(m.Spaces[i]) {
				continue
			}
			for shard, s := range p.shards {
				own := s.Schema().Table(from.Table)
				if own == nil || !p.takes(from.Table, shard) || own.Column(from.Name, p.schema.Fold) != nil {
					continue
				}
				n, err := s.Count(ctx, own.Name, r.Somebody(value, p.engine.Literal))
				if err != nil {
					return err
				}
				check := Check{Name: CheckReferences, Table: from.Table, Column: from.Name, Shard: p.name(shard)}
				if n > 0 && !slices.ContainsFunc(p.report.Checks, func(c Check) bool {
					return !c.OK && c.Name == check.Name && c.Table == check.Table && c.Column == check.Column
				}) {
					p.fail(check, "%d rows of an input that lacks it were given %s, a key that they never referred to", n, value)
				}
			}
		}
	}
	return nil
}
