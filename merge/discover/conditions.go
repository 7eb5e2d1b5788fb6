package discover

import (
	"fmt"
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
)

// conditions looks for columns that point at several keys, each under a condition on a column beside them: a log's target is a player when its
// kind is 1 and a guild when it is 2. A plain reference that one of the kinds contradicts is not certain any more.
func (s *search) conditions() error {
	split := map[*column][]*pick{}
	for _, c := range s.columns {
		if c.known || c.self != nil || c.distinct() < someValues/2 || !c.name.id && s.words.amounts[c.name.last()] {
			continue
		}
		plain := s.plain(c)
		siblings := s.siblings(c, plain.mixed() || plain.bare())
		if plain == nil && !c.name.id && !c.name.has(s.words.roles) && !c.name.has(s.words.self) && (len(siblings) == 0 || !s.kindOf(c, siblings[0])) {
			continue
		}
		for _, by := range siblings {
			if plain != nil && plain.hint.level == 4 && plain.fits && !s.near(c, by) {
				continue // the column says itself what it points at
			}
			list, err := s.splitBy(c, by, plain)
			if err != nil {
				return err
			}
			if len(list) > 0 {
				split[c] = list
				break
			}
		}
	}
	var picks []*pick
	for _, p := range s.picks {
		if split[p.column] == nil {
			picks = append(picks, p)
		}
	}
	for _, c := range s.columns {
		picks = append(picks, split[c]...)
	}
	s.picks = picks
	return s.ctx.Err()
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

// siblings are the columns of the same table that may say what kind of thing a column points at, the one that is named as its kind first, then those that
// share a word with it. Any column may where the values are mixed.
func (s *search) siblings(c *column, mixed bool) []*merge.Column {
	var list []*merge.Column
	for _, m := range c.table.Columns {
		n := s.words.parse(m.Name)
		if m.Name == c.meta.Name || n.id || s.varied(c.table, m) || m.Generated || m.Affinity != merge.Integer && m.Affinity != merge.Text || !mixed && !s.words.kinds[n.last()] && !s.kindOf(c, m) {
			continue
		}
		list = append(list, m)
	}
	like := func(m *merge.Column) int {
		return int(4*yes(s.kindOf(c, m)) + 2*yes(s.near(c, m)) + yes(s.words.kinds[s.words.parse(m.Name).last()]))
	}
	slices.SortStableFunc(list, func(a, b *merge.Column) int { return like(b) - like(a) })
	return list
}

// varied tells, from samples that are taken already, whether a column has too many values to be a kind.
func (s *search) varied(t *table, m *merge.Column) bool {
	return slices.ContainsFunc(s.columns, func(c *column) bool {
		return c.table == t && c.meta == m && slices.ContainsFunc(c.shards, func(v values) bool { return len(v.list) > kindsMost })
	})
}

// splitBy measures a column under every value of a sibling; empty when the sibling does not split it.
func (s *search) splitBy(c *column, by *merge.Column, plain *pick) ([]*pick, error) {
	kinds, err := s.kindsOf(merge.Col{Table: c.col.Table, Name: by.Name})
	if err != nil || len(kinds) < kindsLeast {
		return nil, err
	}
	var list []*pick
	keys, sure, held := map[*key]bool{}, map[*key]bool{}, map[*key]bool{}
	var unfit, parts [][]values
	var rest []string
	for _, kind := range kinds {
		when := fmt.Sprintf("%s = %s", s.quote(by.Name), kind)
		shards, distinct, err := s.valuesWhen(c, when)
		if err != nil {
			return nil, err
		}
		if distinct == 0 {
			continue
		}
		p := s.tightest(c, shards)
		if p == nil {
			unfit, rest = append(unfit, shards), append(rest, kind)
			continue
		}
		p.when, p.note = when, "when "+when
		list = append(list, p)
		parts = append(parts, shards)
		keys[p.key] = true
		if p.grade == merge.Likely {
			sure[p.key] = true
		}
		if p.fit.verdict >= pro {
			held[p.key] = true
		}
	}
	for _, p := range list {
		if len(rest) > 0 {
			p.note += fmt.Sprintf("; its values are others when %s = %s", s.quote(by.Name), join(rest, "or"))
		}
	}
	if plain != nil && !s.words.kinds[s.words.parse(by.Name).last()] && !s.kindOf(c, by) {
		if !slices.ContainsFunc(append(parts, unfit...), plain.contradicted) {
			return nil, nil // any column divides rows somehow
		}
		if plain.grade == merge.Certain {
			plain.grade = merge.Likely
			plain.note = fmt.Sprintf("but some values of %s speak against it", s.quote(by.Name))
		}
	}
	near := s.near(c, by)
	fits := plain != nil && plain.fits && plain.hint.level > 0
	if len(keys) > 1 || len(keys) == 1 && !keys[plain.target()] {
		if plain != nil && plain.grade == merge.Certain && len(sure) > 0 {
			plain.grade = merge.Likely
			plain.note = fmt.Sprintf("but some values of %s fit another key better", s.quote(by.Name))
		}
	}
	switch {
	case len(keys) == 0, len(keys) == 1 && len(unfit) == 0:
		return nil, nil // one key explains every kind: the sibling says nothing
	case len(keys) > 1 && len(held) > 1:
		return list, nil
	case len(keys) == 1:
		if len(sure) == 1 && !fits || len(held) == 1 && fits && separates(list, unfit, plain) {
			return list, nil
		}
		return nil, nil
	case s.explained(parts):
		return nil, nil // the kinds differ by chance
	case near, len(sure) > 1 && (!fits || plain.fit.verdict < proof):
		return list, nil
	}
	return nil, nil
}

// mixed tells whether the holes speak for a pick and yet many values are no keys: they may be keys of something else.
func (p *pick) mixed() bool {
	return p != nil && p.fit.verdict >= pro && p.fit.inclusion < includesSure
}

// bare tells whether the holes speak for a pick though the column's name hardly does: nothing but its values would show that some rows hold another key.
func (p *pick) bare() bool {
	return p != nil && p.fit.verdict >= pro && p.hint.level < 3
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

// separates tells whether a sibling tells the rows that hold a key from those that do not. A few small numbers are keys of every table.
func separates(list []*pick, unfit [][]values, plain *pick) bool {
	if !plain.mixed() || slices.ContainsFunc(list, func(p *pick) bool { return p.key != plain.key || p.fit.inclusion < includesSure }) {
		return false
	}
	others := false
	for _, shards := range unfit {
		strange := measure(shards, plain.key).inclusion <= trapLeast
		if part := (&column{shards: shards}); !strange && part.least() >= someValues {
			return false
		}
		others = others || strange
	}
	return others
}

// explained tells whether one key fits the values of every kind.
func (s *search) explained(parts [][]values) bool {
	return slices.ContainsFunc(s.keys, func(k *key) bool {
		return k.Root && !slices.ContainsFunc(parts, func(shards []values) bool {
			if !maybe(shards, k) {
				return true
			}
			f := measure(shards, k)
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

// kindsOf lists a sibling's values as SQL literals; empty when it has too many to be a kind.
func (s *search) kindsOf(by merge.Col) ([]string, error) {
	var kinds []string
	for _, shard := range s.shards {
		own, ok := shard.Schema().Resolve(by)
		if !ok {
			return nil, nil
		}
		list, err := shard.Values(s.ctx, own, "", kindsMost+1)
		if err != nil || len(list) > kindsMost {
			return nil, err
		}
		for _, v := range list {
			text, ok := s.literal(v.Value[0])
			if ok && !slices.Contains(kinds, text) {
				kinds = append(kinds, text)
			}
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

// tightest is the key that values under a condition fill best; nil when they fit none. Numbers of a small table are keys of every larger one,
// so the key that the values reach the end of is the one.
func (s *search) tightest(c *column, shards []values) *pick {
	part := &column{col: c.col, table: c.table, meta: c.meta, name: c.name, text: c.text, shards: shards}
	var list []*pick
	for _, k := range s.keys {
		if !k.Root || part.least() < whenValues || s.alike[k.table.Name] || !maybe(shards, k) {
			continue
		}
		p := &pick{column: part, key: k, fit: measure(shards, k), shards: shards}
		if p.fit.verdict == against || k.Undeclared && p.fit.verdict < proof || p.fit.inclusion < includes || p.fit.reach < reaches && p.fit.verdict < pro {
			continue
		}
		p.fits = true
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, s.order)
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
