package recall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
)

// figures are what TestRealSchemas counts of a game, as its description bounds them.
var figures = []string{"questions", "silent", "proposed", "settled", "untrue"}

// drawn is what an audit's first draft is worth, by the truth.
type drawn struct {
	count map[string]int
	lines []string
}

// add counts a line that is wrong, or missing.
func (d *drawn) add(figure, format string, args ...any) {
	d.count[figure]++
	d.lines = append(d.lines, figure+": "+fmt.Sprintf(format, args...))
}

// judge compares a draft with what is true of a game. Columns are asked about later that other answers lead to.
func (g *guessing) judge(res *audit.Result, later map[merge.Col]bool) *drawn {
	d := &drawn{count: map[string]int{"questions": len(res.Undecided)}}
	for _, c := range g.columns {
		if c.empty() || c.refers() && !g.matters(c) {
			continue
		}
		v, what := g.verdict(c, res), fmt.Sprintf("%s, %s", c.col, c.what)
		if c.refers() {
			what += " of " + c.key.String()
		}
		switch {
		case v == "missed" && c.refers() && later[c.col]:
		case v == "missed" && c.refers():
			d.add("silent", "%s", what)
		case c.when != "":
			g.judgeKinds(d, c, what, res)
		case v == "misled":
			d.add("proposed", "%s, is %s", what, proposed(c.col, res))
		case v == "wrong":
			d.add("settled", "%s, is %s", what, settled(c.col, res))
		}
	}
	g.judgeTables(d, res)
	return d
}

// empty tells whether a column says nothing in any row.
func (c *truth) empty() bool {
	for s := range servers {
		if slices.ContainsFunc(c.values[s], func(v any) bool { return !nobody(v) }) {
			return false
		}
	}
	return true
}

// judgeKinds compares the lines about a column, whose kinds decide what it holds, with what is true where they hold.
func (g *guessing) judgeKinds(d *drawn, c *truth, what string, res *audit.Result) {
	asked := false
	for _, u := range res.Undecided {
		if u.Reference != nil && slices.Contains(u.Reference.From, c.col) {
			if asked = true; !g.right(c, u.Reference) {
				d.add("proposed", "%s, is %s (%s)", what, u.Reference, u.Evidence)
			}
		}
	}
	for _, line := range res.Plan.References {
		if !asked && slices.Contains(line.From, c.col) && !g.right(c, &line) {
			d.add("settled", "%s, is %s", what, &line)
		}
	}
}

// right tells whether a line says what is true of a column in all rows of which it speaks.
func (g *guessing) right(c *truth, line *merge.Reference) bool {
	for s := range servers {
		for i, v := range c.values[s] {
			if nobody(v) || !g.holds(c, line.When, s, i) {
				continue
			}
			to := merge.Col{}
			for _, one := range append([]*truth{c}, c.others...) {
				if one.speaks(s, i) {
					to = one.key
				}
			}
			if line.As == merge.Copy && !g.known(line.To[0], v) {
				continue // a word that nobody is called stays
			}
			if (line.As == merge.Keep) != (to == merge.Col{}) || line.As != merge.Keep && !g.sameKey(line.To, to) {
				return false
			}
		}
	}
	return true
}

// known tells whether somebody of any server has a value in a column.
func (g *guessing) known(at merge.Col, v any) bool {
	return slices.ContainsFunc(g.columns, func(k *truth) bool {
		return k.col == at && (slices.Contains(k.values[0], v) || slices.Contains(k.values[1], v))
	})
}

// holds tells whether a condition of the form KIND = V or KIND IN (V, W), with NOT or without, holds in a row of a column's table; of another form, that it does not.
func (g *guessing) holds(c *truth, when string, shard, row int) bool {
	if when == "" {
		return true
	}
	not := strings.HasPrefix(when, "NOT (")
	when = strings.TrimSuffix(strings.TrimPrefix(when, "NOT ("), ")")
	kind, list, ok := strings.Cut(when, " IN (")
	if !ok {
		if kind, list, ok = strings.Cut(when, " = "); !ok {
			return false
		}
	}
	for _, k := range g.columns {
		if k.col.Table == c.col.Table && k.col.Name == strings.Trim(kind, `"`) {
			return not != slices.Contains(strings.Split(strings.TrimSuffix(list, ")"), ", "), literal(fmt.Sprint(k.values[shard][row])))
		}
	}
	return false
}

// judgeTables compares what a draft does with tables' rows and keys with what is true of them.
func (g *guessing) judgeTables(d *drawn, res *audit.Result) {
	for _, x := range g.tables {
		for _, u := range res.Undecided {
			switch {
			case u.Table != nil && u.Table.Table == x.name && folding(u.Table.Rows) != x.folding():
				d.add("proposed", "%s, of rows that %s, is rows: %s (%s)", x.name, x.nature(), u.Table.Rows, u.Evidence)
			case u.Key != nil && u.Key.Key.Table == x.name && u.Key.Key.Name == x.key && x.folds == "" && (u.Key.New == merge.Static) != x.same && g.numbered(u.Key.Key):
				d.add("proposed", "%s, of rows that %s, is new: %s (%s)", u.Key.Key, x.nature(), u.Key.New, u.Evidence)
			}
		}
		for _, p := range res.Plan.Tables {
			if p.Table == x.name && p.While != merge.WhileEmpty && folding(p.Rows) && !x.folding() && !asked(x.name, res) {
				d.add("settled", "%s, of rows that %s, is rows: %s", x.name, x.nature(), p.Rows)
			}
		}
		for _, p := range res.Plan.Keys {
			if p.Key.Table == x.name && p.Key.Name == x.key && p.New == merge.Static && !x.folding() && g.numbered(p.Key) && !asked(x.name, res) {
				d.add("settled", "%s, of rows that %s, is new: static", p.Key, x.nature())
			}
		}
	}
}

// asked tells whether a question is about a table or a key of it.
func asked(table string, res *audit.Result) bool {
	return slices.ContainsFunc(res.Undecided, func(u merge.Undecided) bool {
		return u.Table != nil && u.Table.Table == table || u.Key != nil && u.Key.Key.Table == table
	})
}

// numbered tells whether a column numbers its own rows.
func (g *guessing) numbered(c merge.Col) bool {
	return slices.ContainsFunc(g.columns, func(x *truth) bool { return x.col == c && x.what == itsNumbers })
}

// folding tells whether rows of two servers become one by a policy.
func folding(rows merge.Rows) bool {
	return slices.Contains([]merge.Rows{merge.FirstRows, merge.UnionRows, merge.ByValue, merge.FromRows}, rows)
}

// folding tells whether a table's rows may be another server's too.
func (x *gameTable) folding() bool { return x.same || x.folds != "" }

// nature is what a table's rows are.
func (x *gameTable) nature() string {
	switch {
	case x.same:
		return "are the same everywhere"
	case x.folds == "fold":
		return "are things by themselves"
	case x.folds != "":
		return "are one where their " + x.folds + " is one"
	}
	return "are each somebody's own"
}

// proposed is the line that is asked about a column.
func proposed(c merge.Col, res *audit.Result) string {
	for _, u := range res.Undecided {
		if u.Reference != nil && slices.Contains(u.Reference.From, c) {
			if len(u.Reference.From) > 1 {
				return fmt.Sprintf("kept among %d", len(u.Reference.From))
			}
			return u.Reference.String() + " (" + u.Evidence + ")"
		}
	}
	return "another"
}

// settled is the line that stands unasked for a column.
func settled(c merge.Col, res *audit.Result) string {
	for _, x := range res.Plan.References {
		if slices.Contains(x.From, c) {
			return x.String()
		}
	}
	return "another"
}
