package audit

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
)

// space is one key space on its way to new keys.
type space struct {
	key     merge.Col
	plan    merge.KeyPlan
	byPlan  bool
	earlier string          // the inputs whose merges had this rule and range, where nobody said another
	alive   []*merge.KeySet // by shard: keys of rows that come into the output
	dead    []*merge.KeySet // by shard: values that references hold in vain
	folds   [][]assign.Fold // by shard: rows that become one with an earlier shard's; nil unless the rows fold by value
	moving  []*merge.KeySet // by shard: the keys that change, also those of rows that fold
	other   int64           // key values that are not integers
	wholes  bool            // some of these are fractions that the engine takes for integers, which is refused
	highest int64
	issued  int64    // highest number that a row ever had, also one that is left out
	others  []*space // what the same sequence numbers
	users   []*reference
	result  *assign.Result
	stepped []string         // checks that keys keep when they differ by a multiple of some number
	rests   merge.Remainders // that the keys leave
	kinds   []kind           // the keys that follow, where several leave one remainder of their own each
	step    int64            // by which new keys have to differ from the old ones, or by a multiple, so that these remainders stay; 1 or 0 when nothing has any
}

func (s *space) moves() int64 {
	var n int64
	for _, m := range s.moving {
		n += m.Len()
	}
	return n
}

// parts tells whether the rows of two shards never have one key in the output.
func (s *space) parts() bool { return s.plan.New != merge.Static && s.folds == nil }

// move finds out which keys change: conflicting ones, and those of rows that fold into others'.
func (s *space) move() {
	s.moving = assign.Moving(assign.Unfolded(s.alive, s.folds), s.inOthers(), s.plan.All)
	for i, list := range s.folds {
		for _, f := range list {
			if f.Old != f.Key || s.moving[f.Shard].Has(f.Key) {
				s.moving[i].Add(f.Old)
			}
		}
	}
}

// folded counts the rows that fold and change their key by it.
func (s *space) folded() (n int64) {
	for i, list := range s.folds {
		for _, f := range list {
			if s.moving[i].Has(f.Old) {
				n++
			}
		}
	}
	return n
}

// checkRepeatedKeys refuses references of the plan to numbers that several rows share, unless it says that these are keys: it means another column.
func (a *auditor) checkRepeatedKeys(ctx context.Context) error {
	for _, r := range a.plain() {
		if !r.byPlan || len(r.To) != 1 || a.spaces[r.To[0]] == nil || a.spaces[r.To[0]].byPlan {
			continue
		}
		to := r.To[0]
		for i := range a.shards {
			k, err := a.shards[i].Keys(ctx, to)
			if err != nil {
				return err
			}
			if k.Repeats() {
				a.problem("references: %s: %s is no key, for rows of %s share a number; name the column that tells them apart, or, where it numbers groups that no table lists, say so under keys: {key: %[2]s, new: shift}", r.String(), to, a.name(i))
				break
			}
		}
	}
	return nil
}

// findSpaces finds the key space of every integer key: a key that is itself a reference belongs to its target's.
func (a *auditor) findSpaces(ctx context.Context) error {
	for _, t := range a.schema.Tables {
		if len(t.PrimaryKey) == 1 && t.Opaque == "" {
			a.root(merge.Col{Table: t.Name, Name: t.PrimaryKey[0]})
		}
	}
	for i := range a.given.Keys {
		a.root(a.given.Keys[i].Key)
	}
	for _, old := range a.archives { // also where no schema declares the numbers
		if !a.decided(old.Key) {
			a.root(old.Key)
		}
	}
	for _, composite := range []bool{false, true} {
		for _, r := range a.plain() {
			if len(r.To) > 1 != composite {
				continue
			}
			r.spaces = make([]*space, len(r.To))
			for i, to := range r.To {
				s := a.spaces[a.top(to)]
				if !composite { // a part of a key is a key of its own only where something else says so: a slot's number never changes
					s = a.root(to)
				}
				if s != nil {
					r.spaces[i] = s
					s.users = append(s.users, r)
				}
			}
		}
	}
	slices.SortStableFunc(a.order, func(x, y *space) int { return cmp.Compare(a.position(x.key), a.position(y.key)) })
	if a.checkByValue(); len(a.problems) > 0 {
		return nil
	}
	for _, s := range a.order {
		if s.alive != nil { // another one was filled after it
			continue
		}
		if err := a.fillSpace(ctx, s); err != nil {
			return err
		}
	}
	a.joinSequences()
	for _, s := range a.order { // what a person decided before is asked first
		if err := a.askEarlierSpace(ctx, s); err != nil {
			return err
		}
	}
	if err := a.askEarlierKeys(ctx); err != nil {
		return err
	}
	if err := a.askFull(ctx); err != nil {
		return err
	}
	for _, turned := range []bool{false, true} {
		for _, s := range a.order {
			a.askSides(s, turned)
		}
	}
	for _, s := range a.order {
		if err := a.askNatural(ctx, s); err != nil {
			return err
		}
	}
	a.checkCircles()
	a.checkKeyLines()
	a.checkFates()
	return nil
}

func (a *auditor) position(c merge.Col) int {
	return slices.IndexFunc(a.schema.Tables, func(t *merge.Table) bool { return t.Name == c.Table })
}

// top is the key at the end of the references that a key column is part of.
func (a *auditor) top(c merge.Col) merge.Col {
	seen := []merge.Col{c}
	for {
		next, ok := a.parent(c)
		if !ok {
			break
		}
		if at := slices.Index(seen, next); at >= 0 { // keys that refer to each other in a circle share the first one's space
			return slices.MinFunc(seen[at:], func(x, y merge.Col) int { return cmp.Compare(x.String(), y.String()) })
		}
		seen = append(seen, next)
		c = next
	}
	return c
}

// root is the key space that a key's values belong to; nil for a key that is no integer.
func (a *auditor) root(c merge.Col) *space {
	c = a.top(c)
	if s := a.spaces[c]; s != nil {
		return s
	}
	if kind := a.schema.Holds(c); kind == "" || kind == merge.Text || kind == merge.Real || a.schema.Column(c).Generated || a.byCondition(c) != nil {
		return nil
	}
	s := &space{key: c, plan: merge.KeyPlan{Key: c}}
	for _, k := range a.given.Keys {
		if k.Key == c {
			s.plan, s.byPlan = k, k.New != ""
		}
	}
	switch {
	case s.byPlan:
	case a.opt.NewKeys != "":
		s.plan.New = a.opt.NewKeys
		a.numberedAsEarlier(&s.plan)
	default:
		a.asEarlier(s)
	}
	s.plan.All = s.plan.All || a.opt.ChangeAll
	a.spaces[c] = s
	a.order = append(a.order, s)
	return s
}

// parent is the key that a key column refers to in every row.
func (a *auditor) parent(c merge.Col) (merge.Col, bool) {
	for _, r := range a.refs {
		if r.As != merge.Plain || r.When != "" {
			continue
		}
		if i := slices.Index(r.From, c); i >= 0 && r.To[i] != c {
			return r.To[i], true
		}
	}
	return merge.Col{}, false
}

func (a *auditor) fillSpace(ctx context.Context, s *space) error {
	t := a.tables[s.key.Table]
	s.alive = make([]*merge.KeySet, len(a.shards))
	s.dead = make([]*merge.KeySet, len(a.shards))
	for i := range a.shards {
		s.dead[i] = merge.NewKeySet()
		source := i
		if t.plan.Rows == merge.FromRows { // every shard's references go to the rows that stay
			source = slices.IndexFunc(a.shards, func(x merge.Shard) bool { return x.Source().Name == t.plan.From })
		}
		if t.plan.Rows == merge.EmptyRows {
			s.alive[i], s.issued = merge.NewKeySet(), math.MaxInt64
			continue
		}
		k, err := a.shards[source].Keys(ctx, s.key)
		if err != nil {
			return err
		}
		s.alive[i], s.other, s.highest = k.Set, s.other+k.Other, max(s.highest, k.Highest)
		if s.alive[i], err = a.shared(ctx, s.key, k.Set, source, i); err != nil {
			return err
		}
		if k, err = a.shards[i].Keys(ctx, s.key); err != nil {
			return err
		}
		a.checkWholes(s, i, k)
		s.issued = max(s.issued, k.Highest) // a shard's engine may remember what the output's does not
		if last, ok := k.Set.Max(); ok {
			s.issued = max(s.issued, last)
		}
	}
	if err := a.findStep(ctx, s); err != nil {
		return err
	}
	if s.plan.New == "" {
		s.plan.New = a.defaultRule(s)
	}
	if s.plan.Range == nil && !s.plan.Widen && s.plan.New == a.defaultRule(s) {
		s.earlier = "" // nothing to tell: it would be so without
	}
	if t.folds() {
		switch {
		case !s.byPlan || s.plan.New == merge.Static:
		case byDefault(s.plan):
			a.res.Idle = append(a.res.Idle, s.key)
		default:
			a.problem("keys: %s: new: %s has no effect, for rows fold by this key (rows: %s); remove one of the two", s.key, s.plan.New, t.policy())
		}
		s.plan.New = merge.Static
	}
	if err := a.keepNobodys(ctx, s); err != nil {
		return err
	}
	var err error
	if s.folds, err = a.foldsByValue(ctx, s); err != nil {
		return err
	}
	s.move()
	if s.plan.New == merge.Static {
		s.plan.All = false
		for i := range s.moving {
			s.moving[i] = merge.NewKeySet()
		}
	}
	return nil
}

// defaultRule is shift where the engine or the game's 32-bit code numbers the key, or all keys leave one remainder, which no other rule keeps, and gameid elsewhere, as for numbers as long as a platform's.
func (a *auditor) defaultRule(s *space) merge.Rule {
	t := a.tables[s.key.Table]
	if t.AutoColumn == s.key.Name || s.plan.Range != nil || a.countedByGame(s) || s.step > 1 && s.least() < outsideLeast {
		return merge.Shift
	}
	if _, high := a.limits(s); high < math.MaxInt64-1 {
		return merge.Shift
	}
	return merge.GameID
}

// limits are the highest new key that the plan, the key and every referring column allow; narrow names the narrowest column.
func (a *auditor) limits(s *space) (narrow merge.Col, high int64) {
	narrow, high = a.widths(s)
	if s.plan.Range != nil && s.plan.Range[1] < high {
		high, narrow = s.plan.Range[1], s.key
	}
	return narrow, high
}

// widths are the highest key that the key and every referring column can hold, and the narrowest of them.
func (a *auditor) widths(s *space) (narrow merge.Col, high int64) {
	high, narrow = math.MaxInt64-1, s.key // the very last number would stop an engine's counter
	look := func(c merge.Col) {
		if limit := a.schema.Column(c).Limit(); limit < high {
			high, narrow = limit, c
		}
	}
	if !s.plan.Widen {
		look(s.key)
		for _, r := range s.users {
			for i, sp := range r.spaces {
				if sp == s {
					look(r.From[i])
				}
			}
		}
	}
	return narrow, high
}

// numberedBy says who gives a key its next number by counting; "" when nobody does.
func (a *auditor) numberedBy(t *table, s *space) string {
	switch {
	case t.AutoColumn == s.key.Name:
		return "the engine"
	case a.countedByGame(s):
		return "the game"
	}
	return ""
}

// reissues tells whether the next number of a key may be the one above its highest row, whatever was numbered before: only an engine's own counter goes on. What
// the engine does not number, the game may, by looking for the highest key.
func (a *auditor) reissues(s *space) bool {
	t := a.tables[s.key.Table]
	return t.AutoColumn != s.key.Name || !t.Counted || a.countedByGame(s)
}

// issued is the highest number that a row of a key ever had. Numbers of a list that the plan calls static are the same things when they are issued again.
func (a *auditor) issued(s *space) int64 {
	if s.plan.New == merge.Static && !a.tables[s.key.Table].folds() {
		return 0
	}
	return s.issued
}

// emptied tells whether the plan leaves out all rows of a key whose numbers are issued again.
func (a *auditor) emptied(s *space) bool {
	return a.tables[s.key.Table].plan.Rows == merge.EmptyRows && a.reissues(s)
}

// countedByGame tells whether one of the plan's counters goes on above the highest row's key, or above another's of the same sequence.
func (a *auditor) countedByGame(s *space) bool {
	return slices.ContainsFunc(a.given.Counters, func(c merge.Counter) bool {
		key, ok := a.schema.Resolve(c.Key)
		return ok && (key == s.key || slices.ContainsFunc(s.others, func(o *space) bool { return o.key == key }))
	})
}
