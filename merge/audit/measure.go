package audit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// manyOrphans is the share of dead references above which the reference itself is in doubt.
const manyOrphans = 0.05

// listed is how many values a message names.
const listed = 8

// measureReferences counts what every reference holds, repeats while rows are dropped, and asks about what nobody has decided.
func (a *auditor) measureReferences(ctx context.Context) error {
	for _, r := range a.refs {
		if r.As == merge.Keep {
			continue
		}
		if err := a.measure(ctx, r); err != nil {
			return err
		}
	}
	// Rows that are dropped take their keys with them; what referred to those is dead now, and may be dropped in turn.
	for changed := true; changed; {
		changed = false
		for _, r := range a.plain() {
			if r.Orphans != merge.ByDrop {
				continue
			}
			again, err := a.dropRows(ctx, r)
			if err != nil {
				return err
			}
			changed = changed || again
		}
	}
	for _, r := range a.plain() { // a copy may be out of date; only renames concern it
		a.judge(r)
	}
	return a.checkConditions(ctx)
}

// alive is the set of keys of a target column that come into the output with a shard's rows.
func (a *auditor) alive(ctx context.Context, to merge.Col, shard int) (*merge.KeySet, error) {
	if s := a.spaces[to]; s != nil {
		return s.alive[shard], nil
	}
	t := a.tables[to.Table]
	if t.plan.Rows == merge.EmptyRows {
		return merge.NewKeySet(), nil
	}
	source := shard
	if t.plan.Rows == merge.FromRows {
		source = slices.IndexFunc(a.shards, func(x merge.Shard) bool { return x.Source().Name == t.plan.From })
	}
	k, err := a.shards[source].Keys(ctx, to)
	if err != nil {
		return nil, err
	}
	if lost := a.lost[to]; lost != nil && lost[source] != nil {
		return k.Set.Without(lost[source]), nil
	}
	return k.Set, nil
}

func (a *auditor) measure(ctx context.Context, r *reference) error {
	r.counts = make([]*merge.RefCount, len(a.shards))
	r.cleared = make([]*merge.KeySet, len(a.shards))
	t := a.tables[r.table()]
	queries := make([]*merge.RefQuery, len(a.shards))
	for i, s := range a.shards {
		r.cleared[i] = merge.NewKeySet()
		if !a.has(i, t.Name) || !t.takes(a.name(i)) || s.Schema().Column(r.From[0]) == nil {
			continue
		}
		q := merge.RefQuery{Reference: &r.Reference}
		single := len(r.From) == 1 && r.As == merge.Plain && r.spaces[0] != nil
		if single {
			var err error
			if q.Alive, err = a.alive(ctx, r.To[0], i); err != nil {
				return err
			}
			q.Moving = r.spaces[0].moving[i]
		} else if r.As != merge.Plain && s.Schema().Column(r.To[0]) == nil {
			continue // nothing to repeat
		}
		queries[i] = &q
	}
	err := a.sideBySide(func(i int) (err error) {
		if queries[i] == nil {
			return nil
		}
		if r.counts[i], err = a.shards[i].Measure(ctx, *queries[i]); err != nil {
			return fmt.Errorf("%s in %s: %w", r.String(), a.name(i), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		for _, dead := range c.Dead {
			a.bury(r, i, dead)
		}
	}
	return nil
}

// bury notes a dead value for the key spaces it would be a key of.
func (a *auditor) bury(r *reference, shard int, dead merge.ValueCount) {
	for part, s := range r.spaces {
		if s == nil || part >= len(dead.Value) {
			continue
		}
		v, ok := dead.Value[part].(int64)
		if !ok {
			continue
		}
		if len(r.From) == 1 && (r.Orphans == merge.ByClear || r.Orphans == merge.ByDrop) {
			r.cleared[shard].Add(v)
			continue
		}
		if !s.alive[shard].Has(v) {
			s.dead[shard].Add(v)
		}
	}
}

// dropRows takes the keys of rows that a reference drops out of what is alive, and measures again what refers to them.
func (a *auditor) dropRows(ctx context.Context, r *reference) (changed bool, err error) {
	var users []*reference
	for i, sh := range a.shards {
		if r.counts[i] == nil || r.cleared[i].Len() == 0 {
			continue
		}
		condition := a.inList(r.From[0], r.cleared[i])
		if r.When != "" {
			condition += " AND (" + r.When + "\n)"
		}
		for _, key := range a.keysIn(r.table()) {
			if sh.Schema().Column(key) == nil {
				continue
			}
			rows, err := sh.Values(ctx, key, condition, 0)
			if err != nil {
				return false, err
			}
			if a.bereave(key, i, rows) {
				changed = true
				users = append(users, a.usersOf(key)...)
			}
		}
	}
	for _, user := range users {
		if user.spaces[0] == nil || len(user.From) > 1 {
			a.find(merge.Finding{
				Rule: "drop", Severity: merge.Block, Table: user.table(), Column: user.From[0].Name,
				Text: fmt.Sprintf("%s drops rows of %s that %s refers to by more than a number, which is not carried out", r.String(), r.table(), merge.JoinCols(user.From)),
				Next: "choose orphans: tombstone or clear for " + merge.JoinCols(r.From),
			})
			continue
		}
		if err := a.measure(ctx, user); err != nil {
			return false, err
		}
	}
	return changed, nil
}

// keysIn are the columns of a table that hold keys of their own or are referred to.
func (a *auditor) keysIn(table string) (list []merge.Col) {
	for _, s := range a.order {
		if s.key.Table == table {
			list = append(list, s.key)
		}
	}
	for _, r := range a.plain() {
		for _, to := range r.To {
			if to.Table == table && !slices.Contains(list, to) {
				list = append(list, to)
			}
		}
	}
	return list
}

func (a *auditor) usersOf(key merge.Col) (list []*reference) {
	for _, r := range a.plain() {
		if slices.Contains(r.To, key) {
			list = append(list, r)
		}
	}
	return list
}

// bereave takes values of a column out of what is alive; it is false when they were out before.
func (a *auditor) bereave(key merge.Col, shard int, rows []merge.ValueCount) bool {
	if a.gone[key] == nil {
		a.gone[key] = make([]map[string]bool, len(a.shards))
	}
	if a.gone[key][shard] == nil {
		a.gone[key][shard] = map[string]bool{}
	}
	lost, changed := merge.NewKeySet(), false
	for _, v := range rows {
		id := valueText(v.Value[0])
		changed = changed || !a.gone[key][shard][id]
		a.gone[key][shard][id] = true
		if k, ok := v.Value[0].(int64); ok {
			lost.Add(k)
		}
	}
	if s := a.spaces[key]; s != nil {
		s.alive[shard], s.moving[shard] = s.alive[shard].Without(lost), s.moving[shard].Without(lost)
	} else if changed {
		if a.lost[key] == nil {
			a.lost[key] = make([]*merge.KeySet, len(a.shards))
		}
		if a.lost[key][shard] == nil {
			a.lost[key][shard] = merge.NewKeySet()
		}
		a.lost[key][shard].Union(lost)
	}
	return changed
}

// inList is an SQL condition: the column holds one of the values.
func (a *auditor) inList(c merge.Col, values *merge.KeySet) string {
	var words []string
	for v := range values.All() {
		n := strconv.FormatInt(v, 10)
		words = append(words, n, a.engine.Literal(n)) // a key may stand as text
	}
	return a.engine.Quote(c.Name) + " IN (" + strings.Join(words, ", ") + ")"
}

// judge turns a reference's counts into findings and questions.
func (a *auditor) judge(r *reference) {
	var rows, dead, text int64
	var parts []string
	nobody, odd := map[string]any{}, map[string]any{}
	var oddRows, nobodyRows int64
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		rows, dead, text = rows+c.Rows, dead+c.Rows-c.Alive, text+c.AsText
		if d := c.Rows - c.Alive; d > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d rows in %s (%s)", d, c.Rows, a.name(i), sampleValues(slices.Concat(c.Dead, c.Other))))
		}
		for _, v := range c.Dead {
			if len(v.Value) == 1 && a.sentinel(r, v.Value[0]) {
				nobody[valueText(v.Value[0])], nobodyRows = v.Value[0], nobodyRows+v.Rows
			}
		}
		for _, v := range c.Other {
			odd[valueText(v.Value[0])], oddRows = v.Value[0], oddRows+v.Rows
		}
	}
	from := merge.JoinCols(r.From)
	if dead > 0 {
		severity, next := merge.Info, ""
		if r.Orphans == merge.ByFail {
			severity, next = merge.Block, "repair the rows, or choose orphans: tombstone, clear or drop"
		}
		a.find(merge.Finding{
			Rule: "orphan", Severity: severity, Table: r.table(), Column: r.From[0].Name, Rows: dead,
			Text: fmt.Sprintf("points at no row of %s: %s; %s", r.To[0].Table, strings.Join(parts, "; "), r.orphanFate()), Next: next,
		})
	}
	switch {
	case len(odd) > 0:
		line := r.Reference
		line.None = append(slices.Clone(r.None), sortedValues(odd)...)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s holds values that are no whole number: do they mean nobody?", from), Rows: oddRows,
			Evidence: fmt.Sprintf("%d rows: %s", oddRows, joinValues(odd)), Reference: &line,
		})
	case len(nobody) > 0 && r.None == nil:
		line := r.Reference
		line.None = sortedValues(nobody)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("does %s in %s mean nobody?", joinValues(nobody), from), Rows: nobodyRows,
			Evidence: fmt.Sprintf("%d rows hold it and no row of %s has that key; none: [] says that it is a lost key", nobodyRows, r.To[0].Table), Reference: &line,
		})
	case rows > 0 && float64(dead-nobodyIn(r, nobody)) > manyOrphans*float64(rows) && r.Orphans == "" && r.When == "":
		line := r.Reference
		line.Orphans = merge.ByTombstone
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%d %% of %s point at nobody: is it a reference at all?", dead*100/rows, from), Rows: dead,
			Evidence: strings.Join(parts, "; "), Reference: &line,
		})
	}
	if r.Orphans == merge.ByClear {
		a.checkClear(r)
	}
	a.checkNone(r)
}

func nobodyIn(r *reference, nobody map[string]any) int64 {
	var n int64
	for _, c := range r.counts {
		if c == nil {
			continue
		}
		for _, v := range c.Dead {
			if len(v.Value) == 1 {
				if _, ok := nobody[valueText(v.Value[0])]; ok {
					n += v.Rows
				}
			}
		}
	}
	return n
}

func (r *reference) orphanFate() string {
	switch r.Orphans {
	case merge.ByClear:
		return "they are cleared"
	case merge.ByDrop:
		return "their rows are left out"
	case merge.ByFail:
		return "the plan says to fail"
	}
	return "those that would become somebody else's get a tombstone, the others stay"
}

// sentinel tells whether a dead value looks as if it meant nobody: 0, -1, the empty text or the column's declared default.
func (a *auditor) sentinel(r *reference, v any) bool {
	switch v {
	case int64(0), int64(-1), "", "0", "-1":
		return true
	}
	def := a.schema.Column(r.From[0]).Default
	return def != "" && (def == valueText(v) || def == "'"+valueText(v)+"'")
}

// checkClear refuses to clear a column that takes no null and has no value for nobody.
func (a *auditor) checkClear(r *reference) {
	for _, c := range r.From {
		if column := a.schema.Column(c); column.NotNull && len(r.None) == 0 {
			a.find(merge.Finding{
				Rule: "orphan", Severity: merge.Block, Table: c.Table, Column: c.Name, Rows: r.dead(),
				Text: "cannot be cleared: the column takes no null and the plan names no value for nobody", Next: "name one (none: [0]) or choose tombstone or drop",
			})
		}
	}
}

// checkNone refuses a value that means nobody in one shard and is somebody's key in another.
func (a *auditor) checkNone(r *reference) {
	for _, s := range r.spaces {
		if s == nil {
			continue
		}
		for _, v := range r.None {
			k, ok := v.(int64)
			if !ok {
				continue
			}
			for i := range a.shards {
				if s.alive[i].Has(k) && a.tables[s.key.Table].plan.Rows == merge.MergeRows {
					a.find(merge.Finding{
						Rule: "nobody", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Shard: a.name(i),
						Text: fmt.Sprintf("%d means nobody by the plan, but %s has a row with %s = %d", k, a.name(i), s.key, k), Next: "give that row another key first, or take the value out of none",
					})
				}
			}
		}
	}
}

// checkConditions asks about rows of conditional references for which no condition holds.
func (a *auditor) checkConditions(ctx context.Context) error {
	done := map[merge.Col]bool{}
	for _, r := range a.plain() {
		if r.When == "" || len(r.From) != 1 || done[r.From[0]] {
			continue
		}
		done[r.From[0]] = true
		var conditions []string
		total := false
		var none []any
		for _, o := range a.refs {
			if len(o.From) == 1 && o.From[0] == r.From[0] {
				total = total || o.When == ""
				conditions = append(conditions, "coalesce((\n"+o.When+"\n), 0)")
				none = append(none, o.None...)
			}
		}
		if total {
			continue
		}
		column := a.engine.Quote(r.From[0].Name)
		uncovered := column + " IS NOT NULL AND NOT (" + strings.Join(conditions, " OR ") + ")"
		var rows int64
		var samples []merge.ValueCount
		for i, s := range a.shards {
			if !a.has(i, r.table()) {
				continue
			}
			list, err := s.Values(ctx, r.From[0], uncovered, 0)
			if err != nil {
				return err
			}
			for _, v := range list {
				if len(v.Value) == 1 && !slices.Contains(none, v.Value[0]) {
					rows += v.Rows
					samples = append(samples, v)
				}
			}
		}
		if rows > 0 {
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("%d rows of %s match none of its conditions: what do they refer to?", rows, r.From[0]), Rows: rows,
				Evidence:  "values " + sampleValues(samples),
				Reference: &merge.Reference{From: r.From, As: merge.Keep, When: "NOT (" + strings.Join(whens(a.refs, r.From[0]), " OR ") + ")"},
			})
		}
	}
	return nil
}

func whens(refs []*reference, c merge.Col) []string {
	var list []string
	for _, r := range refs {
		if len(r.From) == 1 && r.From[0] == c && r.When != "" {
			list = append(list, "("+r.When+")")
		}
	}
	return list
}
