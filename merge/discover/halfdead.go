package discover

import (
	"cmp"
	"slices"

	"github.com/gameid/gameid/merge"
)

// halfDead is the key that a column's name says, as sender_acc does an account's and receiver_id that of somebody, where half of its values at least are such on every server, and none is far beyond the last:
// of those whom a log names, many are gone by now. Its name tells what other keys, which more of its values may be by chance, do not. Of several it is that of the likeliest people, or the one that
// explains more. It is nil when there is none.
func (s *search) halfDead(c *column) (best *pick) {
	if c.amount || c.self != nil || c.least() < fewValues {
		return nil
	}
	for _, k := range s.keys {
		if !k.Root || k.Undeclared || k.text || k.table == c.table || s.alike[k.table.Name] || !s.saysWhose(c.name, k) || k.outgrown(c.shards) {
			continue
		}
		if f := measure(c.shards, k); f.inclusion >= trapLeast && (best == nil || cmp.Or(cmp.Compare(s.rank(best.key), s.rank(k)), cmp.Compare(f.inclusion, best.fit.inclusion)) > 0) {
			best = &pick{
				column: c, key: k, hint: s.hint(c, k), shards: c.shards, fit: f, grade: merge.Doubtful,
				note: "its name says whose, and the others may be gone",
			}
		}
	}
	return best
}

// namesToo lists the key of another pick, which explains no less, among the others that a pick's column may hold.
func (p *pick) namesToo(o *pick) {
	if p != nil && o != nil && o.key != p.key && o.fit.inclusion >= p.fit.inclusion {
		p.others = append(p.others, o.key.Col)
	}
}

// saysWhose tells whether a name's last word is one for the rows of a key's table: one for accounts or for characters where it lists these, or for what somebody is where these are the game's people.
func (s *search) saysWhose(n name, k *key) bool {
	switch last := n.last(); {
	case s.words.accounts[last] && !s.words.characters[last]:
		return s.accountsOf(k.table)
	case s.words.characters[last] && !s.words.accounts[last]:
		return s.people(k.table)
	case s.words.roles[last]:
		return slices.Contains(s.hubs, k) && s.person(k.table)
	}
	return false
}

// saysAccount tells whether a name's last word is one for an account, and no key of a game's accounts is the one: what sender_acc holds is no sender.
func (s *search) saysAccount(n name, k *key) bool {
	last := n.last()
	if !s.words.accounts[last] || s.words.characters[last] || s.accountsOf(k.table) {
		return false
	}
	return slices.ContainsFunc(s.keys, func(o *key) bool { return o.Root && s.accountsOf(o.table) })
}
