package discover

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gameid/gameid/merge"
)

// rowName is a column that tells the rows of a small table apart, those within a condition where its primary key needs another column, too.
type rowName struct {
	col           merge.Col
	declared      bool   // the schema holds its values unique
	numbered      bool   // they are numbers
	within, label string // the condition, and what it says
}

// rowNames are what tells the rows of a column's table apart: a text that the schema holds unique, those that are unique in fact, a text within another of the primary key,
// or numbers that are the same on every server.
func (s *search) rowNames(c *column) (list []rowName, err error) {
	var texts []merge.Col
	for _, u := range c.table.Uniques {
		if len(u.Columns) == 1 && u.Plain() && s.schema.Holds(u.Cols()[0]) == merge.Text {
			if u.Columns[0] == c.col.Name {
				return nil, nil
			}
			return []rowName{{col: u.Cols()[0], declared: true}}, nil
		}
	}
	for _, m := range c.table.Columns {
		if col := (merge.Col{Table: c.table.Name, Name: m.Name}); s.schema.Holds(col) == merge.Text && col != c.col {
			texts = append(texts, col)
		}
	}
	for _, col := range texts {
		found, err := s.labelsOf(col)
		if err != nil {
			return nil, err
		}
		if !found.repeats {
			list = append(list, rowName{col: col})
		}
	}
	if len(list) > 0 {
		return list, nil
	}
	if key := c.table.KeyCols(); len(key) == 2 && slices.Contains(texts, key[0]) && slices.Contains(texts, key[1]) {
		first, err := s.labelsOf(key[0])
		if err != nil {
			return nil, err
		}
		for _, text := range first.texts {
			if literal, ok := s.literal(text); ok {
				list = append(list, rowName{col: key[1], declared: true, within: s.quote(key[0].Name) + " = " + literal + " AND ", label: text})
			}
		}
		return list, nil
	}
	return s.numberOf(c)
}

// textNames are the texts that tell the rows of a column's table apart.
func (s *search) textNames(c *column) ([]rowName, error) {
	names, err := s.rowNames(c)
	return slices.DeleteFunc(names, func(n rowName) bool { return n.numbered }), err
}

// numberOf are the numbers that tell the few rows of a column's table apart, the same ones on every server: those of its primary key, or in a table without one those of the
// first column that has them.
func (s *search) numberOf(c *column) ([]rowName, error) {
	if slices.Max(c.table.rows) > numberedRows || len(c.table.PrimaryKey) > 1 {
		return nil, nil
	}
	for _, m := range c.table.Columns {
		col := merge.Col{Table: c.table.Name, Name: m.Name}
		key := slices.Contains(c.table.PrimaryKey, m.Name)
		if col == c.col || !key && len(c.table.PrimaryKey) > 0 {
			continue
		}
		same, err := s.sameNumbers(col)
		if err != nil {
			return nil, err
		}
		if same {
			return []rowName{{col: col, declared: key, numbered: true}}, nil
		}
	}
	return nil, nil
}

// sameNumbers tells whether a column holds a number in every row, the same ones in every shard and none twice.
func (s *search) sameNumbers(c merge.Col) (bool, error) {
	var first []any
	for i, shard := range s.shards {
		own, ok := shard.Schema().Resolve(c)
		if !ok {
			return false, nil
		}
		list, err := shard.Values(s.ctx, own, "", numberedRows+1)
		if err != nil {
			return false, err
		}
		var numbers []any
		for _, l := range list {
			if _, is := l.Value[0].(int64); !is || l.Rows > 1 {
				return false, nil
			}
			numbers = append(numbers, l.Value[0])
		}
		if i == 0 {
			first = numbers
		}
		if len(numbers) != len(first) || slices.ContainsFunc(numbers, func(n any) bool { return !slices.Contains(first, n) }) {
			return false, nil
		}
	}
	return len(first) > 0, nil
}

// labels are the first shard's texts of a column; repeats tells whether one stands in two rows of a shard, or is missing in one.
type labels struct {
	repeats bool
	texts   []string
}

// labelsOf reads a column's labels once.
func (s *search) labelsOf(c merge.Col) (*labels, error) {
	if s.labels[c] == nil {
		l, err := s.readLabels(c)
		if err != nil {
			return nil, err
		}
		s.labels[c] = l
	}
	return s.labels[c], nil
}

func (s *search) readLabels(c merge.Col) (*labels, error) {
	found := &labels{}
	for i, shard := range s.shards {
		own, ok := shard.Schema().Resolve(c)
		if !ok {
			return &labels{repeats: true}, nil
		}
		list, err := shard.Values(s.ctx, own, "", counterRows)
		if err != nil {
			return nil, err
		}
		for _, l := range list {
			text, is := l.Value[0].(string)
			found.repeats = found.repeats || !is || l.Rows > 1
			if i == 0 && is {
				found.texts = append(found.texts, text)
			}
		}
	}
	return found, nil
}

// rowLabel is what names a row that every shard has.
type rowLabel struct{ text, where string }

// rowLabels are the rows that every shard has, and how many the shard with most of them has.
type rowLabels struct {
	shared []rowLabel
	most   int
}

// sharedLabels are the rows that every shard has by what names them, read once: every column of a table asks for them.
func (s *search) sharedLabels(n rowName) (*rowLabels, error) {
	if found := s.paired[n]; found != nil {
		return found, nil
	}
	found, err := s.pairLabels(n)
	if err == nil {
		s.paired[n] = found
	}
	return found, err
}

// pairLabels pairs the rows of the shards by what names them. Names that differ in their numbers alone, as those that begin with their server's, or in
// capitals, name one thing.
func (s *search) pairLabels(n rowName) (*rowLabels, error) {
	found, in := &rowLabels{}, make([]map[string][]string, len(s.shards)) // by shard, the literals of a name without its numbers
	var first []merge.ValueCount
	everywhere := map[string]int{}
	for i, shard := range s.shards {
		own, ok := shard.Schema().Resolve(n.col)
		if !ok {
			return found, nil
		}
		list, err := shard.Values(s.ctx, own, strings.TrimSuffix(n.within, " AND "), counterRows)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			first = list
		}
		found.most, in[i] = max(found.most, len(list)), map[string][]string{}
		for _, l := range list {
			if literal, ok := s.literal(l.Value[0]); ok {
				bare := numberless(strings.ToLower(literal))
				in[i][bare] = append(in[i][bare], literal)
				everywhere[literal]++
			}
		}
	}
	is := n.within + s.quote(n.col.Name)
	for _, l := range first {
		literal, ok := s.literal(l.Value[0])
		text, _ := l.Value[0].(string)
		if !ok {
			continue
		}
		if everywhere[literal] == len(s.shards) {
			found.shared = append(found.shared, rowLabel{text, is + " = " + literal})
			continue
		}
		var all []string
		for _, named := range in {
			if own := named[numberless(strings.ToLower(literal))]; len(own) == 1 && !n.numbered && !slices.Contains(all, own[0]) {
				all = append(all, own[0])
			}
		}
		if len(all) == len(s.shards) {
			found.shared = append(found.shared, rowLabel{text, is + " IN (" + strings.Join(all, ", ") + ")"})
		}
	}
	return found, nil
}

// numberless is a text without its digits.
func numberless(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text)
}

// loneLabel is what a table's only row is called, where its text is the same in every shard, with its column's name.
func (s *search) loneLabel(c *column) (string, error) {
	for _, m := range c.table.Columns {
		col := merge.Col{Table: c.table.Name, Name: m.Name}
		if s.schema.Holds(col) != merge.Text || col == c.col {
			continue
		}
		labels, err := s.sharedLabels(rowName{col: col})
		if err != nil {
			return "", err
		}
		if len(labels.shared) == 1 && strings.Contains(labels.shared[0].where, " = ") {
			return labels.shared[0].text + " " + c.col.Name, nil
		}
	}
	return c.col.Name, nil
}

// issuesOf tells whether a name says of nothing but a key, or its rows, that they are counted: next_item, hero_seq, s1_next_hero_uid.
func (s *search) issuesOf(label name, k *key) bool {
	left := s.countedWords(label)
	return len(left) > 0 && (slices.Contains(k.table.stems, strings.Join(left, "")) || slices.Equal(left, k.table.bare) || !k.Generic && strings.Join(left, "") == k.name.stem || s.namesPeople(label, k))
}

// issuesSome tells whether a name says no more than that something is counted: last_id.
func (s *search) issuesSome(label name) bool {
	return len(s.countedWords(label)) == 0 && label.has(s.words.issues)
}

// countedWords are the words of a counter's name that say what it counts.
func (s *search) countedWords(label name) (left []string) {
	for _, token := range label.tokens {
		if len(token) > 1 && !s.words.counters[token] && !s.words.issues[token] && !s.words.id[token] && !s.words.hosts[token] {
			left = append(left, token)
		}
	}
	return left
}

// namesPeople tells whether a counter's name says in another word what the rows of a key are, as next_player does of characters; not where another table bears that word.
func (s *search) namesPeople(label name, k *key) bool {
	left := s.countedWords(label)
	return len(left) == 1 && slices.ContainsFunc([]map[string]bool{s.words.characters, s.words.accounts}, func(words map[string]bool) bool {
		return words[left[0]] && slices.ContainsFunc(k.table.stems, func(stem string) bool { return words[stem] })
	}) && !slices.ContainsFunc(s.keys, func(o *key) bool { return s.countable(o, nil) && slices.Contains(o.table.stems, left[0]) })
}
