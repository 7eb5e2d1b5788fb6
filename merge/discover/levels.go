package discover

import (
	"slices"
	"strings"
)

// hint is what a column's name says about a key.
type hint struct {
	level int    // 4 names it, 3 ends in its name, 2 shortens or touches it, 1 is a role, 0 says nothing
	weak  bool   // of level 4 and 3: the last of several words alone; of level 1: a key's name, towards any table
	kin   bool   // what comes before these words begins the name of the column's table, too
	role  bool   // a role word brought it
	bare  bool   // of level 1: nothing but the word id, which any key may be
	count bool   // of level 2: the name is also that of a number
	why   string // in words
}

// rule is one way in which a name may mean a key, beside what it then says.
type rule struct {
	hint
	holds func(s *search, c *column, k *key, own bool) bool
}

// rules read a column's name and its table's beside a key's, from the surest to the weakest. None of them looks at the hubs.
var rules = []rule{
	{hint{level: 4, why: "name matches"}, func(_ *search, c *column, k *key, own bool) bool {
		return c.name.id && !own && (slices.Contains(k.table.stems, c.name.stem) || !k.Generic && (c.name.whole == k.name.whole || c.name.stem == k.name.stem))
	}},
	{hint{level: 4, why: "table and column together name it"}, func(_ *search, c *column, k *key, own bool) bool {
		return c.name.id && !own && slices.ContainsFunc(c.wholes, func(w string) bool { return slices.Contains(k.table.stems, w) })
	}},
	{hint{level: 4, why: "named after the table and its key"}, func(s *search, c *column, k *key, own bool) bool {
		return (!c.amount || k.heads() || k.sole && s.words.sorts[k.name.last()]) && !own && slices.Contains(k.wholes, c.name.stem)
	}},
	{hint{level: 4, weak: true, kin: true, why: "name matches, in a table whose name begins alike"}, func(_ *search, c *column, k *key, own bool) bool {
		n := len(c.name.tokens)
		return c.name.id && !own && n > 0 && k.kin(c.table, c.name.tokens) == n
	}},
	{hint{level: 3, why: "same column name"}, func(_ *search, c *column, k *key, own bool) bool {
		return (!c.amount || k.heads() && len(c.name.tokens) > 1) && !k.Generic && !own && c.name.whole == k.name.whole
	}},
	{hint{level: 3, why: "name is the table's"}, func(_ *search, c *column, k *key, own bool) bool {
		return !c.amount && !own && slices.Contains(k.table.stems, c.name.stem)
	}},
	{hint{level: 3, weak: true, why: "bare id in a table named after it"}, func(s *search, c *column, k *key, _ bool) bool {
		bare := c.name.id && c.name.stem == "" || k.Generic && c.name.whole == k.name.whole
		return bare && beginsWith(c.table.bare, k.table.bare) && (c.self == nil || slices.Contains(s.lenders(c.self), k))
	}},
	{hint{level: 3, weak: true, why: "bare id with the same values, in a table with a name like it"}, func(s *search, c *column, k *key, _ bool) bool {
		return c.self != nil && s.continues(c.self) == k
	}},
	{hint{level: 3, why: "name ends in the table's"}, func(_ *search, c *column, k *key, _ bool) bool {
		ends := func(stem string) bool { return tail(c.name, stem) }
		return !c.amount && len(c.name.tokens) > 1 && (slices.ContainsFunc(k.table.stems, ends) || endsIn(c.name.tokens, k.table.bare) || slices.ContainsFunc(k.wholes, ends))
	}},
	{hint{level: 3, weak: true, kin: true, why: "name ends in the table's, whose name begins alike"}, func(_ *search, c *column, k *key, own bool) bool {
		return !c.amount && !own && k.kin(c.table, c.name.tokens) > 0
	}},
	{hint{level: 3, why: "same name as a declared reference"}, func(s *search, c *column, k *key, _ bool) bool { return s.declaredStem(c.name, k) }},
	{hint{level: 3, weak: true, why: "name is the last word of the table's"}, func(_ *search, c *column, k *key, own bool) bool {
		return c.name.id && !own && len(k.table.bare) > 1 && endsIn(k.table.bare, c.name.tokens)
	}},
	{hint{level: 3, weak: true, why: "name ends in the key's"}, func(_ *search, c *column, k *key, _ bool) bool {
		return c.name.id && !k.Generic && len(c.name.tokens) > 1 && tail(c.name, k.name.stem)
	}},
	{hint{level: 3, weak: true, why: "name ends in the key's"}, func(s *search, c *column, k *key, own bool) bool {
		return !c.amount && !own && !k.Generic && len(c.name.tokens) > 1 && (s.words.characters[k.name.stem] || s.words.accounts[k.name.stem]) && tail(c.name, k.name.stem) && !s.words.asks[c.name.tokens[0]]
	}},
	{hint{level: 2, why: "name is a row of the same table"}, func(s *search, c *column, _ *key, own bool) bool {
		return own && !c.amount && c.name.has(s.words.self)
	}},
	{hint{level: 2, why: "name is the table's own"}, func(s *search, c *column, k *key, own bool) bool {
		return own && c.name.id && !s.words.roles[c.name.stem] && slices.Contains(k.table.stems, c.name.stem)
	}},
	{hint{level: 2, count: true, why: "name is the table's, and also that of a number"}, func(_ *search, c *column, k *key, own bool) bool {
		return c.amount && !c.name.plural && !own && k.sole && slices.Contains(k.table.stems, c.name.stem)
	}},
	{hint{level: 2, count: true, why: "named after the table and its number, in another word"}, func(s *search, c *column, k *key, own bool) bool {
		last := len(c.name.tokens) - 1
		return c.amount && !c.name.plural && !own && k.sole && last > 0 && s.words.sorts[k.name.whole] && s.words.sorts[c.name.tokens[last]] && slices.Contains(k.table.stems, strings.Join(c.name.tokens[:last], ""))
	}},
	{hint{level: 2, count: true, why: "name ends in that of a table of one row"}, func(_ *search, c *column, k *key, own bool) bool {
		return c.amount && !c.name.plural && !own && k.sole && k.lone() && slices.ContainsFunc(k.table.stems, func(t string) bool { return tail(c.name, t) })
	}},
	{hint{level: 2, count: true, why: "name ends in the table's, behind a word for one of several, and is also that of a number"}, func(s *search, c *column, k *key, own bool) bool {
		return c.amount && !c.name.plural && !own && k.sole && len(c.name.tokens) > 1 && s.words.ones[c.name.tokens[0]] && slices.ContainsFunc(k.table.stems, func(t string) bool { return tail(c.name, t) })
	}},
	{hint{level: 2, why: "name shortens the table's"}, func(_ *search, c *column, k *key, own bool) bool {
		return (c.name.id || !c.amount) && !own && slices.ContainsFunc(k.table.stems, func(t string) bool { return shortens(c.name.stem, t) })
	}},
	{hint{level: 2, why: "name is the first letters of the table's syllables"}, func(_ *search, c *column, k *key, own bool) bool {
		return !c.amount && !own && len(c.name.tokens) == 1 && len(c.name.stem) > 1 && slices.ContainsFunc(k.table.stems, func(t string) bool { return syllables(c.name.stem, t) })
	}},
	{hint{level: 2, why: "a word of the name is the table's"}, func(s *search, c *column, k *key, own bool) bool {
		return c.name.id && (!own || !s.words.roles[c.name.stem] && len(c.name.tokens) > 1) && slices.ContainsFunc(c.name.tokens, func(t string) bool {
			return slices.Contains(k.table.bare, t) || shortens(t, k.table.stems[len(k.table.stems)-1])
		})
	}},
}

// hint reads what a column's name says about a key.
func (s *search) hint(c *column, k *key) hint {
	n, own := c.name, c.table == k.table
	if c.self != nil && s.apart(c.self, k) {
		return hint{}
	}
	for _, r := range rules {
		if r.holds(s, c, k, own) {
			if r.level > 2 && s.words.roles[n.stem] && s.rank(k) == len(s.hubs) {
				r.level, r.weak, r.role = 2, false, true // a table of friends is not what a friend_id counts
			}
			return r.hint
		}
	}
	if at := s.rank(k); at < len(s.hubs) && !c.amount {
		switch {
		case s.saysAccount(n, k):
			return hint{}
		case n.has(s.words.roles):
			return hint{level: 1, role: true, why: "name is a role"}
		case n.has(s.words.characters) || n.has(s.words.accounts):
			return hint{level: 1, role: true, why: "name is a word for such a row"}
		case n.stem == "" && c.self == nil:
			return hint{level: 1, role: true, bare: true, why: "bare id"}
		}
	}
	if own || !k.Root {
		return hint{}
	}
	switch {
	case k.Generic && n.whole == k.name.whole && !s.words.everyones[n.whole] && (c.self == nil || slices.Contains(s.lenders(c.self), k)):
		return hint{level: 1, why: "same column name"}
	case c.self != nil && s.words.roles[n.stem]:
		return hint{level: 1, weak: true, role: true, why: "name is a role"} // an owner is somebody, and no number of its own row
	case initial(n, k.table.bare) && (c.self == nil || !initial(n, c.table.bare)): // a key bears its own table's letter
		return hint{level: 1, why: "name is the table's first letter and id"}
	}
	return hint{}
}

// joined puts a stem behind each of a table's: room_vnum is rooms.vnum. Without a stem there is nothing.
func joined(stems []string, stem string) (list []string) {
	for _, t := range stems {
		if stem != "" {
			list = append(list, t+stem)
		}
	}
	return list
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
	return len(n.stem) >= 3 && slices.ContainsFunc(k.declared, func(d name) bool { return d.stem == n.stem && d.id == n.id })
}

// rank is a key's place among the hubs; their number when it is none.
func (s *search) rank(k *key) int {
	if i := slices.Index(s.hubs, k); i >= 0 {
		return i
	}
	return len(s.hubs)
}
