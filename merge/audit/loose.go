package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// findLoose asks about columns that name somebody of whom no table of the database tells, as the accounts of a login server are, or groups that none lists, where two shards
// have the same names: nothing tells whether those are the same. Of columns that hold the same names it asks about the one with the most.
func (a *auditor) findLoose(ctx context.Context) error {
	targets := append(a.renamedColumns(), a.textKeys(nil)...)
	var list, words []*unexplained
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.total() == 0 || !line.mixes() || line.folds() {
			continue
		}
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if a.schema.Holds(col) != merge.Text || c.Generated || a.decided(col) || a.askedAs(col) >= 0 || a.spaces[col] != nil || a.namedAlone(t, c.Name) || a.uniqueAsked(col) {
				continue
			}
			u, err := a.sampled(ctx, line, col)
			if err != nil {
				return err
			}
			if namesPeople(c.Name) || namesGroups(c.Name) || a.coded(u) {
				list = append(list, u)
			} else if own, err := a.ownWords(ctx, u); err != nil {
				return err
			} else if own {
				words = append(words, u)
			}
		}
	}
	columns := make([]merge.Col, len(words))
	for i, u := range words {
		columns[i] = u.col
	}
	held, err := a.textHolders(ctx, columns)
	if err != nil {
		return err
	}
	for _, u := range words {
		if named, err := a.inKeyOrAgain(ctx, u, held); err != nil {
			return err
		} else if named {
			list = append(list, u)
		}
	}
	slices.SortStableFunc(list, func(x, y *unexplained) int { return cmp.Compare(y.texts(), x.texts()) })
	for _, u := range list {
		asked, err := a.askLoose(ctx, u, targets)
		if err != nil {
			return err
		}
		if asked {
			targets = append(targets, u.col)
		}
	}
	a.texts = nil
	return nil
}

// texts is how many different texts a column's samples hold.
func (u *unexplained) texts() (n int) {
	for _, one := range u.samples {
		n += len(one.Texts)
	}
	return n
}

// groupWords are last words of columns that say to which group somebody belongs.
var groupWords = []string{"faction", "guild", "clan", "party", "team", "alliance", "kingdom", "tribe", "family", "gang", "crew", "nation", "town", "squad", "legion", "corporation", "corp", "ally", "sect", "fellowship", "company", "group", "match", "battle", "fight", "lobby", "raid", "room", "expedition", "league", "tournament", "duel", "帮派", "公会", "家族", "势力"}

// groupNames are the words of a group's name behind it.
var groupNames = []string{"name", "tag", "title", "abbr", "名", "名称"}

// namesGroups tells whether a column is named like a group, or like the name or the tag of one.
func namesGroups(column string) bool {
	words := wordsOf(column)
	if len(words) > 1 && slices.Contains(groupNames, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return slices.ContainsFunc(groupWords, func(w string) bool {
		rest, ok := strings.CutPrefix(last, w)
		return ok && (rest == "" || slices.Contains(groupNames, rest))
	})
}

// peopleWords are words of columns that name players, and never things.
var peopleWords = []string{"account", "user", "username", "player", "playername", "char", "charname", "character", "login", "loginname", "nick", "nickname", "玩家名", "角色名", "昵称", "账号", "帐号", "用户名"}

// namesPeople tells whether a column is named like one for the names of players.
func namesPeople(column string) bool {
	words := wordsOf(column)
	return slices.Contains(peopleWords, lastWord(column)) || named(column) && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(peopleWords, w) })
}

func (a *auditor) askLoose(ctx context.Context, u *unexplained, targets []merge.Col) (asked bool, err error) {
	col, least := u.col, fewNames
	groups := !namesPeople(col.Name)
	coded := groups && a.coded(u)
	if groups {
		least = namesLeast
	}
	for _, one := range u.samples {
		if n := len(one.Texts); n > 0 && n < least {
			return false, nil // kinds of people rather than people
		}
	}
	n, err := a.lieAmong(ctx, u.samples, col, "")
	if err != nil || n.hits == n.own {
		return false, err
	}
	if groups && !coded {
		if least, err := a.leastShared(ctx, u.samples, col); err != nil || least >= sameNames { // the game's own
			return false, err
		}
	}
	for _, target := range targets {
		if target == col {
			continue
		}
		if in, err := a.lieAmong(ctx, u.samples, target, a.laxer(u.col, target)); err != nil || float64(in.hits) >= namedCopyShare*float64(in.texts) {
			return false, err
		}
	}
	if groups {
		if of, err := a.tableOf(ctx, col); err != nil || of != "" { // whose own names are what is asked about
			return false, err
		}
	}
	whom, same := "somebody of whom no table tells", "the same people"
	switch {
	case groups:
		whom, same = "groups which no table lists", "the same groups, or words of the game"
		if !namesGroups(col.Name) {
			whom, same = "people or groups of which no table tells", "the same ones, or words of the game"
		}
	case u.table.plan.Rows == merge.ByValue:
		if apart, err := a.apartByValue(ctx, u); err != nil || !apart {
			return false, err
		}
		if alone, err := a.uniqueEverywhere(ctx, u.table, col, ""); err != nil {
			return false, err
		} else if alone {
			whom = "whose rows these are"
		}
	}
	question := merge.Undecided{
		Evidence: fmt.Sprintf("%d of %s stand in another shard, too", n.hits-n.own, counted(int64(n.texts), "text that was looked at", "texts that were looked at")),
		Rows:     u.table.total(),
	}
	rename := &merge.UniquePlan{Unique: []merge.Col{col}, OnConflict: "rename", Template: a.template(col)}
	if coded {
		question.Question = fmt.Sprintf("%s holds codes such as %s, by which each server seems to count what no table lists, as matches or parties, and the same stand in two shards: are those others on every server, so that the later shards' get new names? "+
			"What repeats them is asked about then. If they are the same things, or words of the game, they stay: %s", col, u.example(), keepLine(col))
		question.Unique = rename
		a.ask(question)
		return true, nil
	}
	question.Question = fmt.Sprintf("%s names %s, and the same names stand in two shards: are those %s, so that they stay (as: keep)? "+
		"Otherwise rename the later shards', with a line under uniques such as %s, and what repeats them is asked about", col, whom, same, planfile.UniqueLine(rename))
	question.Reference = &merge.Reference{From: []merge.Col{col}, As: merge.Keep}
	a.ask(question)
	return true, nil
}

// apartByValue tells whether rows of two shards hold one text of a column and do not become one, where rows of the same value of others do.
func (a *auditor) apartByValue(ctx context.Context, u *unexplained) (bool, error) {
	key := &merge.Unique{Table: u.col.Table, Columns: []string{u.col.Name}, Collations: []string{a.schema.Column(u.col).Collation}}
	list, _, err := a.engine.Clashes(ctx, a.raw, *key, "", "", a.opt.ClashLimit)
	return len(a.realClashes(key, u.table, merge.ByValue, list)) > 0, err
}
