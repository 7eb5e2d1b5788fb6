package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
	"github.com/gameid/gameid/merge/planfile"
)

// askTurnedRows asks before rows of a shard change their order by a key where something reads that order: the schema's own views and triggers, which take the newest row, or a
// column that says up to which row somebody has read. Of all the others one finding tells.
func (a *auditor) askTurnedRows(context.Context) error {
	var told []*space
	for _, s := range a.order {
		rows, shards := a.turnedRows(s)
		if rows == 0 || s.plan.Conflicts || a.tableAsked(s.key.Table) || a.keyAsked(s.key) || a.referenceAsked(s.key) {
			continue
		}
		why := slices.Concat(a.readInOrder(s), a.readUpTo(s))
		if len(why) == 0 {
			if !a.orderTold(s) {
				told = append(told, s)
			}
			continue
		}
		question := fmt.Sprintf("%s of %s keep their numbers above others of their own server, and those get new ones above them: the rows change their order by %s, and the newest is another. "+
			"Shall every key change, so that each server's rows keep their order (change: all), or does nothing look at it (change: conflicts)?", counted(rows, "row", "rows"), strings.Join(shards, " and "), s.key)
		if s.byPlan {
			question += " The answer stands in the key's own line, in place of the one that the plan has"
		}
		line := s.plan
		line.All = true
		a.ask(merge.Undecided{Question: question, Evidence: strings.Join(why[:min(len(why), listed)], "; "), Rows: rows, Key: &line})
	}
	a.tellTurnedRows(told)
	return nil
}

// tellTurnedRows names the tables of which rows change their order by key where nothing is known to look at it.
func (a *auditor) tellTurnedRows(list []*space) {
	if len(list) == 0 {
		return
	}
	var names []string
	for _, s := range list {
		names = append(names, s.key.String())
	}
	all := list[0].plan
	all.All = true
	a.find(merge.Finding{
		Rule: "key-order", Severity: merge.Info,
		Text: fmt.Sprintf("new keys come to stand above those that stay, so that rows of one server change their order by %s", someOf(names)),
		Next: "where the game takes the row of the highest key for the newest, or goes on reading above one, keep each server's order: " + planfile.KeyLine(&all),
	})
}

// someOf is a few names of a list, and how many there are beside them.
func someOf(names []string) string {
	if len(names) <= listed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:listed], ", "), len(names)-listed)
}

// orderTold tells whether the audit has told already, of a pair of columns, what becomes of the order of their keys.
func (a *auditor) orderTold(s *space) bool {
	return slices.ContainsFunc(a.res.Findings, func(f merge.Finding) bool {
		return f.Rule == "order" && slices.ContainsFunc(s.users, func(r *reference) bool { return r.table() == f.Table && r.From[0].Name == f.Column })
	})
}

// turnedRows counts the rows that keep their key while one of their own shard comes from below to stand above them, or the other way round, and names their shards.
func (a *auditor) turnedRows(s *space) (rows int64, shards []string) {
	if s.result == nil || s.folds != nil || s.plan.All {
		return 0, nil
	}
	for i, m := range s.result.Maps {
		if n := turnedKeys(m, s.moving[i], s.alive[i].Without(s.moving[i])); n > 0 {
			rows, shards = rows+n, append(shards, a.name(i))
		}
	}
	return rows, shards
}

// turnedKeys counts the keys that stay and lie on another side of some key that changes than before.
func turnedKeys(m *merge.KeyMap, moving, staying *merge.KeySet) (n int64) {
	first, found := moving.Min()
	top, more := staying.Max()
	if !found || !more {
		return 0
	}
	above := true // as shift has it: every new key stands above all that stay
	for _, r := range m.Runs() {
		above = above && (r.Rule == merge.Tombstone || r.New > top)
	}
	if above {
		return staying.Len() - staying.Rank(first)
	}
	last, _ := moving.Max()
	var old, highest, lowest []int64 // by part of the map: its first key, the highest new key up to there, and the lowest from there on
	for part, r := range m.Parts(first, last) {
		if r.Rule == merge.Tombstone {
			continue
		}
		low := r.At(part.First - r.Old)
		high := r.At(part.First + part.Count - 1 - r.Old)
		if len(highest) > 0 {
			high = max(high, highest[len(highest)-1])
		}
		old, highest, lowest = append(old, part.First), append(highest, high), append(lowest, low)
	}
	for i := len(lowest) - 2; i >= 0; i-- {
		lowest[i] = min(lowest[i], lowest[i+1])
	}
	for from, count := range staying.Runs() {
		at, _ := slices.BinarySearch(old, from)
		passed := int64(0)
		if at > 0 {
			passed += min(count, max(0, highest[at-1]-from))
		}
		if at < len(old) {
			passed += min(count, max(0, from+count-1-lowest[at]))
		}
		n += min(count, passed)
	}
	return n
}

// readUpTo says which columns hold how far somebody has come in a key's rows, by their names.
func (a *auditor) readUpTo(s *space) (why []string) {
	for _, r := range s.users {
		for i, sp := range r.spaces {
			if sp == s && r.alive() > 0 && discover.MarksProgress(r.From[i].Name) {
				why = append(why, fmt.Sprintf("%s says by its name up to which row somebody has come", r.From[i]))
			}
		}
	}
	return why
}
