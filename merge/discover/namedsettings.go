package discover

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// settingsMost is how many rows a table of settings has at most in a shard.
const settingsMost = 1000

// findNamedSettings looks for keys in tables of settings, which have one row under each name: of king_player_id = 393, of which there may be one among many that hold something
// else, its name tells whose key it is.
func (s *search) findNamedSettings() error {
	for _, t := range s.schema.Tables {
		if t.Opaque != "" {
			continue
		}
		for _, m := range t.Columns {
			c := s.newColumn(s.tables[t.Name], m, m.Name)
			if m.Generated || !s.words.propertyValues[c.name.last()] || s.schema.Holds(c.col) == merge.Real {
				continue
			}
			_, known := s.pointsAt(c.col)
			numbers := slices.ContainsFunc(s.columns, func(o *column) bool { return o.col == c.col }) // of which what nothing speaks of is asked about
			if known || numbers {
				continue
			}
			by := slices.IndexFunc(t.Columns, func(by *merge.Column) bool {
				col := merge.Col{Table: t.Name, Name: by.Name}
				return by.Name != m.Name && s.schema.Holds(col) == merge.Text && slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool { return u.Plain() && slices.Equal(u.Cols(), []merge.Col{col}) })
			})
			if by < 0 {
				continue
			}
			c.text = s.schema.Holds(c.col) == merge.Text
			if err := s.namedSettings(c, t.Columns[by]); err != nil {
				return err
			}
		}
	}
	return nil
}

// namedSettings proposes every key that rows of one such table hold under a name that says so.
func (s *search) namedSettings(c *column, by *merge.Column) error {
	of, held := map[*key][]string{}, map[*key][]map[int64]int64{}
	for i, shard := range s.shards {
		name, named := shard.Schema().Resolve(merge.Col{Table: c.col.Table, Name: by.Name})
		value, there := shard.Schema().Resolve(c.col)
		if !named || !there {
			continue
		}
		rows, err := shard.Tuples(s.ctx, []merge.Col{name, value}, "", settingsMost+1)
		if err != nil || len(rows) > settingsMost {
			return err
		}
		for _, row := range rows {
			label, _ := row.Value[0].(string)
			literal, ok := s.literal(label)
			n, whole := integer(row.Value[1])
			if !ok || !whole || n <= 0 {
				continue
			}
			for _, k := range s.keys {
				if !k.Root || s.alike[k.table.Name] || !k.set(i).Has(n) || !s.namesKeyOf(label, k.table) {
					continue
				}
				if held[k] == nil {
					held[k] = make([]map[int64]int64, len(s.shards))
				}
				if held[k][i] == nil {
					held[k][i] = map[int64]int64{}
				}
				if held[k][i][n]++; !slices.Contains(of[k], literal) {
					of[k] = append(of[k], literal)
				}
			}
		}
	}
	for _, k := range s.keys {
		if len(of[k]) == 0 {
			continue
		}
		slices.Sort(of[k])
		part := s.columnInside(c.col, place{hint: c.meta.Name}, held[k])
		part.text = c.text
		s.picks = append(s.picks, &pick{
			column: part, key: k, hint: s.hint(part, k), shards: part.shards, fit: measure(part.shards, k), fits: true, grade: merge.Doubtful,
			when: amongKinds(s.quote(by.Name), of[k]), note: fmt.Sprintf("as the names in %s say", s.quote(by.Name)),
		})
	}
	return nil
}

// namesKeyOf tells whether a row's name says that its value is a key of a table: king_player_id a player's, castle_lord somebody's.
func (s *search) namesKeyOf(label string, t *table) bool {
	n := s.words.parse(label)
	return n.id && s.kindOfRows(label, t) || n.has(s.words.roles) && s.person(t)
}
