package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Of two rows that become one, the one that folds may lead to others than the one that stays does: a house to its holder, a player to his guild and to whom he married. These lose it.

// ousted counts, by column, the rows of a shard that fold and lead by it to some row of theirs, where the row that stays does not lead to the same one: that is so, too, where both
// servers number alike those to which theirs belong.
func (a *auditor) ousted(ctx context.Context, t *table, stays, folds int, pairs []merge.KeyPair, shared int64, columns map[string]int64) (map[string]int64, error) {
	rows := map[string]int64{}
	for _, r := range a.refs {
		if r.As != merge.Plain && (r.As != merge.Copy || r.Via != "" || r.By != nil) || r.table() != t.Name || a.shards[folds].Schema().Column(r.From[0]) == nil {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(r.From), func(c merge.Col) bool {
			return slices.Contains(t.PrimaryKey, c.Name) || columns[c.Name] == 0 && !a.turns(c)
		})
		if len(own) == 0 {
			continue
		}
		n, err := a.leadElsewhere(ctx, t, r, stays, folds, pairs, columns)
		if err != nil {
			return nil, fmt.Errorf("%s in %s: %w", r.String(), a.name(folds), err)
		}
		for _, c := range own {
			if n > 0 {
				rows[c.Name] = max(rows[c.Name], min(n, shared))
			}
		}
	}
	return rows, nil
}

// leadElsewhere counts the rows that fold and lead by a reference to a living row to which those that they fold into do not lead; where there are too many to look at, all that may.
func (a *auditor) leadElsewhere(ctx context.Context, t *table, r *reference, stays, folds int, pairs []merge.KeyPair, columns map[string]int64) (rows int64, err error) {
	q := merge.RefQuery{Reference: &r.Reference}
	if len(r.From) == 1 && r.As == merge.Plain && r.spaces[0] != nil {
		if q.Alive, err = a.alive(ctx, r.To[0], folds); err != nil {
			return 0, err
		}
	}
	n, err := a.shards[folds].Measure(ctx, q)
	if err != nil || n.Alive == 0 {
		return 0, err
	}
	for _, c := range r.From {
		rows = max(rows, columns[c.Name])
	}
	if slices.ContainsFunc(r.From, a.turns) {
		rows = n.Alive
	}
	if max(t.rows[stays], t.rows[folds]) > int64(a.opt.ClashLimit) {
		return min(rows, n.Alive), nil
	}
	here, err := a.tuplesByKey(ctx, t, r.From, stays, "")
	if err != nil || here == nil {
		return min(rows, n.Alive), err
	}
	there, err := a.tuplesByKey(ctx, t, r.From, folds, a.refers(r))
	if err != nil || there == nil {
		return min(rows, n.Alive), err
	}
	if rule, _ := lookupFold(a.schema, t.plan.Columns, r.From[0].Name); rule.How == "set" {
		maps.DeleteFunc(here, func(_ string, tuple heldTuple) bool { return unset(tuple.values[0]) }) // the one that folds stays then
	}
	dead := map[string]bool{}
	for _, v := range slices.Concat(n.Dead, n.Other) {
		dead[keyText(v.Value)] = true
	}
	maps.DeleteFunc(there, func(_ string, tuple heldTuple) bool { return dead[keyText(tuple.values)] })
	return unlikeTuples(t, here, there, pairs), nil
}

// orSet is the advice to take what a row belongs to from the first server on which it belongs to anybody, where the plan has no rule for that.
func (a *auditor) orSet(t *table, ousted map[string]int64) string {
	for _, c := range t.Columns {
		if rule, _ := lookupFold(a.schema, t.plan.Columns, c.Name); ousted[c.Name] > 0 && (rule.How == "" || rule.How == "first") && t.plan.Rows != merge.FromRows {
			return fmt.Sprintf("; or, where a row of %s may hold nobody and another server's somebody, say rows: union and, under columns, %s: {set: %[2]s}, for what goes with it, too", tableName(t.Name), c.Name)
		}
	}
	return ""
}

// losing says to what the rows that fold belong, by which columns; those of which a rule of the plan chooses are left out.
func (a *auditor) losing(t *table, ousted, rows map[string]int64) string {
	var list []string
	for _, c := range t.Columns {
		rule, _ := lookupFold(a.schema, t.plan.Columns, c.Name)
		if n := min(ousted[c.Name], rows[c.Name]); n > 0 && (rule.How == "" || rule.How == "first" || rule.How == "set") {
			list = append(list, fmt.Sprintf("%s by %s", counted(n, "row", "rows"), c.Name))
		}
	}
	return strings.Join(list, ", ")
}
