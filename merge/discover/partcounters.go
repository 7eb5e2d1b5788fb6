package discover

import (
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// countersInPart finds counters whose row some servers lack, as those that are a version behind do, or whose column or table. Their names say that something is counted, themselves or by
// the table's, and no more than whose keys; or that alone, and they stand at the next number.
func (s *search) countersInPart() error {
	for _, c := range s.openColumns() {
		known := slices.DeleteFunc(slices.Clone(s.counters), func(o Counter) bool { return o.Column != c.col })
		if s.key(c.col) != nil || slices.Max(c.table.rows) == 0 || len(known) > 0 && known[0].Where == "" {
			continue
		}
		labels, err := s.labelsInPart(c, len(known) > 0)
		if err != nil {
			return err
		}
		var rows []counterRow
		for _, l := range labels {
			r, err := s.rowInPart(c, l, known)
			if err != nil {
				return err
			}
			if len(r.values) > 0 && len(r.values) < len(s.shards) && !r.times() {
				rows = append(rows, *r)
			}
		}
		var named, others []Counter
		var seen []counterRow
		for _, r := range rows {
			if r.tries = s.triesOf(c, len(rows)); slices.ContainsFunc(seen, r.again) {
				continue
			}
			found, sure := s.counterOf(c, r)
			switch {
			case found == nil:
				continue
			case sure:
				named = append(named, *found)
			default:
				others = append(others, *found)
			}
			seen = append(seen, r)
		}
		if len(others) > counterOthers || len(named) > 0 && slices.Max(c.table.rows) <= 1 {
			others = nil
		}
		if found := slices.Concat(named, others); slices.Max(c.table.rows) <= 1 {
			s.counters = append(s.counters, found[:min(len(found), 1)]...)
		} else {
			s.counters = append(s.counters, found...)
		}
	}
	return s.ctx.Err()
}

// partLabel is what names a row in any shard, and what its words say.
type partLabel struct {
	rowLabel
	loose bool // no schema holds it unique
	own   bool // the table's rows are the game's own things
}

// labelsInPart are what names the rows of a column's table in any shard; the one row of a table bears its column's name, too.
func (s *search) labelsInPart(c *column, known bool) (list []partLabel, err error) {
	names, err := s.textNames(c)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		labels, err := s.sharedLabels(n)
		if err != nil {
			return nil, err
		}
		own := known || s.lackedBySome(c) || s.settings(n.col, labels)
		for _, shard := range s.shards {
			at, ok := shard.Schema().Resolve(n.col)
			if !ok {
				continue
			}
			found, err := shard.Values(s.ctx, at, strings.TrimSuffix(n.within, " AND "), counterRows)
			if err != nil {
				return nil, err
			}
			for _, v := range found {
				text, is := v.Value[0].(string)
				literal, ok := s.literal(v.Value[0])
				l := partLabel{rowLabel{n.label + " " + text, n.within + s.quote(n.col.Name) + " = " + literal}, !n.declared, own}
				if is && ok && !slices.Contains(list, l) {
					list = append(list, l)
				}
			}
		}
	}
	if slices.Max(c.table.rows) <= 1 {
		list = append(list, partLabel{rowLabel: rowLabel{text: c.col.Name}, loose: true})
	}
	slices.SortStableFunc(list, func(a, b partLabel) int { return strings.Compare(b.where, a.where) })
	return list, nil
}

// lackedBySome tells whether some server has no row of a column that another one has.
func (s *search) lackedBySome(c *column) bool {
	for i, shard := range s.shards {
		if _, ok := shard.Schema().Resolve(c.col); !ok || c.table.rows[i] == 0 {
			return true
		}
	}
	return false
}

// rowInPart reads a row's value in the shards that have it; none where it is a known counter's.
func (s *search) rowInPart(c *column, l partLabel, known []Counter) (*counterRow, error) {
	r := &counterRow{where: l.where, label: l.text, loose: l.loose}
	name, issues := s.words.label(l.text), l.own && (c.name.has(s.words.issues) || c.table.name.has(s.words.issues))
	r.counts = l.own && s.counts(c) && (issues || s.schema.Holds(c.col) != merge.Text) || name.has(s.words.next)
	r.issues = r.counts && issues || name.has(s.words.issues)
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
		if len(list) == 0 || len(list) == 1 && list[0].Value[0] == nil {
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
