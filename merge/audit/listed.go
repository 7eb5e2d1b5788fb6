package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkListed refuses renames of names that stand beside others in some texts of a copy, as those whom a mail goes to: a copy follows where the text is one name alone. Where the
// plan says what becomes of texts that are nobody's, they are told.
func (a *auditor) checkListed() {
	for _, r := range a.refs {
		if r.As != merge.Copy || r.Via != "" || len(r.From) != 1 {
			continue
		}
		for i, c := range r.counts {
			renamed := a.renamedIn(r.To[0], i)
			if c == nil || len(renamed) == 0 {
				continue
			}
			var lists []merge.ValueCount
			var rows int64
			for _, v := range c.Dead {
				if text, ok := v.Value[0].(string); ok && slices.ContainsFunc(listedIn(text), func(name string) bool { return renamed[folded(name)] }) {
					lists, rows = append(lists, v), rows+v.Rows
				}
			}
			if len(lists) == 0 {
				continue
			}
			f := merge.Finding{
				Rule: "rename", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Shard: a.name(i), Rows: rows,
				Text: fmt.Sprintf("holds several names in one text beside single ones (%s), and some of them get new ones: this version renames nobody inside a text, so that another's name would stand there", sampleValues(lists)),
				Next: fmt.Sprintf("write the names of these rows apart in copies of the shards, or say orphans: keep where nobody is looked up by %s", r.From[0]),
			}
			if r.Orphans != "" && r.Orphans != merge.ByTombstone {
				f.Severity, f.Next = merge.Info, ""
			}
			a.find(f)
		}
	}
}

// renamedIn are the texts of a column that get new ones in a shard, in letters of one case.
func (a *auditor) renamedIn(c merge.Col, shard int) map[string]bool {
	texts := map[string]bool{}
	for _, n := range a.rename {
		if n.Unique.Table == c.Table && n.Column == c.Name {
			for _, row := range n.Shards[shard] {
				texts[folded(row.Old)] = true
			}
		}
	}
	return texts
}

// listedIn are the names in a text that lists several, in the ways that games do; nil for one that lists none.
func listedIn(text string) []string {
	names := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;|\n", r) })
	if len(names) < 2 {
		return nil
	}
	for i, name := range names {
		names[i] = strings.Trim(name, " \t\r\"'[](){}")
	}
	return names
}
