package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// askEarlierSpace asks before a key gets new numbers that an earlier merge left as they were, or by which its rows folded.
func (a *auditor) askEarlierSpace(ctx context.Context, s *space) error {
	t := a.tables[s.key.Table]
	if s.byPlan || s.plan.New == merge.Static || s.moves() == 0 && len(s.users) == 0 || !t.mixes() || a.tableAsked(t.Name) || a.keyAsked(s.key) {
		return nil
	}
	asked := a.referenceAsked(s.key)
	if asked && !a.heldNone(s.key) {
		return nil
	}
	if rows, _ := a.earlierTable(t.Name); rows != nil && rows.Rows != merge.MergeRows { // its keys stayed because of that
		if !slices.Equal(t.KeyCols(), []merge.Col{s.key}) || s.moves() == 0 {
			return nil
		}
		if !t.decided {
			return a.askEarlierFold(ctx, t)
		}
		if rows.Rows != merge.FirstRows && rows.Rows != merge.UnionRows {
			return nil
		}
	}
	old, by := a.stayedBefore(s.key)
	if old == nil || asked && a.saidByKey(s.key) {
		return nil // the line of what is asked is that one
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("the merge that made %s left the numbers of %s as they were: shall they stay again (new: static)? Else %s (new: %s)",
			by, s.key, counted(s.moves(), "row gets a new one", "rows get new ones"), s.plan.New),
		Rows: s.moves(), Key: old,
	})
	return nil
}

// stayedBefore is the line of earlier merges that left the numbers of a key as they were.
func (a *auditor) stayedBefore(c merge.Col) (*merge.KeyPlan, string) {
	line := merge.KeyPlan{Key: c}
	if s := a.spaces[c]; s != nil {
		line = s.plan
	}
	old, by := a.earlierKey(&line)
	if old == nil || old.New != merge.Static {
		return nil, ""
	}
	return old, by
}

// heldNone tells whether earlier merges said that a key holds no other one: in so many words, or because its own numbers stayed.
func (a *auditor) heldNone(c merge.Col) bool {
	if old, _ := a.earlierReference([]merge.Col{c}, ""); old != nil {
		return old.As == merge.Keep
	}
	lines, _ := a.earlierLines([]merge.Col{c})
	old, _ := a.stayedBefore(c)
	return len(lines) == 0 && old != nil
}

// saidByKey tells whether a line under keys alone answers what a key holds, and earlier merges said no more.
func (a *auditor) saidByKey(c merge.Col) bool {
	if old, _ := a.earlierReference([]merge.Col{c}, ""); old != nil {
		return false
	}
	return !a.uniqueAlone(c) || slices.ContainsFunc(a.proposed[c], func(p merge.Proposal) bool { return p.Own }) ||
		slices.ContainsFunc(a.found, func(k discover.Key) bool { return k.Col == c && k.Undeclared })
}

// remindOfStay makes of a question whether a key holds another one, of which earlier merges said nothing but that its numbers stay, one with that line.
func (a *auditor) remindOfStay(u *merge.Undecided) {
	r := u.Reference
	if r.As != merge.Plain || r.When != "" || len(r.From) != 1 {
		return
	}
	old, by := a.stayedBefore(r.From[0])
	switch {
	case old == nil:
	case a.saidByKey(r.From[0]) && !a.keyAsked(r.From[0]):
		u.Reference = nil
		remind(u, by, &u.Key, old)
	default:
		u.Reference = &merge.Reference{From: r.From, As: merge.Keep}
		u.Evidence = joinWords(u.Evidence, fmt.Sprintf("the merge that made %s left its numbers as they were (new: static)", by))
		a.keptAgain = append(a.keptAgain, r.From[0])
	}
}

// askEarlierKeys asks about numbers that an earlier merge made new and that no key space holds now, as a part of a key over several columns: what stays of them meets another server's.
func (a *auditor) askEarlierKeys(ctx context.Context) error {
	for _, e := range a.earlier {
		for _, k := range e.plan.Keys {
			cols, ok := a.spelled([]merge.Col{k.Key})
			if !ok || k.New == "" || k.New == merge.Static {
				continue
			}
			c, t := cols[0], a.tables[cols[0].Table]
			if a.spaces[a.top(c)] != nil || a.saidOf(cols) || a.keyAsked(c) || a.referenceAsked(c) || t.Opaque != "" || t.folds() || !t.mixes() || a.tableAsked(t.Name) {
				continue
			}
			old, by := a.earlierKey(&merge.KeyPlan{Key: c})
			if old == nil {
				continue
			}
			shared, seen := int64(0), merge.NewKeySet()
			for _, s := range a.shards {
				keys, err := s.Keys(ctx, c)
				if err != nil {
					return err
				}
				shared += seen.Shared(keys.Set)
				seen.Union(keys.Set)
			}
			if shared == 0 {
				continue
			}
			said, again := old.New, "again"
			if rule := cmp.Or(a.opt.NewKeys, old.New); rule != old.New {
				line := *old
				line.New, line.Range, line.Widen = rule, nil, false
				old, again = &line, fmt.Sprintf("again, now by new: %s", rule)
			}
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("the merge that made %s gave the later servers' %s new numbers (new: %s), and %s in two shards: %s? If they are a thing by themselves and stay, say so under references: %s",
					by, c, said, counted(shared, "number stands", "numbers stand"), again, keepLine(c)),
				Rows: t.total(), Key: old,
			})
		}
	}
	return nil
}

// madeNew tells whether earlier merges gave the numbers of a key new ones.
func (a *auditor) madeNew(line *merge.KeyPlan) bool {
	old, _ := a.earlierKey(line)
	return old != nil && old.New != merge.Static
}
