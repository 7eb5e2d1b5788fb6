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

// lists are servers each of which numbers the words of its own list, rows that hold those numbers, one row for some of the words, with a name, and what repeats these names.
type lists struct {
	ddl    []string
	fold   bool // words are compared in any case
	sum    bool // n of rows that fold is added up
	words  [][]word
	holds  []map[string]int64  // by shard and tag: the number of a word, or a dead one
	called []map[int64]called  // by shard and number of a word
	says   []map[string]string // by shard and tag: a name, or a dead one
	adds   bool                // gold of rows that fold is added up
	homes  []map[string]home   // by shard and tag: places of which nobody has two of one name
	posts  [][]post
	shards int
}

type home struct {
	word int64 // of a word, or of none
	name string
}

type called struct {
	name string
	gold int64
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
			l := newLists(r, rand.New(rand.NewPCG(uint64(seed), 12)))
			w := &world{plan: merge.Plan{
				Tables: []merge.TablePlan{{Table: "word", Rows: merge.ByValue, By: []string{"text"}}},
				Keys:   []merge.KeyPlan{{Key: merge.Col{Table: "word", Name: "id"}, New: []merge.Rule{merge.Shift, merge.Dense, merge.GameID}[r.IntN(3)], All: r.IntN(4) == 0}},
				References: []merge.Reference{
					{From: []merge.Col{{Table: "use", Name: "word"}}, To: []merge.Col{{Table: "word", Name: "id"}}, Orphans: merge.ByTombstone},
					{From: []merge.Col{{Table: "word", Name: "own"}, {Table: "word", Name: "n"}, {Table: "use", Name: "tag"}}, As: merge.Keep},
				},
				Uniques: []merge.UniquePlan{
					{Unique: []merge.Col{{Table: "use", Name: "tag"}}, OnConflict: "fail"},
					{Unique: []merge.Col{{Table: "called", Name: "name"}}, OnConflict: "rename", Template: "{shard}.{value}"},
					{Unique: []merge.Col{{Table: "chat", Name: "tag"}}, OnConflict: "fail"},
					{Unique: []merge.Col{{Table: "home", Name: "word"}, {Table: "home", Name: "name"}}, OnConflict: "rename", Column: "name", Template: "{value}-{shard}"},
				},
			}}
			w.plan.Tables, w.plan.References = append(w.plan.Tables, l.foldPosts()), append(w.plan.References, postReferences()...)
			bearers := merge.TablePlan{Table: "called", Rows: merge.FirstRows}
			if l.adds {
				bearers = merge.TablePlan{Table: "called", Rows: merge.UnionRows, Columns: map[string]merge.Combine{"gold": {How: "sum"}, "name": {How: "first"}}}
			}
			w.plan.Tables = append(w.plan.Tables, bearers, merge.TablePlan{Table: "home", Rows: merge.MergeRows}, merge.TablePlan{Table: "use", Rows: merge.MergeRows})
			w.plan.References = append(w.plan.References,
				merge.Reference{From: []merge.Col{{Table: "called", Name: "word"}}, To: []merge.Col{{Table: "word", Name: "id"}}, Orphans: merge.ByTombstone},
				merge.Reference{From: []merge.Col{{Table: "chat", Name: "name"}}, To: []merge.Col{{Table: "called", Name: "name"}}, As: merge.Copy, Orphans: merge.ByTombstone},
				merge.Reference{From: []merge.Col{{Table: "called", Name: "gold"}, {Table: "chat", Name: "tag"}, {Table: "home", Name: "tag"}}, As: merge.Keep},
				merge.Reference{From: []merge.Col{{Table: "home", Name: "word"}}, To: []merge.Col{{Table: "word", Name: "id"}}, Orphans: merge.ByTombstone})
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

func newLists(r, others *rand.Rand) *lists {
	l := &lists{shards: 2 + r.IntN(3), fold: r.IntN(2) == 0, sum: r.IntN(2) == 0, adds: r.IntN(2) == 0}
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	text := "text TEXT"
	if l.fold {
		text += " COLLATE NOCASE"
	}
	unique := r.IntN(2) == 0
	if unique {
		text += " UNIQUE"
	}
	key, rest := one("INTEGER PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT", "INT PRIMARY KEY", "BIGINT NOT NULL PRIMARY KEY", "INTEGER"), ""
	l.sum = l.sum && key != "INTEGER" // by no key of the table do rows combine
	if strings.HasPrefix(key, "BIGINT") {
		rest = one("", " WITHOUT ROWID")
	}
	l.ddl = append(postTables(others),
		fmt.Sprintf("CREATE TABLE word(id %s, %s, own TEXT NOT NULL, n INTEGER NOT NULL)%s", key, text, rest),
		"CREATE TABLE use(tag TEXT NOT NULL UNIQUE, word BIGINT)",
		"CREATE TABLE called(word "+one("INTEGER", "BIGINT", "INT NOT NULL")+" PRIMARY KEY, name TEXT NOT NULL UNIQUE, gold INTEGER NOT NULL)",
		"CREATE TABLE chat(tag TEXT NOT NULL UNIQUE, name TEXT)",
		"CREATE TABLE home(tag TEXT NOT NULL PRIMARY KEY, word "+one("INTEGER", "INT NOT NULL")+", name TEXT NOT NULL, UNIQUE(word, name))",
	)
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
		bear, says, taken := map[int64]called{}, map[string]string{}, map[string]bool{}
		for _, w := range words {
			if name := fmt.Sprintf("N%d", r.IntN(60)); r.IntN(4) > 0 && !taken[name] {
				taken[name], bear[w.id] = true, called{name, r.Int64N(100)}
			}
		}
		for n := range 40 {
			says[fmt.Sprintf("%d=%d", i, n)] = fmt.Sprintf("N%d", r.IntN(62)) // some of nobody
		}
		l.called, l.says = append(l.called, bear), append(l.says, says)
		homes, built := map[string]home{}, map[home]bool{}
		for n := range 40 {
			if h := (home{1 + r.Int64N(64), fmt.Sprintf("home%d", r.IntN(4))}); !built[h] {
				built[h], homes[fmt.Sprintf("%d+%d", i, n)] = true, h
			}
		}
		l.homes, l.posts = append(l.homes, homes), append(l.posts, newPosts(others, words))
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
	for _, tag := range slices.Sorted(maps.Keys(l.homes[shard])) {
		exec("INSERT INTO home VALUES (?, ?, ?)", tag, l.homes[shard][tag].word, l.homes[shard][tag].name)
	}
	for _, q := range l.posts[shard] {
		exec("INSERT INTO post VALUES (?, ?, ?, ?, ?)", q.id, q.word, q.kind, q.own(shard), q.n)
		exec("INSERT INTO reply VALUES (?, ?)", q.own(shard), q.id)
	}
	for _, id := range slices.Sorted(maps.Keys(l.called[shard])) {
		exec("INSERT INTO called VALUES (?, ?, ?)", id, l.called[shard][id].name, l.called[shard][id].gold)
	}
	for _, tag := range slices.Sorted(maps.Keys(l.says[shard])) {
		exec("INSERT INTO chat VALUES (?, ?)", tag, l.says[shard][tag])
	}
}

// checkCalled compares the rows that bear names, and what repeats these, with what the lists say. into is the row of words that each folds into.
func (l *lists) checkCalled(t *testing.T, db *sql.DB, into map[string]string) {
	gold, named := map[string]int64{}, map[string]bool{}
	for shard, words := range l.words {
		for _, w := range words {
			c, ok := l.called[shard][w.id]
			own := into[w.own(shard)]
			if ok && (l.adds || !named[own]) {
				gold[own] += c.gold
			}
			named[own] = named[own] || ok
		}
	}
	rows := 0
	l.each(t, db, "SELECT (SELECT own FROM word WHERE id = called.word), gold FROM called", func(own string, n sql.NullInt64) {
		if rows++; !named[own] || gold[own] != n.Int64 {
			t.Errorf("the bearer of %s has %d, want %d (%t)", own, n.Int64, gold[own], named[own])
		}
	})
	if rows != len(named)-len(slices.DeleteFunc(slices.Collect(maps.Keys(named)), func(own string) bool { return named[own] })) {
		t.Errorf("%d bearers of names", rows)
	}
	l.each(t, db, "SELECT tag || ' ' || coalesce((SELECT own FROM called JOIN word ON id = called.word WHERE called.name = chat.name), ''), 0 FROM chat", func(line string, _ sql.NullInt64) {
		tag, own, _ := strings.Cut(line, " ")
		var shard, n int
		if _, err := fmt.Sscanf(tag, "%d=%d", &shard, &n); err != nil {
			t.Fatal(err)
		}
		want := own // what named nobody may name a row of another server that is the same on all
		for id, c := range l.called[shard] {
			if c.name == l.says[shard][tag] {
				want = into[word{id: id}.own(shard)]
			}
		}
		if own != want {
			t.Errorf("%s said %s and means %q, want %q", tag, l.says[shard][tag], own, want)
		}
	})
}

// checkHomes looks whether every place is where it was, under its name, unless an earlier server's of the same word has that.
func (l *lists) checkHomes(t *testing.T, db *sql.DB, into map[string]string) {
	taken, places := map[string]bool{}, 0
	for shard, homes := range l.homes {
		mine := map[string]bool{}
		for tag, h := range homes {
			places++
			own := into[word{id: h.word}.own(shard)]
			place := own + " " + h.name
			clash := own != "" && taken[place]
			mine[place] = true
			l.each(t, db, "SELECT coalesce((SELECT own FROM word WHERE word.id = home.word), '') || ' ' || name, 0 FROM home WHERE tag = '"+tag+"'", func(got string, _ sql.NullInt64) {
				if clash == (got == place) || !strings.HasPrefix(got, place) {
					t.Errorf("%s is %q, want %q (named otherwise: %t)", tag, got, place, clash)
				}
			})
		}
		maps.Copy(taken, mine)
	}
	l.each(t, db, "SELECT '', count(*) FROM home", func(_ string, n sql.NullInt64) {
		if n.Int64 != int64(places) {
			t.Errorf("%d homes, want %d", n.Int64, places)
		}
	})
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
	l.checkCalled(t, db, into)
	l.checkHomes(t, db, into)
	l.checkPosts(t, db, into)
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
