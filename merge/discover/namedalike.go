package discover

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// namedAlike is the column by which rows of the same key are the same on every server, each otherwise than the next: the name of a castle, or the place of a piece of land, whoever owns
// it; "" when there is none. Players choose their names; a row that says the same about somebody on every server may be his.
func (s *search) namedAlike(t *table) (string, error) {
	if s.opt.Different == nil || len(t.PrimaryKey) != 1 || s.person(t) || slices.Min(t.rows) < namedLeast {
		return "", nil
	}
	differ := map[string]int64{}
	for i := range s.shards[1:] {
		rows, err := s.opt.Different(s.ctx, 0, i+1, t.Name, nil)
		if err != nil {
			return "", err
		}
		for name, n := range rows {
			if c := t.Column(name, s.schema.Fold); c != nil {
				differ[c.Name] += n
			}
		}
	}
	if slices.ContainsFunc(t.Columns, func(c *merge.Column) bool {
		n := s.words.parse(c.Name)
		whose := differ[c.Name] > 0 && !slices.ContainsFunc(t.stems, func(w string) bool { return s.words.made[w] })
		return s.meansPerson(n) && !whose || s.words.self[n.stem] || slices.Contains(secrets, n.last())
	}) {
		return "", nil // these may be people's rows
	}
	for _, c := range t.Columns {
		if c.Generated || slices.Contains(t.PrimaryKey, c.Name) || differ[c.Name] > 0 {
			continue
		}
		if own, err := s.eachItsOwn(t, c); err != nil || own {
			return c.Name, err
		}
	}
	return "", nil
}

// wordsItsOwn tells whether every row of a table has a text of its own in some column beside the key: numbers alone may be equal by chance.
func (s *search) wordsItsOwn(t *table) (bool, error) {
	for _, c := range t.Columns {
		if c.Generated || slices.Contains(t.PrimaryKey, c.Name) || s.schema.Holds(merge.Col{Table: t.Name, Name: c.Name}) != merge.Text {
			continue
		}
		if own, err := s.eachItsOwn(t, c); err != nil || own {
			return own, err
		}
	}
	return false, nil
}

// eachItsOwn tells whether every row of a table has a text of its own in a column, whatever numbers stand in it, or nearly every one a number that nobody counted up.
func (s *search) eachItsOwn(t *table, c *merge.Column) (bool, error) {
	col := merge.Col{Table: t.Name, Name: c.Name}
	own, ok := s.shards[0].Schema().Resolve(col)
	kind := s.schema.Holds(col)
	if !ok || kind != merge.Text && kind != merge.Integer {
		return false, nil
	}
	list, err := s.shards[0].Values(s.ctx, own, "", smallTable)
	if err != nil {
		return false, err
	}
	texts, low, high := map[any]bool{}, int64(math.MaxInt64), int64(math.MinInt64)
	for _, v := range list {
		texts[lettersOf(v)] = true
		if n, whole := v.Value[0].(int64); whole {
			low, high = min(low, n), max(high, n)
		}
	}
	if kind == merge.Text {
		return int64(len(texts)) == t.rows[0], nil
	}
	at := slices.IndexFunc(s.columns, func(c *column) bool { return c.col == col })
	return at >= 0 && !s.columns[at].times() && float64(len(texts)) >= staticShare*float64(t.rows[0]) && float64(high)-float64(low) >= countedTimes*float64(t.rows[0]), nil
}

// countedTimes is over how many numbers for each row such lie as nobody counts up.
const countedTimes = 4

// secrets are last words of columns that people alone have.
var secrets = []string{"password", "pass", "passwd", "email", "mail", "ip", "username", "realname", "hash", "salt", "token"}

// namedLeast is of how many rows names that are the same on every server say something.
const namedLeast = 4

// sameColumn tells whether a column beside the key holds the same values equally often on every server, as the names of castles do whoever owns
// them; a table with a natural text key is taken for one.
func (s *search) sameColumn(t *table) (bool, error) {
	if slices.Max(t.rows) > smallTable {
		return false, nil
	}
	if !slices.ContainsFunc(s.keys, func(k *key) bool { return k.table == t && slices.Contains(t.PrimaryKey, k.Col.Name) }) && len(t.PrimaryKey) == 1 {
		return true, nil
	}
	for _, c := range t.Columns {
		if c.Generated || slices.Contains(t.PrimaryKey, c.Name) {
			continue
		}
		var first map[string]int64
		equal := true
		for i, shard := range s.shards {
			own, ok := shard.Schema().Resolve(merge.Col{Table: t.Name, Name: c.Name})
			if !ok {
				equal = false
				break
			}
			list, err := shard.Values(s.ctx, own, "", smallTable)
			if err != nil {
				return false, err
			}
			rows := make(map[string]int64, len(list))
			for _, v := range list {
				rows[fmt.Sprintf("%T %v", v.Value[0], v.Value[0])] = v.Rows
			}
			if i == 0 {
				first = rows
			}
			equal = equal && len(rows) > 1 && maps.Equal(first, rows)
		}
		if equal {
			return true, nil
		}
	}
	return false, nil
}
