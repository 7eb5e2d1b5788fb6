package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// How much of a column must be texts of a target before it is asked about.
const (
	copyShare      = 0.9  // of the rows, whatever the column is called and whatever the other servers' texts are
	namedCopyShare = 0.5  // where the column is called a name or somebody
	namedCopyLeast = 0.1  // and, where they are fewer than fewCopies rows, and not rather the other servers'
	mostlyOwn      = 0.05 // of the different texts, where they are the own server's and hardly ever another's
	muteShare      = 0.3  // where all servers have the same texts, so that nothing tells chance
	muteLeast      = 8    // different texts
	fewCopies      = 5    // rows, or different texts
	fallsShort     = 4    // times as many texts of the own server as of the others: no chance
	alikeShare     = 0.6  // of the own server's texts, so many of the others': chance
)

// copying is how a column's texts lie among a target's.
type copying struct {
	target     merge.Col
	renamed    bool // some of its values change
	rows       int64
	alive      int64
	share      float64              // the lowest over the shards that say something
	lost       bool                 // more than a few rows of some shard hold none
	gone       bool                 // they are rather names of those who are gone
	kept       bool                 // its table keeps names of others, and it is called a name or somebody
	none       []any                // texts of many rows of two shards that are nobody's: words of the game
	twice      map[string]any       // further texts that are dead in two shards
	dead       [][]merge.ValueCount // by shard
	all        []int64              // rows by shard
	collations []string             // the column's own, where by it more texts are equal
	framed     []framed             // names beside these, in frames
	sifted     bool                 // words of the game are told from names
	evidence   []string
	among
}

// enough tells whether a column holds so many of the target's texts that it may repeat them. A true copy has the texts of its own server, and not those that
// another server alone has; texts that happen to be the same are both servers' alike. A column that is tied is named after both the target and its table.
func (c *copying) enough(called, tied bool) bool {
	mute := c.own+c.other < fewCopies
	switch {
	case c.gone:
		return true
	case c.alive == 0: // names that were given up, which others have elsewhere, and not the own server's in other letters; one of many texts is chance
		return called && c.hits == 0 && (c.other > 1 || c.other == 1 && mostlyOwn*float64(c.texts) <= 1)
	case tied && c.alive >= fewCopies:
		return true
	case c.alive >= fewCopies && (c.share >= copyShare || called && c.share >= namedCopyShare):
		return true
	case c.share == 1 && c.hits == c.texts && c.own > 0 && c.other == 0: // however few: all that it holds, and some of it only its own server has
		return true
	case !mute && float64(c.other) >= alikeShare*float64(c.own):
		return c.kept && float64(c.alive) < namedCopyLeast*float64(c.rows) // of more, the question what becomes of them tells
	case called:
		return c.alive >= fewCopies || float64(c.alive) >= namedCopyLeast*float64(c.rows)
	case mute:
		return c.hits >= muteLeast && float64(c.hits) >= muteShare*float64(c.texts)
	}
	return c.own >= fewCopies && c.own >= fallsShort*c.other && float64(c.hits) >= mostlyOwn*float64(c.texts)
}

// among is how a sample of a column's different texts lies among those of a target, all shards together.
type among struct {
	texts, hits int // those that were looked up, and those that the target has in their own shard
	own, other  int // those that it has in their own shard alone, and in another one alone
}

// add counts a text that was looked up, and that rows of its own shard have, or those of others.
func (n *among) add(own, elsewhere bool) {
	n.texts++
	switch {
	case own && !elsewhere:
		n.hits, n.own = n.hits+1, n.own+1
	case own:
		n.hits++
	case elsewhere:
		n.other++
	}
}

// gone tells whether a column holds names of those who are gone: many are another server's and hardly any its own. Chance has both alike, and more of the others' the more there are.
func (n among) gone(servers int) bool {
	others := servers - 1
	return n.other >= fewCopies*others && n.other >= fallsShort*others*n.own && float64(n.other) >= mostlyOwn*float64(n.texts)
}

// lieAmong looks a column's sampled texts up in a target, as that compares them or by a collation.
func (a *auditor) lieAmong(ctx context.Context, samples []*merge.Sample, target merge.Col, collation string) (n among, err error) {
	for i, sample := range samples {
		if sample == nil || len(sample.Texts) == 0 {
			continue
		}
		has := make([]map[string]bool, len(a.shards))
		if has[i], err = a.lookUp(ctx, i, target, sample.Texts, collation); err != nil {
			return n, err
		}
		for j := range a.shards {
			if j == i {
				continue
			}
			if has[j], err = a.lookUp(ctx, j, target, sample.Texts, collation); err != nil {
				return n, err
			}
		}
		for _, text := range sample.Texts {
			text, elsewhere := folded(text), false
			for j := range has {
				elsewhere = elsewhere || j != i && has[j][text]
			}
			n.add(has[i][text], elsewhere)
		}
	}
	return n, nil
}

// readWhole is up to how many rows a column is read as a whole and not asked for some texts again and again.
const readWhole = 20_000

// lookedUp is how many texts are looked up at once: where no index helps, each time reads the whole column.
const lookedUp = 5_000

// lookUp is which of some texts a shard's rows have in a column, as it compares them or by a collation, and perhaps others.
func (a *auditor) lookUp(ctx context.Context, shard int, target merge.Col, texts []string, collation string) (map[string]bool, error) {
	found := map[string]bool{}
	s := a.shards[shard]
	own, ok := s.Schema().Resolve(target)
	rows := a.tables[target.Table].rows[shard]
	if !ok || rows == 0 {
		return found, nil
	}
	if rows <= readWhole {
		return a.wholeTexts(ctx, shard, own, "")
	}
	for some := range slices.Chunk(texts, lookedUp) {
		words := make([]string, len(some))
		for i, text := range some {
			words[i] = a.engine.Literal(text)
		}
		list, err := s.Values(ctx, own, a.engine.Quote(own.Name)+a.collateBy(collation)+" IN ("+strings.Join(words, ", ")+")", 0)
		if err != nil {
			return nil, err
		}
		for _, v := range list {
			found[folded(valueText(v.Value[0]))] = true
		}
	}
	return found, nil
}

// wholeTexts are all texts of a shard's column, as a collation compares them; folded when it is "".
func (a *auditor) wholeTexts(ctx context.Context, shard int, c merge.Col, collation string) (map[string]bool, error) {
	at := heldTexts{shard, c, strings.ToUpper(collation)}
	if found := a.texts[at]; found != nil {
		return found, nil
	}
	list, err := a.shards[shard].Values(ctx, c, "", 0)
	if err != nil {
		return nil, err
	}
	found := make(map[string]bool, len(list))
	for _, v := range list {
		if text, ok := v.Value[0].(string); ok {
			if collation == "" {
				found[folded(text)] = true
			} else {
				found[merge.Collated(text, collation)] = true
			}
		}
	}
	if a.texts == nil {
		a.texts = map[heldTexts]map[string]bool{}
	}
	a.texts[at] = found
	return found, nil
}

// heldTexts names a column of a shard whose texts are kept at hand.
type heldTexts struct {
	shard     int
	col       merge.Col
	collation string // "" for texts that are folded
}

// copies measures how a column's texts lie among a target's; nil when a look at some of them finds next to none. Texts that mean nobody do not count.
func (a *auditor) copies(ctx context.Context, u *unexplained, target merge.Col) (*copying, error) {
	if target == u.col {
		return nil, nil
	}
	laxer := a.laxer(u.col, target)
	few, err := a.lieAmong(ctx, u.samples, target, laxer)
	if err == nil && few.hits > 0 {
		a.partly = append(a.partly, part{col: u.col, of: target, share: float64(few.hits) / float64(few.texts), reach: 1, lost: few.other > 0 && a.called(u.col)})
	}
	gone, kept := few.gone(len(a.shards)), a.called(u.col) && keepsNames(u.col.Table)
	worth := gone || a.called(u.col) || a.tied(u.col, target) || float64(few.hits) >= mostlyOwn*float64(few.texts)
	if few.hits == 0 { // names that were given up, of which a column or a table of its own tells
		worth = gone || few.other > 0 && a.called(u.col) && (kept || len(wordsOf(u.col.Name)) > 1)
	}
	if err != nil || !worth { // reading all of it would tell no more
		return nil, err
	}
	c := &copying{target: target, share: 1, gone: gone, kept: kept, dead: make([][]merge.ValueCount, len(a.shards)), all: make([]int64, len(a.shards)), among: few, collations: []string{laxer}}
	var fillers []any
	for i, s := range a.shards {
		if u.table.rows[i] == 0 || s.Schema().Column(u.col) == nil || s.Schema().Column(target) == nil || !u.table.takes(a.name(i)) {
			continue
		}
		n, err := s.Measure(ctx, merge.RefQuery{Reference: a.copied(u.col, target, nil), Collations: c.collations})
		if err != nil {
			return nil, err
		}
		c.all[i], c.dead[i] = n.Rows, n.Dead
		if n.Alive >= fewCopies && float64(n.Alive) < copyShare*float64(n.Rows) {
			found, err := a.fillers(ctx, i, u.col, target, laxer, n.Rows)
			if err != nil {
				return nil, err
			}
			for _, f := range found {
				if !slices.Contains(fillers, f) {
					fillers = append(fillers, f)
				}
			}
		}
		if len(fillers) > 0 {
			if n, err = s.Measure(ctx, merge.RefQuery{Reference: a.copied(u.col, target, fillers), Collations: c.collations}); err != nil {
				return nil, err
			}
		}
		if n.Rows == 0 {
			continue
		}
		c.lost = c.lost || float64(n.Alive) < (1-manyOrphans)*float64(n.Rows)
		if a.says(i, u.table, target, n.Alive, n.Rows) {
			c.rows, c.alive = c.rows+n.Rows, c.alive+n.Alive
			c.share = min(c.share, float64(n.Alive)/float64(n.Rows))
		}
		words := fmt.Sprintf("%d of %s in %s", n.Alive, counted(n.Rows, "text is one", "texts are one"), a.where(i, target))
		if c.all[i] > n.Rows {
			words += fmt.Sprintf(", beside %s of %s", counted(c.all[i]-n.Rows, "row", "rows"), tupleText(fillers))
		}
		c.evidence = append(c.evidence, words)
	}
	return c, a.tellTwice(ctx, c, fillers)
}

// tied tells whether a column is named after another one and its table: guild_tag after guilds.tag.
func (a *auditor) tied(c, to merge.Col) bool {
	words, of := wordsOf(c.Name), wordsOf(to.Table)
	return len(words) == 2 && len(of) == 1 && words[1] == strings.ToLower(to.Name) && strings.HasPrefix(of[0], words[0]) && c.Table != to.Table
}

// copied is a reference from a column's texts to the target, without empty ones and those that mean nobody.
func (a *auditor) copied(col, target merge.Col, none []any) *merge.Reference {
	when := a.engine.Quote(col.Name) + " <> ''"
	for _, v := range none {
		when += " AND " + a.engine.Quote(col.Name) + " <> " + a.engine.Literal(v)
	}
	return &merge.Reference{From: []merge.Col{col}, To: []merge.Col{target}, As: merge.Copy, When: when}
}
