package discover

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// place says that numbers which together tell a table's rows apart are the same at every key in every shard, as those are that say where a cell lies; "" when none do. One number
// alone, which a formula may have made of the key, says less: spot tells whether there are several, and of keys of which only some are the same these alone count.
func (s *search) place(k *key) (where string, spot bool, err error) {
	t := k.table
	if !k.heads() || s.person(t) || s.hub(t) {
		return "", false, nil
	}
	columns, err := s.laidOut(t)
	columns = slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return s.schema.Holds(merge.Col{Table: t.Name, Name: c}) == merge.Text })
	if spot = len(columns) > 1; err != nil || len(columns) == 0 {
		return "", false, err
	}
	apart, err := s.tellApart(t, columns)
	switch {
	case err != nil || apart && !spot && !sameSets(k, staticRows):
		return "", false, err
	case !apart:
		catalogue, err := s.catalogue(k)
		if err != nil || !catalogue {
			return "", false, err
		}
		unlikely, err := s.unlikelyAlike(t, columns)
		if err != nil || unlikely < alikeByChance {
			return "", false, err
		}
		return fmt.Sprintf("at each of %s keys that two shards share %s the same, though the rows differ, as those of one catalogue in two languages do", count(s.shared(k)), are(columns)), false, nil
	}
	if !sameSets(k, staticRows) {
		return fmt.Sprintf("at each of %s keys that two shards share %s the same, as where a map's cells lie", count(s.shared(k)), are(columns)), spot, nil
	}
	return fmt.Sprintf("every shard has the same %s keys, as a map has its cells, and at each of them %s the same", count(k.set(0).Len()), are(columns)), spot, nil
}

// catalogue tells whether rows of other tables are of a key's, each of these has a name, and none is somebody's.
func (s *search) catalogue(k *key) (bool, error) {
	if _, owned := s.moving(k.table.Name); owned || !s.referred(k) {
		return false, nil
	}
	columns, err := s.telling(k.table)
	if err != nil {
		return false, err
	}
	return s.tellingNames(k.table, columns)
}

// are lists columns, with the verb.
func are(columns []string) string {
	if len(columns) == 1 {
		return columns[0] + " is"
	}
	return join(columns, "and") + " are"
}

// alikeByChance is how unlikely chance must make it that columns are the same at every key that two shards share, as a negative natural logarithm: one in a million million.
const alikeByChance = 27

// unlikelyAlike is how unlikely it is, as a negative natural logarithm, that columns are the same at every key that two shards share, if each row of the first had its values by chance.
func (s *search) unlikelyAlike(t *table, columns []string) (float64, error) {
	unlikely, shard := 0.0, s.shards[0]
	for _, name := range columns {
		if s.refers(merge.Col{Table: t.Name, Name: name}, anywhere) {
			continue // the kind of a thing that is somebody's, as likely as that of a catalogue's
		}
		own, _ := shard.Schema().Resolve(merge.Col{Table: t.Name, Name: name})
		list, err := shard.Values(s.ctx, own, "", smallTable)
		if err != nil {
			return 0, err
		}
		rows, same := 0.0, 0.0
		for _, v := range list {
			rows += float64(v.Rows)
			same += float64(v.Rows) * float64(v.Rows)
		}
		if rows > 0 {
			unlikely = max(unlikely, -math.Log(same/(rows*rows))*float64(s.shared(s.key(merge.Col{Table: t.Name, Name: t.PrimaryKey[0]}))))
		}
	}
	return unlikely, nil
}

// shared is how many keys the first shard shares with each other one, at the least.
func (s *search) shared(k *key) int64 {
	least := k.set(0).Len()
	for i := range k.Columns[1:] {
		least = min(least, k.set(0).Both(k.set(i+1)).Len())
	}
	return least
}

// laidOut lists the columns beside the key that are the same at the same key in every shard, or nearly so. A reference says whose a row is and not where it lies, and a
// number of each row's own that rises with the key may be the time at which one script filled every shard.
func (s *search) laidOut(t *table) ([]string, error) {
	if known, ok := s.laid[t]; ok {
		return known, nil
	}
	if s.opt.Different == nil || len(t.PrimaryKey) != 1 {
		return nil, nil
	}
	k := s.key(merge.Col{Table: t.Name, Name: t.PrimaryKey[0]})
	if k == nil || s.shared(k) < staticRows {
		return nil, nil
	}
	columns := slices.DeleteFunc(slices.Clone(t.Columns), func(c *merge.Column) bool {
		name := merge.Col{Table: t.Name, Name: c.Name}
		return c.Generated || c.Name == t.PrimaryKey[0] || s.lacked(name) || s.refers(name, s.moves)
	})
	var list []string
	columns, err := s.alikeIn(t, k, columns)
	if err != nil {
		return nil, err
	}
	for _, c := range columns {
		name := merge.Col{Table: t.Name, Name: c.Name}
		if s.schema.Holds(name) != merge.Text {
			own, err := s.tellApart(t, []string{c.Name})
			if err == nil && own {
				own, err = s.rises(t, name)
			}
			if err != nil {
				return nil, err
			}
			if own {
				continue
			}
		}
		list = append(list, c.Name)
	}
	s.laid[t] = list
	return list, nil
}

// someKeys is how many keys are looked at where ten times as many are shared: those of a hundred, spread over all, tell how nearly the others agree.
const someKeys = 10_000

// alikeIn leaves those of some columns that are the same at nearly every key that every shard has.
func (s *search) alikeIn(t *table, k *key, columns []*merge.Column) ([]*merge.Column, error) {
	for i := range s.shards[1:] {
		if len(columns) == 0 {
			break
		}
		both := k.set(0).Both(k.set(i + 1))
		seen, keys := both.Len(), []int64(nil)
		if seen > 10*someKeys {
			seen, keys = someKeys, both.Spread(someKeys)
		}
		rows, err := s.opt.Different(s.ctx, 0, i+1, t.Name, keys)
		if err != nil {
			return nil, err
		}
		columns = slices.DeleteFunc(columns, func(c *merge.Column) bool { return float64(rows[c.Name]) > (1-staticExact)*float64(seen) })
	}
	return columns, nil
}

// tellApart tells whether nearly every row of the first shard holds something of its own in some columns.
func (s *search) tellApart(t *table, columns []string) (bool, error) {
	shard := s.shards[0]
	key, ok := shard.Schema().Resolve(merge.Col{Table: t.Name, Name: t.PrimaryKey[0]})
	if !ok {
		return false, nil
	}
	var names []string
	for _, c := range columns {
		own, _ := shard.Schema().Resolve(merge.Col{Table: t.Name, Name: c})
		names = append(names, s.quote(own.Name))
	}
	apart, err := shard.Count(s.ctx, key.Table, fmt.Sprintf("%s IN (SELECT min(%[1]s) FROM %s GROUP BY %s)", s.quote(key.Name), s.quote(key.Table), strings.Join(names, ", ")))
	return float64(apart) >= namedRows*float64(t.rows[0]), err
}

// hub tells whether a table's key is what somebody means, by the plan.
func (s *search) hub(t *table) bool {
	return slices.ContainsFunc(s.hubs[:min(len(s.opt.Hubs), len(s.hubs))], func(k *key) bool { return k.table == t })
}

// lacked tells whether some shard lacks a column.
func (s *search) lacked(c merge.Col) bool {
	return slices.ContainsFunc(s.shards, func(shard merge.Shard) bool {
		_, ok := shard.Schema().Resolve(c)
		return !ok
	})
}

// refers tells whether a column refers to rows of another table, as far as can be told, of which a condition holds.
func (s *search) refers(c merge.Col, where func(*table) bool) bool {
	return slices.ContainsFunc(s.columns, func(o *column) bool { return o.col == c && o.fixed != nil && where(o.fixed.table) }) ||
		slices.ContainsFunc(s.picks, func(p *pick) bool {
			return p.column.col == c && p.key.table.Name != c.Table && p.grade != "" && p.hint.level >= 1 && where(p.key.table)
		})
}

// moves tells whether a table's rows are not the same everywhere.
func (s *search) moves(t *table) bool { return !s.alike[t.Name] }

// anywhere holds for every table.
func anywhere(*table) bool { return true }

// begunFar tells whether every shard has the very same few keys, so far from one as no two servers begin to count by chance.
func begunFar(k *key) bool {
	n := float64(k.set(0).Len())
	return sameSets(k, scatteredLeast) && k.low[0] > 1 && merge.LogChoices(float64(k.low[0])+n-2, n-1) >= math.Log(scatteredWays)
}
