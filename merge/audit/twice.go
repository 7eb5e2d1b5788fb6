package audit

import (
	"maps"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkTwice refuses what a plan decides twice in another spelling: only the schema knows which names are the same.
func (a *auditor) checkTwice() {
	seen := map[string]bool{}
	once := func(section, what, id string) {
		if seen[section+"\x00"+id] {
			a.problem("%s: %s is decided twice, once in another spelling or in a list; keep one of the two entries", section, what)
		}
		seen[section+"\x00"+id] = true
	}
	p := a.given
	for _, t := range p.Tables {
		id := t.Name()
		if known := a.schema.Table(t.Table); known != nil && !t.Pattern {
			id = tableName(known.Name)
		}
		once("tables", t.Name(), id+"\x00"+string(t.While))
		for _, name := range slices.Sorted(maps.Keys(t.Columns)) {
			once("tables", t.Name()+": columns: "+name, id+"\x00columns\x00"+string(t.While)+"\x00"+a.oneSpelling(merge.Col{Table: t.Table, Name: name}))
		}
		for _, name := range slices.Sorted(maps.Keys(t.Missing)) {
			once("tables", t.Name()+": missing: "+name, id+"\x00missing\x00"+string(t.While)+"\x00"+a.oneSpelling(merge.Col{Table: t.Table, Name: name}))
		}
	}
	for _, k := range p.Keys {
		once("keys", k.Key.String(), a.oneSpelling(k.Key))
	}
	for i := range p.References {
		if r := &p.References[i]; r.As == merge.Plain || r.As == merge.Keep || r.As == merge.Copy {
			id := r.Columns()
			if !r.Pattern.Any() {
				id = a.oneSpelling(r.From...) + "\x00" + r.When
			}
			once("references", r.Columns(), id)
		}
	}
	for _, u := range p.Uniques {
		once("uniques", merge.JoinCols(u.Unique), a.oneSpelling(u.Unique...))
	}
	a.checkMarkedTwice()
	for _, c := range p.Counters {
		once("counters", c.Column.String(), a.oneSpelling(c.Column)+"\x00"+c.Where+"\x00"+a.oneSpelling(c.Key))
	}
}

// checkMarkedTwice refuses two renames that mark one column with different values: a row that loses both names could carry one of them alone.
func (a *auditor) checkMarkedTwice() {
	type mark struct{ by, value string }
	seen := map[merge.Col]mark{}
	for _, u := range a.given.Uniques {
		by := merge.JoinCols(u.Unique)
		for _, name := range slices.Sorted(maps.Keys(u.Mark)) {
			c, _ := a.schema.Resolve(merge.Col{Table: u.Unique[0].Table, Name: name})
			if first, ok := seen[c]; ok && first.value != u.Mark[name] {
				a.problem("uniques: %s: mark: %s gets %s there and %s by %s, and a row that loses both names can carry one alone; mark another column, or give both the same value", by, c, u.Mark[name], first.value, first.by)
			}
			seen[c] = mark{by, u.Mark[name]}
		}
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
