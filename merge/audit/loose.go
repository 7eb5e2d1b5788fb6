package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// findLoose asks about columns that name somebody of whom no table of the database tells, as the accounts of a login server are, where two shards have the same names:
// nothing tells whether those are the same people.
func (a *auditor) findLoose(ctx context.Context) error {
	targets := append(a.renamedColumns(), a.textKeys(nil)...)
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.total() == 0 || !line.mixes() || line.folds() {
			continue
		}
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if a.schema.Holds(col) != merge.Text || c.Generated || !namesPeople(c.Name) || a.decided(col) || a.askedAs(col) >= 0 || a.spaces[col] != nil || a.hasUnique(t, c.Name) {
				continue
			}
			if err := a.askLoose(ctx, line, col, targets); err != nil {
				return err
			}
		}
	}
	a.texts = nil
	return nil
}

// peopleWords are words of columns that name players, and never things.
var peopleWords = []string{"account", "user", "username", "player", "playername", "char", "charname", "character", "login", "loginname", "nick", "nickname", "玩家名", "角色名", "昵称", "账号", "帐号", "用户名"}

// namesPeople tells whether a column is named like one for the names of players.
func namesPeople(column string) bool {
	words := wordsOf(column)
	return named(column) && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(peopleWords, w) })
}

func (a *auditor) askLoose(ctx context.Context, t *table, col merge.Col, targets []merge.Col) error {
	u, err := a.sampled(ctx, t, col)
	if err != nil {
		return err
	}
	for _, one := range u.samples {
		if n := len(one.Texts); n > 0 && n < fewNames {
			return nil // kinds of people rather than people
		}
	}
	n, err := a.lieAmong(ctx, u.samples, col, "")
	if err != nil || n.hits == n.own {
		return err
	}
	for _, target := range targets {
		if target == col {
			continue
		}
		if in, err := a.lieAmong(ctx, u.samples, target, a.laxer(u.col, target)); err != nil || float64(in.hits) >= namedCopyShare*float64(in.texts) {
			return err
		}
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s names somebody of whom no table tells, and the same names stand in two shards: are those the same people, so that they stay (as: keep)? "+
			"Otherwise rename the later shards', with a line under uniques such as %s", col, planfile.UniqueLine(&merge.UniquePlan{Unique: []merge.Col{col}, OnConflict: "rename", Template: a.template(col)})),
		Evidence: fmt.Sprintf("%d of %s stand in another shard, too", n.hits-n.own, counted(int64(n.texts), "text that was looked at", "texts that were looked at")),
		Rows:     t.total(), Reference: &merge.Reference{From: []merge.Col{col}, As: merge.Keep},
	})
	return nil
}
