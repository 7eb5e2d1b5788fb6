package discover

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gameid/gameid/merge"
)

// namedAlike is the column of texts by which rows of the same key are called the same on every server, each otherwise than the next, as castles are; "" when there is none.
// Players choose their names.
func (s *search) namedAlike(t *table) (string, error) {
	if s.opt.Different == nil || len(t.PrimaryKey) != 1 || s.person(t) || slices.Min(t.rows) < namedLeast {
		return "", nil
	}
	if slices.ContainsFunc(t.Columns, func(c *merge.Column) bool {
		n := s.words.parse(c.Name)
		return s.meansPerson(n) || s.words.self[n.stem] || slices.Contains(secrets, n.last())
	}) {
		return "", nil // these may be people's rows
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
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		if c.Generated || slices.Contains(t.PrimaryKey, c.Name) || s.schema.Holds(col) != merge.Text || differ[c.Name] > 0 {
			continue
		}
		own, ok := s.shards[0].Schema().Resolve(col)
		if !ok {
			continue
		}
		list, err := s.shards[0].Values(s.ctx, own, "", smallTable)
		if err != nil {
			return "", err
		}
		texts := map[any]bool{}
		for _, v := range list {
			texts[lettersOf(v)] = true
		}
		if int64(len(texts)) == t.rows[0] {
			return c.Name, nil
		}
	}
	return "", nil
}

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
