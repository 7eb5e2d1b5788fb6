package audit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// split is some tables, bag_0 to bag_3, among which a game shares rows out by the remainder of a key divided by their number.
type split struct {
	column merge.Col // of the first of them
	tables int64
}

// How likely a key that has nothing to do with it would part tables so, at most, and how many of its values are looked at in each.
const (
	splitChance = 1e-4
	splitSample = 1000
)

// splitsOf are the tables that a game divides by a space's key, with the key's own table among them.
func (a *auditor) splitsOf(ctx context.Context, s *space) (list []split, err error) {
	groups := map[string][]merge.Col{}
	var order []string
	for _, c := range a.columnsOf(s) {
		table := merge.FoldASCII(c.Table)
		bare := strings.TrimRight(table, "0123456789")
		if bare == table {
			continue
		}
		name := bare + "." + merge.FoldASCII(c.Name)
		if groups[name] == nil {
			order = append(order, name)
		}
		groups[name] = append(groups[name], c)
	}
	for _, name := range order {
		ok, err := a.parts(ctx, groups[name])
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, split{groups[name][0], int64(len(groups[name]))})
		}
	}
	return list, nil
}

// columnsOf are the columns that hold a space's keys, whatever else their row says.
func (a *auditor) columnsOf(s *space) []merge.Col {
	list := []merge.Col{s.key}
	for _, r := range s.users {
		if len(r.From) == 1 && r.When == "" && !slices.Contains(list, r.From[0]) {
			list = append(list, r.From[0])
		}
	}
	return list
}

// parts tells whether some columns' values, divided by the number of columns, leave one remainder in each of them on every server, and no two the same.
func (a *auditor) parts(ctx context.Context, columns []merge.Col) (bool, error) {
	n := int64(len(columns))
	if n < 2 {
		return false, nil
	}
	taken, chance := map[int64]bool{}, 0.0 // its logarithm
	for _, c := range columns {
		left := int64(-1)
		for i, shard := range a.shards {
			own, ok := shard.Schema().Resolve(c)
			if !ok || a.tables[c.Table].rows[i] == 0 {
				continue
			}
			sample, err := shard.Sample(ctx, own, splitSample)
			if err != nil {
				return false, err
			}
			for _, v := range sample.Values {
				switch rest := ((v % n) + n) % n; {
				case v <= 0 && rest != left: // nobody's
				case left < 0 && taken[rest], left >= 0 && rest != left:
					return false, nil
				case left < 0:
					left = rest
				default:
					chance -= math.Log(float64(n))
				}
			}
		}
		taken[left] = true
	}
	return chance <= math.Log(splitChance), nil
}

// step is the number by which new keys of a space have to differ from the old ones, a multiple of it, so that every row stays in the table where the game looks for it.
func step(list []split) int64 {
	n := int64(1)
	for _, one := range list {
		n = multiple(n, one.tables)
	}
	return n
}

// findSplits says which tables are divided by a key that changes, and refuses new keys that would lead the game to another of them.
func (a *auditor) findSplits(s *space, list []split) {
	if s.moves() == 0 {
		return
	}
	for _, one := range list {
		f := merge.Finding{
			Rule: "split", Severity: merge.Info, Table: one.column.Table, Column: one.column.Name, Rows: s.moves(),
			Text: fmt.Sprintf("%d tables like this one share the rows by %s %% %d; new keys leave the same remainder", one.tables, s.key, one.tables),
		}
		if s.plan.New != merge.Shift {
			f.Severity = merge.Block
			f.Text = fmt.Sprintf("%d tables like this one share the rows by %s %% %d; new keys under %q leave another remainder, and the game would look for the rows in another table", one.tables, s.key, one.tables, s.plan.New)
			f.Next = fmt.Sprintf("say {key: %s, new: shift}, which keeps the remainder", s.key)
		}
		a.find(f)
	}
}
