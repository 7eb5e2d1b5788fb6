package recall

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
)

// described is a real game's schema with what its columns hold, as a file of testdata/real says it. Its lines:
//
//	bound WORD N ...                the figures that TestRealSchemas holds the game to
//	pool NAME N LOW HIGH            N numbers of a catalogue that the game's files have, and no table
//	table NAME ROWS OPTIONS         and the table's columns below it, indented
//	  NAME TYPE MEANING              the type with _ for a blank
//
// ROWS is "N M", so many on each of two servers; "per TABLE A-B", so many for each row of another table, or
// "per TABLE 0.1", one for such a share of them; "starter TABLE K", the same K for each row of another, in the order in
// which those were made; "static N", the same on every server; "head TABLE N M", one for each of the first so many rows of another
// table. OPTIONS: "key A,B" is the primary key, "auto" numbered by the engine, "unique A,B", "fold": a row is a thing by
// itself that two servers may both have, "value A": so is one of a list that every server numbers by itself, told by A.
//
// MEANING is one of these, with "unique", "declared" (a foreign key) or "same" (on every server, in the same row) behind it:
//
//	number [from N] [gone P] [seq NAME] [then M A B]    the row's own; P of those given out are gone; NAME numbers several tables; M on
//	                                        for those after the first A, or B, by which the game knows what they are
//	= COLUMN                                what the row has of which this one is, by "per" and "starter"
//	-> TABLE.COLUMN [none V] [some P] [dead P] [each]   a row's key: P of the rows have one and the others V, P of these are gone, no two have the same
//	via COLUMN OTHER                        what OTHER, or TABLE.OTHER by that table's key, holds in the row to which the row's COLUMN leads
//	copy, small, digits TABLE.COLUMN ...    its name, that in small letters, its number as a text
//	by COLUMN V,W MEANING | V MEANING | else MEANING
//	group N, group of TABLE.COLUMN          the number of some N rows that no table lists, and the same elsewhere
//	counter TABLE.COLUMN                    the last number given out
//	name, words, hash                       texts: one that players know a row by, others
//	uuid P [PREFIX], entry N [PREFIX]       what an outside house gave, P of it known to the first server too; one of N words of a list
//	amount A B, time, real, flag [P], kind V ..., slot [N [COLUMN]], outside N, of POOL [none V] [some P], const V, server V W, null
type described struct {
	name   string
	draw   uint64 // of the dice
	bound  map[string]int
	pools  map[string][]int64
	tables []*describedTable
}

// describedTable is a table of a described game.
type describedTable struct {
	name    string
	rows    []string
	key     string
	auto    bool
	folds   string // "", "fold", or the column by whose value rows are one
	uniques []string
	columns []*describedColumn
}

// describedColumn is a column of such a table.
type describedColumn struct {
	table    *describedTable
	name     string
	kind     string
	unique   bool
	declared bool
	same     bool
	means    *meaning
}

// meaning is what a column holds.
type meaning struct {
	word    string
	args    []string
	options map[string]string
	cases   []*meaning // of "by", with the values in args
}

// options are the words of a meaning that a value follows.
var options = []string{"from", "gone", "seq", "then", "none", "some", "dead"}

// mean reads a meaning.
func mean(words []string) (*meaning, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("a column without a meaning")
	}
	m := &meaning{word: words[0], options: map[string]string{}}
	if m.word == "by" {
		m.args = words[1:2]
		for _, one := range strings.Split(strings.Join(words[2:], " "), " | ") {
			values, rest, _ := strings.Cut(one, " ")
			c, err := mean(strings.Fields(rest))
			if err != nil {
				return nil, err
			}
			c.options["when"] = values
			m.cases = append(m.cases, c)
		}
		return m, nil
	}
	for i := 1; i < len(words); i++ {
		switch {
		case slices.Contains(options, words[i]) && i+1 < len(words):
			m.options[words[i]] = words[i+1]
			i++
		case words[i] == "each":
			m.options["each"] = "yes"
		default:
			m.args = append(m.args, words[i])
		}
	}
	return m, nil
}

// share is an option that is a share.
func (m *meaning) share(option string, otherwise float64) float64 {
	if v, err := strconv.ParseFloat(m.options[option], 64); err == nil {
		return v
	}
	return otherwise
}

// number is an argument that is a number.
func (m *meaning) number(i, otherwise int) int {
	if i < len(m.args) {
		if v, err := strconv.Atoi(m.args[i]); err == nil {
			return v
		}
	}
	return otherwise
}

// value is a word of a description as a column holds it.
func value(word string) any {
	if word == "null" || word == "" {
		return nil
	}
	if word == "''" {
		return ""
	}
	if v, err := strconv.ParseInt(word, 10, 64); err == nil {
		return v
	}
	return word
}

// parseGame reads a description.
func parseGame(name, text string) (*described, error) {
	d := &described{name: name, draw: 1, bound: map[string]int{}, pools: map[string][]int64{}}
	for i, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		if err := d.line(words, line[0] == ' '); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
	}
	return d, nil
}

// line reads a line.
func (d *described) line(words []string, column bool) error {
	switch {
	case column && len(d.tables) > 0 && len(words) > 2:
		x := d.tables[len(d.tables)-1]
		c := &describedColumn{table: x, name: words[0], kind: strings.ReplaceAll(words[1], "_", " ")}
		words = slices.DeleteFunc(words[2:], func(w string) bool {
			c.unique, c.declared, c.same = c.unique || w == "unique", c.declared || w == "declared", c.same || w == "same"
			return w == "unique" || w == "declared" || w == "same"
		})
		x.columns = append(x.columns, c)
		var err error
		c.means, err = mean(words)
		return err
	case words[0] == "bound":
		for i := 1; i+1 < len(words); i += 2 {
			n, err := strconv.Atoi(words[i+1])
			if err != nil {
				return err
			}
			d.bound[words[i]] = n
		}
	case words[0] == "pool" && len(words) == 5:
		m := meaning{args: words[2:]}
		n, low, high := m.number(0, 1), m.number(1, 1), m.number(2, 1)
		for i := range n {
			d.pools[words[1]] = append(d.pools[words[1]], int64(low+i*(high-low)/n+i*i%3))
		}
	case words[0] == "table" && len(words) > 3:
		x := &describedTable{name: words[1]}
		d.tables = append(d.tables, x)
		n := map[string]int{"per": 3, "starter": 3, "static": 2, "head": 4}[words[2]]
		if n == 0 {
			n = 2
		}
		x.rows = words[2 : 2+n]
		for i := 2 + n; i < len(words); i++ {
			switch w := words[i]; {
			case w == "auto" || w == "fold":
				x.auto = x.auto || w == "auto"
				if w == "fold" {
					x.folds = w
				}
			case i+1 == len(words):
				return fmt.Errorf("%s: %q without a value", x.name, w)
			default:
				switch i++; w {
				case "key":
					x.key = words[i]
				case "unique":
					x.uniques = append(x.uniques, words[i])
				case "value":
					x.folds = words[i]
				default:
					return fmt.Errorf("%s: unknown word %q", x.name, w)
				}
			}
		}
	default:
		return fmt.Errorf("not understood: %q", strings.Join(words, " "))
	}
	return nil
}

// table is one of a game's, or nil.
func (d *described) table(name string) *describedTable {
	for _, x := range d.tables {
		if x.name == name {
			return x
		}
	}
	return nil
}

// column finds TABLE.COLUMN.
func (d *described) column(at string) (*describedColumn, error) {
	table, name, _ := strings.Cut(at, ".")
	if x := d.table(table); x != nil {
		if i := slices.IndexFunc(x.columns, func(c *describedColumn) bool { return c.name == name }); i >= 0 {
			return x.columns[i], nil
		}
	}
	return nil, fmt.Errorf("%s: no column %s", d.name, at)
}

// at is the column's place.
func (c *describedColumn) at() merge.Col { return merge.Col{Table: c.table.name, Name: c.name} }

// static tells whether a table's rows are the same on every server.
func (x *describedTable) static() bool { return x.rows[0] == "static" }

// stays tells whether the keys of a table's rows are the same things everywhere, and never change.
func (x *describedTable) stays() bool { return x.static() || x.folds == "fold" }

// describedGames reads the games of testdata/real, or those of them that GAMEID_REAL names; the first three alone under the race detector.
func describedGames(t *testing.T) (list []*described) {
	t.Helper()
	paths, err := filepath.Glob("testdata/real/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no games: ", err)
	}
	only := strings.Fields(os.Getenv("GAMEID_REAL"))
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		if len(only) > 0 && !slices.Contains(only, name) || len(only) == 0 && raced && len(list) == 3 {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d, err := parseGame(name, string(text))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}
