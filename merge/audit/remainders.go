package audit

import (
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
)

// commonStep is the number by which all keys of a shard differ, or a multiple of it, the same in every shard, so that divided by it they leave one remainder there: players'
// numbers end in 00, items' in 02, and a game tells by that what a row is. It is 1 where there is none, or chance may have made it.
func commonStep(alive []*merge.KeySet) (step int64) {
	differences := 0.0
	for _, keys := range alive {
		if step = merge.Divisor(step, keys.Step()); step == 1 {
			return 1
		}
		differences += float64(max(keys.Len()-1, 0))
	}
	if step == 0 || (1-differences)*math.Log(float64(step)) > math.Log(splitChance) { // of two differences, any number may divide both
		return 1
	}
	return step
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

// findRemainders says whether new keys leave the remainder that all keys of a space leave, and refuses those that would meet other tables' numbers by it.
func (a *auditor) findRemainders(s *space, req assign.Request) {
	n := s.step
	if n < 2 || s.moves() == 0 || s.plan.New == merge.Static {
		return
	}
	f := merge.Finding{
		Rule: "split", Severity: merge.Info, Table: s.key.Table, Column: s.key.Name, Rows: s.moves(),
		Text: fmt.Sprintf("all keys of a server leave one remainder when divided by %d%s", n, s.remainder()),
	}
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
	}
	a.find(f)
}

// remainder is what all keys of a space leave when divided by its step, in words; "" where it is not the same in every shard.
func (s *space) remainder() string {
	rest := int64(-1)
	for _, keys := range s.alive {
		low, ok := keys.Min()
		if !ok {
			continue
		}
		left := (low%s.step + s.step) % s.step
		if rest >= 0 && left != rest {
			return ""
		}
		rest = left
	}
	return fmt.Sprintf(" (%d)", rest)
}

// besideRemainder is another table's key whose numbers lie among those of a space and never meet them, since they leave another remainder when divided by a number that
// both have in common; nil where there is none, or the plan says that either is of a sequence, of which the numbers are kept apart by themselves.
func (a *auditor) besideRemainder(s *space) *space {
	named := func(o *space) bool {
		return slices.ContainsFunc(a.given.Keys, func(k merge.KeyPlan) bool { return k.Key == o.key && k.Sequence != "" })
	}
	for _, o := range a.order {
		common := merge.Divisor(s.step, max(o.step, 1))
		if o == s || common < 2 || named(s) || named(o) {
			continue
		}
		apart := true
		for i := range s.alive {
			x, some := s.alive[i].Min()
			y, others := o.alive[i].Min()
			apart = apart && (!some || !others || (x-y)%common != 0)
		}
		if apart {
			return o
		}
	}
	return nil
}
