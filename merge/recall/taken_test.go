package recall

import (
	"slices"
	"testing"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/planfile"
)

// take puts a proposed line in place of those about the same.
func take(p *merge.Plan, u *merge.Undecided) {
	switch {
	case u.Reference != nil:
		p.References = append(slices.DeleteFunc(p.References, func(r merge.Reference) bool {
			return slices.Equal(r.From, u.Reference.From) && r.When == u.Reference.When
		}), *u.Reference)
	case u.Counter != nil:
		p.Counters = append(slices.DeleteFunc(p.Counters, func(c merge.Counter) bool { return c.Column == u.Counter.Column && c.Where == u.Counter.Where }), *u.Counter)
	case u.Key != nil:
		p.Keys = append(slices.DeleteFunc(p.Keys, func(k merge.KeyPlan) bool { return k.Key == u.Key.Key }), *u.Key)
	case u.Table != nil:
		p.Tables = append(slices.DeleteFunc(p.Tables, func(t merge.TablePlan) bool { return t.Table == u.Table.Table }), *u.Table)
	case u.Unique != nil:
		p.Uniques = append(slices.DeleteFunc(p.Uniques, func(q merge.UniquePlan) bool { return slices.Equal(q.Unique, u.Unique.Unique) }), *u.Unique)
	}
}

// TestProposalsAgree takes every line as it is proposed, of games that declare nothing: no two contradict each other, and the questions come to an end.
func TestProposalsAgree(t *testing.T) {
	for _, seed := range seeds(t) {
		sources := game(seed, true).build(t, t.TempDir())
		e := sqlite.New()
		shards, done := open(t, e, sources)
		plan := &merge.Plan{Accept: []merge.Grade{merge.Certain}}
		for round := 0; ; round++ {
			text := planfile.Format(plan, planfile.Notes{})
			read, err := planfile.Parse("plan", text)
			if err != nil {
				t.Errorf("game %d, round %d: the plan is not read: %v\n%s", seed, round, err, text)
				break
			}
			res, err := audit.Run(t.Context(), e, shards, read, audit.Options{Present: merge.IDCursorNow(time.Now())})
			if err != nil {
				t.Errorf("game %d, round %d: %v\n%s", seed, round, err, text)
				break
			}
			if len(res.Undecided) == 0 {
				break
			}
			if round == rounds {
				t.Errorf("game %d: asked for ever: %s", seed, res.Undecided[0].Question)
				break
			}
			for _, u := range res.Undecided {
				take(plan, &u)
			}
		}
		done()
	}
}
