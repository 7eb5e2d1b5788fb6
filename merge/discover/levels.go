package discover

import (
	"slices"
	"strings"
)

// hint is what a column's name says about a key.
type hint struct {
	level int    // 4 names it, 3 ends in its name, 2 shortens or touches it, 1 is a role, 0 says nothing
	weak  bool   // of level 3: only the last of several words; of level 1: a key's name, towards any table
	role  bool   // a role word brought it
	why   string // in words
}

// hint reads what a column's name says about a key, from the surest rule to the weakest.
func (s *search) hint(c *column, k *key) hint {
	n, own := c.name, c.table == k.table
	amount := s.words.measures(n)
	role := s.words.roles[n.stem]
	rules := []struct {
		hint
		holds func() bool
	}{
		{hint{level: 4, why: "name matches"}, func() bool {
			return n.id && !own && (slices.Contains(k.table.stems, n.stem) || !k.Generic && (n.whole == k.name.whole || n.stem == k.name.stem))
		}},
		{hint{level: 4, why: "table and column together name it"}, func() bool {
			return n.id && !own && n.stem != "" && slices.ContainsFunc(c.table.stems, func(t string) bool {
				return slices.Contains(k.table.stems, t+n.stem)
			})
		}},
		{hint{level: 4, why: "named after the table and its key"}, func() bool {
			return !amount && !own && whole(k, func(name string) bool { return n.stem == name })
		}},
		{hint{level: 3, why: "same column name"}, func() bool { return !amount && !k.Generic && !own && n.whole == k.name.whole }},
		{hint{level: 3, why: "name is the table's"}, func() bool { return !amount && !own && slices.Contains(k.table.stems, n.stem) }},
		{hint{level: 3, weak: true, why: "bare id in a table named after it"}, func() bool {
			bare := n.id && n.stem == "" || k.Generic && n.whole == k.name.whole
			return bare && beginsWith(c.table.bare, k.table.bare) && (c.self == nil || slices.Contains(s.lenders(c.self), k))
		}},
		{hint{level: 3, weak: true, why: "bare id with the same values, in a table with a name like it"}, func() bool {
			return c.self != nil && s.continues(c.self) == k
		}},
		{hint{level: 3, why: "name ends in the table's"}, func() bool {
			return !amount && len(n.tokens) > 1 && (slices.ContainsFunc(k.table.stems, func(t string) bool { return tail(n, t) }) || endsIn(n.tokens, k.table.bare) || whole(k, func(name string) bool { return tail(n, name) }))
		}},
		{hint{level: 3, why: "same name as a declared reference"}, func() bool { return s.declaredStem(n, k) }},
		{hint{level: 3, weak: true, why: "name is the last word of the table's"}, func() bool {
			return n.id && !own && len(k.table.bare) > 1 && endsIn(k.table.bare, n.tokens)
		}},
		{hint{level: 3, weak: true, why: "name ends in the key's"}, func() bool {
			return n.id && !k.Generic && len(n.tokens) > 1 && tail(n, k.name.stem)
		}},
		{hint{level: 3, weak: true, why: "name ends in the key's"}, func() bool {
			return !amount && !own && !k.Generic && len(n.tokens) > 1 && (s.words.characters[k.name.stem] || s.words.accounts[k.name.stem]) && tail(n, k.name.stem) && !s.words.asks[n.tokens[0]]
		}},
		{hint{level: 2, why: "name is a row of the same table"}, func() bool { return own && !amount && n.has(s.words.self) }},
		{hint{level: 2, why: "name is the table's own"}, func() bool { return own && n.id && !role && slices.Contains(k.table.stems, n.stem) }},
		{hint{level: 2, why: "name shortens the table's"}, func() bool {
			return (n.id || !amount) && !own && slices.ContainsFunc(k.table.stems, func(t string) bool { return shortens(n.stem, t) })
		}},
		{hint{level: 2, why: "a word of the name is the table's"}, func() bool {
			return n.id && (!own || !role && len(n.tokens) > 1) && slices.ContainsFunc(n.tokens, func(t string) bool {
				return slices.Contains(k.table.bare, t) || shortens(t, k.table.stems[len(k.table.stems)-1])
			})
		}},
	}
	for _, r := range rules {
		if r.holds() {
			if role && r.level > 2 && s.rank(k) == len(s.hubs) {
				r.level, r.weak, r.role = 2, false, true // a table of friends is not what a friend_id counts
			}
			return r.hint
		}
	}
	if at := s.rank(k); at < len(s.hubs) && !amount {
		switch {
		case n.has(s.words.roles):
			return hint{level: 1, role: true, why: "name is a role"}
		case n.has(s.words.characters) || n.has(s.words.accounts):
			return hint{level: 1, role: true, why: "name is a word for such a row"}
		case n.stem == "" && c.self == nil:
			return hint{level: 1, role: true, why: "bare id"}
		}
	}
	if !own && k.Root && k.Generic && n.whole == k.name.whole && !s.words.everyones[n.whole] && (c.self == nil || slices.Contains(s.lenders(c.self), k)) {
		return hint{level: 1, why: "same column name"}
	}
	if !own && k.Root && c.self != nil && s.words.roles[n.stem] {
		return hint{level: 1, weak: true, role: true, why: "name is a role"} // an owner is somebody, and no number of its own row
	}
	if !own && k.Root && initial(n, k.table.bare) {
		return hint{level: 1, why: "name is the table's first letter and id"}
	}
	return hint{}
}

// whole tells whether a condition holds for one of a key's whole names, of its table and its own: room_vnum is rooms.vnum.
func whole(k *key, holds func(name string) bool) bool {
	return k.name.stem != "" && slices.ContainsFunc(k.table.stems, func(t string) bool { return holds(t + k.name.stem) })
}

// initial tells whether a name is nothing but the first letter of a table's words, and id: cid is a character, wid a world.
func initial(n name, words []string) bool {
	return len(n.tokens) == 1 && len(n.stem) == 3 && n.stem[1:] == "id" && slices.ContainsFunc(words, func(w string) bool { return w[0] == n.stem[0] })
}

// tail tells whether a name of several words ends in a stem that begins where a word begins.
func tail(n name, stem string) bool {
	if stem == "" || len(stem) < 3 || n.stem == stem || !strings.HasSuffix(n.stem, stem) {
		return false
	}
	for i := 1; i < len(n.tokens); i++ {
		if strings.Join(n.tokens[i:], "") == stem {
			return true
		}
	}
	return false
}

// declaredStem tells whether a declared or decided reference whose column has the same name points at the key.
func (s *search) declaredStem(n name, k *key) bool {
	if n.stem == "" || len(n.stem) < 3 {
		return false
	}
	return slices.ContainsFunc(s.columns, func(c *column) bool { return c.fixed == k && c.name.stem == n.stem && c.name.id == n.id })
}

// rank is a key's place among the hubs; their number when it is none.
func (s *search) rank(k *key) int {
	if i := slices.Index(s.hubs, k); i >= 0 {
		return i
	}
	return len(s.hubs)
}
