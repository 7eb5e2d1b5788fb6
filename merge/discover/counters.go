package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A counter stands in a table of few rows, at the highest key or a little above it: deleted keys lie between. A column with more rows than counterOthers that
// meet a key and do not name its table holds amounts, which meet a key by chance.
const (
	counterRows   = 200
	counterOthers = 3
	numberedRows  = 50 // of a table whose rows say by a number what they count
)

// findCounters finds the places where the game itself keeps the next key.
func (s *search) findCounters() error {
	texts, err := s.countingTexts()
	if err != nil {
		return err
	}
	var lone []loneRow
	for _, c := range slices.Concat(s.columns, texts) {
		// Of a table of which the plan keeps one server's rows, too: in the row that stays the game counts on.
		if !c.padded && s.schema.Holds(c.col) == merge.Text || c.self != nil && !c.self.Undeclared || c.known || slices.Max(c.table.rows) > counterRows || c.distinct() == 0 || !s.meetsTop(c) {
			continue
		}
		rows, err := s.counterRows(c)
		if err != nil {
			return err
		}
		var named, others, numbered []Counter
		var known, open []counterRow
		equal := s.equalRows(c.table) // two servers count alike by chance alone
		for _, r := range rows {
			if slices.ContainsFunc(s.counters, func(o Counter) bool { return o.Column == c.col && o.Where == r.where }) {
				continue // which counts texts
			}
			found, sure := s.counterOf(c, r)
			if found == nil || equal && (!sure || !r.counts && !r.issues) || slices.ContainsFunc(known, r.again) {
				open = append(open, r)
				continue
			}
			known = append(known, r)
			switch {
			case r.numbered && r.counts:
				numbered = append(numbered, *found)
			case sure:
				named = append(named, *found)
			default:
				others = append(others, *found)
			}
		}
		if len(others) > counterOthers {
			others = nil
		}
		if 2*len(numbered) < len(rows) { // amounts under numbers meet a key by chance
			numbered = nil
		}
		found := slices.Concat(named, others, numbered)
		found = append(found, s.lastsTogether(c, open, found)...)
		s.counters = append(append(s.counters, found...), s.nextBeside(c, open, found)...)
		if len(found) > 0 {
			s.counters = append(s.counters, s.countersOfNone(c, open)...)
		}
		if len(open) == 1 && slices.Max(c.table.rows) <= 1 {
			lone = append(lone, loneRow{c, open[0]})
		}
	}
	s.nextInRow(lone)
	return s.ctx.Err()
}

// countingTexts are the columns of small tables that hold texts, some of them whole numbers, with zeros in front or without: a table of settings may keep counters among other
// words.
func (s *search) countingTexts() (list []*column, err error) {
	for _, c := range s.openColumns() {
		if s.schema.Holds(c.col) != merge.Text || s.key(c.col) != nil {
			continue
		}
		c.text, c.padded = true, true
		if c.shards, _, err = s.valuesWhen(c, ""); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// openColumns are the columns of small tables of which nobody has said what they hold, without their values: a game keeps its counters in such.
func (s *search) openColumns() (list []*column) {
	for _, t := range s.schema.Tables {
		e := s.tables[t.Name]
		if t.Opaque != "" || slices.Max(e.rows) > counterRows {
			continue
		}
		for _, m := range t.Columns {
			c := s.newColumn(e, m, m.Name)
			if _, known := s.pointsAt(c.col); !m.Generated && !known && !s.keptLike(c.col) {
				list = append(list, c)
			}
		}
	}
	return list
}

// counts tells whether a column or its table is called a counter.
func (s *search) counts(c *column) bool {
	return c.name.has(s.words.counters) || c.table.name.has(s.words.counters)
}

// counterRow is one row of a small table, by the text that names what it counts, with the value of a column in every shard.
type counterRow struct {
	where, label string
	counts       bool // its name, its column's or its table's is a counter's
	issues       bool // one of these says that the next number is issued there
	numbered     bool // a number stands in place of the text
	loose        bool // no schema holds what names it unique
	values       []int64
	in           []int   // the shards that have it; nil where all do
	tries        float64 // how many times a value of its column may meet a key by chance; 0 where nothing but a name can tell that it counts
}

// at is the shard of a row's value.
func (r *counterRow) at(i int) int {
	if r.in == nil {
		return i
	}
	return r.in[i]
}

// varies tells whether the values are not the same in every shard.
func (r counterRow) varies() bool { return slices.Max(r.values) != slices.Min(r.values) }

// times tells whether the values are moments.
func (r counterRow) times() bool { return (&column{shards: []values{{list: r.values}}}).times() }

// again tells whether another row is the same one, found by another of its texts.
func (r counterRow) again(o counterRow) bool {
	return r.loose && o.loose && slices.Equal(r.values, o.values) && slices.Equal(r.in, o.in)
}

// counterRows lists a column's values by the rows that every shard has: the one row of a table, those under a text that tells them apart, or those under numbers that are
// the same in all shards.
func (s *search) counterRows(c *column) ([]counterRow, error) {
	counts, issues := s.counts(c), c.name.has(s.words.issues) || c.table.name.has(s.words.issues)
	if slices.Max(c.table.rows) <= 1 {
		label, err := s.loneLabel(c)
		name := s.words.parse(label)
		one := counterRow{label: label, counts: counts || name.has(s.words.next), issues: issues || name.has(s.words.issues) || c.name.id, tries: s.tries(c)}
		for _, v := range c.shards {
			if len(v.list) != 1 {
				return nil, err
			}
			one.values = append(one.values, v.list[0])
		}
		return []counterRow{one}, err
	}
	names, err := s.rowNames(c)
	if err != nil {
		return nil, err
	}
	var rows []counterRow
	for _, n := range names {
		found, err := s.rowsNamed(c, n, counts, issues)
		if err != nil {
			return nil, err
		}
		rows = append(rows, found...)
	}
	slices.SortFunc(rows, func(a, b counterRow) int { return strings.Compare(a.where, b.where) })
	return rows, nil
}

// rowsNamed lists a column's values by what tells its rows apart.
func (s *search) rowsNamed(c *column, n rowName, counts, issues bool) ([]counterRow, error) {
	labels, err := s.sharedLabels(n)
	if err != nil {
		return nil, err
	}
	own, tries, shows := n.numbered || s.settings(n.col, labels), 0.0, false
	if counts = counts && own; own {
		tries = s.tries(c)
		shows = tries > 0 && slices.ContainsFunc(s.keys, func(k *key) bool { return s.countable(k, c) && tries*k.chance(c.shards) <= counterChance })
	}
	var rows []counterRow
	for _, l := range labels.shared {
		r := counterRow{numbered: n.numbered, loose: !n.declared, where: l.where, label: n.label + " " + l.text, tries: tries}
		name := s.words.label(r.label)
		r.counts = counts && (issues || !c.text) || !n.numbered && name.has(s.words.next)
		r.issues = !n.numbered && (r.counts && issues || name.has(s.words.issues) || name.id)
		if !r.counts && !r.issues && !n.numbered && !shows && (!own && !n.declared || !s.words.tabled(name) && !slices.ContainsFunc(s.keys, func(k *key) bool { return k.calledSo(r) })) {
			continue
		}
		shards, _, err := s.valuesWhen(c, r.where)
		if err != nil {
			return nil, err
		}
		for _, v := range shards {
			if len(v.list) == 1 {
				r.values = append(r.values, v.list[0])
			}
		}
		if len(r.values) == len(s.shards) {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// settings tells whether a table's rows are the game's own things, by the names that tell them apart: most of them stand on every server, and no other table refers to
// them. The row of one player among many meets some key by chance.
func (s *search) settings(own merge.Col, labels *rowLabels) bool {
	if 2*len(labels.shared) < labels.most {
		return false
	}
	to := func(k *key) bool { return k != nil && k.table.Name == own.Table }
	return !slices.ContainsFunc(s.columns, func(c *column) bool { return to(c.fixed) && c.table.Name != own.Table }) &&
		!slices.ContainsFunc(s.picks, func(p *pick) bool {
			return to(p.key) && p.column.table.Name != own.Table && sureness(p.grade) >= sureness(merge.Likely)
		})
}

// counterOf is the key that a value counts in every shard, and whether that is no chance: the row names its table, or the values alone tell; nil when there is none. A row
// that names the table wins. In a table of one row the column's name is all there is: it may as well hold somebody, unless nobody has such a number in any shard.
func (s *search) counterOf(c *column, r counterRow) (counter *Counter, sure bool) {
	label := s.words.label(r.label)
	var found *key
	best, rank, named, shown := 0.0, 0, false, false
	issues := c.name.has(s.words.issues) || c.table.name.has(s.words.issues) || label.has(s.words.issues)
	for _, k := range s.keys {
		if !s.countable(k, c) {
			continue
		}
		above, near := 0.0, true
		for i, v := range r.values {
			high := k.high[r.at(i)]
			near = near && k.atTop(r.at(i), v) && (r.counts || r.where != "" || v > high)
			above += float64(v - high)
		}
		shows := s.shows(k, r)
		so, exactly := k.calledSo(r), shows || k.countedBy(r)
		if !near && !exactly && (!so && !r.issues && !r.counts || !k.farAbove(r)) || !issues && k.onlyRow(r) || s.countsNone(label, k.table) || s.countsNone(c.name, k.table) {
			continue // what the values refuse, no name is looked at for
		}
		called := so || s.issuesOf(label, k)
		if r.in == nil { // of a row of all shards, a word that says it says enough
			called = called || label.stem != "" && (slices.Contains(k.table.stems, label.stem) || tail(label, k.table.stems[len(k.table.stems)-1]) || label.has(set(k.table.stems...)))
		}
		calls, counts := near && called, r.counts && (r.in == nil || s.issuesSome(label))
		ok := exactly || near && (calls && r.counts || so || !k.shallowFor(r) && (counts || calls && !r.numbered))
		nearness := 2 // far above tells less than what is near, and that less than what is called so, too
		if far := !ok && k.farAbove(r) && (r.varies() && so || (r.issues || r.counts && r.allEver()) && s.issuesOf(label, k) || r.issues && r.varies() && s.issuesSome(label)); far {
			ok, calls, nearness = true, true, 1
		} else if calls {
			nearness = 3
		}
		if ok && (found == nil || nearness > rank || nearness == rank && above < best) {
			found, best, rank, named, shown = k, above, nearness, calls, shows
		}
	}
	if found == nil {
		return nil, false
	}
	return s.counterAt(found, c, r), named || shown
}

// lone tells whether a key's table has one row in every shard, as that of the current season.
func (k *key) lone() bool {
	return !slices.ContainsFunc(k.Sets(), func(set *merge.KeySet) bool { return set.Len() != 1 })
}

// onlyRow tells whether a value is the number of the one row that a key's table has, in every shard: where nothing says that another is to come, it is that row's.
func (k *key) onlyRow(r counterRow) bool { return k.lone() && slices.Equal(r.values, k.high) }

// calledSo tells whether a row's text is the very name of a key, which is no name of many.
func (k *key) calledSo(r counterRow) bool {
	return !k.Generic && !r.numbered && strings.EqualFold(strings.TrimSpace(r.label), k.Col.Name)
}

// lastsTogether are the counters among a column's other rows that stand at the very last number of a key, too exactly for chance: one such may be somebody, and where rows of one column
// stand at the last numbers of several keys, the column holds nobody.
func (s *search) lastsTogether(c *column, open []counterRow, known []Counter) (list []Counter) {
	for i, r := range open {
		if k := s.keyAt(c, r, 0, known); k != nil && r.varies() && s.tooNear(k, r) && !slices.ContainsFunc(open[:i], r.again) {
			list = append(list, *s.counterAt(k, c, r))
		}
	}
	counted := map[merge.Col]bool{}
	for _, o := range slices.Concat(known, list) {
		counted[o.Key] = true
	}
	if len(counted) < siblings {
		return nil
	}
	return list
}

// keyAt is the one key of which a row stands so far above the highest number in every shard, and which none of the known counters counts; nil where there is none or several, or the number
// is one that anything has.
func (s *search) keyAt(c *column, r counterRow, above int64, known []Counter) *key {
	label := s.words.parse(r.label)
	at := slices.DeleteFunc(slices.Clone(s.keys), func(k *key) bool {
		for i, v := range r.values {
			if v != k.high[i]+above {
				return true
			}
		}
		return !s.countable(k, c) || k.Undeclared || s.countsNone(label, k.table) || slices.ContainsFunc(known, func(o Counter) bool { return o.Key == k.Col })
	})
	if len(at) != 1 || !r.varies() && r.values[0] <= fewValues {
		return nil
	}
	return at[0]
}

// countersOfNone are those among a column's other rows that by their names count the keys of a table without rows, as the vehicles of which all were wrecked.
func (s *search) countersOfNone(c *column, open []counterRow) (list []Counter) {
	for _, r := range open {
		label := s.words.parse(r.label)
		at := slices.IndexFunc(s.keys, func(k *key) bool {
			return k.rowless() && (r.counts || r.issues) && s.issuesOf(label, k)
		})
		if at >= 0 && slices.Min(r.values) > 0 && !r.times() {
			list = append(list, *s.counterAt(s.keys[at], c, r))
		}
	}
	return list
}

// loneRow is a column of a table of one row, of which nothing has said yet that it counts.
type loneRow struct {
	c *column
	r counterRow
}

// oneNumberLeast is from where up a number that is the next one of a key on every server is rather that than an hour, a rate or a limit.
const oneNumberLeast = 100

// nextInRow finds the counters beside others in the one row of a table, as that of the world, though two servers happen to have counted up to one number.
func (s *search) nextInRow(list []loneRow) {
	for _, l := range list {
		known := slices.DeleteFunc(slices.Clone(s.counters), func(o Counter) bool { return o.Column.Table != l.c.table.Name })
		if len(known) == 0 {
			continue
		}
		if none := s.countersOfNone(l.c, []counterRow{l.r}); len(none) > 0 || l.r.varies() || l.r.values[0] < oneNumberLeast {
			s.counters = append(s.counters, none...)
			continue
		}
		if k := s.keyAt(l.c, l.r, 1, known); k != nil {
			s.counters = append(s.counters, *s.counterAt(k, l.c, l.r))
		}
	}
}

// counterAt says that a row counts a key.
func (s *search) counterAt(found *key, c *column, r counterRow) *Counter {
	parts, past := make([]string, len(r.values)), true
	for i, v := range r.values {
		at := r.at(i)
		past = past && v > found.high[at]
		parts[i] = fmt.Sprintf("%s in %s, where the highest key is %s", count(v), s.shards[at].Source().Name, count(found.high[at]))
		if found.set(at).Len() == 0 {
			parts[i] = fmt.Sprintf("%s in %s, where no key stands", count(v), s.shards[at].Source().Name)
		}
	}
	evidence := "stands at " + join(parts, "and at")
	if r.in != nil {
		evidence += "; no other shard has it"
	}
	return &Counter{
		Counter:  merge.Counter{Column: c.col, Where: r.where, Key: found.Col, Margin: 1},
		Evidence: evidence, Numbered: r.numbered && !r.loose, Past: past,
	}
}
