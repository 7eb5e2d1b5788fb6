package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// textKey tells whether rows of equal keys cannot be kept apart by new keys: the key is a text.
func (a *auditor) textKey(t *merge.Table) bool {
	return len(t.PrimaryKey) == 1 && a.schema.Holds(t.KeyCols()[0]) == merge.Text
}

// askTextKey asks what rows of equal text keys are, and says what every answer does. The line that stands keeps all of them.
func (a *auditor) askTextKey(u *merge.Unique, t *table, list []merge.Clash, samples []string) {
	evidence := "keys " + strings.Join(samples, ", ")
	if t.doubt != "" {
		evidence += "; " + t.doubt
	}
	later := laterRows(list)
	a.askLosers(merge.Undecided{
		Question: fmt.Sprintf("%s: players of two servers, so that the later ones get new names and what refers to them follows? %s",
			inTwo(len(list), "the key "+merge.JoinCols(u.Cols())), orSameKeys(t, later)),
		Rows: later, Evidence: evidence, Unique: &merge.UniquePlan{Unique: u.Cols(), OnConflict: "rename", Template: a.template(u.Cols()...)},
	})
}

// orSameKeys says what folds rows of equal text keys.
func orSameKeys(t *table, later int64) string {
	return fmt.Sprintf("If they are the same thing on every server, %s leaves %s out and leads what refers to them to the first shard's; rows: union makes one row of each two",
		rowsLine(t.Name, merge.FirstRows), counted(later, "row of the later shards", "rows of the later shards"))
}

// laterRows counts the rows of clashes that are not the first of theirs.
func laterRows(list []merge.Clash) (n int64) {
	for _, c := range list {
		n += int64(len(c.Rows) - 1)
	}
	return n
}

// foldOrRename is the advice about shared values that are likely the same things.
func (a *auditor) foldOrRename(u *merge.Unique, t *table, list []merge.Clash) string {
	if one := a.sameNumbers(t, u, list); one.many() && !one.only() {
		return "make one row of each two by the value (rows: by-value for the table), or repair the rows of one shard"
	}
	if a.foldingHelps(u, t, list) {
		return "fold the rows (rows: union or first for the table), or repair the rows of one shard"
	}
	return "rename the later shards' values (on_conflict: rename), or repair the rows of one shard"
}

// askSameThing asks about shared values that are no names, so that no new value is proposed; the line that stands merges nothing. Folding is an answer only where
// it brings together the rows that share a value: rows fold by their key, and those of one person under two keys are the game's to join.
func (a *auditor) askSameThing(u *merge.Unique, t *table, list []merge.Clash, samples []string) {
	fate := fmt.Sprintf("rows of %s fold by %s and not by this value, so no rows: word makes one of two, and joining two accounts of one person is the game's own business", t.Name, merge.JoinCols(t.KeyCols()))
	another := func(o *merge.Unique) bool { return !o.Primary && !slices.Equal(o.Columns, u.Columns) }
	if line := a.byValueLine(u, t); line != "" && !slices.ContainsFunc(t.Uniques, another) {
		fate = fmt.Sprintf("where %s is a list that every server numbers for itself, %s makes one row of each two and leads what refers to the later ones to it; joining two accounts of one person is the game's own business", t.Name, line)
	}
	if len(t.PrimaryKey) == 0 {
		fate = "joining two accounts of one person is the game's own business"
	}
	if one := a.sameNumbers(t, u, list); one.many() {
		fate = a.orOneEach(t, one)
	} else if a.foldingHelps(u, t, list) {
		fate = rowsLine(t.Name, merge.UnionRows) + " makes one row of each two, with a rule for every column that differs; rows: first keeps the first shard's"
	}
	rename := ""
	if a.textColumn(u, nil) != "" {
		rename = "; on_conflict: rename keeps both under two names, which merge-map --renamed lists for the game"
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s, and %s: the same players or things on both servers? %s%s; fail stops the merge",
			inTwo(len(list), "the key "+merge.JoinCols(u.Cols())), a.sameThing(t, u, list), fate, rename),
		Rows: int64(len(list)), Evidence: "such as " + strings.Join(samples, ", "), Unique: &merge.UniquePlan{Unique: u.Cols(), OnConflict: "fail"},
	})
}

// madeOnce matches texts that no two servers make by chance: UUIDs, long numbers of a platform's accounts, and hashes, also behind a word that tells which.
var madeOnce = regexp.MustCompile(`(?i)^([a-z0-9]+[:._-])?([0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{15,})$`)

// platformName matches names of columns that hold what a platform calls its users.
var platformName = regexp.MustCompile(`(?i)(open|union|platform|social|facebook|fb|google|apple|discord|steam|xbox|psn|epic|twitch|wechat|weixin|wx|qq|kakao)_?(u?id|sub)$`)

// randomText tells whether a text has the letters and digits that are drawn for an account, as a platform's do.
func randomText(text string) bool {
	return base64Text.MatchString(text) && merge.Drawn(text)
}

var base64Text = regexp.MustCompile(`^[A-Za-z0-9_-]{20,}$`)

// fewThings is how many keys two servers must share before having the same ones says anything.
const fewThings = 3

// sameThing says why the values that shards share are likely the same things everywhere: all were made once, or are days or addresses, or nearly all stand under one number on every server, as those of
// accounts that one place gives out, or they are a table's keys and nearly all of them, and nobody refers to them, as to settings and counters; "" when none of it holds.
func (a *auditor) sameThing(t *table, u *merge.Unique, list []merge.Clash) string {
	all := func(form func(string) bool) bool {
		return !slices.ContainsFunc(list, func(c merge.Clash) bool { return !form(valueText(c.Rows[0].Values[0])) })
	}
	switch {
	case all(madeOnce.MatchString):
		return "such values are made once"
	case len(u.Columns) > 1:
	case all(mailForm.MatchString):
		return "a mail address is one person's everywhere"
	case all(ofItself):
		return "a day or an address of the internet is the same everywhere"
	case platformName.MatchString(u.Columns[0]) || all(randomText):
		return "a platform gives out such values, one to a player everywhere"
	}
	if one := a.sameNumbers(t, u, list); one.many() {
		return one.words()
	}
	refers := func(r *merge.Reference) bool { return r.As != merge.Keep && slices.Contains(r.To, u.Cols()[0]) }
	if !u.Primary || len(list) < fewThings || a.knownOrAsked(refers) {
		return ""
	}
	for _, rows := range t.rows {
		if int64(len(list))*10 < rows*9 {
			return ""
		}
	}
	return "every server has nearly the same ones"
}

// allText tells whether every value that clashes is a text, which a rename can change.
func allText(list []merge.Clash) bool {
	for _, c := range list {
		for _, row := range c.Rows {
			if _, ok := row.Values[0].(string); !ok {
				return false
			}
		}
	}
	return true
}
