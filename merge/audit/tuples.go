package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// keptApart tells whether new keys keep the values of two shards apart in a reference: one of its parts is a key in which no two shards share a number.
func keptApart(r *reference) bool {
	return slices.ContainsFunc(r.spaces, func(s *space) bool { return s != nil && s.plan.New != merge.Static })
}

// graveless tells whether a reference's dead values are lost rows and get no tombstone where two shards hold the same ones: those of several columns, and names in a
// form by which rows are known.
func (a *auditor) graveless(r *reference) bool {
	if r.Orphans != "" && r.Orphans != merge.ByTombstone || len(r.To) == 0 || a.tables[r.To[0].Table].folds() {
		return false
	}
	return r.As == merge.Plain && len(r.From) > 1 && !keptApart(r) || r.As == merge.Copy && r.Via != "" && r.By == nil && a.identifies(r.To[0])
}

// checkGraveless refuses dead values that two shards hold where they get no tombstone: two lost rows would be one.
func (a *auditor) checkGraveless() {
	for _, r := range a.refs {
		if !a.graveless(r) {
			continue
		}
		holders, rows := map[string]int{}, map[string]int64{}
		for _, c := range r.counts {
			if c == nil {
				continue
			}
			seen := map[string]bool{}
			for _, v := range c.Dead {
				if r.As == merge.Plain && r.None == nil && a.sentinel(r, v.Value...) { // asked about
					continue
				}
				if outside(r.Via, v.Value[0]) { // what is in no name's form is no lost row's name
					continue
				}
				id := a.tupleID(r, v.Value)
				if rows[id] += v.Rows; !seen[id] {
					holders[id]++
				}
				seen[id] = true
			}
		}
		var twice int64
		var samples []string
		for id, n := range holders {
			if n > 1 {
				twice += rows[id]
				samples = append(samples, id)
			}
		}
		if twice == 0 {
			continue
		}
		slices.Sort(samples)
		next := "change them in copies of the shards: a reference by several columns gets no tombstone"
		if r.As == merge.Copy {
			next = a.unburied(r, "change them in copies of the shards") + ": a text in another form gets no tombstone"
		}
		a.find(merge.Finding{
			Rule: "orphan", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Rows: twice, Samples: samples[:min(len(samples), listed)],
			Text: fmt.Sprintf("holds values that no row of %s has in two shards: two lost rows would be one", r.To[0].Table), Next: next,
		})
	}
}

// tupleID is the same for values that the target calls equal.
func (a *auditor) tupleID(r *reference, values []any) string {
	list := slices.Clone(values)
	for i, v := range list {
		if text, ok := v.(string); ok && i < len(r.To) {
			list[i] = merge.Collated(text, a.keyCollation(r.To[i]))
		}
	}
	return tupleText(list)
}

// viaForm matches the form of a copy that has a name between two texts.
var viaForm = regexp.MustCompile(`^(?:'((?:[^']|'')*)' \|\| )?(?:\{\}|(?:lower|upper)\(\{\}\))(?: \|\| '((?:[^']|'')*)')?$`)

// outside tells whether a value cannot be a name in the form of a copy, since it does not stand between what that puts around each.
func outside(via string, v any) bool {
	text, ok := v.(string)
	m := viaForm.FindStringSubmatch(via)
	if m == nil || !ok {
		return false
	}
	f := frame{strings.ToLower(strings.ReplaceAll(m[1], "''", "'")), strings.ToLower(strings.ReplaceAll(m[2], "''", "'"))}
	return f.some() && f.inner(strings.ToLower(text)) == ""
}
