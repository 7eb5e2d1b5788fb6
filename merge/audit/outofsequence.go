package audit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// alongside says with which keys one sequence numbers a key's rows; "" where none does.
func (s *space) alongside() string {
	if len(s.others) == 0 {
		return ""
	}
	return "; but one sequence numbers it and " + keysOf(s.others) + ", which get new ones"
}

// keysOf names the keys of some spaces.
func keysOf(list []*space) string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.key.String()
	}
	return strings.Join(names, ", ")
}

// checkOutOfSequence blocks where the plan never changes a key that one sequence seems to number with others, and some of its numbers are the others' in the output. A line that
// gives it a sequence of its own says that they have nothing to do with each other.
func (a *auditor) checkOutOfSequence() {
	a.tellNextNumbers()
	for _, s := range a.order {
		if !s.byPlan || s.plan.New != merge.Static {
			continue
		}
		var seen []*space
		for _, o := range a.order {
			if o.plan.New == merge.Static || slices.Contains(seen, o) {
				continue
			}
			members := append([]*space{o}, o.others...)
			seen = append(seen, members...)
			if s.plan.Sequence != "" && s.plan.Sequence != o.plan.Sequence {
				continue
			}
			if met := s.meetsOutput(members); met.Len() > 0 {
				a.findOutOfSequence(s, members, met)
			}
		}
	}
}

// meetsOutput is what a key that stays shares with those of a sequence in the output, where no shard has a number in two of them; empty where they are of no one sequence.
func (s *space) meetsOutput(members []*space) *merge.KeySet {
	all, output, own := make([]*merge.KeySet, len(s.alive)), merge.NewKeySet(), merge.NewKeySet()
	for i, keys := range s.alive {
		all[i] = merge.NewKeySet()
		own.Union(keys)
		for _, o := range members {
			if o.result == nil { // for which there is no room
				return merge.NewKeySet()
			}
			all[i].Union(o.alive[i])
			output.Union(o.result.Maps[i].Images(o.alive[i]))
		}
	}
	if met := own.Both(output); met.Len() > 0 && (s.plan.Sequence != "" || merge.OneSequence(all, s.alive)) {
		return met
	}
	return merge.NewKeySet()
}

func (a *auditor) findOutOfSequence(s *space, members []*space, met *merge.KeySet) {
	low, _ := met.Min()
	of := "it"
	if len(members) > 1 {
		of = "them"
	}
	apart := s.plan
	apart.Sequence = s.key.Table
	a.find(merge.Finding{
		Rule: "one-sequence", Severity: merge.Block, Table: s.key.Table, Column: s.key.Name, Rows: met.Len(),
		Text: fmt.Sprintf("one sequence numbers %s and %s, for no shard has a number of the former in %s; as the former stays (new: static), the output has %s in two tables, such as %d",
			s.key, keysOf(members), of, counted(met.Len(), "number", "numbers"), low),
		Next: fmt.Sprintf("let it get new ones as the others do: %s; where the tables have nothing to do with each other, say so: %s",
			planfile.KeyLine(&merge.KeyPlan{Key: s.key, New: members[0].plan.New}), planfile.KeyLine(&apart)),
	})
}

// tellNextNumbers tells where the engine would give the next row of a table a number that a row of another table of the same sequence has, as where those alone got new ones.
func (a *auditor) tellNextNumbers() {
	for _, s := range a.order {
		if s.plan.New == merge.Static || !a.numbersNext(s) {
			continue
		}
		top := s.lastOf()
		for _, o := range s.others {
			if high := o.lastOf(); high > top && top < math.MaxInt64 {
				a.find(merge.Finding{
					Rule: "auto-number", Severity: merge.Info, Table: s.key.Table, Column: s.key.Name,
					Text: fmt.Sprintf("the engine gives the next row of %s the number %d, and rows of %s have higher ones, up to %d", s.key.Table, top+1, o.key.Table, high),
					Next: "where the game takes numbers from the engine, let all rows of later servers get new ones: " + planfile.KeyLine(&merge.KeyPlan{Key: s.key, New: merge.Shift, All: true}),
				})
			}
		}
	}
}

// lastOf is the highest key of a space in the output.
func (s *space) lastOf() (top int64) {
	for i, keys := range s.alive {
		images := keys
		if s.result != nil {
			images = s.result.Maps[i].Images(keys)
		}
		if k, ok := images.Max(); ok {
			top = max(top, k)
		}
	}
	return top
}
