package audit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// mostAre is how many times the rows of any other number hold one at least that means nobody without a word of the schema: a group so much larger than every other is none.
const mostAre = 2

// keepNobodys takes out of a key whose numbers rows share, as those of groups that no table lists, what stands where a row is in no group: it never changes. The plan says
// which numbers these are, or the schema and the rows do; where they do not, it is asked.
func (a *auditor) keepNobodys(ctx context.Context, s *space) error {
	if s.plan.New == merge.Static || a.tables[s.key.Table].folds() {
		if s.plan.None != nil {
			a.problem("keys: %s: none has no effect, for the key never changes; remove it", s.key)
		}
		s.plan.None = nil
		return nil
	}
	if s.plan.None != nil {
		if a.uniqueAlone(s.key) {
			a.problem("keys: %s: none says which number of groups means nobody, and of this key no two rows share a number; say it of the columns that refer to it (references: none)", s.key)
		}
		s.leaveAlone()
		return nil
	}
	repeats := false
	for i := range a.shards {
		k, err := a.shards[i].Keys(ctx, s.key)
		if err != nil {
			return err
		}
		repeats = repeats || k.Repeats()
	}
	if !repeats {
		return nil
	}
	none, doubt, err := a.inNoGroup(ctx, s.key, s.plan.All)
	if err != nil {
		return err
	}
	s.plan.None = none
	s.leaveAlone()
	if doubt != "" {
		line := s.plan
		a.ask(merge.Undecided{Question: doubt, Rows: a.tables[s.key.Table].total(), Key: &line})
	} else if len(none) > 0 {
		a.find(merge.Finding{
			Rule: "left-alone", Severity: merge.Info, Table: s.key.Table, Column: s.key.Name,
			Text: fmt.Sprintf("many rows share a number of this key, so that %s means nobody, as in no group: it stays as it is", wholeNumbers(none)),
			Next: "where it is a group as others are, say none: [] beside the key",
		})
	}
	return nil
}

// leaveAlone takes the numbers that mean nobody out of a key.
func (s *space) leaveAlone() {
	for i := range s.alive {
		s.alive[i] = s.alive[i].Without(merge.NewKeySet(s.plan.None...))
	}
}

// allOnes are the highest numbers of a width, which a game that counts without a sign writes for -1.
var allOnes = []int64{math.MaxInt32, math.MaxUint32, math.MaxInt64}

// inNoGroup are those of 0, -1 and those that mean nobody in a column of groups, nil where no row holds any; doubt is a question where nothing says it of a number that would
// change. Beside other columns of a unique key they are numbers as others are: a row that is in no group has no place there.
func (a *auditor) inNoGroup(ctx context.Context, c merge.Col, all bool) (none []int64, doubt string, err error) {
	var asked []string
	nobody := append([]int64{0, -1}, allOnes...)
	for _, v := range nobody {
		var shards, most, more int
		var held []string
		for i, s := range a.shards {
			own, ok := s.Schema().Resolve(c)
			if !ok {
				continue
			}
			rows, err := s.Count(ctx, own.Table, fmt.Sprintf("%s = %d", a.engine.Quote(own.Name), v))
			if err != nil {
				return nil, "", err
			}
			if rows == 0 {
				continue
			}
			list, err := s.Values(ctx, own, a.engine.Quote(own.Name)+" NOT IN ("+wholeNumbers(nobody)+")", 1)
			if err != nil {
				return nil, "", err
			}
			other := int64(0)
			if len(list) > 0 {
				other = list[0].Rows
			}
			shards++
			if rows > other {
				more++
			}
			if rows >= mostAre*other {
				most++
			}
			held = append(held, fmt.Sprintf("%s of %s", counted(rows, "row", "rows"), a.name(i)))
		}
		if shards == 0 {
			continue
		}
		if none == nil {
			none = []int64{}
		}
		declared := strings.Trim(a.schema.Column(c).Default, "'") == strconv.FormatInt(v, 10)
		switch {
		case a.besideOthers(c):
		case slices.Contains(allOnes, v): // nobody counts so far
			none = append(none, v)
		case shards < 2 && !all || declared || most == shards:
			none = append(none, v)
		default:
			if more == shards || v < 0 {
				none = append(none, v)
			}
			asked = append(asked, fmt.Sprintf("does %d in %s mean nobody, as in no group, and stay as it is? %s hold it, and as many or nearly as many a number beside it. none: [%[1]d] says so; none: [] says that it is a group as others are, and each server's another",
				v, c, strings.Join(held, " and ")))
		}
	}
	return none, strings.Join(asked, "; "), nil
}

// besideOthers tells whether a unique key of several columns holds one.
func (a *auditor) besideOthers(c merge.Col) bool {
	t := a.schema.Table(c.Table)
	return slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool { return len(u.Columns) > 1 && slices.Contains(u.Columns, c.Name) })
}

// wholeNumbers is a list of numbers as a plan and SQL write it.
func wholeNumbers(list []int64) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = strconv.FormatInt(v, 10)
	}
	return strings.Join(words, ", ")
}
