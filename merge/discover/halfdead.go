package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// halfDead is the key that a column's name says, as sender_acc does an account's, where half of its values at least are such on every server, and none is far beyond the last:
// of those whom a log names, many are gone by now. Its name tells what other keys, which more of its values may be by chance, do not. It is nil when there is none.
func (s *search) halfDead(c *column) (best *pick) {
	if c.amount || c.self != nil || c.least() < fewValues {
		return nil
	}
	for _, k := range s.keys {
		if !k.Root || k.Undeclared || k.text || k.table == c.table || s.alike[k.table.Name] || !s.saysWhose(c.name, k) || k.outgrown(c.shards) {
			continue
		}
		if f := measure(c.shards, k); f.inclusion >= trapLeast && (best == nil || f.inclusion > best.fit.inclusion) {
			best = &pick{
				column: c, key: k, hint: s.hint(c, k), shards: c.shards, fit: f, grade: merge.Doubtful,
				note: "its name says whose, and the others may be gone",
			}
		}
	}
	return best
}

// saysWhose tells whether a name's last word is one for the rows of a key's table: its own, or one for accounts or for characters where it lists these.
func (s *search) saysWhose(n name, k *key) bool {
	switch last := n.last(); {
	case s.words.accounts[last] && !s.words.characters[last]:
		return s.accountsOf(k.table)
	case s.words.characters[last] && !s.words.accounts[last]:
		return s.people(k.table)
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
