package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
	"github.com/gameid/gameid/merge/planfile"
)

// discover looks for what nobody declared, takes what is accepted, and asks about the rest.
func (a *auditor) discover(ctx context.Context) error {
	opt := discover.Options{
		Hubs: map[string]merge.Col{}, Quote: a.engine.Quote, Literal: a.engine.Literal,
		Same: func(ctx context.Context, i, j int, table string) (int64, int64, error) {
			return a.sameRows(ctx, i, j, table)
		},
	}
	if e, ok := a.engine.(unlike); ok {
		opt.Unlike = func(ctx context.Context, i, j int, table string, columns []string) (int64, error) {
			return e.UnlikeRows(ctx, a.raw[i], a.raw[j], table, columns)
		}
	}
	if e, ok := a.engine.(differing); ok {
		opt.Different = func(ctx context.Context, i, j int, table string, keys []int64) (map[string]int64, error) {
			return e.DifferentColumns(ctx, a.raw[i], a.raw[j], table, merge.SameKeys(keys))
		}
	}
	for _, k := range a.given.Keys {
		if k.Role != "" {
			opt.Hubs[k.Role] = k.Key
		}
		switch k.New {
		case "":
		case merge.Static:
			opt.Static = append(opt.Static, k.Key.Table)
		default: // whose rows get new keys is no thing that is the same everywhere
			opt.Dynamic = append(opt.Dynamic, k.Key.Table)
			opt.Numbered = append(opt.Numbered, k.Key)
		}
	}
	opt.Again = a.decidedPlainly()
	for _, c := range a.given.Counters {
		c.Column, _ = a.schema.Resolve(c.Column)
		opt.Counters = append(opt.Counters, c)
	}
	for _, r := range a.refs {
		opt.Known = append(opt.Known, r.Reference)
	}
	for _, t := range a.schema.Tables {
		if line := a.tables[t.Name]; line.decided {
			if line.folds() {
				opt.Static = append(opt.Static, t.Name)
			} else {
				opt.Dynamic = append(opt.Dynamic, t.Name)
			}
			if line.plan.Rows == merge.ByValue {
				opt.Lists = append(opt.Lists, t.Name)
			}
		}
	}
	found, err := discover.Run(ctx, a.schema, a.shards, opt)
	if err != nil {
		return err
	}
	a.res.Questions, a.nature, a.somebody = found.Questions, found.Natures, found.Called
	a.leftovers, a.plainNumbers, a.otherwise = found.Leftovers, found.Numbers, found.Otherwise
	a.found, a.grouped, a.doubted, a.archives = found.Keys, found.Shared, found.Doubts, found.Archives
	a.refs = slices.DeleteFunc(a.refs, a.contradicted)
	for _, p := range found.Proposals {
		a.proposed[p.From[0]] = append(a.proposed[p.From[0]], p)
	}
	for _, s := range found.Static {
		if err := a.takeStatic(ctx, s); err != nil {
			return err
		}
	}
	if err := a.askEarlierTables(ctx); err != nil {
		return err
	}
	undeclared := map[merge.Col]bool{}
	for _, k := range found.Keys {
		undeclared[k.Col], a.holding[k.Col] = k.Undeclared, k.Holding
	}
	for _, p := range found.Proposals {
		if err := a.takeProposal(ctx, p, undeclared[p.From[0]]); err != nil {
			return err
		}
	}
	if err := a.askEarlierReferences(ctx, false); err != nil {
		return err
	}
	for _, k := range found.Keys {
		if k.Undeclared && k.Root {
			a.undeclared = append(a.undeclared, k.Col)
			if err := a.askUndeclared(ctx, k); err != nil {
				return err
			}
		}
	}
	for _, g := range found.Groups {
		if err := a.askGroups(ctx, g); err != nil {
			return err
		}
	}
	waits, err := a.askDoubledKeys(ctx, found.Unplaced)
	if err != nil {
		return err
	}
	for _, u := range found.Unplaced {
		if said, _ := a.decidedKey(u.Col); said || a.decided(u.Col) || a.askedAs(u.Col) >= 0 || a.uniquePlanOf(u.Col) != nil || slices.Contains(waits, u.Col) {
			continue
		}
		if len(u.Fits) == 0 {
			if asked, err := a.askBetween(ctx, u.Col, u.Evidence, ""); err != nil {
				return err
			} else if asked {
				continue
			}
		}
		question := fmt.Sprintf("%s is named like a key, but no key explains its values: keep it, or which table issues its numbers?", u.Col)
		switch {
		case len(u.Lowest) > 0:
			question = fmt.Sprintf("%s is named like a key, and all or nearly all of its values are %s, but low ones, as other low numbers would be, too: does it hold these, with %s, or which table issues its numbers? Or keep it?", u.Col, oneOf(u.Lowest), refersLine([]merge.Col{u.Col}, u.Lowest[:1]))
		case len(u.Fits) > 0:
			question = fmt.Sprintf("%s is named like a key, and all or nearly all of its values are among %s: does it hold these, or which table issues its numbers? Or keep it?", u.Col, oneOf(u.Fits))
		}
		if u.Kind != "" && len(u.Fits) == 0 {
			question += fmt.Sprintf(" Where %s says whose it is, it takes one line for each kind, with when: \"%[1]s = ...\"", u.Kind)
		}
		if more := a.orGroups(u.Col) + orCounts(u.Col, u.Counts); more != "" {
			question = strings.TrimSuffix(question, "?") + "?" + more
		}
		a.ask(merge.Undecided{
			Question: question,
			Evidence: u.Evidence, Rows: a.tables[u.Col.Table].total(), Reference: &merge.Reference{From: []merge.Col{u.Col}, As: merge.Keep},
		})
	}
	for _, o := range found.Opaque {
		c := o.Col
		if a.decided(c) {
			continue
		}
		rows, err := a.countAll(ctx, a.tables[c.Table], c, c, a.engine.Quote(c.Name)+" <> ''") // an empty text hides nothing
		if err != nil {
			return err
		}
		if rows == 0 {
			continue
		}
		a.find(merge.Finding{
			Rule: "opaque", Severity: merge.Info, Table: c.Table, Column: c.Name, Rows: rows,
			Text: "holds " + o.What + ", in which keys may hide; copied as they are", Next: "say as: keep when you know that it holds no key",
		})
	}
	paired, err := a.askNumberedPairs(ctx)
	if err != nil {
		return err
	}
	numbers, err := a.askPairsOfNumbers(ctx)
	if err != nil {
		return err
	}
	paired = append(paired, numbers...)
	for _, e := range found.Embedded {
		if slices.Contains(paired, e.Col) || a.decided(e.Col) || e.Grade == merge.Doubtful && named(e.Col.Name) { // somebody's name may be a word and a number
			continue
		}
		if e.Match != "" {
			also := ""
			if len(e.Also) > 0 {
				also = fmt.Sprintf(" And %s?", strings.Join(e.Also, ", and "))
			}
			whole, err := a.wholeKeys(ctx, e.Col)
			if err != nil {
				return err
			}
			if whole {
				continue // whose numbers these are, the rows of that key may say
			}
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("does %s hold %s inside its texts?%s This version rewrites no key inside a text: keep means that they will point elsewhere; or take them out in copies of the shards", e.Col, e.To, also),
				Evidence: string(e.Grade) + ": " + e.Evidence, Rows: a.tables[e.Col.Table].total(),
				Reference: &merge.Reference{From: []merge.Col{e.Col}, To: []merge.Col{e.To}, As: merge.InText, Match: e.Match},
			})
			continue
		}
		f := merge.Finding{
			Rule: "embedded", Severity: merge.Info, Table: e.Col.Table, Column: e.Col.Name, Rows: a.tables[e.Col.Table].total(),
			Text: "holds numbers inside text (" + e.What + "), in which keys may hide; copied as it is", Next: "say as: keep when you know that it holds no key",
		}
		for _, text := range e.Samples {
			f.Samples = append(f.Samples, tupleText([]any{text}))
		}
		a.find(f)
	}
	for _, c := range found.Counters {
		a.takeCounter(c)
	}
	a.askEarlierCounters(ctx)
	return nil
}

// orCounts says what to do where the game itself may count the keys of a table; "" where there is none.
func orCounts(c, key merge.Col) string {
	if key.Table == "" {
		return ""
	}
	return fmt.Sprintf(" Or does the game itself count in %s, above every %s? Then say under counters: %s", c, key, planfile.CounterLine(&merge.Counter{Column: c, Key: key, Margin: 1}))
}

// sampled is how many shared rows are compared before a whole table is.
const sampled = 500

// sameRows compares a table's rows in two shards; a table whose first rows mostly differ is not read to its end.
func (a *auditor) sameRows(ctx context.Context, i, j int, table string) (shared, equal int64, err error) {
	shared, equal, err = a.engine.SameRows(ctx, a.raw[i], a.raw[j], table, nil, sampled)
	if err != nil || shared < sampled || equal*2 < shared {
		return shared, equal, err
	}
	return a.engine.SameRows(ctx, a.raw[i], a.raw[j], table, nil, 0)
}

// takeProposal takes a proposal or asks about it. What a column holds of which no schema says that it is a key, the plan also decides by calling it one.
func (a *auditor) takeProposal(ctx context.Context, p merge.Proposal, undeclared bool) error {
	from := p.From[0]
	like, said := a.keptLike(from), a.named(from)
	own := undeclared || p.Own
	if !said && (own || !a.uniqueAlone(from)) {
		said, _ = a.decidedKey(from)
	}
	if said && p.When == "" || like != nil && p.Grade != merge.Certain {
		return nil
	}
	if by, err := a.remembered(ctx, &p); err != nil {
		return err
	} else if by {
		a.passed = append(a.passed, p)
		return nil
	}
	if by, err := a.mayBeByRow(ctx, &p); err != nil || by {
		return err
	}
	evidence := string(p.Grade) + ": " + p.Evidence
	if a.accepts(p.Grade) && like == nil && !a.decidedOtherwise(&p) {
		a.refs = append(a.refs, &reference{Reference: p.Reference, grade: p.Grade, evidence: evidence})
		if p.Grade == merge.Certain && !a.given.Accepts(merge.Certain) {
			a.res.Verdict.Proposed++
		}
		return nil
	}
	ownRows := a.orOwnRows(&p, own)
	if p.When == "" && p.As == merge.Plain && !undeclared && !p.ByName && p.Grade != merge.Certain && a.schema.Holds(from) == merge.Integer {
		if asked, err := a.askBetween(ctx, from, evidence, ownRows, slices.Concat(p.To, p.Others)...); err != nil || asked {
			return err
		}
	}
	line := p.Reference
	if p.ByName && len(p.Others) > 0 { // what explains the values rather than what is called so
		line.To, p.Others = p.Others[:1], p.To
	}
	question := fmt.Sprintf("does %s hold %s?", from, merge.JoinCols(line.To))
	if p.When != "" {
		question = fmt.Sprintf("does %s hold %s when %s?", from, merge.JoinCols(p.To), p.When)
	}
	if len(p.Others) > 0 {
		question += " Or " + oneOf(p.Others) + "?"
	}
	none := "none"
	if p.Hardly {
		none = "hardly any"
	}
	switch {
	case p.ByName && len(p.Others) > 0:
		question += " Of the latter, after which it is named, " + none + " of its values is one; if it holds no key, keep it: " + keepLine(from)
	case p.ByName && p.Captured:
		question += " None of its values is one of its own server's, and some are another's, whose they become: if it holds no key, keep it: " + keepLine(from)
	case p.ByName:
		question = fmt.Sprintf("%s is named like %s, and %s of its values is one: does it hold no key, so that it stays (as: keep)? If it holds what another table numbers, name that table's key; if it does hold %[2]s, say so: %[4]s", from, merge.JoinCols(p.To), none, refersLine([]merge.Col{from}, p.To))
		line = merge.Reference{From: line.From, As: merge.Keep}
		a.likeNamed[from] = p.To[0]
	}
	if like != nil {
		question += fmt.Sprintf(" A pattern, as %s is, keeps nothing that is certain: to keep the column, name it: %s", like.Columns(), keepLine(from))
	}
	if (p.Grade == merge.Doubtful || len(p.Besides) > 0) && p.When == "" && !own {
		question += a.orGroups(from, p.Besides...)
	}
	if line.As == merge.Plain {
		question += ownRows
	}
	a.ask(merge.Undecided{Question: question, Evidence: evidence, Rows: a.tables[from.Table].total(), Reference: &line})
	return nil
}

// orOwnRows says what to say where the column of a proposal numbers its own table's rows; "" where it is no key. A plan is first written with a line for every declared key, so that such a line alone is
// nobody's answer.
func (a *auditor) orOwnRows(p *merge.Proposal, own bool) string {
	from := p.From[0]
	switch {
	case own:
		return fmt.Sprintf(" If it numbers the rows of %s itself, say so under keys: %s", from.Table, shiftLine(from))
	case p.When == "" && len(p.From) == 1 && a.uniqueAlone(from) && a.schema.Holds(from) != merge.Text:
		return fmt.Sprintf(" If it numbers the rows of %s itself, say both: %s under references, as it refers to nothing, and %s under keys", from.Table, keepLine(from), shiftLine(from))
	}
	return ""
}

// oneOf names some of several columns: "a.b or c.d".
func oneOf(list []merge.Col) string {
	var words []string
	for _, c := range list[:min(len(list), 3)] {
		words = append(words, c.String())
	}
	return strings.Join(words, " or ")
}

// sameWhere tells whether two conditions are the same but for the quotes around names, and letters.
func sameWhere(a, b string) bool {
	bare := func(where string) string {
		return strings.Join(strings.Fields(strings.ReplaceAll(where, `"`, "")), " ")
	}
	return strings.EqualFold(bare(a), bare(b))
}

// noCounter tells whether the plan keeps the rows of a counter: the game counts nothing there.
func (a *auditor) noCounter(c *merge.Counter) bool {
	return slices.ContainsFunc(a.keptBy(c.Column), func(r *reference) bool { return r.When == "" || sameWhere(r.When, c.Where) })
}

func (a *auditor) takeCounter(c discover.Counter) {
	if a.noCounter(&c.Counter) {
		return
	}
	if t := a.tables[c.Column.Table]; c.Numbered && !t.decided && !a.tableAsked(t.Name) {
		line := t.plan
		line.Rows = merge.FirstRows
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s seems to say by %s what it counts: one row for both servers (rows: first)? Under new numbers the game would not find its counters", t.Name, merge.JoinCols(t.KeyCols())),
			Evidence: c.Evidence, Rows: t.total(), Table: &line,
		})
	}
	if slices.ContainsFunc(a.given.Counters, func(k merge.Counter) bool {
		own, ok := a.schema.Resolve(k.Column)
		return ok && own == c.Column && (sameWhere(k.Where, c.Where) || c.Where == "")
	}) {
		return
	}
	line, evidence := c.Counter, c.Evidence
	if old, _ := a.earlierCounter(&line); old != nil && old.Key != line.Key {
		evidence = fmt.Sprintf("it might count %s, too, with %s: %s", line.Key, planfile.CounterLine(&line), evidence)
		line = *old
	}
	if c.Own {
		a.askOneDrawn(c)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("does the game draw the numbers of %s from %s? If its rows are things of their own, say so under keys: %s", line.Key, line.Column, planfile.KeyLine(&merge.KeyPlan{Key: line.Column, New: merge.Shift})),
			Evidence: evidence, Counter: &line, Rows: a.tables[line.Key.Table].total(),
		})
		return
	}
	not := "If it does not, say so under references: "
	if len(c.Fits) > 0 {
		not = fmt.Sprintf("If it rather holds %s, as all or nearly all of its values might, say so under references: %s; if it does neither: ", oneOf(c.Fits), refersLine([]merge.Col{line.Column}, c.Fits[:1]))
	}
	a.askCounter(&line, not, evidence)
}

// askOneDrawn asks to keep one server's row in a table from which the game draws numbers: all of them would get the same one.
func (a *auditor) askOneDrawn(c discover.Counter) {
	t := a.tables[c.Column.Table]
	if t.decided || a.tableAsked(t.Name) || slices.Max(t.rows) == 0 {
		return
	}
	line := t.plan
	line.Rows, line.From = merge.FromRows, a.name(t.first())
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s seems to hold the last number of %s that the game drew from it: one row for all servers? If its rows are things of their own: {table: %[1]s, rows: merge}", t.Name, c.Key),
		Evidence: c.Evidence, Rows: t.total(), Table: &line,
	})
}

// askCounter asks whether the game counts, and says under which condition the column stays if it does not: its other rows may hold keys.
func (a *auditor) askCounter(c *merge.Counter, not, evidence string) {
	keep := planfile.ReferenceLine(&merge.Reference{From: []merge.Col{c.Column}, When: c.Where, As: merge.Keep})
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("does the game itself count %s in %s? %s%s; if it counts further keys there, add a line for each", c.Key, c.Column, not, keep),
		Evidence: evidence, Counter: c, Rows: a.tables[c.Key.Table].total(),
	})
}
