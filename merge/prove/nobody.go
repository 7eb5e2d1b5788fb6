package prove

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// nobody are the whole numbers that mean nobody in some reference to a space: no key and no tombstone may become one of them.
func (p *proof) nobody(s *space) *merge.KeySet {
	set := merge.NewKeySet()
	for _, k := range p.plan.Keys {
		if k.Key == s.key {
			set.Add(k.None...)
		}
	}
	for _, r := range p.mem.References {
		if !slices.Contains(r.Spaces, s.key) {
			continue
		}
		for _, v := range r.Reference.None {
			if n, ok := integer(v); ok {
				set.Add(n)
			}
		}
	}
	return set
}
