package discover

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/gameid/gameid/merge"
)

// name is a column's or table's name taken apart.
type name struct {
	whole  string   // every letter in lower case, nothing between
	tokens []string // words in the singular, without trailing digits and without the word that says "id"
	stem   string   // the tokens put together
	id     bool     // a word said "id"
	plural bool     // the last word was in the plural
	digit  bool     // it ends in a digit
}

// last is the last token; "" when there is none.
func (n name) last() string {
	if len(n.tokens) == 0 {
		return ""
	}
	return n.tokens[len(n.tokens)-1]
}

// has tells whether any token is in a word list.
func (n name) has(words map[string]bool) bool {
	return slices.ContainsFunc(n.tokens, func(t string) bool { return words[t] })
}

// split cuts a name at underscores and other marks, at case changes, around digits and between Chinese words: "lastRecoveryTryId2" is last, recovery, try, id.
func split(s string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, chinese(strings.ToLower(string(word)))...)
			word = word[:0]
		}
	}
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			flush()
			continue
		case i > 0 && unicode.Is(unicode.Han, r) != unicode.Is(unicode.Han, runes[i-1]):
			flush()
		case unicode.IsUpper(r) && i > 0:
			after := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && after {
				flush()
			}
		}
		word = append(word, r)
	}
	flush()
	return words
}

// singular takes the plural off an English noun.
func singular(w string) string {
	for _, rule := range []struct{ end, by string }{
		{"statuses", "status"},
		{"classes", "class"},
		{"ies", "y"},
		{"sses", "ss"},
		{"ches", "ch"},
		{"shes", "sh"},
		{"xes", "x"},
		{"shoes", "shoe"},
		{"oes", "o"},
		{"status", "status"},
		{"bonus", "bonus"},
		{"ss", "ss"},
		{"is", "is"},
		{"us", "us"},
		{"s", ""},
	} {
		if head, ok := strings.CutSuffix(w, rule.end); ok && len(head)+len(rule.by) >= 3 {
			return head + rule.by
		}
	}
	return w
}

// vocabulary is the words of one schema: what its tables are called.
type vocabulary struct {
	*wordLists
	tables map[string]bool // every token and stem of a table
	common string          // a first token that nearly every table has
}

// parse takes a column's name apart. An id is taken off that is glued to a word (charid, matchid), but for words that end so by themselves.
func (v *vocabulary) parse(s string) name {
	n := v.parseTable(s)
	n.tokens = v.unglue(n.tokens)
	switch last := n.last(); {
	case v.id[last]:
		n.tokens, n.id = n.tokens[:len(n.tokens)-1], true
	case len(n.tokens) > 1 && v.id[n.tokens[0]]:
		n.tokens, n.id = n.tokens[1:], true
	default:
		for _, glue := range []string{"guid", "dbid", "uid", "id"} {
			head, ok := strings.CutSuffix(last, glue)
			if ok && len(head) >= 3 && !v.idWords[last] {
				n.tokens, n.id = append(slices.Clone(n.tokens[:len(n.tokens)-1]), singular(head)), true
				break
			}
		}
	}
	n.stem = strings.Join(n.tokens, "")
	return n
}

// label takes the name of a setting apart. A word for an id that stands alone is what it says: serial.
func (v *vocabulary) label(s string) name {
	n := v.parse(s)
	if len(n.tokens) == 0 {
		n.tokens = v.parseTable(s).tokens
		n.stem = strings.Join(n.tokens, "")
	}
	return n
}

// unglue takes words apart that are written together, where both halves are words that games use: killerguild, itemowner, skilllevel.
func (v *vocabulary) unglue(tokens []string) []string {
	var out []string
	for _, t := range tokens {
		head, tail := t, ""
		for i, r := range t {
			if i > 0 && unicode.Is(unicode.Han, r) && v.tables[t[i:]] { // words are not divided in Chinese
				head, tail = t[:i], t[i:]
				break
			}
		}
		for i := glueLeast; i <= len(t)-glueLeast && !v.word(t); i++ {
			if v.word(t[:i]) && v.word(t[i:]) {
				head, tail = t[:i], t[i:]
				break
			}
		}
		out = append(out, singular(head))
		if tail != "" {
			out = append(out, singular(tail))
		}
	}
	return out
}

// glueLeast is how short half of a glued word may be: shorter ones are part of too many others.
const glueLeast = 4

// word tells whether a word is one that column names are made of.
func (v *vocabulary) word(w string) bool {
	return v.roles[w] || v.characters[w] || v.accounts[w] || v.self[w] || v.amounts[w] || v.things[w] || v.tables[w]
}

// knows tells whether a word names a table, shortens one, or is a role.
func (v *vocabulary) knows(word string) bool {
	word = singular(word)
	if v.roles[word] || v.characters[word] || v.accounts[word] || v.self[word] || v.tables[word] {
		return true
	}
	for t := range v.tables {
		if shortens(word, t) {
			return true
		}
	}
	return false
}

// measures tells whether a name without an id is that of a number, an answer or many things.
func (v *vocabulary) measures(n name) bool {
	return !n.id && (n.plural || v.amounts[n.last()] && (!v.seats[n.last()] || !n.digit) || len(n.tokens) > 1 && v.asks[n.tokens[0]])
}

// gauges tells whether a word of a name says that it measures, and not only that it stands for many things, as boots and follows do. A value is anything.
func (v *vocabulary) gauges(n name) bool {
	return v.amounts[n.last()] && n.last() != "value" || len(n.tokens) > 1 && v.asks[n.tokens[0]]
}

// refers tells whether a name alone says that it holds keys of something this schema may have.
func (v *vocabulary) refers(n name) bool {
	if n.id {
		return slices.ContainsFunc(n.tokens, v.knows)
	}
	if len(n.tokens) > 1 && !n.plural && !v.asks[n.tokens[0]] && (v.characters[n.last()] || v.accounts[n.last()] || v.roles[n.last()]) {
		return true
	}
	return !n.plural && !v.amounts[n.stem] && (v.roles[n.stem] || v.characters[n.stem] || v.accounts[n.stem] || v.self[n.stem] || v.tables[n.stem])
}

// agent tells whether a name is an office, or ends like a word for somebody who does something: a healer, an editor, a referee.
func (v *vocabulary) agent(n name) bool {
	w := n.last()
	ends := strings.HasSuffix(w, "er") || strings.HasSuffix(w, "or") || strings.HasSuffix(w, "ee")
	return (ends && len(w) >= 5 && !v.endsIn(w) || v.offices[w]) && !n.id && !v.measures(n) && !v.lists[w]
}

// endsIn tells whether a word is, or ends in, one for a thing or an amount, as petpower does.
func (v *vocabulary) endsIn(w string) bool {
	for i := 0; i <= len(w)-4; i++ {
		if v.objects[w[i:]] || v.things[w[i:]] || v.amounts[w[i:]] {
			return true
		}
	}
	return false
}

// onStaff tells whether a name is that of the number of somebody who serves the players.
func (v *vocabulary) onStaff(n name) bool { return n.id && !n.plural && v.staff[n.last()] }

// tabled tells whether a name, a word of it or its end is a table's.
func (v *vocabulary) tabled(n name) bool {
	for i := range n.tokens {
		if v.tables[n.tokens[i]] || v.tables[strings.Join(n.tokens[i:], "")] {
			return true
		}
	}
	return false
}

// shortens tells whether one word is the beginning of the other, three letters of it at least.
func shortens(a, b string) bool {
	return a != b && len(a) >= 3 && len(b) >= 3 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// parseTable takes a table's name apart; a table's id is part of its name.
func (v *vocabulary) parseTable(s string) name {
	var n name
	words := split(s)
	n.whole = strings.Join(words, "")
	for _, w := range words {
		one := singular(w)
		if v.id[w] {
			one = w
		}
		n.plural = one != w
		n.tokens = append(n.tokens, one)
	}
	n.stem = strings.Join(n.tokens, "")
	n.digit = s != "" && unicode.IsDigit(rune(s[len(s)-1]))
	return n
}

// stems are the words a table answers to: its whole name, without the prefix that all tables share, and without filler. One whose name has no letter
// and no digit answers to none: the empty word would be that of every column called id.
func (v *vocabulary) stems(n name) []string {
	list := []string{cmp.Or(n.stem, "\x00")}
	add := func(tokens []string) {
		if s := strings.Join(tokens, ""); s != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	tokens := n.tokens
	if len(tokens) > 1 && tokens[0] == v.common {
		tokens = tokens[1:]
		add(tokens)
	}
	for len(tokens) > 1 && v.filler[tokens[0]] {
		tokens = tokens[1:]
		add(tokens)
	}
	for len(tokens) > 1 && v.filler[tokens[len(tokens)-1]] {
		tokens = tokens[:len(tokens)-1]
		add(tokens)
	}
	return list
}

// bare is a table's tokens without shared prefix and filler.
func (v *vocabulary) bare(n name) []string {
	tokens := n.tokens
	if len(tokens) > 1 && tokens[0] == v.common {
		tokens = tokens[1:]
	}
	for len(tokens) > 1 && v.filler[tokens[0]] {
		tokens = tokens[1:]
	}
	for len(tokens) > 1 && v.filler[tokens[len(tokens)-1]] {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}

// table is a table's name.
type table struct {
	*merge.Table
	name  name
	stems []string
	bare  []string
	rows  []int64 // by shard

	keys    []*key
	columns []*column // that may hold keys
}

// readNames takes the names of all tables apart and counts their rows.
func (s *search) readNames() error {
	s.words = &vocabulary{wordLists: newWordLists(), tables: map[string]bool{}}
	s.tables = map[string]*table{}
	first := map[string]int{}
	for _, t := range s.schema.Tables {
		if words := s.words.parseTable(t.Name).tokens; len(words) > 1 {
			first[words[0]]++
		}
	}
	for _, t := range s.schema.Tables {
		words := s.words.parseTable(t.Name).tokens
		n := first[words0(words)]
		every := n >= sharedPrefixLeast && n == len(s.schema.Tables) && !s.words.word(words[0])
		if every || n >= sharedPrefixTables && n*100 >= len(s.schema.Tables)*sharedPrefixPercent {
			s.words.common = words[0]
		}
	}
	for _, t := range s.schema.Tables {
		n := s.words.parseTable(t.Name)
		e := &table{Table: t, name: n, stems: s.words.stems(n), bare: s.words.bare(n), rows: make([]int64, len(s.shards))}
		for _, stem := range e.stems {
			s.words.tables[stem] = true
		}
		for _, token := range e.bare {
			s.words.tables[token] = true
		}
		if t.Opaque == "" {
			for i, shard := range s.shards {
				own := shard.Schema().Table(t.Name)
				if own == nil {
					continue
				}
				rows, err := shard.Rows(s.ctx, own.Name)
				if err != nil {
					return err
				}
				e.rows[i] = rows
			}
		}
		s.tables[t.Name] = e
	}
	return nil
}

// A first token is a prefix that says nothing when this many tables, and this share of them, have it, or when it is no word of games and every table has it, and so many there are.
const (
	sharedPrefixLeast   = 2
	sharedPrefixTables  = 4
	sharedPrefixPercent = 70
)

func words0(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}
