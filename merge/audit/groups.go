package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// askGroups asks about columns that seem to number groups which no table lists: left as they are, groups of two servers would become one. Once one of them is a key by the
// plan, the others may refer to it.
func (a *auditor) askGroups(ctx context.Context, g discover.Groups) error {
	var open []merge.Col
	for _, l := range a.leftovers { // of few rows, and so of itself no sign of groups
		if l.Col.Table == g.Cols[0].Table || !a.schema.Equal(l.Col.Name, g.Cols[0].Name) || slices.Contains(g.Cols, l.Col) {
			continue
		}
		if words, err := a.amongNumbers(ctx, l.Col, g.Cols[0], mostNumbers); err != nil {
			return err
		} else if words != "" {
			g.Cols = append(slices.Clone(g.Cols), l.Col)
			a.inGroups[l.Col] = true
		}
	}
	for _, c := range g.Cols {
		t := a.tables[c.Table]
		if said, _ := a.decidedKey(c); !said && !a.decided(c) {
			table, err := a.rowNumbersOf(ctx, c, false)
			if err != nil {
				return err
			}
			if table != "" { // which is refused
				a.byRow[c] = nil
				continue
			}
		}
		if t.mixes() && !t.folds() && !a.mayFold(c.Table) && !a.decided(c) && a.askedAs(c) < 0 {
			open = append(open, c)
		}
	}
	key := slices.IndexFunc(g.Cols, func(c merge.Col) bool { said, _ := a.decidedKey(c); return said })
	switch {
	case len(open) == 0:
	case key < 0:
		return a.askGroup(ctx, open, g)
	default:
		if _, static := a.decidedKey(g.Cols[key]); static {
			return nil
		}
		for _, c := range open {
			if said, _ := a.decidedKey(c); !said {
				a.ask(merge.Undecided{
					Question: fmt.Sprintf("does %s hold the numbers of %s, which get new ones?", c, g.Cols[key]), Evidence: "both are named like the same groups",
					Rows: a.tables[c.Table].total(), Reference: &merge.Reference{From: []merge.Col{c}, To: g.Cols[key : key+1]},
				})
			}
		}
	}
	return nil
}

// askNamesakes asks about each of some columns that is named like one of another table whose numbers change by the plan, as those of groups or of seasons, and most of whose numbers are among
// these, whether it holds them, and returns the others.
func (a *auditor) askNamesakes(ctx context.Context, open []part) (rest []part, err error) {
	for _, p := range open {
		key, evidence, err := a.namesake(ctx, p.col)
		if err != nil {
			return nil, err
		}
		if key == nil {
			rest = append(rest, p)
			continue
		}
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("does %s hold the numbers of %s, which get new ones?", p.col, key.key), Evidence: evidence,
			Rows: a.tables[p.col.Table].total(), Reference: &merge.Reference{From: []merge.Col{p.col}, To: []merge.Col{key.key}, None: anys(key.plan.None)},
		})
	}
	return rest, nil
}

// namesake is the key that changes by the plan after which a column of another table is named, most of whose numbers are its in every shard; nil when there is none. Where the column's name says more
// than the key's, as selected_slot beside slot, all of them are, and the key numbers things of each of several rows, as the slots of every player.
func (a *auditor) namesake(ctx context.Context, c merge.Col) (key *space, evidence string, err error) {
	for _, s := range a.order {
		if !s.byPlan || s.plan.New == merge.Static || s.key.Table == c.Table {
			continue
		}
		share, words := mostNumbers, "both are named "+c.Name
		if !a.schema.Equal(s.key.Name, c.Name) {
			if a.uniqueAlone(s.key) || !endsInWords(c.Name, s.key.Name) {
				continue
			}
			share, words = 1, "its name ends in "+s.key.Name
		}
		if among, err := a.amongNumbers(ctx, c, s.key, share); err != nil || among != "" {
			return s, words + "; " + among, err
		}
	}
	return nil, "", nil
}

// endsInWords tells whether a name ends in the words of another one, which say more than that it is a number.
func endsInWords(name, end string) bool {
	words, last := wordsOf(name), wordsOf(end)
	says := slices.ContainsFunc(last, func(word string) bool { return !slices.Contains(ownNumbers, word) })
	return says && len(words) > len(last) && slices.Equal(words[len(words)-len(last):], last)
}

// mostNumbers is the share of a column's numbers of which more than so many are most of them.
const mostNumbers = 0.5

// amongNumbers says how many of a column's numbers another one has, where that is more than a share of them in every shard, or all; "" where it is not.
func (a *auditor) amongNumbers(ctx context.Context, c, other merge.Col, share float64) (string, error) {
	var words []string
	for i, sh := range a.shards {
		held, err := sh.Keys(ctx, c)
		if err != nil {
			return "", err
		}
		of, err := sh.Keys(ctx, other)
		if err != nil {
			return "", err
		}
		n := held.Set.Len()
		if n == 0 {
			continue
		}
		both := held.Set.Both(of.Set).Len()
		if float64(both) <= share*float64(n) && both < n {
			return "", nil
		}
		words = append(words, fmt.Sprintf("%d of its %s are there in %s", both, counted(n, "number", "numbers"), a.name(i)))
	}
	return strings.Join(words, ", "), nil
}

// anys are numbers as values.
func anys(list []int64) (values []any) {
	for _, n := range list {
		values = append(values, n)
	}
	return values
}

// mayFold tells whether an open question proposes that rows of one key become one: what they say is then the same on every server, too.
func (a *auditor) mayFold(table string) bool {
	return slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Table != nil && u.Table.Table == table && u.Table.Rows != merge.MergeRows
	})
}

// askGroup asks what becomes of the numbers of groups that some columns hold.
func (a *auditor) askGroup(ctx context.Context, cols []merge.Col, g discover.Groups) error {
	if len(g.Keys) == 0 {
		var rest []merge.Col
		for _, c := range cols {
			if asked, err := a.askBetween(ctx, c, g.Evidence, ""); err != nil {
				return err
			} else if !asked {
				rest = append(rest, c)
			}
		}
		if cols = rest; len(cols) == 0 {
			return nil
		}
	}
	question := fmt.Sprintf("%s seems to number groups that no table lists, as parties of players or alliances of guilds: is the same number another group on every server, so that the later shards' groups get new ones (new: shift)?", cols[0])
	if len(cols) > 1 {
		question += fmt.Sprintf(" Where %s the same groups, add a line for each under references, such as %s.", holds(cols[1:]), refersLine(cols[1:2], cols[:1]))
	}
	if len(g.Keys) > 0 {
		question += fmt.Sprintf(" Or does it hold %s, as all or nearly all of its values might? Then say so under references: %s.", oneOf(g.Keys), refersLine(cols[:1], g.Keys[:1]))
	}
	question += fmt.Sprintf(" If another table issues its numbers, name that table's key; if the same number means the same on every server, as a class does, keep it: %s", keepLine(cols...))
	none, doubt, err := a.inNoGroup(ctx, cols[0], a.opt.ChangeAll)
	if err != nil {
		return err
	}
	if doubt != "" {
		question += ". And " + doubt
	} else if len(none) > 0 {
		question += fmt.Sprintf(". That %s means nobody there, as in no group, and stays, is what none says; none: [] makes it a group as others are", wholeNumbers(none))
	}
	var rows int64
	for _, c := range cols {
		rows += a.tables[c.Table].total()
	}
	a.ask(merge.Undecided{Question: question, Evidence: g.Evidence, Rows: rows, Key: &merge.KeyPlan{Key: cols[0], New: merge.Shift, None: none}})
	return nil
}

// holds is a list of columns with its verb.
func holds(cols []merge.Col) string {
	if len(cols) == 1 {
		return cols[0].String() + " holds"
	}
	return merge.JoinCols(cols) + " hold"
}
