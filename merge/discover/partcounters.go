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
		beside := make([]merge.Counter, len(known))
		for i, o := range known {
			beside[i] = o.Counter
		}
		rest := merge.BesideCounters(s.schema, c.col, beside)
		var rows []counterRow
		partly := 0
		for _, l := range labels {
			r, err := s.rowInPart(c, l, rest)
			if err != nil {
				return err
			}
			if r == nil || r.times() {
				continue
			}
			if partly++; s.topsSome(r) {
				r.counts, r.issues = s.wordsInPart(c, l)
				rows = append(rows, *r)
			}
		}
		tries := s.triesOf(c, partly)
		var named, others []Counter
		var seen []counterRow
		for _, r := range rows {
			if r.tries = tries; slices.ContainsFunc(seen, r.again) {
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
	loose bool    // no schema holds it unique
	own   bool    // the table's rows are the game's own things
	held  [][]any // by shard, the different values of the column in its rows
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
		found, err := s.labelledBy(c, n, partLabel{loose: !n.declared, own: known || s.lackedBySome(c) || s.settings(n.col, labels)})
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	if slices.Max(c.table.rows) <= 1 {
		l := partLabel{rowLabel: rowLabel{text: c.col.Name}, loose: true, held: make([][]any, len(s.shards))}
		for i, shard := range s.shards {
			if own, ok := shard.Schema().Resolve(c.col); ok {
				values, err := shard.Values(s.ctx, own, "", 2)
				if err != nil {
					return nil, err
				}
				l.held[i] = firsts(values)
			}
		}
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b partLabel) int { return strings.Compare(b.where, a.where) })
	return list, nil
}

// labelledBy are the texts of a name in the shards that have the column, each with what the column holds there. Of texts that the schema takes for equal it is the first.
func (s *search) labelledBy(c *column, n rowName, like partLabel) (list []partLabel, err error) {
	at := map[string]int{}
	for i, shard := range s.shards {
		name, ok := shard.Schema().Resolve(n.col)
		own, has := shard.Schema().Resolve(c.col)
		if !ok || !has {
			continue
		}
		rows, err := shard.Tuples(s.ctx, []merge.Col{name, own}, strings.TrimSuffix(n.within, " AND "), counterRows)
		if err != nil {
			return nil, err
		}
		for _, v := range rows {
			text, is := v.Value[0].(string)
			literal, ok := s.literal(v.Value[0])
			if !is || !ok {
				continue
			}
			same := merge.Collated(text, s.schema.Column(n.col).Collation)
			if _, seen := at[same]; !seen {
				l := like
				l.rowLabel, l.held = rowLabel{n.label + " " + text, n.within + s.quote(n.col.Name) + " = " + literal}, make([][]any, len(s.shards))
				at[same], list = len(list), append(list, l)
			}
			held := &list[at[same]].held[i]
			*held = append(*held, v.Value[1])
		}
	}
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

// rowInPart is a row's value in the shards that have it, among the rows of a condition; nil where none or all have it.
func (s *search) rowInPart(c *column, l partLabel, among string) (*counterRow, error) {
	r := &counterRow{where: l.where, label: l.text, loose: l.loose}
	for i, shard := range s.shards {
		held := l.held[i]
		if len(held) > 0 && among != "" && l.where != "" {
			own, _ := shard.Schema().Resolve(c.col)
			list, err := shard.Values(s.ctx, own, l.where+" AND "+among, 2)
			if err != nil {
				return nil, err
			}
			held = firsts(list)
		}
		if len(held) == 0 || len(held) == 1 && held[0] == nil {
			continue
		}
		n, whole := integer(held[0])
		if !whole || len(held) > 1 {
			return nil, nil
		}
		r.values, r.in = append(r.values, n), append(r.in, i)
	}
	if len(r.values) == 0 || len(r.values) == len(s.shards) {
		return nil, nil
	}
	return r, nil
}

// firsts are the first values of a list.
func firsts(list []merge.ValueCount) (values []any) {
	for _, v := range list {
		values = append(values, v.Value[0])
	}
	return values
}

// wordsInPart tells whether a row's name, its column's or its table's says that it counts, and that the next number is issued there.
func (s *search) wordsInPart(c *column, l partLabel) (counts, issues bool) {
	name, said := s.words.label(l.text), l.own && (c.name.has(s.words.issues) || c.table.name.has(s.words.issues))
	counts = l.own && s.counts(c) && (said || s.schema.Holds(c.col) != merge.Text) || name.has(s.words.next)
	return counts, counts && said || name.has(s.words.issues)
}

// topsSome tells whether a row's values stand at or above the highest keys of some table, or of one without rows as yet: otherwise they count none, whatever the row is called.
func (s *search) topsSome(r *counterRow) bool {
	return slices.ContainsFunc(s.keys, func(k *key) bool {
		if !s.countable(k, nil) {
			return k.rowless()
		}
		for i, v := range r.values {
			if v < k.high[r.at(i)] {
				return false
			}
		}
		return true
	})
}
