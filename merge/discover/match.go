package discover

import (
	"cmp"
	"slices"
	"sort"

	"github.com/gameid/gameid/merge"
)

// match finds the best key for every column: first by names, which shows the hubs, then also by the roles that only hubs have.
func (s *search) match() error {
	s.hubs = s.answers()
	if s.fits == nil {
		s.fits = map[*column]map[*key]*fit{}
	}
	s.picks = s.matchAll(s.fits)
	s.hubs = append(s.hubs, s.receivers()...)
	s.picks = s.matchAll(s.fits)
	all := s.picks
	s.picks = slices.DeleteFunc(slices.Clone(all), func(p *pick) bool {
		return p.hint.level == 0 && p.column.self != nil && p.column.self.beside() && s.meant(p.column.self) || p.turned(all) ||
			p.column.self != nil && p.hint.level <= 1 && s.listsAmong(p.key, p.column.self)
	})
	for _, p := range s.picks {
		s.lead(p)
	}
	return cmp.Or(s.failed, s.ctx.Err())
}

// turned tells whether a doubtful pick is a certain one's other way round, and explains less than that: most things lie in a bag, and what lies in a bag is a thing.
func (p *pick) turned(all []*pick) bool {
	return p.grade == merge.Doubtful && p.column.self != nil && slices.ContainsFunc(all, func(o *pick) bool {
		return o.column.self == p.key && o.key == p.column.self && o.grade == merge.Certain && o.fit.inclusion > p.fit.inclusion
	})
}

// lead takes a pick on to the key that its own key only repeats, as an arena's uid repeats its player's: the new numbers are the same, and a player without a row in the
// arena is found as well.
func (s *search) lead(p *pick) {
	i := slices.IndexFunc(s.picks, func(q *pick) bool { return q.column.self == p.key && sureness(q.grade) >= sureness(merge.Likely) })
	if i < 0 || s.picks[i].key == p.column.self {
		return
	}
	to := s.picks[i]
	f := measure(p.shards, to.key)
	if f.inclusion < p.fit.inclusion || s.issues(to) && f.inclusion == p.fit.inclusion {
		return
	}
	p.others = append([]merge.Col{p.key.Col}, slices.DeleteFunc(p.others, func(c merge.Col) bool { return c == to.key.Col })...)
	p.key, p.fit, p.hint = to.key, f, s.hint(p.column, to.key)
	if sureness(to.grade) < sureness(p.grade) {
		p.grade = to.grade
	}
}

// meant tells whether a column with a name that says so refers to a key, at least likely, or is declared to under the key's very name, which no other table is called by and which means nobody:
// then the key numbers its own rows.
func (s *search) meant(k *key) bool {
	return slices.ContainsFunc(s.picks, func(p *pick) bool {
		return p.key == k && p.hint.level > 0 && sureness(p.grade) >= sureness(merge.Likely)
	}) || k.decl && k.sole && !k.Generic && !s.words.everyones[k.name.whole] && !s.common[k.name.whole] && !s.meansPerson(k.name) && !k.name.has(s.words.offices) &&
		slices.ContainsFunc(s.columns, func(c *column) bool { return c.fixed == k && c.table != k.table && c.name.whole == k.name.whole }) &&
		!slices.ContainsFunc(s.keys, func(o *key) bool { return o.table != k.table && slices.Contains(o.table.stems, k.name.stem) })
}

// answers are the keys that the operator named as hubs, the character before the account.
func (s *search) answers() []*key {
	roles := make([]string, 0, len(s.opt.Hubs))
	for role := range s.opt.Hubs {
		roles = append(roles, role)
	}
	sort.Slice(roles, func(i, j int) bool {
		if x, y := roles[i] == "character", roles[j] == "character"; x != y {
			return x
		}
		return roles[i] < roles[j]
	})
	var hubs []*key
	for _, role := range roles {
		if k := s.key(s.opt.Hubs[role]); k != nil && !slices.Contains(hubs, k) {
			hubs = append(hubs, k)
		}
	}
	return hubs
}

// A hub receives this many of the declared and plainly named references, and this share of them.
const (
	hubLeast   = 3
	hubPercent = 10
)

// receivers are the keys that receive most references, and those of tables called like a character, the likeliest character first.
func (s *search) receivers() []*key {
	count, total := map[*key]int{}, 0
	for _, c := range s.columns {
		if c.fixed != nil {
			count[c.fixed]++
			total++
		}
	}
	for _, p := range s.picks {
		if p.hint.level == 4 && p.fits && p.when == "" {
			count[p.key]++
			total++
		}
	}
	var hubs []*key
	for _, k := range s.keys {
		n := count[k]
		called := k.Root && s.people(k.table)
		if !slices.Contains(s.hubs, k) && !s.alike[k.table.Name] && (called || n >= hubLeast && n*100 >= total*hubPercent) {
			hubs = append(hubs, k)
		}
	}
	like := func(k *key) int {
		switch {
		case slices.ContainsFunc(k.table.bare, func(t string) bool { return s.words.characters[t] }):
			return 0
		case slices.ContainsFunc(k.table.bare, func(t string) bool { return s.words.accounts[t] }):
			return 1
		}
		return 2
	}
	sort.SliceStable(hubs, func(i, j int) bool {
		if a, b := like(hubs[i]), like(hubs[j]); a != b {
			return a < b
		}
		return count[hubs[i]] > count[hubs[j]]
	})
	return hubs
}

// matchAll picks the best key for every column.
func (s *search) matchAll(fits map[*column]map[*key]*fit) []*pick {
	var picks []*pick
	for _, c := range s.columns {
		if s.ctx.Err() != nil {
			return nil
		}
		if c.known || c.self != nil && s.numbers(c.self) {
			continue
		}
		if fits[c] == nil {
			fits[c] = map[*key]*fit{}
		}
		if p := s.best(c, c.shards, fits[c]); p != nil {
			picks = append(picks, p)
		}
	}
	return picks
}

// numbers tells whether a key plainly numbers its own rows.
func (s *search) numbers(k *key) bool {
	if _, known := s.counting[k]; !known {
		s.counting[k] = s.numbering(k)
	}
	return s.counting[k]
}

// numbering tells whether a key plainly numbers its own rows, so that its column refers to nothing: it bears its table's whole name, or the engine
// never gives a number twice. The last word of a table's name is no such claim: mail_items.item_guid may be an item of another table.
func (s *search) numbering(k *key) bool {
	if s.copied(k) || slices.ContainsFunc(s.keys, func(o *key) bool { return s.lies(k, o) }) {
		return false
	}
	if !k.Generic && k.decl && k.auto && !slices.ContainsFunc(s.keys, func(o *key) bool { return o.Root && o.table != k.table && s.level(k, o) >= 2 }) {
		return true // others refer to it, the engine numbers it, and no name says whose else it were: dense keys hold any numbers
	}
	if k.own {
		return k.decl || k.auto && k.table.Counted || slices.Contains(k.table.stems, k.name.stem)
	}
	return k.Generic && s.continues(k) == nil && len(s.lenders(k)) == 0
}

// copied tells whether another table's key has the very same values in every shard although the shards differ, or has them all and leaves out the same holes:
// rows of the two tables may belong together whatever the names say, as those of a game that numbers all its actors in one table and keeps its buildings in another.
func (s *search) copied(k *key) bool {
	return !k.same && (!k.auto || !k.table.Counted) && slices.ContainsFunc(s.keys, func(o *key) bool {
		if o == k || !o.Root || o.table == k.table || k.size < someValues {
			return false
		}
		if equals(o, k) {
			return s.leads(o, k)
		}
		return s.within(k, o)
	})
}

// equals tells whether two keys have the same values in every shard.
func equals(a, b *key) bool {
	for i := range a.Columns {
		if a.low[i] != b.low[i] || a.high[i] != b.high[i] || !a.set(i).Equal(b.set(i)) {
			return false
		}
	}
	return true
}

// best is the key that fits values of a column best, with the others that fit; nil when nothing does.
func (s *search) best(c *column, shards []values, fits map[*key]*fit) *pick {
	var list []*pick
	favoured := map[*key]*fit{}
	few := c.self == nil && c.least() < fewValues && !slices.ContainsFunc(c.table.columns, func(o *column) bool { return o != c && c.partWith(o) }) &&
		!slices.ContainsFunc(s.keys, func(k *key) bool { return s.targets(c, k) && s.hint(c, k).level > 0 })
	for _, k := range s.keys {
		if k == c.self || s.sequence[[2]*key{c.self, k}] || !s.targets(c, k) {
			continue
		}
		if c.self != nil && twins(c.self, k) && !s.leads(k, c.self) {
			continue // that one repeats this one
		}
		if c.self != nil && s.remains(k, c.self) {
			continue // and outlived some of its rows
		}
		p := &pick{column: c, key: k, hint: s.hint(c, k), shards: shards}
		if high := c.flag(); high > 0 && p.hint.level < 4 && (high == 1 || p.hint.level < 2) && k.size > flagKeys*int64(len(s.shards)) {
			continue // a yes or no
		}
		if p.hint.level < 3 && c.saysYes() {
			continue // the same, in fewer rows
		}
		if p.hint.level == 0 && (c.self != nil && (c.self.auto && !c.self.Generic && !s.copied(c.self) && !s.lies(c.self, k) || c.table == k.table) || !maybe(shards, k)) {
			continue
		}
		if c.self != nil && c.self.Generic && p.hint.level < 3 && !equals(c.self, k) && !s.within(c.self, k) && !s.lies(c.self, k) && !slices.Contains(s.lenders(c.self), k) {
			continue
		}
		if s.issues(p) && s.namedBeside(k.table, k.Col.Name, c.self) {
			continue // the other rows say which of these they belong to
		}
		if p.hint.level == 0 && c.self != nil && (s.namedBeside(c.table, c.col.Name, k) || s.person(c.table) && !s.person(k.table) && s.meansPerson(c.name)) {
			continue // that column is the reference, and this one numbers the rows, or people
		}
		if p.hint.level == 0 && s.ranks(k) {
			continue // a level or an amount
		}
		f := fits[k]
		if f == nil {
			f = measure(shards, k)
			fits[k] = f
		}
		p.fit = f
		if c.self != nil && p.hint.level < 4 && c.self.counted() && k.counted() && f.verdict < pro && f.reach < reaches {
			continue // the engine numbers the rows of both, and went further with those of one
		}
		if few && !s.singled(c, shards, k) && !s.ended(p) && !s.serial(p) {
			continue // without a name or a partner so few values say nothing by themselves
		}
		if k.Undeclared && p.hint.level == 0 && f.verdict < proof {
			continue // a table's numbers from one up hold every small number
		}
		if f.verdict >= pro && f.inclusion >= includes {
			favoured[k] = f
		}
		list = append(list, p)
	}
	for _, p := range list {
		rivals := 0
		for k, f := range favoured {
			if k != p.key && f.verdict >= p.fit.verdict && f.holes.share() <= p.fit.holes.share()+rivalShare && (p.hint.level < 3 || !twins(k, p.key)) {
				rivals++
			}
		}
		s.weigh(p, rivals)
	}
	slices.SortFunc(list, s.order)
	silent := slices.DeleteFunc(slices.Clone(list), func(p *pick) bool { return p.grade != "" })
	list = slices.DeleteFunc(list, func(p *pick) bool { return p.grade == "" })
	if len(list) == 0 {
		return s.sparesOwn(c, shards, silent)
	}
	s.besideKey(list, silent)
	list = s.ownersFirst(list, silent)
	var own, listed *pick
	if at := slices.IndexFunc(list, func(p *pick) bool { return p.key.table == c.table }); list[0].hint.level < 3 && at < 0 {
		own = s.ofOwn(c, shards)
	} else if _, tops := list[max(at, 0)].tops(); at > 0 && tops && s.explains(list[at]) {
		listed = list[at]
	}
	list = s.peopleFirst(s.gapsFirst(s.contest(list, silent, own), silent, cmp.Or(own, listed)), silent)
	list = s.fullerFirst(s.catalogueFirst(s.filledFirst(list, silent), silent), silent)
	if p, older := s.ofElders(c, shards, list[0]); older {
		list, own = putFirst(list, p), nil
	} else {
		own = cmp.Or(own, p)
	}
	if c.self != nil {
		s.lenderFirst(list)
	}
	first := list[0]
	for _, p := range list[1:] {
		if follows(p.key, first.key) {
			continue // either of them leads to the same key
		}
		if p.grade == merge.Certain && first.grade == merge.Certain && p.fit.verdict >= first.fit.verdict && p.hint.level == first.hint.level && !twins(p.key, first.key) {
			first.grade = merge.Likely // two keys have the same claim
		}
		if first.grade == merge.Certain && first.fit.verdict < pro && first.ended == 0 && p.ended == byItself && !twins(p.key, first.key) {
			first.grade = merge.Likely // the values end where the other one's keys do
		}
		if first.grade == merge.Certain && first.fit.verdict < pro && p.fits && p.hint.level >= 2 && c.name.has(s.words.things) && !twins(p.key, first.key) {
			first.grade = merge.Likely // the kind of a thing and the thing have one name
		}
		if first.grade == merge.Certain && first.fit.verdict < pro && p.fits && p.hint.kin && !equals(p.key, first.key) {
			first.grade = merge.Likely // a family of tables has a table of that name for itself
		}
		if first.grade == merge.Certain && first.fit.verdict < pro && p.fit.verdict == proof && p.fit.inclusion >= max(first.fit.inclusion, includesSure) && !twins(p.key, first.key) && !equals(p.key, first.key) {
			first.grade = merge.Likely // the name says the one, and the values avoid the holes of the other
		}
		if first.rivalled(p) {
			first.grade = merge.Likely
		}
		slight := p.hint.level == 0 && p.fit.inclusion < includesSure && first.hint.level > 0 // no rival to a name
		asGood := first.hint.level == 0 && first.grade == merge.Doubtful && p.fit.inclusion >= first.fit.inclusion
		if len(first.others) < othersMost && (p.fits && !slight || p.hint.level >= 3 || asGood) && p.key != first.key && !slices.Contains(first.others, p.key.Col) {
			first.others = append(first.others, p.key.Col)
		}
	}
	if own != nil && first != own && first.grade == merge.Doubtful && own.fit.verdict >= first.fit.verdict && len(first.others) < othersMost && !slices.Contains(first.others, own.key.Col) {
		first.others = append(first.others, own.key.Col)
	}
	if first.grade == merge.Doubtful && first.hint.role { // a role says that it is somebody, and not in which table
		for _, p := range silent {
			if len(first.others) < othersMost && p.key.Root && p.fit.inclusion >= includes && p.fit.verdict != against && !follows(p.key, first.key) && p.key != first.key && !slices.Contains(first.others, p.key.Col) {
				first.others = append(first.others, p.key.Col)
			}
		}
	}
	for _, p := range s.fuller(first, silent) {
		if len(first.others) < othersMost && !follows(p.key, first.key) && !slices.Contains(first.others, p.key.Col) {
			first.others = append(first.others, p.key.Col)
		}
	}
	if s.anyones(first) {
		for _, k := range s.keys {
			to := k.Col
			if k != c.self && k.table != c.table && k.name.whole == c.name.whole && to != first.key.Col && len(first.others) < othersMost && !slices.Contains(first.others, to) && measure(shards, k).inclusion >= includes {
				first.others = append(first.others, to)
			}
		}
	}
	return first
}

// counted tells whether the engine numbers a key's rows and never gives a number twice.
func (k *key) counted() bool { return k.auto && k.table.Counted }

// namedBeside tells whether another column of the table than one refers to a key, by declaration or by its name.
func (s *search) namedBeside(t *table, but string, k *key) bool {
	return slices.ContainsFunc(t.columns, func(o *column) bool {
		return o.col.Name != but && (o.fixed == k || s.hint(o, k).level >= 3)
	})
}

// follows tells whether a key is named after another table and its key, and has only keys of that one.
func follows(k, o *key) bool {
	return slices.Contains(o.wholes, k.name.stem) && among(k, o, includesSure)
}

// flagKeys is how many keys a table has at least for a column of nothing but ones and twos to be no reference to it.
const flagKeys = 5

// rivalShare is how much more of another key's holes a column may hit before that key is no rival: tables whose rows are deleted in step
// share some of their holes.
const rivalShare = 0.15

// othersMost is how many other keys a proposal lists.
const othersMost = 5

// targets tells whether a column may be measured against a key at all: keys that repeat another one are reached through it.
func (s *search) targets(c *column, k *key) bool {
	return !s.onto(k, c) && (k.Root || !k.Generic && k.name.whole == c.name.whole && !s.repeats(k) && k.table != c.table && s.continues(k) == nil)
}
