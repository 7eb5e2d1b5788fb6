package discover

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gameid/gameid/merge"
)

// leading is a column of another table that is not static and that refers to a table, by declaration or as far as can be told.
func (s *search) leading(table string) (merge.Col, bool) {
	for _, c := range s.columns {
		if c.table.Name != table && c.fixed != nil && c.fixed.table.Name == table && !s.alike[c.table.Name] {
			return c.col, true
		}
	}
	for _, p := range s.picks {
		if p.key.table.Name == table && p.column.table.Name != table && !s.alike[p.column.table.Name] && p.grade != "" {
			return p.column.col, true
		}
	}
	return merge.Col{}, false
}

// mayBeMade says why rows that are equal on every server may be what players made there all the same: the table is called so; a column holds every key of rows that differ
// between the servers and no other number, as the first ranks of every clan do; or rows that differ between the servers lead to it and little but numbers tells its own apart, as
// in Party 1 and Party 2; "" when nothing says so.
func (s *search) mayBeMade(t *table) (string, error) {
	if slices.ContainsFunc(t.stems, func(w string) bool { return s.words.made[w] }) {
		return "it is called like what players make", nil
	}
	owned := map[string]bool{}
	for _, c := range t.columns {
		k, whole := s.mayHold(c)
		if whole {
			return fmt.Sprintf("%s holds every number of %s and no other, whose rows differ between the servers", c.col, k.Col), nil
		}
		owned[c.col.Name] = k != nil
	}
	by, led := s.leading(t.Name)
	if !led {
		return "", nil
	}
	variety, err := s.mostValues(t, smallTable, lettersOf, func(c *merge.Column) bool { return owned[c.Name] })
	if err != nil || int64(variety) >= min(fewValues, (t.rows[0]+1)/2) {
		return "", err
	}
	return fmt.Sprintf("little but numbers tells its rows apart, and %s leads to them, whose rows differ between the servers", by), nil
}

// mayHold is a key whose rows differ between the servers and of which a column, that is not named like an amount or a kind, holds none but numbers in every shard; nil when there
// is none. whole tells that it holds all of them, each in as many rows: the kinds of things that a game knows are not as many of each.
func (s *search) mayHold(c *column) (held *key, whole bool) {
	if c.text || c.mixed || c.amount || c.self != nil && c.self.sole || s.words.measures(c.name) || s.words.kinds[c.name.last()] {
		return nil, false
	}
	for _, k := range s.keys {
		if !k.Root || !k.heads() || k.text || k.table == c.table || s.alike[k.table.Name] {
			continue
		}
		some, all := 0, true
		for i, v := range c.shards {
			if slices.ContainsFunc(v.list, func(n int64) bool { return !k.has(i, n) }) {
				some, all = 0, false
				break
			}
			some, all = some+len(v.list), all && len(v.list) >= everyLeast && v.complete && int64(len(v.list)) == k.set(i).Len() && slices.Min(v.weights) == slices.Max(v.weights)
		}
		if some > 0 && (held == nil || all) {
			held, whole = k, all
		}
		if whole {
			break
		}
	}
	return held, whole
}

// everyLeast is how many numbers a column holds at least that holds all of a key by more than chance.
const everyLeast = 4

// lettersOf is a value as it tells rows apart beyond their numbers: Party 1 and Party 2 are one text.
func lettersOf(v merge.ValueCount) any {
	if text, ok := v.Value[0].(string); ok {
		return strings.Map(letter, text)
	}
	return v.Key()
}

// letter leaves out digits.
func letter(r rune) rune {
	if unicode.IsDigit(r) {
		return -1
	}
	return r
}
