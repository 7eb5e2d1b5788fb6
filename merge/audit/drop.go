package audit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// dropRows takes the keys of rows that a reference drops out of what is alive, and measures again what refers to them.
func (a *auditor) dropRows(ctx context.Context, r *reference) (changed bool, err error) {
	var users []*reference
	for i, sh := range a.shards {
		if r.counts[i] == nil || r.cleared[i].Len() == 0 {
			continue
		}
		condition := a.dropped(r, i)
		for _, key := range a.keysIn(r.table()) {
			if sh.Schema().Column(key) == nil {
				continue
			}
			rows, err := sh.Values(ctx, key, condition, 0)
			if err != nil {
				return false, err
			}
			if a.bereave(key, i, rows) {
				changed = true
				users = append(users, a.usersOf(key)...)
			}
		}
	}
	for i, user := range users {
		if slices.Contains(users[:i], user) {
			continue
		}
		if user.spaces[0] == nil || len(user.From) > 1 {
			a.find(merge.Finding{
				Rule: "drop", Severity: merge.Block, Table: user.table(), Column: user.From[0].Name,
				Text: fmt.Sprintf("%s drops rows of %s that %s refers to by more than a number, which is not carried out", r.String(), r.table(), merge.JoinCols(user.From)),
				Next: fmt.Sprintf("leave out all rows of both where the game can do without: %s and %s; or choose orphans: tombstone for %s", rowsLine(r.table(), merge.EmptyRows), rowsLine(user.table(), merge.EmptyRows), merge.JoinCols(r.From)),
			})
			continue
		}
		if err := a.measure(ctx, user); err != nil {
			return false, err
		}
	}
	return changed, nil
}

// checkCleared refuses to clear values by which others find the rows that hold them.
func (a *auditor) checkCleared() {
	for _, r := range a.plain() {
		if r.Orphans != merge.ByClear || len(r.From) > 1 || !slices.ContainsFunc(r.cleared, func(s *merge.ValueSet) bool { return s != nil && s.Len() > 0 }) {
			continue
		}
		for _, user := range a.usersOf(r.From[0]) {
			if user != r {
				a.find(merge.Finding{
					Rule: "orphan", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name,
					Text: fmt.Sprintf("dead values are cleared, and %s finds the rows that hold them by these", merge.JoinCols(user.From)),
					Next: "choose orphans: tombstone for " + r.From[0].String(),
				})
			}
		}
	}
}

// dropped is an SQL condition on the rows of a shard that a reference drops; "" when there are none.
func (a *auditor) dropped(r *reference, shard int) string {
	if r.Orphans != merge.ByDrop || r.cleared == nil || r.cleared[shard].Len() == 0 {
		return ""
	}
	condition := a.inList(r.From[0], r.cleared[shard])
	if r.When != "" {
		condition += " AND " + bracketed(r.When)
	}
	return condition
}

// leftOut is an SQL condition on the rows of a shard's table that references drop; "" when there are none.
func (a *auditor) leftOut(table string, shard int) string {
	var terms []string
	for _, r := range a.plain() {
		if r.table() == table {
			if one := a.dropped(r, shard); one != "" {
				terms = append(terms, "("+one+")")
			}
		}
	}
	return strings.Join(terms, " OR ")
}

// leavesOut tells whether rows of a table are dropped in any shard.
func (a *auditor) leavesOut(table string) bool {
	for i := range a.shards {
		if a.leftOut(table, i) != "" {
			return true
		}
	}
	return false
}

// staying narrows an SQL condition to the rows of a shard's table that no reference drops.
func (a *auditor) staying(table string, shard int, condition string) string {
	left := a.leftOut(table, shard)
	switch {
	case left == "":
		return condition
	case condition == "":
		return "(" + left + ") IS NOT TRUE"
	}
	return "(" + condition + ") AND (" + left + ") IS NOT TRUE"
}

// keysIn are the columns of a table that hold keys of their own, are unique or are referred to.
func (a *auditor) keysIn(table string) (list []merge.Col) {
	for _, s := range a.order {
		if s.key.Table == table {
			list = append(list, s.key)
		}
	}
	for _, r := range a.plain() {
		for _, to := range r.To {
			if to.Table == table && !slices.Contains(list, to) {
				list = append(list, to)
			}
		}
	}
	for _, u := range a.tables[table].Uniques { // by which a unique key's rows are told apart
		if key := u.Cols()[0]; len(u.Columns) == 1 && u.Plain() && !slices.Contains(list, key) {
			list = append(list, key)
		}
	}
	return list
}

func (a *auditor) usersOf(key merge.Col) (list []*reference) {
	for _, r := range a.plain() {
		if slices.Contains(r.To, key) {
			list = append(list, r)
		}
	}
	return list
}

// bereave takes values of a column out of what is alive; it is false when they were out before.
func (a *auditor) bereave(key merge.Col, shard int, rows []merge.ValueCount) bool {
	if a.gone[key] == nil {
		a.gone[key] = make([]map[string]bool, len(a.shards))
	}
	if a.gone[key][shard] == nil {
		a.gone[key][shard] = map[string]bool{}
	}
	lost, changed := merge.NewKeySet(), false
	for _, v := range rows {
		id := valueText(v.Value[0])
		changed = changed || !a.gone[key][shard][id]
		a.gone[key][shard][id] = true
		if k, ok := v.Value[0].(int64); ok {
			lost.Add(k)
		}
	}
	if s := a.spaces[key]; s != nil {
		for i := range a.shards {
			if i == shard || a.tables[key.Table].plan.Rows == merge.FromRows { // every shard's references go to the rows that stay
				s.alive[i], s.moving[i] = s.alive[i].Without(lost), s.moving[i].Without(lost)
			}
		}
	} else if changed {
		if a.lost[key] == nil {
			a.lost[key] = make([]*merge.KeySet, len(a.shards))
		}
		if a.lost[key][shard] == nil {
			a.lost[key][shard] = merge.NewKeySet()
		}
		a.lost[key][shard].Union(lost)
	}
	return changed
}

// inList is an SQL condition: the column holds one of the values.
func (a *auditor) inList(c merge.Col, values *merge.ValueSet) string {
	var numbers, others []string
	if keys := values.Integers(); keys != nil {
		for v := range keys.All() {
			n := strconv.FormatInt(v, 10)
			numbers = append(numbers, n, a.engine.Literal(n)) // a key may stand as text
		}
	}
	for v := range values.Others() {
		others = append(others, a.engine.Literal(v))
	}
	var terms []string
	if len(numbers) > 0 {
		terms = append(terms, a.engine.Quote(c.Name)+" IN ("+strings.Join(numbers, ", ")+")")
	}
	if len(others) > 0 { // which are dead was found byte for byte
		terms = append(terms, "(+"+a.engine.Quote(c.Name)+") COLLATE BINARY IN ("+strings.Join(others, ", ")+")")
	}
	return "(" + strings.Join(terms, " OR ") + ")"
}
