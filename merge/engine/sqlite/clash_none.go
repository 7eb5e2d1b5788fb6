package sqlite

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// fewValues is up to how many rows of every shard the values of a key are looked through before a workbench is made: to attach a shard takes longer, the more tables it has.
const fewValues = 2000

// none tells whether the rows of small tables plainly share no value: not even one in another case, without spaces at its end, or as another kind of number. twice asks of
// the rows of one shard as well. Where it says no, nothing is known.
func (c *clashing) none(ctx context.Context, shards []*shard, twice bool) (bool, error) {
	if slices.ContainsFunc(c.collations, func(name string) bool {
		return !slices.ContainsFunc([]string{"BINARY", "NOCASE", "RTRIM"}, func(known string) bool { return strings.EqualFold(name, known) })
	}) {
		return false, nil
	}
	whose := map[string]int{}
	for i, s := range shards {
		if !c.takesPart(s) {
			continue
		}
		if n, err := s.Rows(ctx, c.unique.Table); err != nil || n > fewValues {
			return false, err
		}
		apart, err := c.apart(ctx, i, s, whose, twice)
		if err != nil || !apart {
			return false, s.failed(err, "compare")
		}
	}
	return true, nil
}

// apart adds a shard's values, and tells whether none is another shard's.
func (c *clashing) apart(ctx context.Context, shard int, s *shard, whose map[string]int, twice bool) (_ bool, err error) {
	source, err := c.source("main", shard)
	if err != nil {
		return false, err
	}
	rows, err := s.conn.QueryContext(ctx, source)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }()
	values, into := make([]any, len(c.terms)), make([]any, len(c.terms))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return false, err
		}
		var b strings.Builder
		for _, v := range values {
			b.WriteString(loosely(v))
			b.WriteByte(0)
		}
		if owner, taken := whose[b.String()]; taken && (twice || owner != shard) {
			return false, nil
		}
		whose[b.String()] = shard
	}
	return true, rows.Err()
}

// loosely writes values alike that any of SQLite's own collations calls equal, and perhaps others.
func loosely(v any) string {
	switch v := v.(type) {
	case string:
		v, _, _ = strings.Cut(v, "\x00") // NOCASE reads no further
		return strings.ToLower(strings.TrimRight(v, " "))
	case []byte:
		return strings.ToLower(strings.TrimRight(string(v), " "))
	case int64:
		return fmt.Sprint(math.Float64bits(float64(v) + 0))
	case float64:
		return fmt.Sprint(math.Float64bits(v + 0))
	}
	return ""
}
