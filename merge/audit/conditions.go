package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkConditions refuses rows for which two conditions of references hold.
func (a *auditor) checkConditions(ctx context.Context) error {
	done := map[merge.Col]bool{}
	for _, r := range a.refs {
		if r.As != merge.Plain && r.As != merge.Keep || r.When == "" || len(r.From) != 1 {
			continue
		}
		c, _ := a.schema.Resolve(r.From[0]) // a plan may spell a column that it keeps in another case
		if done[c] {
			continue
		}
		done[c] = true
		if err := a.checkOverlaps(ctx, a.about(c)); err != nil {
			return err
		}
	}
	return nil
}

// askUncovered asks, where it is known which names change, about rows of columns whose lines have conditions alone and for which none of these holds. A column that the plan keeps
// under a condition says nothing about its other rows either.
func (a *auditor) askUncovered(ctx context.Context) error {
	done := map[merge.Col]bool{}
	for _, r := range a.refs {
		c, _ := a.schema.Resolve(r.From[0])
		if r.When == "" || len(r.From) != 1 || r.As == merge.Bits || done[c] {
			continue
		}
		done[c] = true
		if err := a.checkUncovered(ctx, a.about(c)); err != nil {
			return err
		}
	}
	return nil
}

// about is what the references say about one column.
func (a *auditor) about(c merge.Col) (list []*reference) {
	for _, r := range a.refs {
		if len(r.From) == 1 && a.schema.Equal(r.From[0].Table, c.Table) && a.schema.Equal(r.From[0].Name, c.Name) {
			list = append(list, r)
		}
	}
	return list
}

// checkOverlaps refuses rows for which two conditions hold: they would follow the first and point at a stranger by the second.
func (a *auditor) checkOverlaps(ctx context.Context, refs []*reference) error {
	for i, r := range refs {
		for _, o := range refs[:i] {
			if r.When == "" || o.When == "" || r.As == o.As && slices.Equal(r.To, o.To) {
				continue
			}
			both := a.engine.Quote(r.From[0].Name) + " IS NOT NULL AND " + bracketed(o.When) + " AND " + bracketed(r.When)
			for j, s := range a.shards {
				if !a.has(j, r.table()) || s.Schema().Column(r.From[0]) == nil {
					continue
				}
				n, err := s.Count(ctx, r.table(), both)
				if err != nil {
					return err
				}
				if n > 0 {
					a.find(merge.Finding{
						Rule: "condition", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Shard: a.name(j), Rows: n,
						Text: fmt.Sprintf("%s both by %q and by %q: one value cannot follow two keys", counted(n, "row is meant", "rows are meant"), o.When, r.When),
						Next: "make the conditions of the plan exclude each other",
					})
				}
			}
		}
	}
	return nil
}

// bracketed puts an SQL condition in parentheses; a comment at its end must not swallow what follows.
func bracketed(condition string) string {
	if strings.Contains(condition, "--") {
		return "(" + condition + "\n)"
	}
	return "(" + condition + ")"
}
