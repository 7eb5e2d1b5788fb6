package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// sameNames is the share of names that stand in two shards from which they are rather a catalogue's, where no word says whose they are.
const sameNames = 0.9

// differShare is the share of different names from which a column holds what its rows are called, and not whom each of them is about.
const differShare = 0.6

// proseShare is the share of texts that hold several others of their column from which they are no names.
const proseShare = 0.1

// How many names some shard must hold before their being different says anything: where other tables repeat them, and where none does.
const (
	namesLeast = 3
	fewNames   = 10
)

// findNames asks about text columns whose values are unique in every shard, though no schema says so, and that two shards share. Those that are named like names and of
// which no two shards share a value stay; those that rather repeat other names are asked about later, unless they turn out to follow.
func (a *auditor) findNames(ctx context.Context) (stay []merge.Col, later []*bearing, err error) {
	var list []*bearing
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows != merge.MergeRows {
			continue
		}
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if a.schema.Holds(col) != merge.Text || c.Generated || !bearer(c.Name) && slices.Max(line.rows) > readWhole || a.follows(col) || a.namedAlone(t, c.Name) || a.spaces[col] != nil {
				continue
			}
			n, err := a.bearing(ctx, line, col)
			if err != nil {
				return nil, nil, err
			}
			if n != nil {
				list = append(list, n)
			}
		}
	}
	if err := a.findBearers(ctx, list); err != nil {
		return nil, nil, err
	}
	for _, n := range list {
		switch {
		case n.copied:
		case n.total == 0 && (n.bears || bearer(n.col.Name) && !n.part):
			stay = append(stay, n.col)
		case n.bears:
			second, err := a.repeatsRather(ctx, n, list)
			if err != nil {
				return nil, nil, err
			}
			if second {
				later = append(later, n)
			} else if err := a.askName(ctx, n); err != nil {
				return nil, nil, err
			}
		case n.unique && n.total > 0 && n.others && !n.part && (n.once && !secret(n.col.Name) || n.mail && !slices.ContainsFunc(list, n.namedBy)):
			if err := a.askName(ctx, n); err != nil {
				return nil, nil, err
			}
		case (n.unique || bearer(n.col.Name) && n.hardlyTwice()) && n.total > 0 && n.others && !n.part:
			a.unnamed = append(a.unnamed, n)
		}
	}
	return stay, later, nil
}

// bearing is a column that may hold what its table's rows are called.
type bearing struct {
	*unexplained
	unique   bool // in every shard
	collate  string
	total    int64    // values in two shards
	listed   []string // some of them
	part     bool     // a key of the schema tells rows apart by it and other columns
	bears    bool     // others refer to the rows by number, other tables repeat the column, or nothing else tells the rows apart
	repeated bool     // other tables repeat it
	copied   bool     // it repeats another one
	once     bool     // its texts are such as no two servers make
	mail     bool     // its texts are mail addresses
	others   bool     // rows of two shards that share one are others, or those with which every server begins, and not all of a catalogue
}

// bearing is a column that may hold names; nil when it does not: names differ in every shard, or, where other tables repeat them, nearly all do, as those of players who
// were deleted and of others who took them. Where none stands in two shards, its own name must say that it holds names.
func (a *auditor) bearing(ctx context.Context, t *table, col merge.Col) (*bearing, error) {
	own, err := a.sampled(ctx, t, col)
	if err != nil || !own.mayDiffer() || a.foldAsked(col.Table) {
		return nil, err
	}
	if kept, err := a.keptAmongPersons(ctx, own); err != nil || kept {
		return nil, err
	}
	n := &bearing{unexplained: own, part: a.hasUnique(a.schema.Table(col.Table), col.Name)}
	if n.collate, n.unique, err = a.tellsApart(ctx, t, col); err != nil {
		return nil, err
	}
	if !n.unique {
		if most, err := a.mostlyDiffers(ctx, t, col); err != nil || !most {
			return nil, err
		}
		if prose, err := a.prose(ctx, own); err != nil || prose {
			return nil, err
		}
	}
	u := merge.Unique{Table: col.Table, Columns: []string{col.Name}, Collations: []string{a.schema.Column(col).Collation}}
	list, total, err := a.engine.Clashes(ctx, a.raw, u, n.collate, "", a.opt.ClashLimit)
	if err != nil {
		return nil, err
	}
	apart := false // under different keys
	var shared []merge.Clash
	n.once = slices.ContainsFunc(list, func(c merge.Clash) bool { return !nameless(c) }) && !slices.ContainsFunc(list, func(c merge.Clash) bool { return !nameless(c) && !madeOnce.MatchString(valueText(c.Rows[0].Values[0])) })
	n.mail = own.mails()
	for _, c := range list {
		c.Rows = slices.DeleteFunc(c.Rows, func(row merge.ClashRow) bool { return a.nameLost(col, row, row.Values[0]) }) // by a key of several columns
		if len(c.Rows) == 0 || nameless(c) || !slices.ContainsFunc(c.Rows, func(row merge.ClashRow) bool { return row.Shard != c.Rows[0].Shard }) {
			total--
			continue
		}
		shared = append(shared, c)
		apart = apart || tupleText(c.Rows[0].Key) != tupleText(c.Rows[len(c.Rows)-1].Key)
		if len(n.listed) < listed {
			n.listed = append(n.listed, tupleText(c.Rows[0].Values))
		}
	}
	n.total = total
	least, _ := t.sharedByTwo(shared)
	alike := least >= sameNames
	if alike && t.secondMost() < fewNames && len(t.PrimaryKey) > 0 { // a handful may all stand in the other
		shared, equal, err := a.sharedRows(ctx, t)
		if err != nil {
			return nil, err
		}
		alike = equal*2 >= shared && !apart
	}
	if alike && apart {
		own, err := a.othersRows(ctx, t, col)
		if err != nil {
			return nil, err
		}
		alike = !own
	}
	n.others = !alike && (apart || len(t.PrimaryKey) == 0 || t.secondMost() >= namesLeast)                                   // under the same keys every server may begin with some
	if !bearer(col.Name) && (total == 0 && !n.unique || alike && !a.somebodysRows(t, col) && (!n.unique || !a.doubles(t))) { // as accounts have numbers that every server gives out alike
		return nil, nil
	}
	if !n.unique && !own.hardlyTwice() || !bearer(col.Name) || n.part {
		return n, nil
	}
	switch {
	case len(t.PrimaryKey)+len(t.Uniques) == 0:
		n.bears = slices.Max(t.rows) >= fewNames && !alike // those of a list of settings are the same
	case len(t.PrimaryKey) == 1 && (t.secondMost() >= fewNames || !alike): // a few settings are the same under the same keys
		key := t.KeyCols()[0]
		n.bears = a.spaces[key] != nil && (named(col.Name) || len(a.spaces[key].users) > 0 || a.askedOf(func(r *merge.Reference) bool { return r.As == merge.Plain && slices.Contains(r.To, key) }))
	}
	return n, nil
}

// doubles tells whether the rows of a table, which have numbers, come from every shard that has them, under new ones where two have the same, and no question is open on that.
func (a *auditor) doubles(t *table) bool {
	s := a.numberOf(t)
	return s != nil && s.plan.New != merge.Static && !a.tableAsked(t.Name)
}

// findBearers tells which of some columns other tables repeat, and which of them repeat another column themselves.
func (a *auditor) findBearers(ctx context.Context, list []*bearing) error {
	if len(list) == 0 {
		return nil
	}
	columns := make([]merge.Col, len(list))
	for i, n := range list {
		columns[i] = n.col
	}
	held, err := a.textHolders(ctx, columns)
	if err != nil {
		return err
	}
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows == merge.EmptyRows {
			continue
		}
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if a.schema.Holds(col) != merge.Text || c.Generated {
				continue
			}
			u, err := a.sampled(ctx, line, col)
			if err != nil {
				return err
			}
			for _, at := range held.near(u.samples) {
				n := list[at]
				if n.table == line || n.copied {
					continue
				}
				there, err := a.lieAmong(ctx, u.samples, n.col, a.laxer(u.col, n.col))
				if err != nil {
					return err
				}
				if !there.repeat(a.called(u.col) || a.schema.Equal(u.col.Name, n.col.Name) || a.tied(u.col, n.col), bearer(n.col.Name)) {
					continue
				}
				n.bears, n.repeated = true, true
				if n.copied, err = a.repeatsAll(ctx, n, u, false); err != nil {
					return err
				}
			}
		}
	}
	for _, n := range list { // keys of several tables are names of none
		if !n.copied && n.repeated && !n.unique {
			if n.copied, err = a.keysBesideNumbers(ctx, n); err != nil {
				return err
			}
		}
	}
	for _, n := range list { // who is in a clan is one of the players
		near := held.near(n.samples)
		for at, other := range list {
			if _, may := slices.BinarySearch(near, at); n.copied || !other.bears || other.table == n.table || !may && n.hasTexts() {
				continue
			}
			if n.copied, err = a.repeatsAll(ctx, n, other.unexplained, other.unique && !n.unique); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasTexts tells whether a sample found texts in a column.
func (u *unexplained) hasTexts() bool {
	return slices.ContainsFunc(u.samples, func(one *merge.Sample) bool { return len(one.Texts) > 0 })
}

// before tells whether a schema lists a table earlier than another.
func before(s *merge.Schema, t, o *merge.Table) bool {
	return slices.Index(s.Tables, t) < slices.Index(s.Tables, o)
}

// hasUnique tells whether a key of the schema or the plan says already what becomes of equal names, or a question does: of the names alone, or of them beside others.
func (a *auditor) hasUnique(t *merge.Table, column string) bool {
	return a.namedAlone(t, column) || slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool {
		return !u.Where && slices.ContainsFunc(u.Columns, func(c string) bool { return a.schema.Equal(c, column) })
	})
}

// namedAlone tells whether a key, the plan or a question says what becomes of equal names as such.
func (a *auditor) namedAlone(t *merge.Table, column string) bool {
	if a.uniquePlan(&merge.Unique{Table: t.Name, Columns: []string{column}}) != nil {
		return true
	}
	return slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool {
		return !u.Where && len(u.Columns) == 1 && a.schema.Equal(u.Columns[0], column)
	}) || slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Unique != nil && slices.Equal(u.Unique.Unique, []merge.Col{{Table: t.Name, Name: column}})
	})
}

// tellsApart is the comparison that calls most names equal of those by which no two rows of a shard share one.
func (a *auditor) tellsApart(ctx context.Context, t *table, col merge.Col) (collate string, unique bool, err error) {
	collations := []string{""}
	if fold := a.foldCollation(); fold != "" {
		collations = []string{fold, ""}
	}
	for _, collate := range collations {
		if unique, err := a.uniqueEverywhere(ctx, t, col, collate); err != nil || unique {
			return collate, unique, err
		}
	}
	return "", false, nil
}

// mayDiffer tells whether a sample lets most names of a column differ: rows that were seen with one name tell about how many there are of each.
func (u *unexplained) mayDiffer() bool {
	word := u.stopgap()
	for i, one := range u.samples {
		rows, names := float64(one.Other), float64(one.Others)
		if held := rowsWith(seenOften(one), word); held > 0 {
			rows, names = rows-float64(held), names-1
		}
		if names > 0 {
			each := max(rows/names, 1+2*(rows-names)/(rows*rows)*float64(u.table.rows[i]))
			if each > 2/differShare {
				return false
			}
		}
	}
	return true
}

// mostlyDiffers tells whether few rows of any shard share a name with another one; shards of few names say nothing, but where the column is named like what bears it.
func (a *auditor) mostlyDiffers(ctx context.Context, t *table, col merge.Col) (bool, error) {
	enough, many, few, least := false, false, false, fewNames
	if bearer(col.Name) {
		least = namesLeast
	}
	lists := make([][]merge.ValueCount, len(a.shards))
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(col)
		if !ok || t.rows[i] == 0 {
			continue
		}
		var err error
		if lists[i], err = s.Values(ctx, own, a.engine.Quote(own.Name)+" <> ''", 0); err != nil {
			return false, err
		}
	}
	word := stopgap(lists)
	for _, list := range lists {
		list = slices.DeleteFunc(list, func(v merge.ValueCount) bool { return v.Value[0] == any(word) })
		rows := rowsOf(list)
		switch differ := float64(len(list)) >= differShare*float64(rows); {
		case !differ && rows >= fewNames:
			return false, nil
		case !differ:
			few = few || rows >= int64(least)
		default:
			enough = enough || len(list) >= least
			many = many || len(list) >= fewNames // what these say, a handful elsewhere does not gainsay
		}
	}
	return many || enough && !few, nil
}

// uniqueEverywhere tells whether no two rows of any shard hold the same text, empty ones left out, and some shard has enough of them to tell.
func (a *auditor) uniqueEverywhere(ctx context.Context, t *table, col merge.Col, collate string) (bool, error) {
	name := a.engine.Quote(col.Name)
	key := name
	if collate != "" {
		key += " COLLATE " + collate
	}
	twice := fmt.Sprintf("%s <> '' AND %s IN (SELECT %s FROM %s GROUP BY %s HAVING count(*) > 1)", name, key, name, a.engine.Quote(t.Name), key)
	most := int64(0)
	for i, s := range a.shards {
		if !a.has(i, t.Name) || t.rows[i] == 0 {
			continue
		}
		own, ok := s.Schema().Resolve(col)
		if !ok {
			return false, nil
		}
		if found, err := s.Any(ctx, own.Table, twice); err != nil || found {
			return false, err
		}
		n, err := s.Count(ctx, own.Table, name+" <> ''")
		if err != nil {
			return false, err
		}
		most = max(most, n)
	}
	return most >= namesLeast, nil
}
