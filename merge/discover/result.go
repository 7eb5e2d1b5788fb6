package discover

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// result puts everything in order.
func (s *search) result() *Result {
	r := &Result{Static: s.statics, Questions: s.questions, Counters: s.counters, Embedded: s.embedded, Otherwise: s.otherwise, Doubts: s.doubts, Natures: s.natures, Called: map[merge.Col]bool{}, Numbers: map[merge.Col]bool{}, Shared: map[merge.Col]bool{}}
	placed, said, counts, past, instead := map[merge.Col]bool{}, map[merge.Col]bool{}, map[merge.Col]bool{}, map[merge.Col]bool{}, map[merge.Col][]merge.Col{}
	for _, c := range s.counters {
		placed[c.Column], counts[c.Column], past[c.Column] = true, true, c.Past && c.Where == ""
	}
	for _, c := range s.opt.Counters {
		placed[c.Column] = true
	}
	for _, p := range s.picks {
		if past[p.column.col] || counts[p.key.Col] || p.hint.level < 3 && s.inCounters(p) {
			if p.when == "" && p.fit.nearly() {
				instead[p.column.col] = append([]merge.Col{p.key.Col}, p.others...)
			}
			continue // a counter holds no key of a row
		}
		placed[p.column.col], said[p.column.col] = true, true
		r.Proposals = append(r.Proposals, s.proposal(p))
	}
	for _, e := range s.embedded {
		placed[e.Col] = placed[e.Col] || e.Match != "" // a list of one is a list
	}
	for _, c := range s.columns {
		if counts[c.col] && instead[c.col] == nil {
			if instead[c.col] = colsOf(s.explaining(c)); instead[c.col] == nil { // the last winner's number may lie low
				people, _ := s.fitting(c, func(k *key) bool { return k.table != c.table && slices.Contains(s.hubs, k) }, (*fit).nearly)
				instead[c.col] = colsOf(people[:min(len(people), 1)])
			}
		}
		if (s.called(c) || s.waiting[c.col] || s.serves(c) || s.ofOwnTable(c) || s.farAmong(c)) && !c.known && c.self == nil && !placed[c.col] && c.distinct() > 0 && !c.saysYes() && !s.equalRows(c.table) && (!s.classifies(c) || s.groups(c) || s.words.onStaff(c.name)) && !s.enumerates(c) {
			fits := s.explaining(c)
			p, most := s.meaning(c, fits), (*pick)(nil)
			if p == nil && len(fits) == 0 {
				most = s.mostHeld(c, false)
				if p = s.together(c); p == nil {
					p = likelier(most, s.mostHeld(c, true))
				}
				if p == nil {
					p = s.halfDead(c)
					p.namesToo(most)
				}
				if p == nil {
					p = s.farUp(c)
				}
			}
			if p != nil {
				r.Proposals = append(r.Proposals, s.proposal(p))
			} else if len(fits) > 0 || c.bare() {
				if len(fits) == 0 && s.grouping(c) != "" {
					continue // asked about with all that number the same groups
				}
				evidence := s.unplaced(c)
				if len(fits) == 0 {
					fits, evidence = s.among(c, func(k *key) bool { return !k.Root || s.alike[k.table.Name] }), evidence+most.words()
				}
				if len(fits) > 0 {
					fits = s.peopleBefore(c, fits)
				}
				u := Unplaced{Col: c.col, Fits: colsOf(fits), Kind: s.tellers[c.col], Counts: s.mayCount(c), Evidence: evidence}
				if len(fits) == 0 && most != nil && most.fit.nearly() {
					u.Lowest = append(s.ownLowest(c), most.key.Col)
				}
				r.Unplaced = append(r.Unplaced, u)
			}
			placed[c.col] = true
		}
	}
	for i := range r.Counters {
		r.Counters[i].Fits = instead[r.Counters[i].Column]
	}
	for _, u := range s.unreadable {
		if !placed[u.Col] {
			r.Unplaced = append(r.Unplaced, u)
		}
	}
	r.Groups = s.findGroups(placed)
	sides, holding := s.sides(placed), map[merge.Col]bool{}
	for _, k := range s.keys {
		if counts[k.Col] && k.Undeclared {
			continue // it numbers no rows
		}
		k.Like, k.Holding, k.Sides = s.like(k), s.holding(k, placed), sides[k.Col]
		for _, c := range k.Holding {
			holding[c] = true
		}
		r.Keys = append(r.Keys, k.Key)
		if of := s.archives[k]; of != nil {
			r.Archives = append(r.Archives, Archive{k.Col, of.Col})
		}
	}
	for _, t := range s.schema.Tables {
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if s.schema.Holds(col) != merge.Integer && s.somebody(s.words.parse(c.Name)) {
				r.Called[col] = true
			}
			if t.Opaque == "" && !c.Generated && s.binary(col) {
				r.Opaque = append(r.Opaque, Opaque{col, "bytes"})
			} else if what := s.opaque[col]; what != "" {
				r.Opaque = append(r.Opaque, Opaque{col, what})
			}
		}
	}
	for _, c := range s.columns {
		if !c.known && c.self == nil && !placed[c.col] && !c.amount && !c.times() && c.flag() == 0 && c.least() > 1 {
			r.Numbers[c.col] = true
		}
	}
	listed := slices.ContainsFunc(s.keys, func(k *key) bool {
		return s.accountsOf(k.table)
	})
	for _, c := range s.columns {
		somebody := s.meansPerson(c.name) && (listed || !c.name.has(s.words.accounts)) // accounts of a login that has a database of its own are in no table
		kind := c.amount || c.name.has(s.words.things) || c.name.has(s.words.abroad)
		if s.mayGroup(c) && c.flag() == 0 && !somebody && (!kind || s.owned(c)) {
			r.Shared[c.col] = true
		}
	}
	for _, u := range r.Unplaced { // what some of its values are is of use where it turns out to hold something else
		delete(placed, u.Col)
	}
	for c := range s.rests {
		placed[c] = said[c]
	}
	r.Leftovers = s.leftovers(placed, holding)
	slices.SortStableFunc(r.Keys, func(a, b Key) int { return byCol(a.Col, b.Col) })
	slices.SortFunc(r.Archives, func(a, b Archive) int { return byCol(a.Key, b.Key) })
	slices.SortStableFunc(r.Proposals, func(a, b merge.Proposal) int { return byCol(a.From[0], b.From[0]) })
	slices.SortStableFunc(r.Static, func(a, b StaticTable) int { return strings.Compare(a.Table, b.Table) })
	slices.SortStableFunc(r.Unplaced, func(a, b Unplaced) int { return byCol(a.Col, b.Col) })
	slices.SortStableFunc(r.Counters, func(a, b Counter) int { return byCol(a.Column, b.Column) })
	slices.SortFunc(r.Opaque, func(a, b Opaque) int { return byCol(a.Col, b.Col) })
	return r
}

// proposal is a pick in words. Other values that are too many to be words for nobody are left out by its condition.
func (s *search) proposal(p *pick) merge.Proposal {
	when, others := p.when, 0
	for _, v := range p.column.shards {
		others += v.others
	}
	if when == "" && p.column.mixed && others > othersNamed {
		when = fmt.Sprintf("CAST(CAST(%[1]s AS INTEGER) AS TEXT) = CAST(%[1]s AS TEXT)", s.quote(p.column.col.Name))
	}
	hardly, further := p.hardly(), p.others
	byName := hardly || slices.Max(p.fit.rows) > 0 && slices.Max(p.fit.in) == 0
	if byName { // whose values are no other's either is named alike at most
		further = slices.DeleteFunc(slices.Clone(further), func(c merge.Col) bool { return !s.holdsSome(p, c) })
	}
	return merge.Proposal{
		Reference: merge.Reference{From: []merge.Col{p.column.col}, To: []merge.Col{p.key.Col}, When: when},
		Grade:     p.grade, Evidence: s.evidence(p), Others: further, ByName: byName, Hardly: hardly, Own: s.issues(p), Captured: p.column.distinct() < someValues && p.key.captures(p.shards), Besides: s.besides(p),
	}
}

// hardlyMost is up to which share of its rows a column holds hardly any keys.
const hardlyMost = 0.1

// hardly tells whether a few of many values alone are a pick's keys, no more than chance puts there, so that its name speaks for it and nothing else.
func (p *pick) hardly() bool {
	if p.when != "" || p.fit.verdict != against || p.column.least() < someValues || slices.Max(p.fit.in) == 0 {
		return false
	}
	for i, rows := range p.fit.rows {
		if float64(p.fit.in[i]) > hardlyMost*float64(rows) {
			return false
		}
	}
	return true
}

// holdsSome tells whether most values of a pick's column are keys of another one.
func (s *search) holdsSome(p *pick, to merge.Col) bool {
	k := s.key(to)
	return k != nil && measure(p.shards, k).inclusion >= trapLeast
}

// bare tells whether so many rows hold numbers that these may be keys, whatever the others hold: to an alliance by its name, or to a player by his number. Of names and codes, fewer are digits
// alone, whatever type the column is declared of, and of fractions many are whole.
func (c *column) bare() bool {
	integers, other, such := c.strange()
	if _, words := such.(string); !c.text && !words {
		return integers >= other
	}
	return float64(integers) >= bareShare*float64(other)
}

// bareShare is that many rows, for each that holds another text.
const bareShare = 0.04

// othersNamed is how many values that are no whole number a plan can name one by one.
const othersNamed = 100

// called tells whether a column's name says that it holds keys, of another table than its own where it does not say id.
func (s *search) called(c *column) bool {
	switch n := c.name; {
	case n.id:
		return true
	case c.flag() > 0 || !s.words.refers(n) || strings.HasSuffix(n.stem, "ed") && c.times(), c.saysDone(): // since when, or until when, somebody is banned, or whether
		return false
	case s.words.roles[n.stem] || s.words.characters[n.last()] || s.words.accounts[n.last()] || s.words.self[n.stem]:
		return true
	default:
		return slices.ContainsFunc(s.keys, func(k *key) bool { return k.table != c.table && slices.Contains(k.table.stems, n.stem) })
	}
}

// somebody tells whether a name says that a column holds somebody, or a row of some table.
func (s *search) somebody(n name) bool {
	return !s.words.measures(n) && (s.words.refers(n) || s.meansPerson(n))
}

// accountsOf tells whether a table lists accounts: it is called so, and not like what they have or who is in a group.
func (s *search) accountsOf(t *table) bool {
	n := len(t.bare)
	return n > 0 && s.words.accounts[t.bare[n-1]] && (n == 1 || !s.words.roles[t.bare[n-1]])
}

// serves tells whether a column is named like somebody who does something, and holds keys, but too few for the values to tell.
func (s *search) serves(c *column) bool {
	return s.words.agent(c.name) && c.flag() == 0 && c.least() < someValues && len(s.explaining(c)) > 0
}

// A catalogue's numbers are the same on every server: this share of them, of this many at least, of which at most this share of the numbers in
// between are used. Rows that a server numbers itself never leave out the same ones.
const (
	catalogueSame   = 0.9
	catalogueLeast  = 20
	catalogueFilled = 0.7
)

// enumerates tells whether a column plainly holds numbers that mean the same on every server: a catalogue's, or those of a short list.
func (s *search) enumerates(c *column) bool {
	shared, most, least := 0, 0, math.MaxInt
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for i, v := range c.shards {
		if !v.complete || len(v.list) == 0 {
			return false
		}
		most, least = max(most, len(v.list)), min(least, len(v.list))
		low, high = min(low, v.list[0]), max(high, v.list[len(v.list)-1])
		if i > 0 {
			if shared = v.shared(&c.shards[0]); float64(shared) < catalogueSame*float64(max(len(v.list), len(c.shards[0].list))) {
				return false
			}
		}
	}
	kin := slices.ContainsFunc(s.keys, func(k *key) bool {
		return k.Root && !k.Undeclared && k.same && k.size >= catalogueLeast && !s.alike[k.table.Name]
	})
	if len(c.shards) < 2 || shared == 0 || kin { // servers with one past share more than a catalogue
		return false
	}
	if s.holdsMany(c) {
		return false
	}
	span := float64(uint64(high) - uint64(low))
	return least >= catalogueLeast && float64(most) <= catalogueFilled*span || s.words.lists[c.name.last()] && high < listMost
}

// heldOneIn is of how many keys a column holds one, at least, so that it is no chance.
const heldOneIn = 3

// holdsMany tells whether half of a column's values or more are keys of tables of which it holds many: two servers that number alike share those as they share a catalogue's.
func (s *search) holdsMany(c *column) bool {
	for i, v := range c.shards {
		held := merge.NewKeySet()
		for _, k := range s.keys {
			if !k.Root || k.table == c.table || s.alike[k.table.Name] || k.set(i).Len() < fewValues || k.set(i).Len() > heldOneIn*int64(len(v.list)) {
				continue
			}
			hits := merge.NewKeySet()
			for _, n := range v.list {
				if k.has(i, n) {
					hits.Add(n)
				}
			}
			if heldOneIn*hits.Len() >= k.set(i).Len() {
				held.Union(hits)
			}
		}
		if 2*held.Len() < int64(len(v.list)) {
			return false
		}
	}
	return true
}

// classifies tells whether a column holds a few small numbers, the same on every server and each in many rows, as groups of rights are.
func (s *search) classifies(c *column) bool {
	for _, v := range c.shards {
		if n := len(v.list); !v.complete || n == 0 || n > fewValues || v.list[0] < 0 || v.list[n-1] > classMost || v.rows < classRows*int64(n) || !slices.Equal(v.list, c.shards[0].list) {
			return false
		}
	}
	return len(c.shards) > 1
}

// groups tells whether a column stands beside another one in the primary key and is not named like a kind of thing in the client's files: a few numbers in many rows may be
// the alliances of a server's guilds.
func (s *search) groups(c *column) bool {
	return len(c.table.PrimaryKey) > 1 && slices.Contains(c.table.PrimaryKey, c.col.Name) && !c.name.has(s.words.things)
}

// How high the numbers of a few classes go, and in how many rows each stands on average.
const (
	classMost = 100
	classRows = 20
)

// listMost is how high the numbers of a short list go.
const listMost = 1000

func byCol(a, b merge.Col) int {
	if a.Table != b.Table {
		return strings.Compare(a.Table, b.Table)
	}
	return strings.Compare(a.Name, b.Name)
}

// unplaced says what is known about a column that is named like a reference and fits no key.
func (s *search) unplaced(c *column) string {
	var parts []string
	for i, v := range c.shards {
		if len(v.list) == 0 {
			continue
		}
		plus := ""
		if !v.complete {
			plus = "at least "
		}
		parts = append(parts, fmt.Sprintf("%s%s from %s to %s in %s", plus, some(int64(len(v.list)), "different value"),
			count(v.list[0]), count(v.list[len(v.list)-1]), s.shards[i].Source().Name))
	}
	return join(parts, "and")
}

// fitting are the keys, of some, that a column fits well enough.
func (s *search) fitting(c *column, some func(k *key) bool, enough func(f *fit) bool) (list []*key, fits map[*key]*fit) {
	fits = map[*key]*fit{}
	for _, k := range s.keys {
		if some(k) && maybe(c.shards, k) && !s.onto(k, c) {
			if f := measure(c.shards, k); enough(f) {
				fits[k] = f
				list = append(list, k)
			}
		}
	}
	return list, fits
}

func colsOf(keys []*key) (list []merge.Col) {
	for _, k := range keys {
		list = append(list, k.Col)
	}
	return list
}

// binary tells whether a column is declared to hold bytes, and holds no texts instead.
func (s *search) binary(c merge.Col) bool {
	kind, declared := s.schema.Holds(c), strings.ToLower(s.schema.Column(c).Type)
	return kind == merge.Blob && declared != "" || kind != merge.Text && (strings.Contains(declared, "binary") || strings.Contains(declared, "bytea"))
}
