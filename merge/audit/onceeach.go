package audit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// What makes it no chance that every row of a table has an owner of its own: how unlikely it must be, as a negative natural logarithm (about one in seven), and so many rows of a shard, as
// fewer tell nothing.
const (
	ownedByChance = 2
	ownedLeast    = 6
)

// askOnceEach asks about rows of which every shard has one for each of those that they belong to, or for each thing of theirs, as the points of a player or his level in a job, though
// no schema says so: once the players fold, two would stand there, and the game would find either.
func (a *auditor) askOnceEach(ctx context.Context) error {
	if err := a.findPersons(ctx); err != nil {
		return err
	}
	for _, known := range a.schema.Tables {
		t := a.tables[known.Name]
		if t.Opaque != "" || t.plan.Rows != merge.MergeRows || !a.inTwoShards(t) || a.tableAsked(t.Name) || a.toldDoubled(t) {
			continue
		}
		u, err := a.onceEach(ctx, t)
		if err != nil {
			return err
		}
		if u == nil || a.uniquePlan(u) != nil || a.uniquesAsked(u) || a.remade(u) {
			continue
		}
		list, _, err := a.search(ctx, u, nil)
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(c merge.Clash) bool { return nameless(c) || a.nobodysRows(u, c) })
		if list = a.realClashes(u, t, t.plan.Rows, list); len(list) == 0 {
			continue
		}
		if err := a.askDoubles(ctx, u, t, list); err != nil {
			return err
		}
	}
	return nil
}

// toldDoubled tells whether a finding says already that equal rows of a table stand twice.
func (a *auditor) toldDoubled(t *table) bool {
	return slices.ContainsFunc(a.res.Findings, func(f merge.Finding) bool { return f.Rule == "fold" && f.Table == t.Name })
}

// uniquesAsked tells whether an open question is about equal values of a unique key.
func (a *auditor) uniquesAsked(u *merge.Unique) bool {
	return slices.ContainsFunc(a.res.Undecided, func(q merge.Undecided) bool { return q.Unique != nil && slices.Equal(q.Unique.Unique, u.Cols()) })
}

// nobodysRows tells whether a clash is one of rows that belong to nobody.
func (a *auditor) nobodysRows(u *merge.Unique, c merge.Clash) bool {
	for i, col := range u.Cols() {
		value := c.Rows[0].Values[i]
		if _, owner := a.folding(col); slices.Contains(a.nobodys(col), value) || owner && nobodys([]any{value}) {
			return true
		}
	}
	return false
}

// folding is the column of rows that fold to which a column leads in every row, by their number or by their name.
func (a *auditor) folding(c merge.Col) (merge.Col, bool) {
	for _, r := range a.refs {
		if copied(r, c) || r.As == merge.Plain && r.When == "" && slices.Equal(r.From, []merge.Col{c}) {
			if to := a.tables[r.To[0].Table]; to.folds() || to.plan.Rows == merge.ByValue {
				return r.To[0], true
			}
		}
	}
	to, ok := a.persons[c]
	return to, ok
}

// findPersons finds the columns of texts that hold whom rows which fold are, as the UUIDs of players, though no line of the plan says so: these stay, and need none.
func (a *auditor) findPersons(ctx context.Context) error {
	a.persons = map[merge.Col]merge.Col{}
	var known []merge.Col
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		for _, u := range t.Uniques {
			c := u.Cols()
			if len(c) == 1 && u.Plain() && t.Opaque == "" && a.schema.Holds(c[0]) == merge.Text && (line.folds() && u.Primary || a.foldsByText(c[0])) {
				known = append(known, c[0])
			}
		}
	}
	if len(known) == 0 {
		return nil
	}
	held, err := a.textHolders(ctx, known)
	if err != nil {
		return err
	}
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows != merge.MergeRows || !a.inTwoShards(line) {
			continue
		}
		for _, column := range t.Columns {
			c := merge.Col{Table: t.Name, Name: column.Name}
			if column.Generated || a.schema.Holds(c) != merge.Text || a.follows(c) {
				continue
			}
			u, err := a.sampled(ctx, line, c)
			if err != nil {
				return err
			}
			for _, n := range held.near(u.samples) {
				among, err := a.lieAmong(ctx, u.samples, known[n], a.laxer(c, known[n]))
				if err != nil {
					return err
				}
				if known[n].Table != t.Name && among.texts > 0 && among.share() >= sameNames {
					a.persons[c] = known[n]
					break
				}
			}
		}
	}
	a.texts = nil
	return nil
}

// onceEach is the column that leads to rows which fold and that differs in every row of every shard, or it and another one together; nil where there is none, and where chance may keep the
// rows apart. Of several it is that which chance would have kept apart least.
func (a *auditor) onceEach(ctx context.Context, t *table) (best *merge.Unique, err error) {
	for _, list := range [][]*merge.Unique{a.ownedBy(t), a.ownedWith(t)} {
		most := -1.0
		for _, u := range list {
			unlikely, once, err := a.rarelyOnce(ctx, t, u, max(most, a.leastOnce(u)))
			if err != nil {
				return nil, err
			}
			if once {
				best, most = u, unlikely
			}
		}
		if best != nil {
			return best, nil
		}
	}
	return nil, nil
}

// leastOnce is how unlikely, as a negative natural logarithm, chance must have made it that no two rows of a shard hold the same in a key's columns. One row for each owner is what most
// games mean, and two of one game's people together, as friends, stand twice in a list only where it tells what happened. Two of a catalogue's numbers, as zones, may be together in any rows.
func (a *auditor) leastOnce(u *merge.Unique) float64 {
	if len(u.Columns) == 1 {
		return ownedByChance
	}
	first, one := a.folding(u.Cols()[0])
	second, other := a.folding(u.Cols()[1])
	if one && other && first.Table == second.Table && !a.catalogue(first) {
		return 0
	}
	return pairsByChance
}

// catalogue tells whether a column numbers rows which fold and whose numbers are the same on every server, and these are not people's.
func (a *auditor) catalogue(c merge.Col) bool {
	s := a.spaces[c]
	return (s == nil && a.schema.Holds(c) == merge.Integer || s != nil && s.plan.New == merge.Static) && !a.personalTable(c.Table)
}

// rarelyOnce tells whether no two rows of a shard hold the same in a key's columns, and how unlikely chance would have made that, where it is so unlikely at least.
func (a *auditor) rarelyOnce(ctx context.Context, t *table, u *merge.Unique, least float64) (float64, bool, error) {
	of := a.belonging(u)
	for _, most := range []int{firstRows, mostRows} { // the first rows of most tables tell enough
		if once, err := a.onceInEach(ctx, t, u, fmt.Sprintf("%s LIMIT %d", of, most)); err != nil || !once {
			return 0, false, err
		}
	}
	if some := a.remainder(u); some != "" && t.total() > mostRows { // and of most others all those of some owners
		if once, err := a.onceInEach(ctx, t, u, of+" AND "+some); err != nil || !once {
			return 0, false, err
		}
	}
	unlikely, err := a.unlikelyOnce(ctx, t, u)
	if err != nil || unlikely < least {
		return 0, false, err
	}
	once, err := a.onceInEach(ctx, t, u, of)
	return unlikely, once, err
}

// remainder is a condition on some of the rows, nobody's among them, and on all that hold the same as one of these in a key's columns: "" where none holds integers.
func (a *auditor) remainder(u *merge.Unique) string {
	cols := u.Cols()
	holds := func(c merge.Col) bool { return a.schema.Holds(c) == merge.Integer }
	at := slices.IndexFunc(cols, holds)
	switch {
	case at < 0:
		return ""
	case slices.ContainsFunc(cols, func(c merge.Col) bool { return !holds(c) }): // texts and bytes are slow to compare
		return a.engine.Quote(cols[at].Name) + " % 7 = 0"
	}
	return a.engine.Quote(cols[at].Name) + " % 61 = 0"
}

// ownedBy are the columns of a table that lead to rows which fold, where no key of the schema says that their values differ.
func (a *auditor) ownedBy(t *table) (list []*merge.Unique) {
	for _, c := range t.Columns {
		if _, folds := a.folding(merge.Col{Table: t.Name, Name: c.Name}); folds && !c.Generated {
			list = a.withFree(list, &merge.Unique{Table: t.Name, Columns: []string{c.Name}, Collations: []string{c.Collation}})
		}
	}
	return list
}

// ownedWith are the pairs of a table's columns of which one leads to rows which fold, where no key of the schema says that their values differ.
func (a *auditor) ownedWith(t *table) (list []*merge.Unique) {
	for i, second := range t.Columns {
		for _, first := range t.Columns[:i] {
			u := &merge.Unique{Table: t.Name, Columns: []string{first.Name, second.Name}, Collations: []string{first.Collation, second.Collation}}
			owned := false
			for _, c := range u.Cols() {
				_, folds := a.folding(c)
				owned = owned || folds
			}
			if owned && !slices.ContainsFunc(u.Cols(), a.saysNothing) {
				list = a.withFree(list, u)
			}
		}
	}
	return list
}

// saysNothing tells whether a column is none of those by which rows are known beside their owner, or may be another's, which is asked.
func (a *auditor) saysNothing(c merge.Col) bool {
	return a.schema.Column(c).Generated || a.schema.Holds(c) == merge.Real || a.spaces[c] != nil || a.referenceAsked(c)
}

// withFree adds columns to a list, unless a key of the schema says that their values differ, or fewer of them tell rows without a key apart. That these do it together is no answer: somebody
// may have let both rows come before anything folded.
func (a *auditor) withFree(list []*merge.Unique, u *merge.Unique) []*merge.Unique {
	told := a.tuples[u.Table]
	if told != nil && len(told.Columns) < len(u.Columns) && within(told.Columns, u.Columns) || slices.ContainsFunc(a.schema.Table(u.Table).Uniques, func(o *merge.Unique) bool { return o.Plain() && within(o.Columns, u.Columns) }) {
		return list
	}
	return append(list, u)
}

// belonging is a condition on the rows of a shard that belong to somebody by the columns of a key, and hold something in all of them.
func (a *auditor) belonging(u *merge.Unique) string {
	var terms []string
	for _, c := range u.Cols() {
		terms = append(terms, a.engine.Quote(c.Name)+" IS NOT NULL")
		if _, owner := a.folding(c); owner {
			none := []string{"0", "-1", "''"}
			for _, v := range a.nobodys(c) {
				none = append(none, a.engine.Literal(v))
			}
			terms = append(terms, a.engine.Quote(c.Name)+" NOT IN ("+strings.Join(none, ", ")+")")
		}
	}
	return strings.Join(terms, " AND ")
}

// unlikelyOnce is how unlikely it is, as a negative natural logarithm, that no two rows of any shard hold the same in one or two columns, if each row had its owner, or either column, by chance.
func (a *auditor) unlikelyOnce(ctx context.Context, t *table, u *merge.Unique) (unlikely float64, err error) {
	of := make([]float64, len(a.shards))
	err = a.sideBySide(func(i int) error {
		if t.rows[i] == 0 {
			return nil
		}
		n, err := a.shards[i].Count(ctx, t.Name, a.belonging(u))
		if err != nil {
			return err
		}
		if to, _ := a.folding(u.Cols()[0]); len(u.Columns) == 1 {
			if n >= ownedLeast {
				of[i] = allDiffer(n, max(a.tables[to.Table].rows[i], n))
			}
			return nil
		}
		pairs := float64(n) * float64(n-1) / 2
		for _, c := range u.Cols() {
			sharing, err := a.sharing(ctx, i, c, n)
			if err != nil {
				return err
			}
			pairs *= sharing
		}
		of[i] = pairs // as many as expected: none is then that unlikely
		return nil
	})
	for _, n := range of {
		unlikely += n
	}
	return unlikely, err
}

// allDiffer is the negative natural logarithm of the chance that so many draws from so many owners all differ.
func allDiffer(draws, owners int64) float64 {
	all, _ := math.Lgamma(float64(owners) + 1)
	rest, _ := math.Lgamma(float64(owners-draws) + 1)
	return float64(draws)*math.Log(float64(owners)) - all + rest
}

// sharing is the share of pairs of a shard's rows, of which so many hold something in a column, that hold the same in it: of some rows where that holds numbers.
func (a *auditor) sharing(ctx context.Context, shard int, c merge.Col, all int64) (float64, error) {
	var rows []int64
	if a.schema.Holds(c) == merge.Integer {
		sample, err := a.shards[shard].Sample(ctx, c, firstRows)
		if err != nil {
			return 0, err
		}
		all = 0
		for n, v := range sample.Values {
			if _, owner := a.folding(c); !owner || !nobodys([]any{v}) && !slices.Contains(a.nobodys(c), any(v)) { // those rows are left out of the pairs
				rows = append(rows, sample.Weights[n])
			}
		}
	} else {
		list, err := a.shards[shard].Values(ctx, c, a.engine.Quote(c.Name)+" IS NOT NULL", firstValues)
		if err != nil {
			return 0, err
		}
		for _, v := range list {
			rows = append(rows, v.Rows)
		}
	}
	var seen, same float64
	for _, n := range rows {
		seen += float64(n)
		same += float64(n) * float64(n-1)
	}
	seen = max(seen, float64(all)) // the values that are not frequent, too
	return same / max(seen*(seen-1), 1), nil
}

// onceInEach tells whether no two rows of any shard hold the same in a key's columns, among those of which a condition holds.
func (a *auditor) onceInEach(ctx context.Context, t *table, u *merge.Unique, among string) (bool, error) {
	names := make([]string, len(u.Columns))
	for i, c := range u.Columns {
		names[i] = a.engine.Quote(c)
	}
	list := strings.Join(names, ", ")
	twice := fmt.Sprintf("EXISTS (SELECT 1 FROM (SELECT %s FROM %s WHERE %s) GROUP BY %[1]s HAVING count(*) > 1)", list, a.engine.Quote(t.Name), among)
	found, err := a.anyShard(func(i int) (bool, error) {
		s := a.shards[i]
		if t.rows[i] == 0 {
			return false, nil
		}
		if slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return s.Schema().Column(c) == nil }) {
			return true, nil
		}
		return s.Any(ctx, t.Name, twice)
	})
	return !found && err == nil, err
}
