package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkCounters spells the plan's counters as the schema does and checks that their new value fits.
func (a *auditor) checkCounters(context.Context) error {
	for i := range a.given.Counters {
		c := &a.given.Counters[i]
		c.Column, _ = a.schema.Resolve(c.Column)
		c.Key, _ = a.schema.Resolve(c.Key)
		s := a.spaces[c.Key]
		if s == nil || s.result == nil {
			continue
		}
		top := s.result.Highest
		for _, keys := range s.alive {
			if k, ok := keys.Max(); ok {
				top = max(top, k)
			}
		}
		if limit := a.schema.Column(c.Column).Limit(); top > limit-c.Margin {
			a.find(merge.Finding{
				Rule: "width", Severity: merge.Block, Table: c.Column.Table, Column: c.Column.Name,
				Text: fmt.Sprintf("the counter has to pass %d, the highest %s, but its column ends at %d", top, c.Key, limit), Next: "widen the column, or give the key new: dense",
			})
		}
	}
	return nil
}

// checkLiterals reports numbers that triggers, views, indexes, checks and defaults compare with a column whose values change: they are not rewritten.
func (a *auditor) checkLiterals(context.Context) error {
	var moving []string
	for c, s := range a.spaces {
		if s.moves() > 0 {
			moving = append(moving, regexp.QuoteMeta(c.Name))
		}
	}
	for _, r := range a.plain() {
		for i, s := range r.spaces {
			if s != nil && s.moves() > 0 {
				moving = append(moving, regexp.QuoteMeta(r.From[i].Name))
			}
		}
	}
	if len(moving) == 0 {
		return nil
	}
	slices.Sort(moving)
	// A word search, not a parser: it may report a comparison inside a comment, and a person looks.
	literal := regexp.MustCompile(`(?i)[\x60"\[.]?\b(` + strings.Join(slices.Compact(moving), "|") + `)\b[\x60"\]]?\s*(=|==|<>|!=|<=|>=|<|>|IN\s*\()\s*\d+`)
	look := func(kind, name, table, sql string) {
		if hit := literal.FindString(sql); hit != "" {
			a.find(merge.Finding{
				Rule: "literal", Severity: merge.Info, Table: table, Text: fmt.Sprintf("%s %s compares a key with a number (%s); the number stays as it is", kind, name, strings.TrimSpace(hit)),
				Next: "check whether it names one server's row",
			})
		}
	}
	for _, o := range a.schema.Objects {
		look(o.Kind, o.Name, o.Table, o.SQL)
	}
	for _, t := range a.schema.Tables {
		look("table", t.Name, t.Name, t.SQL)
	}
	return nil
}
