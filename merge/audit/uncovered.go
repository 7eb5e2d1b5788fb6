package audit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// checkUncovered asks about rows for which no condition holds, by itself about those whose kinds hold names that change.
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
	if where := a.besideCounters(refs[0].From[0]); where != "" {
		missed = append(missed, where)
	}
	nowhere := strings.Join(missed, " AND ")
	kinds, err := a.restKinds(ctx, refs, nowhere, none)
	if err != nil {
		return err
	}
	if kinds == nil {
		rest, err := a.readRest(ctx, refs[0], nowhere, none)
		if err != nil {
			return err
		}
		return a.askRest(ctx, refs[0].From, rest, nowhere, partlyLeast)
	}
	of := func(when string) (*uncovered, error) {
		return a.readRest(ctx, refs[0], nowhere+" AND "+bracketed(when), none)
	}
	groups, read, order := map[string][]string{}, map[string]*uncovered{}, []string{}
	for _, word := range kinds.words {
		rest, err := of(amongKinds(kinds.name, []string{word}, false))
		if err != nil {
			return err
		}
		target, _, err := a.restNames(ctx, refs[0].From[0], rest, kindHolds)
		if err != nil {
			return err
		}
		if key, _ := a.restHolds(refs[0].From[0], rest.numbers); target.Name == "" && key != nil && len(rest.samples) >= fewCopies {
			target = key.key
		}
		group := target.String()
		if groups[group] == nil {
			order = append(order, group)
		}
		groups[group], read[group] = append(groups[group], word), rest
	}
	other := (merge.Col{}).String()
	if kinds.null && groups[other] == nil {
		order = append(order, other)
	}
	for _, group := range order {
		null := kinds.null && group == other
		when, rest := amongKinds(kinds.name, groups[group], null), read[group]
		if null || len(groups[group]) > 1 {
			if rest, err = of(when); err != nil {
				return err
			}
		}
		if err := a.askRest(ctx, refs[0].From, rest, when, kindHolds); err != nil {
			return err
		}
	}
	return nil
}

// uncovered is what a column holds in rows for which no condition holds.
type uncovered struct {
	rows    int64
	samples []merge.ValueCount
	texts   []*merge.Sample
	numbers [][]merge.ValueCount
}

// readRest reads what a reference's column holds where a condition holds.
func (a *auditor) readRest(ctx context.Context, r *reference, where string, none []any) (*uncovered, error) {
	from, table := r.From[0], r.table()
	rest := &uncovered{texts: make([]*merge.Sample, len(a.shards)), numbers: make([][]merge.ValueCount, len(a.shards))}
	seen := map[any]bool{}
	for i, s := range a.shards {
		if !a.has(i, table) || s.Schema().Column(from) == nil {
			continue
		}
		list, err := s.Values(ctx, from, a.engine.Quote(from.Name)+" IS NOT NULL AND "+where, 0)
		if err != nil {
			return nil, err
		}
		rest.texts[i] = &merge.Sample{}
		for _, v := range list {
			if len(v.Value) == 1 && !slices.Contains(none, v.Value[0]) {
				rest.rows += v.Rows
				if rest.numbers[i] = append(rest.numbers[i], v); !seen[v.Key()] {
					rest.samples, seen[v.Key()] = append(rest.samples, v), true
				}
				if text, ok := v.Value[0].(string); ok && len(rest.texts[i].Texts) < restTexts {
					rest.texts[i].Texts = append(rest.texts[i].Texts, text)
				}
			}
		}
	}
	return rest, nil
}

// restNames is the column whose names, some of which change, at least a share of the texts of such rows are, with words for it.
func (a *auditor) restNames(ctx context.Context, from merge.Col, rest *uncovered, least float64) (found merge.Col, evidence string, err error) {
	for _, target := range a.renamedColumns() {
		if target == from {
			continue
		}
		n, err := a.lieAmong(ctx, rest.texts, target, "")
		if err != nil {
			return found, "", err
		}
		if n.hits > 0 && float64(n.hits) >= least*float64(n.texts) {
			evidence += fmt.Sprintf("; %d of %s are %s", n.hits, counted(int64(n.texts), "text", "texts"), target)
			found = target
		}
	}
	return found, evidence, nil
}

// askRest asks about rows for which no condition holds, or about those of some kinds among them. At least a share of their texts make them names.
func (a *auditor) askRest(ctx context.Context, cols []merge.Col, rest *uncovered, when string, least float64) error {
	if rest.rows == 0 {
		return nil
	}
	from := cols[0]
	entry := merge.Undecided{
		Question: fmt.Sprintf("%s: what do they refer to?", counted(rest.rows, "row of "+from.String()+" matches none of its conditions", "rows of "+from.String()+" match none of its conditions")),
		Rows:     rest.rows, Evidence: "values " + sampleValues(rest.samples), Reference: &merge.Reference{From: cols, As: merge.Keep, When: when},
	}
	if key, unlikely := a.restHolds(from, rest.numbers); key != nil {
		line := merge.Reference{From: cols, To: []merge.Col{key.key}, When: when}
		if unlikely >= pairsByChance {
			entry.Evidence += fmt.Sprintf("; all of them are %s, and none lies between its keys", key.key)
			entry.Reference = &line
		} else {
			entry.Question += fmt.Sprintf(" All of them might be %s: where they are, say %s instead", key.key, planfile.ReferenceLine(&line))
		}
	} else if key, share, chance := a.restMostly(from, rest.numbers); key != nil {
		entry.Evidence += fmt.Sprintf("; %.0f %% of them are %s, where chance would put %.0f %%", 100*share, key.key, 100*chance)
		entry.Reference = &merge.Reference{From: cols, To: []merge.Col{key.key}, When: when, Orphans: merge.ByTombstone}
	}
	target, evidence, err := a.restNames(ctx, from, rest, least)
	if err != nil {
		return err
	}
	if target.Name != "" {
		entry.Evidence += evidence
		entry.Reference = &merge.Reference{From: cols, To: []merge.Col{target}, As: merge.Copy, When: when}
	}
	a.ask(entry)
	return nil
}

// kindsMost is how many values tell at most which rows match no condition.
const kindsMost = 64

// kindsOfRest are the values of a column by which rows that match no condition are told.
type kindsOfRest struct {
	name  string // as SQL
	words []string
	null  bool // also where it holds none
}

// restKinds tells the rows that match no condition by the values of a column that all conditions look at, so that a value which comes later is asked about and does not fall under
// it; nil where these values do not tell, or are many. Rows of nobody are left out.
func (a *auditor) restKinds(ctx context.Context, refs []*reference, nowhere string, none []any) (*kindsOfRest, error) {
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
			return nil, err
		}
		covered, err := a.kindsOf(ctx, c, "NOT ("+nowhere+")")
		if err != nil {
			return nil, err
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
			return &kindsOfRest{name, words, null}, nil
		}
	}
	return nil, nil
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

// restHolds is the key that changes of which all of some values of a column are, by shard, the one with so many gaps between its keys that chance would hit some first, and of those
// without any the one of the fewest rows; nil when there is none but the column itself.
func (a *auditor) restHolds(from merge.Col, shards [][]merge.ValueCount) (found *space, best float64) {
	for _, s := range a.order {
		all, unlikely, values := s.moves() > 0 && s.key != from, 0.0, 0
		for i, list := range shards {
			low, high := int64(math.MaxInt64), int64(math.MinInt64)
			for _, v := range list {
				n, ok := restNumber(v)
				all = all && ok && s.alive[i].Has(n)
				low, high, values = min(low, n), max(high, n), values+1
			}
			if all && len(list) > 0 {
				unlikely -= float64(len(list)) * math.Log(float64(s.alive[i].Between(low, high).Len())/(float64(high)-float64(low)+1))
			}
		}
		if all && values > 0 && (found == nil || unlikely > best+gapsSay || unlikely > best-gapsSay && a.tables[s.key.Table].total() < a.tables[found.key.Table].total()) {
			found, best = s, unlikely
		}
	}
	return found, best
}

// restNumber is a whole number, also one that is written as text.
func restNumber(v merge.ValueCount) (n int64, ok bool) {
	text, is := v.Value[0].(string)
	if !is {
		return wholeNumber(v.Value[0])
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == text
}

// gapsSay is by how much the gaps of one key must be less likely avoided than those of another, as a natural logarithm, to tell of which of the two some numbers are.
const gapsSay = 3

// restTexts is how many texts of such rows are looked up among names.
const restTexts = 2000
