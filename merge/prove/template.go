package prove

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkTemplate tells why a recorded new name is not one that the plan's template makes for this shard; "" when it is. A template without {n} has a number
// after it from the second try on, and the old name may have been shortened to fit.
func (p *proof) checkTemplate(m merge.MemoryRename, shard int) string {
	at := slices.IndexFunc(p.plan.Uniques, func(u merge.UniquePlan) bool {
		return u.OnConflict == "rename" && slices.EqualFunc(u.Unique, m.Unique, func(a, b merge.Col) bool {
			return p.schema.Equal(a.Table, b.Table) && p.schema.Equal(a.Name, b.Name)
		})
	})
	if at < 0 {
		return fmt.Sprintf("%q is recorded as renamed to %q, but the plan renames nothing under %s", m.Old, m.New, merge.JoinCols(m.Unique))
	}
	template := p.plan.Uniques[at].Template
	if !strings.Contains(template, "{n}") {
		template += "{n}"
	}
	server := ""
	if n := p.mem.Shards[shard].Server; n != nil {
		server = strconv.FormatInt(*n, 10)
	}
	for kept := len(m.Old); kept >= 0; kept-- { // names are bytes: they need not be UTF-8
		words := strings.NewReplacer("{server}", server, "{shard}", m.Shard, "{value}", m.Old[:kept])
		parts := strings.Split(template, "{n}")
		for i := range parts {
			parts[i] = words.Replace(parts[i])
		}
		if numbered(m.New, parts) {
			return ""
		}
	}
	return fmt.Sprintf("%q is recorded as renamed to %q, which the plan's template %q does not make of it", m.Old, m.New, p.plan.Uniques[at].Template)
}

// numbered tells whether a name is the parts with digits, or nothing, between them.
func numbered(name string, parts []string) bool {
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok || len(parts) == 1 {
		return ok && rest == ""
	}
	for !numbered(rest, parts[1:]) {
		if rest == "" || rest[0] < '0' || rest[0] > '9' {
			return false
		}
		rest = rest[1:]
	}
	return true
}
