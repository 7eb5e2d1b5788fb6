package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// spotsMost is how many rows a table has at most whose places are looked at, and spotColumns how many columns say where a row lies.
const (
	spotsMost   = 2_000_000
	spotColumns = 8
)

// Words of names that say where something lies: directions on a map, what such a map is called or divided into, and words that say nothing beside them.
var (
	directions = wordSet("x", "y", "z", "lat", "latitude", "lng", "lon", "long", "longitude")
	worldWords = wordSet("world", "map", "dimension", "dim", "zone", "region", "continent", "island", "galaxy", "system", "planet", "sector", "quadrant", "interior", "virtualworld", "floor", "cell", "tile", "plot",
		"chunk", "grid", "kingdom", "realm", "area", "hex", "row", "col")
	spotFiller = wordSet("pos", "position", "coord", "coords", "coordinate", "loc", "location", "block", "id", "type", "no", "num", "nr", "number", "index", "idx", "uuid")
)

func wordSet(words ...string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return set
}

// spotWord is what a column's name says of where its row lies: which word, and whose place it is, as the start of start_x; ok is false where it says nothing.
func spotWord(name string) (word, whose string, ok bool) {
	var rest []string
	for _, w := range wordsOf(name) {
		if !directions[w] && !worldWords[w] && !spotFiller[w] {
			if begin, end := w[:len(w)-1], w[len(w)-1:]; directions[end] && (spotFiller[begin] || worldWords[begin] || begin == "c" || begin == "g") { // posx, cz
				w = end
			} else if begin, end := w[:1], w[1:]; directions[begin] && spotFiller[end] { // xpos
				w = begin
			} else if begin, ok := strings.CutSuffix(w, "id"); ok && worldWords[begin] { // worldid
				w = begin
			}
		}
		switch {
		case directions[w], worldWords[w] && !directions[word]:
			word = w
		case spotFiller[w], worldWords[w], w == "name" && word != "":
		default:
			rest = append(rest, w)
		}
	}
	return word, strings.Join(rest, " "), word != ""
}

// askSpots asks about columns that say together where each row of a table lies, as a planet's galaxy, system and place or the block of a chest, where no two rows of a shard lie at one
// place though no schema says so, and rows of two shards do: a game that finds them by it would find either.
func (a *auditor) askSpots(ctx context.Context) error {
	var all []*merge.Unique
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows != merge.MergeRows || !a.inTwoShards(line) || slices.Max(line.rows) > spotsMost || a.tableAsked(t.Name) {
			continue
		}
		for _, u := range a.spots(t) {
			varied, err := a.varied(ctx, line, u)
			if err != nil {
				return err
			}
			if len(varied.Columns) > 1 && !a.spotTold(line, varied) {
				all = append(all, varied)
			}
		}
	}
	for _, u := range all {
		if err := a.askSpot(ctx, u, all); err != nil {
			return err
		}
	}
	return nil
}

// spots are the groups of a table's columns that say where something lies: those of one place, and what is said once for all of them, as the world.
func (a *auditor) spots(t *merge.Table) (list []*merge.Unique) {
	groups, order := map[string][]int{}, []string{}
	words := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		word, whose, ok := spotWord(c.Name)
		if !ok || c.Generated {
			continue
		}
		if groups[whose] == nil {
			order = append(order, whose)
		}
		words[i], groups[whose] = word, append(groups[whose], i)
	}
	for _, whose := range order {
		at := slices.Clone(groups[whose])
		if whose != "" {
			if !slices.ContainsFunc(at, func(i int) bool { return directions[words[i]] }) {
				continue
			}
			for _, i := range groups[""] {
				if !directions[words[i]] && !slices.ContainsFunc(at, func(o int) bool { return words[o] == words[i] }) {
					at = append(at, i)
				}
			}
		}
		slices.Sort(at)
		if len(at) < 2 || len(at) > spotColumns {
			continue
		}
		u := &merge.Unique{Table: t.Name}
		for _, i := range at {
			u.Columns, u.Collations = append(u.Columns, t.Columns[i].Name), append(u.Collations, t.Columns[i].Collation)
		}
		list = append(list, u)
	}
	return list
}

// varied leaves out the columns that hold one value in all rows of every shard.
func (a *auditor) varied(ctx context.Context, t *table, u *merge.Unique) (*merge.Unique, error) {
	out := &merge.Unique{Table: u.Table}
	for i, c := range u.Cols() {
		one := true
		for shard, s := range a.shards {
			if t.rows[shard] == 0 {
				continue
			}
			if s.Schema().Column(c) == nil {
				return out, nil
			}
			chance, err := a.chance(ctx, shard, c)
			if err != nil {
				return nil, err
			}
			one = one && chance == 1
		}
		if !one {
			out.Columns, out.Collations = append(out.Columns, c.Name), append(out.Collations, u.Collations[i])
		}
	}
	return out, nil
}

// spotTold tells whether the schema, the plan or an open question says already what becomes of rows that lie at one place, or new keys keep them apart.
func (a *auditor) spotTold(t *table, u *merge.Unique) bool {
	among := func(columns []string) bool { return within(columns, u.Columns) || within(u.Columns, columns) }
	line := func(cols []merge.Col) bool {
		var names []string
		for _, c := range cols {
			if own, ok := a.schema.Resolve(c); ok && own.Table == t.Name {
				names = append(names, own.Name)
			}
		}
		return len(names) > 0 && among(names)
	}
	told := a.tuples[t.Name]
	return told != nil && within(told.Columns, u.Columns) || slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return a.spaces[c] != nil || a.mayBeAnothers(c) }) ||
		slices.ContainsFunc(t.Uniques, func(o *merge.Unique) bool { return o.Plain() && within(o.Columns, u.Columns) }) ||
		slices.ContainsFunc(a.given.Uniques, func(p merge.UniquePlan) bool { return line(p.Unique) }) ||
		slices.ContainsFunc(a.res.Undecided, func(q merge.Undecided) bool { return q.Unique != nil && line(q.Unique.Unique) })
}

// askSpot asks about the rows of one table that lie at one place, or tells of them where chance may have kept those of each server apart, or people stand there.
func (a *auditor) askSpot(ctx context.Context, u *merge.Unique, all []*merge.Unique) error {
	t := a.tables[u.Table]
	where := a.placed(u)
	for _, most := range []int{firstRows, mostRows, -1} { // the first rows of most tables tell enough
		if once, err := a.onceInEach(ctx, t, u, fmt.Sprintf("%s LIMIT %d", where, most)); err != nil || !once {
			return err
		}
	}
	list, _, err := a.search(ctx, u, nil)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(c merge.Clash) bool { return nameless(c) || nowhere(c.Rows[0].Values) })
	if list = a.realClashes(u, t, t.plan.Rows, list); len(list) < sharedLeast {
		return nil
	}
	if other, err := a.liesAtOthers(ctx, u, all); err != nil || other {
		return err
	}
	met, expected, err := a.metByChance(ctx, t, u)
	if err != nil {
		return err
	}
	var rows int64
	var samples []string
	for _, c := range list {
		if rows += int64(len(c.Rows) - 1); len(samples) < listed {
			samples = append(samples, tupleText(c.Rows[0].Values))
		}
	}
	text := fmt.Sprintf("no two rows of a shard lie at one place by %s, but at %s rows of two shards do", merge.JoinCols(u.Cols()), counted(len(list), "place", "places"))
	_, most := t.sharedByTwo(list)
	laid := most >= sharedOf && float64(len(list)) >= spotTimes*expected
	if a.person(t.Name) || met < pairsByChance && !laid {
		a.find(merge.Finding{
			Rule: "unique-conflict", Severity: merge.Info, Table: t.Name, Column: columnsOf(u), Rows: rows, Samples: samples, Text: text + "; both stay there",
			Next: "a line under uniques refuses them (on_conflict: fail), where the game finds rows by their place",
		})
		return nil
	}
	way := a.waysApart(u, "")
	if both := "say on_conflict: keep where both may stay"; !strings.HasSuffix(way, both) {
		way += ", or " + both
	}
	held, err := a.heldTogether(ctx, u)
	if err != nil {
		return err
	}
	if held != "" {
		held = ". " + strings.ToUpper(held[:1]) + held[1:]
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s: does the game find a row by its place, so that it would find either? As the line below stands, nothing is merged until one is left: %s%s", text, way, held),
		Evidence: strings.Join(samples, ", "), Rows: rows, Unique: &merge.UniquePlan{Unique: u.Cols(), OnConflict: "fail"},
	})
	return nil
}

// spotTimes is how many times as many places as chance makes two servers share where both have the same ones, as houses of one map.
const spotTimes = 10

// placed is a condition on the rows that lie anywhere: all columns hold something, and not all directions are zero.
func (a *auditor) placed(u *merge.Unique) string {
	var terms, zeros []string
	for _, c := range u.Cols() {
		name := a.engine.Quote(c.Name)
		terms = append(terms, name+" IS NOT NULL")
		if word, _, _ := spotWord(c.Name); directions[word] && a.schema.Holds(c) != merge.Text {
			zeros = append(zeros, name+" = 0")
		}
	}
	where := strings.Join(terms, " AND ")
	if len(zeros) > 0 {
		where += " AND NOT (" + strings.Join(zeros, " AND ") + ")"
	}
	return where
}

// nowhere tells whether all numbers of a place are zero.
func nowhere(values []any) bool {
	return !slices.ContainsFunc(values, func(v any) bool {
		_, text := v.(string)
		return !text && v != int64(0) && v != float64(0)
	})
}

// metByChance is how many pairs of rows of one shard, and of two, would lie at one place if each column held its values by chance.
func (a *auditor) metByChance(ctx context.Context, t *table, u *merge.Unique) (one, two float64, err error) {
	for i := range a.shards {
		if t.rows[i] == 0 {
			continue
		}
		chance, err := a.pairs(ctx, i, u)
		if err != nil {
			return 0, 0, err
		}
		one = max(one, chance*float64(t.rows[i])*float64(t.rows[i]-1)/2)
		two = max(two, chance*float64(t.rows[i])*float64(t.secondMost()))
	}
	return one, two, nil
}

// liesAtOthers tells whether the places are those of another table's rows, which is asked about itself: a player's home is at his planet.
func (a *auditor) liesAtOthers(ctx context.Context, u *merge.Unique, all []*merge.Unique) (bool, error) {
	words := func(u *merge.Unique) (list []string) {
		for _, c := range u.Columns {
			word, _, _ := spotWord(c)
			list = append(list, word)
		}
		return list
	}
	for _, o := range all {
		if o.Table == u.Table || a.tables[o.Table].total() < a.tables[u.Table].total() || a.person(o.Table) && !a.person(u.Table) || !slices.Equal(words(o), words(u)) {
			continue
		}
		rows, among := 0, 0
		for i := range a.shards {
			there, err := a.tuplesOf(ctx, i, o.Cols())
			if err != nil {
				return false, err
			}
			seen := map[string]bool{}
			for _, v := range there {
				seen[tupleText(v.Value)] = true
			}
			here, err := a.tuplesOf(ctx, i, u.Cols())
			if err != nil {
				return false, err
			}
			for _, v := range here {
				rows++
				if seen[tupleText(v.Value)] {
					among++
				}
			}
		}
		if float64(among) >= copyShare*float64(rows) {
			return true, nil
		}
	}
	return false, nil
}
