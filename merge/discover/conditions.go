package discover

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A column that says what kind of row another column points at has at most this many values. A condition needs a few distinct values to show
// which key it means.
const (
	kindsMost  = 12
	kindsLeast = 2
	whenValues = 4
	besideRows = 300_000 // of a larger table, columns beside one that names its key are looked at only where they say that they tell kinds apart
	wholeRows  = 20_000  // of a larger table, some rows tell first whether a column has too many values to be a kind
	besideMost = 16      // columns beside one that are looked at: in a table of hundreds, chance alone makes many that seem to divide it
)

// conditions looks for columns that point at several keys, each under a condition on a column beside them: a log's target is a player when its
// kind is 1 and a guild when it is 2. A plain reference that one of the kinds contradicts is not certain any more.
func (s *search) conditions() error {
	splits := map[*column][]*pick{}
	for _, c := range s.columns {
		if c.known || c.self != nil || c.distinct() < someValues/2 {
			continue
		}
		plain := s.plain(c)
		list, err := s.properties(c)
		if err == nil && len(list) == 0 {
			list, err = s.split(c, plain)
			list = s.orCatalogue(c, s.onlyDense(plain, list))
		}
		if err == nil && len(list) == 0 {
			list, err = s.namedKinds(c, plain)
		}
		if err == nil && len(list) == 0 && plain == nil && c.amount {
			list, err = s.everyKind(c)
		}
		if err == nil && len(list) == 0 && plain == nil {
			list, err = s.beside(c)
		} else if err == nil && len(list) == 0 {
			list, err = s.blend(plain)
		}
		if err != nil {
			return err
		}
		if len(list) > 0 {
			splits[c] = list
		} else if plain == nil && c.name.id {
			if s.tellers[c.col], err = s.toldBy(c); err != nil {
				return err
			}
		}
	}
	var picks []*pick
	for _, p := range s.picks {
		if splits[p.column] == nil {
			picks = append(picks, p)
		}
	}
	for _, c := range s.columns {
		picks = append(picks, splits[c]...)
	}
	s.picks = picks
	return s.ctx.Err()
}

// split is a column's key under the kinds of a column beside it; empty when none divides it.
func (s *search) split(c *column, plain *pick) ([]*pick, error) {
	if plain == nil && s.hides(c) {
		if list, err := s.hidden(c); err != nil || len(list) > 0 {
			return list, err
		}
	}
	if plain == nil && !c.name.id && !c.mixed && s.words.amounts[c.name.last()] {
		return nil, nil
	}
	siblings := s.siblings(c, plain.vague() || plain.fits && slices.Max(c.table.rows) <= besideRows, kindsMost)
	if plain == nil && !c.name.id && !c.name.has(s.words.roles) && !c.name.has(s.words.self) && (len(siblings) == 0 || !s.kindOf(c, siblings[0])) {
		return nil, nil
	}
	siblings, err := s.likeliest(c, siblings)
	if err != nil {
		return nil, err
	}
	return s.explainMost(c, siblings, func(by *merge.Column) ([]*pick, error) {
		if list, err := s.exactly(c, by, plain); err != nil || len(list) > 0 {
			return list, err
		}
		if plain != nil && plain.hint.level == 4 && plain.fits && !s.near(c, by) || !plain.vague() && !s.says(c, by) {
			return s.straysBy(c, by, plain) // the column says itself what it points at
		}
		return s.splitBy(c, by, plain)
	})
}

// keepLike leaves alone what a pattern of the plan keeps, but for what is certain: whoever wrote the pattern may have had other columns in mind.
func (s *search) keepLike() error {
	certain := map[*column]bool{}
	for _, p := range s.picks {
		certain[p.column] = certain[p.column] || p.grade == merge.Certain
	}
	for _, c := range s.columns {
		c.known = c.known || c.kept && !certain[c]
	}
	s.picks = slices.DeleteFunc(s.picks, func(p *pick) bool { return p.column.known })
	return nil
}

// plain is the pick of a column without a condition; nil when there is none.
func (s *search) plain(c *column) *pick {
	if i := slices.IndexFunc(s.picks, func(p *pick) bool { return p.column == c }); i >= 0 {
		return s.picks[i]
	}
	return nil
}

// near tells whether a sibling's name shares a word with a column's: owner_type and owner_id.
func (s *search) near(c *column, by *merge.Column) bool {
	return slices.ContainsFunc(s.words.parse(by.Name).tokens, func(t string) bool { return slices.Contains(c.name.tokens, t) })
}

// kindOf tells whether a sibling's name is a column's own with a word for a kind, or without the id: a_kind of a, subject of subject_id.
func (s *search) kindOf(c *column, by *merge.Column) bool {
	n := s.words.parse(by.Name)
	if !n.id && c.name.id && slices.Equal(n.tokens, c.name.tokens) {
		return true
	}
	last := len(n.tokens) - 1
	return last > 0 && s.words.kinds[n.tokens[last]] && slices.Equal(n.tokens[:last], c.name.tokens)
}

// says tells whether a sibling's name says that it tells kinds apart.
func (s *search) says(c *column, by *merge.Column) bool {
	n := s.words.parse(by.Name)
	return s.words.kinds[n.last()] || s.kindOf(c, by) || s.asksWhat(n)
}

// yesOrNo tells whether a name asks what somebody is: is_bot, is_guild.
func yesOrNo(n name) bool { return len(n.tokens) > 1 && n.tokens[0] == "is" }

// asksWhat tells whether a name asks whether somebody is what rows of a table are, or somebody else, as is_guild and is_bot do and is_read does not.
func (s *search) asksWhat(n name) bool {
	return yesOrNo(n) && (s.meansPerson(n) || n.has(s.words.things) || n.has(s.words.groups) || n.has(s.words.machines) || slices.ContainsFunc(s.keys, func(k *key) bool { return n.has(set(k.table.stems...)) }))
}

// siblings are the columns of the same table that may say what kind of thing a column points at, the one that is named as its kind first, then those that
// share a word with it. Any column may where the values are mixed. None has more kinds than most, as far as a sample shows.
func (s *search) siblings(c *column, mixed bool, most int) []*merge.Column {
	var list []*merge.Column
	called := map[*merge.Column]int{}
	for _, m := range c.table.Columns {
		n, col := s.words.parse(m.Name), merge.Col{Table: c.table.Name, Name: m.Name}
		if m.Name == c.meta.Name || n.id || s.varied(c.table, m, most) || m.Generated || s.schema.Holds(col) == merge.Real || s.binary(col) || !mixed && !s.says(c, m) {
			continue
		}
		list = append(list, m)
		called[m] = s.calledKind(c, m)
	}
	slices.SortStableFunc(list, func(a, b *merge.Column) int { return called[b] - called[a] })
	return list
}

// calledKind ranks a sibling by what its name says about whether it tells a column's kinds apart.
func (s *search) calledKind(c *column, by *merge.Column) int {
	return int(4*yes(s.kindOf(c, by)) + 2*yes(s.near(c, by)) + yes(s.words.kinds[s.words.parse(by.Name).last()]))
}

// likeliest are those of a column's siblings that tell any kinds apart, in their order; of very many, those that are named most like it, and then the nearest.
func (s *search) likeliest(c *column, siblings []*merge.Column) (list []*merge.Column, err error) {
	for _, m := range siblings {
		kinds, err := s.kindsFor(c, m)
		if err != nil {
			return nil, err
		}
		if len(kinds) >= kindsLeast {
			list = append(list, m)
		}
	}
	if len(list) <= besideMost {
		return list, nil
	}
	called, far := map[*merge.Column]int{}, map[*merge.Column]int{}
	for _, m := range list {
		d := slices.Index(c.table.Columns, m) - slices.Index(c.table.Columns, c.meta)
		called[m], far[m] = s.calledKind(c, m), max(d, -d)
	}
	first := slices.Clone(list)
	slices.SortStableFunc(first, func(a, b *merge.Column) int { return cmp.Or(called[b]-called[a], far[a]-far[b]) })
	first = first[:besideMost]
	return slices.DeleteFunc(list, func(m *merge.Column) bool { return !slices.Contains(first, m) }), nil
}

// varied tells, from samples that are taken already, whether a column has too many values to be a kind.
func (s *search) varied(t *table, m *merge.Column, most int) bool {
	return slices.ContainsFunc(s.columns, func(c *column) bool {
		return c.table == t && c.meta == m && slices.ContainsFunc(c.shards, func(v values) bool { return len(v.list) > most })
	})
}

// mixed tells whether the holes speak for a pick and yet many values are no keys: they may be keys of something else.
func (p *pick) mixed() bool {
	return p != nil && p.fit.verdict >= pro && p.fit.inclusion < includesSure
}

// contradicted tells whether a part of the rows does not fit the key.
func (p *pick) contradicted(shards []values) bool {
	part := &column{shards: shards}
	if part.least() < fewValues {
		return false
	}
	f := measure(shards, p.key)
	return (f.verdict == against || f.inclusion < includes) && !p.spread(f)
}

// spread tells whether some rows of a column without a telling name have no key wherever one looks: a part has its share of them, give or take chance.
func (p *pick) spread(part *fit) bool {
	if p.hint.level > 0 || p.fit.inclusion < includes || p.fit.inclusion >= includesSure {
		return false
	}
	for i, rows := range part.rows {
		if p.fit.rows[i] == 0 {
			continue
		}
		usual := float64(rows) * float64(p.fit.rows[i]-p.fit.in[i]) / float64(p.fit.rows[i])
		if float64(rows-part.in[i]) > usual+3*math.Sqrt(usual)+1 {
			return false
		}
	}
	return true
}

// explained tells whether one key fits the values of every kind.
func (s *search) explained(list []*pick) bool {
	return slices.ContainsFunc(s.keys, func(k *key) bool {
		return k.Root && !slices.ContainsFunc(list, func(p *pick) bool {
			if !maybe(p.shards, k) {
				return true
			}
			f := measure(p.shards, k)
			return f.verdict == against || f.inclusion < includes || f.reach < reaches
		})
	})
}

// target is the key of a pick; nil when there is no pick.
func (p *pick) target() *key {
	if p == nil {
		return nil
	}
	return p.key
}

// kindsFor are a sibling's kinds and its NULL: what says nothing of most rows may say of some that they are a guild's.
func (s *search) kindsFor(c *column, by *merge.Column) ([]string, error) {
	kinds, err := s.kindsOf(merge.Col{Table: c.col.Table, Name: by.Name}, kindsMost)
	if err != nil || len(kinds) == 0 || by.NotNull {
		return kinds, err
	}
	return append(slices.Clone(kinds), null), nil
}

// kindsOf lists a sibling's values as SQL literals; empty when it has too many to be a kind. Every other column of its table asks for them.
func (s *search) kindsOf(by merge.Col, most int) (kinds []string, err error) {
	if list, ok := s.kinds[by][most]; ok {
		return list, nil
	}
	defer func() {
		if s.kinds[by] == nil {
			s.kinds[by] = map[int][]string{}
		}
		s.kinds[by][most] = kinds
	}()
	if slices.Max(s.tables[by.Table].rows) > wholeRows {
		probes, err := s.texts(by)
		if err != nil || slices.ContainsFunc(probes, func(p *merge.Sample) bool { return len(p.Values)+p.Others > most }) {
			return nil, err
		}
	}
	lists, many := make([][]merge.ValueCount, len(s.shards)), make([]bool, len(s.shards))
	err = s.everyShard(func(i int, shard merge.Shard) (err error) {
		own, ok := shard.Schema().Resolve(by)
		if ok {
			lists[i], err = shard.Values(s.ctx, own, "", most+1)
		}
		many[i] = !ok || len(lists[i]) > most
		return err
	})
	if err != nil || slices.Contains(many, true) {
		return nil, err
	}
	for _, v := range slices.Concat(lists...) {
		text, ok := s.literal(v.Value[0])
		if ok && !slices.Contains(kinds, text) {
			kinds = append(kinds, text)
		}
	}
	slices.SortFunc(kinds, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return kinds, nil
}
