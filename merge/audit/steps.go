package audit

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
)

// The highest number of a check that may divide what its keys differ by, and the highest that several together make.
const (
	stepMost  = 1000
	stepsMost = 1_000_000
)

// numerals are the numbers that stand in an SQL text by themselves.
var numerals = regexp.MustCompile(`\b[0-9]{1,4}\b`)

// stepChecks are the checks on a space's numbers that keys keep when they differ by a multiple of a step from those that are there, and not when they differ by any number, as
// CHECK (id % 2 = 1) of servers that share the numbers out; and that step, which is a multiple of the one that the request has.
func (a *auditor) stepChecks(ctx context.Context, s *space, req assign.Request) (checks []string, step int64, err error) {
	step, req.Rule = max(req.Step, 1), merge.Shift
	for _, c := range a.columnsOf(s) {
		t := a.tables[c.Table]
		if t.Opaque != "" {
			continue
		}
		for _, check := range t.Checks {
			numbers := stepsIn(check)
			if len(numbers) == 0 || !merge.MayName(check, c.Name) {
				continue
			}
			for i, n := range append([]int64{1}, numbers...) {
				req.Step = multiple(step, n)
				holds, err := a.holdsShifted(ctx, c, check, req, 0)
				if err == nil && holds { // what one number keeps by chance, the next one does not
					holds, err = a.holdsShifted(ctx, c, check, req, req.Step)
				}
				if err != nil {
					return nil, 0, err
				}
				if !holds {
					continue
				}
				if i > 0 {
					step, checks = req.Step, append(checks, check)
				}
				break
			}
		}
	}
	return checks, step, nil
}

// stepsIn are the numbers by which the keys of a check may differ, the lowest first: those that stand in it, the next ones, for it may take some bits of a key, and what all of
// them together divide.
func stepsIn(check string) (list []int64) {
	all := int64(1)
	for _, text := range numerals.FindAllString(check, -1) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 || n > stepMost {
			continue
		}
		list = append(list, n, n+1)
		if more := multiple(all, n); more <= stepsMost {
			all = more
		}
	}
	list = append(list, all)
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(n int64) bool { return n < 2 })
}

// multiple is the lowest number that both divide.
func multiple(x, y int64) int64 { return x / merge.Divisor(x, y) * y }

// holdsShifted tells whether a check holds for a column's rows under the numbers to which a request shifts them, and further.
func (a *auditor) holdsShifted(ctx context.Context, c merge.Col, check string, req assign.Request, further int64) (bool, error) {
	res, err := assign.Keys(req)
	if err != nil {
		return false, nil //nolint:nilerr // no room for such keys, of which the one who gives them will tell
	}
	for i, m := range res.Maps {
		own := a.shards[i].Schema().Table(c.Table)
		if own == nil || a.tables[c.Table].rows[i] == 0 {
			continue
		}
		if !a.complete(a.tables[c.Table].Table, own) {
			return false, nil
		}
		at, ok := a.shards[i].Schema().Resolve(c)
		if !ok {
			return false, nil
		}
		name := a.engine.Quote(own.Name) + "." + a.engine.Quote(at.Name)
		for _, run := range m.Runs() {
			if run.Rule != merge.Shift {
				continue
			}
			failed, err := a.shards[i].Any(ctx, own.Name, name+" BETWEEN ? AND ? AND "+a.failing(own, check, at.Name, a.raised(c, name)), run.Old, run.Old+run.Count-1, run.New-run.Old+further)
			if err != nil {
				return false, fmt.Errorf("table %s: the check (%s) under new numbers of %s: %w", own.Name, check, at.Name, err)
			}
			if failed {
				return false, nil
			}
		}
	}
	return true, nil
}

// raised is the SQL of a column's value and a parameter more, which a check compares as it does the column.
func (a *auditor) raised(c merge.Col, name string) string {
	if a.schema.Column(c).Affinity == merge.Integer {
		return "CAST(" + name + " + ? AS INTEGER)"
	}
	return name + " + ?"
}

// keptByStep tells whether a check takes all keys of a table, raised by a multiple of a number that stands in it so that none is below a first free one.
func (a *auditor) keptByStep(ctx context.Context, t *table, key merge.Col, check string, free int64) (bool, error) {
	low := free
	for i := range a.shards {
		if own, ok := a.shards[i].Schema().Resolve(key); ok && t.rows[i] > 0 {
			k, err := a.shards[i].Keys(ctx, own)
			if err != nil {
				return false, err
			}
			if first, ok := k.Set.Min(); ok {
				low = min(low, first)
			}
		}
	}
	if free > math.MaxInt64/4 || low < -math.MaxInt64/4 {
		return false, nil
	}
next:
	for _, n := range stepsIn(check) {
		for i := range a.shards {
			own, ok := a.shards[i].Schema().Resolve(key)
			if !ok || t.rows[i] == 0 {
				continue
			}
			name := a.engine.Quote(own.Table) + "." + a.engine.Quote(own.Name)
			failed, err := a.shards[i].Any(ctx, own.Table, a.failing(a.shards[i].Schema().Table(t.Name), check, own.Name, a.raised(key, name)), (free-low+n-1)/n*n)
			if err != nil {
				return false, fmt.Errorf("table %s: the check (%s) under another %s: %w", own.Table, check, key.Name, err)
			}
			if failed {
				continue next
			}
		}
		return true, nil
	}
	return false, nil
}

// findSteps says which checks of a key new keys keep by the number that divides what they differ by.
func (a *auditor) findSteps(s *space, step int64) {
	if s.moves() == 0 || s.plan.New != merge.Shift {
		return
	}
	for _, check := range s.stepped {
		a.find(merge.Finding{
			Rule: "split", Severity: merge.Info, Table: s.key.Table, Column: s.key.Name, Rows: s.moves(),
			Text: fmt.Sprintf("the check (%s) takes some numbers alone; new keys differ from the old ones by a multiple of %d, and it takes them", check, step),
		})
	}
}
