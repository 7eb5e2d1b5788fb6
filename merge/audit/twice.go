package audit

import (
	"context"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkTwice refuses what a plan decides twice in another spelling: only the schema knows which names are the same.
func (a *auditor) checkTwice() {
	seen := map[string]bool{}
	once := func(section, what, id string) {
		if seen[section+"\x00"+id] {
			a.problem("%s: %s is decided twice, once in another spelling; keep one of the two entries", section, what)
		}
		seen[section+"\x00"+id] = true
	}
	p := a.given
	for _, t := range p.Tables {
		id := t.Table
		if known := a.schema.Table(t.Table); known != nil {
			id = known.Name
		}
		once("tables", t.Table, id)
	}
	for _, k := range p.Keys {
		once("keys", k.Key.String(), a.oneSpelling(k.Key))
	}
	for i := range p.References {
		if r := &p.References[i]; r.As == merge.Plain || r.As == merge.Keep || r.As == merge.Copy {
			once("references", merge.JoinCols(r.From), a.oneSpelling(r.From...)+"\x00"+r.When)
		}
	}
	for _, u := range p.Uniques {
		once("uniques", merge.JoinCols(u.Unique), a.oneSpelling(u.Unique...))
	}
	for _, c := range p.Counters {
		once("counters", c.Column.String(), a.oneSpelling(c.Column)+"\x00"+c.Where)
	}
}

// oneSpelling is the same for the same columns, however they are spelled and in whatever order.
func (a *auditor) oneSpelling(cols ...merge.Col) string {
	words := make([]string, len(cols))
	for i, c := range cols {
		c, _ = a.schema.Resolve(c)
		words[i] = c.String()
	}
	slices.Sort(words)
	return strings.Join(words, "\x00")
}

// checkMark refuses marks of renamed rows that no row can carry.
func (a *auditor) checkMark(ctx context.Context, u *merge.UniquePlan) error {
	t := a.schema.Table(u.Unique[0].Table)
	if t == nil {
		return nil
	}
	name := merge.JoinCols(u.Unique)
	for column, value := range u.Mark {
		c, ok := a.schema.Resolve(merge.Col{Table: t.Name, Name: column})
		switch {
		case !ok:
			a.problem("uniques: %s: mark: no shard has a column %s", name, c)
		case slices.Contains(t.PrimaryKey, c.Name):
			a.problem("uniques: %s: mark: %s is a key, which gets its values under keys; mark another column", name, c)
		case slices.Contains(u.Unique, c):
			a.problem("uniques: %s: mark: %s is what the rename itself changes; mark another column", name, c)
		case t.Column(c.Name, a.schema.Fold).Generated:
			a.problem("uniques: %s: mark: %s is generated; mark another column", name, c)
		default:
			if err := a.tryCondition(ctx, t.Name, value); err != nil {
				a.problem("uniques: %s: mark %s: %q: %v", name, column, value, err)
			}
		}
	}
	return ctx.Err()
}

// checkMarkedReferences refuses marks on columns that refer to keys: the reference says what becomes of them.
func (a *auditor) checkMarkedReferences() {
	for _, u := range a.given.Uniques {
		for column := range u.Mark {
			c, _ := a.schema.Resolve(merge.Col{Table: u.Unique[0].Table, Name: column})
			if slices.ContainsFunc(a.plain(), func(r *reference) bool { return slices.Contains(r.From, c) }) || a.spaces[c] != nil {
				a.problem("uniques: %s: mark: %s holds keys, which follow keys and references; mark another column", merge.JoinCols(u.Unique), c)
			}
		}
	}
}
