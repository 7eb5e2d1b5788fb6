package discover

import (
	"fmt"
	"strconv"
	"strings"
)

// reserved are words that SQL does not read as a name when they stand bare, of those that games use.
const reserved = " all alter and as by case character check column condition create cross date default delete desc describe drop else end escape " +
	"exists for foreign from function group groups having if in index insert interval into is join key keys kill left level like limit lock " +
	"loop match not null of on option or order primary range rank read references release rename repeat replace return right row rows " +
	"select session set show signal sql system table then time to trigger union unique update usage use user using value values when where " +
	"while window with write year "

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

// valuesWhen reads a column's values under a condition. Where there are more than it may look at, it takes those of one residue, which lie all
// over the range; the most frequent ones would be the lowest where all are equally frequent. A further condition may stand for each shard. Shards that say nothing are left
// out.
func (s *search) valuesWhen(c *column, when string, further ...string) (shards []values, distinct int, err error) {
	shards = make([]values, len(s.shards))
	most := mostRows(c.shards)
	for i, shard := range s.shards {
		own, ok := shard.Schema().Resolve(c.col)
		if !ok || c.shards[i].silent(most) {
			continue
		}
		when := when
		if len(further) > 0 && further[i] != "" {
			when += " AND " + further[i]
		}
		list, err := shard.Values(s.ctx, own, when, sampled)
		if err != nil {
			return nil, 0, err
		}
		shards[i] = s.clean(c, list)
		if len(list) == sampled && !c.text {
			step := c.table.rows[i]/sampled | 1
			part, err := shard.Values(s.ctx, own, fmt.Sprintf("(%s) AND %s %% %d = 1", when, s.quote(own.Name), step), sampled)
			if err != nil {
				return nil, 0, err
			}
			if len(part) >= residueLeast {
				shards[i] = s.clean(c, part)
				shards[i].complete = false
			}
		}
		distinct += len(shards[i].list)
	}
	return shards, distinct, nil
}

// residueLeast is how many values of one residue are enough: keys that all leave the same remainder may leave none.
const residueLeast = 100
