package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
	"github.com/gameid/gameid/merge/planfile"
)

// Some games number the rows of several tables by one sequence, as the object factories of L2J's servers do: players, items, pets and clans never share a number, and
// code finds an object by its number alone. So does a table of old rows that takes over those of another. Nothing declares it, but the data show it.

// sequence is the keys that one sequence numbers; by shard, all of their values.
type sequence struct {
	name    string // the plan's; "" where only the data show it
	members []*space
	all     []*merge.KeySet
}

// joinSequences finds the sequences of more than one key and adds to what changes the keys that would meet a row of another table.
func (a *auditor) joinSequences() {
	var found []*sequence
	var open []*space
	for _, s := range a.order {
		if s.plan.New == merge.Static || a.tables[s.key.Table].folds() {
			continue
		}
		if s.plan.Sequence == "" {
			s.plan.Sequence = a.sequenceAfter(s.key)
		}
		if s.plan.Sequence == "" {
			open = append(open, s)
			continue
		}
		i := slices.IndexFunc(found, func(q *sequence) bool { return q.name == s.plan.Sequence })
		if i < 0 {
			found = append(found, a.newSequence(s))
			continue
		}
		if at, other := found[i].meets(s); at < 0 {
			found[i].add(s)
		} else if slices.ContainsFunc(a.given.Keys, func(k merge.KeyPlan) bool { return k.Key == s.key && k.Sequence != "" }) {
			a.problem("keys: %s and %s are of one sequence (%s), but both have %d in %s; give them names of their own", s.key, other.key, s.plan.Sequence, sharedKey(other.alive[at], s.alive[at]), a.name(at))
		} else {
			s.plan.Sequence = "" // an earlier merge's inputs showed what these do not
			open = append(open, s)
		}
	}
	size := func(s *space) (n int64) {
		for _, keys := range s.alive {
			n += keys.Len()
		}
		return n
	}
	slices.SortStableFunc(open, func(x, y *space) int { return cmp.Compare(size(y), size(x)) })
	together := a.countedTogether()
	for _, s := range open {
		i := slices.IndexFunc(found, func(q *sequence) bool { return q.numbers(s) || a.takesOver(q, s) || q.countedWith(s, together) })
		if i < 0 {
			for _, q := range found {
				a.refuseTwins(q, s)
			}
			found = append(found, a.newSequence(s))
			continue
		}
		found[i].add(s)
	}
	for _, q := range found {
		a.keepApart(q)
	}
}

// sequenceAfter is the plan's sequence that is called after a key, of which that is one though it has no line of its own, as while its table is asked about; "" where there is none.
func (a *auditor) sequenceAfter(key merge.Col) string {
	for _, k := range a.given.Keys {
		if k.Sequence == key.String() {
			return k.Sequence
		}
	}
	return ""
}

func (a *auditor) newSequence(s *space) *sequence {
	q := &sequence{name: s.plan.Sequence}
	for range a.shards {
		q.all = append(q.all, merge.NewKeySet())
	}
	q.add(s)
	return q
}

func (q *sequence) add(s *space) {
	q.members = append(q.members, s)
	for i, keys := range s.alive {
		q.all[i].Union(keys)
	}
}

// meets is the first shard in which a key has a value of the sequence's, and whose; -1 when there is none.
func (q *sequence) meets(s *space) (shard int, other *space) {
	for i, keys := range s.alive {
		for _, other := range q.members {
			if other.alive[i].Shared(keys) > 0 {
				return i, other
			}
		}
	}
	return -1, nil
}

// sharedKey is the lowest key in both sets.
func sharedKey(x, y *merge.KeySet) int64 {
	k, _ := x.Both(y).Min()
	return k
}

// numbers tells whether a key's values are of the same sequence, as far as the data show it.
func (q *sequence) numbers(s *space) bool { return merge.OneSequence(q.all, s.alive) }

// How many numbers of a shard two keys of one sequence may share, and which share of the fewer ones: things that a crash doubled.
const (
	twinMost  = 3
	twinShare = 0.01
)

// refuseTwins blocks a key that one sequence would number with others, but for a few things that stand in two tables of a shard, as a crash between two writes leaves them: kept apart by
// themselves, the numbers of all others would meet in the output.
func (a *auditor) refuseTwins(q *sequence, s *space) {
	others, keys, where := make([]*merge.KeySet, len(q.all)), make([]*merge.KeySet, len(q.all)), []string{}
	var rows int64
	for i := range q.all {
		both := q.all[i].Both(s.alive[i])
		if n := both.Len(); n > 0 {
			if float64(n) > max(twinMost, twinShare*float64(min(q.all[i].Len(), s.alive[i].Len()))) {
				return
			}
			rows += n
			low, _ := both.Min()
			where = append(where, fmt.Sprintf("%s in %s, such as %d", counted(n, "number", "numbers"), a.name(i), low))
		}
		others[i], keys[i] = q.all[i].Without(both), s.alive[i].Without(both)
	}
	if rows == 0 || q.name != "" || !merge.OneSequence(others, keys) {
		return
	}
	first := q.members[0].key
	a.find(merge.Finding{
		Rule: "one-sequence", Severity: merge.Block, Table: s.key.Table, Column: s.key.Name, Rows: rows,
		Text: fmt.Sprintf("one sequence seems to number %s and %s, for their numbers leave each other's out, and yet both have %s: as long as one thing stands in two tables, nothing keeps the others' numbers apart",
			first, s.key, strings.Join(where, ", and ")),
		Next: fmt.Sprintf("take such things out of one of the two tables in copies of the shards; where the tables have nothing to do with each other, give each a sequence of its own under keys: %s and %s",
			planfile.KeyLine(&merge.KeyPlan{Key: first, Sequence: first.Table}), planfile.KeyLine(&merge.KeyPlan{Key: s.key, Sequence: s.key.Table})),
	})
}

// takesOver tells whether a key's table seems to keep old rows of one that a sequence numbers, or the other way round.
func (a *auditor) takesOver(q *sequence, s *space) bool {
	at, _ := q.meets(s)
	return at < 0 && slices.ContainsFunc(q.members, func(o *space) bool { return a.archiveOf(o.key, s.key) || a.archiveOf(s.key, o.key) })
}

// archiveOf tells whether a key's table seems to keep old rows of another one's.
func (a *auditor) archiveOf(key, of merge.Col) bool {
	return slices.Contains(a.archives, discover.Archive{Key: key, Of: of})
}

// countedTogether is the keys that the plan's counters count from one row each, where no shard has a number in two of them: a game that takes the numbers of several tables from one row gives
// none of them twice, also where the one table's are a block from before the others'.
func (a *auditor) countedTogether() (groups [][]*space) {
	of := make(map[merge.Counter][]*space)
	for _, s := range a.order {
		for _, c := range a.given.Counters {
			if key, ok := a.schema.Resolve(c.Key); !ok || key != s.key {
				continue
			}
			column, _ := a.schema.Resolve(c.Column)
			row := merge.Counter{Column: column, Where: c.Where}
			if !slices.Contains(of[row], s) {
				of[row] = append(of[row], s)
			}
		}
	}
	for _, keys := range of {
		q := a.newSequence(keys[0])
		if !slices.ContainsFunc(keys[1:], func(s *space) bool {
			at, _ := q.meets(s)
			q.add(s)
			return at >= 0
		}) {
			groups = append(groups, keys)
		}
	}
	return groups
}

// countedWith tells whether one row counts a key and one that a sequence numbers.
func (q *sequence) countedWith(s *space, together [][]*space) bool {
	at, _ := q.meets(s)
	return at < 0 && slices.ContainsFunc(together, func(keys []*space) bool {
		return slices.Contains(keys, s) && slices.ContainsFunc(keys, func(o *space) bool { return slices.Contains(q.members, o) })
	})
}

// sameThings tells whether two tables say the same of their rows, as one of the living and one of the deleted: the one has the columns of the other, all or nearly all, or a part of them, and hardly
// any other.
func (a *auditor) sameThings(table, archive string) bool {
	s, t := a.schema.Table(archive), a.schema.Table(table)
	both := 0
	for _, c := range s.Columns {
		if t.Column(c.Name, a.schema.Fold) != nil {
			both++
		}
	}
	return both >= archiveLeast && (float64(both) >= archiveShare*float64(max(len(s.Columns), len(t.Columns))) || both >= len(s.Columns)-1)
}

// How many columns an archive of a table has in common with it, and what share of the one's that has more.
const (
	archiveLeast = 3
	archiveShare = 0.8
)

// keepApart makes the keys of a sequence know each other.
func (a *auditor) keepApart(q *sequence) {
	if len(q.members) == 1 {
		return
	}
	shown := q.name == ""
	slices.SortStableFunc(q.members, func(x, y *space) int { return cmp.Compare(slices.Index(a.order, x), slices.Index(a.order, y)) })
	var names []string
	var alone, more int64
	for _, s := range q.members {
		names = append(names, s.key.String())
		s.plan.Sequence = cmp.Or(q.name, q.members[0].key.String())
		s.others = slices.DeleteFunc(slices.Clone(q.members), func(o *space) bool { return o == s })
		alone += s.moves()
	}
	for _, s := range q.members {
		i := slices.IndexFunc(q.members, func(o *space) bool { return a.archiveOf(s.key, o.key) })
		if i >= 0 && !s.byPlan && s.earlier == "" && a.opt.NewKeys == "" {
			s.plan.New = q.members[i].plan.New
		}
		if s.plan.New == merge.GameID && !s.byPlan && s.earlier == "" && a.opt.NewKeys == "" && a.countedByGame(s) {
			s.plan.New = merge.Shift // as the key that the counter was named for
		}
		s.move()
		more += s.moves()
	}
	if !shown || more == 0 {
		return
	}
	first := q.members[0].key
	a.find(merge.Finding{
		Rule: "one-sequence", Severity: merge.Info, Table: first.Table, Column: first.Name, Rows: more - alone,
		Text: fmt.Sprintf("one sequence numbers %s: no shard has a number in two of them; so that the output has none either, %s besides those that their own tables hold twice",
			strings.Join(names, ", "), counted(more-alone, "key changes", "keys change")),
		Next: "where they have nothing to do with each other, give each a sequence of its own under keys, such as " + planfile.KeyLine(&merge.KeyPlan{Key: first, Sequence: first.Table}),
	})
}

// ofSequences adds to counters of the game what they count besides: the other keys of the same sequence.
func (a *auditor) ofSequences(given []merge.Counter) []merge.Counter {
	all := slices.Clone(given)
	for _, c := range given {
		s := a.spaces[c.Key]
		if s == nil {
			continue
		}
		for _, o := range s.others {
			more := c
			if more.Key = o.key; !slices.Contains(all, more) {
				all = append(all, more)
			}
		}
	}
	return all
}

// inOthers is, by shard, the keys of the other tables of a key's sequence; nil where it has none.
func (s *space) inOthers() []*merge.KeySet {
	if len(s.others) == 0 {
		return nil
	}
	sets := make([]*merge.KeySet, len(s.alive))
	for i := range sets {
		sets[i] = merge.NewKeySet()
		for _, o := range s.others {
			sets[i].Union(o.alive[i])
		}
	}
	return sets
}

// above is the highest number that a key of a space's sequence ever had or gets.
func (s *space) above() int64 {
	top := s.highest
	for _, o := range s.others {
		top = max(top, o.highest)
		for _, keys := range o.alive {
			if k, ok := keys.Max(); ok {
				top = max(top, k)
			}
		}
		if o.result != nil {
			top = max(top, o.result.Highest)
		}
	}
	return top
}

// avoided are values that no new key of a space becomes: what means nobody, and in a sequence whatever the other keys are, are dead as, or become.
func (s *space) avoided() *merge.KeySet {
	set := s.nobodies()
	for _, o := range s.others {
		set.Union(o.nobodies())
		set.Union(o.alive...)
		set.Union(o.dead...)
		if o.result == nil {
			continue
		}
		for i := range o.alive {
			set.Union(o.result.Maps[i].Images(o.alive[i]), o.result.Maps[i].Images(o.dead[i]))
		}
	}
	return set
}
