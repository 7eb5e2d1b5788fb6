package worlds

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gameid/gameid/merge"
)

// answer compares a merged database with what its shards hold.
type answer struct {
	w      *world
	merged map[*table][][]any
	left   map[*table][]map[int]bool // by shard: rows that a drop leaves out
	loser  map[*table][]map[int]bool // by shard: rows that get a new name
	dug    map[cell]map[int64]bool   // fresh dead values, by the key that they are no values of
	wrong  []string
}

func (a *answer) fail(format string, args ...any) {
	if len(a.wrong) < 20 {
		a.wrong = append(a.wrong, fmt.Sprintf(format, args...))
	}
}

func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

// answer reads a merged database and finds which rows must be missing or renamed.
func (w *world) answer(t *testing.T, path string) *answer {
	t.Helper()
	db := open(t, path)
	defer func() { _ = db.Close() }()
	a := &answer{w: w, merged: map[*table][][]any{}, left: map[*table][]map[int]bool{}, loser: map[*table][]map[int]bool{}, dug: map[cell]map[int64]bool{}}
	for _, x := range w.tables {
		a.merged[x] = read(t, db, x, -1)
		for range w.shards {
			a.left[x] = append(a.left[x], map[int]bool{})
			a.loser[x] = append(a.loser[x], map[int]bool{})
		}
	}
	a.drops()
	a.losers()
	return a
}

// judge finds what is wrong with a merged database.
func judge(t *testing.T, w *world, path string) *answer {
	t.Helper()
	a := w.answer(t, path)
	for _, x := range w.tables {
		a.rows(x)
		for _, k := range x.keys() {
			if !x.columns[k].text {
				a.keys(x, k)
			}
		}
	}
	a.graves()
	a.epitaphs()
	db := open(t, path)
	defer func() { _ = db.Close() }()
	for _, o := range w.objects {
		var n int
		if err := db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE sql = ?", o).Scan(&n); err != nil || n != 1 {
			a.fail("%s: stands there %d times, %v", o, n, err)
		}
	}
	for _, list := range w.indexes {
		for _, o := range list {
			var n int
			if err := db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE sql = ?", o).Scan(&n); err != nil || n != 1 {
				a.fail("%s: stands there %d times, %v", o, n, err)
			}
		}
	}
	for _, x := range w.tables {
		a.number(db, x)
		a.declared(db, x)
	}
	for _, c := range w.counters {
		a.counter(c)
	}
	return a
}

// holder is a row that holds a name.
type holder struct{ shard, row int }

// losers are the rows that hold a name which a better row holds, or one before them in shard order.
func (a *answer) losers() {
	for _, x := range a.w.tables {
		n := x.find(name)
		if n < 0 {
			continue
		}
		best := map[string]holder{}
		for s, rows := range x.source {
			for i, row := range rows {
				text, ok := row[n].(string)
				if !ok || a.left[x][s][i] || x.columns[n].covers != nil && !x.columns[n].covers(row) {
					continue
				}
				if strings.Contains(x.columns[n].decl, "NOCASE") {
					text = merge.FoldASCII(text)
				}
				if b := x.columns[n].beside; b >= 0 {
					if row[b] == nil {
						continue // nulls are never equal
					}
					text += "\x00" + show(row[b])
				}
				now := holder{s, i}
				first, held := best[text]
				switch {
				case !held:
					best[text] = now
				case a.better(x, n, now, first):
					best[text] = now
					a.loser[x][first.shard][first.row] = true
				default:
					a.loser[x][s][i] = true
				}
			}
		}
	}
}

// better tells whether a row keeps a name before one that holds it already.
func (a *answer) better(x *table, n int, now, first holder) bool {
	worth := x.columns[n].worth
	if worth == nil {
		return false
	}
	v, ok := worth(a.w, now.shard, x.source[now.shard][now.row]).(int64)
	b, some := worth(a.w, first.shard, x.source[first.shard][first.row]).(int64)
	return ok && (!some || v > b)
}

// image is the merged row of a tagged row; nil when there is none.
func (a *answer) image(x *table, row []any) []any {
	n := x.find(tag)
	var owner []any
	if x.owner != nil {
		before := find(x.owner, x.owner.to.source[a.w.home[&row[0]]], row)
		if before == nil {
			return nil
		}
		if owner = a.image(x.owner.to, before); owner == nil {
			return nil
		}
	}
	for _, m := range a.merged[x] {
		if m[n] == row[n] && (owner == nil || index(x.owner, [][]any{owner}, m) == 0) {
			return m
		}
	}
	return nil
}

// stays is the row that a row of a table which folds became one with.
func (a *answer) stays(x *table, row []any) []any {
	for s, rows := range x.source {
		for i, other := range rows {
			if x.takes(s) && !a.left[x][s][i] && same(row[x.pk[0]], other[x.pk[0]], x.columns[x.pk[0]]) {
				return other
			}
		}
	}
	return nil
}

// want is what a cell must be in the merged database; known is false where only the rules for keys and graves say.
func (a *answer) want(x *table, shard, i int, row []any, c int) (v any, known bool) {
	col := x.columns[c]
	for _, r := range a.w.refs {
		at := slices.Index(r.from, c)
		if r.table != x || at < 0 || !r.speaks(row) {
			continue
		}
		s, k, ok := a.target(r, shard, row)
		if !ok {
			if len(r.from) > 1 {
				continue
			}
			if r.orphans == merge.ByClear && r.named() {
				if strings.Contains(col.decl, "NOT NULL") {
					return r.none[0], true
				}
				return nil, true
			}
			if r.orphans == merge.ByClear {
				if _, isInt := integer(row[c]); isInt && strings.Contains(col.decl, "NOT NULL") {
					return r.none[0], true
				} else if isInt {
					return nil, true
				}
			}
			old, isInt := integer(row[c])
			next := isInt && a.again(a.root(cell{r.to, r.at[0]}), old)
			if r.named() {
				return nil, false // the epitaphs tell
			}
			if r.to.static(r.at[0]) && !a.found(r, row) && !next {
				return row[c], true
			}
			return nil, false
		}
		target := r.to.source[s][k]
		if r.to.rows == merge.FirstRows || r.to.rows == merge.UnionRows {
			target = a.stays(r.to, target)
		}
		m := a.image(r.to, target)
		if m == nil {
			a.fail("%s: the row that %s points at is lost", r.to.name, x.columns[c].name)
			return nil, false
		}
		if r.to.columns[r.at[at]].role == name && !a.loser[r.to][s][k] {
			return row[c], true // its own spelling
		}
		v := m[r.at[at]]
		if n, isInt := v.(int64); isInt {
			if _, text := row[c].(string); text {
				return fmt.Sprint(n), true
			}
		}
		return v, true
	}
	for _, k := range a.w.copies {
		if k.table == x && k.column == c {
			if text, ok := row[c].(string); ok && k.looked() && !a.known(cell{k.of, k.ofColumn}, shard, text) {
				return nil, false // the epitaphs tell
			}
			return a.copy(k, shard, row), true
		}
	}
	if col.role == counts {
		return nil, false
	}
	if n := x.find(name); n >= 0 && x.columns[n].mark == c && a.loser[x][shard][i] {
		return int64(1), true
	}
	if col.role == key && !x.folds() && col.rule != merge.Static || slices.Contains(x.pk, c) && col.role == refers {
		return nil, false
	}
	if col.role == name && a.loser[x][shard][i] {
		return nil, false
	}
	if slices.ContainsFunc(a.w.refs, func(r *reference) bool {
		return r.table == x && len(r.from) > 1 && slices.Contains(r.from, c) && r.speaks(row)
	}) {
		return nil, false // a pair that points at nobody: its parts may have moved
	}
	return row[c], true
}

// copy is what a copied name must be.
func (a *answer) copy(k copied, shard int, row []any) any {
	for i, target := range k.of.rowsOf(shard) {
		if row[k.column] == nil || a.left[k.of][shard][i] || !a.loser[k.of][shard][i] {
			continue
		}
		form := through(k.via, target[k.ofColumn])
		if row[k.column] != form && !same(row[k.column], form, k.of.columns[k.ofColumn]) {
			continue
		}
		if k.by != nil && (!k.by.speaks(row) || index(k.by, [][]any{target}, row) != 0) {
			continue
		}
		if m := a.image(k.of, target); m != nil {
			return through(k.via, m[k.ofColumn])
		}
	}
	return row[k.column]
}

// fits tells whether a new name is one: other than the old, free in every shard, and not too long.
func (a *answer) fits(x *table, n int, old, fresh any) bool {
	v, ok := fresh.(string)
	if !ok || v == old || strings.Contains(x.columns[n].decl, "(12)") && utf8.RuneCountInString(v) > 12 {
		return false
	}
	for _, rows := range x.source {
		for _, row := range rows {
			if same(v, row[n], x.columns[n]) {
				return false
			}
		}
	}
	return true
}
