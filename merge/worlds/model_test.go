// Package worlds merges random small worlds and compares them with an answer that is worked out in memory, by following rows, not keys.
package worlds

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/gameid/gameid/merge"
)

// role is what a column is for.
type role int

const (
	payload role = iota
	tag          // names its row, in all shards
	key          // a key of its own
	refers       // holds keys
	name         // unique text that is renamed
	repeats      // a copy of a name
	counts       // the game's own counter
	note         // says anything
)

type column struct {
	name, decl string
	role       role
	lacks      int // the shard that lacks it; -1 when none does
	fill       func(w *world, shard int) any
	combine    merge.Combine
	text       bool // of a key: it holds text
	keying
	renaming
}

// keying is what the plan says about a key.
type keying struct {
	rule  merge.Rule
	all   bool
	span  *[2]int64
	widen bool
	edge  bool // the key has values at both ends of the integers
}

// renaming is what the plan says about a name that two shards hold.
type renaming struct {
	beside int    // the column that is unique together with the name; -1 when the name alone is
	mark   int    // the column that is set on renamed rows; -1 when there is none
	winner string // SQL
	worth  func(w *world, shard int, row []any) any
	covers func(row []any) bool // rows whose name is unique; nil: all
}

// reference is one way in which rows of a table refer to rows of another.
type reference struct {
	table, to *table
	from, at  []int // columns of table, columns of to
	when      string
	holds     func(row []any) bool // the same condition, in Go
	none      []any
	orphans   merge.OrphanRule
	declared  bool
}

// copied is a column that repeats the name of the row that by refers to.
type copied struct {
	table    *table
	column   int
	by       *reference // nil: any equal name of the shard
	of       *table
	ofColumn int
	via      string
}

// counting is a row in which the game counts the keys of a table.
type counting struct {
	table  *table
	name   string // of the row
	of     *table
	column int // the key of that table
	margin int64
}

type table struct {
	name      string
	columns   []*column
	pk        []int
	uniques   [][]int
	suffix    string     // WITHOUT ROWID, STRICT
	auto      bool       // AUTOINCREMENT
	owner     *reference // rows of one tag are told apart by whom they belong to; nil where the tag is enough
	rows      merge.Rows
	from      int
	absent    int       // the shard that lacks the table; -1 when none does
	generated [2]string // a generated column's name and expression; "" when there is none
	stored    string    // VIRTUAL, STORED
	source    [][][]any
}

// world is a set of shards, the plan that merges them, and what the plan means.
type world struct {
	*rand.Rand
	shards   int
	tables   []*table
	refs     []*reference
	copies   []copied
	counters []counting
	cased    []int        // by shard: how it writes the names of tables and columns
	home     map[*any]int // the shard of a row, by its first cell
	objects  []string
	indexes  map[*table][]string // unique indexes, which the rows have to obey
	built    []string            // what made the tables
	orders   map[*table][]string // of columns, by shard
	loud     bool                // the plan writes names in upper case
	writes   string              // what a trigger would do
	names    int
	wide     bool // keys beyond 32 bits
	again    bool // merged in two steps: a key may have to make room for a new one of the first
	triggers []string
	views    []string
	tags     int
	plan     merge.Plan
}

func (w *world) one(percent int) bool { return w.IntN(100) < percent }

func pick[T any](w *world, list ...T) T { return list[w.IntN(len(list))] }

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// fresh is a new name, often one that needs its quotes.
func (w *world) fresh(base string) string {
	w.names++
	n := w.names
	name := pick(w, fmt.Sprintf("%s_%d", base, n), fmt.Sprintf("%s_%d", base, n), fmt.Sprintf(`%s "%d`, base, n), fmt.Sprintf("select %d", n), fmt.Sprintf("玩家%s%d", base, n),
		fmt.Sprintf("%s.%d;--", base, n), fmt.Sprintf("it's [%s] %d", base, n), fmt.Sprintf("ORDER%d", n), fmt.Sprintf("%s\t%d", base, n),
		fmt.Sprintf(`"; DROP TABLE "%s_%d`, base, n), fmt.Sprintf(`back\%s %d`, base, n), fmt.Sprintf("new\n%s %d", base, n), fmt.Sprintf("?%d", n), fmt.Sprintf(":%s%d", base, n), fmt.Sprintf("%s*%d", base, n), fmt.Sprintf("a`%s%d", base, n))
	if n%3 == 0 && n/3 <= len(letters) { // as SQL calls tables and columns for itself
		return letters[n/3-1 : n/3]
	}
	return name
}

// letters are names of one letter each.
const letters = "vntskxmiycpubrgqwo"

// spelled is a name as a shard writes it, quoted: ASCII letters in another case are the same name.
func (w *world) spelled(name string, shard int) string {
	if shard >= 0 && shard < len(w.cased) {
		switch w.cased[shard] {
		case 1:
			name = shouted(name)
		case 2:
			name = merge.FoldASCII(name)
		}
	}
	return quoted(name)
}

// shouted is a name with its ASCII letters in upper case.
func shouted(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, s)
}

func (t *table) col(i int) merge.Col { return merge.Col{Table: t.name, Name: t.columns[i].name} }

func (t *table) cols(list []int) (out []merge.Col) {
	for _, i := range list {
		out = append(out, t.col(i))
	}
	return out
}

// keys are the columns that hold keys of the table's own.
func (t *table) keys() (list []int) {
	for i, c := range t.columns {
		if c.role == key {
			list = append(list, i)
		}
	}
	return list
}

func (t *table) find(r role) int {
	for i, c := range t.columns {
		if c.role == r {
			return i
		}
	}
	return -1
}

// add appends a column and returns its place.
func (t *table) add(c *column) int {
	if c.lacks == 0 {
		c.lacks = -1
	}
	if c.role != name {
		c.beside, c.mark = -1, -1
	}
	t.columns = append(t.columns, c)
	return len(t.columns) - 1
}

// ddl declares the table for a shard: its own order of columns, without those that it lacks.
func (w *world) ddl(t *table, shard int) string {
	order := w.Perm(len(t.columns))
	w.orders[t] = append(w.orders[t], fmt.Sprint(order))
	var parts []string
	for _, i := range order {
		c := t.columns[i]
		if c.lacks == shard && shard >= 0 {
			continue
		}
		parts = append(parts, w.spelled(c.name, shard)+" "+c.decl)
	}
	list := func(cols []int) string {
		var names []string
		for _, i := range cols {
			names = append(names, w.spelled(t.columns[i].name, shard))
		}
		return strings.Join(names, ", ")
	}
	if t.generated[0] != "" {
		parts = append(parts, quoted(t.generated[0])+" AS ("+t.generated[1]+") "+t.stored)
	}
	if len(t.pk) > 1 {
		parts = append(parts, "PRIMARY KEY ("+list(t.pk)+")")
	}
	for _, u := range t.uniques {
		parts = append(parts, "UNIQUE ("+list(u)+")")
	}
	for _, r := range w.refs {
		if r.table != t || !r.declared {
			continue
		}
		s := "FOREIGN KEY (" + list(r.from) + ") REFERENCES " + quoted(r.to.name)
		if fmt.Sprint(r.at) != fmt.Sprint(r.to.pk) || w.one(50) {
			var names []string
			for _, i := range r.at {
				names = append(names, w.anyCase(r.to.columns[i].name))
			}
			s += " (" + strings.Join(names, ", ") + ")"
		}
		parts = append(parts, s+pick(w, "", " DEFERRABLE INITIALLY DEFERRED", " ON DELETE CASCADE", " ON UPDATE SET NULL"))
	}
	return "CREATE TABLE " + w.spelled(t.name, shard) + "(" + strings.Join(parts, ", ") + ")" + t.suffix
}

// anyCase is a name as somebody wrote it who did not look.
func (w *world) anyCase(name string) string {
	if w.one(20) {
		name = shouted(name)
	}
	return quoted(name)
}

// takes tells whether rows of a shard come into the output.
func (t *table) takes(shard int) bool {
	return t.rows != merge.EmptyRows && (t.rows != merge.FromRows || t.from == shard)
}

// static tells whether a key of the table is the same thing in every shard.
func (t *table) static(key int) bool { return t.folds() || t.columns[key].rule == merge.Static }

func (t *table) folds() bool {
	return t.rows == merge.FirstRows || t.rows == merge.UnionRows || t.rows == merge.FromRows
}
