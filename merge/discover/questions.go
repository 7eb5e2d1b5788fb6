package discover

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/gameid/gameid/merge"
)

// findQuestions looks for the few answers that settle many columns: which table is the character, and which the account.
func (s *search) findQuestions() error {
	for _, role := range []struct {
		name, text string
		words      map[string]bool
	}{
		{"character", "Which table is the character?", s.words.characters},
		{"account", "Which table is the account?", s.words.accounts},
	} {
		q, err := s.roleQuestion(role.name, role.text, role.words)
		if err != nil {
			return err
		}
		if q != nil {
			s.questions = append(s.questions, *q)
		}
	}
	slices.SortStableFunc(s.questions, func(a, b Question) int { return cmp.Compare(len(b.Columns), len(a.Columns)) })
	return nil
}

// waits notes columns with the names of roles, whose values a role's key explains: those that no proposal names are asked about one by one.
func (s *search) waits(columns []merge.Col) {
	for _, c := range columns {
		s.waiting[c] = true
	}
}

// roleQuestion asks which key a role means; nil when the answer would settle nothing.
func (s *search) roleQuestion(role, text string, words map[string]bool) (*Question, error) {
	lifts := map[*key][]merge.Col{}
	for _, c := range s.columns {
		if c.known || c.self != nil || c.text || c.mixed || c.abroad || c.distinct() == 0 || !s.open(c) {
			continue
		}
		amount := s.words.measures(c.name) || c.flag() > 0
		called := c.name.has(words) || role == "character" && c.name.has(s.words.roles)
		if amount || !called {
			continue
		}
		for _, k := range s.keys {
			if !k.Root || s.alike[k.table.Name] || k.table == c.table && !slices.Contains(s.hubs, k) || !maybe(c.shards, k) {
				continue
			}
			if f := measure(c.shards, k); f.inclusion >= includes && f.verdict != against {
				lifts[k] = append(lifts[k], c.col)
			}
		}
	}
	var answers []*key
	for k := range lifts {
		answers = append(answers, k)
	}
	call := func(k *key) int {
		return int(yes(slices.ContainsFunc(k.table.bare, func(t string) bool { return words[t] })))
	}
	sort.Slice(answers, func(i, j int) bool {
		a, b := answers[i], answers[j]
		return cmp.Or(cmp.Compare(call(b), call(a)), cmp.Compare(s.rank(a), s.rank(b)), cmp.Compare(len(lifts[b]), len(lifts[a])),
			strings.Compare(a.Col.String(), b.Col.String())) < 0
	})
	if len(answers) == 0 || role == "account" && call(answers[0]) == 0 {
		return nil, nil
	}
	first := answers[0]
	if answer, answered := s.opt.Hubs[role]; answered {
		for _, k := range answers {
			if k.Col == answer {
				s.waits(lifts[k])
			}
		}
		return nil, nil
	}
	if call(first) == 0 && s.rank(first) == len(s.hubs) && len(lifts[first]) < 2 {
		return nil, nil // the column's own question says as much
	}
	s.waits(lifts[first])
	settled, err := s.settledBy(role, first, lifts[first])
	if err != nil || len(settled) == 0 {
		return nil, err
	}
	q := &Question{Role: role, Key: first.Col, Columns: settled}
	slices.SortFunc(q.Columns, byCol)
	for _, k := range answers[1:] {
		if len(q.Others) < othersMost {
			q.Others = append(q.Others, k.Col)
		}
	}
	names := make([]string, len(q.Columns))
	for i, c := range q.Columns {
		names[i] = c.String()
	}
	columns := "columns"
	if len(names) == 1 {
		columns = "column"
	}
	q.Text = fmt.Sprintf("%s %s would settle %d %s: %s.", text, first.Col, len(names), columns, strings.Join(names, ", "))
	if n := s.received(first); n > 0 {
		q.Evidence = fmt.Sprintf("%d declared or plainly named references point at %s", n, first.Col)
	}
	return q, nil
}

// settledBy are those of some columns that would be certain to refer to a key if a plan named it for a role: matched once more with that answer.
func (s *search) settledBy(role string, k *key, columns []merge.Col) (settled []merge.Col, err error) {
	t := *s
	t.opt.Hubs = maps.Clone(s.opt.Hubs)
	if t.opt.Hubs == nil {
		t.opt.Hubs = map[string]merge.Col{}
	}
	t.opt.Hubs[role] = k.Col
	if err := t.match(); err != nil {
		return nil, err
	}
	for _, p := range t.picks {
		if p.grade == merge.Certain && p.key == k && slices.Contains(columns, p.column.col) {
			settled = append(settled, p.column.col)
		}
	}
	return settled, nil
}

// open tells whether a column waits for an answer: nothing certain was found for it.
func (s *search) open(c *column) bool {
	return !slices.ContainsFunc(s.picks, func(p *pick) bool {
		return p.column.col == c.col && (p.grade == merge.Certain || p.hint.level == 4 && p.fits || p.when != "")
	})
}

// received counts the references that surely point at a key.
func (s *search) received(k *key) (n int) {
	for _, c := range s.columns {
		n += int(yes(c.fixed == k))
	}
	for _, p := range s.picks {
		n += int(yes(p.key == k && p.hint.level == 4 && p.fits))
	}
	return n
}
