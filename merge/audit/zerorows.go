package audit

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A game may keep a row for nobody, such as guild 0 of those who are in none, the same on every server. Under a new number its guildless players would be members of a guild.

// How much of a column's rows refer to such a row at least, where the column does not declare it its default.
const (
	zeroRows  = 3
	zeroShare = 0.05
)

// askZeroRows asks about references to a row with the key 0 or -1 that is the same on every server and would get another key on the later ones.
func (a *auditor) askZeroRows(ctx context.Context) error {
	for _, s := range a.order {
		if a.tables[s.key.Table].plan.Rows != merge.MergeRows {
			continue
		}
		for _, v := range []int64{0, -1} {
			for i := range a.shards {
				if s.moving[i] == nil || !s.moving[i].Has(v) {
					continue
				}
				same, err := a.sameZeroRow(ctx, s.key, v, i)
				if err != nil {
					return err
				}
				if !same {
					continue
				}
				if err := a.askZeroRow(ctx, s, v, i); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sameZeroRow tells whether a shard's row under a key is equal, in every column, to that of the first shard that has one.
func (a *auditor) sameZeroRow(ctx context.Context, key merge.Col, v int64, shard int) (bool, error) {
	for _, c := range a.tables[key.Table].Columns {
		if c.Generated {
			continue
		}
		var texts []string
		for _, i := range []int{0, shard} {
			own, ok := a.shards[i].Schema().Resolve(merge.Col{Table: key.Table, Name: c.Name})
			k, has := a.shards[i].Schema().Resolve(key)
			if !ok || !has {
				return false, nil
			}
			list, err := a.shards[i].Values(ctx, own, fmt.Sprintf("%s = %d", a.engine.Quote(k.Name), v), 2)
			if err != nil {
				return false, err
			}
			if len(list) != 1 {
				return false, nil
			}
			texts = append(texts, fmt.Sprintf("%T %s", list[0].Value[0], valueText(list[0].Value[0])))
		}
		if texts[0] != texts[1] {
			return false, nil
		}
	}
	return true, nil
}

// askZeroRow asks about the references that lead to one shard's row for nobody.
func (a *auditor) askZeroRow(ctx context.Context, s *space, v int64, shard int) error {
	for _, r := range s.users {
		own, ok := a.shards[shard].Schema().Resolve(r.From[0])
		if !ok || len(r.From) > 1 || r.As != merge.Plain || r.None != nil {
			continue
		}
		where := fmt.Sprintf("%s = %d", a.engine.Quote(own.Name), v)
		if r.When != "" {
			where += " AND " + bracketed(r.When)
		}
		n, err := a.shards[shard].Count(ctx, own.Table, where)
		if err != nil {
			return err
		}
		isDefault := strings.Trim(a.schema.Column(r.From[0]).Default, "'") == strconv.FormatInt(v, 10)
		if n == 0 || !isDefault && (n < zeroRows || float64(n) < zeroShare*float64(a.tables[own.Table].rows[shard])) || a.askedAs(r.From[0]) >= 0 {
			continue
		}
		line := r.Reference
		line.None = []any{v}
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("the row of %s under %d is the same on every server: does %[2]d mean nobody in %[3]s, and stay %[2]d? The later servers' own rows of it then lie under new keys, where nobody refers to them; none: [] says that it is a row as others are", s.key.Table, v, r.From[0]),
			Evidence: counted(n, "row of "+a.name(shard)+" refers", "rows of "+a.name(shard)+" refer") + " to it", Rows: n, Reference: &line,
		})
	}
	return nil
}

// standsForNobody tells whether every shard has the same row under a key, so that a plan may say that it means nobody.
func (a *auditor) standsForNobody(ctx context.Context, key merge.Col, v any) (bool, error) {
	n, ok := v.(int64)
	for i := range a.shards {
		if !ok {
			return false, nil
		}
		same, err := a.sameZeroRow(ctx, key, n, i)
		if err != nil || !same {
			return false, err
		}
	}
	return ok, nil
}
