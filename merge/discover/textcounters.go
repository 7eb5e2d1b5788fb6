package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// textKey is a key of texts, which may end in numbers that the game counts.
type textKey struct {
	col  merge.Col
	sole bool              // the whole primary key
	tops map[string][]*top // by what stands before the number and by shard
}

// top is the highest number of a key's texts in a shard; nil where none has their form.
type top struct{ n int64 }

// findTextCounters finds the places where the game keeps the next of the texts by which it knows its rows, as H000151, or the number of it.
func (s *search) findTextCounters() error {
	keys := s.textKeys()
	if len(keys) == 0 {
		return nil
	}
	for _, c := range s.openColumns() {
		if s.schema.Holds(c.col) == merge.Real || slices.ContainsFunc(keys, func(k *textKey) bool { return k.col == c.col }) {
			continue
		}
		if err := s.textCountersIn(c, keys); err != nil {
			return err
		}
	}
	return nil
}

// textKeys are the keys of one column of texts that refer to nothing.
func (s *search) textKeys() (list []*textKey) {
	for _, t := range s.schema.Tables {
		if t.Opaque != "" || s.alike[t.Name] {
			continue
		}
		for _, u := range t.Uniques {
			if len(u.Columns) != 1 || !u.Plain() || s.schema.Holds(u.Cols()[0]) != merge.Text {
				continue
			}
			col := u.Cols()[0]
			if _, known := s.pointsAt(col); known || s.schema.Column(col).Generated || slices.ContainsFunc(list, func(k *textKey) bool { return k.col == col }) {
				continue
			}
			list = append(list, &textKey{col: col, sole: slices.Equal(t.PrimaryKey, []string{col.Name}), tops: map[string][]*top{}})
		}
	}
	return list
}

// textCountersIn finds those of one column of a small table.
func (s *search) textCountersIn(c *column, keys []*textKey) error {
	if some, err := s.countsTexts(c); err != nil || !some {
		return err
	}
	labels, err := s.labelled(c)
	if err != nil {
		return err
	}
	for _, l := range labels {
		r := textRow{label: s.words.parse(l.text), where: l.where}
		if ok, err := s.readTextRow(c, &r); err != nil {
			return err
		} else if !ok {
			continue
		}
		found, err := s.textCounterOf(c, &r, keys)
		if err != nil {
			return err
		}
		if found != nil {
			s.counters = append(s.counters, *found)
		}
	}
	return nil
}

// countsTexts tells whether every shard has a value in a column that ends in a number.
func (s *search) countsTexts(c *column) (bool, error) {
	for _, shard := range s.shards {
		own, ok := shard.Schema().Resolve(c.col)
		if !ok {
			return false, nil
		}
		list, err := shard.Values(s.ctx, own, "", counterRows)
		if err != nil {
			return false, err
		}
		if !slices.ContainsFunc(list, func(v merge.ValueCount) bool {
			_, _, _, ok := merge.CounterText(v.Value[0])
			return ok
		}) {
			return false, nil
		}
	}
	return true, nil
}

// labelled are the rows of a column's table that every shard has, with what they are called.
func (s *search) labelled(c *column) (list []rowLabel, err error) {
	if slices.Max(c.table.rows) <= 1 {
		label, err := s.loneLabel(c)
		return []rowLabel{{text: label}}, err
	}
	names, err := s.textNames(c)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		labels, err := s.sharedLabels(n)
		if err != nil {
			return nil, err
		}
		for _, l := range labels.shared {
			l.text = n.label + " " + l.text
			if !slices.ContainsFunc(list, func(o rowLabel) bool { return o.where == l.where }) {
				list = append(list, l)
			}
		}
	}
	return list, nil
}

// textRow is one row of a small table whose values end in numbers, behind the same in every shard.
type textRow struct {
	where  string
	label  name
	head   string
	values []int64
	texts  []string // as they are written
}

// readTextRow reads a row's value of every shard; false where they are not of one form.
func (s *search) readTextRow(c *column, r *textRow) (bool, error) {
	for i, shard := range s.shards {
		own, _ := shard.Schema().Resolve(c.col)
		list, err := shard.Values(s.ctx, own, r.where, 2)
		if err != nil || len(list) != 1 {
			return false, err
		}
		head, n, _, ok := merge.CounterText(list[0].Value[0])
		if !ok || i > 0 && head != r.head {
			return false, nil
		}
		r.head, r.values, r.texts = head, append(r.values, n), append(r.texts, fmt.Sprint(list[0].Value[0]))
	}
	return true, nil
}

// textCounterOf is the key of texts that a row counts: it stands at the highest or above in every shard, and nothing but the number differs; nil when there is none. Of a number
// alone the name has to say whose it is, or that it counts, and the number is too near for chance.
func (s *search) textCounterOf(c *column, r *textRow, keys []*textKey) (found *Counter, err error) {
	words := r.label.has(s.words.issues) || r.label.has(s.words.next) || s.words.parseTable(c.table.Name).has(s.words.issues)
	best, bestCalled := int64(0), false
	for _, k := range keys {
		t := s.tables[k.col.Table]
		called := s.calls(r.label, t) || s.namesKey(r.label, k)
		if t == c.table || s.countsNone(r.label, t) || r.head == "" && (!k.sole || s.callsNumbers(r.label) || !called && !words) || !words && !called && slices.Max(r.values) == slices.Min(r.values) || found != nil && bestCalled && !called {
			continue
		}
		tops, err := s.topsOf(k, r.head)
		if err != nil {
			return nil, err
		}
		above, past, ok := r.above(tops, words, called)
		if r.head == "" && !called && ok {
			ok = r.tooNear(tops, len(keys)) && !s.meetsNumbers(c, r)
		}
		if ok && (found == nil || called && !bestCalled || above < best) {
			found, best, bestCalled = s.textCounter(c, r, k, tops, past), above, called
		}
	}
	return found, nil
}

// above is how far a row's values stand above a key's highest numbers; ok tells whether that, and what it is called, says that it counts them.
func (r *textRow) above(tops []*top, words, called bool) (sum int64, past, ok bool) {
	past, near, some := true, true, false
	for i, t := range tops {
		if t == nil {
			continue
		}
		by := r.values[i] - t.n
		if by < 0 {
			return 0, false, false
		}
		some = true
		most := int64(1)
		if t.n >= counterLeast {
			most = max(counterAbove, int64(counterShare*float64(t.n)))
		}
		past, near, sum = past && by > 0, near && by <= most, sum+by
	}
	switch {
	case !some:
	case r.head == "":
		ok = near && (past || words)
	default:
		ok = past && (near || words || called) || near && words
	}
	return sum, past, ok
}

// tooNear tells whether a row holds the very last, or the very next, of a key's numbers in every shard, which differ and are too high for chance, of so many keys.
func (r *textRow) tooNear(tops []*top, keys int) bool {
	by, chance := int64(-1), float64(keys)
	for i, t := range tops {
		if t == nil || by >= 0 && r.values[i]-t.n != by {
			return false
		}
		by = r.values[i] - t.n
		chance *= 2 / float64(max(t.n, 1))
	}
	return by <= 1 && chance <= counterChance && (len(tops) == 1 || slices.Max(r.values) > slices.Min(r.values))
}

// meetsNumbers tells whether a row's numbers stand as near above those of a key of numbers, which they rather count then.
func (s *search) meetsNumbers(c *column, r *textRow) bool {
	return slices.ContainsFunc(s.keys, func(k *key) bool {
		for i, v := range r.values {
			if !k.atTop(i, v) {
				return false
			}
		}
		return s.countable(k, c)
	})
}

// namesKey tells whether a row's name says the very name of a key's column: last_pid. It says nothing where keys of several tables bear it, or any may.
func (s *search) namesKey(label name, k *textKey) bool {
	own := s.words.parse(k.col.Name)
	return own.stem != "" && !s.words.generic[own.whole] && strings.Join(s.countedWords(label), "") == own.stem
}

// calls tells whether a row's name says a table's.
func (s *search) calls(label name, t *table) bool {
	return slices.Contains(t.stems, label.stem) || label.has(set(t.stems...))
}

// callsNumbers tells whether a row's name says the table of a key of numbers, which it rather counts then.
func (s *search) callsNumbers(label name) bool {
	return slices.ContainsFunc(s.keys, func(k *key) bool { return s.countable(k, nil) && s.calls(label, k.table) })
}

// topsOf are the highest numbers of a key's texts with the same before them, by shard.
func (s *search) topsOf(k *textKey, head string) ([]*top, error) {
	if tops, ok := k.tops[head]; ok {
		return tops, nil
	}
	tops := make([]*top, len(s.shards))
	for i, shard := range s.shards {
		own, ok := shard.Schema().Resolve(k.col)
		if !ok {
			continue
		}
		n, some, err := shard.Top(s.ctx, merge.Counter{Key: own, Texts: true, Head: head})
		if err != nil {
			return nil, err
		}
		if some {
			tops[i] = &top{n}
		}
	}
	k.tops[head] = tops
	return tops, nil
}

// textCounter says that a row counts a key of texts.
func (s *search) textCounter(c *column, r *textRow, k *textKey, tops []*top, past bool) *Counter {
	parts := make([]string, len(r.texts))
	for i, text := range r.texts {
		highest := "where no key has that form"
		if tops[i] != nil {
			highest = fmt.Sprintf("where the highest number of a key is %s", count(tops[i].n))
			if r.head != "" {
				width := len(text) - len(r.head)
				highest = fmt.Sprintf("where the highest such key is %s", (&merge.Counter{Head: r.head}).Spell(tops[i].n, width))
			}
		}
		parts[i] = fmt.Sprintf("%s in %s, %s", text, s.shards[i].Source().Name, highest)
	}
	return &Counter{Counter: merge.Counter{Column: c.col, Where: r.where, Key: k.col, Margin: 1}, Evidence: "stands at " + join(parts, "and at"), Past: past}
}
