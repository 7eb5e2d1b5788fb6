package discover

import (
	"cmp"
	"slices"

	"github.com/gameid/gameid/merge"
)

// sides are, by key, the keys of other tables that rather hold some of its numbers than number their own rows.
func (s *search) sides(placed map[merge.Col]bool) map[merge.Col][]Side {
	list := map[merge.Col][]Side{}
	for _, k := range s.keys {
		if !k.Root || !k.heads() || k.table.Counted || k.text || placed[k.Col] || s.alike[k.table.Name] {
			continue
		}
		if n := s.natures[k.Col]; n.Thing != "" || n.Places != "" {
			continue // that is asked
		}
		if o := s.sideOf(k); o != nil {
			list[o.Col] = append(list[o.Col], Side{k.Col, "it leaves some out and ends where they do, on every server"})
		} else if o := s.ownerOf(k); o != nil {
			list[o.Col] = append(list[o.Col], Side{k.Col, "its name is not that of its own rows, and nothing counts it"})
		}
	}
	return list
}

// sideChance is how unlikely it is at most that the keys of two tables that number their own rows end so near each other.
const sideChance = 1e-3

// sideOf is the key of which another one, though it could number its own rows, rather holds some, as that of a table with more about some of the players does: it has no
// value that the other has not, leaves many out, and goes on as far in every shard; nil when there is none.
func (s *search) sideOf(k *key) *key {
	for _, o := range s.keys {
		if k.len() < fewValues || !s.besides(k, o, 1) || o.len() <= k.len() {
			continue
		}
		chance := 1.0
		for i := range k.Columns {
			n, all := k.set(i).Len(), o.set(i).Len()
			if n == 0 {
				continue
			}
			reach := o.set(i).Rank(k.high[i])
			if n >= reach-o.set(i).Rank(k.low[i])+1 { // without a gap of its own
				chance = 1
				break
			}
			chance *= float64(all-reach+1) / float64(all)
		}
		if chance <= sideChance {
			return o
		}
	}
	return nil
}

// ownerOf is the key of another table, among whose numbers most of a key's are, where that is called neither like its own table's rows nor like everybody's, and no engine
// counts it unless its name means somebody: whoever has a row there is one of the others. It is nil when there is none.
func (s *search) ownerOf(k *key) (owner *key) {
	n, named := k.name, false
	somebody := n.has(s.words.roles) || n.has(s.words.characters) || n.has(s.words.accounts)
	if k.own || s.meant(k) || slices.ContainsFunc(k.table.bare, func(word string) bool { return shortens(word, n.stem) }) || k.len() < ownedLeast || k.name.whole == "id" || s.words.natural[n.last()] || s.words.measures(n) || n.has(s.words.outside) || k.auto && !somebody {
		return nil
	}
	for _, o := range s.keys {
		if !s.besides(k, o, repeatsLeast) || o.len() < k.len() || k.same && !o.same || twins(k, o) && better(k, o) {
			continue
		}
		same := n.whole == o.name.whole && !s.common[n.whole]
		called := same || slices.Contains(o.table.stems, n.stem) || somebody && slices.Contains(s.hubs, o)
		if s.words.everyones[n.whole] && !same && (!s.common[n.whole] || !s.person(o.table)) || named && !called || owner != nil && named == called && cmp.Or(cmp.Compare(s.rank(owner), s.rank(o)), cmp.Compare(s.received(o), s.received(owner))) <= 0 {
			continue
		}
		owner, named = o, called
	}
	return owner
}

// ownedLeast is how many numbers of all shards say something.
const ownedLeast = 4

// besides tells whether at least a share of a key's values are another table's whole key's, too.
func (s *search) besides(k, o *key, share float64) bool {
	return o != k && o.Root && (o.heads() || o.Undeclared && o.sole) && !o.text && o.table != k.table && !s.alike[o.table.Name] && among(k, o, share)
}
