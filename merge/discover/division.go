package discover

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// division is what the kinds of one sibling say about a column.
type division struct {
	by    *merge.Column
	says  bool                // its name says that it tells kinds apart
	near  bool                // its name shares a word with the column's
	list  []*pick             // the key of each kind whose values fit one
	few   []*pick             // the same of kinds with too few values to propose it
	unfit [][]values          // values of the other kinds, and of those with few
	rest  []string            // these kinds
	kinds []string            // all of them
	held  map[string][]values // what the column holds under each
	words int                 // kinds under which the column holds no integer, but other values
}

// divide measures a column under every value of a sibling; nil when that has too many to be a kind, or only one. It remembers what it found of the column it was asked last.
func (s *search) divide(c *column, by *merge.Column) (*division, error) {
	if s.divided != c {
		s.divided, s.divisions = c, map[*merge.Column]*division{}
	}
	if d := s.divisions[by]; d != nil {
		return d, nil
	}
	kinds, err := s.kindsFor(c, by)
	if err != nil || len(kinds) < kindsLeast {
		return nil, err
	}
	parts, err := s.valuesBy(c, by, kinds)
	if err != nil {
		return nil, err
	}
	holds := func(v values) bool { return len(v.list) > 0 || v.other > 0 }
	kinds = slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return kind == null && !slices.ContainsFunc(parts[kind], holds) })
	if len(kinds) < kindsLeast {
		return nil, nil
	}
	d := &division{by: by, kinds: kinds, held: parts, says: s.says(c, by), near: s.near(c, by)}
	for _, kind := range kinds {
		when, shards := s.kind(by, kind), parts[kind]
		if !slices.ContainsFunc(shards, func(v values) bool { return len(v.list) > 0 }) {
			d.words += int(yes(slices.ContainsFunc(shards, func(v values) bool { return v.other > 0 })))
			continue
		}
		p := s.tightest(c, shards, kind)
		if p != nil {
			p.when, p.kind, p.note = when, kind, "when "+when
		}
		switch {
		case p != nil && p.column.least() >= whenValues:
			d.list = append(d.list, p)
			continue
		case p != nil:
			d.few = append(d.few, p)
		}
		d.unfit, d.rest = append(d.unfit, shards), append(d.rest, kind)
	}
	others := fmt.Sprintf("%s = %s", s.quote(by.Name), join(d.rest, "or"))
	if slices.Contains(d.rest, null) {
		others = amongKinds(s.quote(by.Name), d.rest)
	}
	for _, p := range d.list {
		if len(d.rest) > 0 {
			p.note += "; its values are others when " + others
		}
	}
	s.divisions[by] = d
	return d, nil
}

// parts are the values of all kinds.
func (d *division) parts() [][]values {
	parts := slices.Clone(d.unfit)
	for _, p := range d.list {
		parts = append(parts, p.shards)
	}
	return parts
}

// splitBy is a column's key under every kind of a sibling; empty when the sibling does not split it.
func (s *search) splitBy(c *column, by *merge.Column, plain *pick) ([]*pick, error) {
	d, err := s.divide(c, by)
	if d == nil || len(d.list) == 0 {
		return nil, err
	}
	if d.spells() {
		return d.list, nil
	}
	if !plain.vague() {
		if list, err := s.partedBy(d, plain); err != nil || len(list) > 0 {
			return list, err
		}
	}
	if plain != nil && !d.near && d.byChance() {
		return d.strays(plain), nil
	}
	keys, sure, held := map[*key]bool{}, map[*key]bool{}, map[*key]bool{}
	for _, p := range d.list {
		keys[p.key] = true
		if p.grade == merge.Likely {
			sure[p.key] = true
		}
		if p.fit.verdict >= pro {
			held[p.key] = true
		}
	}
	if ends := d.endsApart(); ends != nil && plain.vague() {
		if len(keys) > 1 && slices.Contains(d.list, ends) && (d.says || len(held) > 0 && (plain == nil || plain.fit.verdict < pro) || ends.insteadOf(plain)) {
			return d.list, nil
		}
		if ends.key != plain.target() {
			plain.lower("but when %s its values end where those of %s do", ends.when, ends.key.Col)
		}
	} else if d.near && d.says && plain.vague() && slices.ContainsFunc(d.parts(), scarce) {
		plain.lower("but %s seems to say what it holds, and for some of its values there is too little to tell", s.quote(by.Name))
	}
	if !d.says && plain == nil {
		return nil, nil
	}
	name := s.quote(by.Name)
	if plain != nil && !d.says {
		if !slices.ContainsFunc(d.parts(), plain.contradicted) {
			return nil, nil // any column divides rows somehow
		}
		if plain.grade == merge.Certain {
			plain.lower("but some values of %s speak against it", name)
		}
	}
	fits := plain != nil && plain.fits && plain.hint.level > 0
	if len(keys) > 1 || !keys[plain.target()] {
		if plain != nil && plain.grade == merge.Certain && len(sure) > 0 {
			plain.lower("but some values of %s fit another key better", name)
		}
	}
	switch {
	case len(keys) == 1 && len(d.unfit) == 0:
		return nil, nil // one key explains every kind: the sibling says nothing
	case len(keys) > 1 && len(held) > 1:
		return d.list, nil
	case len(keys) == 1:
		if plain == nil && d.others(d.list[0]) > othersHold || plain != nil && keys[plain.key] && (d.others(d.list[0]) > includesSure || d.goesOn(plain.key)) {
			return nil, nil // the other kinds hold it, too, beside their dead
		}
		if len(sure) == 1 && !fits || len(held) == 1 && fits && d.separates(plain) {
			return d.list, nil
		}
		return d.strays(plain), nil
	case s.explained(d.list):
		return d.strays(plain), nil // the kinds differ by chance, or by their dead
	case d.near, len(sure) > 1 && (!fits || plain.fit.verdict < proof):
		return d.list, nil
	}
	return nil, nil
}

// byChance tells whether kinds that tell nothing might as well divide the keys and the others among a column's values as these do.
func (d *division) byChance() bool {
	return !slices.ContainsFunc(d.list, func(p *pick) bool { return d.apart(p)*float64(len(d.kinds)) <= sureChance })
}

// spells tells whether a column holds one key under some kinds and nothing but other values, such as names and addresses, under the rest.
func (d *division) spells() bool {
	return d.words > 0 && len(d.unfit) == 0 && len(d.list) > 0 && !slices.ContainsFunc(d.list, func(p *pick) bool {
		return p.key != d.list[0].key || slices.ContainsFunc(p.shards, func(v values) bool { return v.other > 0 })
	})
}

// goesOn tells whether the kinds that do not fit a key, because some of their values are none, mostly hold it all the same, and avoid the numbers between as no others would.
func (d *division) goesOn(k *key) bool {
	return !slices.ContainsFunc(d.unfit, func(shards []values) bool {
		f := measure(shards, k)
		return f.inclusion <= trapLeast || f.avoids > proofChance
	})
}

// lower makes a pick less sure by one grade, and says why.
func (p *pick) lower(format string, args ...any) {
	if p == nil {
		return
	}
	switch p.grade {
	case merge.Certain:
		p.grade = merge.Likely
	case merge.Likely:
		p.grade = merge.Doubtful
	}
	p.note = fmt.Sprintf(format, args...)
}

// vague tells whether a column's name hardly says to what it refers: nothing but its values would show that some rows hold another key.
func (p *pick) vague() bool {
	return p == nil || p.hint.level < 3
}

// scarce tells whether values are too few to tell a key from a larger one.
func scarce(shards []values) bool { return (&column{shards: shards}).least() < fewValues }

// endsApart is the first pick of a kind whose values end where its keys do; nil when there is none.
func (d *division) endsApart() *pick {
	for _, p := range slices.Concat(d.list, d.few) {
		if d.endsWith(p) {
			return p
		}
	}
	return nil
}

// endsWith tells whether the values of a pick's kind end where its keys do although those of other kinds go on far above, as a few guilds' numbers do among many players';
// not where chance may have put them so low.
func (d *division) endsWith(p *pick) bool {
	if p.fit.reach < reachesSure && !d.says {
		return false
	}
	luck := 1.0
	for i, v := range p.shards {
		low, all := 0, 0
		for _, part := range d.parts() {
			low, all = low+part[i].upTo(p.key.high[i]), all+len(part[i].list)
		}
		own := v.upTo(p.key.high[i])
		if others := all - len(v.list); others >= whenValues {
			luck *= math.Pow(float64(low-own+1)/float64(others+1), float64(own))
		}
	}
	return luck <= proofChance
}

// partedBy is a column's key under the kinds of a sibling under which it may hold what its name says, and another one under each kind that plainly holds that one's: all of
// them are the named key's, too, where small numbers are. Empty when no kind does.
func (s *search) partedBy(d *division, plain *pick) (list []*pick, err error) {
	rest := slices.Clone(d.kinds)
	for _, p := range slices.Concat(d.list, d.few) {
		if p.key == plain.key || !d.endsWith(p) || !s.insteadOf(d, p, plain) {
			continue
		}
		list = append(list, p)
		rest = slices.DeleteFunc(rest, func(kind string) bool { return kind == p.kind })
	}
	if len(list) == 0 || len(rest) == 0 {
		return nil, nil
	}
	if !d.says {
		if plain.grade == merge.Certain {
			plain.lower("but when %s its values end where those of %s do", list[0].when, list[0].key.Col)
		}
		return nil, nil // any column may follow the age of the rows
	}
	main := *plain
	main.when = amongKinds(s.quote(d.by.Name), rest)
	if main.shards, _, err = s.valuesWhen(plain.column, main.when); err != nil {
		return nil, err
	}
	if main.fit = measure(main.shards, main.key); main.fit.verdict == against || main.fit.inclusion < includes {
		return nil, nil
	}
	main.lower("when %s", main.when)
	return append([]*pick{&main}, list...), nil
}

// insteadOf tells whether the values of a kind, which end where its key's numbers do, rather are that key's than the lowest ones of a plain pick's: some of them are none of its
// keys, or all lie as near to the end as those of hardly any rows would that are merely older.
func (p *pick) insteadOf(plain *pick) bool {
	chance, tops := p.tops()
	return plain != nil && p.key != plain.key && p.fit.inclusion >= includesSure && (plain.contradicted(p.shards) || tops && chance <= endedStrays)
}

// insteadOf tells whether the values of a pick's kind, which end where its keys do, are its keys rather than the lowest ones of a key that the column names: those of a kind
// that only the oldest rows are of end low, too, but anywhere. What the sibling calls by its name, or by this kind's, is that.
func (s *search) insteadOf(d *division, p, plain *pick) bool {
	by := s.words.parse(d.by.Name)
	if by.has(set(p.key.table.stems...)) || s.kindOfRows(p.kind, p.key.table) {
		return true
	}
	if p.fit.inclusion < min(measure(p.shards, plain.key).inclusion, includesSure) {
		return false
	}
	_, tops := p.tops()
	return p.fit.verdict >= pro || !yesOrNo(by) && tops
}

// separates tells whether a sibling tells the rows that hold a key from those that do not. A few small numbers are keys of every table.
func (d *division) separates(plain *pick) bool {
	if !plain.mixed() || slices.ContainsFunc(d.list, func(p *pick) bool { return p.key != plain.key || p.fit.inclusion < includesSure }) {
		return false
	}
	others := false
	for _, shards := range d.unfit {
		strange := measure(shards, plain.key).inclusion <= trapLeast
		if part := (&column{shards: shards}); !strange && part.least() >= someValues {
			return false
		}
		others = others || strange
	}
	return others
}

// kindOfRows tells whether the literal of a kind is a word for the rows of a table.
func (s *search) kindOfRows(kind string, t *table) bool {
	return s.words.parse(strings.Trim(kind, "'")).has(set(t.stems...))
}

// filled tells whether values are nearly all of a key's in every shard that has any, up to the last one.
func (k *key) filled(shards []values) bool {
	some := false
	for i, v := range shards {
		if n := len(v.list); n > 0 {
			if some = true; v.list[n-1] != k.high[i] || float64(n) < includes*float64(k.set(i).Len()) {
				return false
			}
		}
	}
	return some
}

// tightest is the key that values under a condition fill best; nil when they fit none. Numbers of a small table are keys of every larger one,
// so the key that the values reach the end of is the one, unless the kind is called like another one's rows.
func (s *search) tightest(c *column, shards []values, kind string) *pick {
	part := &column{col: c.col, table: c.table, meta: c.meta, name: c.name, text: c.text, shards: shards}
	part.mixed = !part.mostly()
	var list []*pick
	for _, k := range s.keys {
		if !k.Root || s.alike[k.table.Name] && !s.kindOfRows(kind, k.table) || !maybe(shards, k) || k.misses(shards) || s.onto(k, c) {
			continue
		}
		p := &pick{column: part, key: k, fit: measure(shards, k), shards: shards}
		if p.fit.verdict == against || k.Undeclared && p.fit.verdict < proof && !k.filled(shards) || p.fit.inclusion < includes || p.fit.reach < reaches && p.fit.verdict < pro {
			continue
		}
		p.fits = true
		if s.ended(p) {
			p.ended = byItself
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, s.order)
	if at := slices.IndexFunc(list, func(p *pick) bool { return s.kindOfRows(kind, p.key.table) }); at > 0 {
		list = slices.Insert(slices.Delete(slices.Clone(list), at, at+1), 0, list[at])
	}
	first := list[0]
	first.grade = merge.Doubtful
	if first.fit.verdict >= pro || first.fit.inclusion >= includesSure && first.fit.reach >= reachesSure && part.least() >= fewValues {
		first.grade = merge.Likely
	}
	for _, p := range list[1:] {
		if len(first.others) < othersMost {
			first.others = append(first.others, p.key.Col)
		}
	}
	return first
}
