package audit

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// earlier is what the merge that made an input decided.
type earlier struct {
	shard string
	plan  *merge.Plan
}

// readEarlier reads the plans that the inputs recorded. What cannot be read says nothing: it is a help, and no input of the merge.
func (a *auditor) readEarlier() {
	for i, m := range a.memory {
		if m == nil || m.Broken != "" {
			continue
		}
		if p, err := planfile.Parse("the recorded plan", m.Plan); err == nil {
			a.earlier = append(a.earlier, earlier{a.name(i), p})
		}
	}
}

// recall is the decision that every earlier merge took about the same thing, and whose it is; none where they differ or say nothing.
func recall[T any](a *auditor, find func(p *merge.Plan) *T) (answer *T, by string) {
	var shards []string
	for _, e := range a.earlier {
		found := find(e.plan)
		switch {
		case found == nil:
		case answer == nil || reflect.DeepEqual(answer, found):
			answer = found
			shards = append(shards, e.shard)
		default:
			return nil, ""
		}
	}
	return answer, strings.Join(shards, " and ")
}

// earlierReference is what earlier merges said about a reference's columns.
func (a *auditor) earlierReference(from []merge.Col, when string) (*merge.Reference, string) {
	return recall(a, func(p *merge.Plan) *merge.Reference {
		for i := range p.References {
			r := &p.References[i]
			if !r.Names(from) || r.When != when {
				continue
			}
			if _, ok := a.spelled(r.To); ok || r.As == merge.Keep && len(r.To) == 0 {
				return r
			}
		}
		return nil
	})
}

// earlierTable is what earlier merges said about a table's rows.
func (a *auditor) earlierTable(name string) (*merge.TablePlan, string) {
	return recall(a, func(p *merge.Plan) *merge.TablePlan {
		i := slices.IndexFunc(p.Tables, func(t merge.TablePlan) bool { return t.Table == name })
		if i < 0 {
			return nil
		}
		// The values of missing columns were for other shards; that rows are equal is supposed of these, too.
		line := &merge.TablePlan{Table: name, Rows: p.Tables[i].Rows, From: p.Tables[i].From, By: p.Tables[i].By, Columns: a.standing(&p.Tables[i])}
		if p.Tables[i].While == merge.WhileEqual {
			line.While = merge.WhileEqual
		}
		return line
	})
}

// supposedBefore tells whether the tool itself filled in what an earlier merge said about a table's rows.
func (a *auditor) supposedBefore(old *merge.TablePlan) bool {
	return slices.ContainsFunc(a.earlier, func(e earlier) bool {
		return slices.ContainsFunc(e.plan.Tables, func(t merge.TablePlan) bool { return t.Table == old.Table && t.While != "" })
	})
}

// earlierKey is what earlier merges said about a key, as a line for this one.
func (a *auditor) earlierKey(line *merge.KeyPlan) (*merge.KeyPlan, string) {
	return recall(a, func(p *merge.Plan) *merge.KeyPlan {
		i := slices.IndexFunc(p.Keys, func(k merge.KeyPlan) bool { return k.Key == line.Key && k.New != "" })
		if i < 0 {
			return nil
		}
		return &merge.KeyPlan{Key: line.Key, New: p.Keys[i].New, All: line.All || p.Keys[i].All, Range: p.Keys[i].Range, Widen: p.Keys[i].Widen, Sequence: cmp.Or(line.Sequence, p.Keys[i].Sequence), None: p.Keys[i].None, Role: line.Role}
	})
}

// asEarlier gives a key of which nobody says anything the rule and the range that it had before: the game's code may have room for no other. A key that stayed is
// asked about where it clashes, for then its rows folded.
func (a *auditor) asEarlier(s *space) {
	if old, by := a.earlierKey(&s.plan); old != nil && old.New != merge.Static && s.plan.Range == nil && !s.plan.Widen {
		s.plan, s.earlier = *old, by
	}
}

// numberedAsEarlier gives a line with a rule of its own what an earlier merge that made new numbers said besides of whose these are: the rows of another table that the same
// sequence numbers, and nobody's.
func (a *auditor) numberedAsEarlier(line *merge.KeyPlan) {
	old, _ := a.earlierKey(line)
	if old == nil || old.New == merge.Static {
		return
	}
	if line.Sequence = old.Sequence; line.None == nil {
		line.None = old.None
	}
}

// decidedOtherwise tells whether an earlier merge took a column for something else than a proposal does, so that it is asked, however certain it looks now.
func (a *auditor) decidedOtherwise(p *merge.Proposal) bool {
	lines, _ := a.earlierLines(p.From)
	old, _ := a.earlierReference(p.From, p.When)
	if old == nil {
		stayed, _ := a.stayedBefore(p.From[0])
		return len(lines) > 0 || stayed != nil && len(p.From) == 1 && p.As == merge.Plain
	}
	return old.As != p.As || !slices.Equal(old.To, p.To) || old.As == merge.Plain && saysMore(old, &p.Reference)
}

// remindEarlier puts what earlier merges decided into the open questions, as the line that stands. A person still says so: the other inputs are new.
func (a *auditor) remindEarlier() {
	for i := range a.res.Undecided {
		u := &a.res.Undecided[i]
		switch {
		case u.Reference != nil:
			if old, by := a.earlierReference(u.Reference.From, u.Reference.When); old != nil {
				said := *old
				if said.As == u.Reference.As && slices.Equal(said.To, u.Reference.To) { // what is asked may be what the earlier merge had no need to say
					said.Orphans = cmp.Or(said.Orphans, u.Reference.Orphans)
					if said.None == nil {
						said.None = u.Reference.None
					}
				}
				if u.Reference.As == merge.Plain && said.As == merge.Keep {
					a.keptAgain = append(a.keptAgain, said.From[0])
				}
				remind(u, by, &u.Reference, &said)
			} else if lines, by := a.earlierLines(u.Reference.From); len(lines) > 0 {
				var words []string
				for _, line := range lines {
					words = append(words, planfile.ReferenceLine(&line))
				}
				u.Evidence = joinWords(u.Evidence, fmt.Sprintf("the merge that made %s said %s", by, strings.Join(words, ", ")))
			} else {
				a.remindOfStay(u)
			}
		case u.Table != nil && len(u.Table.Missing) == 0:
			if old, by := a.earlierTable(u.Table.Table); old != nil {
				// Keys that stay may have met no other before; where they do now, to merge the rows answers nothing.
				met := old.Rows == merge.MergeRows && a.asksSameKey(u.Table.Table, u)
				if met || old.Rows == merge.FromRows || a.supposedBefore(old) && u.Table.Rows != old.Rows { // no shard of this merge is that one; and what the tool supposed itself was nobody's answer
					u.Evidence = joinWords(u.Evidence, fmt.Sprintf("the merge that made %s said rows: %s", by, rowsWord(old)))
					continue
				}
				loses := old.Rows == merge.FirstRows && u.Table.Rows == merge.MergeRows
				if remind(u, by, &u.Table, old); loses { // what that merge left out so, its plan's author knew; who takes the line as it stands is told
					u.Evidence += ", and leaves out what differs in the later shards' rows"
				}
			}
		case u.Key != nil:
			a.remindOfKey(u)
		case u.Unique != nil:
			old, by := recall(a, func(p *merge.Plan) *merge.UniquePlan {
				i := slices.IndexFunc(p.Uniques, func(x merge.UniquePlan) bool { return slices.Equal(x.Unique, u.Unique.Unique) })
				if i < 0 {
					return nil
				}
				return &p.Uniques[i]
			})
			if old != nil && (old.OnConflict == u.Unique.OnConflict || old.OnConflict == "keep" && !a.forbids(u.Unique.Unique)) && (!strings.Contains(old.Template, "{server}") || a.numberedShards()) {
				remind(u, by, &u.Unique, old)
			}
			a.remindOfFold(u)
		case u.Counter != nil:
			if old, by := a.earlierCounter(u.Counter); old != nil && old.Key == u.Counter.Key {
				remind(u, by, &u.Counter, old)
			}
		}
	}
}

// remindOfKey makes an earlier rule the line of a question about a key, also one that stayed. Where the caller gives another rule for what the plan leaves open, its own stands.
func (a *auditor) remindOfKey(u *merge.Undecided) {
	old, by := a.earlierKey(u.Key)
	switch {
	case old == nil:
	case a.opt.NewKeys != "" && old.New != merge.Static && u.Key.New == a.opt.NewKeys && u.Key.New != old.New:
		line := *u.Key
		a.numberedAsEarlier(&line)
		u.Key, u.Evidence = &line, joinWords(u.Evidence, fmt.Sprintf("the merge that made %s said new: %s", by, old.New))
	case old.New != merge.GameID || a.numberedShards():
		remind(u, by, &u.Key, old)
	}
	if s := a.spaces[u.Key.Key]; s != nil && u.Key.New != merge.Static {
		u.Key.All = s.plan.All
	}
}

// earlierCounter is what earlier merges said about a counter of the game: of the same key, or else of another one's.
func (a *auditor) earlierCounter(line *merge.Counter) (*merge.Counter, string) {
	return recall(a, func(p *merge.Plan) (found *merge.Counter) {
		for i := range p.Counters {
			c := p.Counters[i]
			cols, ok := a.spelled([]merge.Col{c.Column, c.Key})
			if !ok || cols[0] != line.Column || !sameWhere(c.Where, line.Where) {
				continue
			}
			c.Column, c.Key = cols[0], cols[1]
			if found == nil || c.Key == line.Key {
				found = &c
			}
		}
		return found
	})
}

// remindOfFold makes of a question about equal keys one whether rows fold again, where an earlier merge made one row of each two.
func (a *auditor) remindOfFold(u *merge.Undecided) {
	t := a.tables[u.Unique.Unique[0].Table]
	old, by := a.earlierTable(t.Name)
	if old == nil || old.Rows != merge.FirstRows && old.Rows != merge.UnionRows || !slices.Equal(t.KeyCols(), u.Unique.Unique) {
		return
	}
	if t.decided || a.tableAsked(t.Name) || a.supposedBefore(old) {
		u.Evidence = joinWords(u.Evidence, fmt.Sprintf("the merge that made %s made one row of each two; to do so again, say in place of the line, under tables, %s", by, planfile.TableLine(old)))
		return
	}
	u.Unique = nil
	remind(u, by, &u.Table, old)
}

// remind makes an earlier answer the line of a question.
func remind[T any](u *merge.Undecided, by string, line **T, old *T) {
	said := *old
	*line = &said
	u.Evidence = joinWords(u.Evidence, "the line is as in the merge that made "+by)
}

// joinWords adds words to what is said already.
func joinWords(said, more string) string {
	if said == "" || more == "" {
		return said + more
	}
	return said + "; " + more
}

// numberedShards tells whether every shard that may get new keys and names has a server number.
func (a *auditor) numberedShards() bool {
	return !slices.ContainsFunc(a.shards[min(1, len(a.shards)):], func(s merge.Shard) bool { return s.Source().Server == nil })
}
