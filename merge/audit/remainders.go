package audit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
)

// kind is a key that follows a space's, all of whose numbers leave one remainder when divided by some number.
type kind struct {
	key   merge.Col
	rests [][]int64 // by shard
}

// findStep finds by what number the keys of a space, divided, leave one remainder or a few, or each of several keys that follow it one of its own, as players' and creatures' numbers do in
// the table that says where each of them is: a game tells by that what a row is.
func (a *auditor) findStep(ctx context.Context, s *space) error {
	s.rests = merge.RemaindersOf(s.alive...)
	s.step = s.rests.Divisor
	var kinds []kind
	common := int64(0)
	for _, c := range a.columnsOf(s) {
		t := a.tables[c.Table]
		if c == s.key || t.Opaque != "" || len(t.PrimaryKey) != 1 || t.PrimaryKey[0] != c.Name {
			continue
		}
		var sets []*merge.KeySet
		for i := range a.shards {
			k, err := a.keysHeld(ctx, i, c)
			if err != nil {
				return err
			}
			sets = append(sets, k.Set)
		}
		if r := merge.RemaindersOf(sets...); r.Most() == 1 {
			kinds, common = append(kinds, kind{c, r.Rests}), merge.Divisor(common, r.Divisor)
		}
	}
	if len(kinds) < 2 || !restApart(kinds, common) || s.step > math.MaxInt64/common {
		return nil
	}
	s.kinds, s.step = kinds, multiple(s.step, common)
	return nil
}

// restApart tells whether some of the keys, divided by a number, leave other remainders than others in every shard that has rows of both.
func restApart(kinds []kind, by int64) bool {
	for i, x := range kinds {
		for _, y := range kinds[:i] {
			both, differ := 0, 0
			for n := range x.rests {
				if len(x.rests[n]) > 0 && len(y.rests[n]) > 0 {
					both++
					if x.rests[n][0]%by != y.rests[n][0]%by {
						differ++
					}
				}
			}
			if both > 0 && both == differ {
				return true
			}
		}
	}
	return false
}

// keepRemainder makes the new keys of a space that are shifted leave the remainders that its keys leave when divided by the number that they have in common, where there is room for
// such.
func (a *auditor) keepRemainder(s *space, req *assign.Request) {
	if s.step < 2 || req.Rule != merge.Shift || s.moves() == 0 {
		return
	}
	try := *req
	try.Step = multiple(max(req.Step, 1), s.step)
	if _, err := assign.Keys(try); err == nil {
		*req = try
	}
}

// findRemainders says whether new keys leave the remainders that all keys of a space leave, and refuses those that would meet other tables' numbers by it, or make other kinds of those that follow.
func (a *auditor) findRemainders(s *space, req assign.Request) {
	n := s.step
	if n < 2 || s.moves() == 0 || s.plan.New == merge.Static {
		return
	}
	f := merge.Finding{Rule: "split", Severity: merge.Info, Table: s.key.Table, Column: s.key.Name, Rows: s.moves(), Text: s.remainders()}
	if req.Rule == merge.Shift && req.Step%n == 0 {
		f.Text += "; the new ones leave the same, by which a game may tell what a row is"
		a.find(f)
		return
	}
	f.Text += fmt.Sprintf("; new ones under %q do not: where the game tells by it what a row is, those that move become others", s.plan.New)
	f.Next = fmt.Sprintf("say {key: %s, new: shift}, which keeps the remainder", s.key)
	if req.Rule == merge.Shift {
		f.Next = "widen the columns that hold it, so that keys of the same remainder fit above, or look whether the game does"
	}
	if o := a.besideRemainder(s); o != nil {
		f.Severity = merge.Block
		f.Text += fmt.Sprintf(", and meet those of %s, whose keys leave another remainder", o.key)
	} else if len(s.kinds) > 0 && !a.ofSequence(s) {
		f.Severity = merge.Block
	}
	a.find(f)
}

// remainders says what all keys of a space leave when divided by its step, and what each of those does that follow; the remainders themselves where they are the same in every shard.
func (s *space) remainders() string {
	text := fmt.Sprintf("all keys of a server leave one remainder when divided by %d%s", s.step, inBrackets(s.rests.Rests, s.step))
	if most := s.rests.Most(); most > 1 {
		text = fmt.Sprintf("all keys of a server leave %d remainders when divided by %d%s", most, s.step, inBrackets(s.rests.Rests, s.step))
	}
	var own []string
	for _, k := range s.kinds {
		own = append(own, k.key.String()+inBrackets(k.rests, s.step))
	}
	switch {
	case own == nil:
		return text
	case s.rests.Most() == 0:
		return fmt.Sprintf("the keys that follow it leave one remainder each when divided by %d: %s", s.step, strings.Join(own, ", "))
	}
	return text + ", and those that follow it one each: " + strings.Join(own, ", ")
}

// inBrackets are remainders by shard, in brackets; "" where they are not the same in every shard that has some.
func inBrackets(rests [][]int64, by int64) string {
	var same []int64
	for _, list := range rests {
		if len(list) > 0 && same != nil && !slices.Equal(list, same) {
			return ""
		}
		if len(list) > 0 {
			same = list
		}
	}
	var words []string
	for _, rest := range same {
		words = append(words, strconv.FormatInt(rest%by, 10))
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// ofSequence tells whether the plan says that a key is of a sequence, of which the numbers are kept apart by themselves.
func (a *auditor) ofSequence(s *space) bool {
	return slices.ContainsFunc(a.given.Keys, func(k merge.KeyPlan) bool { return k.Key == s.key && k.Sequence != "" })
}

// besideRemainder is another table's key whose numbers lie among those of a space and never meet them, since they leave another remainder when divided by a number that
// both have in common; nil where there is none, or the plan says that either is of a sequence, of which the numbers are kept apart by themselves.
func (a *auditor) besideRemainder(s *space) *space {
	for _, o := range a.order {
		common := merge.Divisor(s.rests.Divisor, max(o.rests.Divisor, 1))
		if o == s || common < 2 || a.ofSequence(s) || a.ofSequence(o) {
			continue
		}
		meet := false
		for i := range s.alive {
			meet = meet || shareRemainder(s.rests.Rests[i], o.rests.Rests[i], common)
		}
		if !meet {
			return o
		}
	}
	return nil
}

// shareRemainder tells whether two keys leave one remainder when divided by a number, of those that each leaves in a shard.
func shareRemainder(s, o []int64, by int64) bool {
	return slices.ContainsFunc(s, func(x int64) bool { return slices.ContainsFunc(o, func(y int64) bool { return (x-y)%by == 0 }) })
}
