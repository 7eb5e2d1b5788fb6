package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// cellsMost is how many rows a table has at most of which undeclared cells are looked at.
const cellsMost = 200_000

// askCells asks about columns that hold the places of another table's rows, each of which has one of its own though no schema says so, where what finds nothing on its own
// server would find a row of another.
func (a *auditor) askCells(ctx context.Context) error {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows != merge.MergeRows || !line.mixes() || slices.Max(line.rows) > cellsMost {
			continue
		}
		for _, u := range cells(t) {
			if slices.ContainsFunc(u.Cols(), a.partMoves) || slices.ContainsFunc(t.Uniques, func(o *merge.Unique) bool { return o.Plain() && within(o.Columns, u.Columns) }) {
				continue
			}
			if err := a.askCell(ctx, u); err != nil {
				return err
			}
		}
	}
	return nil
}

// within tells whether all of some columns are among others.
func within(some, others []string) bool {
	return !slices.ContainsFunc(some, func(c string) bool { return !slices.Contains(others, c) })
}

// cells are the pairs of a table's columns that are named like a place on a map: x and y, pos_x and pos_y, MapX and MapY.
func cells(t *merge.Table) (list []*merge.Unique) {
	for _, x := range t.Columns {
		at := axis(x.Name)
		if at < 0 || x.Generated {
			continue
		}
		other := x.Name[:at] + string(x.Name[at]+1) + x.Name[at+1:]
		if y := slices.IndexFunc(t.Columns, func(c *merge.Column) bool { return c.Name == other && !c.Generated }); y >= 0 {
			list = append(list, &merge.Unique{Table: t.Name, Columns: []string{x.Name, other}})
		}
	}
	return list
}

// axis is where a name says x, as a word of its own; -1 where it does not.
func axis(name string) int {
	for at := range len(name) {
		begins := at == 0 || name[at-1] == '_' || name[at] == 'X' && name[at-1] >= 'a' && name[at-1] <= 'z'
		ends := at == len(name)-1 || name[at+1] == '_'
		if (name[at] == 'x' || name[at] == 'X') && begins && ends {
			return at
		}
	}
	return -1
}

// askCell asks about the columns of other tables that hold one table's cells.
func (a *auditor) askCell(ctx context.Context, u *merge.Unique) error {
	var holders []*reference
	for _, t := range a.schema.Tables {
		if line := a.tables[t.Name]; t.Opaque != "" || line.plan.Rows == merge.EmptyRows || slices.Max(line.rows) > cellsMost {
			continue
		}
		for _, r := range alike(t, u, cores(u.Columns)) {
			if own := t.Name == u.Table && slices.ContainsFunc(r.From, func(c merge.Col) bool { return slices.Contains(u.Cols(), c) }); !own && a.mayBeCells(r, u) {
				holders = append(holders, &reference{Reference: r, counts: make([]*merge.RefCount, len(a.shards)), byPlan: true})
			}
		}
	}
	if len(holders) == 0 {
		return nil
	}
	alive := make([]map[string]bool, len(a.shards))
	for i := range a.shards {
		list, err := a.tuplesOf(ctx, i, u.Cols())
		if err != nil {
			return err
		}
		alive[i] = map[string]bool{}
		for _, v := range list {
			if v.Rows > 1 {
				return nil
			}
			alive[i][tupleText(v.Value)] = true
		}
	}
	for _, h := range holders {
		held, err := a.holdsCells(ctx, h, alive)
		if err != nil {
			return err
		}
		if !held {
			continue
		}
		if err := a.askCaught(h, func(shard int, dead []merge.ValueCount) ([]merge.ValueCount, error) {
			return slices.DeleteFunc(slices.Clone(dead), func(v merge.ValueCount) bool { return !alive[shard][tupleText(v.Value)] }), nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// mayBeCells tells whether columns may hold cells, of which nobody has said anything yet: to_x and to_y those of x and y, and not the other way round.
func (a *auditor) mayBeCells(r merge.Reference, u *merge.Unique) bool {
	return len(r.From) == len(u.Columns) && len(r.From[0].Name) >= len(u.Columns[0]) && !a.toldOf(r)
}

// tuplesOf lists what columns hold together in a shard, but where one is null.
func (a *auditor) tuplesOf(ctx context.Context, shard int, columns []merge.Col) ([]merge.ValueCount, error) {
	s := a.shards[shard]
	var own []merge.Col
	for _, c := range columns {
		o, ok := s.Schema().Resolve(c)
		if !ok {
			return nil, nil
		}
		own = append(own, o)
	}
	list, err := s.Tuples(ctx, own, "", 0)
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", merge.JoinCols(columns), a.name(shard), err)
	}
	return slices.DeleteFunc(list, func(v merge.ValueCount) bool { return slices.Contains(v.Value, any(nil)) }), nil
}

// holdsCells counts the rows of every shard whose columns are together a cell of their own shard, and tells whether enough are.
func (a *auditor) holdsCells(ctx context.Context, h *reference, alive []map[string]bool) (some bool, err error) {
	for i := range a.shards {
		list, err := a.tuplesOf(ctx, i, h.From)
		if err != nil {
			return false, err
		}
		c := &merge.RefCount{}
		h.counts[i] = c
		for _, v := range list {
			switch {
			case alive[i][tupleText(v.Value)]:
				c.Alive += v.Rows
			case nobodys(v.Value):
				continue
			default:
				c.Dead = append(c.Dead, v)
			}
			c.Rows += v.Rows
		}
		if float64(c.Alive) < tupleShare*float64(c.Rows) {
			return false, nil
		}
		some = some || c.Rows > 0
	}
	return some, nil
}
