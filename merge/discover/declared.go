package discover

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// A declaration is strong evidence of what a column holds, and yet may be older than what the game writes there: where its values fit, nothing is said against it.

// Doubt is what the values of a column say that is declared to refer to a key: the same for all rows with the words why some may hold another one, or another key, or what it holds under
// conditions.
type Doubt struct {
	merge.Proposal
	Declared merge.Col
}

// doubtDeclared finds the columns that are declared to refer to a key and of which some rows, or all, seem to hold another one, and what may tell which rows do.
func (s *search) doubtDeclared() error {
	for _, c := range s.columns {
		if c.fixed == nil || c.self != nil || slices.ContainsFunc(s.opt.Again, func(again merge.Col) bool { return s.equal(again, c.col) }) {
			continue
		}
		list, err := s.instead(&pick{column: c, key: c.fixed, hint: hint{level: 4, why: "declared"}, shards: c.shards, fit: measure(c.shards, c.fixed), fits: true, grade: merge.Likely})
		if err != nil {
			return err
		}
		for _, p := range list {
			s.doubts = append(s.doubts, Doubt{s.proposal(p), c.fixed.Col})
		}
	}
	return s.ctx.Err()
}

// instead is what a column seems to hold in place of the key that is declared; empty where nothing speaks against that.
func (s *search) instead(p *pick) ([]*pick, error) {
	if s.alone(p.column.col) {
		if other := s.contradicting(p); other != nil {
			return []*pick{other}, nil
		}
		if list, err := s.kindsInstead(p); err != nil || len(list) > 0 {
			return list, err
		}
	}
	o := s.mixture(p)
	if o == nil {
		return nil, nil
	}
	if list, err := s.blendBy(p, o); err != nil || len(list) > 0 {
		return list, err
	}
	p.note = fmt.Sprintf("its rows lie denser up to where %s end, on each server", o.Col)
	return []*pick{p}, nil
}

// alone tells whether a column is declared to refer to a key by itself.
func (s *search) alone(c merge.Col) bool {
	return slices.ContainsFunc(s.opt.Known, func(r merge.Reference) bool {
		return len(r.From) == 1 && r.As == merge.Plain && r.When == "" && !r.Pattern.Any() && s.equal(r.From[0], c)
	})
}

// contradicting is another key that nearly all values of a column are, by its name, by their gaps or by where they end, where many are not the one that is declared; nil when there is none.
func (s *search) contradicting(p *pick) *pick {
	c := p.column
	if p.fit.inclusion >= includes || p.key.text {
		return nil
	}
	c.known = false
	other := s.best(c, c.shards, map[*key]*fit{})
	c.known = true
	if other == nil || other.key == p.key || other.grade == merge.Doubtful || !other.fit.nearly() {
		other = s.endingInstead(p)
	}
	if other == nil || s.repeatsDecided(other, p.key) {
		return nil
	}
	other.lower("of %s, as the schema says, only %s of them are", p.key.Col, percent(p.fit.inclusion))
	return other
}

// endingInstead is another key that explains a column's values, which end where its numbers do on every server, where most are not the one that is declared; nil when there is none.
func (s *search) endingInstead(p *pick) *pick {
	if p.fit.inclusion >= trapLeast {
		return nil
	}
	for _, k := range s.explaining(p.column) {
		q := &pick{column: p.column, key: k, hint: s.hint(p.column, k), shards: p.shards, fit: measure(p.shards, k), ended: byItself, grade: merge.Likely}
		if chance, tops := q.tops(); k != p.key && tops && chance <= endedStrays {
			return q
		}
	}
	return nil
}

// kindsInstead are the keys of a column under the kinds of one beside it that says that it tells kinds apart, where one of them is another key than the one that is declared.
func (s *search) kindsInstead(p *pick) ([]*pick, error) {
	if p.key.text {
		return nil, nil
	}
	siblings, err := s.likeliest(p.column, s.siblings(p.column, false, kindsMost))
	if err != nil {
		return nil, err
	}
	list, err := s.explainMost(p.column, siblings, func(by *merge.Column) ([]*pick, error) {
		if list, err := s.exactly(p.column, by, p); err != nil || len(list) > 0 {
			return list, err
		}
		return s.straysBy(p.column, by, p)
	})
	if !slices.ContainsFunc(list, func(q *pick) bool { return q.key != p.key }) {
		return nil, err // the dead alone lie under one kind
	}
	return list, err
}
