package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A row that folds into another one takes that one's name, and what repeats its own name follows: a player who changed it on one server alone keeps his shops there.

// foldedName is a row that takes another one's name: the row of the same key in the shard whose name stays.
type foldedName struct {
	rename *merge.Rename
	shard  int
	place  int // among the shard's rows of the rename
	from   int
	key    string
}

// rowLister is an engine that lists the rows of one key which differ in a column.
type rowLister interface {
	DifferentRows(ctx context.Context, a, b merge.Shard, table string, pairs []merge.KeyPair, columns []string) ([]merge.RowPair, error)
}

// keyFollows tells whether a table's rows are known by texts that follow the renames of others.
func (a *auditor) keyFollows(t *table) bool {
	return slices.ContainsFunc(t.KeyCols(), func(c merge.Col) bool { return a.schema.Holds(c) == merge.Text && len(a.sources(c)) > 0 })
}

// findFoldedNames makes renames of the names that rows lose which fold: of the tables whose keys follow the renames of others, or of all the others.
func (a *auditor) findFoldedNames(ctx context.Context, follow bool) (list []foldedName, err error) {
	e, ok := a.engine.(rowLister)
	if !ok {
		return nil, nil
	}
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if !line.namesFold() || a.keyFollows(line) != follow {
			continue
		}
		for _, c := range a.foldedColumns(line) {
			alone, err := a.aloneInEach(ctx, line, c)
			if err != nil {
				return nil, err
			}
			if !alone { // it does not say whose name is repeated
				continue
			}
			found, err := a.foldedNames(ctx, e, line, c)
			if err != nil {
				return nil, err
			}
			if len(found) > 0 {
				a.rename, list = append(a.rename, found[0].rename), append(list, found...)
			}
		}
	}
	return list, nil
}

// namesFold tells whether rows of a table become one with others of their key, of which one keeps its name.
func (t *table) namesFold() bool {
	return (t.folds() || t.plan.Rows == merge.ByValue) && len(t.PrimaryKey) > 0 && t.Opaque == ""
}

// aloneInEach tells whether a column's values are unique in each shard, by the schema or as they stand.
func (a *auditor) aloneInEach(ctx context.Context, t *table, c merge.Col) (bool, error) {
	if a.uniqueAlone(c) {
		return true, nil
	}
	return a.uniqueEverywhere(ctx, t, c, "")
}

// nameFollows tells whether what repeats a column of rows that fold follows to what the rows are called that they become.
func (a *auditor) nameFollows(ctx context.Context, t *table, c merge.Col) (bool, error) {
	if how, _ := lookupFold(a.schema, t.plan.Columns, c.Name); !t.namesFold() || !slices.Contains(a.foldedColumns(t), c) || how.How == "sum" {
		return false, nil
	}
	return a.aloneInEach(ctx, t, c)
}

// foldedColumns are the columns of a table that folds which others may repeat: texts that are its key, in other letters, or unique, called like names, or known to be repeated.
func (a *auditor) foldedColumns(t *table) (list []merge.Col) {
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		partOfKey := slices.Contains(t.PrimaryKey, c.Name)
		if c.Generated || a.schema.Holds(col) != merge.Text || partOfKey && len(t.PrimaryKey) > 1 || a.sources(col) != nil {
			continue
		}
		repeated := slices.ContainsFunc(a.refs, func(r *reference) bool { return slices.Equal(r.To, []merge.Col{col}) })
		if partOfKey || repeated || a.called(col) || slices.ContainsFunc(a.uniques(), func(u *merge.Unique) bool { return slices.Equal(u.Cols(), []merge.Col{col}) }) {
			list = append(list, col)
		}
	}
	return list
}

// foldEqualNames are the rows that bear the very name of another shard's row with which they become one, and which gets a new one: they take it, too.
func (a *auditor) foldEqualNames(ctx context.Context) (list []foldedName, err error) {
	into, order := map[merge.Col]*merge.Rename{}, []*merge.Rename{}
	for _, r := range slices.Clone(a.rename) {
		t, c := a.tables[r.Unique.Table], merge.Col{Table: r.Unique.Table, Name: r.Column}
		if r.Into || !t.namesFold() || t.plan.Rows == merge.FromRows {
			continue
		}
		if into[c] == nil {
			into[c] = a.renameInto(c)
			order = append(order, into[c])
		}
		for i, rows := range r.Shards {
			for j := range a.shards {
				if j == i {
					continue
				}
				for some := range slices.Chunk(rows, checkBatch) {
					found, err := a.equallyNamed(ctx, t, r, i, j, some)
					if err != nil {
						return nil, err
					}
					for _, at := range slices.Sorted(maps.Keys(found)) {
						key, to := found[at], into[c]
						list = append(list, foldedName{to, j, len(to.Shards[j]), i, keyText(some[at].Row)})
						to.Shards[j] = append(to.Shards[j], merge.Renamed{Values: []any{some[at].Old}, Old: some[at].Old, New: some[at].New, Row: key})
					}
				}
			}
		}
	}
	for _, to := range order {
		if slices.ContainsFunc(to.Shards, func(rows []merge.Renamed) bool { return len(rows) > 0 }) {
			a.rename = append(a.rename, to)
		}
	}
	return list, nil
}

// equallyNamed are the keys of a shard's rows that bear the name of some renamed rows of another one, become one with these, and are not renamed themselves; by the place of the renamed row.
func (a *auditor) equallyNamed(ctx context.Context, t *table, r *merge.Rename, shard, other int, rows []merge.Renamed) (map[int][]any, error) {
	s, c := a.shards[other], merge.Col{Table: t.Name, Name: r.Column}
	columns := append(t.KeyCols(), c)
	for k, col := range columns {
		own, ok := s.Schema().Resolve(col)
		if !ok {
			return nil, nil
		}
		columns[k] = own
	}
	words, places := make([]string, len(rows)), map[string]int{}
	for at, row := range rows {
		words[at], places[row.Old] = a.engine.Literal(row.Old), at
	}
	list, err := s.Tuples(ctx, columns, a.engine.Quote(columns[len(columns)-1].Name)+" IN ("+strings.Join(words, ", ")+")", 0)
	if err != nil {
		return nil, err
	}
	found := map[int][]any{}
	for _, v := range list {
		key := v.Value[:len(v.Value)-1]
		name, text := v.Value[len(key)].(string)
		at, ok := places[name]
		if !text || !ok || a.losers(r)[loser{other, name, keyText(key)}] {
			continue
		}
		if a.imageOf(t, t.primary(), merge.ClashRow{Shard: shard, Values: rows[at].Row, Key: rows[at].Row}, nil) == a.imageOf(t, t.primary(), merge.ClashRow{Shard: other, Values: key, Key: key}, nil) {
			found[at] = key
		}
	}
	return found, nil
}

// heldRow is what one shard's row of a key holds.
type heldRow struct{ key, values []any }

// foldedNames are the rows of a table that fold and whose text in a column is not the one that stays.
func (a *auditor) foldedNames(ctx context.Context, e rowLister, t *table, c merge.Col) (list []foldedName, err error) {
	how, _ := lookupFold(a.schema, t.plan.Columns, c.Name)
	columns := []string{c.Name}
	switch how.How {
	case "sum":
		return nil, nil
	case "latest", "lowest", "set":
		columns = append(columns, how.By)
	}
	held := map[string]map[int]heldRow{}
	var order []string
	for i := range a.shards {
		for j := range i {
			pairs, err := a.foldPairs(ctx, t, j, i)
			if err != nil {
				return nil, err
			}
			differ, err := e.DifferentRows(ctx, a.raw[j], a.raw[i], t.Name, pairs, columns)
			if err != nil {
				return nil, err
			}
			for _, p := range differ {
				id := a.imageOf(t, t.primary(), merge.ClashRow{Shard: j, Values: p[0].Key, Key: p[0].Key}, nil)
				if held[id] == nil {
					held[id] = map[int]heldRow{}
					order = append(order, id)
				}
				held[id][j], held[id][i] = heldRow{p[0].Key, p[0].Values}, heldRow{p[1].Key, p[1].Values}
			}
		}
	}
	r := a.renameInto(c)
	for _, id := range order {
		rows := held[id]
		stays := a.nameStays(t, c, how.How, rows)
		if stays < 0 {
			continue
		}
		name, ok := rows[stays].values[0].(string)
		for i := range a.shards {
			old, text := "", false
			if row, has := rows[i]; has {
				old, text = row.values[0].(string)
			}
			if !ok || !text || name == "" || old == "" || old == name {
				continue
			}
			list = append(list, foldedName{r, i, len(r.Shards[i]), stays, keyText(rows[stays].key)})
			r.Shards[i] = append(r.Shards[i], merge.Renamed{Values: []any{old}, Old: old, New: name, Row: rows[i].key})
		}
	}
	return list, nil
}

// renameInto is an empty rename of rows that fold.
func (a *auditor) renameInto(c merge.Col) *merge.Rename {
	r := &merge.Rename{Unique: merge.Unique{Table: c.Table, Columns: []string{c.Name}, Collations: []string{a.schema.Column(c).Collation}}, Column: c.Name, Into: true, Shards: make([][]merge.Renamed, len(a.shards))}
	if plan := a.uniquePlan(&r.Unique); plan != nil {
		r.Collate = plan.Collate
	}
	for _, u := range a.schema.Table(c.Table).Uniques {
		if slices.Equal(u.Columns, r.Unique.Columns) && !slices.ContainsFunc(u.Collations, func(c string) bool { return sameCollation(c, "") }) {
			r.Unique.Collations = u.Collations
			break
		}
	}
	return r
}

// nameStays is the shard whose name in a column stays, by how the plan combines it, of those that have a row of one key; -1 when no row comes.
func (a *auditor) nameStays(t *table, c merge.Col, how string, rows map[int]heldRow) int {
	best := -1
	collation := a.schema.Column(c).Collation
	compared := func(v any) any {
		if text, ok := v.(string); ok {
			return merge.Collated(text, collation)
		}
		return v
	}
	for i := range a.shards {
		row, ok := rows[i]
		if !ok {
			continue
		}
		if t.plan.Rows == merge.FromRows {
			if a.name(i) == t.plan.From {
				return i
			}
			continue
		}
		better := best < 0
		if !better {
			held, stays := row.values[0], rows[best].values[0]
			switch how {
			case "latest":
				better = later(row.values[1], rows[best].values[1])
			case "lowest":
				better = row.values[1] != nil && (rows[best].values[1] == nil || later(rows[best].values[1], row.values[1]))
			case "set":
				better = unset(rows[best].values[1]) && !unset(row.values[1])
			case "max", "min":
				better = stays == nil || held != nil && later(compared(held), compared(stays)) == (how == "max") && compared(held) != compared(stays)
			}
		}
		if better {
			best = i
		}
	}
	return best
}

// unset tells whether a value is nobody and nothing.
func unset(v any) bool { return v == nil || slices.Contains(merge.Unset(), v) }

// later tells whether a value comes after another one, as SQL orders them: nulls, numbers, texts, bytes.
func later(x, y any) bool {
	class := func(v any) int {
		switch v.(type) {
		case nil:
			return 0
		case int64, float64:
			return 1
		case string:
			return 2
		}
		return 3
	}
	if c := cmp.Compare(class(x), class(y)); c != 0 {
		return c > 0
	}
	switch x := x.(type) {
	case int64:
		if y, ok := y.(int64); ok {
			return x > y
		}
		return float64(x) > y.(float64)
	case float64:
		if y, ok := y.(int64); ok {
			return x > float64(y)
		}
		return x > y.(float64)
	case string:
		return x > y.(string)
	case []byte:
		return string(x) > string(y.([]byte))
	}
	return false
}

// foldsAway tells whether a row that holds a clashing value folds into one of another name, so that its own is nobody's.
func (a *auditor) foldsAway(u *merge.Unique, row merge.ClashRow) bool {
	return slices.ContainsFunc(a.rename, func(r *merge.Rename) bool {
		part := slices.Index(u.Columns, r.Column)
		return r.Into && r.Unique.Table == u.Table && part >= 0 && a.losers(r)[loser{row.Shard, valueText(row.Values[part]), keyText(row.Key)}]
	})
}

// nameFolded gives rows that fold the names which those they fold into have got meanwhile, and says so.
func (a *auditor) nameFolded(list []foldedName) {
	if len(list) == 0 {
		return
	}
	type bearer struct {
		name  merge.Col
		shard int
		key   string
	}
	given := map[bearer]string{}
	for _, r := range a.rename {
		for shard, rows := range r.Shards {
			for _, row := range rows {
				if !r.Into {
					given[bearer{merge.Col{Table: r.Unique.Table, Name: r.Column}, shard, keyText(row.Row)}] = row.New
				}
			}
		}
	}
	type of struct {
		rename *merge.Rename
		shard  int
	}
	counts, samples := map[of]int64{}, map[of][]string{}
	var order []of
	for _, f := range list {
		row, at := &f.rename.Shards[f.shard][f.place], of{f.rename, f.shard}
		if name, ok := given[bearer{merge.Col{Table: f.rename.Unique.Table, Name: f.rename.Column}, f.from, f.key}]; ok {
			row.New = name
		}
		if counts[at]++; counts[at] == 1 {
			order = append(order, at)
		}
		if len(samples[at]) < listed {
			samples[at] = append(samples[at], fmt.Sprintf("%q becomes %q", row.Old, row.New))
		}
	}
	clear(a.newNames)
	for _, at := range order {
		a.find(merge.Finding{
			Rule: "rename", Severity: merge.Info, Table: at.rename.Unique.Table, Column: at.rename.Column, Shard: a.name(at.shard), Rows: counts[at],
			Text: counted(counts[at], "row folds", "rows fold") + " into one of another name, which it takes; what repeats its own follows (" + strings.Join(samples[at], ", ") + ")",
			Next: "check that each two are one, known by another name on each server",
		})
	}
}
