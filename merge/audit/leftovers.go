package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
	"github.com/gameid/gameid/merge/planfile"
)

// The share of a column's texts that are names from which it is asked about, on its own and in the list of what nothing speaks of: a text is seldom a name by chance.
const (
	partlyLeast = 0.5
	leftTexts   = 0.1
)

// part is how many of a column's values are those of another, of which some change.
type part struct {
	col, of merge.Col
	share   float64
	reach   float64          // how far up the other one's values these go
	groups  bool             // its numbers may be those of groups that no table lists
	counts  merge.Col        // the key that the game may count there
	lost    bool             // texts of a column of names, some of which only another server has
	unique  bool             // what becomes of equal texts of its own is asked, too
	world   bool             // all rows of every shard hold a number of the row or two of the other's table
	line    *merge.Reference // by which it would follow the other one
	person  bool             // the column is called like somebody, and the other one's table like people
	called  bool             // the column is called as the rows of the other one's table are
	but     string           // the number besides, and its rows, that are no key anywhere
	gone    bool             // they are rather names of those who are gone, which others bear elsewhere
}

// partOfOthers looks for names that change among the texts of columns of whose own equal texts a question is, as those of a list of the banned: that no two rows share one does not
// say that they are nobody else's. Of two such columns it is the one of which more are the other's, unless others refer to its rows by number: those are called so.
func (a *auditor) partOfOthers(ctx context.Context) error {
	renamed := a.renamedColumns()
	if !slices.ContainsFunc(renamed, a.uniqueAsked) || len(renamed) == 1 {
		return nil
	}
	held, err := a.textHolders(ctx, renamed)
	if err != nil {
		return err
	}
	for _, col := range renamed {
		t := a.tables[col.Table]
		if !a.uniqueAsked(col) || a.explained(col) || a.numbersRows(t) {
			continue
		}
		u, err := a.sampled(ctx, t, col)
		if err != nil {
			return err
		}
		for _, n := range held.near(u.samples) {
			of := renamed[n]
			if of.Table == col.Table {
				continue
			}
			here, err := a.lieAmong(ctx, u.samples, of, a.laxer(col, of))
			if err != nil {
				return err
			}
			other, err := a.sampled(ctx, a.tables[of.Table], of)
			if err != nil {
				return err
			}
			there, err := a.lieAmong(ctx, other.samples, col, a.laxer(of, col))
			if err != nil {
				return err
			}
			numbered := a.numbersRows(a.tables[of.Table])
			switch {
			case here.gone(len(a.shards)) && (numbered || keepsNames(col.Table)):
				a.partly = append(a.partly, part{col: col, of: of, share: float64(here.other) / float64(here.texts), reach: 1, unique: true, gone: true})
			case here.hits > 0 && (here.share() > there.share() || numbered || here.share() == there.share() && a.homeBefore(of, col)),
				here.share() >= leftTexts && !bearer(col.Name): // as some stashes are called after houses
				a.partly = append(a.partly, part{col: col, of: of, share: here.share(), reach: 1, unique: true})
			}
		}
	}
	a.texts = nil
	return nil
}

// homeBefore tells whether of two columns with the same names the first is where they are at home: that of rows with a number of their own, or else of the table that the schema lists first.
func (a *auditor) homeBefore(c, other merge.Col) bool {
	t, o := a.schema.Table(c.Table), a.schema.Table(other.Table)
	if numbered := a.numberOf(a.tables[t.Name]) != nil; numbered != (a.numberOf(a.tables[o.Name]) != nil) {
		return numbered
	}
	return before(a.schema, t, o)
}

// askLeftovers asks, once for all of them, about the columns of which nothing speaks but some of their values, which are keys or names that change: whatever no other
// question is about stays as it is, and a person says so. Columns against which something speaks are only told.
func (a *auditor) askLeftovers(ctx context.Context) error {
	if err := a.partOfOthers(ctx); err != nil {
		return err
	}
	open, told, err := a.leftAlone(ctx)
	if err != nil {
		return err
	}
	for i, p := range open {
		line, err := a.nameLine(ctx, p.col, p.of)
		if err != nil {
			return err
		}
		open[i].line = line
	}
	open = slices.DeleteFunc(open, a.tellBeside)
	if open, err = a.askInLetters(ctx, open); err != nil {
		return err
	}
	open = a.askWorlds(open)
	if told, err = a.askNamesakes(ctx, told); err != nil {
		return err
	}
	if len(told) > 0 {
		a.find(merge.Finding{
			Rule: "left-alone", Severity: merge.Info,
			Text: fmt.Sprintf("some values are also keys or names that change, in %s named like amounts or kinds, or with few such values; they stay as they are: %s", counted(int64(len(told)), "column", "columns"), byTable(told)),
			Next: "a reference among them needs a line under references",
		})
	}
	if open, err = a.askNamesakes(ctx, open); err != nil {
		return err
	}
	var whole []part
	for _, p := range open {
		if when := a.besideCounters(p.col); when != "" {
			a.askLeft([]part{p}, when)
		} else if (p.person || p.called) && p.share >= mostPeople {
			a.askPerson(p)
		} else if used, err := a.onlyUse(ctx, p); err != nil {
			return err
		} else if used {
			a.askUse(p)
		} else {
			whole = append(whole, p)
		}
	}
	a.askLeft(whole, "")
	return nil
}

// askLeft asks whether columns refer to nothing; of one in some rows of which the game counts, in the others.
func (a *auditor) askLeft(open []part, when string) {
	if len(open) == 0 {
		return
	}
	line := &merge.Reference{As: merge.Keep, When: when}
	for _, p := range open {
		line.From = append(line.From, p.col)
	}
	what, which, answer := counted(int64(len(open)), "column", "columns"), "they refer to them", "do they all refer to nothing, and stay as they are"
	if len(open) == 1 {
		what, which, answer = open[0].col.String(), "it refers to them", "does it refer to nothing, and stay as it is"
	}
	if when != "" {
		what += " beside what the game counts there"
		open[0].line.When, open[0].but = when, " beside it"+open[0].but
	}
	slices.SortStableFunc(open, func(x, y part) int {
		sure := func(p part) int { return oneIf(p.person && p.share >= partlyLeast) } // what is called like somebody and holds the people is told first: amounts are among their numbers as well
		return cmp.Or(cmp.Compare(sure(y), sure(x)), cmp.Compare(y.share, x.share), cmp.Compare(y.reach, x.reach))
	})
	var words []string
	for _, p := range open {
		words = append(words, fmt.Sprintf("%s of %s%s are %s", shareOf(p.share), p.col, p.but, p.of))
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("some values of %s are also keys or names that change, and nothing else says that %s: %s? What does refer to one needs a line of its own, such as %s%s%s",
			what, which, answer, planfile.ReferenceLine(open[0].line), a.orShared(open), orOneCounts(open)),
		Evidence: strings.Join(words, ", "), Reference: line,
	})
}

// tellBeside says of a column whose own equal texts are asked about, in that question, that some are another's, and tells whether there is such a question. Where nearly all are, that is
// what is asked: two names of one person, renamed apart, are two persons'.
func (a *auditor) tellBeside(p part) bool {
	at := slices.IndexFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Unique != nil && slices.Contains(u.Unique.Unique, p.col) })
	if !p.unique || at < 0 {
		return false
	}
	u := &a.res.Undecided[at]
	if !p.gone && p.share >= copyShare {
		u.Question = fmt.Sprintf("does %s hold %s, as %s of its texts are there, so that it follows when that is renamed? Where it names others, say so in place of the line below: %s. Then: %s",
			p.col, p.of, shareOf(p.share), planfile.UniqueLine(u.Unique), u.Question)
		u.Unique, u.Reference = nil, p.line
		return true
	}
	of := p.of.String()
	if p.gone {
		of += " of other servers alone, as names of those who are gone may be"
	}
	alsoSays(u, fmt.Sprintf("And %s of %s are also %s: where it names these, say so under references, in place of the line below: %s", shareOf(p.share), p.col, of, planfile.ReferenceLine(p.line)))
	return true
}

// orShared says what to do where columns hold the numbers of groups that no table lists; "" where none may. The table of most rows stands for all of them.
func (a *auditor) orShared(open []part) string {
	var most merge.Col
	for _, p := range open {
		if p.groups && (most.Table == "" || a.tables[p.col.Table].total() > a.tables[most.Table].total()) {
			most = p.col
		}
	}
	if most.Table == "" {
		return ""
	}
	return fmt.Sprintf(". Numbers of groups which no table lists, and which are others on every server, need a line under keys, such as %s, and for the same numbers in other tables a line under references to that column", shiftLine(most))
}

// orOneCounts says what to do where the game itself may count in one of several columns; "" where there is none.
func orOneCounts(open []part) string {
	i := slices.IndexFunc(open, func(p part) bool { return p.counts.Table != "" })
	if i < 0 {
		return ""
	}
	return "." + orCounts(open[i].col, open[i].counts)
}

// leftAlone are the columns of which nothing in force and no question says what they hold though some of their values change elsewhere, by table and column: those to
// ask about, and those against which something speaks.
func (a *auditor) leftAlone(ctx context.Context) (open, told []part, err error) {
	for _, l := range a.leftovers {
		key := a.mayHold(l)
		if key < 0 || a.inGroups[l.Col] || a.spokenOf(l.Col) || a.keyAsked(l.Col) || a.heldByAsked(l.Col) {
			continue
		}
		if moves, err := a.movesFor(ctx, l.Col, l.Keys[key]); err != nil {
			return nil, nil, err
		} else if !moves {
			continue
		}
		if slices.Contains(a.holding[l.Keys[key]], l.Col) {
			l.Share = 1
		}
		p := part{col: l.Col, of: l.Keys[key], share: l.Share, reach: l.Reach, groups: l.Groups || a.grouped[l.Col], counts: l.Counts, world: l.World, person: l.Somebody, called: l.Called && key == 0}
		if l.But != nil {
			p.but = fmt.Sprintf(" but %d (%s)", *l.But, counted(l.ButRows, "row", "rows"))
		}
		if l.Told {
			told = append(told, p)
		} else {
			open = append(open, p)
		}
	}
	renamed := a.renamedColumns()
	for _, p := range a.partly {
		same := func(o part) bool { return o.col == p.col }
		if !p.lost && !slices.Contains(renamed, p.of) || !p.unique && a.uniqueAsked(p.col) || a.explained(p.col) || slices.ContainsFunc(open, same) {
			continue
		}
		told = slices.DeleteFunc(told, same)
		if p.share < leftTexts {
			told = append(told, p)
		} else {
			open = append(open, p)
		}
	}
	byCol := func(x, y part) int { return strings.Compare(x.col.String(), y.col.String()) }
	slices.SortStableFunc(open, byCol)
	slices.SortStableFunc(told, byCol)
	return open, told, nil
}

// heldByAsked tells whether the question about a number that no schema calls a key names a column as one that may refer to it. Once that is answered, this is asked.
func (a *auditor) heldByAsked(c merge.Col) bool {
	return slices.ContainsFunc(a.undeclared, func(key merge.Col) bool {
		return a.keyAsked(key) && slices.Contains(a.holding[key][:min(len(a.holding[key]), heldMost)], c)
	})
}

// mayHold is which of a column's keys it may hold so that leaving it alone would lead elsewhere; -1 when there is none.
func (a *auditor) mayHold(l discover.Leftover) int {
	if l.Called && a.newKeysAsked(l.Keys[0]) {
		return 0
	}
	key := slices.IndexFunc(l.Keys, func(key merge.Col) bool { return a.renumbers(key) && slices.Contains(a.holding[key], l.Col) }) // none but its numbers
	if key < 0 {
		key = slices.IndexFunc(l.Keys, a.renumbers)
	}
	if key < 0 && l.Captured && l.Share == 1 { // no key changes, and what is dead on a server whose rows are gone becomes somebody's
		key = slices.IndexFunc(l.Keys, func(key merge.Col) bool { return a.spaces[a.top(key)] != nil })
	}
	return key
}

// newKeysAsked tells whether an open question proposes new numbers for a key.
func (a *auditor) newKeysAsked(key merge.Col) bool {
	return slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Key != nil && u.Key.Key == key && u.Key.New != merge.Static
	})
}

// leftTo is the key that a column may hold about which nothing but the list of what is left over will ask.
func (a *auditor) leftTo(c merge.Col) (merge.Col, bool) {
	for _, l := range a.leftovers {
		if key := a.mayHold(l); l.Col == c && !l.Told && key >= 0 && !a.spokenOf(c) {
			return l.Keys[key], true
		}
	}
	return merge.Col{}, false
}

// shareOf is a share in words, never rounded up to all.
func shareOf(share float64) string {
	switch {
	case share < 0.005:
		return "a few"
	case share < 1:
		return fmt.Sprintf("%.0f %%", min(100*share, 99))
	}
	return "all"
}

// byTable lists columns as "table: column, column; table: column".
func byTable(list []part) string {
	var b strings.Builder
	for i, p := range list {
		switch {
		case i > 0 && list[i-1].col.Table == p.col.Table:
			b.WriteString(", ")
		case i > 0:
			b.WriteString("; " + p.col.Table + ": ")
		default:
			b.WriteString(p.col.Table + ": ")
		}
		b.WriteString(p.col.Name)
	}
	return b.String()
}

// renumbers tells whether some of a key's numbers change.
func (a *auditor) renumbers(key merge.Col) bool {
	s := a.spaces[a.top(key)]
	return s != nil && s.moves() > 0
}

// movesFor tells whether numbers of a key change in some shard of which a column's values may come: of rows that fold, those of the first shard that has them, but for the latest.
func (a *auditor) movesFor(ctx context.Context, c, key merge.Col) (bool, error) {
	t, s := a.tables[c.Table], a.spaces[a.top(key)]
	if rule, _ := lookupFold(a.schema, t.plan.Columns, c.Name); !t.decided || !t.folds() || s == nil || rule.By != "" {
		return true, nil
	}
	columns, come := append(t.KeyCols(), c), map[string]bool{}
	for i, shard := range a.shards {
		if !a.has(i, c.Table) || !t.takes(a.name(i)) || slices.ContainsFunc(columns, func(c merge.Col) bool { return shard.Schema().Column(c) == nil }) {
			continue
		}
		if t.rows[i] > readWhole {
			return true, nil
		}
		list, err := shard.Tuples(ctx, columns, "", 0)
		if err != nil {
			return false, err
		}
		for _, v := range list {
			last := len(v.Value) - 1
			if n, ok := counterValue(v.Value[last]); ok && s.moving[i].Has(n) && !come[tupleText(v.Value[:last])] {
				return true, nil
			}
		}
		for _, v := range list {
			if last := len(v.Value) - 1; last > 0 {
				come[tupleText(v.Value[:last])] = true
			}
		}
	}
	return false, nil
}

// spokenOf tells whether the plan or an open question says what a column holds or what becomes of its equal values, or its table's rows do not come.
func (a *auditor) spokenOf(c merge.Col) bool { return a.explained(c) || a.uniqueAsked(c) }

// explained tells the same, but for an open question about equal values.
func (a *auditor) explained(c merge.Col) bool {
	return a.tables[c.Table].plan.Rows == merge.EmptyRows || a.decided(c) || a.uniquePlanOf(c) != nil || a.spaces[c] != nil || a.askedAs(c) >= 0 ||
		slices.ContainsFunc(a.res.Findings, func(f merge.Finding) bool { return f.Rule == "row-number" && f.Table == c.Table && f.Column == c.Name }) ||
		slices.ContainsFunc(a.res.Questions, func(q discover.Question) bool { return slices.Contains(q.Columns, c) }) ||
		slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
			return u.Counter != nil && u.Counter.Column == c && a.besideCounters(c) == ""
		})
}

// uniqueAsked tells whether an open question is what becomes of a column's equal values, alone or beside others.
func (a *auditor) uniqueAsked(c merge.Col) bool {
	return slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Unique != nil && slices.Contains(u.Unique.Unique, c)
	})
}
