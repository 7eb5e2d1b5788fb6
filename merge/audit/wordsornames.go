package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// wordOrName is how many of a column's texts, the most frequent ones, are looked at for words of the game that somebody also has as a name, as monsters stand among those who killed players.
const wordOrName = 200

// frequentName is a text of a column that is somebody's name on some server.
type frequentName struct {
	text   string
	rows   []int64 // by shard
	spelt  bool    // a name is written so, and not in other letters alone
	fewest int64   // in any shard that has it; 0 where one alone does
	most   int64
}

// takeWordsAmongNames takes for words of the game what is somebody's name, but in other letters than all the column's other names are, and in several times as many rows of two servers as any of
// those. What one of the two alone speaks for is a doubt, which the evidence names.
func (a *auditor) takeWordsAmongNames(ctx context.Context, u *unexplained, c *copying) error {
	if c.sifted {
		return nil
	}
	c.sifted = true
	names, err := a.frequentNames(ctx, u, c)
	if err != nil || len(names) <= namesLeast {
		return err
	}
	often := names[:oftener(names)]
	var both, unspelt, many []*frequentName
	other := slices.DeleteFunc(slices.Clone(names), func(n *frequentName) bool { return n.spelt })
	if a.identifies(c.target) || a.referred(c.target) || !sameCollation(a.schema.Column(u.col).Collation, "") || len(names)-len(other) < namesLeast || float64(len(other)) > (1-copyShare)*float64(len(names)) { // its letters tell nobody apart
		other = nil
	}
	for _, n := range names {
		switch frequent, odd := slices.Contains(often, n), n.fewest > 0 && slices.Contains(other, n); {
		case frequent && odd:
			both = append(both, n)
		case odd:
			unspelt = append(unspelt, n)
		case frequent && (c.lost || len(c.none) > 0):
			many = append(many, n)
		}
	}
	if len(both) > 0 {
		c.evidence = append(c.evidence, fmt.Sprintf("%s: a name in other letters alone, and in far more rows than any other; none says that it is a word of the game, so take out of it what is somebody", a.saidOften(both)))
		for _, n := range both {
			c.none = append(c.none, n.text)
			delete(c.twice, n.text)
		}
	}
	if len(unspelt) > 0 {
		c.evidence = append(c.evidence, a.saidOften(unspelt)+": a name in other letters alone, as hardly any other is; name under none what is a word of the game")
	}
	if len(many) > 0 {
		c.evidence = append(c.evidence, fmt.Sprintf("%s: a name, and in far more rows than any other; %s", a.saidOften(many), a.leavingWords(u.col, c, many)))
	}
	return nil
}

// oftener is how many of some texts, of which the one in most rows comes first, are in many rows of every server that has them, two at least, and in several times as many as any further one.
func oftener(names []*frequentName) int {
	for n := min(fillersMost, len(names)-1); n > 0; n-- {
		next := int64(0)
		for _, rest := range names[n:] {
			next = max(next, rest.most)
		}
		if names[n-1].fewest >= max(fillersLeast, frequentTimes*next) {
			return n
		}
	}
	return 0
}

// frequentNames are the most frequent of a column's texts, as they are written, that are somebody's name on any server, those first that are in most rows of each.
func (a *auditor) frequentNames(ctx context.Context, u *unexplained, c *copying) ([]*frequentName, error) {
	found := map[string]*frequentName{}
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(u.col)
		if !ok || u.table.rows[i] == 0 || !u.table.takes(a.name(i)) {
			continue
		}
		list, err := s.Values(ctx, own, a.engine.Quote(own.Name)+" <> ''", wordOrName)
		if err != nil {
			return nil, err
		}
		for _, v := range list {
			text, ok := v.Value[0].(string)
			if !ok || slices.Contains(c.none, any(text)) {
				continue
			}
			if found[text] == nil {
				found[text] = &frequentName{text: text, rows: make([]int64, len(a.shards))}
			}
			found[text].rows[i] = v.Rows
		}
	}
	alike, spelt, err := a.namesAmong(ctx, slices.Sorted(maps.Keys(found)), c)
	if err != nil {
		return nil, err
	}
	var names []*frequentName
	for _, text := range slices.Sorted(maps.Keys(found)) {
		n := found[text]
		if !alike[merge.Collated(text, a.comparedBy(c))] {
			continue
		}
		n.spelt = spelt[text]
		in := slices.DeleteFunc(slices.Clone(n.rows), func(rows int64) bool { return rows == 0 })
		if n.most = slices.Max(in); len(in) > 1 {
			n.fewest = slices.Min(in)
		}
		names = append(names, n)
	}
	slices.SortStableFunc(names, func(x, y *frequentName) int { return cmp.Compare(y.fewest, x.fewest) })
	return names, nil
}

// namesAmong are the names of a target that some texts are, as it compares them or by the column's laxer comparison: in the form that is compared, and as they are written.
func (a *auditor) namesAmong(ctx context.Context, texts []string, c *copying) (alike, spelt map[string]bool, err error) {
	alike, spelt = map[string]bool{}, map[string]bool{}
	if len(texts) == 0 {
		return alike, spelt, nil
	}
	words := make([]string, len(texts))
	for i, text := range texts {
		words[i] = a.engine.Literal(text)
	}
	for _, s := range a.shards {
		own, ok := s.Schema().Resolve(c.target)
		if !ok {
			continue
		}
		list, err := s.Values(ctx, own, a.engine.Quote(own.Name)+a.collateBy(c.collations[0])+" IN ("+strings.Join(words, ", ")+")", 0)
		if err != nil {
			return nil, nil, err
		}
		for _, v := range list {
			if text, ok := v.Value[0].(string); ok {
				alike[merge.Collated(text, a.comparedBy(c))], spelt[text] = true, true
			}
		}
	}
	return alike, spelt, nil
}

// comparedBy is the collation by which a column's texts are held against its target.
func (a *auditor) comparedBy(c *copying) string {
	return cmp.Or(c.collations[0], a.schema.Column(c.target).Collation)
}

// leavingWords says by which lines the rows stay as they are in which a column has some texts.
func (a *auditor) leavingWords(col merge.Col, c *copying, names []*frequentName) string {
	var words []string
	for _, n := range names {
		words = append(words, a.engine.Literal(n.text))
	}
	in, some := a.engine.Quote(col.Name), " IN ("+strings.Join(words, ", ")+")"
	follows := &merge.Reference{From: []merge.Col{col}, To: []merge.Col{c.target}, As: merge.Copy, When: in + " NOT" + some, None: c.none}
	if a.identifies(c.target) || a.referred(c.target) {
		follows.As = merge.Plain
	}
	stays := &merge.Reference{From: []merge.Col{col}, As: merge.Keep, When: in + some}
	return fmt.Sprintf("where it is a word of the game, two lines say so: %s and %s", planfile.ReferenceLine(follows), planfile.ReferenceLine(stays))
}

// saidOften lists texts with their rows.
func (a *auditor) saidOften(names []*frequentName) string {
	var words []string
	for _, n := range names[:min(len(names), listed)] {
		var rows []string
		for i, count := range n.rows {
			if count > 0 {
				rows = append(rows, counted(count, "row", "rows")+" of "+a.name(i))
			}
		}
		words = append(words, fmt.Sprintf("%q (%s)", n.text, strings.Join(rows, ", ")))
	}
	return strings.Join(words, ", ")
}
