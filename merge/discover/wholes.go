package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// parts are the keys of other tables that share no number with one another, all of whose numbers are a key's, and which together have nearly all of these: a table of all things has a row for each, and every kind of
// thing a table of its own. Tables that each count up from one would meet. Empty where there are not several.
func (s *search) parts(whole *key) (group []*key) {
	if list, ok := s.partsOf[whole]; ok {
		return list
	}
	c := whole.column()
	some := slices.DeleteFunc(s.sharing(c, 0), func(k *key) bool { return s.countedUp(k) || k.size >= whole.size || !among(k, whole, 1) })
	for _, k := range some {
		if list := s.companions(k, some); len(list) > 1 {
			if _, few := orphansOf(c.shards, list); few {
				group = list
				break
			}
		}
	}
	s.partsOf[whole] = group
	return group
}

// partOfWhole tells of which other key's numbers a key has a part, as several others have the rest; nil where there is none, or that rather holds the numbers of its parts.
func (s *search) partOfWhole(k *key) *held {
	for _, whole := range s.keys {
		if whole.table == k.table || !s.issuesRows(whole) || !slices.Contains(s.parts(whole), k) || !slices.Contains(s.opt.Numbered, whole.Col) && !s.countedUp(whole) && s.together(whole.column()) != nil {
			continue
		}
		var others []string
		for _, o := range s.parts(whole) {
			if o != k {
				others = append(others, o.Col.String())
			}
		}
		return s.heldBy(k, []*key{whole}, "; "+join(others, "and")+" are of the rest, and no number is two of these")
	}
	return nil
}

// oneToOne is the key, of those of which the plan says that they number their own rows, all of whose numbers, or nearly all, a key has, and no other; nil when there is none. Each would have been asked about the other.
func (s *search) oneToOne(k *key) *key {
	for _, o := range s.keys {
		if o.table != k.table && slices.Contains(s.opt.Numbered, o.Col) && s.issuesRows(o) && !s.countedUp(k) && among(k, o, 1) && among(o, k, includes) && k.size >= ownedLeast && (!k.gapless() || slices.Contains(o.table.stems, k.name.stem)) {
			return o
		}
	}
	return nil
}

// countedUp tells whether the engine or the game itself counts a key up.
func (s *search) countedUp(k *key) bool { return k.auto && k.table.Counted || s.gameCounts(k) }

// extends tells whether a table is called after another one and something more, as account_data after accounts, all of its numbers are that one's, nothing counts them, and no other column of it could say to which
// row of that one each belongs.
func (s *search) extends(k, o *key) bool {
	return beginsWith(k.table.name.tokens, o.table.name.tokens) && !s.countedUp(k) && among(k, o, 1) && !s.refersBeside(k, o) && !slices.ContainsFunc(k.table.columns, func(c *column) bool {
		return c.self != k && c.distinct() > 0 && (c.name.has(s.words.roles) || s.words.agent(c.name)) && s.person(o.table)
	})
}

// unlinkedRows is how many rows of a table in each shard are so few that their numbers hardly tell whose they are.
const unlinkedRows = 20

// unlinked tells whether nothing but its key could say whose the rows of a small table are: no other column of it refers to anything or means somebody, none but the key tells its rows apart, and nothing refers to them.
func (s *search) unlinked(k *key) bool {
	if slices.Max(k.table.rows) > unlinkedRows || k.own || s.person(k.table) || s.referred(k) || s.countedUp(k) || slices.ContainsFunc(k.table.Uniques, func(u *merge.Unique) bool { return !slices.Equal(u.Columns, []string{k.Col.Name}) }) {
		return false
	}
	return !slices.ContainsFunc(k.table.columns, func(c *column) bool {
		return c.self != k && (c.fixed != nil || c.distinct() > 0 && s.meansPerson(c.name) || s.refers(c.col, anywhere))
	})
}
