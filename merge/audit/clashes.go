package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// realClashes leaves out values that new keys keep apart, and rows that a policy for the table folds.
func (a *auditor) realClashes(u *merge.Unique, t *table, policy merge.Rows, list []merge.Clash) []merge.Clash {
	var out []merge.Clash
	for _, c := range list {
		groups := map[string][]merge.ClashRow{}
		var order []string
		for _, row := range c.Rows {
			if a.left(t, u, row) || a.foldsAway(u, row) {
				continue
			}
			key := a.imageKey(u, row)
			if _, ok := groups[key]; !ok {
				order = append(order, key)
			}
			groups[key] = append(groups[key], row)
		}
		for _, k := range order {
			rows := groups[k]
			if policy == merge.FirstRows || policy == merge.UnionRows || policy == merge.ByValue {
				rows = a.foldRows(t, u, rows)
			}
			if len(rows) > 1 {
				out = append(out, merge.Clash{Rows: rows})
			}
		}
	}
	return out
}

// left tells whether a row is one that a reference drops.
func (a *auditor) left(t *table, u *merge.Unique, row merge.ClashRow) bool {
	cols, values := t.KeyCols(), row.Key
	if len(values) == 0 || len(cols) == 0 { // a row without a key is known by the value itself
		cols, values = u.Cols(), row.Values
	}
	if len(cols) != 1 || len(values) != 1 {
		return false
	}
	gone := a.gone[cols[0]]
	return gone != nil && gone[row.Shard][valueText(values[0])]
}

// foldRows keeps one row of those whose primary keys become one.
func (a *auditor) foldRows(t *table, u *merge.Unique, rows []merge.ClashRow) []merge.ClashRow {
	if u.Primary {
		return rows[:1]
	}
	key, seen := t.primary(), map[string]bool{}
	if t.plan.Rows == merge.ByValue {
		key = &merge.Unique{Table: t.Name, Columns: a.foldKey(t)}
	}
	var out []merge.ClashRow
	for _, r := range rows {
		if key != nil && len(r.Key) > 0 {
			image := a.imageOf(t, key, merge.ClashRow{Shard: r.Shard, Values: r.Key, Key: r.Key}, nil)
			if seen[image] {
				continue
			}
			seen[image] = true
		}
		if len(t.PrimaryKey) == 0 { // the number by which it folds is nothing by which a renamed row is found
			r.Key = nil
		}
		out = append(out, r)
	}
	return out
}

// comparable is a primary key in a form in which the bytes of equal keys are equal.
func (t *table) comparable(key []any) []any {
	if u := t.primary(); u != nil {
		return comparedBy(u, key)
	}
	return slices.Clone(key)
}

// comparedBy are values of a unique key in a form in which the bytes of equal ones are equal.
func comparedBy(u *merge.Unique, values []any) []any {
	out := slices.Clone(values)
	for i := range out {
		if text, ok := out[i].(string); ok && i < len(u.Collations) {
			out[i] = merge.Collated(text, u.Collations[i])
		}
	}
	return out
}

// judgeClashes renames, blocks or asks.
func (a *auditor) judgeClashes(ctx context.Context, u *merge.Unique, t *table, plan *merge.UniquePlan, list []merge.Clash, open answered) error {
	text, counters := a.textColumn(u, plan), len(a.countersBy(u)) > 0
	if open.ask {
		if list = a.stuck(u, t, text, list); len(list) == 0 {
			return nil
		}
	}
	var rows int64
	var samples []string
	for _, c := range list {
		rows += int64(len(c.Rows) - 1)
		if len(samples) < listed {
			samples = append(samples, tupleText(c.Rows[0].Values))
		}
	}
	name := keyName(u)
	led := a.ledAlone(u)
	if text != "" && led == nil && t.doubt == "" && !counters && !a.computed(u) {
		a.res.Verdict.NameClash += int64(len(list))
	}
	f := merge.Finding{
		Rule: "unique-conflict", Severity: merge.Decide, Table: t.Name, Column: columnsOf(u), Rows: rows, Samples: samples,
		Text: inTwo(len(list), "the unique key "+name),
	}
	if met := a.metBy(u); met != "" {
		f.Text += ", " + met
		defer a.noteFrom(len(a.res.Undecided), met)
	}
	if n := a.inForm[u]; n > 0 {
		f.Text += fmt.Sprintf(", %d of them in the form in which another column of the row repeats them", n)
	}
	if open.note != "" {
		f.Text += ", " + open.note
	}
	var same *sameRow
	if open.ask && text != "" && len(u.Columns) == 1 && !a.computed(u) {
		var err error
		if same, err = a.repeatsInRow(ctx, t, u.Cols()[0]); err != nil {
			return err
		}
	}
	switch {
	case plan != nil && plan.OnConflict == "rename" && same != nil && same.evidence != "":
		return a.askSameRow(ctx, f, u, t, same, list)
	case plan != nil && plan.OnConflict == "rename":
		if text == "" {
			if !slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return a.schema.Holds(c) == merge.Text }) {
				a.problem("uniques: %s holds no text that could be renamed; give a column new keys (keys: {key: ..., new: shift}), or say on_conflict: fail", name)
				return nil
			}
			a.problem("uniques: %s has no single text column to rename; name it with column:", name)
			return nil
		}
		f.Severity = merge.Info
		f.Text += "; the losers are renamed"
		at := len(a.res.Findings)
		a.find(f)
		err := a.renameLosers(ctx, u, text, plan, list, &f)
		a.res.Findings[at] = f
		return err
	case len(u.Columns) == 1 && a.spaces[u.Cols()[0]] != nil && a.spaces[u.Cols()[0]].wholes: // once they are numbers, new ones may keep every row
		f.Next = "have the fractions among them stored as whole numbers first"
		a.find(f)
	case !open.ask:
		f.Next = "answer that first"
		a.find(f)
	case plan != nil:
		f.Severity, f.Next = merge.Block, a.waysApart(u, text)+a.orFold(u, t, list)
		switch {
		case a.stays(u) && t.folds():
			f.Next = oneNumber(u, t)
		case a.stays(u):
			f.Next = oneOfTwo
		case led != nil:
			f.Next = a.oneAtEach(u, led) + a.orFold(u, t, list)
			fallthrough
		default:
			one, err := a.orOneOfTwo(ctx, u, t, list)
			if err != nil {
				return err
			}
			if one != "" {
				f.Next += "." + one
			}
		}
		a.find(f)
		return nil
	case counters:
		if err := a.askCounters(ctx, u, t, list, samples, f); err != nil {
			return err
		}
	case led != nil && !u.Primary:
		f.Next = a.oneAtEach(u, led) + a.orFold(u, t, list)
		one, err := a.orOneRow(ctx, u, t)
		if err != nil {
			return err
		}
		if one != "" {
			f.Next += "." + one
		}
		a.find(f)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s, and it refers to %s, so that neither a new number nor a name tells them apart: which of two rows comes? As the line below stands, nothing is merged until one is left: %s. %s takes one server's rows alone",
				inTwo(len(list), name), staysAt(led), f.Next, oneServersLine(t.Name, a.name(0))), Rows: rows,
			Evidence: strings.Join(samples, ", "), Unique: &merge.UniquePlan{Unique: u.Cols(), OnConflict: "fail"},
		})
	case led == nil && len(u.Columns) == 1 && (text != "" || !u.Primary) && a.sameThing(t, u, list) != "":
		f.Next = a.foldOrRename(u, t, list)
		a.find(f)
		a.askSameThing(u, t, list, samples)
	case same != nil:
		return a.askSameRow(ctx, f, u, t, same, list)
	case led == nil && u.Primary && a.textKey(t.Table) && !t.decided && a.oneState(t):
		f.Next = "choose rows: first, union or {from: SHARD} for the table, or rename the later shards' rows (on_conflict: rename)"
		a.find(f)
		a.askOneOfEach(t, u, "every shard has one row, as of the state or the settings of the world, of which the game expects one", int64(len(list)))
	case led == nil && u.Primary && a.textKey(t.Table) && allText(list):
		f.Next = "rename the later shards' rows (on_conflict: rename), or choose rows: first, union or {from: SHARD} for the table"
		a.find(f)
		a.askTextKey(u, t, list, samples)
	case u.Primary:
		f.Next = "choose rows: first, union or {from: SHARD} for the table, or give a column new keys"
		if len(u.Columns) == 1 && (led != nil || !allNumbers(list)) {
			f.Next = "choose rows: first, union or {from: SHARD} for the table, or give one shard's rows other keys in a copy of it"
		}
		a.find(f)
		return a.askSameKey(ctx, u, t, list, rows, samples)
	case a.computed(u):
		return a.judgeComputed(ctx, u, t, list, f)
	case text != "" && len(u.Columns) == 1:
		question := inTwo(len(list), name) + ": rename the later shards' rows?"
		if no := noTexts(list, 0); len(no) > 0 {
			question += fmt.Sprintf(" %s no text, which gets no other name: give such rows one in copies of the shards first", counted(int64(len(no)), "of the rows holds", "of the rows hold"))
		}
		one := a.butOneNumber(t, a.sameNumbers(t, u, list))
		if one == "" {
			var err error
			if one, err = a.orOneOfTwo(ctx, u, t, list); err != nil {
				return err
			}
		}
		question += one
		a.askRename(f, question, &merge.UniquePlan{Unique: u.Cols(), OnConflict: "rename", Template: a.template(u.Cols()...)})
	case a.stays(u) && t.folds(): // by another key: nothing gives such rows new numbers, whatever is said under keys
		f.Next = oneNumber(u, t)
		a.find(f)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s, where the rows fold by %s (rows: %s), so that no line under keys has an effect: which row does such a number mean? As the line below stands, nothing is merged until it means one: %s",
				inTwo(len(list), name), merge.JoinCols(t.KeyCols()), t.policy(), f.Next), Rows: rows,
			Evidence: strings.Join(samples, ", "), Unique: &merge.UniquePlan{Unique: u.Cols(), OnConflict: "fail"},
		})
	case a.stays(u):
		f.Next = oneOfTwo
		a.find(f)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s, and the plan keeps them (new: static): one account, or one thing, in two rows? As the line below stands, nothing is merged until there is one: %s. %s keeps both",
				inTwo(len(list), name), oneOfTwo, shiftLine(u.Cols()[0])), Rows: rows,
			Evidence: strings.Join(samples, ", "), Unique: &merge.UniquePlan{Unique: u.Cols(), OnConflict: "fail"},
		})
	case len(u.Columns) == 1 && u.Plain() && a.schema.Holds(u.Cols()[0]) == merge.Integer && allNumbers(list):
		f.Next = "give the column new keys (keys: ...)" + a.orFold(u, t, list)
		a.find(f)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s: give the later ones new values?", inTwo(len(list), name)), Rows: rows,
			Evidence: strings.Join(samples, ", "), Key: &merge.KeyPlan{Key: u.Cols()[0], New: merge.Shift},
		})
	default:
		f.Next = a.waysApart(u, text) + a.orFold(u, t, list)
		a.find(f)
		held, err := a.heldTogether(ctx, u)
		if err != nil {
			return err
		}
		if held != "" {
			held = " " + held
		}
		one, err := a.orOneOfTwo(ctx, u, t, list)
		if err != nil {
			return err
		}
		if one == "" && !u.Primary {
			if one, err = a.byNullable(ctx, t); err != nil {
				return err
			}
			if one != "" {
				one = " Where two such rows are one, " + one
			}
		}
		line := merge.UniquePlan{Unique: u.Cols(), OnConflict: "fail"}
		switch led := a.ledBy(merge.Col{Table: t.Name, Name: text}); {
		case led != nil:
			held += fmt.Sprintf(" %s follows %s, so that no rename tells them apart, and which of two rows moves to another %s is the game's own business", led.From[0], led.To[0], a.besideIt(u, text))
		case text != "" && a.renameWorks(u) && (one == "" || !a.foldsBy(u, t)): // what belongs to one player is told apart by what it is
			line = merge.UniquePlan{Unique: u.Cols(), OnConflict: "rename", Template: a.template(merge.Col{Table: t.Name, Name: text}), Column: text}
		}
		if one != "" {
			if held != "" {
				held += "."
			}
			held += one
		}
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s: what changes?%s", inTwo(len(list), "the unique key "+name), held), Rows: rows,
			Evidence: strings.Join(samples, ", "), Unique: &line,
		})
	}
	return nil
}

// askRename asks whether the losers of a unique key's clashes are renamed. Two keys over the same columns, as one over a name and one over its small letters, are one
// question, by the comparison that calls more names equal.
func (a *auditor) askRename(f merge.Finding, question string, line *merge.UniquePlan) {
	f.Next = "rename the losers (on_conflict: rename), or fail"
	a.find(f)
	a.askLosers(merge.Undecided{Question: question, Rows: f.Rows, Evidence: strings.Join(f.Samples, ", "), Unique: line})
}

// askLosers asks about a rename, unless it is asked about: then the comparison that calls more names equal holds.
func (a *auditor) askLosers(q merge.Undecided) {
	for i := range a.res.Undecided {
		if u := &a.res.Undecided[i]; u.Unique != nil && u.Unique.OnConflict == "rename" && slices.Equal(u.Unique.Unique, q.Unique.Unique) {
			u.Unique.Collate = cmp.Or(u.Unique.Collate, q.Unique.Collate)
			return
		}
	}
	a.ask(q)
}

// foldingHelps tells whether every value that clashes is one of rows with one key, so that rows: first or union leaves it once. Rows with other keys never fold.
func (a *auditor) foldingHelps(u *merge.Unique, t *table, list []merge.Clash) bool {
	return len(a.realClashes(u, t, merge.FirstRows, list)) == 0
}

// orFold is the advice to fold, where it helps.
func (a *auditor) orFold(u *merge.Unique, t *table, list []merge.Clash) string {
	if a.foldingHelps(u, t, list) {
		return ", or fold the table's rows (rows: first)"
	}
	return ""
}

// stays tells whether the plan itself says that the numbers of a unique key stay.
func (a *auditor) stays(u *merge.Unique) bool {
	s := a.spaces[u.Cols()[0]]
	return len(u.Columns) == 1 && u.Plain() && s != nil && s.byPlan && s.plan.New == merge.Static
}

// noteFrom adds words to the evidence of the questions from the n-th on.
func (a *auditor) noteFrom(n int, words string) {
	for i := n; i < len(a.res.Undecided); i++ {
		a.res.Undecided[i].Evidence = joinWords(a.res.Undecided[i].Evidence, words)
	}
}

// textColumn is the text column of a unique key that a rename changes; "" when there is none, or several and no word which.
func (a *auditor) textColumn(u *merge.Unique, plan *merge.UniquePlan) string {
	if plan != nil && plan.Column != "" {
		return plan.Column
	}
	found := ""
	for _, c := range u.Cols() {
		column := a.schema.Column(c)
		if a.schema.Holds(c) != merge.Text || column.Generated {
			continue
		}
		if found != "" {
			return ""
		}
		found = column.Name
	}
	return found
}
