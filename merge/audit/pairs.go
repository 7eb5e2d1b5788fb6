package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// askPairs asks about pairs of columns that tell the rows of a table apart in every shard beside its key, though no schema says so, as a house and a flat's number do, when two
// shards hold the same and another table finds the rows by both: after the merge it would find those of two owners.
func (a *auditor) askPairs(ctx context.Context) error {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || len(t.PrimaryKey) == 0 || line.plan.Rows != merge.MergeRows || !a.inTwoShards(line) || a.tableAsked(t.Name) || slices.ContainsFunc(t.KeyCols(), a.keyAsked) {
			continue
		}
		if line.secondMost() < sharedLeast {
			continue
		}
		var columns []merge.Col
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if !c.Generated && a.schema.Holds(col) != merge.Real && !slices.Equal(t.KeyCols(), []merge.Col{col}) && a.spaces[col] == nil && !a.mayBeAnothers(col) && !a.uniqueAlone(col) && a.uniquePlanOf(col) == nil {
				columns = append(columns, col)
			}
		}
		var pairs []*merge.Unique
		for i, second := range columns {
			for _, first := range columns[:i] {
				if u := a.findersPair(line, first, second); u != nil {
					pairs = append(pairs, u)
				}
			}
		}
		for i, s := range a.shards {
			if len(pairs) == 0 || line.rows[i] == 0 || slices.ContainsFunc(columns, func(c merge.Col) bool { return s.Schema().Column(c) == nil }) {
				continue
			}
			rows, err := s.Tuples(ctx, columns, "", firstPairs)
			if err != nil {
				return err
			}
			pairs = slices.DeleteFunc(pairs, func(u *merge.Unique) bool {
				return standsTwice(rows, slices.Index(columns, u.Cols()[0]), slices.Index(columns, u.Cols()[1]))
			})
		}
		for _, u := range pairs {
			if err := a.askPair(ctx, line, u); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstPairs is in how many rows a pair is looked for that stands twice, before all are grouped by it.
const firstPairs = 200

// standsTwice tells whether two of some rows hold the same values at two places, as bytes.
func standsTwice(rows []merge.ValueCount, first, second int) bool {
	seen := map[[2]any]bool{}
	for _, row := range rows {
		pair := [2]any{row.KeyAt(first), row.KeyAt(second)}
		if row.Rows > 1 || seen[pair] {
			return true
		}
		seen[pair] = true
	}
	return false
}

// findersPair is a pair of columns whose names another table repeats, and of which no key and no line of the plan says anything; nil for any other.
func (a *auditor) findersPair(t *table, first, second merge.Col) *merge.Unique {
	u := &merge.Unique{Table: t.Name, Columns: []string{first.Name, second.Name}}
	for _, c := range u.Cols() {
		u.Collations = append(u.Collations, a.schema.Column(c).Collation)
	}
	repeated := slices.ContainsFunc(a.schema.Tables, func(o *merge.Table) bool {
		return o.Name != t.Name && o.Column(first.Name, a.schema.Fold) != nil && o.Column(second.Name, a.schema.Fold) != nil
	})
	if !repeated || a.uniquePlan(u) != nil || slices.ContainsFunc(t.Uniques, func(o *merge.Unique) bool {
		return o.Plain() && !slices.ContainsFunc(o.Cols(), func(c merge.Col) bool { return c != first && c != second })
	}) {
		return nil
	}
	return u
}

// askPair asks about one pair of columns.
func (a *auditor) askPair(ctx context.Context, t *table, u *merge.Unique) error {
	shared, err := a.tellApart(ctx, t, u)
	if err != nil || shared < sharedLeast {
		return err
	}
	held, err := a.heldTogether(ctx, u)
	if err != nil || held == "" {
		return err
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("no two rows of a shard share %s, but %s in two shards: refuse them (or on_conflict: keep, and both stay)? %s", merge.JoinCols(u.Cols()), counted(shared, "such pair stands", "such pairs stand"), held),
		Evidence: "no key says so, and rows of both are more than chance keeps apart", Rows: shared,
		Unique: &merge.UniquePlan{Unique: u.Cols(), OnConflict: "fail"},
	})
	return nil
}
