package audit

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// What a plan says and no rewrite would do is refused here, where only the schema shows it. What the words alone show, the plan's reader refuses.

// checkKeyLines refuses decisions about keys that get no new values of their own: texts, keys that follow another one, and keys that follow others as conditions say.
func (a *auditor) checkKeyLines() {
	for _, k := range a.given.Keys {
		if k.New == "" && !k.All && !k.Conflicts && k.Range == nil && !k.Widen && k.Sequence == "" && k.None == nil { // a role
			continue
		}
		s, led := a.root(k.Key), a.byCondition(a.top(k.Key))
		switch {
		case s == nil && led != nil && a.schema.Holds(k.Key) != merge.Text:
			a.problem("keys: %s has no effect: the values follow what they refer to, row by row (%s); take this line out of keys, or those out of references where the key numbers its own rows", k.Key, led.String())
		case s == nil && (k.New == "" || k.New != merge.Static):
			a.problem("keys: %s has no effect: the key is no whole number; a text key gets its new values as a name (uniques: on_conflict: rename)", k.Key)
		case s != nil && s.key != k.Key && !a.mayNumber(k.Key):
			a.problem("keys: %s has no effect: no key of %s, but a reference to %s, which it follows; decide %[3]s, or name the key that is meant", k.Key, k.Key.Table, s.key)
		case s != nil && s.key != k.Key && byDefault(k) && a.namedFollower(k.Key):
			a.res.Idle = append(a.res.Idle, k.Key)
		case s != nil && s.key != k.Key && (k.New != "" && k.New != s.plan.New || k.All && !s.plan.All || k.Range != nil && !reflect.DeepEqual(k.Range, s.plan.Range) || k.Widen && !s.plan.Widen || k.Sequence != "" && k.Sequence != s.plan.Sequence || k.None != nil && !slices.Equal(k.None, s.plan.None)):
			a.problem("keys: %s has no effect: the key refers to %s and follows it; decide %[2]s", k.Key, s.key)
		}
	}
}

// checkCircles refuses keys and names that the plan, and no schema, leads to each other in a circle: none of them would be the rows' own, and one outside of it may be.
func (a *auditor) checkCircles() {
	leads := map[merge.Col]merge.Col{}
	for _, r := range a.refs {
		if from := r.From[0]; r.byPlan && (r.As == merge.Plain || r.As == merge.Copy) && r.When == "" && len(r.From) == 1 && !a.declares(from) && (r.As == merge.Copy || a.uniqueAlone(from)) {
			leads[from] = r.To[0]
		}
	}
	for len(leads) > 0 {
		c, path := least(leads), []merge.Col(nil)
		for leads[c].Table != "" && !slices.Contains(path, c) {
			path = append(path, c)
			c = leads[c]
		}
		if at := slices.Index(path, c); at >= 0 {
			a.problem("references: %s leads to itself by way of %s, so that none of these is its rows' own; take out the line of the one that is", c, merge.JoinCols(path[at+1:]))
		}
		for _, c := range path {
			delete(leads, c)
		}
	}
}

// least is the first of some columns.
func least(list map[merge.Col]merge.Col) merge.Col {
	return slices.MinFunc(slices.Collect(maps.Keys(list)), func(x, y merge.Col) int { return strings.Compare(x.String(), y.String()) })
}

// byDefault tells whether a key's line says no more than one that a plan is first written with.
func byDefault(k merge.KeyPlan) bool {
	return (k.New == merge.Shift || k.New == merge.GameID) && !k.All && k.Range == nil && !k.Widen && k.Sequence == "" && k.Role == "" && k.None == nil
}

// namedFollower tells whether the plan itself says what a key refers to. Its line among the keys was written before that was answered.
func (a *auditor) namedFollower(c merge.Col) bool {
	return slices.ContainsFunc(a.plain(), func(r *reference) bool { return r.byPlan && r.When == "" && slices.Contains(r.From, c) })
}

// mayNumber tells whether a column tells the rows of its table apart by declaration, or something refers to it: then a plan was written with a line for it, and that
// it is a reference may be a later answer.
func (a *auditor) mayNumber(c merge.Col) bool {
	t := a.schema.Table(c.Table)
	return slices.Equal(t.PrimaryKey, []string{c.Name}) ||
		slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool { return slices.Equal(u.Columns, []string{c.Name}) }) ||
		slices.ContainsFunc(a.refs, func(r *reference) bool { return slices.Contains(r.To, c) })
}

// checkMissing refuses values for columns that no shard lacks, where the plan is for these very schemas. One without them serves other merges, too.
func (a *auditor) checkMissing(line *merge.TablePlan) {
	if a.given.Schema == "" {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(line.Missing)) {
		known, lacking := false, false
		for _, t := range a.schema.Tables {
			if !line.Covers(a.schema, t.Name) || t.Column(name, a.schema.Fold) == nil {
				continue
			}
			known = true
			for _, s := range a.shards {
				own := s.Schema().Table(t.Name)
				lacking = lacking || own != nil && own.Column(name, a.schema.Fold) == nil
			}
		}
		switch {
		case !known && line.Pattern:
			a.problem("tables: %s: missing: no table like it has a column %s", line.Table, name)
		case known && !lacking:
			a.problem("tables: %s: missing: %s stands in every shard that has the table, so the value has no effect; remove it", line.Table, name)
		}
	}
}

// checkFates refuses to clear or drop dead values of references by several columns: which are dead is not kept for them.
func (a *auditor) checkFates() {
	for _, r := range a.plain() {
		if r.Orphans != merge.ByClear && r.Orphans != merge.ByDrop {
			continue
		}
		if len(r.From) > 1 {
			a.problem("references: %s: orphans: %s is for references of one column; repair the rows in copies of the shards, or say tombstone or fail", merge.JoinCols(r.From), r.Orphans)
		}
	}
}
