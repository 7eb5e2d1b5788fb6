package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// ownNumbers are names by which a table's rows are numbered, whatever the table is called.
var ownNumbers = []string{"id", "guid", "uid", "uuid", "key", "no", "num", "number"}

// askDoubledKeys asks about the columns among some that are called the numbers of their own tables' rows and are that but for a few doubled ones, and lists them with those whose numbers
// are mostly these, which wait for the answer.
func (a *auditor) askDoubledKeys(ctx context.Context, list []discover.Unplaced) (waits []merge.Col, err error) {
	open := slices.DeleteFunc(slices.Clone(list), func(u discover.Unplaced) bool {
		said, _ := a.decidedKey(u.Col)
		return said || a.decided(u.Col) || a.askedAs(u.Col) >= 0
	})
	for _, u := range open {
		asked, err := a.askDoubledKey(ctx, u.Col, u.Evidence)
		if err != nil {
			return nil, err
		}
		if asked {
			waits = append(waits, u.Col)
		}
	}
	for _, key := range slices.Clone(waits) {
		for _, u := range open {
			if slices.Contains(waits, u.Col) || a.schema.Holds(u.Col) == merge.Text {
				continue
			}
			words, err := a.amongNumbers(ctx, u.Col, key, mostNumbers)
			if err != nil {
				return nil, err
			}
			if words != "" {
				waits = append(waits, u.Col)
			}
		}
	}
	return waits, nil
}

// askDoubledKey asks whether a column that is called the number of its own table's rows is that, though no key says so and a few rows share one, as after a row was restored twice.
func (a *auditor) askDoubledKey(ctx context.Context, c merge.Col, evidence string) (asked bool, err error) {
	t := a.tables[c.Table]
	if len(t.PrimaryKey) > 0 || !slices.Contains(ownNumbers, strings.ToLower(c.Name)) && !calledAfter(c.Name, c.Table) {
		return false, nil
	}
	var rows, values int64
	var twice []string
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(c)
		if !ok || t.rows[i] == 0 {
			continue
		}
		name := a.engine.Quote(own.Name)
		list, err := s.Values(ctx, own, fmt.Sprintf("%s IN (SELECT %[1]s FROM %s GROUP BY %[1]s HAVING count(*) > 1)", name, a.engine.Quote(own.Table)), 0)
		if err != nil {
			return false, err
		}
		rows += t.rows[i]
		values += t.rows[i]
		for _, v := range list {
			values -= v.Rows - 1
			twice = append(twice, fmt.Sprintf("%s in %s", valueText(v.Value[0]), a.name(i)))
		}
	}
	if len(twice) == 0 || float64(values) < hardlyShare*float64(rows) {
		return false, nil
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s is called the number of a row of %s, and hardly two rows share one (%s): is it that, so that the later shards' rows get new ones (new: shift)? What refers to it is asked about then; a row that stands there twice is best taken out in a copy of its shard. If it is no number of these rows: %s",
			c, c.Table, strings.Join(twice[:min(len(twice), listed)], ", "), keepLine(c)),
		Evidence: evidence, Rows: t.total(), Key: &merge.KeyPlan{Key: c, New: merge.Shift},
	})
	return true, nil
}
