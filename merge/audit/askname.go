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

// askName asks what becomes of equal names, unless a question does already.
func (a *auditor) askName(ctx context.Context, n *bearing) error {
	if a.namedAlone(n.table.Table, n.col.Name) {
		return nil
	}
	line := &merge.UniquePlan{Unique: []merge.Col{n.col}, OnConflict: "rename", Template: a.template(n.col), Collate: n.collate}
	same, err := a.repeatsInRow(ctx, n.table, n.col)
	if err != nil {
		return err
	}
	if same != nil {
		if err := a.askRepeated(ctx, n.table, n.col, same); err != nil {
			return err
		}
		if a.namedAlone(a.tables[same.of.Table].Table, same.of.Name) {
			return nil
		}
		line = same.rename(a)
		line.Collate = cmp.Or(line.Collate, n.collate)
	}
	if !n.unique && n.once {
		return nil // several rows of one player, by a name that is his on every server
	}
	a.res.Verdict.NameClash += n.total
	more, question := "", "no two rows of a shard share a %s, but %s in two shards: rename the later shards' rows (or on_conflict: keep)?"
	one, err := a.nameNumbers(ctx, n)
	if err != nil {
		return err
	}
	switch {
	case one.many():
		question = "no schema holds %s unique, but %s in two shards, and "
		more = one.words() + ": the same players or things on both servers? " + a.orOneEach(n.table, one) + "; on_conflict: rename keeps both under two names, and keep under one; fail stops the merge"
		line = &merge.UniquePlan{Unique: line.Unique, OnConflict: "fail", Collate: n.collate}
	case n.once || n.mail || platform(n.col.Name):
		cannot := ", which gameid cannot join"
		if byValue := a.byValueLine(&merge.Unique{Table: n.col.Table, Columns: []string{n.col.Name}}, n.table); byValue != "" {
			cannot, more = "", fmt.Sprintf(" Where each two are the one row of a player, %s makes one of them and leads what refers to the later one to it", byValue)
		}
		question = "no two rows of a shard share a %s, but %s in two shards, in rows of one player each" + cannot + ": refuse them (or on_conflict: keep, and both stay)?"
		line = &merge.UniquePlan{Unique: line.Unique, OnConflict: "fail"}
	case slices.ContainsFunc(a.plain(), func(r *reference) bool { return len(r.To) > 1 && slices.Contains(r.To, n.col) }):
		question = "%s is a part of what others refer to by several columns, which follow no rename, and %s in two shards: keep both (or on_conflict: fail)?"
		line = &merge.UniquePlan{Unique: line.Unique, OnConflict: "keep"}
	case !n.unique && n.repeated:
		question = "other tables repeat %s, and %s in two shards: rename the later shards' rows (or on_conflict: keep)? Rows of one shard that share a name go on sharing it"
	case !n.unique:
		question = "hardly two rows of a shard share a %s, but %s in two shards: rename the later shards' rows (or on_conflict: keep)? Rows of one shard that share a name go on sharing it"
	}
	if line.OnConflict == "rename" {
		more += a.butOneNumber(n.table, one)
		if word := n.stopgap(); word != "" {
			more += fmt.Sprintf(". %q, which stands in many rows of each, seems to be what the game writes where there is none, and is renamed, too: where it means nobody, make it empty or NULL in copies of the shards before the merge", word)
		}
	}
	if same != nil {
		more += fmt.Sprintf(" It repeats %s, by which they are renamed", same.of)
	}
	if line.OnConflict == "rename" && a.keptByName(n.col) {
		more += fmt.Sprintf(" The plan keeps it: equal ones stay, as the line says, unless that says only that it repeats nothing; then %s renames them", planfile.UniqueLine(line))
		line = &merge.UniquePlan{Unique: line.Unique, OnConflict: "keep"}
	}
	if line.OnConflict == "rename" {
		a.withdraw(n.col, "is renamed")
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf(question, n.col, counted(n.total, "value stands", "values stand")) + more,
		Rows:     n.total, Evidence: strings.Join(n.listed, ", "), Unique: line,
	})
	return nil
}
