package discover

import (
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// countersInPart finds counters whose row some servers lack, as those that are a version behind do: beside known ones, or where the whole table is called a counter. Their names say
// no more than whose keys they count, and they stand at the highest or above on every server that has them.
func (s *search) countersInPart() error {
	for _, c := range s.openColumns() {
		known := slices.DeleteFunc(slices.Clone(s.counters), func(o Counter) bool { return o.Column != c.col })
		lacks := slices.Min(c.table.rows) == 0 && slices.Max(c.table.rows) > 0
		if s.key(c.col) != nil || !lacks && (len(known) == 0 || known[0].Where == "") {
			continue
		}
		labels, err := s.labelsInPart(c, lacks)
		if err != nil {
			return err
		}
		for _, l := range labels {
			name := s.words.parse(l.text)
			issues := name.has(s.words.issues) || name.has(s.words.next)
			k := slices.IndexFunc(s.keys, func(k *key) bool { return s.countable(k, c) && s.issuesOf(name, k) })
			if k < 0 || len(known) == 0 && !issues && !s.counts(c) || l.where == "" && !issues {
				continue
			}
			r, err := s.rowInPart(c, l, known)
			if err != nil {
				return err
			}
			if len(r.values) == 0 || len(r.values) == len(s.shards) || r.times() || !s.keys[k].standsAbove(r) {
				continue
			}
			s.counters = append(s.counters, *s.counterAt(s.keys[k], c, *r))
		}
	}
	return nil
}

// labelsInPart are what names the rows of a column's table in any shard; that of the one row of a table is its column's name.
func (s *search) labelsInPart(c *column, lacks bool) (list []rowLabel, err error) {
	if slices.Max(c.table.rows) <= 1 {
		if lacks {
			list = append(list, rowLabel{text: c.col.Name})
		}
		return list, nil
	}
	names, err := s.textNames(c)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		for _, shard := range s.shards {
			own, ok := shard.Schema().Resolve(n.col)
			if !ok {
				continue
			}
			found, err := shard.Values(s.ctx, own, strings.TrimSuffix(n.within, " AND "), counterRows)
			if err != nil {
				return nil, err
			}
			for _, v := range found {
				text, is := v.Value[0].(string)
				literal, ok := s.literal(v.Value[0])
				l := rowLabel{n.label + " " + text, n.within + s.quote(n.col.Name) + " = " + literal}
				if is && ok && !slices.Contains(list, l) {
					list = append(list, l)
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b rowLabel) int { return strings.Compare(a.where, b.where) })
	return list, nil
}

// rowInPart reads a row's value in the shards that have it; none where it is a known counter's.
func (s *search) rowInPart(c *column, l rowLabel, known []Counter) (*counterRow, error) {
	r := &counterRow{where: l.where, label: l.text}
	beside := make([]merge.Counter, len(known))
	for i, o := range known {
		beside[i] = o.Counter
	}
	where := l.where
	if rest := merge.BesideCounters(s.schema, c.col, beside); rest != "" && where != "" {
		where += " AND " + rest
	}
	for i, shard := range s.shards {
		own, ok := shard.Schema().Resolve(c.col)
		if !ok {
			continue
		}
		list, err := shard.Values(s.ctx, own, where, 2)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			continue
		}
		n, whole := integer(list[0].Value[0])
		if !whole || len(list) > 1 {
			return &counterRow{}, nil
		}
		r.values, r.in = append(r.values, n), append(r.in, i)
	}
	return r, nil
}

// standsAbove tells whether a row stands at the highest key or above, in every shard that has it, and not as far above as what counts nothing.
func (k *key) standsAbove(r *counterRow) bool {
	for i, v := range r.values {
		if high := k.high[r.in[i]]; v < high || float64(v) > counterFar*float64(max(high, counterLeast)) {
			return false
		}
	}
	return true
}
