package prove

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkWinners looks in the inputs whether every renamed row had to give its name up: another row that comes into the output holds it, stands before it by the
// plan's order, and kept it.
func (p *proof) checkWinners(ctx context.Context) error {
	renamed := map[string]bool{}
	for _, r := range p.rename {
		for shard, rows := range r.Shards {
			for _, row := range rows {
				renamed[rowOf(r, shard, row.Row, row.Old)] = true
			}
		}
	}
	for _, r := range p.rename {
		list, err := p.clashes(ctx, r)
		if err != nil {
			return err
		}
		part := slices.Index(r.Unique.Columns, r.Column)
		if part < 0 {
			continue // such a rename has failed already
		}
		lost, first := map[string]bool{}, map[string]bool{}
		for _, c := range list {
			kept := false
			for _, row := range c.Rows {
				old, _ := row.Values[part].(string)
				id := rowOf(r, row.Shard, row.Key, old)
				if !renamed[id] {
					id = rowOf(r, row.Shard, nil, old) // recorded without its key
				}
				switch {
				case p.isLeft(r.Unique.Table, row):
				case !renamed[id]:
					kept = true
				case kept:
					lost[id] = true
				default:
					first[id] = true
				}
			}
		}
		for shard, rows := range r.Shards {
			for _, row := range rows {
				id := rowOf(r, shard, row.Row, row.Old)
				check := Check{Name: CheckRenames, Table: r.Unique.Table, Column: r.Column, Shard: p.name(shard)}
				switch {
				case lost[id], p.folded[id]:
				case first[id]:
					p.fail(check, "%q was renamed to %q, but its row comes first by the plan's order and keeps the name", row.Old, row.New)
				default:
					p.fail(check, "%q was renamed to %q without need: no other row holds the name", row.Old, row.New)
				}
			}
		}
	}
	return nil
}

// rowOf names a row of a shard by its key, or by its old name where it has none.
func rowOf(r *merge.Rename, shard int, key []any, old string) string {
	id := fmt.Sprintf("%s\x00%s\x00%d\x00", r.Unique.Table, r.Column, shard)
	if len(key) == 0 {
		return id + old
	}
	for _, k := range key {
		id += fmt.Sprintf("%T %#v\x00", k, k)
	}
	return id
}

// clashes are the values that several rows hold under the unique keys over the columns of a rename, or in a form of the renamed name, the winner by the plan's order first.
func (p *proof) clashes(ctx context.Context, r *merge.Rename) (list []merge.Clash, err error) {
	uniques := []*merge.Unique{{Table: r.Unique.Table, Columns: r.Unique.Columns, Collations: r.Unique.Collations}}
	if t := p.schema.Table(r.Unique.Table); t != nil {
		own := slices.DeleteFunc(slices.Clone(t.Uniques), func(u *merge.Unique) bool { return !slices.EqualFunc(u.Columns, r.Unique.Columns, p.schema.Equal) })
		if len(own) > 0 {
			uniques = own
		}
	}
	collate, winner := "", ""
	for _, u := range p.plan.Uniques {
		if slices.EqualFunc(u.Unique, r.Unique.Cols(), p.sameCol) {
			collate, winner = u.Collate, u.Winner
		}
	}
	if len(r.Unique.Columns) == 1 { // names that are one in the form in which another column of their row repeats them
		for _, form := range p.plan.References {
			if form.As == merge.Copy && form.Via != "" && form.When == "" && form.By == nil && p.schema.Equal(form.Table(), r.Unique.Table) && p.sameCol(form.To[0], r.Unique.Cols()[0]) {
				u := &merge.Unique{Table: r.Unique.Table, Columns: []string{form.From[0].Name}}
				if c := p.schema.Column(form.From[0]); c != nil {
					u.Collations = []string{c.Collation}
				}
				uniques = append(uniques, u)
			}
		}
	}
	for _, u := range uniques {
		searched := *u
		collate := collate
		if !slices.EqualFunc(u.Columns, r.Unique.Columns, p.schema.Equal) {
			collate = ""
		}
		searched.Whole = slices.ContainsFunc(p.mem.References, func(r merge.MemoryReference) bool { return u.RepeatedBy(&r.Reference) })
		searched.Images = p.images(u)
		more, _, err := p.engine.Clashes(ctx, p.shards, searched, collate, winner, math.MaxInt)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// images are, by shard, what the columns of a unique key became in every row that refer to rows which fold by value: different numbers became one there. nil where no column does.
func (p *proof) images(u *merge.Unique) (list [][]merge.Case) {
	for part, c := range u.Cols() {
		for _, r := range p.mem.References {
			i := slices.Index(r.Reference.From, c)
			if i < 0 || i >= len(r.Spaces) || r.Reference.As != merge.Plain || r.Reference.When != "" {
				continue
			}
			s := p.spaces[r.Spaces[i]]
			if s == nil || p.rule(s.key.Table).Rows != merge.ByValue {
				continue
			}
			if list == nil {
				list = make([][]merge.Case, len(p.shards))
			}
			for shard, m := range s.maps {
				if list[shard] == nil {
					list[shard] = make([]merge.Case, len(u.Columns))
				}
				list[shard][part] = merge.Case{Map: m, None: r.Reference.None}
			}
		}
	}
	return list
}

// isLeft tells whether a row of a shard does not come into the output.
func (p *proof) isLeft(table string, row merge.ClashRow) bool {
	t := p.schema.Table(table)
	if !p.takes(table, row.Shard) {
		return true
	}
	if t == nil || len(t.PrimaryKey) != 1 || len(row.Key) != 1 {
		return false
	}
	gone := p.gone[keyColumn{row.Shard, merge.Col{Table: t.Name, Name: t.PrimaryKey[0]}}]
	k, ok := row.Key[0].(int64)
	return ok && gone != nil && gone.Has(k)
}
