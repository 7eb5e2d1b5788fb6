package prove

import (
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// conditions are those of a table's references that look at values which the merge changes, or at other tables: the game reads them in the output, so they must hold
// there of the images of the rows of which they held, and of no others.
func (p *proof) conditions(t *merge.Table) (refs []*reference, list []merge.Held) {
	for _, r := range p.refs {
		ref := &r.Reference
		if ref.As != merge.Plain || ref.When == "" || ref.Table() != t.Name || !p.mayTurn(ref) {
			continue
		}
		refs = append(refs, r)
		list = append(list, merge.Held{Column: ref.From[0].Name, None: ref.None, When: ref.When})
	}
	return refs, list
}

// failTurned fails the references whose conditions hold of other rows than before.
func (p *proof) failTurned(refs []*reference, turned []merge.Turned) {
	for i, t := range turned {
		if ref := refs[i].Reference; t.Rows > 0 {
			check := Check{Name: CheckReferences, Table: ref.Table(), Column: ref.From[0].Name}
			p.fail(check, "the condition %q of its reference to %s says something else of %d rows of the output than it did of theirs in the inputs, such as row %s: new keys change what it says",
				ref.When, merge.JoinCols(ref.To), t.Rows, t.Key)
		}
	}
}

// mayTurn tells whether a condition may name a column whose values change, or another table.
func (p *proof) mayTurn(ref *merge.Reference) bool {
	if strings.Contains(merge.FoldASCII(ref.When), "select") {
		return true
	}
	named := func(c merge.Col) bool {
		return c.Table == ref.Table() && merge.MayName(ref.When, c.Name)
	}
	for _, s := range p.spaces {
		if moves(s) && slices.ContainsFunc(s.users, named) {
			return true
		}
	}
	return slices.ContainsFunc(p.mem.Renames, func(m merge.MemoryRename) bool { return m.Via == "" && named(m.Column) })
}
