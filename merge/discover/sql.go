package discover

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// reserved are words that SQL does not read as a name when they stand bare: all of SQLite's, and those of other engines that games use.
const reserved = " add all alter and as autoincrement between by case cast character check collate column commit condition constraint create cross " +
	"current_date current_time current_timestamp date default deferrable delete desc describe distinct drop else end escape except exists " +
	"for foreign from function group groups having if in index insert intersect interval into is isnull join key keys kill left level like " +
	"limit lock loop match not nothing notnull null of on option or order primary raise range rank read references release rename repeat " +
	"replace return returning right row rows select session set show signal sql system table then time to transaction trigger union unique " +
	"update usage use user using value values when where while window with write year "

// quote writes a column's name for a condition: bare where every engine reads it so, for these conditions are for people too.
func (s *search) quote(name string) string {
	plain := name != "" && !strings.Contains(reserved, " "+strings.ToLower(name)+" ")
	for i, r := range name {
		plain = plain && (r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' && s.schema.Fold || i > 0 && r >= '0' && r <= '9')
	}
	switch {
	case plain:
		return name
	case s.opt.Quote != nil:
		return s.opt.Quote(name)
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// literal writes an integer or a text for a condition; ok is false for other values.
func (s *search) literal(v any) (text string, ok bool) {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10), true
	case string:
		if s.opt.Literal != nil {
			return s.opt.Literal(v), true
		}
		return "'" + strings.ReplaceAll(v, "'", "''") + "'", true
	}
	return "", false
}

// valuesWhen reads a column's values under a condition, of all shards at once. A further condition may stand for each shard. Shards that say nothing are left out.
func (s *search) valuesWhen(c *column, when string, further ...string) (shards []values, distinct int, err error) {
	shards = make([]values, len(s.shards))
	most := mostRows(c.shards)
	err = s.everyShard(func(i int, shard merge.Shard) error {
		own, ok := shard.Schema().Resolve(c.col)
		if !ok || c.shards[i].silent(most) {
			return nil
		}
		when := when
		if len(further) > 0 && further[i] != "" {
			when += " AND " + further[i]
		}
		v, err := s.valuesOf(shard, c, own, when, i)
		shards[i] = v
		return err
	})
	for _, v := range shards {
		distinct += len(v.list)
	}
	return shards, distinct, err
}

// valuesBy reads a column's values under each of some values of a sibling, by these, of all shards at once. Shards that say nothing are left out.
func (s *search) valuesBy(c *column, by *merge.Column, kinds []string) (map[string][]values, error) {
	parts, most := map[string][]values{}, mostRows(c.shards)
	for _, kind := range kinds {
		parts[kind] = make([]values, len(s.shards))
	}
	err := s.everyShard(func(i int, shard merge.Shard) error {
		own, ok := shard.Schema().Resolve(c.col)
		sibling, there := shard.Schema().Resolve(merge.Col{Table: c.col.Table, Name: by.Name})
		if !ok || !there || c.shards[i].silent(most) {
			return nil
		}
		residue := s.residue(c, own, i)
		list, err := shard.Tuples(s.ctx, []merge.Col{sibling, own}, residue, 0)
		if err != nil {
			return err
		}
		of := map[string][]merge.ValueCount{}
		for _, pair := range list {
			kind, ok := s.literal(pair.Value[0])
			if pair.Value[0] == nil {
				kind, ok = null, true
			}
			if ok && len(of[kind]) < sampled {
				of[kind] = append(of[kind], merge.ValueCount{Value: pair.Value[1:], Rows: pair.Rows})
			}
		}
		for _, kind := range kinds {
			list := of[kind]
			if residue != "" && len(list) < residueLeast {
				if list, err = shard.Values(s.ctx, own, s.kind(by, kind), sampled); err != nil {
					return err
				}
			}
			v := s.clean(c, list)
			v.complete = v.complete && (residue == "" || len(of[kind]) < residueLeast)
			parts[kind][i] = v
		}
		return nil
	})
	return parts, err
}

// kind is the condition under which a sibling has a value, which is written as SQL.
func (s *search) kind(by *merge.Column, value string) string {
	return amongKinds(s.quote(by.Name), []string{value})
}

// null is the kind of the rows of which a sibling says nothing, as SQL.
const null = "NULL"

// amongKinds is the condition that something is one of some kinds.
func amongKinds(by string, kinds []string) string {
	some := slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return kind == null })
	var when string
	switch len(some) {
	case 0:
		return by + " IS NULL"
	case 1:
		when = by + " = " + some[0]
	default:
		when = fmt.Sprintf("%s IN (%s)", by, strings.Join(some, ", "))
	}
	if len(some) < len(kinds) {
		when += " OR " + by + " IS NULL"
	}
	return when
}

// residue is a condition that leaves some of a column's values in one shard, where there are more than it may look at: those of one residue, which lie all over the range; the
// most frequent ones would be the lowest where all are equally frequent. "" leaves all.
func (s *search) residue(c *column, own merge.Col, i int) string {
	if c.text || len(c.shards[i].list) < sampled/2 {
		return ""
	}
	return fmt.Sprintf("%s %% %d = 1", s.quote(own.Name), c.table.rows[i]/sampled|1)
}

// valuesOf reads a column's values in one shard under a condition, or those of one residue.
func (s *search) valuesOf(shard merge.Shard, c *column, own merge.Col, when string, i int) (values, error) {
	if residue := s.residue(c, own, i); residue != "" {
		part, err := shard.Values(s.ctx, own, "("+when+") AND "+residue, sampled)
		if err != nil {
			return values{}, err
		}
		if len(part) >= residueLeast {
			v := s.clean(c, part)
			v.complete = false
			return v, nil
		}
	}
	list, err := shard.Values(s.ctx, own, when, sampled)
	return s.clean(c, list), err
}

// everyShard does something with each shard, a few at a time.
func (s *search) everyShard(do func(i int, shard merge.Shard) error) error {
	return merge.SideBySide(len(s.shards), func(i int) error { return do(i, s.shards[i]) })
}

// residueLeast is how many values of one residue are enough: keys that all leave the same remainder may leave none.
const residueLeast = 100
