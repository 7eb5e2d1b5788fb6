package prove

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// mappedInSome is a space under which some of a column's values were mapped, as a condition says; nil when there is none.
func (p *proof) mappedInSome(c merge.Col) *space {
	for _, r := range p.mem.References {
		if i := slices.Index(r.Reference.From, c); r.Reference.As == merge.Plain && r.Reference.When != "" && i >= 0 && i < len(r.Spaces) && moves(p.spaces[r.Spaces[i]]) {
			return p.spaces[r.Spaces[i]]
		}
	}
	return nil
}

// checkOwnKeys checks that no column got keys of its own that refers to others: its values would lead to nobody, or to another's rows.
func (p *proof) checkOwnKeys() {
	for _, s := range p.sorted() {
		if r := p.leadsElsewhere(s.key, s); r != nil && moves(s) {
			p.fail(Check{Name: CheckReferences, Table: s.key.Table, Column: s.key.Name}, "it got new keys of its own, but the recorded plan leads it to other rows: %s", r.Reference.String())
		}
	}
}

func moves(s *space) bool {
	return s != nil && slices.ContainsFunc(s.maps, func(m *merge.KeyMap) bool { return m.Len() > 0 })
}

func spaceName(s *space) string {
	if s == nil {
		return "a key that stays"
	}
	return "a key of " + s.key.String()
}
