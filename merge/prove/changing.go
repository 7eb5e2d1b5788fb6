package prove

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkChanging checks that no reference leads to texts that changed as those of another column did: it follows the renames of its target alone, and would be left behind.
func (p *proof) checkChanging() {
	for _, r := range p.refs {
		if !holdsTexts(r.Reference) {
			continue
		}
		for _, to := range r.Reference.To {
			if key, changed := p.changedBy(to, r, nil); changed {
				p.fail(Check{Name: CheckReferences, Table: r.Reference.Table(), Column: r.Reference.From[0].Name}, "its target %s changed as %s did, and it does not follow that", to, key)
				break
			}
		}
	}
}

// holdsTexts tells whether a reference may hold texts.
func holdsTexts(r merge.Reference) bool { return r.As == merge.Plain || r.As == merge.Copy }

// changedBy is the column as whose values those of a column changed, other than by renames of its own and by the tombstones that a reference to it shares.
func (p *proof) changedBy(c merge.Col, by *reference, seen []merge.Col) (merge.Col, bool) {
	seen = append(seen, c)
	for _, r := range p.refs {
		at := slices.Index(r.Reference.From, c)
		if !holdsTexts(r.Reference) || at < 0 || at >= len(r.Reference.To) || slices.Contains(seen, r.Reference.To[at]) {
			continue
		}
		to := r.Reference.To[at]
		if p.renames(to) || p.buries(r) && p.root(to) != p.root(by.Reference.To[0]) {
			return to, true
		}
		if key, changed := p.changedBy(to, by, seen); changed {
			return key, true
		}
	}
	return merge.Col{}, false
}

// renames tells whether texts of a column got new ones of their own.
func (p *proof) renames(c merge.Col) bool {
	return slices.ContainsFunc(p.rename, func(r *merge.Rename) bool {
		return p.sameCol(merge.Col{Table: r.Unique.Table, Name: r.Column}, c) && slices.ContainsFunc(r.Shards, func(rows []merge.Renamed) bool { return len(rows) > 0 })
	})
}

// buries tells whether some dead text of a reference has a tombstone.
func (p *proof) buries(r *reference) bool {
	if !p.tombs(r.Reference) {
		return false
	}
	b := p.buried[p.root(r.Reference.To[0])]
	if b == nil {
		return false
	}
	for i, texts := range b.Shards {
		for old := range texts {
			if r.dead[i].Has(old) {
				return true
			}
		}
	}
	return false
}
