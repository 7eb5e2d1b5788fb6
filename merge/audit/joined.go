package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// joiners are what a game writes between two parts of a name that stand in columns of their own: Rosa Stone, Stone, Rosa, Rosa_Stone and Rosa#1234. The last is nothing.
var joiners = []string{", ", " ", "_", "#", ".", "-", ":", "/", ",", ""}

// partWords are the last words of columns that hold a part of what somebody is called.
var partWords = []string{"first", "last", "fore", "given", "family", "middle", "forename", "surname", "vorname", "nachname", "prenom", "nom", "imie", "nazwisko", "nombre", "apellido", "sur", "tag", "discriminator", "suffix", "prefix", "house", "姓", "名"}

// joinedColumns is how many columns of texts a table has at most of which any two may be parts of one name, whatever they are called.
const joinedColumns = 3

// joined are two columns of a table, by shard the pairs that its rows hold, and the values of each column in some pair.
type joined struct {
	first, second   merge.Col
	pairs           []map[[2]string]bool
	firsts, seconds heads
}

// heads are values with which texts may begin, and the first bytes of the longer ones.
type heads struct{ values, starts map[string]bool }

const startBytes = 4

func (h heads) add(value string) {
	h.values[value] = true
	if len(value) >= startBytes {
		h.starts[value[:startBytes]] = true
	}
}

// cuts are where a text may be cut behind one of the values.
func (h heads) cuts(text string) (list []int) {
	for at := 1; at < len(text); at++ {
		if at == startBytes && !h.starts[text[:at]] {
			break
		}
		if h.values[text[:at]] {
			list = append(list, at)
		}
	}
	return list
}

// askJoined asks about columns of texts that are put together of two columns of one row, as the first and the last name of somebody are: no line of a plan renames within them.
func (a *auditor) askJoined(ctx context.Context) error {
	held, err := a.mayBeJoined(ctx)
	if err != nil || len(held) == 0 {
		return err
	}
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows == merge.EmptyRows || line.folds() || a.tableAsked(t.Name) {
			continue
		}
		for _, pair := range a.partsOfNames(line) {
			j, err := a.readPairs(ctx, line, pair)
			if err != nil {
				return err
			}
			for _, u := range held {
				if j == nil || slices.Contains(pair[:], u.col) || a.decided(u.col) {
					continue
				}
				if err := a.askHeldJoined(ctx, u, j); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// mayBeJoined are the columns of texts of which nothing is decided, each with some of its texts.
func (a *auditor) mayBeJoined(ctx context.Context) (list []*unexplained, err error) {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows == merge.EmptyRows {
			continue
		}
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if c.Generated || a.schema.Holds(col) != merge.Text || a.decided(col) {
				continue
			}
			u, err := a.sampled(ctx, line, col)
			if err != nil {
				return nil, err
			}
			texts := 0
			for _, one := range u.samples {
				texts += len(one.Texts)
			}
			if texts >= fewCopies {
				list = append(list, u)
			}
		}
	}
	return list, nil
}

// partsOfNames are the columns of a table of which two may be parts of one name: those of a key of several, those that are called so, and where it has few columns of texts, any.
func (a *auditor) partsOfNames(t *table) (list [][2]merge.Col) {
	var texts []merge.Col
	for _, c := range t.Columns {
		if col := (merge.Col{Table: t.Name, Name: c.Name}); !c.Generated && a.schema.Holds(col) == merge.Text {
			texts = append(texts, col)
		}
	}
	text := func(c merge.Col) bool { return slices.Contains(texts, c) }
	add := func(x, y merge.Col) {
		if x != y && (text(x) || text(y)) && !slices.ContainsFunc(list, func(p [2]merge.Col) bool { return slices.Contains(p[:], x) && slices.Contains(p[:], y) }) {
			list = append(list, [2]merge.Col{x, y})
		}
	}
	for _, u := range t.Uniques {
		if cols := u.Cols(); u.Plain() && len(cols) > 1 && len(cols) <= joinedColumns {
			for i, x := range cols {
				for _, y := range cols[i+1:] {
					add(x, y)
				}
			}
		}
	}
	few := len(texts) <= joinedColumns && t.total() <= readWhole
	for i, x := range texts {
		for _, y := range texts[i+1:] {
			if few || partOfName(x.Name) && partOfName(y.Name) {
				add(x, y)
			}
		}
	}
	return list
}

func partOfName(column string) bool {
	last := lastWord(column)
	return slices.Contains(partWords, last) || strings.HasSuffix(last, "name")
}

// readPairs reads what the rows of every shard hold in two columns; nil where they are too many.
func (a *auditor) readPairs(ctx context.Context, t *table, cols [2]merge.Col) (*joined, error) {
	j := &joined{first: cols[0], second: cols[1], pairs: make([]map[[2]string]bool, len(a.shards))}
	j.firsts, j.seconds = heads{map[string]bool{}, map[string]bool{}}, heads{map[string]bool{}, map[string]bool{}}
	for i, s := range a.shards {
		j.pairs[i] = map[[2]string]bool{}
		var own []merge.Col
		for _, c := range cols {
			if found, ok := s.Schema().Resolve(c); ok {
				own = append(own, found)
			}
		}
		if len(own) < len(cols) || t.rows[i] == 0 || !t.takes(a.name(i)) {
			continue
		}
		list, err := s.Tuples(ctx, own, a.engine.Quote(own[0].Name)+" <> '' AND "+a.engine.Quote(own[1].Name)+" <> ''", a.opt.ClashLimit+1)
		if err != nil || len(list) > a.opt.ClashLimit {
			return nil, err
		}
		for _, row := range list {
			pair := [2]string{valueText(row.Value[0]), valueText(row.Value[1])}
			j.pairs[i][pair] = true
			j.firsts.add(pair[0])
			j.seconds.add(pair[1])
		}
	}
	return j, nil
}

// held tells whether rows of a shard hold a pair, and whether those of others do.
func (j *joined) held(pair [2]string, shard int) (own, elsewhere bool) {
	for k := range j.pairs {
		if j.pairs[k][pair] {
			own, elsewhere = own || k == shard, elsewhere || k != shard
		}
	}
	return own, elsewhere
}

// heldJoined is how a column's sampled texts lie among the pairs of two columns.
type heldJoined struct {
	among
	joiner string
	turned bool // the second column's stands first
	strays []map[string]bool
}

// heldJoined looks a column's texts up, put together by each joiner with either column first, and returns the likeliest of these.
func (a *auditor) heldJoined(u *unexplained, j *joined) (best heldJoined) {
	var ways []*heldJoined
	for _, joiner := range joiners {
		for _, turned := range []bool{false, true} {
			ways = append(ways, &heldJoined{joiner: joiner, turned: turned, strays: make([]map[string]bool, len(u.samples))})
		}
	}
	for i, one := range u.samples {
		for _, way := range ways {
			way.strays[i] = map[string]bool{}
		}
		for _, text := range one.Texts {
			cuts, turned := j.firsts.cuts(text), j.seconds.cuts(text)
			for _, way := range ways {
				if way.turned {
					way.lookUp(j, i, text, turned)
				} else {
					way.lookUp(j, i, text, cuts)
				}
			}
		}
	}
	for _, way := range ways {
		if way.hits > best.hits {
			best = *way
		}
	}
	return best
}

// lookUp looks a shard's text up, cut at some places.
func (h *heldJoined) lookUp(j *joined, shard int, text string, cuts []int) {
	own, elsewhere := false, false
	for _, at := range cuts {
		rest, ok := strings.CutPrefix(text[at:], h.joiner)
		if !ok {
			continue
		}
		pair := [2]string{text[:at], rest}
		if h.turned {
			pair = [2]string{rest, text[:at]}
		}
		here, there := j.held(pair, shard)
		own, elsewhere = own || here, elsewhere || there
	}
	if elsewhere {
		h.strays[shard][text] = true
	}
	h.add(own, elsewhere)
}

// askHeldJoined asks about a column of which many texts are put together of two columns of its server's rows, and some are another server's, too.
func (a *auditor) askHeldJoined(ctx context.Context, u *unexplained, j *joined) error {
	best := a.heldJoined(u, j)
	if best.hits < fewCopies || float64(best.hits) < partlyLeast*float64(best.texts) || best.own == 0 { // every server has the game's own words
		return nil
	}
	var rows int64
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(u.col)
		if !ok || len(best.strays[i]) == 0 {
			continue
		}
		words := make([]string, 0, len(best.strays[i]))
		for _, text := range u.samples[i].Texts {
			if best.strays[i][text] {
				words = append(words, a.engine.Literal(text))
			}
		}
		n, err := s.Count(ctx, own.Table, a.engine.Quote(own.Name)+" IN ("+strings.Join(words, ", ")+")")
		if err != nil {
			return err
		}
		rows += n
	}
	if rows == 0 {
		return nil
	}
	first, second, between := j.first, j.second, "one behind the other"
	if best.turned {
		first, second = second, first
	}
	if best.joiner != "" {
		between = fmt.Sprintf("with %q between them", best.joiner)
	}
	// What was asked about one of the two, about another column of such texts, or about equal ones of the column itself, is this.
	a.res.Undecided = slices.DeleteFunc(a.res.Undecided, func(q merge.Undecided) bool {
		switch {
		case q.Reference != nil:
			return slices.Equal(q.Reference.From, []merge.Col{u.col}) && len(q.Reference.To) == 1 && (q.Reference.To[0].Table == j.first.Table || !a.uniqueAlone(q.Reference.To[0]))
		case q.Unique != nil:
			return slices.Equal(q.Unique.Unique, []merge.Col{u.col}) && !a.uniqueAlone(u.col)
		}
		return false
	})
	if a.askedAs(u.col) >= 0 {
		return nil
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("does %s hold %s and %s of one row, %s? %s one that stands on two servers, and afterwards leads to both or to the other server's: a new name in either column changes no such text, and no line of a plan does. "+
			"The line below stops the merge: let the column refer to a key of %s in copies of the shards, or rename the later shards' namesakes there in both. Where nobody is looked up by it, keep it: %s",
			u.col, first, second, between, counted(rows, "row holds", "rows hold"), first.Table, keepLine(u.col)),
		Rows: u.table.total(), Evidence: fmt.Sprintf("%d of %s are such of their own server's", best.hits, counted(int64(best.texts), "text", "texts")),
		Reference: &merge.Reference{From: []merge.Col{u.col}, To: []merge.Col{second}, As: merge.InText, Match: "^(?:.+)" + regexp.QuoteMeta(best.joiner) + "(.+)$"},
	})
	return nil
}
