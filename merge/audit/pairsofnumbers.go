package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

var numbersIn = regexp.MustCompile(`[0-9]+`)

const (
	numbersRead = 5   // of a text
	crowded     = 0.9 // of all pairs that two parts may make, from which any two numbers are one
)

// spot is where in a text the numbers of two parts of a key stand.
type spot struct{ key, beside int }

// pairedNumbers is how a column's texts lie among the pairs of numbers that two parts of a key have.
type pairedNumbers struct {
	spot
	among
	pairs       map[[2]string]bool // that are of the own server's
	keys, names map[string]bool    // of which these are
}

// askPairsOfNumbers asks about the columns whose texts hold two parts of a key in one text, as 3:7 and 2/5 do, where one part gets new numbers.
func (a *auditor) askPairsOfNumbers(ctx context.Context) (asked []merge.Col, err error) {
	var held []*unexplained
	for _, t := range a.schema.Tables {
		for _, pair := range a.changingParts(t) {
			j, err := a.readPairs(ctx, a.tables[t.Name], pair)
			if err != nil {
				return nil, err
			}
			if j == nil {
				continue
			}
			if held == nil {
				if held, err = a.mayBeJoined(ctx); err != nil {
					return nil, err
				}
			}
			for _, u := range held {
				if slices.Contains(pair[:], u.col) || a.decided(u.col) || a.askedAs(u.col) >= 0 {
					continue
				}
				if n := holdPairs(u, j); n.hits > 0 {
					asked = append(asked, u.col)
					a.askPairOfNumbers(u, j, n)
				}
			}
		}
	}
	return asked, nil
}

// changingParts are pairs of parts of a table's keys that are numbers, of which the first gets new values by the plan.
func (a *auditor) changingParts(t *merge.Table) (list [][2]merge.Col) {
	keys := [][]merge.Col{t.KeyCols()}
	for _, u := range t.Uniques {
		if u.Plain() {
			keys = append(keys, u.Cols())
		}
	}
	for _, key := range keys {
		for _, x := range key {
			if decided, static := a.decidedKey(x); !decided || static {
				continue
			}
			for _, y := range key {
				if pair := [2]merge.Col{x, y}; x != y && a.schema.Holds(x) == merge.Integer && a.schema.Holds(y) == merge.Integer && !slices.Contains(list, pair) {
					list = append(list, pair)
				}
			}
		}
	}
	return list
}

// holdPairs looks the numbers of a column's texts up among the pairs of two columns, those of each two places; no hits where they are not such.
func holdPairs(u *unexplained, j *joined) (best pairedNumbers) {
	texts, spots := 0, map[spot]*pairedNumbers{}
	for i, one := range u.samples {
		for _, text := range one.Texts {
			if text == "" {
				continue
			}
			texts++
			numbers := numbersIn.FindAllString(text, numbersRead)
			for x, key := range numbers {
				for y, beside := range numbers {
					if x == y {
						continue
					}
					n := spots[spot{x, y}]
					if n == nil {
						n = &pairedNumbers{spot: spot{x, y}, pairs: map[[2]string]bool{}, keys: map[string]bool{}, names: map[string]bool{}}
						spots[n.spot] = n
					}
					n.lookUp(j, i, [2]string{withoutZeros(key), withoutZeros(beside)})
				}
			}
		}
	}
	for x := range numbersRead {
		for y := range numbersRead {
			if n := spots[spot{x, y}]; n != nil && n.hits > best.hits && float64(n.hits) >= partlyLeast*float64(texts) && n.shown(j) {
				best = *n
			}
		}
	}
	return best
}

func withoutZeros(digits string) string {
	if bare := strings.TrimLeft(digits, "0"); bare != "" {
		return bare
	}
	return "0"
}

// lookUp looks up two numbers of a shard's text.
func (n *pairedNumbers) lookUp(j *joined, shard int, pair [2]string) {
	own, elsewhere := j.held(pair, shard)
	if n.add(own, elsewhere); own {
		n.pairs[pair], n.keys[pair[0]], n.names[pair[1]] = true, true, true
	}
}

// shown tells whether numbers are pairs of their own server's, and not by chance: where these are no crowd, nearly all are, and where they are, the numbers are of all kinds that the parts have.
func (n *pairedNumbers) shown(j *joined) bool {
	if len(n.pairs) < fewCopies || float64(n.hits) < copyShare*float64(n.texts) || n.other > n.own {
		return false
	}
	fill, keys, names := 0.0, map[string]bool{}, map[string]bool{}
	for _, pairs := range j.pairs {
		own, beside := map[string]bool{}, map[string]bool{}
		for pair := range pairs {
			own[pair[0]], beside[pair[1]] = true, true
			keys[pair[0]], names[pair[1]] = true, true
		}
		if len(pairs) > 0 {
			fill = max(fill, float64(len(pairs))/float64(len(own)*len(beside)))
		}
	}
	return fill < crowded && n.own > n.other || float64(len(n.keys)) >= partlyLeast*float64(len(keys)) && float64(len(n.names)) >= partlyLeast*float64(len(names))
}

// askPairOfNumbers asks about a column whose texts hold two parts of a key.
func (a *auditor) askPairOfNumbers(u *unexplained, j *joined, n pairedNumbers) {
	before := ""
	if n.key > 0 {
		before = fmt.Sprintf(`(?:[0-9]+[^0-9]+){%d}`, n.key)
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("does %s hold %s and %s in one text? This version rewrites no key inside a text: keep means that they will name others, as %s gets new numbers; or take them out in copies of the shards", u.col, j.first, j.second, j.first),
		Evidence: fmt.Sprintf("%d of %s with two numbers name a row of their own server's", n.hits, counted(int64(n.texts), "text", "texts")), Rows: u.table.total(),
		Reference: &merge.Reference{From: []merge.Col{u.col}, To: []merge.Col{j.first}, As: merge.InText, Match: `^[^0-9]*` + before + `0*([0-9]+)`},
	})
}
