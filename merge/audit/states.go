package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// What makes two inputs look like one server at two times, as its last backup beside it. Two servers that begin alike share the game's rows, and those of one login server the
// accounts; nobody but one server's players have nearly all of their names under one key, and most of what they own.
const (
	stateNames  = 0.8 // the share of the names of each table of the input that has fewer
	stateLeast  = 10  // names of people, of more than their row's number
	stateRows   = 50  // equal rows
	stateShare  = 0.5 // of the rows, and of those of most tables
	stateTables = 3   // alike, or all where there are fewer
	stateFew    = 5   // rows of a table that says something
	stateSample = 20
	stateKeys   = 10_000
)

// checkStates looks whether two inputs are one server at two times. Merged ones are known by their record. Who gives both a server number of their own says that they are two.
func (a *auditor) checkStates(ctx context.Context) error {
	alike := map[[2]int]bool{}
	held := map[[2]int][2]int64{}
	told := map[string]bool{} // tables whose rows have names
	for _, t := range a.schema.Tables {
		if t.Opaque != "" || !a.own(t) || slices.Max(a.tables[t.Name].rows) < stateFew {
			continue
		}
		names, err := a.namesIn(ctx, t)
		if err != nil {
			return err
		}
		for _, u := range names {
			told[t.Name] = true
			if err := a.namesHeld(ctx, u, held, alike); err != nil {
				return err
			}
		}
	}
	for j := range a.shards {
		for i := range j {
			names := held[[2]int{i, j}]
			if !alike[[2]int{i, j}] || names[0] < stateLeast || a.memory[i] != nil || a.memory[j] != nil {
				continue
			}
			equal, rows, err := a.ownRows(ctx, i, j, told)
			if err != nil {
				return err
			}
			if equal < stateRows || float64(equal) < stateShare*float64(rows) {
				continue
			}
			one, two := a.name(i), a.name(j)
			f := merge.Finding{
				Rule: "same-origin", Severity: merge.Block, Shard: two, Rows: equal,
				Text: fmt.Sprintf("%s and %s seem to be one server at two times, as it and its backup: %s under their keys, and %d of %s equal", one, two,
					counted(names[1], "unique name stands in both", "unique names stand in both"), equal, counted(rows, "row is", "rows are")),
				Next: fmt.Sprintf("leave the older one out, or its players would stand there twice; if they are two servers that began alike, say so by numbers: --server %s=N --server %s=N", one, two),
			}
			if a.shards[i].Source().Server != nil && a.shards[j].Source().Server != nil {
				f.Severity, f.Next = merge.Info, "look once more whether they are two servers"
			}
			a.find(f)
		}
	}
	return nil
}

// namesIn are the unique keys of a table that hold names; where none does, the columns of people's names that hardly two rows share.
func (a *auditor) namesIn(ctx context.Context, t *merge.Table) (list []*merge.Unique, err error) {
	for _, u := range t.Uniques {
		if a.holdsNames(u) {
			list = append(list, u)
		}
	}
	if len(list) > 0 {
		return list, nil
	}
	for _, c := range t.Columns {
		u := &merge.Unique{Table: t.Name, Columns: []string{c.Name}, Collations: []string{c.Collation}}
		if c.Generated || !a.holdsNames(u) || !bearer(c.Name) || !a.ofPeople(t) && !namesPeople(c.Name) {
			continue
		}
		own, err := a.sampled(ctx, a.tables[t.Name], u.Cols()[0])
		if err != nil {
			return nil, err
		}
		if own.hasTexts() && own.hardlyTwice() {
			list = append(list, u)
		}
	}
	return list, nil
}

// holdsNames tells whether a unique key holds names of rows that have a key beside them.
func (a *auditor) holdsNames(u *merge.Unique) bool {
	return len(u.Columns) == 1 && u.Plain() && !slices.Contains(a.schema.Table(u.Table).PrimaryKey, u.Columns[0]) && a.schema.Holds(u.Cols()[0]) == merge.Text && !a.computed(u)
}

// ofPeople tells whether a table is called like players or accounts.
func (a *auditor) ofPeople(t *merge.Table) bool {
	key := t.KeyCols()
	return len(key) == 1 && a.nature[key[0]].Person
}

// namesHeld adds to what two shards hold of the names of a unique key under the same keys, as underOneKey counts them. Two shards that hold few of them are alike no more.
func (a *auditor) namesHeld(ctx context.Context, u *merge.Unique, held map[[2]int][2]int64, alike map[[2]int]bool) error {
	found := a.underOneKey[u]
	if found == nil {
		var list []merge.Clash
		var total int64
		apart, err := a.plainlyApart(ctx, u)
		if err == nil && !apart {
			list, total, err = a.engine.Clashes(ctx, a.raw, *u, "", "", a.opt.ClashLimit)
		}
		if err != nil {
			return err
		}
		found = a.namesUnderOneKey(u, list, total)
	}
	named := make([]int64, len(a.shards))
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(u.Cols()[0])
		if !ok {
			continue
		}
		var err error
		if named[i], err = s.Count(ctx, own.Table, a.engine.Quote(own.Name)+" <> ''"); err != nil {
			return err
		}
	}
	anew := map[int]bool{} // by shard
	for j := range a.shards {
		for i := range j {
			at := [2]int{i, j}
			both, least := found.pairs[at], min(named[i], named[j])
			share := float64(both[1]) * found.unlisted
			old, known := alike[at]
			switch {
			case known && !old, max(named[i], named[j]) < stateFew:
			case least > 0 && share >= stateNames*float64(least):
				alike[at] = true
				sum := held[at]
				held[at] = [2]int64{sum[0] + both[0], sum[1] + both[1]}
			default:
				many := i
				if named[j] > named[i] {
					many = j
				}
				if _, ok := anew[many]; !ok {
					var err error
					if anew[many], err = a.tokens(ctx, u.Cols()[0], many); err != nil {
						return err
					}
				}
				if !anew[many] {
					alike[at] = false
				}
			}
		}
	}
	return nil
}

// underOneKey is how many names two shards hold under the same keys, by pair of shards: people's of more than their row's number, and all.
type underOneKey struct {
	pairs    map[[2]int][2]int64
	unlisted float64 // by what the pairs are to be multiplied: of the names that were not listed there are as many
}

// namesUnderOneKey counts the names of a unique key that stand in two shards under the same keys among its clashes.
func (a *auditor) namesUnderOneKey(u *merge.Unique, list []merge.Clash, total int64) *underOneKey {
	people := namesPeople(u.Columns[0]) || a.ofPeople(a.schema.Table(u.Table))
	found := &underOneKey{map[[2]int][2]int64{}, 1}
	if len(list) > 0 {
		found.unlisted = float64(total) / float64(len(list))
	}
	for _, c := range list {
		if nameless(c) {
			continue
		}
		for n, y := range c.Rows {
			for _, x := range c.Rows[:n] {
				if key := tupleText(y.Key); x.Shard != y.Shard && key == tupleText(x.Key) {
					at := [2]int{min(x.Shard, y.Shard), max(x.Shard, y.Shard)}
					both := found.pairs[at]
					both[1]++
					if people && !strings.Contains(valueText(y.Values[0]), strings.Trim(key, "()")) {
						both[0]++
					}
					found.pairs[at] = both
				}
			}
		}
	}
	return found
}

// plainlyApart tells whether at least half of the names that any two shards hold under one key differ, by a sample where so many keys are shared that it can tell.
func (a *auditor) plainlyApart(ctx context.Context, u *merge.Unique) (bool, error) {
	d, ok := a.engine.(differing)
	key := a.schema.Table(u.Table).KeyCols()
	if !ok || len(key) != 1 || slices.Min(a.tables[u.Table].rows) < mostRows {
		return false, nil
	}
	for j := range a.shards {
		own, err := a.shards[j].Keys(ctx, key[0])
		if err != nil {
			return false, err
		}
		for i := range j {
			other, err := a.shards[i].Keys(ctx, key[0])
			if err != nil {
				return false, err
			}
			some := own.Set.Both(other.Set).Spread(stateKeys)
			differ, err := d.DifferentColumns(ctx, a.raw[i], a.raw[j], u.Table, merge.SameKeys(some))
			if err != nil || len(some) < stateKeys || differ[a.raw[i].Schema().Column(u.Cols()[0]).Name] < stateKeys/2 {
				return false, err
			}
		}
	}
	return true, nil
}

// tokens tells whether a column of a shard holds texts that are made anew again and again, as those of sessions.
func (a *auditor) tokens(ctx context.Context, c merge.Col, shard int) (bool, error) {
	own, ok := a.shards[shard].Schema().Resolve(c)
	if !ok || named(c.Name) || namesPeople(c.Name) {
		return false, nil
	}
	list, err := a.shards[shard].Values(ctx, own, a.engine.Quote(own.Name)+" <> ''", stateSample)
	return !slices.ContainsFunc(list, func(v merge.ValueCount) bool { return !madeOnce.MatchString(valueText(v.Value[0])) }), err
}

// ownRows counts the rows of tables of the servers' own that two shards hold equally, and those of the one that has fewer; nothing where these are of few tables, or the people others.
func (a *auditor) ownRows(ctx context.Context, i, j int, told map[string]bool) (equal, rows int64, err error) {
	tables, alike := 0, 0
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		least := min(line.rows[i], line.rows[j], originRows)
		if t.Opaque != "" || !a.own(t) || max(line.rows[i], line.rows[j]) < stateFew {
			continue
		}
		tables++
		var n int64
		if least >= stateFew {
			if _, n, err = a.engine.SameRows(ctx, a.raw[i], a.raw[j], t.Name, nil, originRows); err != nil {
				return 0, 0, err
			}
			n = min(n, least)
			equal, rows = equal+n, rows+least
		}
		if least >= stateFew && float64(n) >= stateShare*float64(least) {
			alike++
		} else if a.ofPeople(t) && !told[t.Name] { // their names tell nothing, and may be those of accounts alone
			return 0, 0, nil
		}
	}
	if alike < min(stateTables, tables) || alike*3 < tables*2 {
		return 0, 0, nil
	}
	return equal, rows, nil
}
