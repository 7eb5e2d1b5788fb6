package audit

import (
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
