package worlds

import (
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// change is a statement that spoils a merged database.
type change struct {
	query string
	args  []any
}

// fault spoils a merged database; its changes are none where the world gives no occasion.
type fault struct {
	proven bool // the proof's claim covers it, so the proof must notice, too
	spoil  func(w *world, a *answer) []change
}

var faults = map[string]fault{
	"an unshifted column":       {true, spoilt(unshifted)},
	"a captured orphan":         {true, spoilt(captured)},
	"a reused dead value":       {true, reused},
	"a captured name":           {true, capturedName},
	"a reused lost name":        {true, reusedName},
	"folded starter rows":       {true, foldedStarters},
	"a fired trigger":           {true, fired},
	"a lost trigger":            {true, lostTrigger},
	"a swapped reference":       {true, spoilt(swapped)},
	"a swapped pair":            {true, swappedPair},
	"a float id":                {true, spoilt(floated)},
	"a text id left":            {true, spoilt(textLeft)},
	"a stale counter":           {true, staleCounter},
	"a stale counter of a game": {true, staleGameCounter},
	"a dropped row":             {true, droppedRow},
	"folded equal rows":         {true, foldedEqual},
	"a key changed in vain":     {true, changedInVain},
	"a lost cell":               {true, lostCell},
	"an old name":               {true, oldName},
	"a lost mark":               {true, lostMark},
	"a lost view":               {true, lostView},
	"a key at the dead's place": {true, keyOnGrave},
}

// often is how often each fault is planted.
const often = 2

// TestFaults spoils merged worlds and expects the answer to notice, and the proof where its claim says so.
func TestFaults(t *testing.T) {
	planted := map[string]int{}
	for seed := 1; seed <= 60 && slices.ContainsFunc(slices.Collect(maps.Keys(faults)), func(what string) bool { return planted[what] < often }); seed++ {
		w := generate(uint64(seed))
		dir := t.TempDir()
		w.build(t, dir)
		out, _ := w.merge(t, dir)
		if out == "" {
			return
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		a := w.answer(t, out)
		a.graves() // finds the fresh dead values
		for what, f := range faults {
			if planted[what] >= often {
				continue
			}
			changes := f.spoil(w, a)
			if len(changes) == 0 {
				continue
			}
			path := filepath.Join(dir, "spoilt.db")
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if !apply(t, path, changes) {
				continue
			}
			planted[what]++
			if len(judge(t, w, path).wrong) == 0 {
				t.Errorf("seed %d, %s: the answer does not notice %v", seed, what, changes)
			}
			e := sqlite.New()
			if got := !w.prove(t, e, w.open(t, e), path).OK; got != f.proven {
				t.Errorf("seed %d, %s: the proof notices: %v, want %v: %v", seed, what, got, f.proven, changes)
			}
		}
	}
	for what := range faults {
		if planted[what] < often {
			t.Errorf("%s was planted %d times, want %d", what, planted[what], often)
		}
	}
}

// apply runs changes without the triggers and the checks of a game; it is false when one of them changed nothing.
func apply(t *testing.T, path string, changes []change) bool {
	t.Helper()
	db := open(t, path)
	defer func() { _ = db.Close() }()
	silence(t, db)
	for _, c := range changes {
		result, err := db.Exec(c.query, c.args...)
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", c.query, err))
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 && c.query[:4] != "DROP" {
			return false
		}
	}
	return true
}

func silence(t *testing.T, db *sql.DB) {
	t.Helper()
	if _, err := db.Exec("PRAGMA foreign_keys = OFF; PRAGMA recursive_triggers = OFF"); err != nil {
		t.Fatal(err)
	}
}

// set changes a cell of a tagged row.
func set(x *table, c int, m []any, v any) change {
	q := "UPDATE OR IGNORE " + quoted(x.name) + " SET " + quoted(x.columns[c].name) + " = ? WHERE " + quoted(x.columns[x.find(tag)].name) + " = ?"
	args := []any{v, m[x.find(tag)]}
	if x.owner != nil {
		q += " AND " + quoted(x.columns[x.owner.from[0]].name) + " = ?"
		args = append(args, m[x.owner.from[0]])
	}
	return change{q, args}
}

// images yields the tagged rows of a table that come into the output, with their merged rows.
func (a *answer) images(x *table, yield func(shard int, row, m []any) bool) {
	if x.find(tag) < 0 || x.rows != merge.MergeRows {
		return
	}
	for s, rows := range x.source {
		for _, row := range rows {
			if m := a.image(x, row); m != nil && !yield(s, row, m) {
				return
			}
		}
	}
}

// spoilt spoils the first cell of a reference for which choose finds another value.
func spoilt(choose func(a *answer, r *reference, before, after []any) (any, bool)) func(*world, *answer) []change {
	return func(w *world, a *answer) (list []change) {
		for _, r := range w.refs {
			if len(r.from) > 1 || r.to.columns[r.at[0]].role == name || len(list) > 0 {
				continue
			}
			a.images(r.table, func(_ int, row, m []any) bool {
				if !r.speaks(row) || !r.speaks(m) {
					return true
				}
				if v, ok := choose(a, r, row, m); ok {
					list = []change{set(r.table, r.from[0], m, v)}
				}
				return len(list) == 0
			})
		}
		return list
	}
}
