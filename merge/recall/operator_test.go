package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/planfile"
	"github.com/gameid/gameid/merge/rewrite"
)

// rounds is after how many audits an operator gives up.
const rounds = 8

// operator answers an audit's questions by what is true of a game, and else takes what it proposes.
type operator struct {
	g     *guessing
	plan  merge.Plan
	first *audit.Result      // the draft, before any answer
	asked map[merge.Col]bool // columns about which a question was, of any draft
}

// truthOf is what the operator knows of a column; nil when that is nothing.
func (o *operator) truthOf(c merge.Col) *truth {
	if i := slices.IndexFunc(o.g.columns, func(x *truth) bool { return x.col == c }); i >= 0 {
		return o.g.columns[i]
	}
	return nil
}

// refer puts a line about a column in place of another one.
func (o *operator) refer(line merge.Reference) {
	take(&o.plan, &merge.Undecided{Reference: &line})
}

// reference answers a question about what columns hold.
func (o *operator) reference(line merge.Reference) {
	for _, c := range line.From {
		x := o.truthOf(c)
		switch {
		case x == nil:
			o.refer(line)
		case x.stays():
			if by := o.folds(c.Table); by != "" && by != "fold" && by == c.Name {
				o.answer(&merge.Undecided{Table: &merge.TablePlan{Table: c.Table, Rows: merge.MergeRows}})
			}
			o.refer(merge.Reference{From: []merge.Col{c}, As: merge.Keep})
		case x.refers() && x.others == nil && line.As != merge.Keep && len(line.To) == 1 && o.g.sameKey(line.To, x.key) && (x.when == "") == (line.When == "") && (x.what == smallLetters) == (line.Via != ""):
			o.refer(line)
		default:
			o.explain(x)
		}
	}
}

// explain writes what is true of a column.
func (o *operator) explain(x *truth) {
	var kinds []string
	for _, one := range append([]*truth{x}, x.others...) {
		line := merge.Reference{From: []merge.Col{x.col}, To: []merge.Col{one.key}, When: one.when}
		switch one.what {
		case aCounter:
			if one != x {
				o.count(merge.Counter{Column: x.col, Where: one.when, Key: one.key, Margin: 1})
			}
			continue
		case aGroup:
			if !slices.ContainsFunc(o.plan.Keys, func(k merge.KeyPlan) bool { return k.Key == x.key }) {
				o.key(merge.KeyPlan{Key: x.key, New: merge.Shift})
			}
			if x.col == x.key {
				continue
			}
		case aNameCopy:
			line.As = merge.Copy
		case smallLetters:
			line.As, line.Via = merge.Copy, "lower"
		}
		o.refer(line)
		kinds = append(kinds, one.when)
	}
	if x.when != "" && (x.others == nil || x.remains) {
		o.refer(merge.Reference{From: []merge.Col{x.col}, As: merge.Keep, When: "NOT (" + strings.Join(kinds, " OR ") + ")"})
	}
}

// count puts a line about a counter in place of another one.
func (o *operator) count(line merge.Counter) {
	take(&o.plan, &merge.Undecided{Counter: &line})
}

// key puts a line about a key in place of another one.
func (o *operator) key(line merge.KeyPlan) {
	take(&o.plan, &merge.Undecided{Key: &line})
}

// same tells whether a table is the same on every server.
func (o *operator) same(table string) bool {
	return slices.ContainsFunc(o.g.tables, func(x *gameTable) bool { return x.same && x.name == table })
}

// folds tells how a table's rows fold with another server's, as gameTable says.
func (o *operator) folds(table string) string {
	if i := slices.IndexFunc(o.g.tables, func(x *gameTable) bool { return x.name == table }); i >= 0 {
		return o.g.tables[i].folds
	}
	return ""
}

// folded answers what becomes of rows that fold.
func (o *operator) folded(line merge.TablePlan, proposed bool) merge.TablePlan {
	switch by := o.folds(line.Table); {
	case by != "fold":
		return merge.TablePlan{Table: line.Table, Rows: merge.ByValue, By: []string{by}}
	case proposed:
		return line
	}
	return merge.TablePlan{Table: line.Table, Rows: merge.FirstRows}
}

// answer answers a question.
func (o *operator) answer(u *merge.Undecided) {
	switch {
	case u.Reference != nil:
		o.reference(*u.Reference)
	case u.Counter != nil:
		if x := o.truthOf(u.Counter.Column); x == nil || x.what != aCounter {
			o.refer(merge.Reference{From: []merge.Col{u.Counter.Column}, As: merge.Keep})
		} else {
			o.count(*u.Counter)
		}
	case u.Key != nil:
		x := o.truthOf(u.Key.Key)
		switch {
		case o.folds(u.Key.Key.Table) != "":
			line := *u.Key
			if o.folds(line.Key.Table) == "fold" {
				line.New = merge.Static
			} else {
				o.answer(&merge.Undecided{Table: &merge.TablePlan{Table: line.Key.Table, Rows: merge.MergeRows}})
			}
			o.key(line)
		case x != nil && x.what != itsNumbers:
			o.reference(merge.Reference{From: []merge.Col{x.col}, As: merge.Keep})
		default:
			line := *u.Key
			if same := o.same(line.Key.Table); same {
				line.New = merge.Static
			} else if line.New == merge.Static {
				line.New = merge.Shift
			}
			o.key(line)
		}
	case u.Table != nil:
		line := *u.Table
		folds := line.Rows == merge.FirstRows || line.Rows == merge.UnionRows || line.Rows == merge.ByValue || line.Rows == ""
		switch same := o.same(line.Table); {
		case o.folds(line.Table) != "":
			line = o.folded(line, folds)
		case same && !folds:
			line = merge.TablePlan{Table: line.Table, Rows: merge.FirstRows}
		case !same && folds:
			line = merge.TablePlan{Table: line.Table, Rows: merge.MergeRows}
		}
		take(&o.plan, &merge.Undecided{Table: &line})
	case u.Unique != nil:
		line := *u.Unique
		if at := line.Unique[0].Table; o.same(at) || o.folds(at) != "" {
			o.answer(&merge.Undecided{Table: &merge.TablePlan{Table: at, Rows: merge.MergeRows}})
			return
		}
		if x := o.truthOf(line.Unique[0]); len(line.Unique) == 1 && x != nil {
			switch {
			case x.fixed: // as many as there are may lead to one thing
				line = merge.UniquePlan{Unique: line.Unique, OnConflict: "keep"}
			case x.refers():
				o.reference(merge.Reference{From: []merge.Col{x.col}, As: merge.Keep})
				return
			case x.what == someWords: // words, of which no two rows need differ
				line = merge.UniquePlan{Unique: line.Unique, OnConflict: "keep"}
			}
		}
		take(&o.plan, &merge.Undecided{Unique: &line})
	}
}

// play merges a game as an operator who knows it would, and says what became of it: "" for a merge, else why there is none.
func (o *operator) play(t *testing.T, sources []merge.Source, out string) string {
	t.Helper()
	e := sqlite.New()
	shards, done := open(t, e, sources)
	defer done()
	o.asked = map[merge.Col]bool{}
	o.plan = merge.Plan{Accept: []merge.Grade{merge.Certain}}
	for range rounds {
		text := planfile.Format(&o.plan, planfile.Notes{})
		plan, err := planfile.Parse("plan", text)
		if err != nil {
			return fmt.Sprintf("the plan is not read: %v\n%s", err, text)
		}
		res, err := audit.Run(t.Context(), e, shards, plan, audit.Options{Present: merge.IDCursorNow(time.Now())})
		if err != nil {
			return fmt.Sprintf("the audit ends: %v", err)
		}
		if o.first == nil {
			o.first = res
		}
		if res.Settled != nil {
			_, output, err := rewrite.Run(t.Context(), e, shards, res.Settled, out, rewrite.Options{Plan: planfile.Format(res.Plan, planfile.Notes{})})
			if err == nil {
				err = output.Publish(t.Context())
			}
			if err != nil {
				return fmt.Sprintf("the rewrite ends: %v", err)
			}
			return ""
		}
		for _, u := range res.Undecided {
			if u.Reference != nil {
				for _, c := range u.Reference.From {
					o.asked[c] = true
				}
			}
			o.answer(&u)
		}
		for _, f := range res.Findings { // what a column holds, once a refusal says that it matters
			c := merge.Col{Table: f.Table, Name: f.Column}
			if x := o.truthOf(c); f.Severity != merge.Block || x == nil {
				continue
			} else if _, line, ok := strings.Cut(f.Next, "say that you know: {from: "+c.String()+", to: "); ok && x.stays() {
				to, _, _ := strings.Cut(line, ".rowid, as: keep}")
				o.refer(merge.Reference{From: []merge.Col{c}, To: []merge.Col{{Table: to, Name: "rowid"}}, As: merge.Keep})
			} else {
				o.reference(merge.Reference{From: []merge.Col{c}, As: merge.Keep})
			}
		}
		if again := planfile.Format(&o.plan, planfile.Notes{}); string(again) == string(text) {
			var why []string
			for _, u := range res.Undecided {
				why = append(why, "asked again: "+u.Question)
			}
			for _, f := range res.Findings {
				if f.Severity == merge.Block {
					why = append(why, fmt.Sprintf("blocked: %s.%s: %s; next: %s", f.Table, f.Column, f.Text, f.Next))
				}
			}
			return strings.Join(why, "\n") + "\n" + string(text)
		}
	}
	return "asked for ever"
}
