package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// Two columns of text may compare each in its own way. SQLite takes the way of the column that the game writes on the left, so both are meant, perhaps, while a merge follows
// by the target's alone.

// laxer is the collation of a column by which texts may be equal that differ to a target; "" when there is none.
func (a *auditor) laxer(c, target merge.Col) string {
	own := a.schema.Column(c).Collation
	if sameCollation(own, "") || sameCollation(own, a.schema.Column(target).Collation) {
		return ""
	}
	return own
}

// collateBy is the SQL that compares by a collation; "" leaves it to the column.
func (a *auditor) collateBy(collation string) string {
	if collation == "" {
		return ""
	}
	return " COLLATE " + a.engine.Quote(collation)
}

// laxerWays are the collations, one for each column, by which a reference's texts may find rows that the target does not call equal: its own, and those of other columns that
// hold the same key and tell their own table's rows apart by it, so that its texts are held against theirs as well.
func (a *auditor) laxerWays(r *reference) (list [][]string) {
	if r.As != merge.Plain && r.As != merge.Copy || r.Via != "" || r.By != nil || len(r.From) == 1 && r.As == merge.Plain && r.spaces[0] != nil {
		return nil
	}
	own, some := make([]string, len(r.From)), false
	for k, c := range r.From {
		own[k] = a.laxer(c, r.To[k])
		some = some || own[k] != ""
	}
	if some {
		list = append(list, own)
	}
	if len(r.From) > 1 {
		return list
	}
	for _, o := range a.plain() {
		if len(o.From) != 1 || o == r || !a.uniqueAlone(o.From[0]) || a.keyOf(o) != a.keyOf(r) {
			continue
		}
		way := []string{a.laxer(o.From[0], r.To[0])}
		if way[0] != "" && !slices.ContainsFunc(list, func(w []string) bool { return sameCollation(w[0], way[0]) }) {
			list = append(list, way)
		}
	}
	return list
}

// ways are laxerWays, and the one by which the key's own texts are told apart where no two rows may share one by it: by an index, or by the plan.
func (a *auditor) ways(r *reference) [][]string {
	list := a.laxerWays(r)
	if !a.namesKey(r) || len(r.To) != 1 {
		return list
	}
	way := a.keyCollation(a.keyOf(r))
	if sameCollation(way, "") || sameCollation(way, a.schema.Column(r.To[0]).Collation) || slices.ContainsFunc(list, func(w []string) bool { return sameCollation(w[0], way) }) {
		return list
	}
	return append(list, []string{way})
}

// checkCollations refuses to guess where a row is reached by the one comparison and not by the other, and it matters: another shard's row would be reached as well, or in
// place of its own.
func (a *auditor) checkCollations(ctx context.Context) error {
	twins := map[string]bool{}
	for _, r := range a.refs {
		if r.Orphans == merge.ByKeep || len(r.counts) == 0 {
			continue
		}
		for _, way := range a.ways(r) {
			for i := range a.shards {
				if err := a.checkOtherSpelling(ctx, r, i, way); err != nil {
					return err
				}
			}
			if at := a.keyOf(r).String() + " " + strings.ToUpper(way[0]); len(r.From) == 1 && !twins[at] {
				found, err := a.checkTwinKeys(ctx, r, way[0])
				if err != nil {
					return err
				}
				twins[at] = found
			}
		}
		if at := a.keyOf(r).String(); lettersOnly(r) && a.foldCollation() != "" && !twins[at+" "+a.foldCollation()] {
			found, err := a.checkTwinKeys(ctx, r, a.foldCollation())
			if err != nil {
				return err
			}
			twins[at+" "+a.foldCollation()] = found
		}
	}
	return nil
}

// lettersOnly tells whether a copy is told in small letters or capitals alone, so that names which differ in no more are one there.
func lettersOnly(r *reference) bool {
	return r.As == merge.Copy && r.By == nil && (r.Via == "lower" || r.Via == "upper")
}

// otherSpellings are the dead values of a reference in a shard that a row of its own target has by another comparison.
func (a *auditor) otherSpellings(ctx context.Context, r *reference, shard int, way []string) ([]merge.ValueCount, error) {
	if r.counts[shard] == nil || len(r.counts[shard].Dead) == 0 {
		return nil, nil
	}
	left, err := a.shards[shard].Measure(ctx, merge.RefQuery{Reference: &r.Reference, Collations: way, Left: a.leftOut(r.To[0].Table, shard)})
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", r.String(), a.name(shard), err)
	}
	return without(r.counts[shard].Dead, left.Dead), nil
}

// laxerHolders are the collations of the columns that hold a key's texts and may call more of them equal than the key does.
func (a *auditor) laxerHolders(key merge.Col) (list []string) {
	for _, r := range a.refs {
		if len(r.From) != 1 || r.As != merge.Plain && r.As != merge.Copy || r.Via != "" || a.keyOf(r) != key {
			continue
		}
		if way := a.laxer(r.From[0], key); way != "" && !slices.Contains(list, way) {
			list = append(list, way)
		}
	}
	return list
}

// lostWay are the dead values of a reference in a shard that are dead by some comparison, too: by a collation for each column, or as the target compares.
type lostWay struct {
	collations []string
	dead       []merge.ValueCount
}

// lostWays are, for each comparison of a reference's texts, those that are dead by it as well. What only the target takes for dead is not among them.
func (a *auditor) lostWays(ctx context.Context, r *reference, shard int) ([]lostWay, error) {
	var list []lostWay
	dead := r.counts[shard].Dead
	for _, way := range a.ways(r) {
		spelled, err := a.otherSpellings(ctx, r, shard, way)
		if err != nil {
			return nil, err
		}
		list, dead = append(list, lostWay{way, without(r.counts[shard].Dead, spelled)}), without(dead, spelled)
	}
	return append(list, lostWay{nil, dead}), nil
}

// spelledOtherwise counts the dead rows of a reference whose own column calls their text equal to a row's of the target.
func (a *auditor) spelledOtherwise(ctx context.Context, r *reference) (rows int64, err error) {
	ways := a.laxerWays(r)
	for _, way := range ways[:min(1, len(ways))] {
		for i := range a.shards {
			spelled, err := a.otherSpellings(ctx, r, i, way)
			if err != nil {
				return 0, err
			}
			for _, v := range spelled {
				rows += v.Rows
			}
		}
	}
	return rows, nil
}

// without leaves out those of some values that another list holds.
func without(list, out []merge.ValueCount) []merge.ValueCount {
	known := map[string]bool{}
	for _, v := range out {
		known[tupleText(v.Value)] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(v merge.ValueCount) bool { return known[tupleText(v.Value)] })
}

// checkOtherSpelling refuses texts of a shard that reach a row of their own shard by another comparison alone, where another shard has one like it, too, or the plan would
// take them for lost.
func (a *auditor) checkOtherSpelling(ctx context.Context, r *reference, shard int, way []string) error {
	if r.As == merge.Copy && a.renamedBy(a.keyOf(r), way[0]) { // they follow as that comparison says
		return nil
	}
	spelled, err := a.otherSpellings(ctx, r, shard, way)
	if err != nil || len(spelled) == 0 {
		return err
	}
	caught, why := spelled, "the plan takes them for values of nobody"
	if r.Orphans == "" || r.Orphans == merge.ByTombstone {
		if caught, err = a.alsoElsewhere(ctx, r, shard, spelled, way); err != nil {
			return err
		}
		why = "rows of other shards are called so, too"
	}
	if len(caught) == 0 {
		return nil
	}
	f := merge.Finding{
		Rule: "collation", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Shard: a.name(shard),
		Text: fmt.Sprintf("holds texts that are a row of %s when compared as %s and none when compared as %s does, and %s (%s): the game may mean either",
			r.To[0].Table, strings.Join(slices.DeleteFunc(slices.Clone(way), func(c string) bool { return c == "" }), ", "), merge.JoinCols(r.To), why, sampleValues(caught)),
		Next: fmt.Sprintf("spell them as %s does in a copy of %s", merge.JoinCols(r.To), a.name(shard)),
	}
	for _, v := range caught {
		f.Rows += v.Rows
	}
	if len(r.From) == 1 {
		f.Next += ": " + a.respelling(r, way[0])
	}
	if r.As == merge.Copy {
		f.Next += fmt.Sprintf("; or, where nobody is looked up by it, say orphans: keep for %s", r.From[0])
	}
	a.find(f)
	return nil
}

// respelling is the SQL that spells a reference's texts as its target does.
func (a *auditor) respelling(r *reference, collation string) string {
	table, from, to := a.engine.Quote(r.table()), a.engine.Quote(r.From[0].Name), a.engine.Quote(r.To[0].Name)
	one := func(collate string) string {
		return fmt.Sprintf("(SELECT p.%s FROM %s AS p WHERE p.%s = %s.%s%s)", to, a.engine.Quote(r.To[0].Table), to, table, from, collate)
	}
	own := a.schema.Column(r.To[0]).Collation
	if own == "" {
		own = "BINARY"
	}
	when := ""
	if r.When != "" {
		when = " WHERE " + r.When
	}
	return fmt.Sprintf("UPDATE %s SET %s = coalesce(%s, %s, %s)%s", table, from, one(a.collateBy(own)), one(a.collateBy(collation)), from, when)
}

// renamedBy tells whether the plan renames equal values of a key as a collation calls them equal.
func (a *auditor) renamedBy(key merge.Col, collation string) bool {
	p := a.uniquePlan(&merge.Unique{Table: key.Table, Columns: []string{key.Name}})
	if p == nil || p.OnConflict != "rename" {
		return false
	}
	if p.Collate != "" {
		return sameCollation(p.Collate, collation)
	}
	return slices.ContainsFunc(a.schema.Table(key.Table).Uniques, func(u *merge.Unique) bool {
		return len(u.Columns) == 1 && a.schema.Equal(u.Columns[0], key.Name) && sameCollation(u.Collations[0], collation)
	})
}

// alsoElsewhere are those of some values by which a row of another shard is known, too, as the target or the key at its end compares them or by other collations.
func (a *auditor) alsoElsewhere(ctx context.Context, r *reference, shard int, values []merge.ValueCount, way []string) (list []merge.ValueCount, err error) {
	targets := [][]merge.Col{r.To}
	if len(r.From) == 1 && a.keyOf(r) != r.To[0] {
		targets = append(targets, []merge.Col{a.keyOf(r)})
	}
	seen := map[string]bool{}
	for _, to := range targets {
		for j, s := range a.shards {
			if j == shard || s.Schema().Column(to[0]) == nil || !a.tables[to[0].Table].takes(a.name(j)) {
				continue
			}
			for some := range slices.Chunk(values, checkBatch) {
				found, err := a.captured(ctx, r, to, j, some, way)
				if err != nil {
					return nil, err
				}
				for _, v := range found {
					if at := tupleText(v.Value); !seen[at] {
						seen[at] = true
						list = append(list, v)
					}
				}
			}
		}
	}
	return list, nil
}

// checkTwinKeys refuses keys of two shards that only the target tells apart where a reference reaches both by another comparison.
func (a *auditor) checkTwinKeys(ctx context.Context, r *reference, collation string) (found bool, err error) {
	key := a.keyOf(r)
	t := a.tables[key.Table]
	if t == nil || !t.mixes() || t.dropped || a.renamedBy(key, collation) || a.schema.Column(key).Generated {
		return false, nil
	}
	u := merge.Unique{Table: key.Table, Columns: []string{key.Name}, Collations: []string{collation}}
	list, _, err := a.engine.Clashes(ctx, a.raw, u, collation, "", a.opt.ClashLimit)
	if err != nil {
		return false, err
	}
	var texts []merge.ValueCount
	var samples []string
	for _, c := range list {
		if one, two := a.twoSpellings(key, c); two != "" {
			texts = append(texts, merge.ValueCount{Value: []any{one}})
			if len(samples) < listed {
				samples = append(samples, fmt.Sprintf("%q and %q", one, two))
			}
		}
	}
	rows, err := a.rowsCalled(ctx, r, texts, collation)
	if err != nil || rows == 0 {
		return false, err
	}
	line := merge.UniquePlan{Unique: []merge.Col{key}, OnConflict: "rename", Template: a.template(key), Collate: collation}
	next := fmt.Sprintf("say %s under uniques, so that the later ones get other names", planfile.UniqueLine(&line))
	if t.folds() {
		next = "give them one spelling in copies of the shards where they are the same thing, and other names where they are not"
	}
	a.find(merge.Finding{
		Rule: "collation", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Rows: rows, Samples: samples,
		Text: fmt.Sprintf("compared as %s, its texts are rows of %s in two shards that differ as %s compares: the game may find either", collation, key.Table, key), Next: next,
	})
	return true, nil
}

// twoSpellings are two values of a clash that a key tells apart, of two shards.
func (a *auditor) twoSpellings(key merge.Col, c merge.Clash) (one, two string) {
	own := a.schema.Column(key).Collation
	for _, x := range c.Rows {
		for _, y := range c.Rows {
			s, ok1 := x.Values[0].(string)
			o, ok2 := y.Values[0].(string)
			if ok1 && ok2 && x.Shard < y.Shard && merge.Collated(s, own) != merge.Collated(o, own) {
				return s, o
			}
		}
	}
	return "", ""
}

// uniqueAlone tells whether the schema holds a column's values unique by themselves.
func (a *auditor) uniqueAlone(c merge.Col) bool {
	return slices.ContainsFunc(a.schema.Table(c.Table).Uniques, func(u *merge.Unique) bool {
		return u.Plain() && len(u.Columns) == 1 && a.schema.Equal(u.Columns[0], c.Name)
	})
}

// rowsCalled counts the rows of all shards whose reference holds one of some texts by a collation.
func (a *auditor) rowsCalled(ctx context.Context, r *reference, texts []merge.ValueCount, collation string) (rows int64, err error) {
	if len(texts) == 0 {
		return 0, nil
	}
	called := map[string]bool{}
	for _, v := range texts {
		called[merge.Collated(valueText(v.Value[0]), collation)] = true
	}
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(r.From[0])
		if r.counts[i] == nil || !ok {
			continue
		}
		list, err := s.Values(ctx, own, r.When, 0)
		if err != nil {
			return 0, err
		}
		for _, v := range list {
			if text, ok := v.Value[0].(string); ok && called[merge.Collated(text, collation)] {
				rows += v.Rows
			}
		}
	}
	return rows, nil
}

// capturedBy are those of some texts that a shard's rows have in a column by a collation of which the column has no index.
func (a *auditor) capturedBy(ctx context.Context, to merge.Col, shard int, dead []merge.ValueCount, collation string) (list []merge.ValueCount, err error) {
	own, ok := a.shards[shard].Schema().Resolve(to)
	if !ok {
		return nil, nil
	}
	held, err := a.wholeTexts(ctx, shard, own, collation)
	if err != nil {
		return nil, err
	}
	for _, v := range dead {
		if text, ok := v.Value[0].(string); ok && held[merge.Collated(text, collation)] {
			list = append(list, v)
		}
	}
	return list, nil
}

// foldCollation is the engine's comparison that knows no case; "" when it has none.
func (a *auditor) foldCollation() string {
	if e, ok := a.engine.(interface{ FoldCollation() string }); ok {
		return e.FoldCollation()
	}
	return ""
}
