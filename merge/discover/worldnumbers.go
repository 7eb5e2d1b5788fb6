package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// worldRows is how many rows a table has at most, on every server, that lists its worlds.
const worldRows = 2

// worldsOf are the keys of tables of a row or two that a column may hold which says to which world, season or the like every row belongs: on every server all rows hold them.
// Its name says so, or rows of several tables hold them under one name that is none of a yes or no, a kind or a measure. The key of a better name comes first.
func (s *search) worldsOf(c *column) (list []*key) {
	called := slices.ContainsFunc(c.name.tokens, func(t string) bool { return s.words.worlds[t] })
	if c.self != nil || c.text || c.fraction || c.mixed || c.times() || !called && !s.mayTellWorlds(c) {
		return nil
	}
	var same []*column
	for _, o := range s.columns {
		if o == c || o.distinct() > 0 && o.self == nil && o.table != c.table && o.name.whole == c.name.whole {
			same = append(same, o)
		}
	}
	for _, k := range s.keys {
		if !k.Root || !k.sole || k.Undeclared || s.alike[k.table.Name] || !k.lists(worldRows) || s.peopled(k.table) || s.heldOtherwise(c, k) {
			continue
		}
		rows := int64(0)
		all := !slices.ContainsFunc(same, func(o *column) bool {
			rows += mostRows(o.shards)
			return o.table == k.table || !o.alwaysIn(k, !called)
		})
		if all && (called || len(same) > 1 && rows >= someValues) {
			list = append(list, k)
		}
	}
	slices.SortStableFunc(list, func(a, b *key) int { return int(yes(a.Generic)) - int(yes(b.Generic)) })
	return list
}

// mayTellWorlds tells whether a column's name is neither that of somebody or a group, nor another thing's id, nor a yes or no, nor that of a kind, a thing or a measure.
func (s *search) mayTellWorlds(c *column) bool {
	last := c.name.last()
	return !c.amount && !c.name.id && !c.name.has(s.words.groups) && !c.name.has(s.words.made) && !c.name.has(s.words.amounts) && !c.name.has(s.words.lists) && !c.name.has(s.words.kinds) && !c.name.has(s.words.answers) && !c.name.has(s.words.asks) && !c.name.has(s.words.abroad) &&
		(!c.name.has(s.words.things) || s.words.places[last]) && !s.meansPerson(c.name) && !s.words.agent(c.name) && !s.words.offices[last] && !participle(last)
}

// participle tells whether a word says that something is done: enabled, banned.
func participle(word string) bool { return len(word) > 3 && word[len(word)-2:] == "ed" }

// lists tells whether a key's table has a row on every server, and so many at most.
func (k *key) lists(most int64) bool {
	return len(k.Columns) > 1 && !slices.ContainsFunc(k.Sets(), func(set *merge.KeySet) bool { return set.Len() < 1 || set.Len() > most })
}

// alwaysIn tells whether all rows of every shard hold a key's numbers, and where whole is asked, all of these.
func (c *column) alwaysIn(k *key, whole bool) bool {
	for i, v := range c.shards {
		rows := c.table.rows[i]
		if rows == 0 {
			continue
		}
		if !v.complete {
			rows = min(rows, sampled*9/10)
		}
		if len(v.nobody) > 0 || v.other > 0 || v.rows < rows || whole && int64(len(v.list)) != k.set(i).Len() || slices.ContainsFunc(v.list, func(n int64) bool { return !k.has(i, n) }) {
			return false
		}
	}
	return c.distinct() > 0
}

// heldOtherwise tells whether columns of other names refer to a key, which then say what refers to it.
func (s *search) heldOtherwise(c *column, k *key) bool {
	other := func(o *column) bool { return o.name.last() != c.name.last() }
	return slices.ContainsFunc(s.columns, func(o *column) bool { return o.fixed == k && other(o) }) ||
		slices.ContainsFunc(s.picks, func(p *pick) bool { return p.key == k && other(p.column) })
}
