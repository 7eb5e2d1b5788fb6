package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// askUndeclared asks about numbers that differ in every row though no schema holds them unique, as in dumps that lost their keys:
// copied as they are, two shards' rows would share one number, and nobody could tell them apart.
func (a *auditor) askUndeclared(ctx context.Context, k discover.Key) error {
	t := a.tables[k.Col.Table]
	decided, static := a.decidedKey(k.Col)
	if decided && !static || t.folds() || !t.mixes() || a.referenceAsked(k.Col) {
		return nil
	}
	if a.decided(k.Col) && (!static || len(a.keptBy(k.Col)) == 0 || a.keptByName(k.Col)) { // a pattern that keeps it may have others in mind
		return nil
	}
	if slices.ContainsFunc(a.archives, func(old discover.Archive) bool { return old.Key == k.Col }) {
		return nil // they change with those that they are some of
	}
	if a.tableAsked(t.Name) {
		return nil // where its rows are the same on every server, so are the numbers
	}
	if !decided && len(k.Like) == 0 && a.askSide(k) {
		return nil
	}
	shared := numbersShared(k)
	if shared == 0 && (decided || !a.opt.ChangeAll && len(k.Like) == 0) {
		return nil
	}
	once, err := a.oneOfEach(ctx, k)
	if err != nil {
		return err
	}
	if decided {
		a.standTwice(k, shared, once)
		return nil
	}
	line := merge.KeyPlan{Key: k.Col, New: merge.Shift}
	if k.Zeros {
		line.None = []int64{0}
	}
	for _, given := range a.given.Keys {
		if given.Key == k.Col {
			line.Role = given.Role
		}
	}
	like, fold, zeros := "", "", ""
	if k.Zeros {
		zeros = "; 0 stands in many rows: none says that these have no number"
	}
	if len(k.Like) > 0 {
		like = fmt.Sprintf(" Or does it hold %s? Then say so under references: %s", k.Like[0], refersLine([]merge.Col{k.Col}, k.Like[:1]))
	}
	if by := a.apartBy(t, k); by.Name != "" {
		if like == "" {
			if like, err = a.partners(ctx, k, by); err != nil {
				return err
			}
		}
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s stands beside %s in the PRIMARY KEY, and %s in two shards: is it a thing by itself, such as a skill, a slot or a place that the game knows, and stays (as: keep)? Or does it number the rows of %s, so that the later ones get new numbers (under keys: %s)?%s%s",
				k.Col, by.Name, counted(shared, "number stands", "numbers stand"), t.Name, shiftLine(k.Col), like, a.held(k.Col)),
			Evidence: k.Reason, Rows: shared, Reference: &merge.Reference{From: []merge.Col{k.Col}, As: merge.Keep},
		})
		return nil
	}
	if shared > 0 {
		fold = fmt.Sprintf(" The same thing must not stand twice: then say also %s", once)
		list, err := a.listed(ctx, t, k.Col)
		if err != nil {
			return err
		}
		if list != "" {
			fold += fmt.Sprintf(". Where it numbers the words of a list, which each server numbers anew, say new: shift and, under tables, %s: it makes one row of each two and leads what refers to the later ones to it", list)
		}
		if like != "" || a.held(k.Col) != "" {
			fold += "."
		}
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s numbers the rows of %s, but no schema says so (%s), and %s in two shards: do the later ones get new numbers (new: shift), or is the same number the same thing (new: static)?%s%s%s",
			k.Col, t.Name, t.lack(k.Col), counted(shared, "number stands", "numbers stand"), fold, like, a.held(k.Col)),
		Evidence: k.Reason + zeros, Rows: shared, Key: &line,
	})
	return nil
}

// apartBy is another column of the primary key that follows somebody, so that equal numbers of two shards stay apart beside it; none where something refers to the number.
func (a *auditor) apartBy(t *table, k discover.Key) (by merge.Col) {
	to := func(r *merge.Reference) bool { return r.As == merge.Plain && slices.Contains(r.To, k.Col) }
	if !slices.Contains(t.PrimaryKey, k.Col.Name) || a.knownOrAsked(to) {
		return by
	}
	for _, c := range t.KeyCols() {
		if c != k.Col && (a.mayMove(c) || a.followsRows(c)) {
			return c
		}
	}
	return by
}

// orGroups says what to do where a column numbers groups of which no table tells, as others of the same name do; "" where shards do not share its numbers, or rows do not, which a part
// of a key beside rows of which every shard has its own tells of.
func (a *auditor) orGroups(c merge.Col, same ...merge.Col) string {
	t := a.tables[c.Table]
	beside := slices.Contains(t.PrimaryKey, c.Name) && a.ownPart(c) && slices.ContainsFunc(t.KeyCols(), func(o merge.Col) bool { return o != c && (a.mayMove(o) || a.followsRows(o)) })
	if !beside && !a.grouped[c] {
		return ""
	}
	say := shiftLine(c)
	if len(same) > 0 {
		all := append([]merge.Col{c}, same...)
		key := slices.MaxFunc(all, func(x, y merge.Col) int {
			return cmp.Or(cmp.Compare(a.tables[x.Table].total(), a.tables[y.Table].total()), strings.Compare(y.String(), x.String()))
		})
		say = shiftLine(key) + ", and under references"
		for _, o := range all {
			if o != key {
				say += " " + refersLine([]merge.Col{o}, []merge.Col{key})
			}
		}
	}
	return fmt.Sprintf(" If no table does, and the same number is another thing on every server, as an alliance of guilds or an account of its own login, say so under keys: %s; kept, equal numbers of two servers become one thing", say)
}

// followsRows tells whether a part of a key refers to rows of which every shard has its own.
func (a *auditor) followsRows(c merge.Col) bool {
	to, ok := a.parent(c)
	if !ok || a.tables[to.Table].folds() {
		return false
	}
	_, static := a.decidedKey(a.top(c))
	return !static
}

// partners says that a number may be another key of those that stand beside it, as that of a guild's ally, where all of its values are; "" where not.
func (a *auditor) partners(ctx context.Context, k discover.Key, by merge.Col) (string, error) {
	var to []merge.Col
	a.knownOrAsked(func(r *merge.Reference) bool {
		if r.As == merge.Plain && len(r.To) == 1 && slices.Equal(r.From, []merge.Col{by}) {
			to = r.To
		}
		return to != nil
	})
	if to == nil {
		return "", nil
	}
	for i, s := range a.shards {
		if k.Columns[i] == nil || s.Schema().Column(to[0]) == nil {
			continue
		}
		keys, err := s.Keys(ctx, to[0])
		if err != nil {
			return "", err
		}
		if k.Columns[i].Set.Shared(keys.Set) < k.Columns[i].Set.Len() {
			return "", nil
		}
	}
	return fmt.Sprintf(" Or does it hold %s, as all of its values might? Then say so under references: %s", to[0], refersLine([]merge.Col{k.Col}, to)), nil
}

// lack says why no schema holds a key's values unique.
func (t *table) lack(key merge.Col) string {
	if slices.Contains(t.PrimaryKey, key.Name) {
		return "the PRIMARY KEY needs other columns, too"
	}
	return "no PRIMARY KEY, no UNIQUE"
}

// standTwice refuses to leave two rows of one thing beside each other: what its number means on every server, it means of one row.
func (a *auditor) standTwice(k discover.Key, shared int64, once string) {
	t := a.tables[k.Col.Table]
	unite := fmt.Sprintf("declare %s PRIMARY KEY in copies of the shards and choose rows: union", k.Col)
	if len(t.PrimaryKey) > 0 {
		unite = fmt.Sprintf("declare %s alone the PRIMARY KEY in copies of the shards and choose rows: union", k.Col)
	}
	a.find(merge.Finding{
		Rule: "fold", Severity: merge.Block, Table: t.Name, Column: k.Col.Name, Rows: shared,
		Text: fmt.Sprintf("the plan says new: static, so the same number is the same thing, but %s in rows of two shards, which all come: each such thing would stand twice, and no schema holds the number unique (%s)",
			counted(shared, "number stands", "numbers stand"), t.lack(k.Col)),
		Next: fmt.Sprintf("say %s; or, to make one row of each two, %s; or say %s under references, in place of the line under keys, when it numbers nothing", once, unite, keepLine(k.Col)),
	})
}

// oneOfEach is the line under tables that leaves one row of each number of a key that no schema holds unique: rows fold where they are equal, and else one server's come.
func (a *auditor) oneOfEach(ctx context.Context, k discover.Key) (string, error) {
	t, rows, first := a.tables[k.Col.Table], merge.FirstRows, ""
	for j := range a.shards {
		if t.rows[j] > 0 && first == "" {
			first = a.name(j)
		}
		for i := range j {
			_, equal, err := a.sameRows(ctx, i, j, t.Name)
			if err != nil {
				return "", err
			}
			if equal < k.Columns[i].Set.Shared(k.Columns[j].Set) {
				rows = merge.FromRows
			}
		}
	}
	if rows == merge.FirstRows {
		return rowsLine(t.Name, merge.FirstRows) + " under tables", nil
	}
	return oneServersLine(t.Name, first) + " under tables, which leaves the other shards' rows out", nil
}

// decidedKey tells whether the plan says what becomes of a key, and whether its values never change.
func (a *auditor) decidedKey(c merge.Col) (decided, static bool) {
	i := slices.IndexFunc(a.given.Keys, func(k merge.KeyPlan) bool { return k.Key == c && k.New != "" })
	return i >= 0, i >= 0 && a.given.Keys[i].New == merge.Static
}
