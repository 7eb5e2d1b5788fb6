package discover

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// A declaration is strong evidence of what a column holds, and yet may be older than what the game writes there: where its values fit, nothing is said against it.

// Doubt is what the values of a column say that is declared to refer to a key: the same for all rows with the words why some may hold another one, or what it holds under conditions.
type Doubt struct {
	merge.Proposal
	Declared merge.Col
}

// doubtDeclared finds the columns that are declared to refer to a key and of which some rows seem to hold another one, and what may tell which rows do.
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
