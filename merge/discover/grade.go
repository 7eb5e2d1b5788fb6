package discover

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Thresholds of a fit and of the grades, from a probe over five games' schemas with known references. Moving any of them by a tenth changed
// little there; what matters is that each grade needs two kinds of evidence.
const (
	includes     = 0.9  // of the rows, when holes are silent: orphans are rarely more
	includesPro  = 0.6  // when the holes speak for the reference
	includesSure = 0.97 // for what rests on inclusion alone
	includesAsk  = 0.85 // for a question, when rows avoid the holes
	includesBare = 0.98 // for what rests on values alone
	reaches      = 0.5  // a column that uses only the lower half of the keys may be an amount
	reachesSure  = 0.7  // for a column whose name says nothing
	reachesTop   = 0.85 // for one whose values end where the keys do
	fills        = 0.95 // of the keys, and no other number
	fewValues    = 8    // fewer distinct values say nothing about reach
	someValues   = 20   // enough to believe inclusion without a good name
	manyValues   = 50   // enough to believe values alone
	trapLeast    = 0.5  // inclusion from which a contradicted weaker name is worth a question
)

// pick is a column, a key that it may refer to, and what speaks for it.
type pick struct {
	column *column
	key    *key
	hint   hint
	fit    *fit
	fits   bool
	ended  int         // how far the values end where the keys do
	grade  merge.Grade // "" when nothing speaks for it
	when   string
	kind   string // the literal of a sibling's value under which it was measured
	others []merge.Col
	group  []*key   // that explain it together, with the key
	shards []values // what was measured: the column's, or those of one condition
	note   string
}

// weigh decides whether a pick's data fit and grades it. rivals tells how many other keys the holes speak for.
func (s *search) weigh(p *pick, rivals int) {
	c, f := p.column, p.fit
	distinct := c.least()
	favour := f.verdict >= pro
	p.fits = f.verdict != against && (f.inclusion >= includes || favour && f.inclusion >= includesPro) &&
		(f.reach >= reaches || favour || distinct < fewValues)
	switch {
	case c.distinct() == 0:
		p.grade = untested(p.hint)
	case p.hint.level == 4:
		p.grade = s.named(p, distinct)
	case p.hint.level == 3:
		p.grade = s.endsInName(p, distinct)
	case p.hint.count:
		p.grade = s.orNumber(p, distinct)
	case p.hint.level == 2:
		p.grade = touched(p, distinct)
	case p.hint.level == 1:
		p.grade = s.byRole(p, distinct)
	default:
		p.grade = s.unnamed(p, distinct)
	}
	if s.serial(p) {
		p.ended = withOthers
	} else if s.ended(p) {
		p.ended = byItself
	}
	if c.elders && p.key.table == c.table && p.key.sole && !p.key.Undeclared {
		p.ended = byItself
	}
	if p.grade == "" && (p.ended > 0 || s.lent(p) || s.singled(c, p.shards, p.key)) {
		p.grade = merge.Doubtful
	}
	if p.grade == merge.Certain && (c.fraction || c.text && !favour || rivals > 0 && p.hint.level < 4 || !favour && s.ends(c)) {
		p.grade = merge.Likely
	}
	if p.grade == merge.Certain && s.issues(p) {
		p.grade = merge.Likely
	}
	if p.grade == merge.Certain && p.key.Undeclared && f.verdict != proof {
		p.grade = merge.Likely // that its target is a key is a guess, too
	}
	if c.mixed && p.grade == merge.Certain {
		p.grade = merge.Likely
	}
	if (c.text || c.mixed) && !p.fits || c.mixed && p.hint.level == 0 && !favour && !s.singled(c, p.shards, p.key) && (p.ended == 0 || !c.bare()) {
		p.grade = "" // a few names of digits make no reference
	}
	if sureness(p.grade) > sureness(merge.Doubtful) && s.alike[c.table.Name] && !s.alike[p.key.table.Name] && c.fixed == nil && !favour {
		p.grade = merge.Doubtful // rows that are the same everywhere can hardly point at rows that are not
	}
	if c.text && p.grade == merge.Likely && p.hint.level < 4 && !favour || sureness(p.grade) > sureness(merge.Doubtful) && s.anyones(p) {
		p.grade = merge.Doubtful
	}
}

// issues tells whether a pick's column may number its own table's rows whatever its values say: it is their key, and its name does not say whose else it is. Accounts and the
// characters that are made with them have the same numbers, and leave out the same ones.
func (s *search) issues(p *pick) bool {
	own := p.column.self
	return own != nil && (own.own || s.words.everyones[own.name.whole] && own.heads()) && p.hint.level == 0
}

// anyones tells whether a column bears its key's name, and this is a word that the keys of other things bear as well, or would if the database had a table of them: objects lie
// in the zones of the rooms, so that their numbers avoid the same holes. The name of the table, of another column or a declared reference may say whose it is.
func (s *search) anyones(p *pick) bool {
	c, k := p.column, p.key
	says := func(words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(k.table.bare, w) })
	}
	return c.name.whole == k.name.whole && s.words.sorts[c.name.whole] && c.fixed == nil && !s.declaredStem(c.name, k) && !says(c.table.bare) &&
		!slices.ContainsFunc(c.table.columns, func(o *column) bool { return o != c && says(o.name.tokens) })
}

// lent tells whether a key whose name is not plainly its table's lies in another key: rows that are somebody else's must not get numbers
// of their own without a question.
func (s *search) lent(p *pick) bool {
	c, f := p.column, p.fit
	switch {
	case c.self != nil && (slices.Contains(s.lenders(c.self), p.key) || s.lies(c.self, p.key)):
		return true
	case c.self != nil && p.hint.level >= 2 && f.inclusion >= includesSure:
		return true // a house in a room of the lowest zone, too
	case c.self == nil || c.least() < someValues || f.inclusion < includes || s.alike[p.key.table.Name]:
		return false
	case c.self.Generic:
		return s.lies(c.self, p.key)
	}
	return p.hint.level > 0 || f.verdict >= mute && f.reach >= reaches
}

// ends tells whether a column may as well number its own table's rows: it is their key, and they are called by its name.
func (s *search) ends(c *column) bool {
	return c.self != nil && c.self.sole && endsIn(c.table.bare, c.name.tokens)
}

// How far a pick's values end where the keys do: by themselves, or as those of the other columns of its series, slot1 to slot5, of which some are seldom filled.
const (
	byItself = iota + 1
	withOthers
)

// serial tells whether another column of the table whose name differs in its number alone plainly refers to a pick's key.
func (s *search) serial(p *pick) bool {
	c := p.column
	_, tops := p.tops()
	return c.self == nil && p.fit.nearly() && p.fit.verdict != against && unnumbered(c.meta.Name) != c.meta.Name && slices.ContainsFunc(s.picks, func(o *pick) bool {
		return o.column.table == c.table && o.column.col != c.col && o.key == p.key && o.when == "" && o.fit.nearly() && (o.ended == byItself || sureness(o.grade) >= sureness(merge.Likely)) &&
			unnumbered(o.column.meta.Name) == unnumbered(c.meta.Name) && (tops || 2*c.distinct() < o.column.distinct())
	})
}

// unnumbered is a name without the number at its end.
func unnumbered(name string) string { return strings.TrimRight(name, "0123456789") }

// ended tells whether a column's values, keys but for the dead, end near the last key of every shard, as hardly any amounts would on all of them.
func (s *search) ended(p *pick) bool {
	c, k := p.column, p.key
	if c.self != nil || k.table == c.table || k.Undeclared || s.alike[k.table.Name] || s.alike[c.table.Name] || p.fit.inclusion < endedShare || p.fit.verdict == against && p.hint.level == 0 ||
		s.endsAnywhere(c, k) || s.catalogued(p.shards, 1) {
		return false
	}
	chance, ok := p.tops()
	return ok && (chance <= endedStrays || p.fit.nearly() && (chance <= endedFew || chance <= endedChance && c.least() >= fewValues))
}

// What share of a column's rows hold keys at least that end where the keys do, and how likely amounts may end there as well; less where a shard has few values, and where
// some rows hold none.
const (
	endedShare  = 0.8
	endedChance = 0.2
	endedFew    = 0.1
	endedStrays = 0.05
)

// tops tells whether the highest values are as near to the last key in every shard as those of a true reference are, and how likely other numbers, which end anywhere, would
// be so near. What lies beyond that key is dead, and no end.
func (p *pick) tops() (chance float64, ok bool) {
	chance = 1
	for i, v := range p.shards {
		n := len(v.list)
		if n == 0 || p.fit.wiped[i] {
			continue
		}
		within := v.upTo(p.key.high[i])
		if within == 0 {
			return 1, false
		}
		share := float64(p.key.set(i).Rank(v.list[within-1])) / float64(p.key.set(i).Len())
		if math.Pow(min(1, share), float64(n)) < lentChance {
			return 1, false
		}
		chance *= 1 - math.Pow(lentChance, 1/float64(n))
	}
	return chance, true
}

// untested grades a column without a value in any shard: nothing is lost by a mistake.
func untested(h hint) merge.Grade {
	switch h.level {
	case 4:
		return merge.Likely
	case 3:
		return merge.Doubtful
	}
	return ""
}

// named grades a column that names the key.
func (s *search) named(p *pick, distinct int) merge.Grade {
	switch {
	case !p.fits:
		return merge.Doubtful // a catalogue's number, or more orphans than not
	case distinct < fewValues:
		return merge.Likely
	case p.fit.verdict == proof, p.fit.verdict == pro && p.fit.inclusion >= includes, !p.hint.weak && s.unsuspected(p):
		return merge.Certain
	}
	return merge.Likely
}

// endsInName grades a column whose name ends in the key's, or stands alone without "id".
func (s *search) endsInName(p *pick, distinct int) merge.Grade {
	id := p.column.name.id
	switch {
	case !p.fits && (id || !p.hint.weak) && (p.fit.inclusion >= trapLeast || distinct < fewValues && p.key.captures(p.shards)), p.fits && distinct < fewValues && p.fit.verdict < pro:
		return merge.Doubtful
	case !p.fits:
		return ""
	case p.fit.verdict == proof && p.fit.inclusion >= includes, p.fit.verdict == pro && id && p.fit.inclusion >= includes:
		return merge.Certain
	case id && !p.hint.weak && distinct >= someValues && s.unsuspected(p):
		return merge.Certain
	}
	return merge.Likely
}

// unsuspected tells whether a good name may be believed although the key has no holes that could speak. A name lies where a game calls the kind
// of a thing and the thing by one word, where the number comes from another place, and where rows that are the same on every server would point
// at rows that are not.
func (s *search) unsuspected(p *pick) bool {
	c, k := p.column, p.key
	if p.fit.inclusion < includesSure || p.fit.reach < reaches || p.fit.verdict < mute || p.fit.holes.chance >= powerful {
		return false
	}
	if s.alike[k.table.Name] {
		return true
	}
	return !c.name.has(s.words.things) && !c.name.has(s.words.abroad) && !s.alike[c.table.Name]
}

// touched grades a column whose name shortens the key's or shares a word with it.
func touched(p *pick, distinct int) merge.Grade {
	switch {
	case !p.fits:
		return ""
	case p.fit.verdict == proof && p.fit.inclusion >= includesSure && distinct >= someValues && (!p.key.same || p.fit.luck <= bareChance):
		return merge.Certain
	case distinct >= fewValues:
		return merge.Likely
	}
	return merge.Doubtful
}

// orNumber grades a column whose name is its table's and that of a number alike, as a rank: worth a question when it holds nothing but the keys.
func (s *search) orNumber(p *pick, distinct int) merge.Grade {
	if grade := s.unnamed(p, distinct); grade != "" || p.fit.inclusion < includesSure || p.fit.verdict == against || s.alike[p.key.table.Name] {
		return grade
	}
	return merge.Doubtful
}

// byRole grades a column whose name is a role, towards a hub.
func (s *search) byRole(p *pick, distinct int) merge.Grade {
	if p.hint.weak {
		return s.asRole(p, distinct)
	}
	sure := p.fits && p.fit.inclusion >= includesSure && !p.key.same && distinct >= someValues
	switch {
	case sure && p.fit.verdict == proof, sure && p.fit.verdict == pro && s.answered(p.key), sure && p.fit.luck <= sureChance && s.rank(p.key) == 0:
		return merge.Certain
	case p.fits && distinct >= someValues && p.column.name.stem != "" && (p.fit.verdict >= pro || p.fit.nearly()):
		return merge.Likely
	case p.fits, p.fit.nearly() && p.fit.verdict != against:
		return merge.Doubtful
	}
	return ""
}

// asRole grades a key whose name is a role towards a table that is no hub: what its values alone would say, and a question at least.
func (s *search) asRole(p *pick, distinct int) merge.Grade {
	if grade := s.unnamed(p, distinct); grade != "" || p.fit.inclusion < includes || s.alike[p.key.table.Name] {
		return grade
	}
	return merge.Doubtful
}

// unnamed grades a column whose name says nothing about the key.
func (s *search) unnamed(p *pick, distinct int) merge.Grade {
	n, f := p.column.name, p.fit
	amount := s.words.measures(n)
	asks := f.inclusion >= includesAsk && f.avoids <= askChance && distinct >= manyValues && !amount
	sure := f.inclusion >= includesSure
	switch {
	case s.alike[p.key.table.Name]:
		return ""
	case distinct < someValues, f.verdict == against && !asks:
		return s.accompanied(p, amount)
	case f.inclusion >= includesPro && !sure && (f.verdict == proof || !amount && (f.verdict == pro || f.holes.rare())):
		return merge.Doubtful // many dead, or keys of something else among them
	case !sure && asks, f.verdict == against:
		return merge.Doubtful // a tenth of the rows dead: most dead keys are met, but in few rows each
	case !f.nearly():
		return ""
	case sure && f.luck <= bareChance && !amount && !p.key.same && distinct >= manyValues && f.inclusion >= includesBare:
		return merge.Certain
	case sure && f.verdict == proof && !amount && !p.key.same:
		return merge.Likely
	case f.verdict == proof, f.ends <= proofChance, f.filled >= fills && distinct >= manyValues, !amount && (f.reach >= reachesSure || f.verdict == pro):
		return merge.Doubtful
	}
	return s.accompanied(p, amount)
}

// answered tells whether the operator named the key as a hub.
func (s *search) answered(k *key) bool {
	for _, c := range s.opt.Hubs {
		if s.equal(c, k.Col) {
			return true
		}
	}
	return false
}

// sureness orders the grades.
func sureness(g merge.Grade) int {
	switch g {
	case merge.Certain:
		return 3
	case merge.Likely:
		return 2
	case merge.Doubtful:
		return 1
	}
	return 0
}

// order puts the better of two picks for one column first.
func (s *search) order(a, b *pick) int {
	return cmp.Or(
		cmp.Compare(b.sound(), a.sound()),
		cmp.Compare(max(b.hint.level, 1), max(a.hint.level, 1)),
		cmp.Compare(b.ended, a.ended), // somebody, as a role says, is not always one of the people
		cmp.Compare(b.hint.level, a.hint.level),
		cmp.Compare(yes(a.hint.bare), yes(b.hint.bare)),
		cmp.Compare(b.claim(), a.claim()),
		cmp.Compare(sureness(b.grade), sureness(a.grade)),
		cmp.Compare(b.fit.verdict, a.fit.verdict),
		cmp.Compare(math.Round(b.fit.inclusion*50), math.Round(a.fit.inclusion*50)),
		cmp.Compare(s.rank(a.key), s.rank(b.key)),
		cmp.Compare(math.Round(b.fit.reach*20), math.Round(a.fit.reach*20)),
		cmp.Compare(b.fit.cover, a.fit.cover),
		cmp.Compare(a.key.Col.Table, b.key.Col.Table),
		cmp.Compare(a.key.Col.Name, b.key.Col.Name),
	)
}

// claim is 2 for what the holes leave no doubt about, 1 for a table of the column's own family, 0 for the rest.
func (p *pick) claim() int {
	switch {
	case p.grade == merge.Certain && p.fit.verdict >= pro:
		return 2
	case p.hint.kin && p.fits:
		return 1
	}
	return 0
}

// sound is 3 for a good name that fits or a weaker one that the holes prove, 2 for a weaker one that fits, for the very name whose values are nearly all
// keys and for what the holes speak for, 1 for what else is graded, 0 for the rest and for a name that most values contradict.
func (p *pick) sound() int {
	switch {
	case p.grade == "":
		return 0
	case p.hint.level >= 3 && p.column.distinct() > 0 && p.fit.inclusion < trapLeast:
		return 0
	case p.hint.level >= 3 && (p.fits || p.column.distinct() == 0), p.fit.verdict == proof && p.fits:
		return 3
	case p.hint.level >= 2 && p.fits, p.hint.level == 4 && p.fit.inclusion >= includes, p.fit.verdict >= pro && p.fit.inclusion >= includesSure:
		return 2
	}
	return 1
}
