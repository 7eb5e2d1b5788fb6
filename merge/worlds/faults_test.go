package worlds

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// fault spoils a merged database; it returns "" where the world gives no occasion.
type fault func(w *world, a *answer) (query string, args []any)

var faults = map[string]fault{
	"unshifted column": func(_ *world, a *answer) (string, []any) {
		return a.firstReference(func(r *reference, before, after []any) (any, bool) {
			return before[r.from[0]], before[r.from[0]] != after[r.from[0]] && find(r, a.merged[r.to], after) != nil
		})
	},
	"captured orphan": func(_ *world, a *answer) (string, []any) {
		return a.firstReference(func(r *reference, _, after []any) (any, bool) {
			rows := a.merged[r.to]
			return value(rows, r.at[0]), len(rows) > 0 && find(r, rows, after) == nil && !r.to.folds() && value(rows, r.at[0]) != nil
		})
	},
	"swapped reference": func(_ *world, a *answer) (string, []any) {
		return a.firstReference(func(r *reference, _, after []any) (any, bool) {
			for _, other := range a.merged[r.to] {
				if _, isInt := after[r.from[0]].(int64); isInt && find(r, a.merged[r.to], after) != nil && other[r.at[0]] != nil && !same(after[r.from[0]], other[r.at[0]], r.to.columns[r.at[0]]) {
					return other[r.at[0]], true
				}
			}
			return nil, false
		})
	},
	"float id": func(_ *world, a *answer) (string, []any) {
		return a.firstReference(func(r *reference, _, after []any) (any, bool) {
			n, ok := after[r.from[0]].(int64)
			return float64(n), ok && r.table.columns[r.from[0]].decl == "" && find(r, a.merged[r.to], after) != nil
		})
	},
	"lost row": func(w *world, a *answer) (string, []any) {
		for _, x := range w.tables {
			if n := x.find(tag); n >= 0 && len(a.merged[x]) > 0 {
				return "DELETE FROM " + quoted(x.name) + " WHERE " + quoted(x.columns[n].name) + " = ?", []any{a.merged[x][0][n]}
			}
		}
		return "", nil
	},
	"folded equal rows": func(w *world, a *answer) (string, []any) {
		for _, x := range w.tables {
			if x.find(tag) < 0 && len(a.merged[x]) > 0 {
				return "DELETE FROM " + quoted(x.name) + " WHERE rowid IN (SELECT rowid FROM " + quoted(x.name) + " LIMIT 1)", nil
			}
		}
		return "", nil
	},
	"stale counter": func(w *world, a *answer) (string, []any) {
		for _, x := range w.tables {
			for _, row := range a.merged[x] {
				if x.auto && row[x.find(key)].(int64) > 1 {
					return "UPDATE sqlite_sequence SET seq = 1 WHERE name = ?", []any{x.name}
				}
			}
		}
		return "", nil
	},
	"lost trigger": func(w *world, _ *answer) (string, []any) {
		for _, name := range w.triggers {
			return "DROP TRIGGER " + quoted(name), nil
		}
		return "", nil
	},
	"lost cell": func(w *world, a *answer) (string, []any) {
		for _, x := range w.tables {
			for _, row := range a.merged[x] {
				for c, col := range x.columns {
					if n := x.find(tag); n >= 0 && col.role == payload && row[c] == "" {
						return "UPDATE " + quoted(x.name) + " SET " + quoted(col.name) + " = NULL WHERE " + quoted(x.columns[n].name) + " = ?", []any{row[n]}
					}
				}
			}
		}
		return "", nil
	},
	"old name": func(w *world, a *answer) (string, []any) {
		for _, c := range w.copies {
			n := c.table.find(tag)
			for _, rows := range c.table.source {
				for _, row := range rows {
					if m := a.image(c.table, row); n >= 0 && m != nil && m[c.column] != row[c.column] {
						return "UPDATE " + quoted(c.table.name) + " SET " + quoted(c.table.columns[c.column].name) + " = ? WHERE " + quoted(c.table.columns[n].name) + " = ?", []any{row[c.column], row[n]}
					}
				}
			}
		}
		return "", nil
	},
}

func value(rows [][]any, c int) any {
	if len(rows) == 0 {
		return nil
	}
	return rows[0][c]
}

// firstReference changes the first cell of a reference for which choose finds another value.
func (a *answer) firstReference(choose func(r *reference, before, after []any) (any, bool)) (string, []any) {
	for _, r := range a.w.refs {
		n := r.table.find(tag)
		if n < 0 || len(r.from) > 1 || r.table.rows != merge.MergeRows || r.to.columns[r.at[0]].role == name {
			continue
		}
		for _, rows := range r.table.source {
			for _, row := range rows {
				m := a.image(r.table, row)
				if m == nil || !r.speaks(row) || !r.speaks(m) {
					continue
				}
				if v, ok := choose(r, row, m); ok {
					return "UPDATE OR IGNORE " + quoted(r.table.name) + " SET " + quoted(r.table.columns[r.from[0]].name) + " = ? WHERE " + quoted(r.table.columns[n].name) + " = ?", []any{v, m[n]}
				}
			}
		}
	}
	return "", nil
}

// TestFaults spoils merged worlds and expects both the answer and the proof to notice.
func TestFaults(t *testing.T) {
	planted := map[string]int{}
	for seed := 1; seed <= 40; seed++ {
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
		for what, spoil := range faults {
			if planted[what] >= 3 {
				continue
			}
			query, args := spoil(w, w.answer(t, out))
			if query == "" {
				continue
			}
			path := filepath.Join(dir, "spoilt.db")
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if !change(t, path, query, args) {
				continue
			}
			planted[what]++
			if len(judge(t, w, path).wrong) == 0 {
				t.Errorf("seed %d, %s: the answer does not notice %s %v", seed, what, query, args)
			}
			e := sqlite.New()
			if w.prove(t, e, w.open(t, e), path).OK {
				t.Errorf("seed %d, %s: the proof does not notice %s %v", seed, what, query, args)
			}
		}
	}
	for what := range faults {
		if planted[what] == 0 {
			t.Errorf("%s was never planted", what)
		}
	}
}

func change(t *testing.T, path, query string, args []any) bool {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	result, err := db.Exec(query, args...)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", query, err))
	}
	n, err := result.RowsAffected()
	return err == nil && (n > 0 || strings.HasPrefix(query, "DROP"))
}
