package audit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// clashLimit is how many clashing values are read; more than that are counted, not listed.
const clashLimit = 1_000_000

// checkUniques looks for values of unique keys that two shards hold, by the engine's own comparison, and renames where the plan says so.
func (a *auditor) checkUniques(ctx context.Context) error {
	a.checkMarkedReferences()
	for _, u := range a.uniques() {
		t := a.tables[u.Table]
		if t.dropped || t.plan.Rows == merge.EmptyRows || t.plan.Rows == merge.FromRows || a.asked(u) || a.apart(u) && a.everywhere(u) {
			continue
		}
		if a.remade(u) {
			a.unjudged = append(a.unjudged, u.Table)
			continue
		}
		plan := a.uniquePlan(u)
		collate, winner := "", ""
		if plan != nil {
			collate, winner = plan.Collate, plan.Winner
		}
		search := *u
		search.Among = a.among(u)
		list, total, err := a.engine.Clashes(ctx, a.raw, search, collate, winner, clashLimit)
		if err != nil && winner != "" {
			if _, _, plain := a.engine.Clashes(ctx, a.raw, search, collate, "", clashLimit); plain == nil {
				a.problem("uniques: %s: winner %q: %v", merge.JoinCols(u.Cols()), winner, err)
				continue
			}
		}
		if err != nil {
			return fmt.Errorf("unique key %s: %w", merge.JoinCols(u.Cols()), err)
		}
		found := list
		list = a.ownTwins(u, a.realClashes(u, t, list))
		if total > clashLimit && a.partOfComposite(u) { // those that were not listed cannot be told apart
			list = found
		}
		if len(list) == 0 || total == 0 {
			continue
		}
		if err := a.judgeClashes(ctx, u, t, plan, list); err != nil {
			return err
		}
	}
	return nil
}

// uniques are the unique keys of the schema and those that only the plan declares.
func (a *auditor) uniques() []*merge.Unique {
	var list []*merge.Unique
	for _, t := range a.schema.Tables {
		list = append(list, t.Uniques...)
	}
	for _, p := range a.given.Uniques {
		u := &merge.Unique{Table: p.Unique[0].Table}
		for _, c := range p.Unique {
			column, ok := a.schema.Resolve(c)
			if !ok {
				continue
			}
			u.Table = column.Table
			u.Columns = append(u.Columns, column.Name)
			u.Collations = append(u.Collations, a.schema.Column(column).Collation)
		}
		if !slices.ContainsFunc(list, func(v *merge.Unique) bool { // also a partial one: the rows that it leaves out may share a name
			return v.Table == u.Table && slices.Equal(v.Columns, u.Columns)
		}) {
			list = append(list, u)
		}
	}
	return list
}

func (a *auditor) uniquePlan(u *merge.Unique) *merge.UniquePlan {
	for i := range a.given.Uniques {
		p := &a.given.Uniques[i]
		if len(p.Unique) != len(u.Columns) {
			continue
		}
		same := true
		for j, c := range p.Unique {
			same = same && a.schema.Equal(c.Table, u.Table) && a.schema.Equal(c.Name, u.Columns[j])
		}
		if same {
			return p
		}
	}
	return nil
}

// asked tells whether an open question about the table, or about a column of the key, has to be answered before its conflicts mean anything.
func (a *auditor) asked(u *merge.Unique) bool {
	return slices.ContainsFunc(a.res.Undecided, func(q merge.Undecided) bool {
		if q.Table != nil && q.Table.Table == u.Table {
			return true
		}
		return q.Reference != nil && q.Reference.As == merge.Plain && slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return slices.Contains(q.Reference.From, c) })
	})
}

// apart tells whether new keys keep the rows of two shards apart: a column holds keys of a space in which no two shards share one, in every row.
func (a *auditor) apart(u *merge.Unique) bool {
	for _, c := range u.Cols() {
		if s := a.spaces[c]; s != nil && s.plan.New != merge.Static && s.other == 0 {
			return true
		}
		for _, r := range a.plain() {
			if len(r.None) == 0 && a.separates(r, c) {
				return true
			}
		}
	}
	return false
}

// separates tells whether a reference gives the rows of two shards different values in a column, but for those that mean nobody.
func (a *auditor) separates(r *reference, c merge.Col) bool {
	return len(r.From) == 1 && r.From[0] == c && r.When == "" && r.spaces[0] != nil && r.spaces[0].plan.New != merge.Static && !r.hasOther() &&
		(r.Orphans != merge.ByClear || !a.schema.Column(c).NotNull)
}

// among narrows a search for clashes: where a column of the key is a reference, only rows in which it means nobody can clash.
func (a *auditor) among(u *merge.Unique) string {
	for _, c := range u.Cols() {
		for _, r := range a.plain() {
			if len(r.None) == 0 || !a.separates(r, c) {
				continue
			}
			var words []string
			for _, v := range r.None {
				words = append(words, a.engine.Literal(v))
				if n, ok := v.(int64); ok { // nobody may stand as text, too
					words = append(words, a.engine.Literal(strconv.FormatInt(n, 10)))
				}
			}
			return a.engine.Quote(c.Name) + " IN (" + strings.Join(words, ", ") + ")"
		}
	}
	return ""
}

func (r *reference) hasOther() bool {
	return slices.ContainsFunc(r.counts, func(c *merge.RefCount) bool { return c != nil && (len(c.Other) > 0 || c.Named > 0) })
}

// realClashes leaves out values that new keys keep apart, and rows that the table's policy folds.
func (a *auditor) realClashes(u *merge.Unique, t *table, list []merge.Clash) []merge.Clash {
	var out []merge.Clash
	for _, c := range list {
		groups := map[string][]merge.ClashRow{}
		var order []string
		for _, row := range c.Rows {
			if a.left(t, u, row) {
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
			if t.plan.Rows == merge.FirstRows || t.plan.Rows == merge.UnionRows {
				rows = foldRows(t, u, rows)
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
	if len(values) == 0 { // a row without a key is known by the value itself
		cols, values = u.Cols(), row.Values
	}
	if len(cols) != 1 || len(values) != 1 {
		return false
	}
	gone := a.gone[cols[0]]
	return gone != nil && gone[row.Shard][valueText(values[0])]
}

// foldRows keeps one row of each primary key.
func foldRows(t *table, u *merge.Unique, rows []merge.ClashRow) []merge.ClashRow {
	if u.Primary {
		return rows[:1]
	}
	seen := map[string]bool{}
	var out []merge.ClashRow
	for _, r := range rows {
		key := tupleText(t.comparable(r.Key))
		if len(r.Key) > 0 && seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, r)
	}
	return out
}

// comparable is a primary key in a form in which the bytes of equal keys are equal.
func (t *table) comparable(key []any) []any {
	out := slices.Clone(key)
	for _, u := range t.Uniques {
		for i := range out {
			text, ok := out[i].(string)
			if !ok || !u.Primary || i >= len(u.Collations) {
				continue
			}
			switch strings.ToUpper(u.Collations[i]) {
			case "NOCASE":
				out[i] = merge.FoldASCII(text)
			case "RTRIM":
				out[i] = strings.TrimRight(text, " ")
			}
		}
	}
	return out
}

// imageKey tells rows of one clash apart by the images of those columns that hold keys.
func (a *auditor) imageKey(u *merge.Unique, row merge.ClashRow) string {
	var words []string
	for i, name := range u.Columns {
		if name == "" || i >= len(row.Values) {
			continue
		}
		c := merge.Col{Table: u.Table, Name: name}
		v, ok := row.Values[i].(int64)
		if !ok {
			continue
		}
		s := a.spaceOf(c)
		if s == nil {
			s = a.partOf(c, u)
		}
		if s != nil && s.result != nil && !a.nobody(c, v) {
			image, _ := s.result.Maps[row.Shard].Lookup(v)
			words = append(words, fmt.Sprint(image))
		}
	}
	return strings.Join(words, ",")
}

// spaceOf is the key space under which a column's values change in every row; nil when there is none.
func (a *auditor) spaceOf(c merge.Col) *space {
	if s := a.spaces[c]; s != nil {
		return s
	}
	for _, r := range a.plain() {
		if len(r.From) == 1 && r.From[0] == c && r.When == "" {
			return r.spaces[0]
		}
	}
	return nil
}

// partOf is the key space under which a column's values change as a part of one composite reference, all of whose columns stand in a unique key and so are not
// null where values clash; nil when there is none, or when another reference has a say.
func (a *auditor) partOf(c merge.Col, u *merge.Unique) *space {
	var s *space
	for _, r := range a.plain() {
		at := slices.Index(r.From, c)
		if at < 0 {
			continue
		}
		outside := slices.ContainsFunc(r.From, func(f merge.Col) bool { return !slices.Contains(u.Cols(), f) })
		if len(r.From) == 1 || outside || r.When != "" || len(r.None) > 0 || s != nil && s != r.spaces[at] {
			return nil
		}
		s = r.spaces[at]
	}
	return s
}

func (a *auditor) partOfComposite(u *merge.Unique) bool {
	return u.Plain() && slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return a.spaceOf(c) == nil && a.partOf(c, u) != nil })
}

func (a *auditor) nobody(c merge.Col, v int64) bool {
	return slices.ContainsFunc(a.refs, func(r *reference) bool {
		return len(r.From) == 1 && r.From[0] == c && slices.Contains(r.None, any(v))
	})
}

// judgeClashes renames, blocks or asks.
func (a *auditor) judgeClashes(ctx context.Context, u *merge.Unique, t *table, plan *merge.UniquePlan, list []merge.Clash) error {
	var rows int64
	var samples []string
	for _, c := range list {
		rows += int64(len(c.Rows) - 1)
		if len(samples) < listed {
			samples = append(samples, tupleText(c.Rows[0].Values))
		}
	}
	name := merge.JoinCols(u.Cols())
	if u.Name != "" && !u.Plain() {
		name = u.Name + " on " + t.Name
	}
	text := a.textColumn(u, plan)
	if text != "" && t.doubt == "" {
		a.res.Verdict.NameClash += int64(len(list))
	}
	f := merge.Finding{
		Rule: "unique-conflict", Severity: merge.Decide, Table: t.Name, Column: strings.Join(u.Columns, ", "), Rows: rows, Samples: samples,
		Text: inTwo(len(list), "the unique key "+name),
	}
	switch {
	case plan != nil && plan.OnConflict == "rename":
		if text == "" {
			a.problem("uniques: %s has no single text column to rename; name it with column:", name)
			return nil
		}
		f.Severity = merge.Info
		f.Text += "; the losers are renamed"
		a.find(f)
		return a.renameLosers(ctx, u, text, plan, list)
	case plan != nil:
		f.Severity, f.Next = merge.Block, "rename one of the two by hand, or choose on_conflict: rename"
		a.find(f)
		return nil
	case u.Primary && a.textKey(t.Table) && allText(list):
		f.Next = "rename the later shards' rows (on_conflict: rename), or choose rows: first, union or {from: SHARD} for the table"
		a.find(f)
		a.askTextKey(u, t, list, samples)
	case u.Primary:
		f.Next = "choose rows: first, union or {from: SHARD} for the table, or give a column new keys"
		a.find(f)
		line := t.plan
		line.Rows = merge.FirstRows
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s: the same thing on every server (rows: first, union, {from: SHARD})?", inTwo(int(rows), "the key "+name)),
			Rows:     rows, Evidence: "keys " + strings.Join(samples, ", "), Table: &line,
		})
	case a.computed(u):
		f.Severity, f.Next = merge.Block, "repair the rows of one shard, or fold the table's rows"
		a.find(f)
	case text != "" && len(u.Columns) == 1:
		f.Next = "rename the losers (on_conflict: rename), or fail"
		a.find(f)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s: rename the later shards' rows?", inTwo(len(list), name)), Rows: rows,
			Evidence: strings.Join(samples, ", "), Unique: &merge.UniquePlan{Unique: u.Cols(), OnConflict: "rename", Template: a.template()},
		})
	case len(u.Columns) == 1 && u.Plain() && a.schema.Column(u.Cols()[0]).Affinity == merge.Integer:
		f.Next = "give the column new keys (keys: ...), or fold the table's rows"
		a.find(f)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s: give the later ones new values?", inTwo(len(list), name)), Rows: rows,
			Evidence: strings.Join(samples, ", "), Key: &merge.KeyPlan{Key: u.Cols()[0], New: merge.Shift},
		})
	default:
		f.Next = "fold the table's rows, name the column to change, or repair the rows"
		a.find(f)
		line := merge.UniquePlan{Unique: u.Cols(), OnConflict: "fail"}
		if text != "" {
			line = merge.UniquePlan{Unique: u.Cols(), OnConflict: "rename", Template: a.template(), Column: text}
		}
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s: what changes?", inTwo(len(list), "the unique key "+name)), Rows: rows,
			Evidence: strings.Join(samples, ", "), Unique: &line,
		})
	}
	return nil
}

// textColumn is the text column of a unique key that a rename changes; "" when there is none, or several and no word which.
func (a *auditor) textColumn(u *merge.Unique, plan *merge.UniquePlan) string {
	if plan != nil && plan.Column != "" {
		return plan.Column
	}
	found := ""
	for _, c := range u.Cols() {
		column := a.schema.Column(c)
		if column == nil || column.Affinity != merge.Text || column.Generated {
			continue
		}
		if found != "" {
			return ""
		}
		found = column.Name
	}
	return found
}
