package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
	"github.com/gameid/gameid/merge/discover"
)

// askNatural asks before a key gets new numbers by default that may be no number which the game gave out: an address, a day, a level, an account elsewhere, or an
// entry of a catalogue that the game's client knows. A reference is taken as a sign that it is one, but not against a key that seems to be a thing by itself: who
// plays on two servers has one Steam account.
func (a *auditor) askNatural(ctx context.Context, s *space) error {
	if s.byPlan || s.moves() == 0 || a.countedByGame(s) {
		return nil
	}
	if a.tables[s.key.Table].plan.Rows == merge.ByValue {
		return nil // the plan says by what a row is known, and that its number is another on every server
	}
	if a.referenceAsked(s.key) || a.tableAsked(s.key.Table) || a.keyAsked(s.key) {
		return nil // whether it is a number of its own at all is asked, or whether its rows are the same on every server, or what an earlier merge said of it
	}
	why, rule, err := a.seemsNatural(ctx, s)
	if err != nil || why == "" {
		return err
	}
	both := s.both()
	if rule == merge.Static && (a.opt.NewKeys != "" || a.opt.ChangeAll) && a.madeNew(&s.plan) {
		rule = s.plan.New // they had new ones before, so what is said of those that get some holds
	}
	what := counted(both, "key stands in two shards", "keys stand in two shards")
	if both == 0 {
		what = counted(s.moves(), "key would change", "keys would change")
	}
	question := fmt.Sprintf("%s: is %s a number that the game gives out, so that it gets new ones (%s), or a thing by itself, such as a place on the map, a day, an address, a level, "+
		"an account elsewhere or an item that the game's client knows, that must not change (new: static)?", what, s.key, ruleWords(&s.plan))
	if both > 0 {
		question += fmt.Sprintf(" Then %s makes one row of each two, and rows: first leaves the later ones out", rowsLine(s.key.Table, merge.UnionRows))
	}
	more := a.orOthers(s) + a.held(s.key)
	if both > 0 && more != "" {
		question += "."
	}
	question += more
	a.ask(merge.Undecided{Question: question, Evidence: why + a.sharedKeys(s), Rows: s.moves(), Key: &merge.KeyPlan{Key: s.key, New: rule, Role: s.plan.Role}})
	return nil
}

// ruleWords is a key's rule as the plan writes it.
func ruleWords(k *merge.KeyPlan) string {
	if k.All {
		return fmt.Sprintf("new: %s, change: all", k.New)
	}
	return fmt.Sprintf("new: %s", k.New)
}

// seemsNatural says why a key may be no number that the game gave out, "" when it is one, and the rule that is proposed.
func (a *auditor) seemsNatural(ctx context.Context, s *space) (why string, rule merge.Rule, err error) {
	n, known := a.nature[s.key]
	if n.Thing != "" {
		return n.Thing, merge.Static, nil
	}
	if a.keptByName(s.key) {
		return "the plan says as: keep of it, so that it refers to no other key, and not yet what becomes of its own numbers", s.plan.New, nil
	}
	switch why, err = a.catalogued(ctx, s); {
	case err == nil && why != "" && len(s.others) > 0 && s.both() == 0:
		return why + s.alongside(), s.plan.New, nil
	case err != nil || why != "":
		return why, merge.Static, err
	}
	// What follows is a guess, if that: new numbers keep every row.
	if why, err = a.madeOfMoving(ctx, s); err != nil || why != "" {
		return why, s.plan.New, err
	}
	if n.Places != "" && n.Laid { // under another number a second row would lie at the same place
		return n.Places, merge.Static, nil
	}
	if n.Places != "" {
		return n.Places, s.plan.New, nil
	}
	switch {
	case n.About != "" && n.Elsewhere && len(s.others) == 0:
		return n.About, merge.Static, nil
	case n.About != "":
		return n.About + s.alongside(), s.plan.New, nil
	case len(s.users) > 0 || a.askedOf(func(r *merge.Reference) bool { return slices.Contains(r.To, s.key) }):
		return "", "", nil
	case known && !n.Counted:
		return "no reference leads to it, its name does not say that it is a number of rows, and its values are not counted up from one", s.plan.New, nil
	}
	return "", "", nil
}

// keptByName tells whether a line of the plan keeps just this column, in every row: a pattern may have others in mind.
func (a *auditor) keptByName(c merge.Col) bool {
	return slices.ContainsFunc(a.refs, func(r *reference) bool {
		return r.As == merge.Keep && r.When == "" && r.Names([]merge.Col{c})
	})
}

// catalogued says why a key's table may be a catalogue of the game's own, as levels and quests are, whose numbers its client knows, too: nothing in its rows leads to a
// player, and its keys change though no other server has them, or most of the rows that two servers number alike are equal; "" when nothing says so.
func (a *auditor) catalogued(ctx context.Context, s *space) (string, error) {
	t := a.tables[s.key.Table]
	if a.owned(t.Name) || !a.opt.ChangeAll && t.decided {
		return "", nil
	}
	if personal, err := a.personal(ctx, s); err != nil || personal {
		return "", err
	}
	telling, err := a.telling(ctx, t)
	if err != nil {
		return "", err
	}
	why := "nothing in its rows leads to a player, as in a catalogue of items, levels or quests"
	others := false           // rows under one number
	for j := range a.shards { // any two servers may share what a third one lacks, in whatever order they come
		for i := range j {
			if t.rows[i] == 0 || t.rows[j] == 0 {
				continue
			}
			shared, equal, err := a.sameRows(ctx, i, j, t.Name)
			if err != nil {
				return "", err
			}
			if telling && equal > 0 && equal*2 >= shared {
				return fmt.Sprintf("%s; %d of %s in %s and %s", why, equal, counted(shared, "row of a shared key is equal", "rows of shared keys are equal"), a.name(i), a.name(j)), nil
			}
			others = others || shared > 0
		}
	}
	if !a.opt.ChangeAll || others {
		return "", nil
	}
	return why, nil
}

// personal tells whether players refer to a key one to one, or nearly so, as each does to his own chest: no catalogue has an entry for everybody.
func (a *auditor) personal(ctx context.Context, s *space) (bool, error) {
	t := a.tables[s.key.Table]
	for _, r := range a.refs {
		if r.As != merge.Plain || len(r.From) != 1 || !slices.Equal(r.To, []merge.Col{s.key}) || !a.person(r.table()) {
			continue
		}
		for i, shard := range a.shards {
			own, ok := shard.Schema().Resolve(r.From[0])
			if !ok || t.rows[i] == 0 {
				continue
			}
			if k, err := shard.Keys(ctx, own); err != nil || k.Set.Len()*2 >= t.rows[i] {
				return err == nil, err
			}
		}
	}
	return false, nil
}

// person tells whether a table's rows are players or accounts.
func (a *auditor) person(table string) bool {
	for key, n := range a.nature {
		if key.Table == table && n.Person {
			return true
		}
	}
	return false
}

// How many different values of a column tell rows apart: as many as half of the rows, or this many.
const tellingMost = 64

// telling tells whether some column beside the key tells a table's rows apart. Rows that all hold the same are equal on every server whosever they are.
func (a *auditor) telling(ctx context.Context, t *table) (bool, error) {
	for i, shard := range a.shards {
		for _, c := range t.Columns {
			own, ok := shard.Schema().Resolve(merge.Col{Table: t.Name, Name: c.Name})
			if !ok || c.Generated || t.rows[i] == 0 || slices.Contains(t.PrimaryKey, c.Name) {
				continue
			}
			list, err := shard.Values(ctx, own, "", tellingMost)
			if err != nil || int64(len(list)) >= min(tellingMost, (t.rows[i]+1)/2) {
				return err == nil, err
			}
		}
	}
	return false, nil
}

// owned tells whether rows of a table belong to players, or are players: by its name, by the plan's roles, or because a column of it refers, or may refer, to such rows.
func (a *auditor) owned(table string) bool {
	todo := []string{table}
	for at := 0; at < len(todo); at++ { // every table once, however many ways lead to it
		if a.personalTable(todo[at]) {
			return true
		}
		a.knownOrAsked(func(r *merge.Reference) bool {
			if (r.As == merge.Plain || r.As == merge.Copy) && r.Table() == todo[at] && len(r.To) > 0 && !slices.Contains(todo, r.To[0].Table) {
				todo = append(todo, r.To[0].Table)
			}
			return false
		})
		for c, to := range a.likeNamed {
			if c.Table == todo[at] && !slices.Contains(todo, to.Table) {
				todo = append(todo, to.Table)
			}
		}
	}
	return false
}

// personalTable tells whether a table is one of players by its name, by the plan's roles, or holds a column that an open question takes for somebody.
func (a *auditor) personalTable(table string) bool {
	return a.person(table) || slices.ContainsFunc(a.given.Keys, func(k merge.KeyPlan) bool { return k.Role != "" && k.Key.Table == table }) ||
		slices.ContainsFunc(a.res.Questions, func(q discover.Question) bool {
			return slices.ContainsFunc(q.Columns, func(c merge.Col) bool { return c.Table == table })
		})
}

// both counts the keys that an earlier shard has, too.
func (s *space) both() (n int64) {
	for _, m := range assign.Moving(s.alive, nil, false) {
		n += m.Len()
	}
	return n
}

// sharedKeys are some of the keys that would change.
func (a *auditor) sharedKeys(s *space) string {
	text := ""
	for _, m := range s.moving {
		for k := range m.All() {
			if text != "" {
				text += ","
			} else {
				text = "; such as"
			}
			if text += fmt.Sprintf(" %d", k); len(text) > 80 {
				return text
			}
		}
	}
	return text
}
