package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// table is one table of the output.
type table struct {
	*merge.Table
	rows    []int64 // by shard
	plan    merge.TablePlan
	decided bool   // by the plan, not by default
	dropped bool   // left out of the output: opaque and emptied by the plan
	doubt   string // why the rows of equal text keys may be the same thing everywhere
}

func (t *table) total() int64 {
	var n int64
	for _, r := range t.rows {
		n += r
	}
	return n
}

// secondMost is how many rows the shard has that has the second most, and so about how many may stand in two shards; all where one alone has any.
func (t *table) secondMost() int64 {
	sorted := slices.Sorted(slices.Values(t.rows))
	if n := len(sorted); n > 1 && sorted[n-2] > 0 {
		return sorted[n-2]
	}
	return t.total()
}

// sharedByTwo is which share of the smaller one's rows have the values of a list with the other's, at least and at most, of any two shards that have rows: with every server more, more
// values stand in two of all.
func (t *table) sharedByTwo(list []merge.Clash) (least, most float64) {
	shared, some := map[[2]int]int{}, func(i int) bool { return t.rows[i] > 0 }
	for _, c := range list {
		var in []int
		for _, row := range c.Rows {
			if !slices.Contains(in, row.Shard) {
				in = append(in, row.Shard)
			}
		}
		slices.Sort(in)
		for n, j := range in {
			for _, i := range in[:n] {
				shared[[2]int{i, j}]++
			}
		}
	}
	least = 1
	for j := range t.rows {
		for i := range j {
			if some(i) && some(j) {
				share := float64(shared[[2]int{i, j}]) / float64(min(t.rows[i], t.rows[j]))
				least, most = min(least, share), max(most, share)
			}
		}
	}
	return least, most
}

// first is the first shard that has rows; -1 where none has.
func (t *table) first() int { return slices.IndexFunc(t.rows, func(n int64) bool { return n > 0 }) }

// folds tells whether the table's rows of equal keys are the same thing on every server.
func (t *table) folds() bool {
	return t.plan.Rows == merge.FirstRows || t.plan.Rows == merge.UnionRows || t.plan.Rows == merge.FromRows
}

// mixes tells whether rows of several shards come into the output.
func (t *table) mixes() bool {
	return t.plan.Rows != merge.EmptyRows && t.plan.Rows != merge.FromRows
}

// takes tells whether rows of a shard come into the output.
func (t *table) takes(shard string) bool {
	return t.plan.Rows != merge.EmptyRows && (t.plan.Rows != merge.FromRows || t.plan.From == shard)
}

func (a *auditor) countTables(ctx context.Context) error {
	for _, t := range a.schema.Tables {
		line := &table{Table: t, rows: make([]int64, len(a.shards)), plan: merge.TablePlan{Table: t.Name, Rows: merge.MergeRows}}
		if rule := a.given.TableRule(a.schema, t.RuledBy()); rule != nil {
			line.plan, line.decided = *rule, true
			line.plan.Table, line.plan.Pattern = t.Name, false
			if line.plan.Rows == "" {
				line.plan.Rows = merge.MergeRows
			}
		}
		a.tables[t.Name] = line
		if t.Opaque != "" {
			if err := a.countOpaque(ctx, line); err != nil {
				return err
			}
			continue
		}
		for i, s := range a.shards {
			if !a.has(i, t.Name) {
				continue
			}
			n, err := s.Rows(ctx, t.Name)
			if err != nil {
				return err
			}
			line.rows[i] = n
		}
		line.suppose()
	}
	a.findLeftOut()
	return nil
}

// suppose says of a table without rows that its entry stands while it has none, and takes such an entry for none once it has some.
func (t *table) suppose() {
	switch empty := t.total() == 0; {
	case t.decided && t.plan.While == merge.WhileEmpty && !empty:
		t.plan, t.decided = merge.TablePlan{Table: t.Name, Rows: merge.MergeRows}, false
	case !t.decided && empty:
		t.plan.While = merge.WhileEmpty
	}
}

// lookupFold finds what a plan says of a column, however it spells it.
func lookupFold[V any](s *merge.Schema, m map[string]V, name string) (v V, ok bool) {
	for k, v := range m {
		if s.Equal(k, name) {
			return v, true
		}
	}
	return v, false
}

// foldKey is by which columns first, union and by-value fold rows.
func (a *auditor) foldKey(t *table) []string {
	if len(t.PrimaryKey) > 0 {
		return t.PrimaryKey
	}
	if t.plan.Rows == merge.ByValue {
		return []string{a.numberOf(t).key.Name}
	}
	var all []string
	for _, c := range t.Columns {
		if !c.Generated {
			all = append(all, c.Name)
		}
	}
	return all
}

// policy is the table's policy in a word.
func (t *table) policy() string {
	if t.plan.Rows == merge.FromRows {
		return "from " + t.plan.From
	}
	return string(t.plan.Rows)
}

// checkPlan refuses a plan that names what the databases do not have, and one that was written for other schemas.
func (a *auditor) checkPlan(ctx context.Context) error {
	p := a.given
	if p.Schema != "" && p.Schema != Fingerprint(a.raw) {
		a.schemaChanged()
	}
	for _, t := range p.Tables {
		if !slices.ContainsFunc(a.schema.Tables, func(known *merge.Table) bool { return t.Covers(a.schema, known.Name) }) {
			like := ""
			if t.Pattern {
				like = "like "
			}
			a.problem("tables: no shard has a table %s%q", like, t.Table)
			continue
		}
		if t.Rows == merge.FromRows && !slices.ContainsFunc(a.shards, func(s merge.Shard) bool { return s.Source().Name == t.From }) {
			a.problem("tables: %s: rows from %q, but no shard has that name; they are %s", t.Table, t.From, a.names())
		}
		if len(t.Purge) > 0 || len(t.On) > 0 {
			a.problem("tables: %s: purge is not carried out by this version; do it in the shards' copies first", t.Table)
		}
		a.checkMissing(&t)
		if known := a.schema.Table(t.Table); known != nil && !t.Pattern {
			for c, how := range t.Columns {
				if known.Column(c, a.schema.Fold) == nil {
					a.problem("tables: %s: no column %q; it has %s", t.Table, c, columnList(known))
				} else if how.By != "" && known.Column(how.By, a.schema.Fold) == nil {
					by := map[string]string{"latest": "is to be the latest by", "lowest": "is to be the lowest by", "set": "is to come from where something stands in"}[how.How]
					a.problem("tables: %s: %s %s %q, and there is no such column; it has %s", t.Table, c, by, how.By, columnList(known))
				}
			}
			for c, value := range t.Missing {
				if known.Column(c, a.schema.Fold) == nil {
					a.problem("tables: %s: no column %q; it has %s", t.Table, c, columnList(known))
				} else if err := a.tryCondition(ctx, known.Name, value); err != nil {
					a.problem("tables: %s: missing %s: %q: %v", t.Table, c, value, err)
				}
			}
		}
	}
	for _, r := range p.References {
		if r.Pattern.Any() && !a.coversAny(&r) {
			a.problem("references: %s: no shard has a column like it", r.Columns())
		}
	}
	a.checkTwice()
	a.checkParked()
	for i := range p.Keys {
		c, ok := a.schema.Resolve(p.Keys[i].Key)
		if !ok {
			a.problem("keys: %s", a.noColumn(c))
			continue
		}
		p.Keys[i].Key = c
	}
	for _, c := range p.Counters {
		for _, col := range []merge.Col{c.Column, c.Key} {
			if _, ok := a.schema.Resolve(col); !ok {
				a.problem("counters: %s", a.noColumn(col))
				continue
			}
		}
		if column := a.schema.Column(c.Column); column != nil && column.Generated {
			a.problem("counters: %s is computed by the engine from other columns; name that in which the game counts", c.Column)
		}
		if err := a.tryCondition(ctx, c.Column.Table, c.Where); err != nil {
			a.problem("counters: %s: where %q: %v", c.Column, c.Where, err)
		}
	}
	for i := range p.Uniques {
		u := &p.Uniques[i]
		for j, c := range u.Unique {
			col, ok := a.schema.Resolve(c)
			if !ok {
				a.problem("uniques: %s", a.noColumn(c))
				continue
			}
			if a.schema.Equal(u.Column, col.Name) {
				u.Column = col.Name
			}
			u.Unique[j] = col
		}
		a.tryCollation(ctx, u)
		if err := a.checkMark(ctx, u); err != nil {
			return err
		}
	}
	return nil
}

// noColumn says that a column is in no shard, and what is there instead.
func (a *auditor) noColumn(c merge.Col) string {
	if t := a.schema.Table(c.Table); t != nil {
		return fmt.Sprintf("no shard has a column %s; %s has %s", c, t.Name, columnList(t))
	}
	return fmt.Sprintf("no shard has a column %s, nor a table %s", c, tableName(c.Table))
}

// columnList names a table's columns, the first of many.
func columnList(t *merge.Table) string {
	var words []string
	for _, c := range t.Columns {
		words = append(words, c.Name)
	}
	if more := len(words) - listed; more > 0 {
		words = append(words[:listed], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, ", ")
}

// names are the shards' names.
func (a *auditor) names() string {
	var words []string
	for i := range a.shards {
		words = append(words, a.name(i))
	}
	return strings.Join(words, ", ")
}

// tryCondition compiles an SQL condition on a table in the shards that have it.
func (a *auditor) tryCondition(ctx context.Context, table, condition string) error {
	if condition == "" {
		return nil
	}
	for i, s := range a.shards {
		if a.has(i, table) {
			if _, err := s.Count(ctx, table, condition); err != nil {
				if lacks := a.lacking(i, table, condition); lacks != "" {
					return fmt.Errorf("%s lacks the column %s; add it to a copy of %[1]s, declared as elsewhere, and fill it there", a.name(i), lacks)
				}
				return fmt.Errorf("%s: %w", a.name(i), err)
			}
		}
	}
	return nil
}

// tryCollation refuses a collation of a rule under uniques that the database does not have, before anything is compared by it.
func (a *auditor) tryCollation(ctx context.Context, u *merge.UniquePlan) {
	if u.Collate == "" || len(u.Unique) == 0 {
		return
	}
	table := u.Unique[0].Table
	if a.tryCondition(ctx, table, "'' = ''") != nil {
		return // another matter
	}
	if a.tryCondition(ctx, table, "'' = ''"+a.collateBy(u.Collate)) != nil {
		a.problem("uniques: %s: collate %q: no such collation; name a collation of the database, or leave it out", merge.JoinCols(u.Unique), u.Collate)
	}
}

// lacking is a column of a table that a condition names and a shard lacks; "" when there is none.
func (a *auditor) lacking(shard int, table, condition string) string {
	names, _ := merge.SQLNames(condition)
	for _, c := range a.schema.Table(table).Columns {
		if slices.Contains(names, merge.FoldASCII(c.Name)) && a.shards[shard].Schema().Column(merge.Col{Table: table, Name: c.Name}) == nil {
			return c.Name
		}
	}
	return ""
}

// schemaChanged says which tables a plan for other schemas does not know, or knows in vain.
func (a *auditor) schemaChanged() {
	a.stale = true
	var news []string
	for _, t := range a.schema.Tables {
		if a.given.TableRule(a.schema, t.Name) == nil {
			news = append(news, t.Name)
		}
	}
	a.problem("schema: the databases are not declared as they were when the plan was written; refresh it with merge-check --update-plan")
	if len(news) > 0 {
		a.problem("schema: tables that the plan does not know: %s", strings.Join(news, ", "))
	} else {
		a.problem("schema: every table is known, so columns, keys, indexes, triggers or views differ")
	}
}
