package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
)

// assignKeys chooses the new keys of every space and checks that they fit.
func (a *auditor) assignKeys(ctx context.Context) error {
	span := assign.NewSpan(a.opt.Present)
	for _, m := range a.memory {
		if m == nil {
			continue
		}
		for _, s := range m.Spaces {
			for _, r := range s.Runs {
				if r.Rule == merge.GameID {
					span.Record(r)
				}
			}
		}
	}
	for _, s := range a.inTurn() {
		if err := a.assignSpace(ctx, s, span); err != nil {
			return err
		}
	}
	return nil
}

// inTurn are the key spaces in the order in which they get new keys. Those of one sequence stand above one another, and last, at the top, comes that of the table whose next row gets the number after
// its highest, or the engine would give it another table's.
func (a *auditor) inTurn() []*space {
	list := slices.Clone(a.order)
	for _, s := range a.order {
		if a.numbersNext(s) {
			list = append(slices.DeleteFunc(list, func(o *space) bool { return o == s }), s)
		}
	}
	return list
}

// numbersNext tells whether the engine numbers the next row of a key's table after its highest key, and that is the highest of its sequence in more shards than that of any other such table.
func (a *auditor) numbersNext(s *space) bool {
	counts := func(o *space) bool {
		t := a.tables[o.key.Table]
		return t.AutoColumn == o.key.Name && !t.Counted
	}
	most := s.tops()
	return len(s.others) > 0 && counts(s) && most > 0 && !slices.ContainsFunc(s.others, func(o *space) bool {
		return counts(o) && (o.tops() > most || o.tops() == most && slices.Index(a.order, o) < slices.Index(a.order, s))
	})
}

// tops counts the shards in which a key has the highest number of its sequence.
func (s *space) tops() (n int) {
	for i, keys := range s.alive {
		top, some := keys.Max()
		if some && !slices.ContainsFunc(s.others, func(o *space) bool { high, ok := o.alive[i].Max(); return ok && high > top }) {
			n++
		}
	}
	return n
}

func (a *auditor) assignSpace(ctx context.Context, s *space, span *assign.Span) error {
	t := a.tables[s.key.Table]
	narrow, high := a.limits(s)
	req := assign.Request{
		Key: s.key, Rule: s.plan.New, All: s.plan.All, Alive: s.alive, Others: s.inOthers(), Folds: s.folds, Dead: s.dead, Avoid: s.avoided(), Low: 1, High: high, Above: s.above(),
		Reissues: a.reissues(s), Issued: a.issued(s), Span: span,
	}
	if s.plan.Range != nil {
		req.Low = s.plan.Range[0]
	}
	for _, sh := range a.shards {
		req.Servers = append(req.Servers, sh.Source().Server)
	}
	var err error
	if req.Buried, err = a.buried(s); err != nil {
		return err
	}
	splits, err := a.splitsOf(ctx, s)
	if err != nil {
		return err
	}
	req.Step = step(splits)
	if s.stepped, req.Step, err = a.stepChecks(ctx, s, req); err != nil {
		return err
	}
	if len(s.stepped) > 0 && !s.byPlan && s.plan.New != merge.Static { // no other rule keeps them
		s.plan.New, req.Rule = merge.Shift, merge.Shift
	}
	a.keepRemainder(s, &req)
	res, err := assign.Keys(req)
	if full := (*assign.NoRoomError)(nil); errors.As(err, &full) && s.plan.New == merge.Shift && !s.byPlan {
		// The default way finds no room above: consecutive keys may still find some.
		s.plan.New, req.Rule = merge.Dense, merge.Dense
		res, err = assign.Keys(req)
	}
	if err == nil {
		s.result = res
		a.checkTop(s, t)
		a.findSplits(s, splits)
		a.findSteps(s, req.Step)
		a.findRemainders(s, req)
		if who := a.numberedBy(t, s); s.plan.New == merge.GameID && who != "" && s.moves() > 0 {
			a.find(merge.Finding{
				Rule: "auto-number", Severity: merge.Info, Table: t.Name, Column: s.key.Name,
				Text: who + " numbers this key itself: after IDs, its next number walks into another server's IDs", Next: "new: shift keeps the " + who[len("the "):] + "'s counter working",
			})
		}
		return nil
	}
	var (
		full   *assign.NoRoomError
		server *assign.ServerError
		late   *assign.SpanError
	)
	switch {
	case errors.As(err, &full):
		a.find(merge.Finding{
			Rule: "width", Severity: merge.Block, Table: narrow.Table, Column: narrow.Name, Rows: s.moves(),
			Text: fmt.Sprintf("new keys of %s do not fit: %v", s.key, err), Next: a.moreRoom(s, req),
		})
	case errors.As(err, &server) && (a.keyAsked(s.key) || a.referenceAsked(s.key)): // one answer settles both
	case errors.As(err, &server):
		why := a.name(server.Shard) + " has no server number, which its IDs would carry"
		if server.Number != nil {
			why = fmt.Sprintf("server number %d of %s does not fit the IDs, which have room for 0 to %d", *server.Number, a.name(server.Shard), 1<<merge.IDServerBits-1)
		}
		question := fmt.Sprintf("%s: give server numbers (--server %s=N) for IDs, or choose another rule", counted(s.moves(), "key of "+s.key.String()+" needs a new one", "keys of "+s.key.String()+" need new ones"), a.name(server.Shard))
		rule := merge.Shift
		if s.least() >= outsideLeast {
			rule = merge.Static
			question += ". All are as long as the numbers by which a platform knows somebody: where they are those, the same number is the same account on every server, and stays (new: static)"
		}
		a.ask(merge.Undecided{Question: question, Evidence: why, Rows: s.moves(), Key: &merge.KeyPlan{Key: s.key, New: rule}})
	case errors.As(err, &late):
		a.find(merge.Finding{
			Rule: "width", Severity: merge.Block, Table: s.key.Table, Column: s.key.Name, Rows: s.moves(), Text: err.Error(), Next: "choose new: shift or dense for this key",
		})
	default:
		return err
	}
	return nil
}

// outsideLeast is from where up numbers are rather a platform's than a game's: those of Steam and Discord have 17 digits and more.
const outsideLeast = 1e16

// least is the lowest number that a row of any shard has; 0 when there is none.
func (s *space) least() (least int64) {
	for _, k := range s.alive {
		if low, ok := k.Min(); ok && (least == 0 || low < least) {
			least = low
		}
	}
	return least
}

// moreRoom is what helps new keys that do not fit, of all ways those that do.
func (a *auditor) moreRoom(s *space, req assign.Request) string {
	fit := func(rule merge.Rule, low, high int64) bool {
		try := req
		try.Rule, try.Low, try.High = rule, low, high
		_, err := assign.Keys(try)
		return err == nil
	}
	narrow, high := a.widths(s)
	r, wider := s.plan.Range, ""
	if r != nil {
		wider = fmt.Sprintf("a wider range than [%d, %d]", r[0], r[1])
	}
	switch {
	case r != nil && fit(s.plan.New, 1, high):
		return "give it " + wider
	case s.plan.New != merge.Dense && fit(merge.Dense, req.Low, req.High):
		return fmt.Sprintf("widen %s, give the key widen: true, or choose new: dense", narrow)
	case r != nil && !fit(s.plan.New, r[0], r[1]):
		return fmt.Sprintf("widen %s or give the key widen: true, and give it %s", narrow, wider)
	}
	return fmt.Sprintf("widen %s or give the key widen: true", narrow)
}
