package worlds

import (
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
)

// lists are servers each of which numbers the words of its own list, and rows that hold those numbers.
type lists struct {
	ddl    []string
	fold   bool // words are compared in any case
	sum    bool // n of rows that fold is added up
	words  [][]word
	holds  []map[string]int64 // by shard and tag: the number of a word, or a dead one
	shards int
}

type word struct {
	id, n int64
	text  any // string or nil
}

func (w word) own(shard int) string { return fmt.Sprintf("%d:%d", shard, w.id) }

// TestFoldsByValue folds random lists by their words: each word that several servers have becomes the first's row, whatever held another server's number follows, every other row
// and every dead number stays by itself.
func TestFoldsByValue(t *testing.T) {
	folded := 0
	for _, seed := range seeds(t, ordinary) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 11))
			l := newLists(r)
			w := &world{plan: merge.Plan{
				Tables: []merge.TablePlan{{Table: "word", Rows: merge.ByValue, By: []string{"text"}}},
				Keys:   []merge.KeyPlan{{Key: merge.Col{Table: "word", Name: "id"}, New: []merge.Rule{merge.Shift, merge.Dense, merge.GameID}[r.IntN(3)], All: r.IntN(4) == 0}},
				References: []merge.Reference{
					{From: []merge.Col{{Table: "use", Name: "word"}}, To: []merge.Col{{Table: "word", Name: "id"}}, Orphans: merge.ByTombstone},
					{From: []merge.Col{{Table: "word", Name: "own"}, {Table: "word", Name: "n"}, {Table: "use", Name: "tag"}}, As: merge.Keep},
				},
				Uniques: []merge.UniquePlan{{Unique: []merge.Col{{Table: "use", Name: "tag"}}, OnConflict: "fail"}},
			}}
			if l.sum {
				w.plan.Tables[0].Columns = map[string]merge.Combine{"n": {How: "sum"}}
			}
			dir := t.TempDir()
			for i := range l.shards {
				path, number := filepath.Join(dir, fmt.Sprintf("%d.db", i+1)), int64(i+1)
				l.write(t, path, i)
				w.plan.Shards = append(w.plan.Shards, merge.Source{Name: fmt.Sprintf("s%d", i+1), Server: &number, Source: path})
			}
			out, report := w.merge(t, dir)
			if out == "" {
				return
			}
			for _, c := range report.Checks {
				if !c.OK {
					t.Errorf("proof: %s %s.%s %s: %s", c.Name, c.Table, c.Column, c.Shard, c.Detail)
				}
			}
			folded += l.check(t, out)
		})
	}
	if folded < ordinary {
		t.Errorf("only %d rows folded", folded)
	}
}

func newLists(r *rand.Rand) *lists {
	l := &lists{shards: 2 + r.IntN(3), fold: r.IntN(2) == 0, sum: r.IntN(2) == 0}
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	text := "text TEXT"
	if l.fold {
		text += " COLLATE NOCASE"
	}
	unique := r.IntN(2) == 0
	if unique {
		text += " UNIQUE"
	}
	key, rest := one("INTEGER PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT", "INT PRIMARY KEY", "BIGINT NOT NULL PRIMARY KEY"), ""
	if strings.HasPrefix(key, "BIGINT") {
		rest = one("", " WITHOUT ROWID")
	}
	l.ddl = []string{
		fmt.Sprintf("CREATE TABLE word(id %s, %s, own TEXT NOT NULL, n INTEGER NOT NULL)%s", key, text, rest),
		"CREATE TABLE use(tag TEXT NOT NULL UNIQUE, word BIGINT)",
	}
	for i := range l.shards {
		seen, ids := map[string]bool{}, map[int64]bool{}
		var words []word
		for range 3 + r.IntN(25) {
			w := word{id: 1 + r.Int64N(60), n: r.Int64N(100)}
			if r.IntN(20) > 0 {
				s := fmt.Sprintf("%c%d", "wW"[r.IntN(2)], r.IntN(30))
				if unique && seen[l.same(s)] {
					continue
				}
				seen[l.same(s)], w.text = true, s
			}
			if ids[w.id] {
				continue
			}
			ids[w.id] = true
			words = append(words, w)
		}
		holds := map[string]int64{}
		for n := range 40 {
			holds[fmt.Sprintf("%d-%d", i, n)] = 1 + r.Int64N(64) // some of nobody
		}
		l.words, l.holds = append(l.words, words), append(l.holds, holds)
	}
	return l
}

// same is a word as the schema compares it.
func (l *lists) same(s string) string {
	if l.fold {
		return strings.ToLower(s)
	}
	return s
}

func (l *lists) write(t *testing.T, path string, shard int) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	exec := func(query string, args ...any) {
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range l.ddl {
		exec(q)
	}
	for _, w := range l.words[shard] {
		exec("INSERT INTO word VALUES (?, ?, ?, ?)", w.id, w.text, w.own(shard), w.n)
	}
	for _, tag := range slices.Sorted(maps.Keys(l.holds[shard])) {
		exec("INSERT INTO use VALUES (?, ?)", tag, l.holds[shard][tag])
	}
}

// check compares the output with what the lists say, and counts the rows that folded.
func (l *lists) check(t *testing.T, path string) (folded int) {
	into := map[string]string{} // the row that a row folds into
	sums := map[string]int64{}
	type bearer struct {
		shard int
		own   string
	}
	first := map[string]bearer{}
	for shard, words := range l.words {
		slices.SortFunc(words, func(a, b word) int { return int(a.id - b.id) })
		here := map[string]bool{}
		for _, w := range words {
			own := w.own(shard)
			s, named := w.text.(string)
			s = l.same(s)
			if b, ok := first[s]; named && ok && b.shard != shard && !here[s] {
				into[own] = b.own
				sums[b.own] += w.n
				folded++
			} else {
				into[own] = own
				sums[own] += w.n
				if named && !ok {
					first[s] = bearer{shard, own}
				}
			}
			here[s] = true
		}
	}
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	got := map[string]int64{}
	l.each(t, db, "SELECT own, n FROM word", func(own string, n sql.NullInt64) { got[own] = n.Int64 })
	for own, n := range sums {
		if have, ok := got[own]; !ok || l.sum && have != n {
			t.Errorf("row %s: %d (%t), want %d", own, have, ok, n)
		}
	}
	if len(got) != len(sums) {
		t.Errorf("%d rows, want %d", len(got), len(sums))
	}
	uses := 0
	l.each(t, db, "SELECT tag || ' ' || coalesce((SELECT own FROM word WHERE word.id = use.word), ''), word FROM use", func(line string, _ sql.NullInt64) {
		uses++
		tag, own, _ := strings.Cut(line, " ")
		var shard, n int
		if _, err := fmt.Sscanf(tag, "%d-%d", &shard, &n); err != nil {
			t.Fatal(err)
		}
		if want := into[word{id: l.holds[shard][tag]}.own(shard)]; own != want {
			t.Errorf("%s held %d and leads to %q, want %q", tag, l.holds[shard][tag], own, want)
		}
	})
	if uses != 40*l.shards {
		t.Errorf("%d rows of use, want %d", uses, 40*l.shards)
	}
	return folded
}

func (l *lists) each(t *testing.T, db *sql.DB, query string, see func(string, sql.NullInt64)) {
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var s string
		var n sql.NullInt64
		if err := rows.Scan(&s, &n); err != nil {
			t.Fatal(err)
		}
		see(s, n)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}
