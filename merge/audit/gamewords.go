package audit

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/gameid/gameid/merge"
)

// A text that is nobody's name and yet stands in many rows means nobody, or the game itself: '0', 'System'.
const (
	fillerShare  = 0.1 // of the rows
	fillersLeast = 5   // rows
	fillersMost  = 3   // such texts

	frequentTimes = 3 // as many rows as anybody who is dead on one server alone
)

// words tells whether the dead texts are rather words of the game than names: most are those of two servers, whose deleted seldom have the same names, in many rows each.
func (c *copying) words() bool {
	all, rows := map[string]bool{}, int64(0)
	for _, dead := range c.dead {
		for _, v := range dead {
			text := valueText(v.Value[0])
			if all[text] = true; c.twice[text] != nil {
				rows += v.Rows
			}
		}
	}
	both := len(c.twice) + len(c.none)
	return len(c.twice) > 0 && both >= wordsLeast && 2*both >= len(all) && rows >= fillersLeast*int64(len(c.twice))
}

// wordsLeast is how many texts of two servers tell words from names.
const wordsLeast = 4

// tellTwice tells what of a column's dead texts two shards have: words of the game, where those are many rows of both, and else names, of two who are gone. What another
// table's rows are called is left to a person.
func (a *auditor) tellTwice(ctx context.Context, c *copying, fillers []any) error {
	collation, shards, many := a.keyCollation(c.target), map[string]int{}, map[any]int{}
	gone := make([][]merge.ValueCount, len(c.dead)) // without names of the own shard in other letters
	for i, dead := range c.dead {
		var words []string
		for _, v := range dead {
			words = append(words, valueText(v.Value[0]))
		}
		if len(words) == 0 {
			continue
		}
		own, err := a.lookUp(ctx, i, c.target, words, a.foldCollation())
		if err != nil {
			return err
		}
		gone[i] = slices.DeleteFunc(slices.Clone(dead), func(v merge.ValueCount) bool { return own[folded(valueText(v.Value[0]))] })
	}
	for i, dead := range gone {
		seen := map[string]bool{}
		for _, v := range dead {
			if text := merge.Collated(valueText(v.Value[0]), collation); !seen[text] {
				seen[text] = true
				shards[text]++
			}
			if slices.Contains(fillers, v.Value[0]) && float64(v.Rows) >= fillerShare*float64(c.all[i]) {
				many[v.Value[0]]++
			}
		}
	}
	for _, f := range fillers {
		if many[f] > 1 {
			c.none = append(c.none, f)
		}
	}
	if err := a.takeFrequent(ctx, c, gone); err != nil {
		return err
	}
	if err := a.takeCapitals(ctx, c, gone); err != nil {
		return err
	}
	twice, words := map[string]any{}, []string(nil)
	for _, dead := range gone {
		for _, v := range dead {
			text := valueText(v.Value[0])
			if shards[merge.Collated(text, collation)] > 1 && !slices.Contains(c.none, v.Value[0]) {
				twice[text], words = v.Value[0], append(words, text)
			}
		}
	}
	for _, key := range a.namingKeys() {
		for j := range a.shards {
			if len(words) == 0 || key == c.target || a.follows(key) {
				continue
			}
			has, err := a.lookUp(ctx, j, key, words, "")
			if err != nil || slices.ContainsFunc(words, func(w string) bool { return has[folded(w)] }) {
				return err
			}
		}
	}
	c.twice = twice
	return nil
}

// takeFrequent takes for words of the game, too, what is dead on two servers in several times as many rows of each as anybody who is dead on one alone.
func (a *auditor) takeFrequent(ctx context.Context, c *copying, gone [][]merge.ValueCount) error {
	fewest, shards, person := map[string]int64{}, map[string]int{}, int64(0)
	for _, dead := range gone {
		for _, v := range dead {
			if text, ok := v.Value[0].(string); ok {
				if shards[text]++; shards[text] == 1 || v.Rows < fewest[text] {
					fewest[text] = v.Rows
				}
			}
		}
	}
	rare := false
	for text, n := range shards {
		if n == 1 {
			person = max(person, fewest[text])
		}
		rare = rare || n > 1 && fewest[text] < fillersLeast
	}
	if person == 0 && rare { // what few rows hold may be somebody
		return nil
	}
	var words []any
	for text, rows := range fewest {
		if shards[text] < 2 || rows < max(fillersLeast, frequentTimes*person) || slices.Contains(c.none, any(text)) {
			continue
		}
		held, err := a.keyed(ctx, text, c.target, "")
		if err != nil {
			return err
		}
		if !held {
			words = append(words, text)
		}
	}
	slices.SortFunc(words, func(x, y any) int { return strings.Compare(valueText(x), valueText(y)) })
	c.none = append(c.none, words...)
	return nil
}

// capitalsMost is the share of a target's names in capitals alone from which these tell nothing.
const capitalsMost = 0.02

// takeCapitals takes for words of the game, too, what is dead on two servers and written in capitals alone, as EXIT is, where names hardly ever are.
func (a *auditor) takeCapitals(ctx context.Context, c *copying, gone [][]merge.ValueCount) error {
	shards := map[string]int{}
	for _, dead := range gone {
		for _, v := range dead {
			if text, ok := v.Value[0].(string); ok && inCapitals(text) {
				shards[text]++
			}
		}
	}
	maps.DeleteFunc(shards, func(text string, n int) bool { return n < 2 || slices.Contains(c.none, any(text)) })
	if len(shards) == 0 {
		return nil
	}
	names, err := a.sampled(ctx, a.tables[c.target.Table], c.target)
	if err != nil {
		return err
	}
	texts := textsOf(names.samples)
	capitals := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return !inCapitals(text) })
	if float64(len(capitals)) > capitalsMost*float64(len(texts)) {
		return nil
	}
	for _, text := range slices.Sorted(maps.Keys(shards)) {
		held, err := a.keyed(ctx, text, c.target, "")
		if err != nil {
			return err
		}
		if !held {
			c.none = append(c.none, text)
		}
	}
	return nil
}

// inCapitals tells whether a text is a word or several, of more than a few letters, in capitals alone.
func inCapitals(text string) bool {
	letters := 0
	for _, r := range text {
		switch {
		case unicode.IsUpper(r):
			letters++
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return false
		}
	}
	return letters > listedChars
}

// fillers are the texts that stand in many of a shard's rows and are no key of any.
func (a *auditor) fillers(ctx context.Context, shard int, col, target merge.Col, collation string, rows int64) (list []any, err error) {
	s := a.shards[shard]
	own, ok := s.Schema().Resolve(col)
	if !ok {
		return nil, nil
	}
	found, err := s.Values(ctx, own, a.engine.Quote(own.Name)+" <> ''", fillersMost)
	if err != nil {
		return nil, err
	}
	for _, v := range found {
		text, ok := v.Value[0].(string)
		if !ok || v.Rows < fillersLeast || float64(v.Rows) < fillerShare*float64(rows) {
			continue
		}
		held, err := a.keyed(ctx, text, target, collation)
		if err != nil {
			return nil, err
		}
		if !held {
			list = append(list, text)
		}
	}
	return list, nil
}

// keyed tells whether any shard has a text in a column, or as what alone tells some other table's rows apart: who is somebody there is not nobody here. The words of a catalogue
// that is the same on every server are the game's own.
func (a *auditor) keyed(ctx context.Context, text string, target merge.Col, collation string) (bool, error) {
	for i, key := range append([]merge.Col{target}, a.namingKeys()...) {
		by := ""
		if i == 0 {
			by = a.collateBy(collation)
		}
		for _, s := range a.shards {
			own, ok := s.Schema().Resolve(key)
			if !ok {
				continue
			}
			if found, err := s.Any(ctx, own.Table, a.engine.Quote(own.Name)+" = "+a.engine.Literal(text)+by); err != nil || found {
				return found, err
			}
		}
	}
	return false, nil
}

// namingKeys are the columns by whose texts alone some table's rows are told apart.
func (a *auditor) namingKeys() (keys []merge.Col) {
	for _, t := range a.schema.Tables {
		if a.tables[t.Name].plan.Rows == merge.FirstRows || a.foldAsked(t.Name) {
			continue
		}
		for _, u := range t.Uniques {
			if c := u.Cols(); len(c) == 1 && u.Plain() && a.schema.Holds(c[0]) == merge.Text && t.Opaque == "" && a.tables[t.Name].mixes() {
				keys = append(keys, c[0])
			}
		}
	}
	return keys
}

// frequent tells whether all of some texts that are dead in several shards are in many rows of each, and in several times as many as anybody who is dead in one alone.
func frequent(twice []merge.ValueCount, dead [][]merge.ValueCount) bool {
	least := int64(fillersLeast)
	for _, list := range dead {
		for _, v := range list {
			if !slices.ContainsFunc(twice, func(t merge.ValueCount) bool { return t.Value[0] == v.Value[0] }) {
				least = max(least, frequentTimes*v.Rows)
			}
		}
	}
	return !slices.ContainsFunc(twice, func(v merge.ValueCount) bool { return v.Rows < least })
}
