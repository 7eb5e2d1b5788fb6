package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// checkConditions asks about rows of conditional references for which no condition holds, and refuses those for which two do. A column that the plan keeps under a
// condition alone says nothing about its other rows either.
func (a *auditor) checkConditions(ctx context.Context) error {
	done := map[merge.Col]bool{}
	for _, r := range a.refs {
		if r.As != merge.Plain && r.As != merge.Keep || r.When == "" || len(r.From) != 1 {
			continue
		}
		c, _ := a.schema.Resolve(r.From[0]) // a plan may spell a column that it keeps in another case
		if done[c] {
			continue
		}
		done[c] = true
		all := a.about(c)
		if err := a.checkOverlaps(ctx, all); err != nil {
			return err
		}
		if a.mayHoldNames(c) { // which are known later
			continue
		}
		if err := a.checkUncovered(ctx, all); err != nil {
			return err
		}
	}
	return nil
}

// checkUncopied asks about rows of columns that may hold names, and whose lines have conditions alone, for which none of these holds.
func (a *auditor) checkUncopied(ctx context.Context) error {
	done := map[merge.Col]bool{}
	for _, r := range a.refs {
		c, _ := a.schema.Resolve(r.From[0])
		if r.When == "" || len(r.From) != 1 || done[c] || r.As != merge.Copy && !a.mayHoldNames(c) {
			continue
		}
		done[c] = true
		all := a.about(c)
		if !a.mayHoldNames(c) && slices.ContainsFunc(all, func(o *reference) bool { return o.As == merge.Plain || o.As == merge.Keep && !o.Pattern.Any() }) { // whose rest is asked about
			continue
		}
		if err := a.checkUncovered(ctx, all); err != nil {
			return err
		}
	}
	return nil
}

// mayHoldNames tells whether a column is one of texts.
func (a *auditor) mayHoldNames(c merge.Col) bool { return a.schema.Holds(c) == merge.Text }

// about is what the references say about one column.
func (a *auditor) about(c merge.Col) (list []*reference) {
	for _, r := range a.refs {
		if len(r.From) == 1 && a.schema.Equal(r.From[0].Table, c.Table) && a.schema.Equal(r.From[0].Name, c.Name) {
			list = append(list, r)
		}
	}
	return list
}

// checkOverlaps refuses rows for which two conditions hold: they would follow the first and point at a stranger by the second.
func (a *auditor) checkOverlaps(ctx context.Context, refs []*reference) error {
	for i, r := range refs {
		for _, o := range refs[:i] {
			if r.When == "" || o.When == "" || r.As == o.As && slices.Equal(r.To, o.To) {
				continue
			}
			both := a.engine.Quote(r.From[0].Name) + " IS NOT NULL AND " + bracketed(o.When) + " AND " + bracketed(r.When)
			for j, s := range a.shards {
				if !a.has(j, r.table()) || s.Schema().Column(r.From[0]) == nil {
					continue
				}
				n, err := s.Count(ctx, r.table(), both)
				if err != nil {
					return err
				}
				if n > 0 {
					a.find(merge.Finding{
						Rule: "condition", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Shard: a.name(j), Rows: n,
						Text: fmt.Sprintf("%s both by %q and by %q: one value cannot follow two keys", counted(n, "row is meant", "rows are meant"), o.When, r.When),
						Next: "make the conditions of the plan exclude each other",
					})
				}
			}
		}
	}
	return nil
}

// checkUncovered asks about rows for which no condition holds.
func (a *auditor) checkUncovered(ctx context.Context, refs []*reference) error {
	var missed []string
	var none []any
	for _, r := range refs {
		if r.When == "" {
			return nil
		}
		missed = append(missed, bracketed(r.When)+" IS NOT TRUE") // also where the condition is null
		none = append(none, r.None...)
		if r.As == merge.Copy {
			none = append(none, "") // names nobody
		}
	}
	from, table := refs[0].From[0], refs[0].table()
	nowhere := strings.Join(missed, " AND ")
	var rows int64
	var samples []merge.ValueCount
	seen := map[any]bool{}
	texts, numbers := make([]*merge.Sample, len(a.shards)), make([][]merge.ValueCount, len(a.shards))
	for i, s := range a.shards {
		if !a.has(i, table) || s.Schema().Column(from) == nil {
			continue
		}
		list, err := s.Values(ctx, from, a.engine.Quote(from.Name)+" IS NOT NULL AND "+nowhere, 0)
		if err != nil {
			return err
		}
		texts[i] = &merge.Sample{}
		for _, v := range list {
			if len(v.Value) == 1 && !slices.Contains(none, v.Value[0]) {
				rows += v.Rows
				if numbers[i] = append(numbers[i], v); !seen[v.Key()] {
					samples, seen[v.Key()] = append(samples, v), true
				}
				if text, ok := v.Value[0].(string); ok && len(texts[i].Texts) < restTexts {
					texts[i].Texts = append(texts[i].Texts, text)
				}
			}
		}
	}
	if rows == 0 {
		return nil
	}
	kinds, err := a.restKinds(ctx, refs, nowhere, none)
	if err != nil {
		return err
	}
	nowhere = cmp.Or(kinds, nowhere)
	entry := merge.Undecided{
		Question: fmt.Sprintf("%s: what do they refer to?", counted(rows, "row of "+from.String()+" matches none of its conditions", "rows of "+from.String()+" match none of its conditions")),
		Rows:     rows, Evidence: "values " + sampleValues(samples), Reference: &merge.Reference{From: refs[0].From, As: merge.Keep, When: nowhere},
	}
	if key := a.restHolds(from, numbers); key != nil {
		line := merge.Reference{From: refs[0].From, To: []merge.Col{key.key}, When: nowhere}
		entry.Question += fmt.Sprintf(" All of them might be %s: where they are, say %s instead", key.key, planfile.ReferenceLine(&line))
	}
	for _, target := range a.renamedColumns() {
		n, err := a.lieAmong(ctx, texts, target, "")
		if err != nil {
			return err
		}
		if n.hits > 0 && float64(n.hits) >= partlyLeast*float64(n.texts) {
			entry.Evidence += fmt.Sprintf("; %d of %s are %s", n.hits, counted(int64(n.texts), "text", "texts"), target)
			entry.Reference = &merge.Reference{From: refs[0].From, To: []merge.Col{target}, As: merge.Copy, When: nowhere}
		}
	}
	a.ask(entry)
	return nil
}

// kindsMost is how many values tell at most which rows match no condition.
const kindsMost = 64

// restKinds is the condition of the rows that match none, by the values of a column that all conditions look at, so that a value which comes later is asked about and does not
// fall under it; "" where these values do not tell, or are many. Rows of nobody are left out.
func (a *auditor) restKinds(ctx context.Context, refs []*reference, nowhere string, none []any) (string, error) {
	from, table := refs[0].From[0], a.schema.Table(refs[0].table())
	somebody := a.engine.Quote(from.Name) + " IS NOT NULL"
	for _, v := range none {
		somebody += " AND " + a.engine.Quote(from.Name) + " IS NOT " + a.engine.Literal(v)
	}
	for _, column := range table.Columns {
		c, name := merge.Col{Table: table.Name, Name: column.Name}, ""
		named := func(r *reference) bool {
			names, words := merge.SQLNames(r.When)
			if name = a.engine.Quote(c.Name); slices.ContainsFunc(words, func(w string) bool { return a.schema.Equal(w, c.Name) }) {
				name = c.Name
			}
			return slices.ContainsFunc(names, func(w string) bool { return a.schema.Equal(w, c.Name) })
		}
		if c == from || a.mayMove(c) || a.follows(c) || slices.ContainsFunc(refs, func(r *reference) bool { return !named(r) }) {
			continue // what changes tells the rows apart before the merge alone
		}
		rest, err := a.kindsOf(ctx, c, somebody+" AND "+nowhere)
		if err != nil {
			return "", err
		}
		covered, err := a.kindsOf(ctx, c, "NOT ("+nowhere+")")
		if err != nil {
			return "", err
		}
		var words []string
		null, told := false, len(rest) <= kindsMost
		for _, v := range rest {
			told = told && !slices.ContainsFunc(covered, func(o merge.ValueCount) bool { return o.Key() == v.Key() })
			switch v.Value[0].(type) {
			case nil:
				null = true
			case int64, string:
				words = append(words, a.engine.Literal(v.Value[0]))
			default:
				told = false
			}
		}
		if told {
			return amongKinds(name, words, null), nil
		}
	}
	return "", nil
}

// amongKinds is the condition that a column holds one of some values.
func amongKinds(name string, words []string, null bool) string {
	switch {
	case len(words) == 0:
		return name + " IS NULL"
	case len(words) == 1 && !null:
		return name + " = " + words[0]
	case !null:
		return name + " IN (" + strings.Join(words, ", ") + ")"
	}
	return amongKinds(name, words, false) + " OR " + name + " IS NULL"
}

// kindsOf are the different values of a column in rows of any shard for which a condition holds, in the order of their literals: kindsMost and one more at the most of each.
func (a *auditor) kindsOf(ctx context.Context, c merge.Col, condition string) (list []merge.ValueCount, err error) {
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(c)
		if !ok || !a.has(i, c.Table) {
			continue
		}
		found, err := s.Values(ctx, own, condition, kindsMost+1)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	slices.SortFunc(list, func(x, y merge.ValueCount) int {
		if n, ok := x.Value[0].(int64); ok {
			if m, ok := y.Value[0].(int64); ok {
				return cmp.Compare(n, m)
			}
		}
		return strings.Compare(a.engine.Literal(x.Value[0]), a.engine.Literal(y.Value[0]))
	})
	return slices.CompactFunc(list, func(x, y merge.ValueCount) bool { return x.Key() == y.Key() }), nil
}

// restHolds is the key that changes of which all of some values of a column are, by shard, the one of the fewest rows; nil when there is none but the column itself.
func (a *auditor) restHolds(from merge.Col, shards [][]merge.ValueCount) (found *space) {
	for _, s := range a.order {
		all, some := s.moves() > 0 && s.key != from, false
		for i, list := range shards {
			for _, v := range list {
				n, ok := v.Value[0].(int64)
				all, some = all && ok && s.alive[i].Has(n), true
			}
		}
		if all && some && (found == nil || a.tables[s.key.Table].total() < a.tables[found.key.Table].total()) {
			found = s
		}
	}
	return found
}

// restTexts is how many texts of such rows are looked up among names.
const restTexts = 2000

// bracketed puts an SQL condition in parentheses; a comment at its end must not swallow what follows.
func bracketed(condition string) string {
	if strings.Contains(condition, "--") {
		return "(" + condition + "\n)"
	}
	return "(" + condition + ")"
}
