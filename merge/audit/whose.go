package audit

import (
	"context"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
)

// Rows may fold by a column that leads to rows which fold themselves, as a player's points by the player: what it becomes is compared, which is the same for both of his numbers.

// saysWhose tells whether a reference of a table that folds by value leads, in every row, to rows that become one before those of the table do.
func (a *auditor) saysWhose(r *reference, t *table) bool {
	if r.As != merge.Plain || len(r.From) > 1 || r.When != "" {
		return false
	}
	to := a.tables[r.To[0].Table]
	if s := r.spaces[0]; s != nil {
		to = a.tables[s.key.Table]
		return s.plan.New == merge.Static || to.folds() || to.plan.Rows == merge.ByValue && !a.foldsAfter(to, t.Name, nil)
	}
	return to.folds() && slices.Equal(to.PrimaryKey, []string{r.To[0].Name})
}

// foldsAfter tells whether rows of a table fold by value after those of another one, or are these.
func (a *auditor) foldsAfter(t *table, other string, seen []string) bool {
	if t.Name == other {
		return true
	}
	if t.plan.Rows != merge.ByValue || slices.Contains(seen, t.Name) {
		return false
	}
	seen = append(seen, t.Name)
	return slices.ContainsFunc(a.plain(), func(r *reference) bool {
		by := func(name string) bool { return a.schema.Equal(name, r.From[0].Name) }
		return r.table() == t.Name && len(r.From) == 1 && r.spaces[0] != nil && slices.ContainsFunc(t.plan.By, by) && a.foldsAfter(a.tables[r.spaces[0].key.Table], other, seen)
	})
}

// owner is a part of a key by which rows fold that leads to other rows.
type owner struct {
	part  int
	alive []*merge.KeySet // by shard
	none  []any
}

// ownersIn are the parts of a key by which rows fold that lead to rows known by numbers. The key takes them for what they become.
func (a *auditor) ownersIn(ctx context.Context, key *merge.Unique) (list []owner, err error) {
	for part, c := range key.Cols() {
		at := slices.IndexFunc(a.plain(), func(r *reference) bool { return slices.Equal(r.From, []merge.Col{c}) && r.spaces[0] != nil })
		if at < 0 {
			continue
		}
		r := a.plain()[at]
		if r.spaces[0].alive == nil {
			if err := a.fillSpace(ctx, r.spaces[0]); err != nil {
				return nil, err
			}
		}
		maps, err := r.spaces[0].become()
		if err != nil {
			return nil, err
		}
		o := owner{part: part, alive: make([]*merge.KeySet, len(a.shards)), none: a.nobodys(c)}
		if key.Images == nil {
			key.Images = make([][]merge.Case, len(a.shards))
		}
		for i := range a.shards {
			if key.Images[i] == nil {
				key.Images[i] = make([]merge.Case, len(key.Columns))
			}
			if maps != nil {
				key.Images[i][part] = merge.Case{Map: maps[i], None: o.none}
			}
			if o.alive[i], err = a.alive(ctx, r.To[0], i); err != nil {
				return nil, err
			}
		}
		list = append(list, o)
	}
	return list, nil
}

// become are, by shard, maps by which those keys are equal that become one, and no others; nil where equal ones do. Which new ones they get is chosen later.
func (s *space) become() ([]*merge.KeyMap, error) {
	if s.plan.New == merge.Static {
		return nil, nil
	}
	none := make([]*merge.KeySet, len(s.alive))
	for i := range none {
		none[i] = merge.NewKeySet()
	}
	res, err := assign.Keys(assign.Request{Key: s.key, Rule: merge.Dense, Alive: s.alive, Dead: none, Folds: s.folds, Low: 1, High: math.MaxInt64 - 1})
	if err != nil {
		return nil, err
	}
	return res.Maps, nil
}

// ownerless tells whether one of the parts leads to nobody's row in the row's own shard, and holds nothing that means nobody: another shard's such row is somebody else's.
func ownerless(owners []owner, row merge.ClashRow) bool {
	return slices.ContainsFunc(owners, func(o owner) bool {
		n, ok := row.Values[o.part].(int64)
		return !slices.Contains(o.none, row.Values[o.part]) && (!ok || !o.alive[row.Shard].Has(n))
	})
}
